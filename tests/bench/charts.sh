#!/bin/sh
# The charts of the results page name columns that their files have.
. "$SOURCE_DIR/tests/prelude.sh"

sed 1d "$SOURCE_DIR/bench/report/assets/charts.csv" | while IFS=, read -r file x y by log; do
    table=$SOURCE_DIR/results/$file
    [ -e "$table" ] || table=$SOURCE_DIR/results/times/$file
    [ -e "$table" ] || fail "there is no $file"
    head=,$(grep -v '^#' "$table" | sed 1q),
    for column in $x $y $by; do
        case $head in *",$column,"*) ;; *) fail "$file has no column $column" ;; esac
    done
done
