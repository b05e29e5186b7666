#!/bin/sh
# The verdicts of a run of the bench are the pinned ones; the committed results have them, too.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"

pinned >pinned
verdicts "$RESULTS/out" >measured
[ -s measured ] || fail "no verdicts were found in the run"
diff pinned measured >&2 || fail "the verdicts are not those of tests/bench/verdicts.csv"

# Of the committed results only the pinned claims are compared: the others are settled by times.
[ -f "$SOURCE_DIR/results/verdicts.csv" ] || fail "results/verdicts.csv is missing"
verdicts "$SOURCE_DIR/results" | grep -F -x -f pinned >committed
diff pinned committed >&2 || fail "the verdicts in results/verdicts.csv are not those of tests/bench/verdicts.csv"

# Whatever is not reproduced as printed has a comment that says why.
grep -v ',reproduced,' "$RESULTS/out/verdicts.csv" | grep ',$' >silent || true
[ ! -s silent ] || fail "verdicts without a comment: $(cat silent)"
