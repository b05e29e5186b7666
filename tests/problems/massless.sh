#!/bin/sh
# Massless bodies and moments of inertia that are 0: they move where joints determine it, as the same mechanism without
# them, and are refused elsewhere.
. "$SOURCE_DIR/tests/prelude.sh"

row() { # row FILE COLUMNS: the state at 0.5 s; the error is below 1e-9
    "$STEPBENCH" run -p "mechanism:file=$1" -s radau_iia:stages=3,index=2s --h 1/200 --t-end 0.5 --every 100 \
        --columns "$2" --format csv 2>err | tail -n 1 >row
    [ -s row ] || fail "$1: $(cat err)"
}
same() { # same WHAT: two rows
    awk -F, -v what="$1" '{ for (i = 1; i <= NF; i++) x[NR, i] = $i }
        END { for (i = 1; i <= NF; i++) if (!((x[1, i] - x[2, i]) ^ 2 <= 1e-16 * (1 + x[1, i] ^ 2))) exit 1; exit NR != 2 }' ||
        fail "$1 moves otherwise"
}

# A ball on a rod without mass, and on a pin at a distance: a pendulum of 1 m.
cat >rod.json <<'J'
{"gravity": [0, -9.81],
 "bodies": {"rod": {"mass": 0, "inertia": 0, "position": [0.5, 0]}, "ball": {"mass": 10, "inertia": 0.04, "position": [1, 0], "rate": 0}},
 "joints": [{"type": "revolute", "bodies": ["ground", "rod"], "points": [[0, 0], [-0.5, 0]]},
            {"type": "revolute", "bodies": ["rod", "ball"], "points": [[0.5, 0], [0, 0]]}]}
J
cat >distance.json <<'J'
{"gravity": [0, -9.81], "bodies": {"ball": {"mass": 10, "inertia": 0.04, "position": [1, 0], "rate": 0}},
 "joints": [{"type": "distance", "bodies": ["ground", "ball"], "points": [[0, 0], [0, 0]], "length": 1}]}
J
for file in rod distance; do
    row $file.json ball.x,ball.y,ball.vx,ball.vy
    cat row
done | same "a ball on a massless rod"
"$STEPBENCH" check mechanism:file=rod.json --points 3 >rows 2>err || fail "rod: $(cat rows err)"
# Its centre is a particle: no moment of inertia of its own, and an angle that the pin gives.
cat >particle.json <<'J'
{"gravity": [0, -9.81], "bodies": {"ball": {"mass": 10, "inertia": 0, "position": [1, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "ball"], "points": [[0, 0], [-1, 0]]}]}
J
for file in particle distance; do
    row $file.json ball.x,ball.y,ball.vx,ball.vy
    cat row
done | same "a particle on a pin"

# A universal joint, and a cross without mass on two hinges: the second shaft hangs on the first one, which turns.
shafts() { # shafts BODIES JOINTS
    cat <<J
{"gravity": [0, 1, -9.81], "time_scale": 0.1, "bodies": {$1
  "in": {"mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [-1, 0, 0], "rate": [3, 0, 0]},
  "out": {"mass": 1, "inertia": [0.3, 0.2, 0.2], "position": [0.7071067811865476, 0.7071067811865476, 0],
          "quaternion": [0.9238795325112867, 0, 0, 0.3826834323650898]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "in"], "points": [[-1, 0, 0], [0, 0, 0]], "axes": [[1, 0, 0], [1, 0, 0]]},
  $2]}
J
}
shafts '' '{"type": "universal", "bodies": ["in", "out"], "points": [[1, 0, 0], [-1, 0, 0]], "axes": [[0, 0, 1], [0, 1, 0]]}' >universal.json
shafts '"cross": {"mass": 0, "inertia": [0, 0, 0]},' '{"type": "revolute", "bodies": ["in", "cross"], "points": [[1, 0, 0], [0, 0, 0]],
   "axes": [[0, 0, 1], [0, 0, 1]]}, {"type": "revolute", "bodies": ["cross", "out"], "points": [[0, 0, 0], [-1, 0, 0]],
   "axes": [[-0.7071067811865476, 0.7071067811865476, 0], [0, 1, 0]]}' >cross.json
for file in universal cross; do
    row $file.json in.e0,in.e1,out.e0,out.e1,out.e2,out.e3,out.ve1
    cat row
done | same "a cross without mass"
# Without inertia about its axis a rod on two ball joints may spin; on a hinge it may not.
cat >spins.json <<'J'
{"gravity": [0, 0, -9.81], "bodies": {"rod": {"mass": 2, "inertia": [0, 0.2, 0.2], "position": [0.5, 0, 0]}},
 "joints": [{"type": "spherical", "bodies": ["ground", "rod"], "points": [[0, 0, 0], [-0.5, 0, 0]]}]}
J
sed 's/"spherical"/"revolute", "axes": [[0, 1, 0], [0, 1, 0]]/' spins.json >hinge.json
sed 's/\[0, 0.2, 0.2\]/[0.2, 0.2, 0.2]/' hinge.json >thick.json
for file in hinge thick; do
    row $file.json rod.x,rod.z,rod.e0
    cat row
done | same "a thin rod on a hinge"
# The same where no diagonal entry of the mass matrix is 0.
for file in hinge thick; do
    sed 's/"position": \[0.5, 0, 0\]/"position": [0.14, 0, -0.48], "quaternion": [0.8, 0, 0.6, 0]/' $file.json >tilted.json
    row tilted.json rod.x,rod.z,rod.e0
    cat row
done | same "a thin rod on a hinge, tilted"
sed 's/"position": \[0.5, 0, 0\]/"position": [0.14, 0, -0.48], "quaternion": [0.8, 0, 0.6, 0]/' hinge.json >tilted.json
"$STEPBENCH" check mechanism:file=tilted.json --points 2 >out 2>err || fail "a thin rod, tilted: $(cat out err)"
"$STEPBENCH" run -p mechanism:file=tilted.json -s spook --h 1e-3 --steps 1 >out 2>err && fail "spook takes a thin rod"
grep -q 'singular off the' err || fail "spook: $(cat err)"

refused() { # refused MESSAGE FILE
    status=0
    "$STEPBENCH" check "mechanism:file=$2" >out 2>err || status=$?
    [ $status -eq 2 ] || fail "$2: status $status: $(cat err)"
    grep -q "$1" err || fail "$2: $(cat err)"
}
refused 'the body rod has no moment of inertia about its first axis, and no joint determines this rotation; give it one' spins.json
sed '/"type": "revolute", "bodies": \["rod"/d; s/\[-0.5, 0\]\]},/[-0.5, 0]]}]}/' rod.json >loose.json
refused 'the body rod has no moment of inertia, and no joint determines its angle' loose.json
echo '{"bodies": {"a": {"mass": 0, "inertia": 1}}}' >free.json
refused 'the body a has no mass, and no joint determines its motion along x' free.json
echo '{"bodies": {"a": {"mass": -1, "inertia": 1}}}' >free.json
refused 'bodies.a.mass: -1 is too small' free.json
# Steppers that need the inverse of the mass say which ones do not.
"$STEPBENCH" run -p mechanism:file=rod.json -s spook --h 1e-3 --steps 1 >out 2>err && fail "spook takes a massless rod"
grep -q 'singular' err || fail "spook: $(cat err)"
exit 0
