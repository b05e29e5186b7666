#!/bin/sh
# A plug-in that writes into the pipe of its rows costs its own pair the rows from there on: one sentence that says so,
# the exit status, the rows before them and those of all other pairs whole.
. "$SOURCE_DIR/tests/prelude.sh"
"$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -DMISBEHAVIOUR=16 -shared -fPIC \
    "$SOURCE_DIR/tests/plugin/bad.c" -o scribbles.so
energy() { # energy STATUS OUT ARGUMENTS...
    expected=$1
    out=$2
    shift 2
    status=0
    "$STEPBENCH" energy "$@" --h 0.05 --steps 40 --blocks 20 -o "$out.csv" 2>"$out.err" || status=$?
    [ $status -eq "$expected" ] || fail "exit status $status: $(cat "$out.err")"
    grep -v '^#' "$out.csv" >"$out.rows"
}
energy 0 whole -p oscillator:omega=3 -p kepler -s rk4 -s euler_explicit

for jobs in 1 3; do
    energy 3 damaged --plugin ./scribbles.so -p oscillator:omega=3 -p kepler -s bad -s rk4 --jobs $jobs
    grep ',rk4,' whole.rows >expected
    grep ',rk4,' damaged.rows | cmp - expected || fail "rows of another pair are lost"
    for problem in oscillator kepler; do
        # The damage is done in step 7, after the rows of six steps. `bad` is explicit Euler.
        grep "$problem.*,euler_explicit," whole.rows | head -3 | sed 's/,euler_explicit,/,bad,/' >expected
        grep "$problem.*,bad,.*,ok\$" damaged.rows | cmp - expected || fail "the rows of $problem before the damage"
        reason="its rows were damaged on the way"
        [ "$(grep "$problem.*,bad," damaged.rows | grep -c "$reason")" -eq 1 ] || fail "no row says what is lost"
        [ "$(grep -c "^stepbench: energy of bad on .*$problem.*: $reason" damaged.err)" -eq 1 ] ||
            fail "not one sentence on $problem: $(cat damaged.err)"
    done
    [ "$(wc -l <damaged.err)" -eq 3 ] || fail "$(cat damaged.err)"
done
echo "a damaged row costs a pair's rows from there on"
