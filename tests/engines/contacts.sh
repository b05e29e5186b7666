#!/bin/sh
# Engines with contacts: an engine of balls has the closed forms; the laws of contact are measured from its motion alone;
# what is wrong with it is found; engines that do not say that they take contacts get none; MJCF has them.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
balls="python3 $SOURCE_DIR/tests/engines/balls.py"
slides=mechanism:file=$SOURCE_DIR/problems/mechanisms/sphere_slides.json

# A sphere that slides and then rolls loses 2/7 of its energy of 25 J to friction, as the work of the forces that its
# motion needs, and obeys Coulomb's law: 5 numbers to the 2^-30 that the rows of contacts are regularized by.
measure() { "$STEPBENCH" --engine "$balls" "$@" 2>err | grep '^-\{0,1\}[0-9]'; }
measure balance -p "$slides" -s balls --h 1/100 --columns lost,friction,contacts,constraints,defect >rows
awk -F, '{ exit !(($1 - 50 / 7) ^ 2 < 1e-18 && ($2 - 50 / 7) ^ 2 < 1e-14 && $3 ^ 2 + $4 ^ 2 < 1e-18 && $5 ^ 2 < 1e-14) }' rows ||
    fail "balance of the balls: $(cat rows err)"
laws=penetration,adhesion,product,cone,driving,normal
measure complementarity -p "$slides" -s balls --h 1/100 --columns $laws >rows
awk -F, '{ exit !($1 <= 1e-14 && $2 <= 1e-12 && $3 <= 1e-12 && $4 < 1e-7 && $5 < 1e-7 && ($6 - 2 * 9.81) ^ 2 < 1e-14) }' rows ||
    fail "laws of the balls: $(cat rows err)"
# A friction of 2 mu exceeds its bound by mu m g; each step of a floor that gives way goes down by another h^2 g/10.
measure complementarity -p "$slides" -s balls:fault=friction --h 1/100 --columns cone >rows
awk '{ exit !(($1 - 0.25 * 2 * 9.81) ^ 2 < 1e-12) }' rows || fail "too much friction: $(cat rows err)"
measure complementarity -p "$slides" -s balls:fault=sunk --h 1/100 --t-end 0.5 --columns penetration >rows
awk '{ exit !($1 > 1e-3) }' rows || fail "a ball in the floor: $(cat rows err)"
# Sphere on sphere, and in the plane: momentum is kept, and an elastic impact keeps the energy; restitution 1.1 does not.
for fault in none restitution; do
    measure balance -p newtons_cradle:n=2,r=0.05 -s balls:fault=$fault --h 1/100 --t-end 0.3 --columns lost,contacts >rows
    awk -F, -v sign=$fault '{ exit !(sign == "none" ? $1 ^ 2 < 1e-24 : $1 < -0.01 && ($1 - $2) ^ 2 < 1e-12) }' rows ||
        fail "an elastic impact, $fault: $(cat rows err)"
done
# What the motion does not determine is not measured: the same contact twice.
sed 's/"contacts": \[\(.*\)\]/"contacts": [\1, \1]/' "$SOURCE_DIR/problems/mechanisms/sphere_slides.json" >twice.json
measure complementarity -p mechanism:file=twice.json -s balls --h 1/100 --t-end 0.1 --columns penetration,normal >rows
grep -q '^[-0-9.e]*,$' rows || fail "forces of dependent contacts: $(cat rows err)"

# `check` finds a right contact right, and names a wrong coefficient or radius alone.
sphere=mechanism:file=$SOURCE_DIR/problems/mechanisms/sphere_bounces.json
two=mechanism:file=$SOURCE_DIR/problems/mechanisms/two_spheres.json
"$STEPBENCH" --engine "$balls" check balls -p "$slides" -p "$sphere" -p "$two" -p bouncing_ball >rows 2>err ||
    fail "check of the balls: $(cat rows err)"
named() { # named FAULT PROBLEM CHECK SENTENCE
    "$STEPBENCH" --engine "$balls" check "balls:fault=$1" -p "$2" --columns check,verdict,message >rows 2>err && fail "$1 passes"
    [ "$(grep -c ',failed,' rows)" -eq 1 ] && grep -q "^$3,failed,.*$4" rows || fail "$1 on $2: $(cat rows err)"
}
named friction "$slides" friction 'the friction of floor and ball is 0.5, and ours 0.25'
named friction "$two" friction 'the friction of one and two is 0.2, and ours 0.1'
named restitution "$sphere" restitution 'the restitution of floor and ball is 0.55, and ours 0.5'
named radius "$sphere" gaps 'the radius of ball is 1.1 times ours'
# Contacts that begin with an overlap and feed a fifth of it back: a test that began at the gap 0 would find an overlap of
# a step and the restitution 0.2. It begins with a hundred round-offs of the engine, here of single precision.
sed 's/"name": "balls"/"name": "balls", "precision": 32/; s/wanted = max.*/wanted = max(-0.2 * gap \/ h, rebound) if gap < 0.0 else -math.inf/' \
    "$SOURCE_DIR/tests/engines/balls.py" >late.py
PYTHONPATH="$SOURCE_DIR/engines" "$STEPBENCH" --engine "python3 late.py" check balls -p "$slides" >rows 2>err ||
    fail "late contacts: $(cat rows err)"
for stepper in reg moreau; do # of ours, in the plane and in space, boxes and a rod
    "$STEPBENCH" check $stepper -p stack:n=2 -p block_incline -p bouncing_ball >rows 2>err ||
        fail "check of $stepper: $(cat rows err)"
done
incline=mechanism:file=$SOURCE_DIR/problems/mechanisms/box_incline.json
"$STEPBENCH" check reg -p "$incline" -p painleve_rod >rows 2>err || fail "check of reg: $(cat rows err)"

# The height of a bounce is e^2 of 1 m, to a step, by the helper of each language. The fall takes 452 steps.
bounces() { # bounces COMMAND STEPPER PROBLEM COLUMN HEIGHT
    "$STEPBENCH" --engine "$1" run -p "$3" -s "$2" --h 1/1000 --t-end 0.9 --columns "$4" 2>err | grep '^-\{0,1\}[0-9]' >rows
    awk -v e="$5" 'NR > 460 && $1 > top { top = $1 } END { exit !((top - e) ^ 2 < 1e-4) }' rows || fail "$2 on $3: $(cat err)"
}
bounces "$balls" balls bouncing_ball q0 0.49
if command -v node >/dev/null; then
    bounces "node $SOURCE_DIR/tests/engines/beads.mjs" beads bouncing_ball q0 0.49
fi
if command -v g++ >/dev/null; then
    g++ -std=c++17 -O2 -o free "$SOURCE_DIR/tests/engines/free.cpp" || fail "engine.hpp does not compile"
    bounces ./free free "$sphere" q2 0.35 # 0.25 above the floor, and the radius
fi

# A state that contacts alone make one that cannot be set again: it is set once, as that of a stepper with state `none`.
falling="python3 $SOURCE_DIR/tests/engines/states.py"
"$STEPBENCH" --engine "$falling pure none" run -p bouncing_ball -s falling --h 1/100 --t-end 0.2 >rows 2>err ||
    fail "a state with contacts: $(cat err)"
for analysis in blowup contract; do
    "$STEPBENCH" --engine "$falling pure none" $analysis -p bouncing_ball -s falling --columns status >rows 2>err || true
    grep -q 'it takes steps from many states, and the state of the stepper cannot be restored' rows ||
        fail "$analysis of a state with contacts: $(cat rows err)"
done
status=0
"$STEPBENCH" --engine "$falling pure some" show falling >out 2>err || status=$?
[ $status -eq 2 ] && grep -q 'in which contacts is not true, false, or "none"' err || fail "wrong contacts: $status $(cat err)"

# Refusals: by the engine, and for one that does not say that it takes contacts.
status=0
"$STEPBENCH" --engine "$balls" run -p stack:n=2 -s balls --steps 1 >out 2>err || status=$?
[ $status -eq 2 ] && grep -q 'its bodies are spheres about their centres of mass' err || fail "a stack of boxes: $(cat err)"
status=0
"$STEPBENCH" --engine "python3 $SOURCE_DIR/tests/engines/tiny.py" run -p "$slides" -s tiny --steps 1 >out 2>err || status=$?
[ $status -eq 2 ] && grep -q 'tiny does not take .*: it cannot handle unilateral contacts' err || fail "no contacts: $(cat err)"

# MJCF: geoms that touch in pairs only; what it lacks is refused.
"$STEPBENCH" world "$slides" --format mjcf >model.xml || fail "MJCF"
grep -q '<geom type="sphere" name="ball" size="0.1" pos="0 0 0" contype="0" conaffinity="0"/>' model.xml &&
    grep -q '<pair geom1="floor" geom2="ball" friction="0.25 0.25 0 0 0" condim="3"/>' model.xml || fail "$(cat model.xml)"
for refused in "bouncing_ball no.restitution,.as.contacts" "painleve_rod no.radius.0,.as.the.shape.rod"; do
    set -- $refused
    "$STEPBENCH" world $1 --format mjcf >out 2>err && fail "MJCF of $1"
    grep -q "$2" err || fail "MJCF of $1: $(cat err)"
done
