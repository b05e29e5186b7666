#!/bin/sh
# What the commands say of steppers that people bring: the kinds of brought.c.
. "$SOURCE_DIR/tests/prelude.sh"

build() { # build KIND: brought.so
    "$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -DKIND="$1" -shared -fPIC \
        "$SOURCE_DIR/tests/plugin/brought.c" -o brought.so || fail "$1 does not compile"
}
check() { # check KIND: rows.csv of the checks, failed.csv of those that fail
    build "$1"
    status=0
    "$STEPBENCH" check ./brought.so --format csv --columns problem,check,verdict,measured,message >rows.csv 2>err ||
        status=$?
    grep ',failed,' rows.csv >failed.csv || true
    [ $status -eq 3 ] || [ $status -eq 0 ] || fail "check of $1: exit status $status, $(cat err)"
}

# fails KIND PROBLEMS ORDER: the orders on these problems, and no others, fail with this order to 0.1.
fails() {
    check "$1"
    for problem in $2; do
        [ "$(grep -c "^$problem,order of [qv],failed" failed.csv)" -eq 2 ] || fail "$1 passes on $problem: $(cat rows.csv)"
    done
    awk -F, -v problems=" $2 " -v order="$3" '{ off = $4 - order
        if (off > 0.1 || off < -0.1 || $2 !~ /^order of [qv]$/ || !index(problems, " " $1 " ")) exit 1 }' failed.csv ||
        fail "$1: $(cat failed.csv)"
}
passes() { # passes KIND
    check "$1"
    [ $status -eq 0 ] && grep -q 'checks passed' err || fail "$1: $(cat failed.csv err)"
}

# A method for q'' = a(t, q) that is offered for forces of the velocity; one whose clock stands still within a step; one
# whose drag lacks the velocity.
fails FROZEN 'check.force_v check.gyroscopic check.forces' 1
fails CLOCK 'check.force_t check.forces paul_trap' 1
fails STILL 'check.force_v check.gyroscopic check.forces' 0
grep -q 'error does not fall' failed.csv || fail "the sentence of an error that stays: $(cat failed.csv)"
# first KIND COUNT: on the check systems so many orders fail, with 1; elsewhere nothing fails but orders.
first() {
    check "$1"
    grep '^check' failed.csv | awk -F, -v count="$2" '{ off = $4 - 1; if (off > 0.1 || off < -0.1) { bad = 1; exit }; n++ }
        END { exit bad || n != count }' || fail "$1: $(cat failed.csv)"
    grep -v ',order of [qv],' failed.csv && fail "$1 fails in more than its order: $(cat failed.csv)"
    return 0
}
# A velocity that is taken for that of half a step before, and one that is shifted there.
first UNSHIFTED 14
passes SHIFTED
passes DAMPED
# A composition that needs a symmetric method has order 1 with another one. From rest its steps miss q + h v by a
# quarter, which is no other length.
first JUMPS 4

# An iteration that ends early: neither reversible nor keeping the angular momentum, and the momentum drifts.
check LOOSE
for row in kepler,Jz kepler,reversibility outer_solar_system,Jz; do
    grep -q "^$row,failed" failed.csv || fail "an iteration that ends early passes $row: $(cat rows.csv)"
done
"$STEPBENCH" drift --plugin ./brought.so -p kepler -s brought --h 1/50 --t-end 100 --format csv >rows.csv 2>err ||
    fail "drift: $(cat err)"
grep -q ',Jz,.*,drift,' rows.csv || fail "the angular momentum does not drift: $(cat rows.csv)"

# Single precision: larger steps decide an order, and a step back is off by some 1e-7, which the row shows.
check FLOAT
grep -q '^check.quartic,order of q,unclear,.*larger steps: the error rises at the smallest ones' rows.csv ||
    fail "single precision: $(cat rows.csv)"
awk -F, '/^check.*,reversibility,failed/ { n++; if (!($4 > 1e-9 && $4 < 1e-5)) { bad = 1; exit } } END { exit bad || n != 2 }' failed.csv ||
    fail "single precision is not reversible: $(cat rows.csv)"
grep ',reversibility,' failed.csv | grep -q 'larger steps distinguish a step that rounds more' || fail "$(cat failed.csv)"

# A velocity from a difference of positions rounds by eps |q|/h in a step, and Verlet's by eps |v|: 600 times less here.
if [ -x "$BUILD_DIR/stepbench_quad" ]; then
    for stepper in brought verlet; do
        "$STEPBENCH" roundoff --plugin "$SOURCE_DIR/tests/plugin/brought.c" -p kepler -s $stepper --h 1/1000 --steps 256 \
            --runs 2 --columns steps,err_v --format csv >$stepper.csv 2>err || fail "roundoff of $stepper: $(cat err)"
    done
    grep -h '^256,' brought.csv verlet.csv | awk -F, '{ x[NR] = $2 } END { exit !(NR == 2 && x[1] > 30 * x[2]) }' ||
        fail "round-off of a difference: $(cat brought.csv verlet.csv)"
fi

# The limit of a drag that is implicit in v: h omega = 2 (sqrt(1 + z^2) + z), z = gamma/(2 omega): 0.0768857 here.
build DAMPED
for h in 0.0768 0.077; do
    "$STEPBENCH" advise --plugin ./brought.so -p oscillator:omega=62.8,gamma=125.6 -s brought --h $h --columns safe,h_limit \
        --format csv >$h.csv 2>err || fail "advise: $(cat err)"
done
tail -1 0.0768.csv | awk -F, '{ off = $2 - 2 * (sqrt(2) + 1) / 62.8; exit !($1 == "yes" && off < 1e-6 && off > -1e-6) }' ||
    fail "below the limit of an implicit drag: $(cat 0.0768.csv)"
tail -1 0.077.csv | grep -q '^no,' || fail "above it: $(cat 0.077.csv)"
