#!/bin/sh
# Every row of an experiments.csv belongs to an experiment of the folder, every table of a columns.csv is written by one,
# and every figure in results/ is a file of one, which the page of the results shows.
. "$SOURCE_DIR/tests/prelude.sh"

for folder in "$SOURCE_DIR"/bench/experiments/*/; do
    for name in $(sed 1d "$folder/experiments.csv" | cut -d, -f1); do
        grep -q "^SB_EXPERIMENT($name)" "$folder/list.def" || fail "${folder}experiments.csv: $name is no experiment"
    done
    [ ! -e "$folder/columns.csv" ] || for name in $(sed 1d "$folder/columns.csv" | cut -d, -f1 | sort -u); do
        grep -qF "\"$name\"" "$folder"/*.c || fail "${folder}columns.csv: no experiment writes the table $name"
    done
done
for figure in "$SOURCE_DIR"/results/*.svg "$SOURCE_DIR"/results/times/*.svg; do
    grep -qF "${figure#"$SOURCE_DIR"/results/}" "$SOURCE_DIR/results/README.md" ||
        fail "results/README.md does not show $figure, which no experiment or study lists among its files"
done
echo "every row has its experiment"
