#!/bin/sh
# Cardan joints: the shafts' angles at 0, 45 and 90 degrees, and of two joints in a row; a linkage in other units.
. "$SOURCE_DIR/tests/prelude.sh"

# ---- A shaft along x turns at 2/s and drives another one at the angle b to it: tan(out) = tan(in) cos(b); at a right
# angle the second one stands still. Its bearing lets it slide, so that two rows are redundant. ----
cardan() { # cardan B
    awk -v b="$1" 'BEGIN { c = cos(b); s = sin(b)
        printf "{\"time_scale\": 0.1, \"bodies\": {\"in\": {\"mass\": 1, \"inertia\": [0.1, 0.2, 0.2], \"position\": [-1, 0, 0]}, "
        printf "\"out\": {\"mass\": 1, \"inertia\": [0.3, 0.2, 0.2], \"position\": [%.17g, %.17g, 0], ", c, s
        printf "\"quaternion\": [%.17g, 0, 0, %.17g]}},\n\"joints\": [", cos(b / 2), sin(b / 2)
        printf "{\"type\": \"revolute\", \"bodies\": [\"ground\", \"in\"], \"points\": [[-1, 0, 0], [0, 0, 0]], \"axes\": [[1, 0, 0], [1, 0, 0]]}, "
        printf "{\"type\": \"cylindrical\", \"bodies\": [\"ground\", \"out\"], \"points\": [[0, 0, 0], [0, 0, 0]], \"axes\": [[%.17g, %.17g, 0], [1, 0, 0]]}, ", c, s
        printf "{\"type\": \"universal\", \"bodies\": [\"in\", \"out\"], \"points\": [[1, 0, 0], [-1, 0, 0]], \"axes\": [[0, 0, 1], [0, 1, 0]]}],\n"
        printf "\"drivers\": [{\"bodies\": [\"ground\", \"in\"], \"axes\": [[1, 0, 0], [1, 0, 0]], \"angle\": {\"rate\": 2}}]}\n" }'
}
for b in 0 0.7853981633974483 1.5707963267948966; do
    cardan $b >cardan.json
    "$STEPBENCH" check mechanism:file=cardan.json >out 2>err || fail "cardan $b: $(cat out err)"
    grep -q 'rank 14 of 16 rows; joints\[2\] universal in-out: 2 of 4 rows redundant' err || fail "cardan $b: $(cat err)"
    "$STEPBENCH" run -p mechanism:file=cardan.json -s spook --h 1/500 --t-end 0.7 --every 350 \
        --columns out.e0,out.e1 --format csv 2>err | tail -n 1 >row
    # The quaternion is that of the turn b about z and the turn out about x. At this step the error of spook is 4e-6.
    awk -F, -v b=$b '{ out = atan2(sin(1.4) * cos(b), cos(1.4)); if (cos(b) < 1e-9) out = 0
        exit !(($1 - cos(b / 2) * cos(out / 2)) ^ 2 < 1e-10 && ($2 - cos(b / 2) * sin(out / 2)) ^ 2 < 1e-10) }' row ||
        fail "a Cardan joint at $b: $(cat row err)"
done

# ---- Two joints in a row, forks in one plane, parallel shafts: the last one turns as the first one. ----
cat >double.json <<'J'
{"time_scale": 0.1, "bodies": {
  "in": {"mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [-1, 0, 0]},
  "mid": {"mass": 1, "inertia": [0.3, 0.2, 0.2], "position": [0.8, 0.6, 0], "quaternion": [0.9486832980505138, 0, 0, 0.31622776601683794]},
  "out": {"mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [2.6, 1.2, 0]}},
 "joints": [
  {"type": "revolute", "bodies": ["ground", "in"], "points": [[-1, 0, 0], [0, 0, 0]], "axes": [[1, 0, 0], [1, 0, 0]]},
  {"type": "universal", "bodies": ["in", "mid"], "points": [[1, 0, 0], [-1, 0, 0]], "axes": [[0, 0, 1], [0, 1, 0]]},
  {"type": "universal", "bodies": ["mid", "out"], "points": [[1, 0, 0], [-1, 0, 0]], "axes": [[0, 1, 0], [0, 0, 1]]},
  {"type": "revolute", "bodies": ["ground", "out"], "points": [[2.6, 1.2, 0], [0, 0, 0]], "axes": [[1, 0, 0], [1, 0, 0]]}],
 "drivers": [{"bodies": ["ground", "in"], "axes": [[1, 0, 0], [1, 0, 0]], "angle": {"rate": 2}}]}
J
"$STEPBENCH" run -p mechanism:file=double.json -s spook --h 1/500 --t-end 0.7 --every 350 --columns mid.e1,out.e0,out.e1 \
    --format csv 2>err | tail -n 1 >row
awk -F, '{ mid = atan2(sin(1.4) * 0.8, cos(1.4))
    exit !(($1 - 0.9486832980505138 * sin(mid / 2)) ^ 2 < 1e-10 && ($2 - cos(0.7)) ^ 2 < 1e-10 && ($3 - sin(0.7)) ^ 2 < 1e-10) }' row ||
    fail "two Cardan joints: $(cat row err)"

# ---- A four-bar with lengths times L and masses times M: the angles stay, forces are M L times those of 1. ----
bars() { # bars L M
    awk -v L="$1" -v M="$2" 'BEGIN {
        printf "{\"gravity\": [0, %.17g], \"independent\": [\"crank.angle\"], \"bodies\": {", -9.81 * L
        printf "\"crank\": {\"mass\": %.17g, \"inertia\": %.17g, \"position\": [0, %.17g], \"angle\": 1.5, \"rate\": 2}, ", M, M * L * L / 48, 0.25 * L
        printf "\"coupler\": {\"mass\": %.17g, \"inertia\": %.17g, \"position\": [%.17g, %.17g], \"angle\": 0.3}, ", 3 * M, M * L * L / 2, 0.7 * L, 0.75 * L
        printf "\"rocker\": {\"mass\": %.17g, \"inertia\": %.17g, \"position\": [%.17g, %.17g], \"angle\": 1.6}},\n\"joints\": [", 2 * M, M * L * L / 6, 1.45 * L, 0.5 * L
        printf "{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"crank\"], \"points\": [[0, 0], [%.17g, 0]]}, ", -0.25 * L
        printf "{\"type\": \"revolute\", \"bodies\": [\"crank\", \"coupler\"], \"points\": [[%.17g, 0], [%.17g, 0]]}, ", 0.25 * L, -0.75 * L
        printf "{\"type\": \"revolute\", \"bodies\": [\"coupler\", \"rocker\"], \"points\": [[%.17g, 0], [%.17g, 0]]}, ", 0.75 * L, 0.5 * L
        printf "{\"type\": \"revolute\", \"bodies\": [\"ground\", \"rocker\"], \"points\": [[%.17g, 0], [%.17g, 0]]}]}\n", 1.5 * L, -0.5 * L }'
}
for scale in '1 1' '1e-3 1e-6' '1e3 1'; do
    # shellcheck disable=SC2086
    set -- $scale
    bars "$1" "$2" >bars.json
    "$STEPBENCH" run -p mechanism:file=bars.json -s rattle --h 1/500 --t-end 0.5 --every 250 --format csv \
        --columns crank.angle,rocker.angle,pin_fx,pin_fy 2>err | tail -n 1 | awk -F, -v L="$1" -v M="$2" '
            { printf "%.17g %.17g %.17g %.17g\n", $1, $2, $3 / L / M, $4 / L / M }'
done >rows
awk 'NR == 1 { for (i = 1; i <= 4; i++) first[i] = $i }
    { for (i = 1; i <= 4; i++) if (!(($i - first[i]) ^ 2 <= 1e-20 * (1 + first[i] ^ 2))) { bad = 1; exit } }
    END { exit bad || !(NR == 3 && first[3] ^ 2 > 1) }' rows || fail "a linkage in other units: $(cat rows)"

# ---- The compliance of spook has a unit, 1/mass here: with masses in mg the default is too large, and run says so; with
# that of kg over 1e6 the angles are those of kg, and there is nothing to say. ----
for spook in '1 spook' '1e6 spook' '1e6 spook:eps=1e-14'; do
    bars 1 "${spook% *}" >bars.json
    "$STEPBENCH" run -p mechanism:file=bars.json -s "${spook#* }" --h 1/500 --t-end 0.5 --every 250 --format csv \
        --columns crank.angle,rocker.angle 2>err | tail -n 1
    sed -n '/is violated by/p' err >>notes
done >rows
awk -F, '{ x[NR] = $1; y[NR] = $2 } END { far = (x[2] - x[1]) ^ 2 + (y[2] - y[1]) ^ 2
    exit !(NR == 3 && far > 0.01 && (x[3] - x[1]) ^ 2 + (y[3] - y[1]) ^ 2 < 1e-20) }' rows || fail "a linkage in mg: $(cat rows)"
grep -q 'spook on mechanism:file=bars.json: at t = 0.5 the holonomic constraint 6 (joints\[3\] revolute ground-rocker) is violated by .*: a smaller eps (1e-08 here' notes &&
    test "$(wc -l <notes)" = 1 || fail "notes of a linkage in mg: $(cat notes)"

# ---- Moments of inertia that no body has, as of mixed units, are reported by check. ----
echo '{"time_scale": 1, "bodies": {"a": {"mass": 1, "inertia": [0.1, 0.2, 300]}}}' >mixed.json
"$STEPBENCH" check mechanism:file=mixed.json >out 2>err && fail "moments that no body has pass"
grep -q 'data,.*failed.*bodies.a.inertia: no body has these moments of inertia: 300 exceeds the sum of the others, 0.3' out ||
    fail "mixed units: $(cat out err)"
