#!/bin/sh
# The tables of digits are what their scripts write: nobody edits numbers by hand.
. "$SOURCE_DIR/tests/prelude.sh"
. "$SOURCE_DIR/tests/python/interpreter.sh"
unset LD_PRELOAD # the scripts do not load the library
find_python mpmath

# Two at a time: a script computes for some ten seconds.
cp "$SOURCE_DIR"/tests/digits/*.py .
ls "$SOURCE_DIR"/tests/digits/*.csv | sed 's/.*\///; s/\.csv$//' | xargs -P 2 -I {} sh -c "'$python' {}.py >{}.csv" ||
    fail "a script fails"
wrong=
for table in "$SOURCE_DIR"/tests/digits/*.csv; do
    name=$(basename "$table" .csv)
    cmp -s "$name.csv" "$table" || wrong="$wrong $name"
done
[ -z "$wrong" ] || fail "other digits than their scripts write:$wrong; python3 NAME.py >NAME.csv in tests/digits"
echo "the tables are those of the scripts"
