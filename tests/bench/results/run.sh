#!/bin/sh
# The bench without its timed experiments and two more, once, for the tests that read $RESULTS.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"
rm -rf "$RESULTS"
mkdir -p "$RESULTS"
# shellcheck disable=SC2046
"$STEPBENCH" bench $(experiments) --out "$RESULTS/out" 2>"$RESULTS/err" || fail "bench: $(cat "$RESULTS/err")"
