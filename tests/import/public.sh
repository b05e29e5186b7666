#!/bin/sh
# Mechanisms that people brought, each from its file to a check, a reference, a diagram of work and precision, and advice
# on the step; those with a closed form to that, too.
. "$SOURCE_DIR/tests/prelude.sh"

# `check` passes and says what the mechanism is; the errors of a stepper with three halved steps against a reference in
# quadruple precision fall by 2^order, to 15 %; `advise` answers.
chain() { # chain FILE "RANK of ROWS" FREEDOM "STEPPER OPTIONS" ORDER END STEPS ADVICE [STEPPER OF THE ADVICE]
    file=$1.json rank=$2 freedom=$3 stepper=$4 order=$5 end=$6 step=$7 advice=$8
    "$STEPBENCH" check "mechanism:file=$file" --points 2 >rows 2>err || fail "$file: $(cat rows err)"
    grep -q "rank $rank rows of constraints; degrees of freedom: $freedom;" err || fail "$file: $(cat err)"
    reference=auto
    if [ -x "$BUILD_DIR/stepbench_quad" ]; then
        reference=made.json
        "$STEPBENCH" reference "mechanism:file=$file" --t-end "$end" --h "$end" --goal 1e-9 -o made.json >out 2>err ||
            fail "$file: $(cat err)"
    fi
    # shellcheck disable=SC2086
    "$STEPBENCH" workprec -p "mechanism:file=$file" -s $stepper --t-end "$end" --h "$step" --reference $reference \
        --columns err_q,status --plot diagram.svg --format csv >rows 2>err || fail "$file: $(cat err)"
    grep -v '^#' rows | awk -F, -v order="$order" 'NR > 1 { error[NR - 1] = $1; plateau += $2 == "plateau" }
        END { for (i = 1; i < 3 && order > 0; i++) { r = error[i] / error[i + 1] / 2 ^ order; if (!(r > 0.85 && r < 1.15)) exit 1 }
              exit !(NR == 4 && (order > 0 || plateau == 3)) }' || fail "$file: $(cat rows)"
    grep -q '<svg' diagram.svg || fail "$file: no diagram"
    # shellcheck disable=SC2086
    "$STEPBENCH" advise -p "mechanism:file=$file" -s ${9:-$stepper} --h 1/1000 --t-end 0.05 --columns safe,h_limit,part,advice --format csv \
        >rows 2>err || fail "$file: $(cat err)"
    tail -n 1 rows | grep -q "^$advice" || fail "$file: $(cat rows)"
}
run() { # run FILE "STEPPER OPTIONS" TIME COLUMNS: the last line
    # shellcheck disable=SC2086
    "$STEPBENCH" run -p "mechanism:file=$1.json" -s $2 --t-end "$3" --every 100000 --columns "$4" --format csv 2>err | tail -n 1 >row
    [ -s row ] || fail "$1: $(cat err)"
}
radau='radau_iia:stages=3,index=2s --h 1/200'
free='keep h: nothing oscillates or decays'

# A crank that is driven: no degree of freedom.
cat >crank.json <<'J'
{"bodies": {"crank": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "crank"], "points": [[0, 0], [-0.5, 0]]}],
 "drivers": [{"name": "motor", "bodies": ["ground", "crank"], "angle": {"rate": 3}}]}
J
chain crank '3 of 3' 0 reg 2 0.4 0.05,0.025,0.0125 "yes,inf,,\"$free"

# A door on two hinges against a torque: angle t - t^2/J, J = 16/15 + 20 0.4^2.
cat >door.json <<'J'
{"gravity": [0, 0, -9.81],
 "bodies": {"door": {"mass": 20, "inertia": [6.6667, 7.7333, 1.0666666666666667], "position": [0.4, 0, 1], "rate": [0, 0, 1]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "door"], "points": [[0, 0, 0.3], [-0.4, 0, -0.7]], "axes": [[0, 0, 1], [0, 0, 1]]},
            {"type": "revolute", "bodies": ["ground", "door"], "points": [[0, 0, 1.7], [-0.4, 0, 0.7]], "axes": [[0, 0, 1], [0, 0, 1]]}],
 "forces": [{"body": "door", "axis": [0, 0, 1], "torque": {"offset": -2}}]}
J
chain door '6 of 11' 1 reg:c=1e-10 2 0.1 0.02,0.01,0.005 yes,
run door 'odeiv2 --h 1' 1 door.x,door.y
awk -F, '{ a = 1 - 1 / (16 / 15 + 3.2); exit !(($1 - 0.4 * cos(a)) ^ 2 + ($2 - 0.4 * sin(a)) ^ 2 < 1e-16) }' row || fail "door: $(cat row)"

# A rod that a pin and a rod of half its length hold.
cat >double_pin.json <<'J'
{"gravity": [0, -9.81], "bodies": {"rod": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "distance", "bodies": ["ground", "rod"], "points": [[0, 0], [0, 0]], "length": 0.5}]}
J
chain double_pin '2 of 3' 1 reg:c=1e-10 2 0.1 0.02,0.01,0.005 yes,

# A ball of 10 kg on a rod of 10 g.
cat >light_rod.json <<'J'
{"gravity": [0, -9.81], "bodies": {"rod": {"mass": 0.01, "inertia": 0.0008333333333333334, "position": [0.5, 0]},
                                   "ball": {"mass": 10, "inertia": 0.04, "position": [1, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["rod", "ball"], "points": [[0.5, 0], [0, 0]]}]}
J
chain light_rod '4 of 4' 2 rattle 2 0.1 0.02,0.01,0.005 yes,

# A four-bar linkage with a motor.
cat >motor.json <<'J'
{"gravity": [0, -9.81],
 "bodies": {"crank": {"mass": 0.5, "inertia": 0.00375, "position": [0.08, 0.13], "angle": 1},
            "coupler": {"mass": 1, "inertia": 0.083, "position": [0.6, 0.5], "angle": 0.6},
            "rocker": {"mass": 0.8, "inertia": 0.043, "position": [1, 0.4], "angle": 1.6}},
 "joints": [{"type": "revolute", "bodies": ["ground", "crank"], "points": [[0, 0], [-0.15, 0]]},
            {"type": "revolute", "bodies": ["crank", "coupler"], "points": [[0.15, 0], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["coupler", "rocker"], "points": [[0.5, 0], [0.4, 0]]},
            {"type": "revolute", "bodies": ["ground", "rocker"], "points": [[1, 0], [-0.4, 0]]}],
 "forces": [{"body": "crank", "torque": {"offset": 20}}]}
J
chain motor '8 of 8' 1 radau_iia:stages=2,index=2s 3 0.04 0.008,0.004,0.002 yes,0. reg
# Its crank gains speed. With one halving the goal is met for a part of the time alone, and the file holds to its bound.
if [ -x "$BUILD_DIR/stepbench_quad" ]; then
    "$STEPBENCH" reference mechanism:file=motor.json --t-end 0.3 --samples 6 --halvings 1 --goal 1e-9 -o short.json >out 2>err || fail "motor: $(cat err)"
    grep -q '^the goal, 1e-09 of the size, is met up to t = 0\.[12][0-9]*, of 6 samples: gauss:stages=5,tol=1e-13 has no more --halvings$' out ||
        fail "motor: $(cat out)"
    "$STEPBENCH" reference mechanism:file=motor.json --t-end 0.15 --goal 1e-9 -o made.json >out 2>err || fail "motor: $(cat err)"
    [ "$(wc -l <out)" -eq 1 ] || fail "motor: $(cat out)"
    "$STEPBENCH" --precision=quad run -p mechanism:file=motor.json -w baumgarte -s gauss:stages=2 --h 1/200 --steps 1 \
        --columns crank.angle,crank.vangle --format csv >row 2>err || fail "motor: $(cat err)"
    awk -F, 'NR > 1 { a[NR] = $1; v = $2 } END { exit !(v > 1 && (a[3] - a[2] - v / 400) ^ 2 < 1e-9) }' row || fail "motor: $(cat row)"
fi

# A rod that is pinned at both ends, and one on a pin and a stay: at rest, without an error.
cat >pinned.json <<'J'
{"bodies": {"rod": {"mass": 1, "inertia": 0.08, "position": [0.5, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["ground", "rod"], "points": [[1, 0], [0.5, 0]]}]}
J
chain pinned '3 of 4' 0 spook 0 0.4 0.1,0.05,0.025 yes,inf
cat >stay.json <<'J'
{"bodies": {"rod": {"mass": 1, "inertia": 0.08, "position": [0.5, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "distance", "bodies": ["ground", "rod"], "points": [[0, 1], [0.5, 0]], "length": 1.4142135623730951}]}
J
chain stay '3 of 3' 0 rattle 0 0.4 0.1,0.05,0.025 "yes,inf,,\"$free"

# A rod of which the rate alone is given.
cat >rate.json <<'J'
{"bodies": {"rod": {"mass": 1, "inertia": 0.083, "position": [0.5, 0], "rate": 1}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]}]}
J
chain rate '2 of 2' 1 rattle 2 0.4 0.1,0.05,0.025 yes,
run rate "$radau" 0.4 rod.angle,rod.vy
awk -F, '{ exit !(($1 - 0.4) ^ 2 + ($2 - 0.5 * cos(0.4)) ^ 2 < 1e-20) }' row || fail "rate: $(cat row)"

# A cart on a stiff spring with a damper, critically damped at omega = 628, with an initial velocity. The
# largest stable step of reg is 2 (sqrt(2) - 1)/omega.
cat >rest.json <<'J'
{"bodies": {"cart": {"mass": 1, "inertia": 1, "position": [1, 0], "velocity": [1, 0]}},
 "joints": [{"type": "prismatic", "bodies": ["ground", "cart"], "points": [[0, 0], [0, 0]], "axes": [[1, 0], [1, 0]]}],
 "springs": [{"bodies": ["ground", "cart"], "points": [[-1, 0], [0, 0]], "stiffness": 394384, "length": 2, "damping": 1256}]}
J
chain rest '2 of 2' 1 radau_iia:stages=2,index=2s 3 0.004 0.0004,0.0002,0.0001 'yes,0.001319.*,springs\[0\] ground-cart' reg

# A pulse of a force in a table: x = the integral of F(s) sin(t - s), F = 100 (s - 0.4) to 0.5 and back to 0 at 0.6.
cat >pulse.json <<'J'
{"bodies": {"cart": {"mass": 1, "inertia": 1}}, "time_scale": 1,
 "springs": [{"bodies": ["ground", "cart"], "points": [[-1000, 0], [0, 0]], "stiffness": 1, "length": 1000}],
 "forces": [{"bodies": ["ground", "cart"], "point": [0, 0], "axis": [1, 0],
             "force": {"table": [[0, 0], [0.4, 0], [0.5, 10], [0.6, 0], [9, 0]], "interpolation": "linear"}}],
 "joints": [{"type": "prismatic", "bodies": ["ground", "cart"], "points": [[0, 0], [0, 0]], "axes": [[1, 0], [1, 0]]}]}
J
chain pulse '2 of 2' 1 radau_iia:stages=2,index=2s 3 1 0.1,0.05,0.025 'yes,2,springs\[0\]' reg
run pulse "$radau" 1 cart.x
awk '{ exit !(($1 - 100 * (2 * sin(0.5) - sin(0.6) - sin(0.4))) ^ 2 < 1e-18) }' row || fail "pulse: $(cat row)"

# A linkage of Watt with a spring and a damper.
cat >watt.json <<'J'
{"gravity": [0, -9.81],
 "bodies": {"left": {"mass": 1, "inertia": 0.0833, "position": [-0.5, 0.3]},
            "coupler": {"mass": 0.6, "inertia": 0.01, "position": [0, 0], "angle": 1.4},
            "right": {"mass": 1, "inertia": 0.0833, "position": [0.5, -0.3], "rate": 1}},
 "joints": [{"type": "revolute", "bodies": ["ground", "left"], "points": [[-1, 0.3], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["left", "coupler"], "points": [[0.5, 0], [0.3, 0]]},
            {"type": "revolute", "bodies": ["coupler", "right"], "points": [[-0.3, 0], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["right", "ground"], "points": [[0.5, 0], [1, -0.3]]}],
 "springs": [{"bodies": ["ground", "coupler"], "points": [[0, -1], [0, 0]], "stiffness": 60, "length": 0.8, "damping": 1.5}]}
J
chain watt '8 of 8' 1 radau_iia:stages=2,index=2s 3 0.1 0.02,0.01,0.005 'yes,.*,springs\[0\] ground-coupler' reg

# A platform on six cranks that turn alike, by 0.3 + 0.4 sin(5 t): with the tip of a crank at the radius R and the height Z,
# z = Z + sqrt(0.16 - R^2 - 0.04 + 2 0.2 R cos(25 degrees)).
awk 'BEGIN { pi = atan2(0, -1); turn = pi / 3
    printf "{\"gravity\": [0, 0, -9.81], \"bodies\": {\"platform\": {\"mass\": 5, \"inertia\": [0.05, 0.05, 0.1], \"position\": [0, 0, 0.36]}"
    for (k = 0; k < 6; k++) {
        a = turn * k; c = cos(a / 2); s = sin(a / 2); C = cos(0.15); S = sin(0.15); R = 0.3 + 0.05 * cos(0.3)
        printf ",\n\"crank%d\": {\"mass\": 0.2, \"inertia\": [1e-4, 2e-4, 2e-4], \"position\": [%.17g, %.17g, %.17g], ", k, R * cos(a), R * sin(a), 0.05 * sin(0.3)
        printf "\"quaternion\": [%.17g, %.17g, %.17g, %.17g]}", c * C, s * S, -c * S, s * C
    }
    printf "},\n\"joints\": ["
    for (k = 0; k < 6; k++) {
        a = turn * k; b = a + (k % 2 ? 1 : -1) * 25 * pi / 180
        printf "%s{\"type\": \"revolute\", \"bodies\": [\"ground\", \"crank%d\"], \"points\": [[%.17g, %.17g, 0], [-0.05, 0, 0]], ", k ? ",\n" : "", k, 0.3 * cos(a), 0.3 * sin(a)
        printf "\"axes\": [[%.17g, %.17g, 0], [0, -1, 0]]}, ", sin(a), -cos(a)
        printf "{\"type\": \"distance\", \"bodies\": [\"crank%d\", \"platform\"], \"points\": [[0.05, 0, 0], [%.17g, %.17g, 0]], \"length\": 0.4}", k, 0.2 * cos(b), 0.2 * sin(b)
    }
    printf "],\n\"drivers\": ["
    for (k = 0; k < 6; k++) {
        a = turn * k
        printf "%s{\"bodies\": [\"ground\", \"crank%d\"], \"axes\": [[%.17g, %.17g, 0], [0, -1, 0]], ", k ? ",\n" : "", k, sin(a), -cos(a)
        printf "\"angle\": {\"amplitude\": 0.4, \"frequency\": 5}}"
    }
    print "]}" }' >platform.json
chain platform '49 of 49' 0 reg 2 0.01 0.01,0.005,0.0025 "yes,inf,,\"$free"
run platform 'radau_iia:stages=2,index=2s --h 0.05' 0.2 platform.x,platform.y,platform.z
awk -F, '{ a = 0.3 + 0.4 * sin(1); R = 0.3 + 0.1 * cos(a); Z = 0.1 * sin(a); pi = atan2(0, -1)
    z = Z + sqrt(0.12 - R * R + 0.4 * R * cos(25 * pi / 180)); exit !($1 ^ 2 + $2 ^ 2 + ($3 - z) ^ 2 < 1e-20) }' row || fail "platform: $(cat row)"

# A leg of Jansen's walker, by the lengths of its bars, from a crank at 0.5 rad. The toe follows from triangles.
awk -v t=0.1 '
    function meet(p, q, a, b, side, to,    dx, dy, d, x, y) { # the point at a from p and b from q, on one side of the line
        dx = X[q] - X[p]; dy = Y[q] - Y[p]; d = sqrt(dx * dx + dy * dy)
        x = (a * a + d * d - b * b) / (2 * d); y = side * sqrt(a * a - x * x)
        X[to] = X[p] + (x * dx - y * dy) / d; Y[to] = Y[p] + (x * dy + y * dx) / d
    }
    function leg(angle) {
        X["o"] = Y["o"] = 0; X["f"] = -0.38; Y["f"] = -0.078
        X["c"] = 0.15 * cos(angle); Y["c"] = 0.15 * sin(angle)
        meet("f", "c", 0.415, 0.5, 1, "u"); meet("f", "u", 0.401, 0.558, 1, "w"); meet("f", "c", 0.393, 0.619, -1, "k")
        meet("w", "k", 0.394, 0.367, 1, "h"); meet("h", "k", 0.657, 0.49, 1, "toe")
    }
    function bar(name, mass, p, q) { # centre in the middle, along the first axis; at[name, POINT] is where a point is
        printf "%s\"%s\": {\"mass\": %g, \"inertia\": %.4g, \"position\": [%.3f, %.3f], \"angle\": %.3f", comma, name, mass, mass * 0.02,
            (X[p] + X[q]) / 2, (Y[p] + Y[q]) / 2, atan2(Y[q] - Y[p], X[q] - X[p])
        comma = "},\n"
        half[name] = sqrt((X[q] - X[p]) ^ 2 + (Y[q] - Y[p]) ^ 2) / 2; from[name] = p; to[name] = q
    }
    function point(name, p,    c, s, dx, dy) {
        if (name == "ground") return sprintf("[%.17g, %.17g]", X[p], Y[p])
        c = (X[to[name]] - X[from[name]]) / half[name] / 2; s = (Y[to[name]] - Y[from[name]]) / half[name] / 2
        dx = X[p] - (X[from[name]] + X[to[name]]) / 2; dy = Y[p] - (Y[from[name]] + Y[to[name]]) / 2
        return sprintf("[%.17g, %.17g]", c * dx + s * dy, c * dy - s * dx)
    }
    function pin(a, b, p) {
        printf "%s{\"type\": \"revolute\", \"bodies\": [\"%s\", \"%s\"], \"points\": [%s, %s]}", comma, a, b, point(a, p), point(b, p)
        comma = ",\n"
    }
    BEGIN {
        leg(0.5 + 20 * t)
        printf "%.17g,%.17g\n", X["toe"], Y["toe"] >"toe"
        leg(0.5)
        printf "{\"gravity\": [0, -9.81], \"bodies\": {"
        bar("crank", 0.3, "o", "c"); bar("j", 0.5, "u", "c"); bar("k", 0.6, "k", "c"); bar("upper", 1, "f", "u")
        bar("low", 0.4, "f", "k"); bar("side", 0.4, "w", "h"); bar("foot", 1.2, "h", "k")
        printf "}},\n\"independent\": [\"crank.angle\"], \"outputs\": {\"toe\": {\"body\": \"foot\", \"point\": %s}},\n\"joints\": [", point("foot", "toe")
        comma = ""
        pin("ground", "crank", "o"); pin("crank", "j", "c"); pin("crank", "k", "c"); pin("j", "upper", "u"); pin("ground", "upper", "f")
        pin("ground", "low", "f"); pin("k", "low", "k"); pin("upper", "side", "w"); pin("side", "foot", "h"); pin("low", "foot", "k")
        print "]}"
    }' >leg.json
chain leg '20 of 20' 1 rattle 2 0.04 0.02,0.01,0.005 "yes,inf,,\"$free" reg
# Its crank turns at 20/s.
sed 's/"joints"/"drivers": [{"bodies": ["ground", "crank"], "angle": {"offset": 0.5, "rate": 20}}], &/' leg.json >driven.json
run driven "$radau" 0.1 toe_x,toe_y
cat toe >>row
awk -F, '{ x[NR] = $1; y[NR] = $2 } END { exit !(NR == 2 && (x[1] - x[2]) ^ 2 + (y[1] - y[2]) ^ 2 < 1e-20) }' row || fail "leg: $(cat row)"
