#!/bin/sh
# The tables of digits are what their scripts write: nobody edits numbers by hand.
. "$SOURCE_DIR/tests/prelude.sh"
. "$SOURCE_DIR/tests/python/interpreter.sh"
unset LD_PRELOAD # the scripts do not load the library
find_python mpmath

wrong=
for table in "$SOURCE_DIR"/tests/digits/*.csv; do
    name=$(basename "$table" .csv)
    "$python" "$SOURCE_DIR/tests/digits/$name.py" >"$name.csv" || fail "$name.py"
    cmp -s "$name.csv" "$table" || wrong="$wrong $name"
done
[ -z "$wrong" ] || fail "other digits than their scripts write:$wrong; python3 NAME.py >NAME.csv in tests/digits"
echo "the tables are those of the scripts"
