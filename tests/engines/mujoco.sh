#!/bin/sh
# The adapter of MuJoCo, where `npm install` has been called in engines/: its bodies are those of the problems, and its
# integrators have the orders of its documentation, RK4 only in angles: with quaternions it has order 2.
. "$SOURCE_DIR/tests/prelude.sh"
command -v node >/dev/null && [ -d "$SOURCE_DIR/engines/node_modules/@mujoco/mujoco" ] || { echo "MuJoCo is missing"; exit 77; }
mujoco="node $SOURCE_DIR/engines/mujoco.mjs"

set -- pendulum dsp thread:kick=0.1 thread:dim=3,angle=1 rod_chain star rigid_body heavy_top flyball_governor
problems=$(printf ' -p %s' "$@")
# shellcheck disable=SC2086
"$STEPBENCH" --engine "$mujoco" check $problems >rows 2>err || fail "its bodies: $(cat rows err)"
grep -q "mujoco: $((4 * $#)) checks passed" err || fail "its bodies: $(cat rows err)"

# order PROBLEM INTEGRATOR VERDICT H
order() {
    "$STEPBENCH" --engine "$mujoco" order -p "$1" -s "mujoco:integrator=$2" --h "$4" --t-end 1/2 >rows 2>err ||
        fail "$1 by $2: $(cat err)"
    grep -q "fit,.*,$3" rows || fail "$1 by $2 is not $3: $(cat rows)"
}
for integrator in Euler implicit implicitfast; do
    order rod_chain $integrator '1,.*as_claimed' 1/400,1/800,1/1600
done
order rod_chain RK4 '4,.*as_claimed' 1/50,1/100,1/200
order heavy_top RK4 '4,\(1\.999\|2\.000\).*lower' 1/400,1/800,1/1600

# Joints that close loops are soft.
status=0
"$STEPBENCH" --engine "$mujoco" check -p four_bar --columns check,verdict >rows 2>err || status=$?
[ $status -eq 3 ] && grep -qx 'joints,failed' rows || fail "soft joints: $(cat rows err)"
"$STEPBENCH" --engine "$mujoco" order -p slider_crank -s mujoco >rows 2>err || true
grep -q 'mujoco does not take slider_crank: it has no drivers' rows || grep -q 'it has no drivers' err || fail "drivers: $(cat rows err)"
