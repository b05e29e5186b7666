#!/bin/sh
# Stability limits of mechanisms, plug-ins and formula files, where closed forms are known.
. "$SOURCE_DIR/tests/prelude.sh"

# value COLUMN ARGUMENTS...: the cell of the last row of a command
value() {
    column=$1
    shift
    "$STEPBENCH" "$@" --columns "$column" --format csv >out.csv || fail "stepbench $*: exit status $?"
    tail -1 out.csv
}

# near EXPECTED RELATIVE COLUMN ARGUMENTS...
near() {
    expected=$1
    allowed=$2
    shift 2
    found=$(value "$@")
    awk -v x="$found" -v y="$expected" -v e="$allowed" 'BEGIN { d = x - y; exit !(d <= e * y && -d <= e * y && x != "") }' ||
        fail "stepbench $*: $found, not $expected"
}

# Two bodies on a spring that floats: omega^2 = k (1/m1 + 1/m2) = 900; the free motions set no limit.
cat >floating.json <<'J'
{"bodies": {"a": {"mass": 1, "inertia": 0.3, "position": [0, 0]}, "b": {"mass": 2, "inertia": 0.1, "position": [1, 0]}},
 "springs": [{"bodies": ["a", "b"], "points": [[0, 0], [0, 0]], "stiffness": 600, "length": 1}]}
J
for stepper in verlet euler_symplectic reg spook shake rattle; do
    near 0.06666667 6e-6 h_limit stability -p mechanism:file=floating.json -s "$stepper" --cells 4
done
near 0.09428090 6e-6 h_limit stability -p mechanism:file=floating.json -s rk4 --cells 4
[ "$(value stable stability -p mechanism:file=floating.json -s newmark --cells 1)" = neutral ] || fail "a free motion"

# A cart at rest on a spring with critical damping, gamma = 2 omega: h^2 omega^2 + 2 gamma h = 4, h omega = 2 sqrt 2 - 2.
# With the drag implicit in the velocity, h omega = 2 (sqrt(1 + z^2) + z), z = gamma/(2 omega).
cat >cart.json <<'J'
{"bodies": {"cart": {"mass": 2, "inertia": 1, "position": [1, 0]}},
 "joints": [{"type": "prismatic", "bodies": ["ground", "cart"], "points": [[0, 0], [0, 0]], "axes": [[1, 0], [1, 0]]}],
 "springs": [{"bodies": ["ground", "cart"], "points": [[-1, 0], [0, 0]], "stiffness": 180000, "length": 2,
              "damping": 1200}]}
J
cart="-p mechanism:file=cart.json -s reg"
near 0.002761424 2e-6 h_limit advise $cart --h 0.002
near 0.002761424 6e-6 h_limit stability $cart --cells 4
[ "$(value safe advise $cart --h 0.0027)" = yes ] || fail "below the limit with drag"
[ "$(value safe advise $cart --h 0.003)" = no ] || fail "above it, and below that without drag"

# A crank that is driven has no motion of its own.
cat >driven.json <<'J'
{"bodies": {"crank": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "crank"], "points": [[0, 0], [-0.5, 0]]}],
 "drivers": [{"bodies": ["ground", "crank"], "angle": {"rate": 3}}]}
J
for command in modes blowup; do
    status=0
    "$STEPBENCH" $command -p mechanism:file=driven.json -s spook >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q "no degree of freedom" err || fail "$command of a driven crank: $status, $(cat err)"
done
[ "$(value safe advise -p mechanism:file=driven.json -s spook --h 0.01)" = yes ] || fail "no step is safe for a driven crank"

