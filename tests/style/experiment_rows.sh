#!/bin/sh
# Every row of an experiments.csv belongs to an experiment of the folder, and every table of a columns.csv is written by
# one.
. "$SOURCE_DIR/tests/prelude.sh"

for folder in "$SOURCE_DIR"/bench/experiments/*/; do
    for name in $(sed 1d "$folder/experiments.csv" | cut -d, -f1); do
        grep -q "^SB_EXPERIMENT($name)" "$folder/list.def" || fail "${folder}experiments.csv: $name is no experiment"
    done
    [ ! -e "$folder/columns.csv" ] || for name in $(sed 1d "$folder/columns.csv" | cut -d, -f1 | sort -u); do
        grep -qF "\"$name\"" "$folder"/*.c || fail "${folder}columns.csv: no experiment writes the table $name"
    done
done
echo "every row has its experiment"
