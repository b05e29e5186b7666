#!/bin/sh
# A plug-in that writes over the rows that its process has sent costs its own pair those rows: one sentence that says
# so,
# the rows before them and those of all other pairs whole.
. "$SOURCE_DIR/tests/prelude.sh"
"$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -DMISBEHAVIOUR=16 -shared -fPIC \
    "$SOURCE_DIR/tests/plugin/bad.c" -o scribbles.so
energy() { # energy OUT ARGUMENTS...
    out=$1
    shift
    "$STEPBENCH" energy "$@" --h 0.05 --steps 40 --blocks 20 -o "$out.csv" 2>"$out.err" || fail "$(cat "$out.err")"
    grep -v '^#' "$out.csv" >"$out.rows"
}
energy whole -p oscillator:omega=3 -p kepler -s rk4 -s euler_explicit

for jobs in 1 3; do
    energy damaged --plugin ./scribbles.so -p oscillator:omega=3 -p kepler -s bad -s rk4 --jobs $jobs
    grep ',rk4,' whole.rows >expected
    grep ',rk4,' damaged.rows | cmp - expected || fail "rows of another pair are lost"
    for problem in oscillator kepler; do
        # The damage is done in step 7 and begins within the row of the steps 5 and 6. `bad` is explicit Euler.
        grep "$problem.*,euler_explicit," whole.rows | head -2 | sed 's/,euler_explicit,/,bad,/' >expected
        grep "$problem.*,bad,.*,ok\$" damaged.rows | cmp - expected || fail "the rows of $problem before the damage"
        reason="the temporary file of its rows was damaged"
        [ "$(grep "$problem.*,bad," damaged.rows | grep -c "$reason")" -eq 1 ] || fail "no row says what is lost"
        [ "$(grep -c "^stepbench: energy of bad on .*$problem.*: $reason" damaged.err)" -eq 1 ] ||
            fail "not one sentence on $problem: $(cat damaged.err)"
    done
    [ "$(wc -l <damaged.err)" -eq 2 ] || fail "$(cat damaged.err)"
done
echo "a damaged row costs a pair's rows from there on"
