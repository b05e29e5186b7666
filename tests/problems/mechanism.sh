#!/bin/sh
# Mechanisms of shared/joints.h, most from JSON files: shipped ones and one of every element pass `check`; Bricard's
# linkage keeps the relation of its angles; every mistake gets a sentence with line and key.
. "$SOURCE_DIR/tests/prelude.sh"

shipped=$SOURCE_DIR/problems/mechanisms

# ---- Every element, in the plane and in space: derivatives, patterns, and a consistent start. ----
cat >plane.json <<'J'
{"gravity": [0.3, -9.81],
 "bodies": {"a": {"mass": 2, "inertia": 0.3, "position": [0.4, 0.1], "angle": 0.3, "rate": 2},
            "b": {"mass": 1, "inertia": 0.2, "position": [1.2, 0.9], "angle": 1},
            "c": {"mass": 0.5, "inertia": 0.1, "position": [2, 0.4], "velocity": [0.1, 0.2]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [-0.5, 0.1]]},
            {"type": "prismatic", "bodies": ["a", "b"], "points": [[0.5, 0], [0.1, 0.2]], "axes": [[1, 2], [1, 0]]},
            {"type": "distance", "bodies": ["b", "c"], "points": [[0.5, 0.1], [0, 0.3]], "length": 0.8}],
 "springs": [{"bodies": ["ground", "c"], "points": [[3, 0], [0.1, 0]], "stiffness": 20, "length": 0.5, "damping": 3},
             {"bodies": ["a", "c"], "points": [[0, 0], [0, 0.2]], "stiffness": 5}],
 "forces": [{"body": "b", "torque": {"table": "table.csv"}},
            {"bodies": ["ground", "c"], "point": [0.2, 0.1], "axis": [3, 1], "force": {"offset": 2}},
            {"bodies": ["a", "c"], "point": [0.2, 0], "axis": [1, 2], "force": {"table": "table.csv"}}],
 "outputs": {"tip": {"body": "c", "point": [0.1, 0]}}}
J
cat >space.json <<'J'
{"gravity": [0, 0, -9.81], "time_scale": 0.2,
 "bodies": {"a": {"mass": 2, "inertia": [0.3, 0.2, 0.1], "position": [0.4, 0.1, 0], "rate": [0, 0, 2]},
            "b": {"mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [1.2, 0.9, 0.2], "quaternion": [1, 0.2, 0.1, 0]},
            "c": {"mass": 0.5, "inertia": [0.1, 0.1, 0.1], "position": [2, 0.4, 1]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0, 0], [-0.5, 0.1, 0]],
             "axes": [[0, 0, 1], [0, 0, 2]]},
            {"type": "prismatic", "bodies": ["a", "b"], "points": [[0.5, 0, 0], [0.1, 0.2, 0]],
             "axes": [[1, 2, 0], [1, 0, 0]]},
            {"type": "spherical", "bodies": ["b", "c"], "points": [[0.5, 0.1, 0], [0, 0.3, 0]]},
            {"type": "distance", "bodies": ["ground", "c"], "points": [[2, 0, 0], [0.1, 0.1, 0]], "length": 1}],
 "springs": [{"bodies": ["ground", "c"], "points": [[3, 0, 0], [0.1, 0, 0]], "stiffness": 20, "damping": 3}],
 "drivers": [{"body": "a", "axis": [0, 0, 1], "rate": 2}],
 "forces": [{"body": "b", "axis": [1, 2, 3], "torque": {"offset": 1, "table": "table.csv"}},
            {"bodies": ["a", "c"], "point": [0, 0.1, 0.2], "axis": [1, 0, 2], "force": {"rate": 3}}],
 "independent": ["c.attitude"]}
J
cat >driven.json <<'J'
{"gravity": [0.3, -9.81],
 "bodies": {"a": {"mass": 2, "inertia": 0.3, "position": [0.4, 0.1], "angle": 0.3},
            "b": {"mass": 1, "inertia": 0.2, "position": [1.2, 0.9], "angle": 1},
            "c": {"mass": 0.5, "inertia": 0.1, "position": [2, 0.4], "rate": 0.3}},
 "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [-0.5, 0.1]]},
            {"type": "revolute", "bodies": ["a", "b"], "points": [[0.5, 0], [-0.3, 0.1]]}],
 "drivers": [{"bodies": ["a", "b"], "angle": {"offset": 0.7, "rate": 0.5, "amplitude": 0.2, "frequency": 3, "phase": 1}},
             {"bodies": ["ground", "c"], "points": [[0, 0], [0.1, 0]], "axis": [1, 0.5],
              "displacement": {"offset": 1.5, "table": "table.csv"}},
             {"bodies": ["a", "c"], "points": [[0, 0], [0, 0.2]],
              "distance": {"offset": 1.5, "amplitude": 0.3, "frequency": 2}}]}
J
cat >turned.json <<'J'
{"gravity": [0, 0, -9.81], "time_scale": 0.2,
 "bodies": {"a": {"mass": 2, "inertia": [0.3, 0.2, 0.1], "position": [0.4, 0.1, 0]},
            "b": {"mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [1.2, 0.9, 0.2], "quaternion": [1, 0.2, 0.1, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0, 0], [-0.5, 0.1, 0]],
             "axes": [[0, 0, 1], [0, 0, 2]]},
            {"type": "revolute", "bodies": ["a", "b"], "points": [[0.5, 0, 0], [0.1, 0.2, 0]],
             "axes": [[1, 2, 0], [1, 0, 0]]}],
 "drivers": [{"bodies": ["ground", "a"], "axes": [[0, 0, 1], [0, 0, 1]], "angle": {"rate": 2}},
             {"bodies": ["a", "b"], "axes": [[1, 2, 0], [1, 0, 0]], "angle": {"amplitude": 0.4, "frequency": 3}}]}
J
printf '# a carriage\nt,value\n-1,0\n0.5,0.2\n1,0.1\n\n2,-0.3\n3.5,0\n' >table.csv
for file in "$shipped"/*.json plane.json space.json driven.json turned.json "$SOURCE_DIR/tests/problems/slider_crank_sundials.json"; do
    "$STEPBENCH" check "mechanism:file=$file" --points 5 --all >rows 2>err || fail "$file: $(cat err rows)"
    grep -q ",[GN],.*,passed," rows || fail "$file: nothing was checked: $(cat rows)"
done
# A driver of the angle moves the crank as one of its rate does; radau_iia has an error of 1e-11 at this step.
sed 's|"drivers": .*|"drivers": [{"bodies": ["ground", "crank"], "angle": {"rate": 6.283185307179586}}],|' \
    "$shipped/slider_crank.json" >angle.json
for file in "$shipped/slider_crank.json" angle.json; do
    "$STEPBENCH" run -p "mechanism:file=$file" -s radau_iia:stages=3,index=2s --h 1/200 --steps 50 --every 50 \
        --columns slider_x,kinetic --format csv >run.csv 2>err || fail "$file: $(cat err)"
    tail -n 1 run.csv
done | awk -F, 'NR == 1 { x = $1; T = $2 } NR == 2 { if ((x - $1) ^ 2 < 1e-20 && ((T - $2) / T) ^ 2 < 1e-16) good = 1 }
    END { exit !good }' || fail "a crank driven in its angle moves as one driven at its rate"

# A carriage follows its table: the spline through t^3 - t on [-1, 1] with 41 knots, natural at both ends, is exact at
# the knots; after the table it goes on along a line.
awk 'BEGIN { print "t,value"; for (k = 0; k <= 40; k++) { t = k / 20; printf "%.17g,%.17g\n", t, (t - 1) ^ 3 - (t - 1) } }' >track.csv
cat >carriage.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 1, "position": [0, 0]}},
 "drivers": [{"bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "axis": [1, 0],
  "displacement": {"table": "track.csv", "interpolation": "cubic"}}],
 "time_scale": 1, "outputs": {"at": {"body": "a", "point": [0, 0]}}}
J
"$STEPBENCH" run -p mechanism:file=carriage.json -s rattle --h 1/100 --steps 300 --every 50 --columns t,at_x --format csv \
    >run.csv 2>err || fail "carriage: $(cat err)"
awk -F, '/^[0-9]/ { t = $1 - 1; want = t <= 1 ? t ^ 3 - t : last + slope * (t - 1)
                    if (t == 1) last = $2
                    if (t < 1.2 && ($2 - want) ^ 2 > 1e-24) { print; bad = 1; exit }
                    n++; x[n] = $2 }
    END { exit bad || n != 7 || (x[7] - x[6] - (x[6] - x[5])) ^ 2 > 1e-20 }' run.csv || fail "the carriage leaves its table: $(cat run.csv)"
# The world that is written has the table as a list, and its interpolation.
"$STEPBENCH" world mechanism:file=carriage.json -o again.json 2>err || fail "carriage: $(cat err)"
for file in carriage again; do
    "$STEPBENCH" run -p mechanism:file=$file.json -s rattle --h 1/100 --steps 51 --every 51 --columns q0,v0 --format csv 2>err | tail -n 1
done | awk -F, '{ x[NR] = $1; v[NR] = $2 } END { exit !(NR == 2 && (x[1] - x[2]) ^ 2 + (v[1] - v[2]) ^ 2 < 1e-24) }' ||
    fail "the carriage that is written moves otherwise: $(cat err)"

# ---- Forces. A body of mass 2 and inertia 3 under 4 t along x, off its centre by nothing, and the torque 6 t: x = t^3/3
# and phi = t^3/3, exact for three stages of radau_iia; the spline through lines of a straight line is that line. In
# space, a torque of 0.4 about the third axis, of inertia 0.1, turns it by 2 t^2: e0 = cos(t^2). ----
printf 't,value\n0,0\n0.3,1.2\n0.7,2.8\n2,8\n' >ramp.csv
cat >pushed.json <<'J'
{"bodies": {"a": {"mass": 2, "inertia": 3, "position": [0, 0]}}, "time_scale": 1,
 "forces": [{"body": "a", "torque": {"rate": 6}},
            {"bodies": ["ground", "a"], "point": [0, 0], "axis": [3, 0], "force": {"table": "ramp.csv"}}]}
J
cat >spun.json <<'J'
{"bodies": {"a": {"mass": 2, "inertia": [0.3, 0.2, 0.1]}}, "time_scale": 1,
 "forces": [{"body": "a", "axis": [0, 0, 2], "torque": {"offset": 0.4}}]}
J
"$STEPBENCH" run -p mechanism:file=pushed.json -s radau_iia:stages=3 --h 1/10 --t-end 1 --every 10 --columns q0,q1,q2 \
    --format csv >run.csv 2>err || fail "pushed: $(cat err)"
tail -n 1 run.csv | awk -F, '{ a = $1 - 1 / 3; b = $3 - 1 / 3; exit !(a * a < 1e-24 && b * b < 1e-24 && $2 == 0) }' ||
    fail "forces move a body to $(tail -n 1 run.csv)"
"$STEPBENCH" run -p mechanism:file=spun.json -s lie_rk --h 1/100 --t-end 1 --every 100 --columns q3 --format csv \
    >run.csv 2>err || fail "spun: $(cat err)"
tail -n 1 run.csv | awk '{ d = $1 - cos(1); exit !(d * d < 1e-14) }' || fail "a torque turns a body to $(tail -n 1 run.csv)"

# A force between two free bodies keeps momentum and angular momentum; the method of order 5 leaves errors of 1e-9.
cat >between.json <<'J'
{"bodies": {"a": {"mass": 2, "inertia": 0.3, "position": [0, 0], "rate": 1},
            "b": {"mass": 1, "inertia": 0.2, "position": [1, 0.5], "angle": 0.4}}, "time_scale": 1,
 "forces": [{"bodies": ["a", "b"], "point": [0.1, -0.4], "axis": [1, 2], "force": {"table": "ramp.csv"}}]}
J
"$STEPBENCH" run -p mechanism:file=between.json -s radau_iia:stages=3 --h 1/100 --t-end 1 --every 100 \
    --columns q0,q1,q3,q4,v0,v1,v2,v3,v4,v5 --format csv >run.csv 2>err || fail "between: $(cat err)"
tail -n 1 run.csv | awk -F, '{ p = 2 * $5 + $8; r = 2 * $6 + $9
    L = 2 * ($1 * $6 - $2 * $5) + $3 * $9 - $4 * $8 + 0.3 * $7 + 0.2 * $10 - 0.3
    exit !(p * p + r * r + L * L < 1e-16 && $8 * $8 > 1e-2) }' || fail "momenta change: $(tail -n 1 run.csv)"

# The work of motor and load is the change of energy: the balance falls with the error of the method, order 5.
for steps in 100 200; do
    "$STEPBENCH" run -p "mechanism:file=$shipped/press.json" -s radau_iia:stages=3,index=2s --h 1/$steps --t-end 1 \
        --every $steps --columns work,balance --format csv 2>err | tail -n 1 || fail "press: $(cat err)"
done | awk -F, '{ balance[NR] = $2; work = $1 }
    END { ratio = balance[1] / balance[2]; exit !(work > 100 && ratio > 24 && ratio < 43) }' ||
    fail "the work of the forces is not the change of the energy"

for problem in bricard:rate=1.3,g=3 bricard:rate=0.7,rows=all flyball_governor:k=500,c=20,slider=1,l=0.7; do
    "$STEPBENCH" check "$problem" --points 5 >rows 2>err || fail "$problem: $(cat err rows)"
done

# ---- Bricard's linkage. The cosines c and c' of the angles between neighbouring bars, alternately equal, satisfy
# c + c' + c c' = 0. The start is solved for at a turn of the first bar, with the redundant row; then it moves. ----
bricard() { # bricard FILE STEPS TOLERANCE
    "$STEPBENCH" run -p "mechanism:file=$1" -s spook:eps=1e-9 --h 1/2000 --steps "$2" --every "$2" \
        --columns p1_x,p1_y,p1_z,p2_x,p2_y,p2_z,p3_x,p3_y,p3_z,p4_x,p4_y,p4_z --format csv >run.csv 2>err ||
        fail "bricard: $(cat err)"
    awk -F, -v tolerance="$3" -v steps="$2" '
        /^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            for (k = 0; k < 3; k++) {
                split("x y z", axis, " ")
                x[0, k] = 0; x[5, k] = k == 2; x[6, k] = 0
                for (p = 1; p <= 4; p++) x[p, k] = $at["p" p "_" axis[k + 1]]
            }
            for (p = 1; p <= 6; p++) {
                c[p] = 0
                for (k = 0; k < 3; k++) c[p] += (x[p % 6, k] - x[p - 1, k]) * (x[p % 6 + 1, k] - x[p % 6, k])
            }
            for (p = 1; p <= 6; p++) {
                d = c[p] + c[p % 6 + 1] + c[p] * c[p % 6 + 1]
                if (!(d * d <= tolerance * tolerance)) { print "row " n ": " d; exit 1 }
            }
            if (c[1] * c[1] > 1e-3) turned = 1
            n++
        }
        END { if (n < 3 || !turned) { print "nothing turned"; exit 1 } }' run.csv >why ||
        fail "bricard, $2 steps: $(cat why)"
}
# A turn by 0.3 rad about y, which the first joint allows.
sed -e 's/"b1": {/"b1": {"quaternion": [0.9887710779360422, 0, 0.14943813247359922, 0], /' \
    -e 's/"joints"/"independent": ["b1.attitude"], "joints"/' "$shipped/bricard.json" >turned.json
bricard turned.json 1 1e-6
bricard "$shipped/bricard.json" 1000 1e-4

# ---- Mistakes: WANTED MESSAGE, then the file. ----
mistakes=0
wrong() {
    printf '%s\n' "$2" >wrong.json
    status=0
    "$STEPBENCH" check mechanism:file=wrong.json >out 2>err || status=$?
    [ "$status" -eq 2 ] && [ ! -s out ] && grep -qF "wrong.json, line $1" err && [ "$(wc -l <err)" -eq 1 ] ||
        fail "$2: exit status $status, wanted line $1: $(cat err out)"
    mistakes=$((mistakes + 1))
}
body='"bodies": {"a": {"mass": 1, "inertia": 1, "position": [1, 0]}}'
joint='{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [-1, 0]]}'
ball='"bodies": {"a": {"mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]}}'
wrong "2, column 0: not valid JSON" ""
wrong "2, column" '{"bodies":
 {]}'
wrong "2, column" '{"bodies": {},
 "bodies": {}}'
wrong "1, the file: an object" '[1]'
wrong "2, bodys: unknown key; known here: gravity|time_scale|period|bodies" '{'"$body"',
"bodys": 1}'
wrong "1, the file: \"bodies\"" '{}'
wrong "1, bodies: \"bodies\"" '{"bodies": {}}'
wrong "1, bodies.ground: the name ground is reserved" '{"bodies": {"ground": {"mass": 1, "inertia": 1}}}'
wrong "1, bodies.a: an object" '{"bodies": {"a": 3}}'
wrong "1, bodies.a: the inertia is needed" '{"bodies": {"a": {"mass": 1}}}'
wrong "1, bodies.a.inertia: the inertia is needed" '{"bodies": {"a": {"mass": 1, "inertia": "big"}}}'
wrong "1, bodies.a: the key mass is missing" '{"bodies": {"a": {"inertia": 1}}}'
wrong "2, bodies.a.mass: -1 is too small; take a number from 0 on" '{"bodies": {"a": {"inertia": 1,
"mass": -1}}}'
wrong "1, bodies.a.mass: a number is needed" '{"bodies": {"a": {"inertia": 1, "mass": "1"}}}'
wrong "1, bodies.a.position: a list of 2 numbers" '{"bodies": {"a": {"mass": 1, "inertia": 1, "position": [1, 2, 3]}}}'
wrong "1, bodies.a.position[1]: a number" '{"bodies": {"a": {"mass": 1, "inertia": 1, "position": [1, true]}}}'
wrong "1, bodies.a.axis: unknown key" '{"bodies": {"a": {"mass": 1, "inertia": 1, "axis": [1, 0]}}}'
wrong "1, bodies.a.inertia[2]: -1 is too small" '{"bodies": {"a": {"mass": 1, "inertia": [1, 1, -1]}}}'
wrong "1, bodies.a.quaternion: a quaternion that is not 0" \
    '{"bodies": {"a": {"mass": 1, "inertia": [1, 1, 1], "quaternion": [0, 0, 0, 0]}}}'
wrong "2, bodies.b.inertia: this body is in space" '{"bodies": {"a": {"mass": 1, "inertia": 1},
"b": {"mass": 1, "inertia": [1, 1, 1]}}}'
wrong "1, gravity: a list of 2 numbers" '{'"$body"', "gravity": -9.81}'
wrong "1, time_scale: 0 is too small" '{'"$body"', "time_scale": 0}'
wrong "2, joints: a list" '{'"$body"',
"joints": '"$joint"'}'
wrong "1, joints[0]: an object" '{'"$body"', "joints": [1]}'
wrong "1, joints[0]: the key type is missing" '{'"$body"', "joints": [{}]}'
wrong "1, joints[0].type: a word" '{'"$body"', "joints": [{"type": 1}]}'
wrong "2, joints[1].type: ball is no joint of the plane: revolute, prismatic, distance" \
    '{'"$body"', "joints": ['"$joint"',
{"type": "ball"}]}'
drive='"drivers": [{"bodies": ["ground", "a"], "angle": {"table": '
wrong "1, drivers[0].angle.table: a table needs two lines" "{$body, $drive [[0, 1]]}}]}"
wrong "1, drivers[0].angle.table[1]: t = 1 does not exceed" "{$body, $drive [[1, 1], [1, 2]]}}]}"
wrong "1, drivers[0].angle.table[1]: a list of 2 numbers" "{$body, $drive [[1, 1], [2]]}}]}"
wrong "1, joints[0].type: spherical is no joint of the plane" '{'"$body"', "joints": [{"type": "spherical"}]}'
wrong "1, joints[0].axes: unknown key; known here: type|name|bodies|points" \
    '{'"$body"', "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "axes": []}]}'
wrong "1, joints[0]: \"bodies\": [first, second] is needed" '{'"$body"', "joints": [{"type": "distance"}]}'
wrong "1, joints[0].bodies[1]: there is no body b" \
    '{'"$body"', "joints": [{"type": "distance", "bodies": ["a", "b"], "points": [[0, 0], [0, 0]], "length": 1}]}'
wrong "1, joints[0].bodies[0]: the name" \
    '{'"$body"', "joints": [{"type": "distance", "bodies": [1, "a"], "points": [[0, 0], [0, 0]], "length": 1}]}'
wrong "1, joints[0].bodies: two different" \
    '{'"$body"', "joints": [{"type": "distance", "bodies": ["a", "a"], "points": [[0, 0], [0, 0]], "length": 1}]}'
wrong "1, joints[0]: the key points is missing" \
    '{'"$body"', "joints": [{"type": "distance", "bodies": ["ground", "a"], "length": 1}]}'
wrong "1, joints[0].points: a list of two vectors" \
    '{'"$body"', "joints": [{"type": "distance", "bodies": ["ground", "a"], "points": [[0, 0]], "length": 1}]}'
wrong "2, joints[0].points[1]: a list of 2 numbers" \
    '{'"$body"', "joints": [{"type": "distance", "bodies": ["ground", "a"], "length": 1, "points": [[0, 0],
[0, 0, 0]]}]}'
wrong "1, joints[0]: the key length is missing" \
    '{'"$body"', "joints": [{"type": "distance", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]]}]}'
wrong "1, joints[0].length: 0 is too small" \
    '{'"$body"', "joints": [{"type": "distance", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "length": 0}]}'
wrong "2, joints[0].axes[1]: an axis of length 0" \
    '{'"$ball"', "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0, 0], [0, 0, 0]],
"axes": [[0, 0, 1], [0, 0, 0]]}]}'
wrong "1, springs[0].stiffnes: unknown key" '{'"$body"', "springs": [{"stiffnes": 1}]}'
wrong "1, springs[0].damping: -1 is too small" \
    '{'"$body"', "springs": [{"bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "damping": -1}]}'
wrong "1, drivers[0].body: there is no body ground" '{'"$body"', "drivers": [{"body": "ground", "rate": 1}]}'
wrong "1, drivers[0]: the key rate is missing" '{'"$body"', "drivers": [{"body": "a"}]}'
wrong "1, drivers[0]: the key axis is missing" '{'"$ball"', "drivers": [{"body": "a", "rate": 1}]}'
wrong "1, drivers[0].angle: an object" '{'"$body"', "drivers": [{"bodies": ["ground", "a"], "angle": 1}]}'
wrong "1, drivers[0].angle.rates: unknown key; known here: offset|rate|amplitude|frequency|phase|table|interpolation" \
    '{'"$body"', "drivers": [{"bodies": ["ground", "a"], "angle": {"rates": 1}}]}'
wrong "1, drivers[0]: the key axis is missing" \
    '{'"$body"', "drivers": [{"bodies": ["ground", "a"], "points": [[0, 0], [0, 0]], "displacement": {"rate": 1}}]}'
wrong "1, the file: the angle of a driver starts half a turn from" \
    '{'"$body"', "drivers": [{"bodies": ["ground", "a"], "angle": {"offset": 3}}]}'
wrong "1, forces: a list" '{'"$body"', "forces": {}}'
wrong "1, forces[0].force: unknown key; known here: body|torque" '{'"$body"', "forces": [{"body": "a", "torque": {}, "force": {}}]}'
wrong "2, forces[0].body: there is no body b" '{'"$body"', "forces": [
{"body": "b", "torque": {"offset": 1}}]}'
wrong "1, forces[0]: the key axis is missing" '{'"$ball"', "forces": [{"body": "a", "torque": {"offset": 1}}]}'
wrong "1, forces[0]: \"bodies\": [first, second] is needed" '{'"$body"', "forces": [{"force": {"offset": 1}}]}'
wrong "1, forces[0]: the key point is missing" '{'"$body"', "forces": [{"bodies": ["ground", "a"], "force": {"offset": 1}}]}'
wrong "1, forces[0].axis: an axis of length 0" \
    '{'"$body"', "forces": [{"bodies": ["ground", "a"], "point": [0, 0], "axis": [0, 0], "force": {}}]}'
wrong "1, forces[0].torque.tabel: unknown key" '{'"$body"', "forces": [{"body": "a", "torque": {"tabel": "x.csv"}}]}'
wrong "1, forces[0].torque.interpolation: spline is no interpolation: monotone, linear or cubic" \
    '{'"$body"', "forces": [{"body": "a", "torque": {"table": "table.csv", "interpolation": "spline"}}]}'
wrong "1, forces[0].torque.interpolation: there is no" \
    '{'"$body"', "forces": [{"body": "a", "torque": {"interpolation": "linear"}}]}'
wrong "1, drivers[0].angle.interpolation: straight lines make the velocity of a driver jump" \
    '{'"$body"', "drivers": [{"bodies": ["ground", "a"], "angle": {"table": "table.csv", "interpolation": "linear"}}]}'
wrong "1, independent[0]: a coordinate is needed, BODY.x, .y or .angle" '{'"$body"', "independent": ["a.z"]}'
wrong "1, outputs.tip.body: there is no body b" '{'"$body"', "outputs": {"tip": {"body": "b"}}}'
wrong "1, the file: no start satisfies the joints" '{'"$body"', "joints": ['"$joint"',
{"type": "distance", "bodies": ["ground", "a"], "points": [[5, 0], [0, 0]], "length": 1}]}'
wrong "1, the file: no start satisfies the joints" '{'"$body"', "joints": ['"$joint"'],
"drivers": [{"body": "a", "rate": 1}, {"body": "a", "rate": 2}]}'
table() { # table TEXT SENTENCE
    printf "$1" >wrong.csv
    "$STEPBENCH" check shaken_pendulum:file=wrong.csv >out 2>err && fail "a table of $1 passes"
    grep -q "$2" err || fail "a table of $1: $(cat err)"
    "$STEPBENCH" check mechanism:file=force.json >out 2>err && fail "a force by a table of $1 passes"
    grep -q "$2" err || fail "a force by a table of $1: $(cat err)"
}
printf '{%s, "forces": [{"body": "a", "torque": {"table": "wrong.csv"}}]}' "$body" >force.json
# A first line is a heading if no cell begins like a number; numbers are decimal and finite; a table is a text.
table '0,0x\n1,0\n2,0\n' 'wrong.csv, line 1: two finite decimal numbers .t,value. are needed, not "0,0x"'
table 'time,0\n1,0\n2,0\n' "wrong.csv, line 1: two finite"
table 'nan,torque\n1,0\n2,0\n' "wrong.csv, line 1: two finite"
table 't,value\nunit,Nm\n1,0\n2,0\n' "wrong.csv, line 2: two finite"
table '0,0\n1,0x10\n2,0\n' "wrong.csv, line 2: two finite"
table '0,0\n1,nan\n2,0\n' "wrong.csv, line 2: two finite"
table '0,0\n1,1e999\n2,0\n' "wrong.csv, line 2: two finite"
table '0,0\n1,0,0\n2,0\n' "wrong.csv, line 2: two finite"
table '0,0\n1,0\n2\0000,0\n3,1' "wrong.csv, line 3: there is a NUL byte"
table 't,value\n0,1\n0,2\n' "wrong.csv, line 3: t = 0 does not exceed the time of the line before, 0"
table '0,1\n1;2\n' "wrong.csv, line 2: two finite decimal numbers"
table 't,value\n0,1\n' "wrong.csv has 1 lines .t,value.; a table needs two at least"
"$STEPBENCH" check shaken_pendulum:file=table.csv,beta=0.3 >rows 2>err || fail "a shaken pendulum: $(cat err rows)"

# ---- Starts. The rates of two rods in line give the velocities of their centres, v = 2 * 0.5 and 2 * 1 - 0.5; one
# velocity of a centre gives the rate of its rod, 0.9/0.5. A rate and a velocity that contradict it are an error. ----
first_row() { grep -v '^#' rows | sed -n 2p; }
rods() { # rods KEYS-OF-THE-FIRST KEYS-OF-THE-SECOND
    printf '{"bodies": {"a": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]%s}, "b": {"mass": 2, "inertia": 0.2, "position": [1.5, 0]%s}}, "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [-0.5, 0]]}, {"type": "revolute", "bodies": ["a", "b"], "points": [[0.5, 0], [-0.5, 0]]}]}' "$1" "$2" >rods.json
    "$STEPBENCH" run -p mechanism:file=rods.json -s del --h 0.01 --steps 1 --columns v1,v2,v4,v5 >rows 2>err
}
rods ', "rate": 2' ', "rate": -1' || fail "rods: $(cat err)"
first_row | awk -F, '{exit !(($1 - 1)^2 < 1e-28 && ($2 - 2)^2 < 1e-28 && ($3 - 1.5)^2 < 1e-28 && ($4 + 1)^2 < 1e-28)}' ||
    fail "rods of given rates: $(first_row)"
rods ', "velocity": [0, 0.9]' ', "rate": -1' || fail "rods: $(cat err)"
first_row | awk -F, '{exit !(($1 - 0.9)^2 < 1e-28 && ($2 - 1.8)^2 < 1e-28 && ($3 - 1.3)^2 < 1e-28 && ($4 + 1)^2 < 1e-28)}' ||
    fail "rods of a given velocity: $(first_row)"
rods ', "rate": 2, "velocity": [0, 0.9]' '' && fail "a rate and another velocity of a rod pass: $(cat rows)"
grep -q "0.1 off row 1 of the holonomic constraints, joints.0. revolute ground-a; the velocities that stay contradict each other" err ||
    fail "a rate and another velocity: $(cat err)"
# A spatial rod turned by a guess that is off: its rate is that of the file in the pose that the solve finds, and its
# centre moves by rate x arm = 3 * 0.5.
cat >arm.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [0.5, 0, 0], "quaternion": [1, 0.1, 0, 0], "rate": [0, 0, 3]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0, 0], [-0.5, 0, 0]], "axes": [[0, 0, 1], [0, 0, 1]]}]}
J
"$STEPBENCH" run -p mechanism:file=arm.json -s del --h 0.01 --steps 1 --columns q3,q6,v1,v6,v0 >rows 2>err || fail "arm: $(cat err)"
first_row | awk -F, '{exit !(($1^2 + $2^2 - 1)^2 < 1e-28 && ($3^2 + $5^2 - 2.25)^2 < 1e-24 && ($4 - 1.5 * $1)^2 < 1e-28)}' ||
    fail "an arm that turns: $(first_row)"
# The pose of a four-bar from a bad guess does not depend on the unit of length.
for unit in 1e-6 1e-3 1 1e3 1e6; do
    awk -v u=$unit 'BEGIN {
        printf "{\"bodies\": {\"a\": {\"mass\": 1, \"inertia\": 1, \"position\": [0, %.17g], \"angle\": 1.4},", 0.3 * u
        printf "\"b\": {\"mass\": 1, \"inertia\": 1, \"position\": [%.17g, %.17g], \"angle\": 0.1},", 0.7 * u, 0.8 * u
        printf "\"c\": {\"mass\": 1, \"inertia\": 1, \"position\": [%.17g, %.17g], \"angle\": 1.2}},", 1.6 * u, 0.5 * u
        printf "\"joints\": [{\"type\": \"revolute\", \"bodies\": [\"ground\", \"a\"], \"points\": [[0, 0], [%.17g, 0]]},", -0.3 * u
        printf "{\"type\": \"revolute\", \"bodies\": [\"a\", \"b\"], \"points\": [[%.17g, 0], [%.17g, 0]]},", 0.3 * u, -0.8 * u
        printf "{\"type\": \"revolute\", \"bodies\": [\"b\", \"c\"], \"points\": [[%.17g, 0], [%.17g, 0]]},", 0.8 * u, 0.5 * u
        printf "{\"type\": \"revolute\", \"bodies\": [\"ground\", \"c\"], \"points\": [[%.17g, 0], [%.17g, 0]]}]}\n", 1.5 * u, -0.5 * u
    }' >unit.json
    "$STEPBENCH" run -p mechanism:file=unit.json -s del --h 0.01 --steps 1 --columns q2,q5,q8 >rows 2>err || fail "unit $unit: $(cat err)"
    first_row >>angles
done
awk -F, 'NR == 1 {for (i = 1; i <= 3; i++) first[i] = $i} {for (i = 1; i <= 3; i++) if (($i - first[i])^2 > 1e-24) { bad = 1; exit }} END {exit bad || NR != 5}' angles ||
    fail "angles depend on the unit of length: $(cat angles)"
# A byte order mark is none of the text: a crank driven by a table with one moves as without.
printf '0,0\n1,2\n2,0\n' >plain.csv
printf '\357\273\277' | cat - plain.csv >marked.csv
for file in plain marked; do
    "$STEPBENCH" run -p shaken_pendulum:file=$file.csv,frequency=0,amplitude=0 -s rattle --h 1/50 --t-end 1 --every 50 \
        --columns q0,q1 --format csv | tail -n 1 >$file.row
done
cmp -s plain.row marked.row || fail "a byte order mark changes a table: $(cat plain.row marked.row)"
printf '\357\273\277{%s}' "$body" >marked.json
"$STEPBENCH" check mechanism:file=marked.json >out 2>err || fail "a byte order mark in JSON: $(cat err out)"

# A pulse of 10 N s in the middle of nothing, on x'' = -x: x(60) = 10 sin(60 - 50) (sin(0.05)/0.05)^2 0.1 for straight
# lines of 0.1 s up and down. A stepper with error control, which sleeps before, ends steps at the lines. The spline
# through the pulse pushes with a thousand newtons where the table says 0, and check says so.
printf 't,value\n0,0\n49.8,0\n49.9,0\n50,10\n50.1,0\n50.2,0\n200,0\n' >pulse.csv
for interpolation in linear monotone cubic; do
    cat >$interpolation.json <<J
{"bodies": {"cart": {"mass": 1, "inertia": 1, "position": [0, 0]}},
 "springs": [{"bodies": ["ground", "cart"], "points": [[-1000, 0], [0, 0]], "stiffness": 1, "length": 1000}],
 "forces": [{"bodies": ["ground", "cart"], "force": {"table": "pulse.csv", "interpolation": "$interpolation"},
             "axis": [1, 0], "point": [0, 0]}],
 "joints": [{"type": "prismatic", "bodies": ["ground", "cart"], "points": [[0, 0], [0, 0]], "axes": [[1, 0], [1, 0]]}],
 "outputs": {"cart": {"body": "cart", "point": [0, 0]}}, "time_scale": 1}
J
done
for stepper in odeiv2 odeiv2:method=msadams; do
    "$STEPBENCH" run -p mechanism:file=linear.json -s $stepper --h 60 --t-end 60 --columns cart_x --format csv | tail -n 1
    "$STEPBENCH" run -p mechanism:file=monotone.json -s $stepper --h 60 --t-end 60 --columns cart_x --format csv | tail -n 1
done >ends
awk '{ s = sin(0.05) / 0.05; want = sin(10) * s * s; d = $1 - want; if (d < 0) d = -d
       if (d > (NR % 2 ? 1e-5 : 2e-4)) { print $1 " is " want; bad = 1; exit } } END { exit bad || NR != 4 }' ends || fail "a pulse: $(cat ends)"
for interpolation in linear monotone; do
    "$STEPBENCH" check mechanism:file=$interpolation.json >out 2>err || fail "a pulse, $interpolation: $(cat out err)"
done
"$STEPBENCH" check mechanism:file=cubic.json >out 2>err && fail "a spline through a pulse passes"
grep -q 'data,.*failed.*forces\[0\].force: between t = 50.2 and 200 the cubic spline through pulse.csv reaches' out ||
    fail "a spline through a pulse: $(cat out)"

# ---- Poses that are moved onto the joints are reported once by every command, poses given on them or to ten digits are
# not. The rod turns about its end: its centre is at (cos 0.3, sin 0.3)/2. ----
rod() { # rod Y
    printf '{"gravity": [0, -9.81], "bodies": {"rod": {"mass": 1, "inertia": 0.08, "position": [0.477668244563, %s], "angle": 0.3}},
 "independent": ["rod.angle"],
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]}]}\n' "$1"
}
rod 0.14 >off.json
rod 0.147760103331 >on.json
for file in off on; do
    p=mechanism:file=$file.json
    "$STEPBENCH" run -p $p -s rattle -s shake --h 0.01 --steps 1 >out 2>run.err || fail "$file: $(cat run.err)"
    "$STEPBENCH" order -p $p -s rattle -s shake --t-end 0.1 >out 2>order.err || fail "$file: $(cat order.err)"
    "$STEPBENCH" drift -p $p -s rattle -s shake --h 0.01 --t-end 5 >out 2>drift.err || fail "$file: $(cat drift.err)"
    "$STEPBENCH" check $p >out 2>check.err || fail "$file: $(cat check.err)"
    "$STEPBENCH" show $p >out 2>show.err || fail "$file: $(cat show.err)"
    tr '\n' ' ' <out | tr -s ' ' >line
    grep -q "rank 2 of 2 rows of constraints; degrees of freedom: 1 start bodies: 1; coordinates: 1 as given, 2 solved for from 2 guesses of the file; velocities: 0 as given, 3 solved for" line ||
        fail "show does not say what was solved for: $(cat out)"
    grep -q "rank 2 of 2 rows of constraints; degrees of freedom: 1; bodies: 1; coordinates: 1 as given" check.err ||
        fail "check does not say what was solved for: $(cat check.err)"
    for command in run order drift check show; do
        count=$(grep -c "^stepbench: mechanism: off.json: the poses given are moved onto the joints, most of all rod.y, from 0.14 to 0.147760103$" $command.err || true)
        [ "$count" -eq "$([ $file = off ] && echo 1 || echo 0)" ] || fail "$command, $file.json: $count lines: $(cat $command.err)"
    done
done

# ---- A rod that starts at rest at the origin of its coordinates turns as the same rod elsewhere. ----
rest() { # rest X
    printf '{"gravity": [0, -9.81], "bodies": {"rod": {"mass": 1, "inertia": 0.08, "position": [%s, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[%s, 0], [-0.5, 0]]}]}\n' "$1" "$2"
}
rest 0 -0.5 >rest0.json
rest 1e-12 -0.499999999999 >rest1.json
rest 3 2.5 >rest2.json
for stepper in rattle shake del; do
    for k in 0 1 2; do
        "$STEPBENCH" run -p mechanism:file=rest$k.json -s $stepper --h 0.1 --steps 3 --every 3 --columns q2 --format csv \
            2>err | tail -n 1 || fail "$stepper of a rod at rest: $(cat err)"
    done >angles
    awk 'NR == 1 { a = $1 } { d = $1 - a; if (d < 0) d = -d; if (!(a < -0.5 && d < 1e-9)) { bad = 1; exit } } END { exit bad || NR != 3 }' angles ||
        fail "$stepper of a rod at rest: $(cat angles err)"
done

# ---- A truss whose coordinates are 0 but for one has a start in binary128, too: corrections of a coordinate that is 0
# need not end. A sentence about poses and a message come through. ----
if [ -x "$BUILD_DIR/stepbench_quad" ]; then
    cat >truss.json <<'J'
{"bodies": {"rod": {"mass": 1, "inertia": 0.08333333333333333, "position": [0.5, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "distance", "bodies": ["ground", "rod"], "points": [[0, 1], [0.5, 0]], "length": 1.4142135623730951}]}
J
    "$STEPBENCH" reference mechanism:file=truss.json --t-end 0.1 -o r.json >out 2>err || fail "reference of a truss: $(cat err)"
    "$STEPBENCH" reference mechanism:file=off.json --t-end 0.1 --goal 1e-30 --halvings 1 -o r.json >out 2>err || true
    grep -q "most of all rod.y, from 0.14 to 0.147760103" err || fail "reference of a rod that is off: $(cat err)"
fi

status=0
"$STEPBENCH" check mechanism:file=nowhere.json >out 2>err || status=$?
[ "$status" -ne 0 ] && grep -q "nowhere.json cannot be read: No such file" err || fail "no file: $status, $(cat err)"
echo "$mistakes mistakes have their sentences"
