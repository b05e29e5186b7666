#!/bin/sh
# Experiments that are run again, in one call, two at a time and in another order of completion, give the same bytes.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"
[ "${SB_SANITIZE:-OFF}" = OFF ] || exit 77 # the same comparison, ten times slower

# Those that take more than a second are left out: for them the committed results are the second run.
names=$(experiments | grep -v -x -e cards -e 'confusion_[cds].*' -e defects -e lcp_random -e wm96_initial -e wm96_fig8 \
    -e 'reg05_[lg].*' -e 'spook07_[bv].*' -e spook07_limits -e spook07_ladder -e spook07_linear -e 'transv18_[bgl].*' \
    -e transv18_maps -e notes11_general)
# shellcheck disable=SC2086
"$STEPBENCH" bench $names --out out --jobs 2 2>err || fail "the run: $(cat err)"
# README.md and index.html show all experiments, claims.csv and verdicts.csv list all claims.
(cd out && find . -type f ! -name 'provenance.js*' ! -name README.md ! -name index.html ! -name claims.csv ! -name \
    verdicts.csv) >files
[ "$(wc -l <files)" -gt 50 ] || fail "the run has few files: $(wc -l <files)"
while read -r name; do
    cmp "out/$name" "$RESULTS/out/$name" || fail "$name differs from one run to the next"
done <files
grep -v -x -F -f "$RESULTS/out/claims.csv" out/claims.csv && fail "claims differ from one run to the next"
exit 0
