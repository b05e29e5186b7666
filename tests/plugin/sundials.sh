#!/bin/sh
# The solvers of SUNDIALS, where the plug-in was built: their errors follow the tolerance, all evaluations and failed
# steps are counted, steps that are not successive give the same states, and systems that do not fit are refused.
. "$SOURCE_DIR/tests/prelude.sh"

if [ ! -f "$BUILD_DIR/sundials.so" ]; then
    echo "SB_SUNDIALS is off"
    exit 77
fi
bench() { "$STEPBENCH" --plugin "$BUILD_DIR/sundials.so" "$@"; }

# The error of a method of order k that keeps local errors at the tolerance is O(rtol^(k/(k + 1))), that of a pair of
# order 8 whose better formula is used O(rtol): over six decades a factor of 1e-3 to 1e-7, from k = 1 to one decade more.
for pair in "kepler:e=0.6 cvode" "kepler:e=0.6 cvode:method=bdf" "kepler:e=0.6 arkode" "kepler:e=0.6 ida" \
    "pendulum cvode" "pendulum cvode:method=bdf" "pendulum arkode" "pendulum ida" "pendulum ida:index=1"; do
    bench workprec -p "${pair% *}" -s "${pair#* }" --tol 1e-3,1e-9 --reference exact --columns err_q,steps,status \
        --format csv | grep -v '^#' >rows.csv
    awk -F, 'NR == 2 { loose = $1 } NR == 3 { tight = $1; ok = $3 == "ok" }
        END { exit !(ok && loose > 0 && tight >= 1e-7 * loose && tight <= 1e-3 * loose) }' rows.csv ||
        fail "$pair: errors do not follow the tolerance: $(cat rows.csv)"
done

# From the pericentre of an eccentric orbit the first steps are long: some fail. A step takes an evaluation at least.
for stepper in cvode cvode:method=bdf ida; do
    bench workprec -p kepler:e=0.9 -s "$stepper" --t-end 10 --tol 1e-8 --columns steps,rejected,force --format csv |
        grep -v '^#' | awk -F, 'NR == 2 { exit !($2 > 0 && $3 >= $1 + $2) }' || fail "$stepper counts no failed steps"
done

# Fehlberg's pair of order 8 has 13 stages; the first one of a step may be the last evaluation of the step before.
bench workprec -p kepler:e=0.6 -s arkode --tol 1e-8 --columns steps,rejected,force --format csv | grep -v '^#' |
    awk -F, 'NR == 2 { exit !($3 >= 12 * $1 && $3 <= 13 * ($1 + $2) + 2) }' || fail "arkode: other evaluations"

# The output at t = 8 is the same whatever outputs there were before: powers of two are sums without rounding.
for stepper in cvode cvode:method=bdf arkode ida; do
    for h in 8 1/4; do
        bench run -p kepler:e=0.6 -s "$stepper" --h $h --t-end 8 --columns t,q0,q1 --format csv | grep '^8,' >"end${h%/4}"
    done
    cmp -s end8 end1 || fail "$stepper: outputs change the motion: $(cat end8 end1)"
done

# `contract` takes the same step twice, with others between.
for stepper in cvode arkode ida; do
    bench contract -p pendulum -s "$stepper" --columns check,verdict --format csv >contract.csv
    grep -qx 'repeatable,passed' contract.csv || fail "$stepper: $(cat contract.csv)"
done

status=0
bench run -p bouncing_ball -s ida --h 0.1 --steps 1 >out 2>err || status=$?
[ $status -eq 2 ] && grep -q "unilateral contacts" err || fail "ida on bouncing_ball: status $status: $(cat err)"
echo "CVODE, ARKODE and IDA keep to their tolerances"
