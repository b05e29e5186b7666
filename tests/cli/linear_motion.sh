#!/bin/sh
# Stability limits of mechanisms, where closed forms are known: stability.
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
