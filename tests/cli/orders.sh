#!/bin/sh
# `order` on a linkage with a stiff spring and a damper: at the default steps the errors do not follow a power of the
# step, and a right method is neither above nor below its claim there.
. "$SOURCE_DIR/tests/prelude.sh"

cat >press.json <<'J'
{"gravity": [0, -9.81],
 "bodies": {"crank": {"mass": 1.2, "inertia": 0.1, "position": [0.4, 0.3], "angle": 0.6435, "rate": 1},
            "rod": {"mass": 0.8, "inertia": 0.02, "position": [1.1, 0.5]},
            "rocker": {"mass": 1, "inertia": 0.08, "position": [1.5, 0.3]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "crank"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["crank", "rod"], "points": [[0.5, 0], [-0.4, 0]]},
            {"type": "revolute", "bodies": ["rod", "rocker"], "points": [[0.4, 0], [0.4, 0]]},
            {"type": "revolute", "bodies": ["rocker", "ground"], "points": [[-0.4, 0], [1.5, 0]]}],
 "springs": [{"bodies": ["ground", "rod"], "points": [[0.8, -0.6], [0, 0]], "stiffness": 80, "length": 0.7, "damping": 2}]}
J
cat >watt.json <<'J'
{"gravity": [0, -9.81],
 "bodies": {"left": {"mass": 1, "inertia": 0.0833, "position": [-0.5, 0.3]},
            "link": {"mass": 0.6, "inertia": 0.01, "position": [0, 0], "angle": 1.4},
            "right": {"mass": 1, "inertia": 0.0833, "position": [0.5, -0.3], "rate": 1}},
 "joints": [{"type": "revolute", "bodies": ["ground", "left"], "points": [[-1, 0.3], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["left", "link"], "points": [[0.5, 0], [0.3, 0]]},
            {"type": "revolute", "bodies": ["link", "right"], "points": [[-0.3, 0], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["right", "ground"], "points": [[0.5, 0], [1, -0.3]]}],
 "springs": [{"bodies": ["ground", "link"], "points": [[0, -1], [0, 0]], "stiffness": 60, "length": 0.8, "damping": 1.5}]}
J
for file in press watt; do
    "$STEPBENCH" order -p "mechanism:file=$file.json" -s spook:eps=0 --columns h,measured,se,verdict | tail -1 >fit
    grep -q ',as_claimed$' fit || fail "$file: spook has order 1 with forces of velocity: $(cat fit)"
done
# The same at three given steps, to which none is added.
"$STEPBENCH" order -p mechanism:file=watt.json -s spook:eps=0 --h 0.005,0.0025,0.00125 --columns h,verdict,decides |
    tail -1 >fit
grep -q ',unclear,smaller steps' fit || fail "three given steps decide nothing: $(cat fit)"

# A pivoted table marks the number: -1.1(14)? has no verdict beside it.
"$STEPBENCH" order -p mechanism:file=watt.json -p oscillator -s spook:eps=0 -s reg --h 0.005,0.0025,0.00125 \
    --columns problem,measured --pivot stepper >wide
grep '^mechanism:file=watt' wide | grep -q ',-*[0-9.]*([0-9]*)?,' || fail "an unclear order is not marked: $(cat wide)"
grep '^oscillator' wide | grep -q '?' && fail "a clear order is marked: $(cat wide)"
# Slopes of the drift: one that may be chance, with its standard error.
"$STEPBENCH" drift -p kepler -s rk4 -s verlet --h 0.02 --t-end 8 --columns quantity,slope,verdict >long
"$STEPBENCH" drift -p kepler -s rk4 -s verlet --h 0.02 --t-end 8 --columns quantity,slope --pivot stepper >wide
unclear=$(grep -c unclear long || true)
[ "$(grep -o '?' wide | wc -l)" -eq "$unclear" ] && [ "$unclear" -gt 0 ] || fail "$unclear unclear slopes: $(cat long wide)"

# The violation of the constraint that a formulation replaces, | |q| - 1 |, is that of the positions.
for formulation in baumgarte:alpha=0,beta=0 penalty; do
    "$STEPBENCH" run -p pendulum:constraint=norm -w $formulation -s rk4 --h 0.02 --steps 100 --every 20 \
        --columns q0,q1,g_max,g_rms | grep -v '^#' >path
    awk -F, 'NR > 1 { g = sqrt($1 * $1 + $2 * $2) - 1; g = g < 0 ? -g : g; d = g - $3; if (d * d > 1e-28 || $3 != $4) { bad = 1; exit }
        if (g > 1e-9) off = 1 } END { exit bad || !off }' path || fail "$formulation: g_max is not | |q| - 1 |: $(cat path)"
done

# A rotor turns 160 times in a time scale: the runs of SPOOK stand still, with an error that does not fall.
cat >rotor.json <<'JSON'
{"bodies": {"rotor": {"mass": 1, "inertia": 0.01, "position": [0.1, 0], "rate": 1000}}, "time_scale": 1,
 "joints": [{"type": "revolute", "bodies": ["ground", "rotor"], "points": [[0, 0], [-0.1, 0]]}]}
JSON
"$STEPBENCH" order -p mechanism:file=rotor.json -s spook --columns verdict,decides >fit || fail "rotor"
grep -q 'unclear,smaller steps: .* a tenth of the motion' fit || fail "steps that do not resolve the motion: $(cat fit)"
