#!/bin/sh
# Motions from formulas, whose answers are known in closed form.
. "$SOURCE_DIR/tests/prelude.sh"

python3 -c 'import sympy' 2>/dev/null || exit 77
PATH=$(dirname "$STEPBENCH"):$PATH
export PATH PYTHONDONTWRITEBYTECODE=1
python3 "$SOURCE_DIR/python/stepbench_derive.py" --help | grep -q 'FILE.py sets what' || fail "no help"

derive() { # derive NAME: NAME.c from NAME.py, which passes `check`
    python3 "$SOURCE_DIR/python/stepbench_derive.py" "$1.py" >"$1.c" 2>err || fail "$1: $(cat err)"
    stepbench check --plugin "$1.c" "$1" >rows 2>err || fail "check of $1: $(cat err rows)"
}
cell() { # cell COLUMN ARGUMENTS...: of the last row of a command
    column=$1
    shift
    stepbench "$@" --columns "$column" --format csv >cells.csv 2>err || fail "stepbench $*: $(cat err)"
    tail -1 cells.csv
}

# Hill's equations: an epicycle x = cos(Omega t), y = -2 sin(Omega t) of the frequency Omega = 2, by a force of the
# velocity. The limit of rk4 is 2 sqrt 2/Omega; the guiding centre vy + 2 Omega x = 0 has the round-off of its terms.
cat >hill.py <<'P'
name = "hill"
brief = "an epicycle in a shearing sheet that turns with Omega"
x, y, vx, vy = coordinates("x y")
Omega = parameter("Omega", 2)
T = (vx**2 + vy**2) / 2
V = -3 * Omega**2 * x**2 / 2
f = [2 * Omega * vy, -2 * Omega * vx]
outputs = {"guide": (vy + 2 * Omega * x, "", "its guiding centre, conserved", True)}
start = ([1, 0], [0, -4])
time_scale = 1 / Omega
P
derive hill
cell omega,h_limit advise --plugin hill.c -p hill -s rk4 --h 0.1 |
    awk -F, '{ a = $1 - 2; b = $2 - sqrt(2); exit !(a * a < 1e-16 && b * b < 1e-12) }' || fail "advise: $(cat cells.csv)"
cell h_limit stability --plugin hill.c -p hill -s rk4 --cells 1 |
    awk '{ b = $1 - sqrt(2); exit !(b * b < 1e-9) }' || fail "stability: $(cat cells.csv)"
[ "$(cell verdict drift --plugin hill.c -p hill -s midpoint --h 0.05 --t-end 500)" = none ] || fail "drift: $(cat cells.csv)"

# x = (t - 1)(t - 3)(t - 4): a stepper with error control passes zero three times in one step of the run, and obeys its
# tolerance there.
cat >roots.py <<'P'
name = "roots"
brief = "a motion that passes zero at t = 1, 3 and 4"
x, vx = coordinates("x")
T, V = vx**2 / 2, 0
f = [6 * t - 16]
start = ([-12], [19])
time_scale = 2
P
derive roots
stepbench run --plugin roots.c -p roots -s odeiv2 --h 5 --t-end 5 --event x=0 --columns t --format csv >rows.csv
awk '!/^[#t]/ { n++; want = n == 1 ? 1 : n + 1; if (($1 - want) ^ 2 > 1e-16) { bad = 1; exit } } END { exit bad || n != 3 }' rows.csv ||
    fail "the passages of a cubic: $(cat rows.csv)"

# A start near a singularity: `check` takes smaller differences there.
cat >moon.py <<'P'
name = "moon"
brief = "restricted three-body problem beside the smaller body"
x, y, vx, vy = coordinates("x y")
mu = parameter("mu", 0.05)
T = (vx**2 + vy**2) / 2
V = -(x**2 + y**2) / 2 - (1 - mu) / sqrt((x + mu)**2 + y**2) - mu / sqrt((x - 1 + mu)**2 + y**2)
f = [2 * vy, -2 * vx]
start = ([0.952, 0], [0, -6.5])
time_scale = 0.001
P
derive moon

# A pulley without mass, between 5 kg and a second pulley with 3 kg and 2 kg: the acceleration is (5 - m)/(5 + m) g with
# m = 4 x 3 x 2/5. Steppers that need the inverse of M refuse it and name others.
cat >atwood.py <<'P'
name = "atwood"
brief = "two pulleys, one of them movable and without mass"
x, p, y, z, vx, vp, vy, vz = coordinates("x p y z")
mp = parameter("mp", 0)
T = (5 * vx**2 + mp * vp**2 + 3 * vy**2 + 2 * vz**2) / 2
V = 9.81 * (5 * x + mp * p + 3 * y + 2 * z)
g = [x + p, y + z - 2 * p]
start = ([0, 0, 0, 0], [0, 0, 0, 0])
time_scale = 0.3
P
derive atwood
for s in del radau_iia odeiv2 generalized_alpha bdf; do
    cell x run --plugin atwood.c -p atwood -s $s --h 1/50 --steps 50 --every 50 |
        awk '{ d = $1 + 9.81 * 0.2 / 9.8 / 2; exit !(d * d < 1e-20) }' || fail "a pulley by $s: $(cat cells.csv)"
done
cell x run --plugin atwood.c -p atwood:mp=2 -s rattle --h 1/50 --steps 50 --every 50 |
    awk '{ d = $1 - 9.81 * 1.8 / 11.8 / 2; exit !(d * d < 1e-20) }' || fail "a pulley with mass: $(cat cells.csv)"
stepbench run --plugin atwood.c -p atwood -s spook --steps 1 >rows 2>err && fail "spook takes a singular mass"
grep -q 'cannot handle a mass matrix that is singular off the .* tangent space; take .*radau_iia.*, del, ' err ||
    fail "spook on a singular mass: $(cat err)"

# Rows that are quadratic in the velocities are refused in a sentence.
cat >square.py <<'P'
name = "square"
brief = "a speed that stays one"
x, y, vx, vy = coordinates("x y")
T, V = (vx**2 + vy**2) / 2, y
rows = [(vx**2 + vy**2, 1)]
start = ([0, 0], [1, 0])
time_scale = 1
P
status=0
python3 "$SOURCE_DIR/python/stepbench_derive.py" square.py >square.c 2>err || status=$?
[ $status -eq 1 ] && grep -q 'rows\[0\] is not A(q) v = w(t): velocities enter to the first degree' err ||
    fail "rows of the second degree: $(cat err)"

# Three bodies on a line through one in the middle, in quadruple precision: the middle one rests, and the others follow
# Kepler's law about it with the mass 1 + 1/4, on a circle of radius 1: x = cos(sqrt(5/4) t).
cat >line.py <<'P'
name = "line"
brief = "two bodies on a circle about a third one"
x1, y1, x2, y2, x3, y3, vx1, vy1, vx2, vy2, vx3, vy3 = coordinates("x1 y1 x2 y2 x3 y3")
T = (vx1**2 + vy1**2 + vx2**2 + vy2**2 + vx3**2 + vy3**2) / 2
V = -1 / sqrt((x1 - x2)**2 + (y1 - y2)**2) - 1 / sqrt((x1 - x3)**2 + (y1 - y3)**2) - 1 / sqrt((x2 - x3)**2 + (y2 - y3)**2)
w = sqrt(5) / 2
start = ([1, 0, 0, 0, -1, 0], [0, w, 0, 0, 0, -w])
time_scale = 0.5
P
derive line
if [ -x "$BUILD_DIR/stepbench_quad" ]; then
    stepbench --precision=quad --plugin line.c run -p line -s gauss:stages=6 --h 1/32 --t-end 1 --every 32 \
        --columns x1 --format csv >rows.csv 2>err || fail "three bodies in quadruple precision: $(cat err)"
    python3 - "$(tail -1 rows.csv)" <<'P' || fail "three bodies in quadruple precision: $(cat rows.csv)"
import sys
from sympy import Float, Rational, cos, sqrt
found, expected = Float(sys.argv[1], 34), cos(sqrt(Rational(5, 4))).evalf(34)
sys.exit(int(bool(abs(found - expected) > Float("1e-22", 34))))
P
fi

# ---- From formulas to a checked problem, a reference, a diagram and advice, as a JSON mechanism goes: a crank that moves
# a slider against a spring, whose limits, orders and errors are those of its bodies and joints. ----
cat >slide.py <<'P'
name = "slide"
brief = "a crank that moves a slider against a spring"
a, x, va, vx = coordinates("a x")
T = Rational(1, 100) * va**2 + Rational(1, 2) * vx**2
V = 200 * (x - Rational(1, 2))**2
g = [((x - cos(a) / 5)**2 + (sin(a) / 5)**2 - Rational(1, 4)) / 2]
start = ([1, dependent(0.57)], [2, dependent()])
time_scale = 0.05
P
derive slide
cat >slide.json <<'J'
{"time_scale": 0.05, "independent": ["crank.angle"], "bodies": {"crank": {"mass": 1, "inertia": 0.02, "angle": 1, "rate": 2},
  "slider": {"mass": 1, "inertia": 1, "position": [0.57, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "crank"], "points": [[0, 0], [0, 0]]},
  {"type": "distance", "bodies": ["crank", "slider"], "points": [[0.2, 0], [0, 0]], "length": 0.5},
  {"type": "prismatic", "bodies": ["ground", "slider"], "points": [[0, 0], [0, 0]], "axes": [[1, 0], [1, 0]]}],
 "springs": [{"bodies": ["ground", "slider"], "points": [[-9.5, 0], [0, 0]], "stiffness": 400, "length": 10}]}
J
${CC:-cc} -O1 -D_DEFAULT_SOURCE -DSB_PLUGIN -I"$SOURCE_DIR/include" -shared -fPIC slide.c -o slide.so
for problem in 'slide --plugin ./slide.so' mechanism:file=slide.json; do
    reference=auto
    # shellcheck disable=SC2086
    if [ -x "$BUILD_DIR/stepbench_quad" ]; then
        reference=made.json
        stepbench reference $(echo "$problem" | sed 's/so$/c/') --t-end 0.2 --goal 1e-10 -o made.json >out 2>err || fail "$problem: $(cat err)"
    fi
    for command in 'workprec --h 0.02,0.01 --t-end 0.2 --plot slide.svg --columns err_q --reference '$reference 'advise --h 1/1000 --columns h_limit' \
        'order --t-end 0.5 --h 0.02,0.01,0.005 --columns measured' 'blowup --steps 300 --tol 1e-3 --columns h_measured' \
        'stability --cells 4 --columns h_limit'; do
        # shellcheck disable=SC2086
        stepbench $command -p $problem -s rattle --format csv 2>err | tail -n 1
    done | paste -s -d, -
done >rows
[ -s slide.svg ] || fail "formulas: no diagram"
awk -F, '{ for (i = 1; i <= NF; i++) x[NR, i] = $i } END { if (NR != 2 || NF != 5) exit 1
    for (i = 1; i <= 5; i++) if (!(x[1, i] > 0 && (x[1, i] / x[2, i] - 1) ^ 2 < 1e-4)) exit 1
    exit !((x[1, 3] - 2) ^ 2 < 1e-3) }' rows || fail "formulas and joints: $(cat rows err)"
