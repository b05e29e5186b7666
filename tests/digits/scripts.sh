#!/bin/sh
# The tables of digits are what their scripts write: a sample of the states is computed anew, another one per commit, and
# all with SB_DIGITS=all.
. "$SOURCE_DIR/tests/prelude.sh"
. "$SOURCE_DIR/tests/python/interpreter.sh"
unset LD_PRELOAD # the scripts do not load the library
find_python mpmath

share=8
[ "${SB_DIGITS:-}" != all ] || share=1
seed=$(git -C "$SOURCE_DIR" rev-parse HEAD 2>/dev/null || echo none)
for table in "$SOURCE_DIR"/tests/digits/*.csv; do
    "$python" "${table%.csv}.py" check $share "$seed" 2>err || fail "python3 NAME.py >NAME.csv in tests/digits: $(cat err)"
done
echo "one state in $share is that of the scripts"
