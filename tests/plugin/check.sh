#!/bin/sh
# `check` passes every built-in problem. Of a problem with one formula wrong by a thousandth it names the term and the
# entry.
. "$SOURCE_DIR/tests/prelude.sh"

# ---- What is right. ----
"$STEPBENCH" check --all $("$STEPBENCH" list problems --names) --format csv >rows.csv 2>err ||
    fail "a built-in problem: $(cat err; grep -v ',passed,' rows.csv)"
for problem in $("$STEPBENCH" list problems --names); do
    [ "$(grep -c "^$problem,.*,passed," rows.csv)" -ge 6 ] || fail "$problem: too few checks: $(cat rows.csv)"
done
for around in "dsp -w chart" "heavy_top -w penalty:eps=0.3" "heavy_top -w baumgarte" \
    "dsp -w baumgarte --points 10"; do
    # shellcheck disable=SC2086
    "$STEPBENCH" check $around --format csv >rows.csv 2>err || fail "$around: $(cat err; grep -v ',passed,' rows.csv)"
done

# A particle 0.004 from a centre of attraction, with coordinates of size 1: differences over a part of the coordinates
# would reach beyond the centre.
"$STEPBENCH" check --plugin "$SOURCE_DIR/tests/plugin/near.c" near --all --points 20 --format csv >rows.csv 2>err ||
    fail "near a singularity: $(cat err; grep -v ',passed,' rows.csv)"
[ "$(grep -c ',V_q\{1,2\},.*,passed,' rows.csv)" -eq 2 ] || fail "V_q and V_qq near a singularity: $(cat rows.csv err)"
# A potential whose round-off exceeds every difference: undecided, which is not failed.
"$STEPBENCH" check --plugin "$SOURCE_DIR/tests/plugin/near.c" near:noise=0.1,distance=0.5 --format csv >rows.csv 2>err ||
    fail "undecided has failed: $(cat err rows.csv)"
grep -q ',undecided,' rows.csv && grep -q 'is undecided' err || fail "nothing is undecided: $(cat rows.csv err)"

# ---- What is wrong. ----
for problem in planted planted_motion; do
    "$CC" -std=c11 -O2 -Wall -Wextra -Wno-unused-parameter -Werror -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -shared -fPIC \
        "$SOURCE_DIR/tests/plugin/$problem.c" -o $problem.so
    "$STEPBENCH" check --plugin ./$problem.so $problem --points 20 --format csv >rows.csv 2>err ||
        fail "nothing is wrong: $(cat err; grep -v ',passed,' rows.csv)"
done

# finds NUMBER CHECK SENTENCE [OTHER]: CHECK fails with the sentence, and no check but those that OTHER matches besides.
finds() {
    status=0
    "$STEPBENCH" check --plugin ./$problem.so "$problem:wrong=$1" --format csv >rows.csv 2>err || status=$?
    [ "$status" -eq 3 ] || fail "$2 is wrong, and the exit status is $status: $(cat err)"
    grep -q "checks failed" err || fail "$2 is wrong, and the message is: $(cat err)"
    grep -q "^\"*$problem:wrong=$1\"*,$2,.*,failed,[0-9]*,.*$3" rows.csv ||
        fail "$2 does not fail with \"$3\": $(cat rows.csv)"
    others=$(grep ',failed,\|,undecided,' rows.csv | grep -v "^\"*$problem:wrong=$1\"*,$2," |
        grep -v "^\"*$problem:wrong=$1\"*,${4:-none}," || true)
    [ -z "$others" ] || fail "$2 is wrong, and so is: $others"
}

problem=planted_motion
finds 1 chart "chart.point leaves the constraints: g_0 = 0.001" ".*"
finds 2 chart "chart.inverse is none of chart.point: q"
finds 3 "symmetries of the chart" "chart.generator of Jz moves q. by .*, symmetry.generator by "
finds 4 "exact solution" "exact does not start at the initial state: q. = "
finds 5 "exact solution" "(row .) is .*, but the exact solution changes by "
finds 6 "exact solution" "T_q - V_q + f + G' lambda + A' alpha (row .) is .*, but the exact solution changes by "
finds 7 "exact solution" "exact returns status .* at t = 4.3"
finds 8 "exact solution" "period = 6.28.* s is none: v. = "
for around in "" "-w chart" "-w baumgarte" "-w penalty:eps=0.3"; do
    # shellcheck disable=SC2086
    "$STEPBENCH" check --plugin ./$problem.so $problem:driven=yes $around --all --format csv >rows.csv 2>err ||
        fail "nothing is wrong with $around: $(cat err; grep -v ',passed,' rows.csv)"
    grep -q ',V_t,.*,passed' rows.csv || fail "$around: V_t was not checked: $(cat rows.csv)"
done
finds 9,driven=yes V_t "row 0 of V_t is .*, but differences of V in time give "
finds 10,driven=yes "V is constant in t" "potential.rate is NULL, but value 0 of V depends on t"
problem=planted
finds 1 T_q "entry 0 of T_q is .*, but differences of T give .* +- " "T_q[qv]"
finds 2 T_qq "row 1, column 1 of T_qq is .*, but differences of T_q give "
finds 3 T_qv "row 1, column 0 of T_qv is .*, but differences of T_q give "
finds 4 T_vq "row 1, column 0 of T_vq is .*, but differences of T_v give "
finds 5 V_q "entry 1 of V_q is .*, but differences of V give " V_qq
finds 6 V_qq "row 0, column 1 of V_qq is .*, but differences of V_q give "
finds 7 f_q "row 2, column 2 of f_q is "
finds 8 f_v "row 2, column 2 of f_v is "
finds 9 G "row 0, column 2 of G is .*, but differences of g give " "\(Hess g\|curvature\)"
finds 10 "Hess g" "row 2, column 2 of Hess g is .*, but differences of G' w give "
finds 11 curvature "row 0 of curvature is .*, but differences of dg/dt along v give "
finds 12 rate "row 0 of rate is .*, but differences of A v - w along v give "
finds 13 "(A v)_q" "row 0, column 2 of (A v)_q is "
finds 14 M "entry (1, 0) of M is .* and entry (0, 1) is " "[^,]*"
finds 15 M "M is not positive definite" "T_[^,]*"
finds 16 arrays "potential.hessian turns value 8 from "
finds 17 arrays "potential.hessian writes value 9 of an array of 9"
finds 18 "symmetry Jz" "the force f does work along the symmetry" f_v
finds 19 "symmetry Jz" "changes along the symmetry"
finds 20 start "g = 0: row 0 is .* at the start" ".*"
finds 21 start "dg/dt = 0: row 0 is .* at the start"
finds 22 "degree of V" "declared a polynomial of degree 2"
finds 23 "degree of g" "declared a polynomial of degree 1"
finds 24 "M is constant" "inertia.gradient is NULL, but value 0 of M depends on q"
finds 25 "(A v)_q" "is 0 because nonholonomic.gradient is NULL"
finds 26 arrays "value 1 of V_q is -*nan" ".*"
finds 27 arrays "potential.hessian writes 1 before its array of 9" V_qq
finds 28 domain "V_qq has no value at the start: it returns status"
finds 29 arrays "force.value does not set value 2 of f" ".*"
finds 30 arrays "force.value has other values when it is called again" ".*"
finds 31 arrays "holonomic.value sets another G when it sets g as well" ".*"
finds 32 start "holonomic.value returns status" domain
finds 33 "symmetry Jz" "the generator returns status"
finds 34 "symmetry Jz" "the generator is 0"
finds 35 "symmetry Jz" "the generator is not affine in q"
finds 36 start "the initial state is not finite" ".*"
finds 37 patterns "column 0 of the pattern holonomic.G has row 0 after row 1; rows ascend from 0 to 2" ".*"
finds 38 springs "K is not a part of V_qq: at the start the norm of V_qq is .*, and that of V_qq - K is "
finds 39 springs "K is not positive semi-definite: its leading block of size 3 is not"
finds 40 springs "entry (1, 0) of K is 0.001 and entry (0, 1) is 0"

# ---- What cannot be checked. ----
refused() { # refused PATTERN ARGUMENTS...
    pattern=$1
    shift
    status=0
    "$STEPBENCH" check "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] && grep -q -- "$pattern" err && [ ! -s out ] || fail "check $*: exit status $status, $(cat err)"
}
refused "takes problems by their names, or one stepper"
refused "no stepper" pendulun
refused "takes problems by their names, or one stepper" pendulum rk4
refused "takes -w with a problem, and rk4 is none" rk4 -w chart
refused "does not fit" kepler -w chart
refused "range" pendulum --points 0

echo "check finds what is wrong"
