#!/bin/sh
# The committed results are what a run gives: every quantity within its tolerance, and, as docs/verdicts.md promises,
# the same bytes where provenance names the same kernel, libraries and compiler.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"

run=$RESULTS/out
# shellcheck disable=SC2046
"$STEPBENCH" bench $(experiments) --compare "$SOURCE_DIR/results" --out "$run" --format csv >moved 2>err ||
    fail "results/ is not what a run gives: $(head -20 moved; cat err)"
arithmetic() { # of a results directory
    grep -E '"(compiler|flags|build_type|libc|gsl|jansson|lapack|openblas|kernel)"' "$1/provenance.json"
}
if [ "$(arithmetic "$SOURCE_DIR/results")" = "$(arithmetic "$run")" ]; then
    for table in "$run"/*.csv; do
        name=$(basename "$table")
        case $name in claims.csv | verdicts.csv) continue ;; esac
        cmp "$SOURCE_DIR/results/$name" "$table" >&2 || fail "results/$name does not have the bytes of a run"
    done
    grep -v '^#' "$run/claims.csv" | grep -v -x -F -f "$SOURCE_DIR/results/claims.csv" >&2 &&
        fail "results/claims.csv does not have the rows of a run"
fi
exit 0
