#!/bin/sh
# `check --engine COMMAND -p PROBLEM` names what an engine has wrong, before an order is measured; steppers that are right
# pass. The faults are those of tiny.py; door.sh has the engines that hang, die and say too much.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
tiny="python3 $SOURCE_DIR/tests/engines/tiny.py"

# named FAULT PROBLEM CHECK SENTENCE: this check alone fails, and says so.
named() {
    status=0
    "$STEPBENCH" --engine "$tiny" check "tiny:fault=$1" -p "$2" --columns check,verdict,message >rows 2>err || status=$?
    [ $status -eq 3 ] && [ "$(grep -c ',failed,' rows)" -eq 1 ] && grep -q "^$3,failed,.*$4" rows ||
        fail "$1 on $2: exit status $status, not \"$3 ... $4\" but: $(cat rows err)"
}
named gravity heavy_top accelerations 'gravity is 1.1 times ours'
named gravity ladder:N=1 accelerations 'gravity is 1.1 times ours'
named inertia rigid_body accelerations 'the inertia of body 1 (body) about its z axis is 1.2 times ours$'
named inertia flyball_governor accelerations 'the inertia of body 4 (slider) about its z axis is 1.2 times ours'
named inertia rod_chain:theta0=1 accelerations 'the inertia of body 3 (rod3) about its z axis is 1.2 times ours$'
named coriolis heavy_top accelerations 'the gyroscopic torque w x J w is -1 times ours'
named coriolis rigid_body accelerations 'the gyroscopic torque w x J w is -1 times ours$'
named tilt heavy_top accelerations 'gravity is (0.513, .*) m/s^2 in place of (0, 0, -9.81) m/s^2' # 9.81 sin 3 degrees
named point heavy_top length 'the centre of body 1 (.*) jumps'
named frame heavy_top length 'angular velocity, which is in the body.s axes, of body 1'
named quaternion heavy_top length 'the quaternion, which has its scalar last, of body 1'
named transposed heavy_top length 'the quaternion, which turns from space to the body, of body 1'
named late heavy_top accelerations 'the velocities are those of the middle of the step'
named start heavy_top accelerations 'the velocities are those of the start of the step'
named axes rigid_body accelerations 'the moments of inertia are in the order z, y, x'
named length pendulum length 'a step moves the bodies for 1.1 h'
named length bricard:rate=1 length 'a step moves the bodies for 1.1 h'
named energy star accelerations 'the motion is damped, by forces of 0.1/s times the momenta'
named float32 dsp precision 'single precision'
named float32 heavy_top precision 'single precision'

# A damping of 0.1/s changes the accelerations of rigid_body by 0.013, less than the tolerance of single precision: that
# one parameter explains the difference decides, so that the mass of heavy_top is named and not its inertia.
double=$tiny
tiny="$double single"
named mass heavy_top accelerations 'the mass of body 1 (top) is 1.2 times ours$'
named energy rigid_body accelerations 'the motion is damped, by forces of 0.[01]*9*/s times the momenta'
# From a slow start the round-off of positions is a large part of the way of a tiny step, which says nothing of its length.
"$STEPBENCH" --engine "$tiny" check -p heavy_top -p rod_chain -p pendulum:omega0=0.001 -p four_bar:omega0=-0.001 >rows 2>err ||
    fail "single precision: $(cat rows err)"
named length four_bar:omega0=-0.001 length 'a step moves the bodies for 1.1 h'
named tilt heavy_top accelerations 'gravity is (0.51.*) m/s^2 in place of (0, 0, -9.81) m/s^2'
named tilt ladder:N=2 accelerations 'gravity is (0.5.*) m/s^2 in place of (0, -9.81) m/s^2'
tiny=$double

# A wrong claim of an order is no wrong mechanism: it passes here, and fails with its order.
"$STEPBENCH" --engine "$tiny" check tiny:fault=order -p pendulum 2>err || fail "order: $(cat err)"
"$STEPBENCH" --engine "$tiny" contract -p pendulum -s tiny:fault=order --columns check,verdict,allowed >rows 2>err || true
grep -q '^order of q,failed,2' rows || fail "a wrong order: $(cat rows err)"

# The engine is right in the plane and in space, with springs, dampers, drivers and loops.
set -- pendulum dsp thread:kick=0.1 ladder:N=2 rod_chain star four_bar:N=1 slider_crank slider_crank_3d bricard \
    flyball_governor heavy_top rigid_body
problems=$(printf ' -p %s' "$@")
# shellcheck disable=SC2086
"$STEPBENCH" --engine "$tiny" check $problems >rows 2>err || fail "tiny: $(cat rows err)"
grep -q "tiny: $((4 * $# - 1)) checks passed" err || fail "tiny: $(cat rows err)" # rigid_body has no joints

# What a check cannot see is said: bodies in the plane have no gyroscopic torque, a free body no gravity, and drivers
# prescribe a motion whatever the masses are.
for hidden in 'rod_chain: .*the gyroscopic torque w x J w$' 'rigid_body: .*the mass of body 1 (body)$' 'slider_crank: .*the mass of body 1'; do
    grep -q "^${hidden%%:*}: not visible on this problem: " err && grep -q "^$hidden" err || fail "no \"$hidden\" in: $(cat err)"
done

# So are steppers of other kinds; a table of a force is a part of the mechanism.
"$STEPBENCH" check rattle -p pendulum -p ladder -p four_bar >rows 2>err || fail "rattle: $(cat rows err)"
press="mechanism:file=$SOURCE_DIR/problems/mechanisms/press.json"
"$STEPBENCH" check radau_iia -p "$press" -p slider_crank_3d:joints=minimal -p bricard -p flyball_governor >rows 2>err ||
    fail "radau_iia: $(cat rows err)"
grep -q 'radau_iia: 16 checks passed' err || fail "radau_iia: $(cat rows err)"

# SPOOK with eps = 0 keeps joints by velocities and feeds their errors back: its first step lacks the centripetal
# acceleration, and the transient decays by 16/17 per step, as tau/h = 4. With eps = 1e-8 the joints are springs of 1e8 N/m:
# rods of 10 kg move in them within sqrt(10 kg/(1e8 N/m)) = 3e-4 s, which is longer than all tiny steps.
"$STEPBENCH" check spook:eps=0 -p pendulum -p ladder -p four_bar >rows 2>err || fail "relaxing joints: $(cat rows err)"
"$STEPBENCH" check spook:eps=1e-8 -p ladder --columns check,verdict >rows 2>err && fail "soft joints pass"
grep -qx 'joints,failed' rows && [ "$(grep -c failed rows)" -eq 1 ] || fail "soft joints: $(cat rows err)"

# A problem without bodies is one row.
"$STEPBENCH" check rk4 -p kepler >rows 2>err || fail "kepler: $(cat err)"
grep -q '^kepler,rk4,.*it is no mechanism of bodies' rows || fail "kepler: $(cat rows)"
