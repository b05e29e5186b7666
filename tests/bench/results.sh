#!/bin/sh
# The bench, timed experiments left out: two runs give the same bytes, the verdicts are the pinned ones, and the committed results have them too.
set -u
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
failures=0

fail() {
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# id and verdict of every row: the last two fields, verdict and experiment, hold no commas.
verdicts() {
    grep -v '^#' "$1" | sed -n 's/^\([a-z0-9-]*\),.*,\([a-z]*\),[a-z0-9_]*$/\1,\2/p' | grep -v ',verdict$'
}

# The experiments that are not timed.
names=$("$STEPBENCH" bench --dry-run | grep -v '^#' | awk -F, '$2 == "no" {print $1}')
[ -n "$names" ] || fail "no experiments listed"

# Under the sanitizers, ten times slower, one run has to do, and the five experiments that take most of the time are left out: cards, whose analyses may take
# only so much processor time, has a test of its own; the others run the code of shorter ones for longer.
if [ "${SB_SANITIZE:-OFF}" = ON ]; then
    names=$(echo "$names" | grep -v -x -e cards -e transv18_ladder -e lcp_random -e spook07_violation -e spook07_breakdown)
fi
bench() { # bench RUN JOBS
    # shellcheck disable=SC2086
    "$STEPBENCH" bench $names --out "$SCRATCH/$1" --jobs "$2" >"$SCRATCH/$1.out" 2>"$SCRATCH/$1.err"
}
runs="first second"
if [ "${SB_SANITIZE:-OFF}" = ON ]; then
    runs=first
    bench first 2 || fail "the run: $(cat "$SCRATCH/first.err")"
else # side by side, one experiment at a time and two
    bench second 2 &
    second=$!
    bench first 1 || fail "the first run: $(cat "$SCRATCH/first.err")"
    wait $second || fail "the second run: $(cat "$SCRATCH/second.err")"
fi

for name in $(for run in $runs; do (cd "$SCRATCH/$run" && find . -type f ! -name 'provenance.js*'); done | sort -u); do
    [ "$runs" = first ] && continue
    cmp -s "$SCRATCH/first/$name" "$SCRATCH/second/$name" || fail "$name differs from one run to the next"
done

verdicts "$SCRATCH/first/claims.csv" >"$SCRATCH/measured"
pinned=$SOURCE_DIR/tests/bench/verdicts.csv
[ -s "$SCRATCH/measured" ] || fail "no verdicts were found in the run"
grep -v '^#' "$pinned" | tail -n +2 >"$SCRATCH/pinned"
if [ "${SB_SANITIZE:-OFF}" = ON ]; then # those that the experiments that were run are to settle
    # shellcheck disable=SC2086
    "$STEPBENCH" bench $names --dry-run --format csv | grep -v '^#' | cut -d, -f4 | tr ' ' '\n' >"$SCRATCH/asked"
    awk -F, 'NR == FNR { run[$1]; next } $1 in run' "$SCRATCH/asked" "$SCRATCH/pinned" >"$SCRATCH/some"
    mv "$SCRATCH/some" "$SCRATCH/pinned"
fi
diff "$SCRATCH/pinned" "$SCRATCH/measured" >&2 || fail "the verdicts are not those of tests/bench/verdicts.csv"

# Of the committed results only the pinned claims are compared: the others are settled by times.
committed=$SOURCE_DIR/results/claims.csv
if [ -f "$committed" ]; then
    verdicts "$committed" | grep -F -x -f "$SCRATCH/pinned" >"$SCRATCH/committed"
    diff "$SCRATCH/pinned" "$SCRATCH/committed" >&2 || fail "the verdicts in results/claims.csv are not those of tests/bench/verdicts.csv"
else
    fail "results/claims.csv is missing"
fi

# The committed results are what a run gives: every quantity within its tolerance, and, as README.md promises, the same bytes where provenance names the same
# kernel, libraries and compiler.
# shellcheck disable=SC2086
"$STEPBENCH" bench $names --compare "$SOURCE_DIR/results" --out "$SCRATCH/first" --format csv >"$SCRATCH/moved" 2>"$SCRATCH/moved.err" ||
    fail "results/ is not what a run gives: $(head -20 "$SCRATCH/moved"; cat "$SCRATCH/moved.err")"
arithmetic() { # of a results directory
    grep -E '"(compiler|flags|build_type|libc|gsl|jansson|lapack|openblas|kernel)"' "$1/provenance.json"
}
if [ "$(arithmetic "$SOURCE_DIR/results")" = "$(arithmetic "$SCRATCH/first")" ]; then
    for table in "$SCRATCH"/first/*.csv; do
        name=$(basename "$table")
        [ "$name" = claims.csv ] || cmp "$SOURCE_DIR/results/$name" "$table" >&2 || fail "results/$name does not have the bytes of a run"
    done
    grep -v '^#' "$SCRATCH/first/claims.csv" | grep -v -x -F -f "$SOURCE_DIR/results/claims.csv" >&2 && fail "results/claims.csv does not have the rows of a run"
fi

# Where a built-in's card says that a check fails, the reason is known.
for card in "$SCRATCH"/first/cards/*.html; do
    [ ! -e "$card" ] || ! grep '<li><span class="bad">' "$card" | grep -v 'Known, and why: ' >"$SCRATCH/unknown" || fail "$card: $(sed 's/<[^>]*>//g' "$SCRATCH/unknown")"
done

# The page shows every claim and links only what is there.
page=$SCRATCH/first/README.md
while IFS=, read -r id verdict; do
    grep -q "^| \`$id\` .*$verdict" "$page" || fail "README.md does not show $id as $verdict"
done <"$SCRATCH/pinned"
{
    grep -o '](\([^)]*\))' "$page" | sed 's/](\(.*\))/\1/'
    grep -Eo '(href|src|data-file)="[^"#:]*"' "$SCRATCH/first/index.html" | sed 's/^[a-z-]*="\(.*\)"$/\1/'
} | sort -u | while read -r link; do
    [ -e "$SCRATCH/first/$link" ] || echo "$link"
done >"$SCRATCH/broken"
[ ! -s "$SCRATCH/broken" ] || fail "README.md or index.html link files that are not there: $(tr '\n' ' ' <"$SCRATCH/broken")"

[ "$failures" -eq 0 ]
