#!/bin/sh
# Joints of JSON mechanisms and what acts in them: derivatives of every element, degrees of freedom, and motions that
# are known in closed form.
. "$SOURCE_DIR/tests/prelude.sh"

# ---- Every element: derivatives and patterns; the world that is written moves in the same way. ----
cat >plane.json <<'J'
{"gravity": [0.3, -9.81], "period": 2,
 "bodies": {"a": {"mass": 2, "inertia": 0.3, "position": [0.4, 0.1], "angle": 0.3, "rate": 2},
            "b": {"mass": 1, "inertia": 0.2, "position": [1.2, 0.9], "angle": 1},
            "c": {"mass": 0.5, "inertia": 0.1, "position": [2, 0.4]},
            "d": {"mass": 0.7, "inertia": 0.1, "position": [3, 0.4], "angle": 0.2},
            "w": {"mass": 0.7, "inertia": 0.2, "position": [5, 1.5]},
            "x": {"mass": 0.7, "inertia": 0.2, "position": [7, 1.5]},
            "y": {"mass": 0.4, "inertia": 0.2, "position": [8, 1]}},
 "joints": [{"name": "hip", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [-0.5, 0.1]],
             "stiffness": 3, "damping": 0.2, "armature": 0.4, "torque": {"offset": 0.4},
             "target": {"offset": 0.3, "amplitude": 0.1, "frequency": 3},
             "target_rate": {"amplitude": 0.2, "frequency": 2}},
            {"name": "knee", "type": "revolute", "bodies": ["a", "b"], "points": [[0.5, 0], [0.1, 0.2]],
             "stiffness": 7, "armature": 0.3, "damping": 0.1,
             "limits": [-0.4, 0.3], "limit_stiffness": 50, "limit_damping": 2},
            {"name": "rail", "type": "prismatic", "bodies": ["ground", "c"], "points": [[2, 0], [0.1, 0.4]],
             "axes": [[1, 2], [1, 0]], "stiffness": 5, "armature": 0.6, "damping": 0.4, "target": {"offset": 0.2},
             "force": {"rate": 2}},
            {"type": "gear", "joints": ["hip", "rail"], "teeth": [2, 5]},
            {"type": "fixed", "bodies": ["c", "d"], "points": [[0.5, 0.1], [-0.5, 0.1]]},
            {"type": "point_line", "bodies": ["ground", "b"], "points": [[1, 1], [0, 0.2]], "axis": [1, 3]},
            {"type": "rolling", "bodies": ["ground", "w"], "points": [[4, 1.1], [0, 0]], "axis": [1, 0.1],
             "radius": 0.4},
            {"type": "pulley", "bodies": ["x", "y"], "points": [[0.1, 0.1], [0, 0.3]], "guides": [[7, 4], [8, 4]],
             "ratio": 2}],
 "outputs": {"knee": {"joint": "knee"}, "rail": {"joint": "rail"}, "tip": {"body": "c", "point": [0.1, 0]}}}
J
cat >space.json <<'J'
{"gravity": [0, 0, -9.81], "time_scale": 0.2,
 "bodies": {"a": {"mass": 2, "inertia": [0.3, 0.2, 0.1], "position": [0.4, 0.1, 0], "rate": [0, 0, 2]},
            "b": {"mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [1.2, 0.9, 0.2], "quaternion": [1, 0.2, 0.1, 0]},
            "c": {"mass": 0.5, "inertia": [0.1, 0.1, 0.2], "position": [2, 0.4, 1]},
            "d": {"mass": 0.5, "inertia": [0.1, 0.2, 0.15], "position": [4, 0.4, 1], "quaternion": [1, 0.1, 0.2, 0.3]},
            "e": {"mass": 0.5, "inertia": [0.1, 0.2, 0.15], "position": [5, 0.4, 1], "quaternion": [1, -0.1, 0.2, 0.3]},
            "f": {"mass": 0.5, "inertia": [0.1, 0.2, 0.15], "position": [5, 2.4, 1], "quaternion": [1, -0.1, 0.2, 0.1]},
            "g": {"mass": 0.5, "inertia": [0.1, 0.2, 0.15], "position": [5, 5.4, 1], "quaternion": [1, -0.1, 0.2, 0.1],
                  "rate": [0.1, 0.2, 0.3]}},
 "joints": [{"name": "hip", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0, 0], [-0.5, 0.1, 0]],
             "axes": [[0, 0, 1], [0, 0, 2]], "stiffness": 3, "damping": 0.2, "armature": 0.4, "torque": {"offset": 0.4},
             "target": {"offset": 0.3, "amplitude": 0.1, "frequency": 3},
             "target_rate": {"amplitude": 0.2, "frequency": 2}},
            {"name": "knee", "type": "revolute", "bodies": ["a", "b"], "points": [[0.5, 0, 0], [0.1, 0.2, 0]],
             "axes": [[1, 2, 0], [1, 0, 0]], "references": [[1, 1, 0.3], [0.2, 0.4, 1]], "stiffness": 7,
             "armature": 0.3, "damping": 0.1, "limits": [-0.4, -0.3], "limit_stiffness": 50, "limit_damping": 2},
            {"name": "rail", "type": "prismatic", "bodies": ["ground", "c"], "points": [[2, 0, 0], [0.1, 0.4, 0]],
             "axes": [[1, 2, 1], [1, 0, 0]], "stiffness": 5, "armature": 0.6, "damping": 0.4,
             "target": {"offset": 0.2}, "force": {"rate": 2}},
            {"type": "gear", "joints": ["hip", "knee"], "teeth": [2, 5]},
            {"type": "rack", "joints": ["hip", "rail"], "radius": 0.3},
            {"type": "fixed", "bodies": ["c", "d"], "points": [[0.5, 0.1, 0], [-0.5, 0.1, 0]]},
            {"type": "cylindrical", "bodies": ["ground", "e"], "points": [[5, 0.1, 0], [-0.5, 0.1, 0]],
             "axes": [[1, 2, 1], [1, 1, 0]]},
            {"type": "planar", "bodies": ["e", "f"], "points": [[0.5, 0.1, 0], [-0.5, 0.1, 0]],
             "axes": [[1, 2, 1], [1, 1, 0]]},
            {"type": "point_line", "bodies": ["ground", "f"], "points": [[5, 2, 1], [0, 0.2, 0]], "axis": [1, 3, 0]},
            {"type": "point_plane", "bodies": ["ground", "g"], "points": [[5, 5, 0], [0, 0.2, 0]], "axis": [1, 3, 1]},
            {"type": "pulley", "bodies": ["g", "f"], "points": [[0.1, 0.1, 0], [0, 0.3, 0]],
             "guides": [[5, 5, 4], [5, 2, 4]]}],
 "outputs": {"knee": {"joint": "knee"}, "tip": {"body": "c", "point": [0.1, 0, 0]}}}
J
for file in plane space; do
    "$STEPBENCH" check mechanism:file=$file.json --points 3 --all >rows 2>err || fail "$file: $(cat err rows)"
    grep -q ",G,.*,passed," rows || fail "$file: nothing was checked: $(cat rows)"
    "$STEPBENCH" world mechanism:file=$file.json -o $file.world.json 2>err || fail "$file: $(cat err)"
    # The same numbers but for the round-off of poses, and of the start that is solved for once more.
    for from in $file $file.world; do
        "$STEPBENCH" run -p mechanism:file=$from.json -s radau_iia:stages=3 --h 1/100 --t-end 0.2 --every 20 \
            --columns energy,q0,q1,q8 --format csv 2>err | tail -n 1
    done | awk -F, '{ for (i = 1; i <= NF; i++) { x[NR, i] = $i } }
        END { for (i = 1; i <= 4; i++) { d = x[1, i] - x[2, i]; if (d * d > 1e-18 * (1 + x[1, i] ^ 2)) exit 1 } exit NR != 2 }' ||
        fail "$file: the world that is written moves otherwise"
done

# ---- Degrees of freedom of a body in space on one joint to the ground: six less the rows. ----
freedom() { # freedom DEGREES JOINT
    printf '{"bodies": {"a": {"mass": 1, "inertia": [1, 2, 2.5], "position": [1, 2, 3]}}, "joints": [{%s, %s}]}' "$2" \
        '"bodies": ["ground", "a"], "points": [[1, 2, 3], [0, 0, 0]]' >one.json
    "$STEPBENCH" show mechanism:file=one.json >shown 2>err || fail "$2: $(cat err)"
    grep -q "degrees of freedom: $1" shown || fail "$2: not $1 degrees: $(cat shown)"
}

# ---- A model that is written in MJCF and read again has its springs, dampers, armatures and friction. ----
cat >sprung.json <<'J'
{"gravity": [1, -9], "bodies": {"a": {"mass": 2, "inertia": 0.3, "position": [0.5, 0], "angle": 0.3},
                                "b": {"mass": 1, "inertia": 0.2, "position": [1.2, 0.9], "angle": 1, "rate": 2}},
 "joints": [{"name": "hip", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [-0.5, 0.1]],
             "stiffness": 3, "damping": 0.2, "armature": 0.4, "target": {"offset": 0.7}},
            {"name": "knee", "type": "revolute", "bodies": ["b", "a"], "points": [[0.1, 0.2], [0.5, 0]],
             "stiffness": 7, "damping": 0.1, "target": {"offset": -0.4}, "friction": 0.05}],
 "outputs": {"hip": {"joint": "hip"}}}
J
"$STEPBENCH" world mechanism:file=sprung.json -o first.json 2>err || fail "sprung: $(cat err)"
"$STEPBENCH" world mechanism:file=sprung.json --format mjcf -o sprung.xml 2>err || fail "sprung: $(cat err)"
"$STEPBENCH" import sprung.xml --key start -o again.json 2>err || fail "sprung: $(cat err)"
for file in first again; do
    "$STEPBENCH" run -p mechanism:file=$file.json -s spook:eps=1e-10 --h 1/1000 --steps 200 --every 200 \
        --columns q0,q1,q3,q4 --format csv 2>err | tail -n 1
done | awk -F, '{ for (i = 1; i <= 4; i++) x[NR, i] = $i }
    END { for (i = 1; i <= 4; i++) if ((x[1, i] - x[2, i]) ^ 2 > 1e-14) exit 1; exit NR != 2 }' ||
    fail "sprung: what is read again moves otherwise"
"$STEPBENCH" world mechanism:file=plane.json --format mjcf >out 2>err && fail "plane.json is written in MJCF"
grep -q 'MJCF is written of' err || fail "$(cat err)"

freedom 0 '"type": "fixed"'
freedom 2 '"type": "cylindrical", "axes": [[1, 2, 0], [1, 2, 0]]'
freedom 3 '"type": "planar", "axes": [[1, 2, 0], [1, 2, 0]]'
freedom 4 '"type": "point_line", "axis": [1, 2, 0]'
freedom 5 '"type": "point_plane", "axis": [1, 2, 0]'

# ---- Closed forms. moves NAME COLUMNS AWK: the last line at t = 1 satisfies a condition; x[] are the columns. The
# three stages of radau_iia at this step leave an error of 1e-11 for rates of 4/s. ----
moves() {
    "$STEPBENCH" run -p "mechanism:file=$1" -s radau_iia:stages=3 --h 1/100 --t-end 1 --every 100 --columns "$2" \
        --format csv >run.csv 2>err || fail "$1: $(cat err)"
    tail -n 1 run.csv | awk -F, 'function near(a, b) { return (a - b) ^ 2 < 1e-18 * (1 + b * b) }
        '"{ exit !($3) }" || fail "$1: at t = 1 $2 are $(tail -n 1 run.csv)"
}

# A servo: J = 0.2 + 0.3, k = 8, c = 1, from the angle 0 at rest to 0.4. delta = 1, omega = sqrt(16 - 1).
cat >servo.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 0.2, "angle": 0}}, "independent": ["a.angle"], "outputs": {"hinge": {"joint": "hinge"}},
 "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]],
             "stiffness": 8, "damping": 1, "armature": 0.3, "target": {"offset": 0.4}}]}
J
servo="near(\$1, 0.4 - 0.4 * exp(-1) * (cos(sqrt(15)) + sin(sqrt(15)) / sqrt(15))) && \\
       near(\$2, 0.4 * exp(-1) * 16 / sqrt(15) * sin(sqrt(15)))"
moves servo.json hinge,hinge_rate "$servo"
# The same in space, about an axis that is no axis of the coordinates: J = 0.2 about the body's third axis.
cat >servo3.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": [0.3, 0.4, 0.2], "quaternion": [3, 1, 2, 0]}}, "outputs": {"hinge": {"joint": "hinge"}},
 "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0, 0], [0, 0, 0]],
             "axes": [[12, -6, 4], [0, 0, 1]], "stiffness": 8, "damping": 1, "armature": 0.3,
             "target": {"offset": 0.4}}]}
J
moves servo3.json hinge,hinge_rate "$servo"
# A drive of the rate: J w' = 1.5 (2 - w).
sed 's/"stiffness".*/"damping": 1.5, "armature": 0.3, "target_rate": {"offset": 2}}]}/' servo.json >rate.json
moves rate.json hinge_rate 'near($1, 2 * (1 - exp(-3)))'
rests() { # rests FILE COLUMNS CONDITION: the balance of forces after the dampers have brought it to rest
    "$STEPBENCH" run -p "mechanism:file=$1" -s radau_iia:stages=3 --h 1/5 --t-end 60 --every 300 --columns "$2" \
        --format csv 2>err | tail -n 1 >row
    awk -F, 'function near(a, b) { return (a - b) ^ 2 < 1e-18 } '"{ exit !($3) }" row || fail "$1: at rest $2 are $(cat row err)"
}
# Three servos at one body, without gravity: with torques of 2 on `two` and of -1 + 0.5 on `three`, the angles are off
# the targets by 1/20, 2/8 and -0.5/5.
cat >servos.json <<'J'
{"bodies": {"one": {"mass": 1, "inertia": 0.1}, "two": {"mass": 1, "inertia": 0.1}, "three": {"mass": 1, "inertia": 0.1}},
 "joints": [{"name": "a", "type": "revolute", "bodies": ["ground", "one"], "points": [[0, 0], [-0.5, 0]],
             "stiffness": 20, "damping": 10, "target": {"offset": 0.1}},
            {"name": "b", "type": "revolute", "bodies": ["one", "two"], "points": [[0.5, 0], [-0.5, 0]],
             "stiffness": 8, "damping": 4, "target": {"offset": -0.3}},
            {"name": "c", "type": "revolute", "bodies": ["one", "three"], "points": [[0, 0], [-0.5, 0]],
             "stiffness": 5, "damping": 3, "target": {"offset": 1.5}, "torque": {"offset": 0.5}}],
 "forces": [{"body": "two", "torque": {"offset": 2}}, {"body": "three", "torque": {"offset": -1}}]}
J
rests servos.json a,b,c,a_torque,b_torque,c_torque 'near($1, 0.15) && near($2, -0.05) && near($3, 1.4) &&
    near($4, -1) && near($5, -2) && near($6, 1)'
# A servo, a force, a limit and a spring on one rail: 100 (1 - y) + 10 = 300 (y - 0.5) + 50 y.
cat >rail.json <<'J'
{"bodies": {"cart": {"mass": 1, "inertia": 1}},
 "joints": [{"name": "rail", "type": "prismatic", "bodies": ["ground", "cart"], "points": [[0, 0], [0, 0]],
             "axes": [[1, 0], [1, 0]], "stiffness": 100, "damping": 20, "target": {"offset": 1}, "force": {"offset": 10},
             "limits": [-0.5, 0.5], "limit_stiffness": 300, "limit_damping": 5}],
 "springs": [{"bodies": ["ground", "cart"], "points": [[-1, 0], [0, 0]], "stiffness": 50, "length": 1, "damping": 1}]}
J
rests rail.json rail,rail_fx 'near($1, 26 / 45) && near($2, 50 * 26 / 45)'
# Servos on both wheels of a gear, y_b = -2 y_a: 10 (y_a - 0.6) = 2 x 5 (y_b - 0.2).
cat >geared.json <<'J'
{"bodies": {"one": {"mass": 1, "inertia": 0.1}, "two": {"mass": 1, "inertia": 0.2, "position": [1, 0]}},
 "joints": [{"name": "a", "type": "revolute", "bodies": ["ground", "one"], "points": [[0, 0], [0, 0]],
             "stiffness": 10, "damping": 3, "target": {"offset": 0.6}},
            {"name": "b", "type": "revolute", "bodies": ["ground", "two"], "points": [[1, 0], [0, 0]],
             "stiffness": 5, "damping": 2, "target": {"offset": 0.2}, "armature": 0.1},
            {"type": "gear", "joints": ["a", "b"], "teeth": [2, 1]}]}
J
rests geared.json a,b,a_torque,b_torque 'near($1, 2 / 15) && near($2, -4 / 15) && near($3, 14 / 3) && near($4, 7 / 3)'
# A torque between two bodies on one pin, with its reaction: J_a = 0.2, J_b = 0.5, and the pin at their centres.
cat >between.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 0.2, "rate": 0}, "b": {"mass": 1, "inertia": 0.5, "rate": 0}}, "time_scale": 0.3,
 "joints": [{"type": "revolute", "bodies": ["a", "b"], "points": [[0, 0], [0, 0]], "torque": {"offset": 3}}]}
J
moves between.json q2,q5 'near($1, -3 / 0.2 / 2) && near($2, 3 / 0.5 / 2)'
# A mass of 2 on a rail at 1.5 m/s meets a limit at 0.3 with k = 2 pi^2 4 after 0.2 s, leaves it half a period of 1 s
# later, and comes back to 0.15; with a step that ends at both times the limit costs no order.
cat >limit.json <<'J'
{"bodies": {"a": {"mass": 2, "inertia": 1, "velocity": [1.5, 0]}}, "time_scale": 0.1,
 "outputs": {"rail": {"joint": "rail"}},
 "joints": [{"name": "rail", "type": "prismatic", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]],
             "axes": [[1, 0], [1, 0]], "limits": [-1, 0.3], "limit_stiffness": 78.95683520871486}]}
J
"$STEPBENCH" run -p mechanism:file=limit.json -s radau_iia:stages=3 --h 1/100 --t-end 0.8 --every 80 \
    --columns rail,rail_rate --format csv 2>err | tail -n 1 >row
awk -F, '{ exit !(($1 - 0.15) ^ 2 < 1e-14 && ($2 + 1.5) ^ 2 < 1e-14) }' row || fail "an upper limit: $(cat row err)"
# The mirror image, against the lower limit.
sed 's/"velocity": \[1.5, 0\]/"velocity": [-1.5, 0]/; s/"limits": \[-1, 0.3\]/"limits": [-0.3, 1]/' limit.json >lower.json
"$STEPBENCH" run -p mechanism:file=lower.json -s radau_iia:stages=3 --h 1/100 --t-end 0.8 --every 80 \
    --columns rail,rail_rate --format csv 2>err | tail -n 1 >row
awk -F, '{ exit !(($1 + 0.15) ^ 2 < 1e-14 && ($2 - 1.5) ^ 2 < 1e-14) }' row || fail "a lower limit: $(cat row err)"
# Dry friction: J = 0.5 with the friction 1 turns at 3/s; it stops after 1.5 s and 2.25 rad and rests, though a torque of
# 0.8 pushes from then on. The method is of order 1.
cat >friction.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 0.2, "angle": 0, "rate": 3}}, "outputs": {"hinge": {"joint": "hinge"}},
 "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]],
             "friction": 1, "armature": 0.3}],
 "forces": [{"body": "a", "torque": {"table": "push.csv", "interpolation": "linear"}}], "time_scale": 0.1}
J
printf 't,value\n0,0\n1.6,0\n1.7,0.8\n9,0.8\n' >push.csv
sed 's/0.2, "angle": 0, "rate": 3/[0.3, 0.4, 0.2], "quaternion": [3, 1, 2, 0], "rate": [2.5714285714285716, -1.2857142857142858, 0.8571428571428571]/
    s/\[0, 0\], \[0, 0\]/[0, 0, 0], [0, 0, 0]/; s/"friction"/"axes": [[12, -6, 4], [0, 0, 1]], &/
    s/"torque": {.*}}/"axis": [12, -6, 4], "torque": {"table": "push.csv", "interpolation": "linear"}}/' friction.json >friction3.json
for file in friction friction3; do
    "$STEPBENCH" run -p mechanism:file=$file.json -s spook --h 1/1000 --t-end 3 --every 3000 --columns hinge,hinge_rate \
        --format csv 2>err | tail -n 1 >row
    awk -F, '{ exit !(($1 - 2.25) ^ 2 < 3e-3 ^ 2 && $2 ^ 2 < 1e-6) }' row || fail "$file: $(cat row err)"
done
# Wheels of 20 and 40 teeth: J_a = 0.2 with the torque 3, J_b = 0.5 turns backwards at half the rate.
cat >gear.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 0.2, "rate": 0}, "b": {"mass": 1, "inertia": 0.5, "position": [1, 0]}},
 "time_scale": 0.3,
 "joints": [{"name": "fast", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "torque": {"offset": 3}},
            {"name": "slow", "type": "revolute", "bodies": ["ground", "b"], "points": [[1, 0], [0, 0]]},
            {"type": "gear", "joints": ["fast", "slow"], "teeth": [20, 40]}]}
J
moves gear.json q2,q5 'near($1, 3 / (0.2 + 0.5 / 4) / 2) && near($2, -$1 / 2)'
# In space the wheels turn several times: the angles count modulo 2 pi.
cat >gear3.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": [0.2, 0.2, 0.2], "rate": [0, 0, 0]},
            "b": {"mass": 1, "inertia": [0.5, 0.5, 0.5], "position": [1, 0, 0]}}, "time_scale": 0.1,
 "joints": [{"name": "fast", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0, 0], [0, 0, 0]],
             "axes": [[0, 0, 1], [0, 0, 1]], "torque": {"offset": 3}},
            {"name": "slow", "type": "revolute", "bodies": ["ground", "b"], "points": [[1, 0, 0], [0, 0, 0]],
             "axes": [[0, 0, 1], [0, 0, 1]]},
            {"type": "gear", "joints": ["fast", "slow"], "teeth": [20, 40]}]}
J
"$STEPBENCH" run -p mechanism:file=gear3.json -s radau_iia:stages=3 --h 1/200 --t-end 3 --every 600 --columns q3,q10 \
    --format csv 2>err | tail -n 1 >row
awk -F, '{ a = 3 / (0.2 + 0.5 / 4) * 9 / 2; b = a / 2
    exit !((cos(a / 2) - $1) ^ 2 < 1e-14 && (cos(b / 2) - $2) ^ 2 < 1e-14) }' row || fail "gears in space: $(cat row err)"
# A pinion of radius 0.5 and J = 0.2 with the torque 3 moves a rack of mass 4.
cat >rack.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 0.2, "rate": 0}, "b": {"mass": 4, "inertia": 0.5, "position": [1, -0.5]}},
 "time_scale": 0.3,
 "joints": [{"name": "pinion", "type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "torque": {"offset": 3}},
            {"name": "rack", "type": "prismatic", "bodies": ["ground", "b"], "points": [[0, -0.5], [0, 0]],
             "axes": [[1, 0], [1, 0]]},
            {"type": "rack", "joints": ["pinion", "rack"], "radius": 0.5}]}
J
moves rack.json q2,q3 'near($1, 3 / (0.2 + 4 / 4) / 2) && near($2, 1 + $1 / 2)'
# A wheel rolls down a line: a = g sin(alpha)/(1 + J/(m r^2)), here g sin(alpha) = 3, J/(m r^2) = 0.5/(2 x 0.25) = 1.
cat >rolling.json <<'J'
{"gravity": [3, -9], "bodies": {"a": {"mass": 2, "inertia": 0.5, "position": [0, 0.5], "rate": 0}}, "time_scale": 0.3,
 "joints": [{"type": "rolling", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "axis": [1, 0], "radius": 0.5}]}
J
moves rolling.json q0,q1,q2 'near($1, 3 / 2 / 2) && near($2, 0.5) && near($3, -$1 / 0.5)'
# Masses of 3 and 2 on a rope, the second hanging in a loop: L_1 + 2 L_2 is constant, so that x_1'' = -2 x_2'' and
# x_1'' = g (4 m_1 - 2 m_2)/(4 m_1 + m_2) downwards.
cat >pulley.json <<'J'
{"gravity": [0, -7], "time_scale": 0.3,
 "bodies": {"a": {"mass": 3, "inertia": 1, "position": [0, -2], "velocity": [0, 0], "rate": 0},
            "b": {"mass": 2, "inertia": 1, "position": [1, -5], "rate": 0}},
 "joints": [{"type": "pulley", "bodies": ["a", "b"], "points": [[0, 0], [0, 0]], "guides": [[0, 0], [1, 0]], "ratio": 2}]}
J
moves pulley.json q1,q4 'near($1, -2 - 7 * 8 / 14 / 2) && near($2, -5 + 7 * 8 / 14 / 4)'

# ---- The step. Stormer's and Verlet's limit 2/omega, of the wheel on its spring 2/sqrt(16); the part that strains. ----
advised() { # advised FILE LIMIT PART
    "$STEPBENCH" advise -p "mechanism:file=$1" -s reg --h 0.1 --columns h_limit,part --format csv >run.csv 2>err ||
        fail "$1: $(cat err)"
    tail -n 1 run.csv | awk -F, -v limit="$2" -v part="$3" '{ exit !(($1 / limit - 1) ^ 2 < 1e-8 && $2 == part) }' ||
        fail "$1: not $2 by $3: $(cat run.csv)"
}
sed 's/"damping": 1, //' servo.json >undamped.json
advised undamped.json 0.5 'joints[0] ground-a hinge'
cat >two.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 1, "position": [1, 0]}, "b": {"mass": 1, "inertia": 1, "position": [1, 5]}},
 "springs": [{"bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "stiffness": 1, "length": 1},
             {"bodies": ["ground", "b"], "points": [[0, 5], [0, 0]], "stiffness": 100, "length": 1}]}
J
advised two.json 0.2 'springs[1] ground-b'

# ---- Mistakes. ----
refused() { # refused MESSAGE SED-EXPRESSION [FILE]
    sed "$2" "${3:-servo.json}" >wrong.json
    status=0
    "$STEPBENCH" show mechanism:file=wrong.json >out 2>err || status=$?
    [ $status -eq 2 ] || fail "$2: status $status: $(cat err)"
    grep -q -- "$1" err || fail "$2: $(cat err)"
}
refused 'joints\[0\].limits: the lower limit, 1, must be below the upper one, -1' 's/"stiffness"/"limits": [1, -1], "limit_stiffness": 3, &/'
refused 'joints\[0\]: the key limit_stiffness is missing' 's/"stiffness"/"limits": [-1, 1], &/'
refused 'joints\[0\].*force' 's/"stiffness"/"force": {"offset": 1}, &/'
refused 'the armature of a displacement needs the ground' 's/"type": "revolute", "bodies": \["a", "b"\]/"type": "prismatic", "axes": [[1, 0], [1, 0]], "armature": 1, "bodies": ["a", "b"]/; s/, "torque": {"offset": 3}//' between.json
refused 'outputs.hinge.joint: the "name" of a revolute or prismatic joint is needed' 's/{"joint": "hinge"}/{"joint": "hing"}/'
refused 'joints\[2\].joints\[0\]: the pinion' 's/"pinion", "rack"\]/"rack", "pinion"]/' rack.json
refused 'joints\[2\].teeth: a wheel without teeth' 's/40\]/0]/' gear.json
