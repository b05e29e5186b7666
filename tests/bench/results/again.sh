#!/bin/sh
# Experiments that are run again, in one call, two at a time and in another order of completion, give the same bytes.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"
[ "${SB_SANITIZE:-OFF}" = OFF ] || exit 77 # the same comparison, ten times slower

# One of each kind that takes less than a second: an analysis, a study, a directed experiment, runs in C, a table with an
# animation, a figure of another script. For the others the committed results are the second run.
names="ladder_fall literature_orders literature_structure notes11_recurrences notes11_penalty"
names="$names reg05_bounce reg05_drift reg05_soft spook07_order spook07_step spook07_relaxed"
names="$names wm96_symplectic wm96_scaling wm96_table1 wm96_verlet"
# shellcheck disable=SC2086
"$STEPBENCH" bench $names --out out --jobs 2 2>err || fail "the run: $(cat err)"
# README.md and index.html show all experiments, claims.* and verdicts.csv list all claims.
(cd out && find . -type f ! -name 'provenance.js*' ! -name README.md ! -name index.html ! -name 'claims.*' ! -name \
    verdicts.csv) >files
[ "$(wc -l <files)" -gt 20 ] || fail "the run has few files: $(wc -l <files)"
while read -r name; do
    cmp "out/$name" "$RESULTS/out/$name" || fail "$name differs from one run to the next"
done <files
grep -v -x -F -f "$RESULTS/out/claims.csv" out/claims.csv && fail "claims differ from one run to the next"
exit 0
