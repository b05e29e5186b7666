#!/bin/sh
# Names in JSON mechanisms: coordinates in columns, events and tables; angles of joints; forces and torques of joints and
# drivers against statics and closed forms.
. "$SOURCE_DIR/tests/prelude.sh"

row() { # row FILE TIME COLUMNS: the last line of a run, whose error is below 1e-9
    "$STEPBENCH" run -p "mechanism:file=$1" -s radau_iia:stages=3,index=2s --h 1/200 --t-end "$2" --every 100000 \
        --columns "$3" --format csv >out 2>err || fail "$1: $(cat err)"
    tail -n 1 out >row
}
is() { # is WHAT NUMBER...: the numbers of the row, to 1e-8 of the largest
    what=$1
    shift
    echo "$*" | awk 'NR == FNR { n = split($0, is, ","); next }
        { most = 1; for (i = 1; i <= NF; i++) if ($i * $i > most * most) most = $i
          if (n != NF) exit 1; for (i = 1; i <= NF; i++) if (!((is[i] - $i) ^ 2 <= 1e-16 * most ^ 2)) exit 1 }' row - ||
        fail "$what: $(cat row), and not $*"
}

# ---- Columns and events. A ball falls from 3 m: it is at 1 m after sqrt(4/9.81) s, at 9.81 times that. ----
echo '{"gravity": [0, -9.81], "bodies": {"ball": {"mass": 1, "inertia": 1, "position": [1, 3], "velocity": [2, 0], "rate": 5}}}' >ball.json
"$STEPBENCH" run -p mechanism:file=ball.json -s verlet --h 1/50 --t-end 1 --event ball.y=1 --columns t,ball.x,ball.vy,ball.angle \
    --format csv 2>err | tail -n 1 >row
t=$(awk 'BEGIN { printf "%.17g", sqrt(4 / 9.81) }')
is "a ball that falls" "$t" "$(awk -v t="$t" 'BEGIN { printf "%.17g %.17g %.17g", 1 + 2 * t, -9.81 * t, 5 * t }')"
"$STEPBENCH" run -p mechanism:file=ball.json -s verlet --h 1/50 --steps 50 --event ball.vy=-5 --columns t --format csv 2>err |
    tail -n 1 >row
is "an event of a velocity" "$(awk 'BEGIN { printf "%.17g", 5 / 9.81 }')"
"$STEPBENCH" run -p mechanism:file=ball.json -s verlet --h 1/50 --steps 5 --event ball.z=1 >out 2>err && fail "ball.z passes"
grep -q 'ball.z.*ball.x' err || fail "ball.z: $(cat err)"
echo '{"bodies": {"a": {"mass": 1, "inertia": [1, 1, 1], "rate": [0, 0, 0]}}, "time_scale": 1}' >free.json
"$STEPBENCH" run -p mechanism:file=free.json -s lie_rk --h 1 --steps 1 --columns a.e0,a.vz,a.ve3 --format csv >out 2>err ||
    fail "a body in space: $(cat err)"

# ---- A rod of 2 kg turns about its end at 3/s by a motor, against gravity: its centre, at r = 0.5, has the acceleration
# -r w^2 along the rod. The force of the pin is m times that, less the weight; the torque of the motor is m g r cos(phi). ----
motor() { # motor DRIVER
    printf '{"gravity": [0, -9], "bodies": {"rod": {"mass": 2, "inertia": 0.3, "position": [0.5, 0]}},
 "joints": [{"name": "pin", "type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]}],
 "drivers": [%s]}\n' "$1" >motor.json
}
for driver in '{"name": "motor", "body": "rod", "rate": 3}' \
    '{"name": "motor", "bodies": ["ground", "rod"], "angle": {"rate": 3}}'; do
    motor "$driver"
    row motor.json 0.5 pin,pin_rate,pin_fx,pin_fy,pin_torque,motor_fx,motor_torque
    # shellcheck disable=SC2046
    is "a motor" $(awk 'BEGIN { c = cos(1.5); s = sin(1.5)
        printf "1.5 3 %.17g %.17g 0 0 %.17g", -9 * c, 18 - 9 * s, 9 * c }')
done
# The other way round the force acts on the ground.
sed 's/"bodies": \["ground", "rod"\], "points": \[\[0, 0\], \[-0.5, 0\]\]/"bodies": ["rod", "ground"], "points": [[-0.5, 0], [0, 0]]/' \
    motor.json >turned.json
row turned.json 0.5 pin,pin_fx,pin_fy
# shellcheck disable=SC2046
is "the force on the ground" $(awk 'BEGIN { printf "-1.5 %.17g %.17g", 9 * cos(1.5), 9 * sin(1.5) - 18 }')
# In space, about the second axis: the pin at the origin holds the rod upright, too.
cat >space.json <<'J'
{"gravity": [0, 2, -9], "bodies": {"rod": {"mass": 2, "inertia": [0.001, 0.3, 0.3], "position": [0.5, 0, 0]}},
 "joints": [{"name": "pin", "type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0, 0], [-0.5, 0, 0]],
             "axes": [[0, 1, 0], [0, 1, 0]]}],
 "drivers": [{"name": "motor", "body": "rod", "axis": [0, 1, 0], "rate": -3}]}
J
row space.json 0.5 pin_fx,pin_fy,pin_fz,pin_tx,pin_ty,pin_tz,motor_ty
# The weight 4 along y at r (cos, 0, sin) has the moment r x F = 0.5 (-4 sin, 0, 4 cos), which the pin opposes.
# shellcheck disable=SC2046
is "a motor in space" $(awk 'BEGIN { c = cos(1.5); s = sin(1.5)
    printf "%.17g -4 %.17g %.17g 0 %.17g %.17g", -9 * c, 18 - 9 * s, 2 * s, -2 * c, -9 * c }')
# A servo of stiffness 8 is 0.4 from its target, and a damper of 0.5 turns at 2/s. The weight acts across the axis of a
# prismatic joint.
cat >servo.json <<'J'
{"gravity": [0, -10], "time_scale": 0.1,
 "bodies": {"a": {"mass": 1, "inertia": 0.2, "rate": 2}, "b": {"mass": 3, "inertia": 1, "position": [4, 0], "velocity": [0, 0]}},
 "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]],
             "stiffness": 8, "damping": 0.5, "target": {"offset": 0.4}, "torque": {"offset": 7}},
            {"name": "rail", "type": "prismatic", "bodies": ["ground", "b"], "points": [[2, 0], [0, 0]],
             "axes": [[1, 0], [1, 0]], "force": {"offset": 5}}]}
J
"$STEPBENCH" run -p mechanism:file=servo.json -s rattle --h 1e-3 --steps 1 --format csv \
    --columns hinge_torque,hinge_fy,rail,rail_fx,rail_fy,rail_torque 2>err | sed -n 2,2p >out
grep -v '^#' out | head -n 1 >row
is "a servo at the start" 9.2 10 2 5 30 0

# ---- A door of 20 kg on two hinges, on its hinges' line at z = 0.3 and 1.7, its centre at r = 0.4, z = 1, at 1/s: the
# hinges share the weight in halves, the multipliers of least norm; force and moment are those of statics. ----
cat >door.json <<'J'
{"gravity": [0, 0, -9.81],
 "bodies": {"door": {"mass": 20, "inertia": [6.666666666666667, 7.733333333333334, 1.0666666666666667],
                     "position": [0.4, 0, 1], "rate": [0, 0, 1]}},
 "joints": [{"name": "low", "type": "revolute", "bodies": ["ground", "door"], "points": [[0, 0, 0.3], [-0.4, 0, -0.7]],
             "axes": [[0, 0, 1], [0, 0, 1]]},
            {"name": "high", "type": "revolute", "bodies": ["ground", "door"], "points": [[0, 0, 1.7], [-0.4, 0, 0.7]],
             "axes": [[0, 0, 1], [0, 0, 1]]}]}
J
"$STEPBENCH" run -p mechanism:file=door.json -s spook --h 1e-3 --steps 1 --format csv \
    --columns low_fx,low_fz,low_ty,high_fx,high_fz,high_ty >out 2>err || fail "door: $(cat err)"
grep -v '^#' out | sed -n 2p >row
# Multipliers of redundant rows have half of the digits: 1.5e-8 of 196 N.
awk -F, '{ exit !(($2 - 98.1) ^ 2 < 1e-10 && ($5 - 98.1) ^ 2 < 1e-10 && ($1 + $4 + 8) ^ 2 < 1e-10 &&
    # the moment about the y axis through the centre: z F_x - x F_z of both, and their torques
    (0.7 * ($4 - $1) + 0.4 * ($2 + $5) + $3 + $6) ^ 2 < 1e-10) }' row || fail "the hinges of a door: $(cat row)"
grep -q "forces of joints: rigid bodies do not determine.*least norm are taken: rank 6 of 11 rows" err || fail "door: $(cat err)"
[ "$(grep -c 'least norm' err)" -eq 1 ] || fail "door: $(cat err)"

# ---- An arm of 2 kg that dry friction holds: its pin carries the weight. The multipliers are those of the stepper. ----
cat >held.json <<'J'
{"gravity": [0, -9.81], "bodies": {"arm": {"mass": 2, "inertia": 0.1, "position": [0.5, 0]}},
 "joints": [{"name": "pin", "type": "revolute", "bodies": ["ground", "arm"], "points": [[0, 0], [-0.5, 0]], "friction": 20}]}
J
"$STEPBENCH" run -p mechanism:file=held.json -s reg --h 1e-3 --steps 2 --columns pin_fx,pin_fy,pin_torque --format csv >out 2>err ||
    fail "an arm that is held: $(cat err)"
tail -n 1 out | awk -F, '{ exit !($1 ^ 2 + ($2 - 19.62) ^ 2 + $3 ^ 2 < 1e-16) }' || fail "an arm that is held: $(cat out)"

# ---- What there is is shown; names of joints differ. ----
"$STEPBENCH" show mechanism:file=motor.json >out 2>err || fail "$(cat err)"
for name in pin pin_rate pin_fx pin_torque motor_torque; do
    grep -q "^  $name  *[a-z]" out || fail "show does not name $name: $(cat out)"
done
sed 's/"motor"/"pin"/' motor.json >twice.json
"$STEPBENCH" check mechanism:file=twice.json >out 2>err && fail "one name of two parts passes"
grep -q 'drivers\[0\].name: another joint has this name' err || fail "$(cat err)"
# A formulation replaces the rows.
"$STEPBENCH" run -p mechanism:file=door.json -w baumgarte -s rk4 --h 1e-3 --steps 1 --columns low_fz >out 2>err &&
    fail "baumgarte has forces of joints: $(cat out)"
exit 0
