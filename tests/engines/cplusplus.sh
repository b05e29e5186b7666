#!/bin/sh
# The adapters in C++ that have been compiled by the commands of engines/adapters.json.
. "$SOURCE_DIR/tests/prelude.sh"
engines=$(dirname "$STEPBENCH")/engines
for name in ode bullet_double box2d chipmunk simbody dart; do
    [ -x "$engines/$name" ] || { echo "$engines/$name is missing"; exit 77; }
done

# The bodies and joints are those of the problems.
check() { # check STEPPER PROBLEM...
    engine=${1%%:*} stepper=$1 count=0 problems=
    shift
    for problem; do
        problems="$problems -p $problem" count=$((count + 4))
    done
    # shellcheck disable=SC2086
    "$STEPBENCH" --engine "$engines/$engine" check "$stepper" $problems >rows 2>err || fail "$stepper: $(cat rows err)"
    grep -q "$stepper: $count checks passed" err || fail "$stepper: $(cat rows err)"
}
cat >slider.json <<'J'
{"gravity": [0, -9.81],
 "bodies": {"arm": {"mass": 2, "inertia": 0.3, "position": [0.5, 0]}, "slider": {"mass": 1, "inertia": 0.2, "position": [1.5, 0.2]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "arm"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "prismatic", "bodies": ["arm", "slider"], "points": [[0.5, 0], [-0.5, -0.2]], "axes": [[0.6, 0.8], [0.6, 0.8]]}]}
J
cat >universal.json <<'J'
{"gravity": [0, 0, -9.81],
 "bodies": {"arm": {"mass": 2, "inertia": [0.3, 0.5, 0.7], "position": [0.5, 0, 0]},
            "slider": {"mass": 1, "inertia": [0.2, 0.1, 0.25], "position": [1.5, 0.2, 0]}},
 "joints": [{"type": "universal", "bodies": ["ground", "arm"], "points": [[0, 0, 0], [-0.5, 0, 0]], "axes": [[0, 0, 1], [0, 1, 0]]},
            {"type": "prismatic", "bodies": ["arm", "slider"], "points": [[0.5, 0, 0], [-0.5, -0.2, 0]],
             "axes": [[0.6, 0.8, 0], [0.6, 0.8, 0]]}]}
J
both="mechanism:file=slider.json mechanism:file=universal.json"
# shellcheck disable=SC2086
check simbody pendulum dsp four_bar:N=1 bricard flyball_governor heavy_top rigid_body $both
# shellcheck disable=SC2086
check ode:cfm=0 pendulum dsp four_bar:N=1 heavy_top rigid_body $both
# shellcheck disable=SC2086
check bullet_double:iterations=100 rod_chain star heavy_top rigid_body $both
# shellcheck disable=SC2086
check dart rod_chain star heavy_top rigid_body $both
check chipmunk:iterations=100 pendulum rod_chain star
check box2d:velocity_iterations=100 pendulum

# The orders of the manuals; Bullet's rows of sliding joints keep theirs when the slider has slid.
order() { # order PROBLEM ORDER STEPPER H
    "$STEPBENCH" --engine "$engines/${3%%:*}" order -p "$1" -s "$3" --h "$4" --t-end 1/2 >rows 2>err || fail "$3 on $1: $(cat rows err)"
    grep -q "fit,.*,$2,.*as_claimed" rows || fail "$3 on $1 is not of order $2: $(cat rows)"
}
order rod_chain 4 simbody 1/50,1/100,1/200
order four_bar 2 simbody:integrator=verlet 1/50,1/100,1/200
order heavy_top 1 ode 1/400,1/800,1/1600
order mechanism:file=universal.json 1 ode 1/400,1/800,1/1600
order mechanism:file=slider.json 1 bullet_double:iterations=1000 1/400,1/800,1/1600
order mechanism:file=universal.json 1 dart 1/400,1/800,1/1600
order rod_chain 1 chipmunk:iterations=1000 1/100,1/200,1/400

# Impulses of the last step belong to the state; the order of ODE's sweeps follows from it.
for stepper in chipmunk ode:solver=quickstep dart; do
    "$STEPBENCH" --engine "$engines/${stepper%%:*}" contract -p ladder:N=1 -s "$stepper" --columns check,verdict >rows 2>err ||
        fail "contract of $stepper: $(cat rows err)"
    grep -qx 'repeatable,passed' rows || fail "$stepper is not repeatable: $(cat rows)"
done

refused() { # refused ENGINE PROBLEM WHY
    "$STEPBENCH" --engine "$engines/$1" run -p "$2" -s "$1" --h 1/100 --t-end 1/10 >rows 2>err && fail "$1 takes $2"
    grep -q "$1 does not take $2: $3" err || fail "$1 refuses $2 with: $(cat err)"
}
refused bullet_double pendulum 'it has no distance joint'
refused ode flyball_governor 'it has no springs'
refused chipmunk heavy_top 'it has no spherical joint'
refused simbody slider_crank 'it has no drivers'
