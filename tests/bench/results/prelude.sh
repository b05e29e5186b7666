# What the tests of one run of the bench begin with. $RESULTS is the directory of that run: out/ has its results, the
# other files are the scripts'.
. "$SOURCE_DIR/tests/prelude.sh"

# The experiments that are run: those that are not timed. Under the sanitizers, ten times slower, the five that take
# most of the time are left out: cards, whose
# analyses may take only so much processor time, has a test of its own; the others run the code of shorter ones for
# longer.
experiments() {
    "$STEPBENCH" bench --dry-run --format csv | grep -v '^#' | awk -F, '$2 == "no" {print $1}' >"$SCRATCH/untimed"
    if [ "${SB_SANITIZE:-OFF}" = ON ]; then
        grep -v -x -e cards -e transv18_ladder -e lcp_random -e spook07_violation -e spook07_breakdown \
            "$SCRATCH/untimed"
    else
        cat "$SCRATCH/untimed"
    fi
}

# id and verdict of every row of a results directory's verdicts.csv.
verdicts() {
    cut -d, -f1,2 "$1/verdicts.csv" | grep -v '^id,'
}

# The rows of tests/bench/verdicts.csv for the claims that the experiments settle.
pinned() {
    # shellcheck disable=SC2046
    "$STEPBENCH" bench $(experiments) --dry-run --format csv | grep -v '^#' | cut -d, -f4 |
        tr ' ' '\n' >"$SCRATCH/asked"
    grep -v '^#' "$SOURCE_DIR/tests/bench/verdicts.csv" | tail -n +2 |
        awk -F, 'NR == FNR { run[$1]; next } $1 in run' "$SCRATCH/asked" -
}
