#!/bin/sh
# The adapters in JavaScript but that of MuJoCo, where `npm install` has been called in engines/.
. "$SOURCE_DIR/tests/prelude.sh"
engines=$SOURCE_DIR/engines
command -v node >/dev/null || { echo "Node is missing"; exit 77; }
for package in cannon-es p2 planck @dimforge/rapier3d-compat jolt-physics box2d3-wasm @babylonjs/havok matter-js; do
    [ -d "$engines/node_modules/$package" ] || { echo "$package is missing: npm install in engines/ installs it"; exit 77; }
done

# The last state of a run: run COLUMNS PROBLEM STEPPER [ENGINE]
run() {
    "$STEPBENCH" ${4:+--engine "node $engines/$4.mjs"} run -p "$2" -s "$3" --h 1/60 --t-end 1 --every 60 --columns "$1" \
        >rows 2>err || fail "$2 by $3: $(cat err)"
    tail -n 1 rows
}

# cannon-es and p2 take the steps of SPOOK: (29) of spook07, as `spook` solves it by a factorization. Sweeps of
# Gauss-Seidel reduce the error of one step by the factor 1 - O(1/n^2) for n links, here three: 1000 sweeps leave
# round-off, 60 steps of some 1e-16, which the motion (a swing of a second) multiplies by less than 1000. 10 sweeps leave
# an error of 2e-3.
agree() { # agree PROBLEM COLUMNS
    ours=$(run "$2" "$1" spook:start=full,eps=1e-8,tau=2)
    for engine in cannon_es p2; do
        theirs=$(run "$2" "$1" $engine:stiffness=1e8,relaxation=2,iterations=1000 $engine)
        echo "$ours,$theirs" | awk -F, '{ for (k = 1; k <= NF / 2; k++) if (!(($k - $(k + NF / 2))^2 < 1e-22)) exit 1 }' ||
            fail "$1: SPOOK in $engine is $theirs, not $ours"
    done
}
agree pendulum:constraint=norm q0,q1,v0,v1
agree thread:constraint=norm,kick=0.5 q0,q1,q2,q3,q4,q5,v0,v1,v2,v3,v4,v5

# check ENGINE PROBLEM ROW [PARAMETERS]: a row of the check of the model
check() {
    "$STEPBENCH" --engine "node $engines/$1.mjs" check "$1${4:+:$4}" -p "$2" --all --columns check,verdict,message >rows 2>err || true
    grep -q "^$3" rows || fail "$1 on $2 has no row $3: $(cat rows err)"
}
for engine in cannon_es p2 planck; do
    check $engine pendulum accelerations,passed
    check $engine rod_chain accelerations,passed
done
check p2 four_bar accelerations,passed iterations=1000,stiffness=1e30
check planck four_bar accelerations,passed velocity_iterations=1000
# Its manual does not say so: cannon-es leaves out the gyroscopic torque.
check cannon_es heavy_top 'accelerations,failed,.*the gyroscopic torque w x J w is -\?[0-9.]*e-[0-9]* times ours'

# All claim order 1. Converged sweeps show it.
order() { # order ENGINE PROBLEM PARAMETERS
    "$STEPBENCH" --engine "node $engines/$1.mjs" order -p "$2" -s "$1:$3" --h 1/400,1/800,1/1600 --t-end 1/2 >rows 2>err ||
        fail "$1 on $2: $(cat rows err)"
    grep -q 'fit,.*,1,.*as_claimed' rows || fail "$1 on $2 is not of order 1: $(cat rows)"
}
order cannon_es rod_chain stiffness=1e14,relaxation=2,iterations=1000
order p2 rod_chain stiffness=1e14,relaxation=2,iterations=1000
order planck rod_chain velocity_iterations=100

# Rapier in single precision: at large steps its error halves with the step.
"$STEPBENCH" --engine "node $engines/rapier.mjs" order -p heavy_top -s rapier --h 1/100,1/200 --t-end 1/2 >rows 2>err || true
awk -F, '$2 == "rapier" && $5 != "" { e[++n] = $6 } END { exit !(n == 2 && e[1] / e[2] > 1.5 && e[1] / e[2] < 2.7) }' rows ||
    fail "Rapier on heavy_top: $(cat rows err)"

refused() { # refused ENGINE PROBLEM WHY
    "$STEPBENCH" --engine "node $engines/$1.mjs" run -p "$2" -s "$1" --h 1/100 --t-end 1/10 >rows 2>err && fail "$1 takes $2"
    grep -q "$1 does not take $2: $3" err || fail "$1 refuses $2 with: $(cat err)"
}
refused p2 heavy_top 'it has the plane only'
refused planck bricard 'it has the plane only'
refused rapier pendulum 'it has no distance joint'
refused cannon_es slider_crank 'it has no drivers'
refused cannon_es flyball_governor 'it has no springs'

# Engines in single precision, and one whose impulses belong to its state.
for engine in jolt box2d3; do
    check $engine pendulum accelerations,passed
done
check jolt heavy_top joints,passed
check havok rigid_body 'accelerations,failed,the gyroscopic torque w x J w is -\?[0-9.]*\(e-[0-9]*\)\? times ours'
"$STEPBENCH" --engine "node $engines/matter.mjs" contract -p rod_chain -s matter:iterations=100 --columns check,verdict >rows 2>err ||
    true
grep -qx 'repeatable,passed' rows || fail "Matter.js is not repeatable: $(cat rows err)"
refused havok slider_crank 'it has no drivers'
refused box2d3 bricard 'it has the plane only'
