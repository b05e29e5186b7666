#!/bin/sh
# The verdicts of a run of the bench are the pinned ones; the committed results have them, too.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"

pinned >pinned
verdicts "$RESULTS/out/claims.csv" >measured
[ -s measured ] || fail "no verdicts were found in the run"
diff pinned measured >&2 || fail "the verdicts are not those of tests/bench/verdicts.csv"

# Of the committed results only the pinned claims are compared: the others are settled by times.
[ -f "$SOURCE_DIR/results/claims.csv" ] || fail "results/claims.csv is missing"
verdicts "$SOURCE_DIR/results/claims.csv" | grep -F -x -f pinned >committed
diff pinned committed >&2 || fail "the verdicts in results/claims.csv are not those of tests/bench/verdicts.csv"
