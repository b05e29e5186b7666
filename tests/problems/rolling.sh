#!/bin/sh
# Wheels that roll on a plane in space: derivatives, closed forms, and the disk of Euler's angles.
. "$SOURCE_DIR/tests/prelude.sh"

# ---- A wheel of radius 0.5 that leans, in general pose, on a slope: every derivative, one holonomic and two
# nonholonomic rows, and the world that is written. ----
cat >lean.json <<'J'
{"gravity": [1, 2, -9], "time_scale": 0.1,
 "bodies": {"wheel": {"mass": 2, "inertia": [0.3, 0.31, 0.5], "position": [0.3, 0.2, 0.4], "quaternion": [1, 0.6, 0.2, 0.3],
                      "rate": [1, 2, 3]},
            "arm": {"mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [1.3, 0.2, 0.5]}},
 "joints": [{"name": "tyre", "type": "rolling", "bodies": ["ground", "wheel"], "points": [[0, 0, 0.1], [0, 0, 0]],
             "axes": [[0.1, 0.2, 1], [0, 0, 2]], "radius": 0.5},
            {"type": "spherical", "bodies": ["wheel", "arm"], "points": [[0, 0, 0], [-1, 0, 0]]}]}
J
"$STEPBENCH" check mechanism:file=lean.json --points 5 --all >rows 2>err || fail "lean: $(cat rows err)"
grep -q ',nonholonomic.gradient,passed,' rows || fail "lean: no row is checked: $(cat rows)"
grep -q 'rank 8 of 8 rows' err || fail "lean: $(cat err)"
"$STEPBENCH" world mechanism:file=lean.json -o again.json 2>err || fail "lean: $(cat err)"
for file in lean again; do
    "$STEPBENCH" run -p mechanism:file=$file.json -s reg --h 1/1000 --steps 100 --every 100 --columns energy,q0,q1,q8 \
        --format csv 2>err | tail -n 1
done | awk -F, '{ for (i = 1; i <= NF; i++) x[NR, i] = $i }
    END { for (i = 1; i <= 4; i++) if ((x[1, i] - x[2, i]) ^ 2 > 1e-18 * (1 + x[1, i] ^ 2)) exit 1; exit NR != 2 }' ||
    fail "the world that is written rolls otherwise"

# ---- Straight down a slope of g_x = 3: a = 3/(1 + J/(m r^2)) = 3/2; the ground pushes with m (a - 3) along and m g
# across, and nothing turns the wheel about the contact. ----
cat >straight.json <<'J'
{"gravity": [3, 0, -9], "time_scale": 0.1,
 "bodies": {"wheel": {"mass": 2, "inertia": [0.3, 0.3, 0.5], "position": [0, 0, 0.5], "rate": [0, 0, 0],
                      "quaternion": [0.7071067811865476, 0.7071067811865476, 0, 0]}},
 "joints": [{"name": "tyre", "type": "rolling", "bodies": ["ground", "wheel"], "points": [[0, 0, 0], [0, 0, 0]],
             "axes": [[0, 0, 1], [0, 0, 1]], "radius": 0.5}]}
J
"$STEPBENCH" run -p mechanism:file=straight.json -s reg --h 1/1000 --steps 500 --every 500 --format csv \
    --columns wheel.vx,wheel.y,wheel.z,tyre_fx,tyre_fy,tyre_fz,tyre_ty 2>err | tail -n 1 >row
# The force acts at the contact; about the centre its moment is 0.5 F_x.
awk -F, '{ exit !(($1 - 0.75) ^ 2 < 1e-6 && $2 ^ 2 < 1e-20 && ($3 - 0.5) ^ 2 < 1e-12 && ($4 + 3) ^ 2 < 1e-9 && $5 ^ 2 < 1e-12 &&
    ($6 - 18) ^ 2 < 1e-9 && ($7 - 1.5) ^ 2 < 1e-9) }' row || fail "a wheel on a slope: $(cat row err)"

# ---- The disk of Euler's angles rolls and leans: heading 0.5/s, rolling -5/s, from the lean 1.3. Its axis is
# (0, -sin, cos) of the lean, the rates about the vertical and about that axis. The tolerance of
# odeiv2 is 1e-11 per step. ----
awk 'BEGIN { c = cos(1.3); s = sin(1.3)
    printf "{\"gravity\": [0, 0, -9.81], \"bodies\": {\"disk\": {\"mass\": 1, \"inertia\": [0.25, 0.25, 0.5], "
    printf "\"position\": [0, 0, %.17g], \"quaternion\": [%.17g, %.17g, 0, 0], ", s, cos(0.65), sin(0.65)
    printf "\"rate\": [0, %.17g, %.17g]}}, ", 5 * s, 0.5 - 5 * c
    printf "\"joints\": [{\"type\": \"rolling\", \"bodies\": [\"ground\", \"disk\"], \"points\": [[0, 0, 0], [0, 0, 0]], "
    printf "\"axes\": [[0, 0, 1], [0, 0, 1]], \"radius\": 1}]}\n" }' >disk.json
"$STEPBENCH" run -p rolling_disk -s odeiv2:rtol=1e-11 --h 1/100 --t-end 1 --every 100 --columns q0,q1,q3 --format csv 2>err | tail -n 1 >row
"$STEPBENCH" run -p mechanism:file=disk.json -s odeiv2:rtol=1e-11 --h 1/100 --t-end 1 --every 100 --columns q0,q1,q2 --format csv 2>err |
    tail -n 1 >>row
awk -F, 'NR == 1 { x = $1; y = $2; z = sin($3) }
    NR == 2 { good = ($1 - x) ^ 2 + ($2 - y) ^ 2 + ($3 - z) ^ 2 < 1e-16 && x ^ 2 > 1 && y ^ 2 > 1e-2 }
    END { exit !good }' row || fail "a disk that leans: $(cat row err)"

# The check takes points near the start whatever the unit of lengths, here 1 mm: the wheel keeps its axis off the normal.
sed 's/\[3, 0, -9\]/[3000, 0, -9000]/; s/\[0, 0, 0.5\]/[0, 0, 500]/; s/0.3, 0.3, 0.5/75000, 75000, 125000/; s/"radius": 0.5/"radius": 500/' \
    straight.json >mm.json
"$STEPBENCH" check mechanism:file=mm.json --points 2 >out 2>err || fail "a wheel in mm: $(cat out err)"

sed 's/\["ground", "wheel"\]/["wheel", "ground"]/' straight.json >wrong.json
"$STEPBENCH" check mechanism:file=wrong.json >out 2>err && fail "a wheel as the first body passes"
grep -q 'joints\[0\].bodies: in space a wheel rolls on a plane of the ground' err || fail "$(cat err)"
exit 0
