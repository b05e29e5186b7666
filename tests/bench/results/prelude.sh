# What the tests of one run of the bench begin with. $RESULTS is the directory of that run: out/ has its results, the
# other files are the scripts'.
. "$SOURCE_DIR/tests/prelude.sh"

# The experiments that are run: those that are not timed, but for the cards and the random complementarity problems, which
# take half of the time and settle no claim.
experiments() {
    "$STEPBENCH" bench --dry-run --format csv | grep -v '^#' | awk -F, '$2 == "no" && $1 != "cards" && $1 != "lcp_random" {print $1}'
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
