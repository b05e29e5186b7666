#!/bin/sh
# Problems written from formulas: they pass `check` and move as their twins that are written by hand. The files and
# commands of docs/adding-a-problem.md work.
. "$SOURCE_DIR/tests/prelude.sh"

PATH=$(dirname "$STEPBENCH"):$PATH
INCLUDE=$SOURCE_DIR/include
export PATH INCLUDE PYTHONDONTWRITEBYTECODE=1
cp "$SOURCE_DIR/python/stepbench_derive.py" .

# ---- The page: its files are written, and its commands run in order. ----
page "$SOURCE_DIR/docs/adding-a-problem.md"
sh -e part1.sh >hand.out 2>&1 || fail "the page's problem by hand: $(cat hand.out)"
grep -q "^my_henon,V_qq,.*,passed," hand.out || fail "check says nothing: $(cat hand.out)"

command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
if ! python3 -c 'import sympy' 2>/dev/null; then
    status=0
    python3 stepbench_derive.py henon.py >out 2>err || status=$?
    [ "$status" -eq 1 ] && grep -q "no SymPy; install" err && [ ! -s out ] ||
        fail "without SymPy: exit status $status, $(cat err)"
    echo "no SymPy here: formulas are not tested"
    exit 77
fi
sh -e part3.sh >file.out 2>&1 || fail "the page's mechanism: $(cat file.out)"
sh -e part4.sh >names.out 2>&1 || fail "the page's names: $(cat names.out)"
sh -e part2.sh >derived.out 2>&1 || fail "the page's derived problems: $(cat derived.out)"
grep -q '^  T &= \\frac{.*\\dot{x_{1}}^{2}.*}{2}.* \\\\$' linkage.tex && grep -q '^  g_{2} &= .*c^{2}' linkage.tex ||
    fail "no formulas for LaTeX: $(cat linkage.tex)"
sh -e part5.sh >ball.out 2>&1 || fail "the page's ball: $(cat ball.out)"
sh -e part6.sh >world.out 2>&1 || fail "the page's world: $(cat world.out)"
if [ -x "$BUILD_DIR/stepbench_quad" ]; then
    sh -e part7.sh >reference.out 2>&1 || fail "the page's reference: $(cat reference.out)"
    grep -q "^errors at most .*e-1[5-9] in q" reference.out && [ -s linkage.svg ] || fail "no bound: $(cat reference.out)"
fi

sh -e part8.sh >picture.out 2>&1 || fail "the page's picture: $(cat picture.out)"
[ "$(grep -o '"lines":[^"]*' elastic.html | grep -o ',1\]' | wc -l)" -eq 2 ] || fail "its two springs are not drawn as springs"

# ---- By hand and derived are the same motion, to the round-off that a hundred steps add up. ----
build() { # build NAME: the plug-in, which passes `check`
    "$CC" -std=c11 -O2 -Wall -Wextra -Wconversion -Wshadow -Werror -D_DEFAULT_SOURCE -I"$INCLUDE" -DSB_PLUGIN \
        -shared -fPIC "$1.c" -o "$1.so" || fail "$1.c does not compile"
    stepbench check --plugin "./$1.so" "$1" --points 10 2>err >rows || fail "$1: $(cat err rows)"
}
states() { # states FILE COLUMNS...: of the last row
    awk -F, -v columns="$2" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { line = $0 }
        END { split(line, x, ","); k = split(columns, c, ","); for (i = 1; i <= k; i++) print x[at[c[i]]] }' "$1"
}
twins() { # twins ORIGINAL PLUGIN NAME STEPPER COLUMNS
    rm -f first last
    for problem in "$1" "$3"; do
        stepbench run --plugin "./$2.so" -p "$problem" -s "$4" --h 1/100 --steps 100 --every 100 --columns "$5" \
            --format csv >rows.csv
        [ ! -f last ] || mv last first
        states rows.csv "$5" >last
    done
    [ "$(grep -c . first)" -ge 4 ] || fail "$1: no states: $(cat rows.csv)"
    paste first last | awk '{ d = $1 - $2; if (d < 0) d = -d; if (!(d <= 1e-11)) { print; exit 1 } }' ||
        fail "$1 and $3 move apart"
}
cat >pendulum.py <<'P'
name = "derived_pendulum"
brief = "planar pendulum"
reference = "landau76"
x, y, vx, vy = coordinates("x y")
a = parameter("g", 9.81)
T, V = (vx**2 + vy**2) / 2, a * y
g = [(x**2 + y**2 - 1) / 2]
start = ([sin(1), -cos(1)], [0, 0])
time_scale = 1 / sqrt(a)
P
cat >spherical.py <<'P'
name = "derived_spherical"
brief = "spherical pendulum in angles"
reference = "landau76"
theta, phi, vtheta, vphi = coordinates("theta phi")
T = (vtheta**2 + sin(theta)**2 * vphi**2) / 2
V = -9.81 * cos(theta)
symmetries = {"Jz": [0, 1]}
start = ([1, 0.5], [0.2, 1.5])
time_scale = 0.3
P
cat >kepler.py <<'P'
name = "derived_kepler"
brief = "Kepler's problem"
reference = "landau76"
x, y, vx, vy = coordinates("x y")
T, V = (vx**2 + vy**2) / 2, -1 / sqrt(x**2 + y**2)
symmetries = {"L": [-y, x]}
start = ([0.4, 0], [0, 2])
time_scale = 0.25
P
cat >hoop.py <<'P'
name = "derived_hoop"
brief = "bead on a turning hoop"
reference = "goldstein02"
x, y, z, vx, vy, vz = coordinates("x y z")
Omega = parameter("Omega", 4)
T, V = (vx**2 + vy**2 + vz**2) / 2, 9.81 * z
g = [(x**2 + y**2 + z**2 - 1) / 2, y * cos(Omega * t) - x * sin(Omega * t)]
start = ([sin(0.5), dependent(0.1), dependent(-1)], [cos(0.5), dependent(), dependent()])
time_scale = 0.1
P
cat >trap.py <<'P'
name = "derived_trap"
brief = "ion in a quadrupole trap"
reference = "paul90"
x, y, vx, vy = coordinates("x y")
T, V = (vx**2 + vy**2) / 2, (0.02 - 0.8 * cos(2 * t)) * (x**2 - y**2) / 2
start = ([1, 0.5], [0, 0.3])
time_scale = 0.5
P
# One process for all of them: loading SymPy takes longer than most of these problems.
cp "$SOURCE_DIR"/tests/python/derive/*.py .
python3 - pendulum hoop trap spherical kepler dsp symmetric_top planets crank andrews twins twins_constrained \
    twins_spatial governor <<'P' || fail "no C file of formulas"
import sys
from stepbench_derive import Model, Writer
for name in sys.argv[1:]:
    model = Model(name + ".py")
    with open(model.space["name"] + ".c", "w", encoding="utf-8") as file:
        file.write(Writer(model).build())
P
build derived_pendulum
build top # of the page
build derived_hoop
build derived_trap
stepbench check --plugin ./derived_trap.so derived_trap --all >rows
grep -q "^derived_trap,V_t,potential.rate,passed" rows || fail "V_t is not checked: $(cat rows)"
# A wrong entry of an edited file is named, also if it is wrong by 1e-9.
sed '/^static int constraint_rate/,/^}/s/out\[1\] = \(.*\);/out[1] = (\1) * SB_R(1.000000001);/' derived_hoop.c >edited.c
status=0
stepbench check --plugin edited.c derived_hoop >rows 2>err || status=$?
[ "$status" -eq 3 ] && grep -q "^derived_hoop,g_t,.*failed.*row 1 of g_t is .*, but differences of g in time give" rows ||
    fail "a wrong g_t: exit status $status, $(cat err rows)"
build derived_spherical
build derived_kepler
build derived_dsp
build derived_top
for stepper in rattle "spook:eps=0"; do
    twins pendulum:constraint=square derived_pendulum derived_pendulum "$stepper" q0,q1,v0,v1,lambda0
done
for stepper in lobatto_iiia_b bdf:order=3,index=2s; do
    twins hoop derived_hoop derived_hoop "$stepper" q0,q1,q2,v0,v1,v2,lambda0,lambda1
done
twins heavy_top top top lie_variational q0,q1,q2,q3,q4,q5,q6,v0,v1,v2,v3,v4,v5,v6,lambda0
for stepper in verlet midpoint; do
    twins paul_trap derived_trap derived_trap "$stepper" q0,q1,v0,v1
done
for stepper in rk4 midpoint; do
    twins kepler:e=0.6 derived_kepler derived_kepler "$stepper" q0,q1,v0,v1
    twins spherical_pendulum:theta0=1,phi0=0.5,thetadot0=0.2,phidot0=1.5 derived_spherical derived_spherical \
        "$stepper" q0,q1,v0,v1
done

# In quadruple precision they are the same motion to 1e-18: decimals and starts have all digits.
last() { # last FILE: the numbers of the last sample of a reference
    python3 -c 'import json, sys; s = json.load(open(sys.argv[1]))["samples"][-1]; print(*s["q"], *s["v"], sep="\n")' "$1"
}
if [ -x "$BUILD_DIR/stepbench_quad" ]; then
    stepbench reference pendulum:constraint=square --t-end 1/2 -o hand.json >out || fail "hand.json: $(cat out)"
    stepbench reference --plugin derived_pendulum.c derived_pendulum --t-end 1/2 -o derived.json >out ||
        fail "derived.json: $(cat out)"
    last hand.json >first
    last derived.json >last
    [ "$(grep -c . first)" -eq 4 ] || fail "no sample: $(cat hand.json)"
    python3 -c 'import sys; from decimal import Decimal as D
sys.exit(any(abs(D(a) - D(b)) > D("1e-18") for a, b in zip(open("first"), open("last"))))' ||
        fail "other digits: $(paste first last)"
    sed 's/sb_scalar/double/g' derived_pendulum.c >double.c
    for file in ./derived_pendulum.so double.c; do
        status=0
        stepbench reference --plugin $file derived_pendulum --t-end 1/2 -o other.json >out 2>err || status=$?
        [ "$status" -eq 2 ] && [ ! -e other.json ] && tail -1 err | grep -q "for each$\|sb_scalar; see" ||
            fail "$file: exit status $status, $(cat err)"
    done
fi

# apart TOLERANCE ORIGINAL NAME H COLUMNS [OPTIONS]: a hundred steps of rk4.
apart() {
    tolerance=$1 original=$2 name=$3 h=$4 list=$5
    shift 5
    build "$name"
    for problem in "$original" "$name"; do
        stepbench run --plugin "./$name.so" -p "$problem" "$@" -s rk4 --h "$h" --steps 100 --every 100 \
            --columns "$list" --format csv | tail -1 | tr , '\n' >"$problem.last"
    done
    paste "$original.last" "$name.last" | awk -v most="$tolerance" '{ d = $1 - $2; if (d < 0) d = -d
        if (!(d <= most)) { print; bad = 1; exit } n++ } END { exit bad || n < 12 }' || fail "$original and $name move apart"
}
# A hundred roundings of positions of the size 10, and of rates of 150.
apart 1e-12 outer_solar_system:planets=2 derived_planets 20 q0,q3,q4,q5,q6,q7,q8,v0,v3,v4,v5,v6
apart 1e-12 andrews derived_andrews 1e-5 q0,q1,q2,q3,q4,q5,q6,v0,v1,v2,v3,v4,v5,v6 -w baumgarte
apart 1e-12 flexible_slider_crank:E=2e11 derived_crank 1e-6 q0,q1,q2,q3,q4,q5,q6,v1,v2,v3,v4,v5,v6 -w baumgarte

# Several problems at once: their twins are one system, whose coordinates and velocities from FIRST on are theirs.
# Without twins: contacts and dry friction, which formulas do not express (bouncing_ball, block_incline, stack,
# newtons_cradle, painleve_rod); a singular mass (rigid_body), which its exact solution checks; a table
# (shaken_pendulum) and a description (mechanism), which tests/problems compare with built-in problems.
build derived_twins
build derived_constrained
build derived_spatial
columns() { # columns FIRST COUNT: "q2,q3,v2,v3"
    awk -v first="$1" -v count="$2" 'BEGIN { for (c = 0; c < 2; c++) for (i = first; i < first + count; i++)
        printf("%s%s%d", (c + i > first ? "," : ""), (c ? "v" : "q"), i) }'
}
beside() { # beside SYSTEM PROBLEM FIRST COUNT [FORMULATION]
    system=$1
    shift
    rm -f first last
    for problem in "$1" "$system"; do
        part=$(columns "$([ "$problem" = "$system" ] && echo "$2" || echo 0)" "$3")
        with=$([ "$problem" = "$system" ] && echo baumgarte || echo "${4-}")
        "$STEPBENCH" run --plugin "./$system.so" -p "$problem" ${with:+-w "$with"} -s rk4 --h 1/200 --steps 100 \
            --every 100 --columns "$part" --format csv >rows.csv || fail "$problem: no run"
        states rows.csv "$part" >"$([ "$problem" = "$system" ] && echo last || echo first)"
    done
    [ "$(grep -c . first)" -eq $((2 * $3)) ] || fail "$1: no states: $(cat rows.csv)"
    # A hundred steps of stages with some ten roundings of values up to 10.
    paste first last | awk '{ d = $1 - $2; if (d < 0) d = -d; if (!(d <= 1e-12)) { print; exit 1 } }' ||
        fail "$1 and its twin move apart"
}
beside derived_twins henon_heiles 0 2
beside derived_twins double_pendulum 2 2
beside derived_twins fput:m=2 4 4
beside derived_twins slider_crank_sundials 8 3 baumgarte
beside derived_constrained oscillator:omega=3,gamma=0.4 0 1
beside derived_constrained plane 1 2 baumgarte
beside derived_constrained knife_edge 3 3 baumgarte
beside derived_constrained chaplygin_sleigh 6 3 baumgarte
beside derived_constrained rolling_disk 9 5 baumgarte
beside derived_constrained car_axis 14 5 baumgarte
beside derived_constrained thread:n=2,angle=1 19 4 baumgarte
beside derived_constrained slider_crank 23 9 baumgarte
beside derived_constrained four_bar:N=1 32 4 baumgarte
beside derived_constrained heavy_top 36 7 baumgarte
beside derived_constrained rod_chain:n=2,theta0=1 43 8 baumgarte
beside derived_constrained star:arms=2,theta0=1 51 12 baumgarte
beside derived_constrained ladder:N=1 63 16 baumgarte
beside derived_spatial slider_crank_3d:offset=0.3,phi0=0.5,omega0=2 0 21 baumgarte
beside derived_spatial bricard:rate=1 21 35 baumgarte

# The governor's twin has other coordinates: the same height and rate, to what some 100 steps of errors 1e-13 add up to.
build derived_governor
for problem in flyball_governor derived_governor; do
    stepbench run --plugin ./derived_governor.so -p "$problem" -s odeiv2:rtol=1e-13 --h 1/5 --steps 1 \
        --columns height,rate --format csv >rows.csv
    states rows.csv height,rate >"$problem.last"
done
paste flyball_governor.last derived_governor.last | awk '{ d = $1 - $2; if (d < 0) d = -d; if (!(d <= 1e-11)) { bad = 1; exit }
    n++ } END { exit bad || n < 2 }' || fail "other governors: $(cat ./*_governor.last)"

# ---- A start that is left to a solve: the pivot where two circles meet, or a sentence. ----
stepbench run --plugin linkage.c -p linkage:b=2 -s rattle --h 1/1000 --steps 1 --columns q0,q1,q2,q3,v0,v1,v2,v3 \
    --format csv | grep '^[0-9]' | sed -n 1p >start.csv
python3 - start.csv <<'P' || fail "the start of linkage: $(cat start.csv)"
import sys
from math import hypot, sqrt
x1, y1, x, y, vx1, vy1, vx, vy = [float(s) for s in open(sys.argv[1]).read().split(",")[-8:]]
a, b, c, d = 1, 2, 2.5, 3
length = hypot(a, d)
along = (b**2 - c**2 + length**2) / (2 * length)
across = sqrt(b**2 - along**2)
near = lambda got, want: abs(got - want) <= 1e-14
# The rocker's pivot turns about (d, 0); its velocity along the coupler is that of the crank's pivot.
rate = (x - x1) / (-(x - x1) * y + (y - y1) * (x - d))
sys.exit(not all((near(x, (along * d + across * a) / length), near(y, a + (across * d - along * a) / length),
                  near(vx, -y * rate), near(vy, (x - d) * rate), near(vx1, 1), near(vy1, 0))))
P
unsolved() { # unsolved NAME PARAMETERS SENTENCE
    status=0
    stepbench check --plugin "$1.c" "linkage:$2" >out 2>err || status=$?
    [ "$status" -eq 2 ] && grep -q "linkage: the solve for a consistent start $3" err || fail "$1:$2: $status, $(cat err out)"
}
unsolved linkage b=9 "ends .* off row [12] of the holonomic"
# The rocker stays where crank and coupler reach its pivot stretched; and two velocities of the rocker's pivot stay.
sed 's/moves_q\[\] = .*/moves_q[] = {true, true, false, false};/' linkage.c >stretched.c
unsolved stretched b=2.905124837953327 "is singular: .* rank 1 in the 2 free coordinates, 2 in all"
sed 's/moves_v\[\] = .*/moves_v[] = {false, true, false, false};/' linkage.c >fast.c
unsolved fast c=2.5 "ends .* off row 1 of the holonomic constraints; .* free more velocities"

# ---- What cannot be derived gets a sentence. ----
{ cat spherical.py; echo "T = vtheta**3"; } >wrong.py
status=0
python3 stepbench_derive.py wrong.py >out 2>err || status=$?
[ "$status" -eq 1 ] && grep -q "second degree" err && [ ! -s out ] || fail "exit status $status, $(cat err)"
python3 - <<'P' || fail "a mistake passes"
import re
from stepbench_derive import Model
with open("spherical.py", encoding="utf-8") as file:
    right = file.read()
for wanted, line in (("not on t", "T = (1 + t) * vtheta**2"),
                     ("V and g do not depend on velocities", "V = vphi"),
                     ("3 components for 2 coordinates", "f = [1, 2, 3]"),
                     ("start needs", "start = ([1], [1])"),
                     ("no constraints to solve for", "start = ([dependent(), 1], [0, 0])"),
                     ("does not set name", "del name"),
                     ("the name 'a b' is no word", "name = 'a b'"),
                     ("the name 'phi' is taken", "parameter('phi', 1)"),
                     ("line 10: .*; write a power as", "V = theta^2"),
                     ("line 10: .*; write Max, Min, Abs or Piecewise", "V = max(theta, 0)"),
                     ("a Piecewise has no value", "V = Piecewise((theta, theta > 0))"),
                     (r"rows\[0\] is not A\(q\) v = w\(t\)", "rows = [(vtheta * vphi, 0)]"),
                     (r"rows\[1\] is not A\(q\) v = w\(t\)", "rows = [(vphi, 1), (vphi + theta, 1)]"),
                     (r"rows\[0\] is not A\(q\) v = w\(t\)", "rows = [(vphi, Abs(vtheta))]"),
                     (r"rows\[0\] is not A\(q\) v = w\(t\)", "rows = [(t, 1)]"),
                     ("wrong.py, line 10: name 'foo'", "V = foo")):
    with open("wrong.py", "w", encoding="utf-8") as file:
        file.write(right + line + "\n")
    try:
        Model("wrong.py")
        raise AssertionError(line)
    except SystemExit as error:
        assert re.search(wanted, str(error)), f"{line}: {error}"
P
{ cat spherical.py; echo "import sympy; V = sympy.besselj(0, theta)"; } >wrong.py
python3 stepbench_derive.py wrong.py >out 2>err && fail "besselj is derived"
grep -q "no function in C for besselj" err && [ ! -s out ] || fail "besselj: $(cat err)"

# ---- Cases: V = Max(x, 0)^2/2 + k Min(x, 0)^2/2 is a spring of stiffness 1 for x > 0 and k = 4 for x < 0, a period of
# pi (1 + 1/2) = 4.712389; |x| gives parabolas, 4 sqrt(2 x0/g) for a period: x0 = 1/2, g = 1. Names of the file are
# known to events and columns. ----
cat >cases.py <<'P'
name = "cases"
brief = "every function with a kink"
x, y, z, vx, vy, vz = coordinates("x y z")
k = parameter("k", 4, 0)
T = (vx**2 + vy**2 + vz**2) / 2
V = Max(x, 0)**2 / 2 + k * Min(x, 0)**2 / 2 + Abs(y)
f = [0, 0, -Piecewise((sign(z) * 2, vz < 0), (2 * sign(z), True)) / 2]
outputs = {"far": (abs(x - y), "m", "a distance", False)}
start = ([1, 0.5, 0.5], [0, 0, 0])
time_scale = 0.5
P
python3 stepbench_derive.py cases.py >cases.c || fail "cases"
build cases
for name in x y z; do
    stepbench period --plugin ./cases.so -p cases -s 'adaptive(rk4):rtol=1e-10' --h 0.25 --t-end 40 --event $name=0 \
        --format csv >rows.csv || fail "events of $name"
    states rows.csv period
done >periods
awk -v pi=3.141592653589793 '{ want = NR == 1 ? 1.5 * pi : 4; if (($1 - want) ^ 2 > 1e-12) { print; bad = 1; exit } } END { exit bad || NR != 3 }' \
    periods || fail "periods of springs with cases: $(cat periods)"
stepbench run --plugin ./cases.so -p cases -s rk4 --h 0.1 --t-end 3 --event vx=-0.5 --columns t,x,vx,far --format csv \
    >rows.csv || fail "columns of names"
grep -q '^t,x,vx,far$' rows.csv && [ "$(grep -c -- ',-0.5[0-9e-]*,' rows.csv)" -eq 2 ] || fail "columns of names: $(cat rows.csv)"

# ---- A row with a constant, on either side: vx = 2 - t moves a point from 0 to 3/2 in 1 s. ----
cat >pulled.py <<'P'
name = "pulled"
brief = "a point with a given velocity"
x, y, vx, vy = coordinates("x y")
T = (vx**2 + vy**2) / 2
V = x
rows = [(vx - 2, -t)]
start = ([0, 0], [2, 0])
time_scale = 1
P
python3 stepbench_derive.py pulled.py >pulled.c || fail "pulled"
build pulled
stepbench run --plugin ./pulled.so -p pulled -s radau_iia --h 1/10 --t-end 1 --every 10 --columns x >rows.csv
[ "$(states rows.csv x | awk '{ print ($1 - 1.5) ^ 2 < 1e-20 }')" = 1 ] || fail "a row with a constant: $(cat rows.csv)"
echo "formulas become problems"
