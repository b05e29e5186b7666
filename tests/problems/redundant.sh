#!/bin/sh
# Redundant constraints are found before a run, named by their joints, and refused by steppers that cannot take them.
. "$SOURCE_DIR/tests/prelude.sh"

# A parallelogram whose coupler hangs on three cranks: the third crank has three coordinates and four rows, of which one
# follows from the others. Without it the motion is the same. `unit` scales lengths.
cranks() { # cranks COUNT UNIT
    awk -v n="$1" -v u="$2" 'BEGIN {
        printf "{\"gravity\": [0, %.17g], \"bodies\": {\"bar\": {\"mass\": 2, \"inertia\": %.17g, \"position\": [%.17g, %.17g]}", -9.81 * u, 0.5 * u * u, u, 0.6 * u
        for (k = 0; k < n; k++) printf ", \"crank%d\": {\"mass\": 1e-3, \"inertia\": %.17g, \"position\": [%.17g, %.17g], \"angle\": 0.9273}", k, 1e-4 * u * u, (k + 0.3) * u, 0.4 * u
        printf "}, \"independent\": [\"crank0.angle\"], \"joints\": ["
        for (k = 0; k < n; k++) {
            printf "%s{\"type\": \"revolute\", \"bodies\": [\"ground\", \"crank%d\"], \"points\": [[%.17g, 0], [%.17g, 0]]},", (k > 0 ? "," : ""), k, k * u, -0.5 * u
            printf "{\"type\": \"revolute\", \"bodies\": [\"crank%d\", \"bar\"], \"points\": [[%.17g, 0], [%.17g, 0]]}", k, 0.5 * u, (k - 1) * u
        }
        printf "], \"forces\": [{\"body\": \"bar\", \"torque\": {\"offset\": %.17g}}]}\n", 0 * u
    }'
}
refuses() { # refuses SENTENCE ARGUMENTS...
    sentence=$1
    shift
    "$STEPBENCH" run -p "$p" "$@" --h 0.001 --steps 2 >out 2>err && fail "$p, $*: passes"
    grep -q "$sentence" err || fail "$p, $*: $(cat err)"
}
cranks 2 1 >two.json
named="cannot handle redundant constraints (rank 11 of 12 rows; joints\[5\] revolute crank2-bar: 1 of 2 rows redundant); take odeiv2; or a stepper for forces with -w baumgarte; with a compliance"
for unit in 1e-5 1 1e5; do
    p=mechanism:file=three$unit.json
    cranks 3 $unit >three$unit.json
    refuses "del does not take $p: it $named" -s del
done
p=mechanism:file=three1.json
"$STEPBENCH" check "$p" >out 2>err || fail "$p: $(cat err out)"
grep -q "$p has redundant constraints: rank 11 of 12 rows; joints\[5\] revolute crank2-bar: 1 of 2 rows redundant" err ||
    fail "$p: $(cat err)"
"$STEPBENCH" check mechanism:file=two.json >out 2>err || fail "two cranks: $(cat err out)"
grep -q redundant err && fail "two cranks: $(cat err)"
refuses "reg with c=0 does not take $p: it $named" -s reg
refuses "spook with eps=0 does not take" -s spook:eps=0
refuses "projection(rk4) does not take" -s 'projection(rk4)'

# These steppers take it, and move it as they move the linkage with two cranks: to the error that
# their compliance leaves, 1e-8 times forces of 20 N; odeiv2 to its tolerance. With -w baumgarte every stepper does.
run() { # run FILE STEPPER: the angle of the first crank after 0.3 s
    # shellcheck disable=SC2086
    "$STEPBENCH" run -p "mechanism:file=$1" -s $2 --h 0.001 --steps 300 --every 300 --columns q5,work,balance 2>err | tail -1
}
for s in odeiv2:rtol=1e-9 spook reg:c=1e-9 gauss_seidel_spook:eps=1e-9,sweeps=200 variational_regularized 'rk4 -w baumgarte'; do
    three=$(run three1.json "$s")
    [ -n "$three" ] || fail "$s on three cranks: $(cat err)"
    two=$(run two.json "$s")
    echo "$three,$two" | awk -F, '{exit !(NF == 6 && ($1 - $4)^2 < 1e-8 && $1 < 0.9 && $2 == $2 + 0 && ($3)^2 < 1e-4)}' || fail "$s: $three on three cranks, $two on two"
done
# A door on two hinges has the reference of the door on one.
door() { # door HINGES
    awk -v n="$1" 'BEGIN {
        printf "{\"gravity\": [0, 0, -9.81], \"bodies\": {\"door\": {\"mass\": 20, \"inertia\": [6.7, 7.7, 1.07], \"position\": [0.5, 0, 1], \"rate\": [0, 0, 1]}}, \"joints\": ["
        for (k = 0; k < n; k++) printf "%s{\"type\": \"revolute\", \"bodies\": [\"ground\", \"door\"], \"points\": [[0, 0, %g], [-0.5, 0, %g]], \"axes\": [[0, 0, 1], [0, 0, 1]]}", (k > 0 ? ", " : ""), 0.5 + k, k - 0.5
        print "], \"forces\": [{\"body\": \"door\", \"axis\": [0, 0, 1], \"torque\": {\"offset\": -2}}], \"independent\": [\"door.attitude\"]}" }'
}
for hinges in 1 2; do
    door $hinges >door$hinges.json
    [ -x "$BUILD_DIR/stepbench_quad" ] || continue
    "$STEPBENCH" reference mechanism:file=door$hinges.json --t-end 0.2 --goal 1e-10 -o door$hinges.ref.json >out 2>err || fail "$hinges hinges: $(cat err)"
    awk '/"q": \[/ { k = 0 } /"q"/, /\]/ { if (/[0-9]/ && ++k == 4) e = $1 } END { gsub(/[",]/, "", e); print e }' door$hinges.ref.json
done >rows # cos(angle/2)
[ ! -x "$BUILD_DIR/stepbench_quad" ] || awk '{ e[NR] = $1 } END { exit !(NR == 2 && (e[1] - e[2]) ^ 2 < 1e-20 && e[1] > 0.9 && e[1] < 0.999) }' rows ||
    fail "references of a door: $(cat rows err)"
# Hinges that are out of line by 1e-9 m leave the door free, in quadruple precision too; by 1e-3 m they hold it fast.
for off in 1e-9 1e-3; do
    sed "s/0, 1.5\\]/$off, 1.5]/" door2.json >off$off.json
done
[ ! -x "$BUILD_DIR/stepbench_quad" ] || "$STEPBENCH" reference mechanism:file=off1e-9.json --t-end 0.1 --goal 1e-4 -o off.ref.json >out 2>err ||
    fail "a door out of line by 1e-9: $(cat err)"
"$STEPBENCH" check mechanism:file=off1e-9.json --points 1 >out 2>err || fail "a door out of line by 1e-9: $(cat err)"
"$STEPBENCH" run -p mechanism:file=off1e-3.json -s spook --h 0.01 --steps 1 >out 2>err && fail "a door out of line by 1e-3 passes"
grep -q "ends 0.001 off row .*joints\[1\] revolute ground-door; the other rows determine this one and contradict it" err || fail "$(cat err)"
# The constraints of a run are off by the error of its steps, which makes the rows independent: a rod on a pin, its centre
# at a distance from the pin, keeps its freedom. Its torque gives the time scale sqrt(J/T).
cat >pin.json <<'J'
{"gravity": [0, -9.81], "bodies": {"rod": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}},
 "forces": [{"body": "rod", "torque": {"offset": 40}}],
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "distance", "bodies": ["ground", "rod"], "points": [[0, 0], [0, 0]], "length": 0.5}]}
J
"$STEPBENCH" show mechanism:file=pin.json | grep -q '^time scale 0.05 s' || fail "time scale of a torque"
sed '/torque/d' pin.json >free.json
"$STEPBENCH" advise -p mechanism:file=free.json -s reg:c=1e-9 --h 1/200 --columns safe --format csv >out 2>err || fail "advise: $(cat err)"
tail -n 1 out | grep -q yes || fail "advise on a rod on two pins: $(cat out)"
# Violations by the error of the steps contradict each other; with -w baumgarte two pins swing as one.
sed '/distance/d; s/\]\]},$/]]}]}/' free.json >one.json
for file in free one; do
    "$STEPBENCH" run -p mechanism:file=$file.json -s rk4 -w baumgarte --h 0.01 --t-end 20 --every 2000 --columns rod.angle \
        --format csv 2>err | tail -n 1
done >rows
awk '{ x[NR] = $1 } END { exit !(NR == 2 && (x[1] - x[2]) ^ 2 < 1e-8) }' rows || fail "a rod on two pins with -w baumgarte: $(cat rows err)"
# The compliance shares the force, and says so; where its effect is all that is left of an error, the order is unclear.
"$STEPBENCH" order -p mechanism:file=door2.json -s reg:c=1e-6 --h 1/50,1/100,1/200,1/400,1/800 --t-end 1 --columns verdict,decides \
    --format csv >out 2>err || fail "order of reg on a door: $(cat err)"
tail -n 1 out | grep -q '^unclear,.*smaller compliance' || fail "order of reg on a door: $(cat out)"
# Errors of multipliers are those of the ones of least norm: of first order, however the rows share the force.
"$STEPBENCH" order -p mechanism:file=door2.json -s reg:c=1e-10 --h 1/50,1/200,1/400,1/800 --t-end 1 --columns h,slope_lambda \
    --format csv >out 2>err || fail "multipliers of a door: $(cat err)"
awk -F, '$1 == 0.00125 { good = ($2 - 1) ^ 2 < 1e-2 } END { exit !good }' out || fail "multipliers of a door: $(cat out)"
"$STEPBENCH" run -p mechanism:file=door2.json -s spook --h 0.01 --steps 1 >out 2>err || fail "spook on a door: $(cat err)"
grep -q 'the compliance eps does: rank 6 of 11 rows' err || fail "spook on a door: $(cat err)"
# The largest step does not depend on the units of length and mass: sqrt(J/(m g l)) for a rod that starts hanging.
for units in '1 1' '1e-6 1e-9' '1e3 1e9' '1e3 1e-9'; do
    echo "$units" | awk '{ printf "{\"gravity\": [0, %.17g], \"bodies\": {\"rod\": {\"mass\": %.17g, \"inertia\": %.17g, " \
        "\"position\": [0, %.17g], \"angle\": 0.1}}, \"joints\": [{\"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"], " \
        "\"points\": [[0, 0], [0, %.17g]]}]}\n", -9.81 * $1, $2, 0.1 * $2 * $1 ^ 2, -0.5 * $1, 0.5 * $1 }' >unit.json
    for command in 'advise --h 1/200' 'stability --cells 4'; do
        # shellcheck disable=SC2086
        "$STEPBENCH" $command -p mechanism:file=unit.json -s rattle --columns h_limit --format csv 2>err | tail -n 1
    done
done >rows
awk '{ limit = 2 * sqrt(0.35 / (9.81 * 0.5)); if (!(($1 / limit - 1) ^ 2 < 1e-4)) { bad = 1; exit } } END { exit bad || NR != 8 }' rows || fail "units: $(cat rows err)"
# What cannot move rests to round-off.
sed 's/"gravity": .0, -9.81., //; s/"length": 0.5/"length": 1.4142135623730951/; s/\[\[0, 0\], \[0, 0\]\]/[[0, 1], [0.5, 0]]/' free.json >truss.json
"$STEPBENCH" drift -p mechanism:file=truss.json -s reg --h 0.1 --columns verdict --format csv >out 2>err || fail "drift: $(cat err)"
tail -n 1 out | grep -q none || fail "drift of a truss: $(cat out)"
"$STEPBENCH" drift -p "$p" -s spook --h 0.001 --t-end 1 >out 2>err || fail "drift: $(cat err)"
tail -1 out | grep -q ',ok$' || fail "drift: $(tail -1 out)"
"$STEPBENCH" symplecticity -p "$p" -s spook >out 2>err && fail "symplecticity passes: $(cat out)"
grep -q "redundant constraints (rank 11 of 12 rows; joints" err || fail "symplecticity: $(cat err)"

# More rows than coordinates, and no degree of freedom: sentences.
cat >fixed.json <<'J'
{"bodies": {"rod": {"mass": 1, "inertia": 0.1, "position": [1, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-1, 0]]},
            {"type": "prismatic", "bodies": ["ground", "rod"], "points": [[0, 0], [0, 0]], "axes": [[1, 0], [1, 0]]}]}
J
p=mechanism:file=fixed.json
for command in symplecticity modes blowup; do
    "$STEPBENCH" $command -p "$p" -s spook >out 2>err && fail "$command of a rod that cannot move passes"
    grep -q "redundant constraints\|no degree of freedom" err || fail "$command of a rod that cannot move: $(cat err)"
done

# Nothing oscillates in it: every step is stable, and so in a truss that is no more than held.
for file in fixed truss; do
    "$STEPBENCH" advise -p mechanism:file=$file.json -s reg:c=1e-9 --h 1/100 --t-end 0.2 --columns safe,h_limit,advice --format csv >out 2>err ||
        fail "advise on $file.json: $(cat err)"
    tail -n 1 out | grep -q '^yes,inf,.*nothing oscillates' || fail "advise on $file.json: $(cat out)"
done

# Rows of velocities have names too.
driven() { # driven RATE: two drivers of a wheel, of 1/s and RATE
    echo '{"bodies": {"wheel": {"mass": 2, "inertia": 0.3}}, "time_scale": 0.1, "drivers": [{"body": "wheel", "rate": 1},'
    echo '{"name": "motor", "body": "wheel", "rate": '"$1"'}]}'
}
driven 1 >driven.json
"$STEPBENCH" check mechanism:file=driven.json >out 2>err || fail "two drivers: $(cat err)"
grep -q 'rank 1 of 2 rows; drivers\[1\] driver wheel motor: 1 of 1 rows redundant' err || fail "two drivers: $(cat err)"
driven 2 >driven.json
"$STEPBENCH" check mechanism:file=driven.json >out 2>err && fail "two rates of a wheel pass"
grep -q 'off row 1 of the nonholonomic constraints, drivers\[1\] driver wheel motor' err || fail "two rates: $(cat err)"

# A parallelogram with all bars in one line is in a singular pose, which is not redundancy.
cat >flat.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}, "b": {"mass": 1, "inertia": 0.1, "position": [2, 0]},
            "c": {"mass": 1, "inertia": 0.1, "position": [2.5, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["a", "b"], "points": [[0.5, 0], [-1, 0]]},
            {"type": "revolute", "bodies": ["b", "c"], "points": [[1, 0], [0.5, 0]]},
            {"type": "revolute", "bodies": ["ground", "c"], "points": [[2, 0], [-0.5, 0]]}]}
J
"$STEPBENCH" check mechanism:file=flat.json >out 2>err || fail "flat: $(cat err out)"
grep -q redundant err && fail "a singular pose counts as redundant: $(cat err)"
"$STEPBENCH" run -p mechanism:file=flat.json -s radau_iia --h 0.01 --steps 1 >out 2>err && fail "multipliers in a singular pose: $(cat out)"
grep -q "singular at constraint 6, joints\[3\] revolute ground-c .*singular pose" err || fail "a singular pose: $(cat err)"

# A rod along the x axis that is pinned at both ends: its rows for x share no coordinate with those for y in this pose.
# The rank does not depend on the unit of length.
for L in 1e-6 1 1e3 1e5; do
    awk -v L=$L 'BEGIN { printf "{\"bodies\": {\"rod\": {\"mass\": 1, \"inertia\": %.17g, \"position\": [%.17g, 0]}}, \"joints\": [", L * L / 12, L / 2
        printf "{\"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"], \"points\": [[0, 0], [%.17g, 0]]}, ", -L / 2
        printf "{\"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"], \"points\": [[%.17g, 0], [%.17g, 0]]}]}\n", L, L / 2 }' >pinned.json
    "$STEPBENCH" show mechanism:file=pinned.json >out 2>err || fail "pinned, $L: $(cat err)"
    grep -q 'rank 3 of 4 rows; joints\[1\] revolute ground-rod: 1 of 2' out || fail "pinned, $L: $(cat out)"
done

# `show` takes a problem with its parameters.
"$STEPBENCH" show mechanism:file=three1.json >out 2>err || fail "show: $(cat err)"
grep -q "redundant  rank 11 of 12 rows; joints" out || fail "show: $(cat out)"

# Problems of the catalogue name the bodies of their rows, also with friction, whose steppers take redundant rows.
names() { # names PROBLEM SENTENCE
    "$STEPBENCH" show "$1" >out 2>err || fail "show $1: $(cat err)"
    tr '\n' ' ' <out | tr -s ' ' | grep -q "redundant $2 offers" || fail "$1: $(grep -A3 '^redundant' out)"
}
for l in 1e-6 1e-3 1 1e3; do # in every unit of length
    names bricard:rows=all,l=$l "rank 34 of 35 rows; b5-ground: 1 of 5 rows redundant"
done
names slider_crank:redundant=2,mu=0.1 "rank 9 of 13 rows; prismatic ground-slider, once more: 4 of 4 rows redundant"
