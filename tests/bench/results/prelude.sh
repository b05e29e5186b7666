# What the tests of one run of the bench begin with. $RESULTS is the directory of that run: out/ has its results, the
# other files are the scripts'.
. "$SOURCE_DIR/tests/prelude.sh"

# The experiments that are not timed, but for the cards and the random complementarity problems, which take half of the
# time and settle no claim.
untimed() {
    "$STEPBENCH" bench --dry-run --format csv | grep -v '^#' | awk -F, '$2 == "no" && $1 != "cards" && $1 != "lcp_random" {print $1}'
}

# The experiments that are run. Of those that last more than ten seconds a third, other ones per commit, and all with
# SB_BENCH=all or without git. The thirds last equally long.
experiments() {
    third_0="spook07_breakdown confusion_symplectic wm96_initial"
    third_1="transv18_ladder spook07_violation confusion_foreign"
    third_2="confusion_drift transv18_limit confusion_contract"
    commit=$(git -C "$SOURCE_DIR" rev-parse --short=7 HEAD 2>/dev/null) && [ "${SB_BENCH:-}" != all ] || { untimed; return; }
    for k in 0 1 2; do
        [ $((0x$commit % 3)) -eq $k ] || eval "echo \$third_$k"
    done | tr ' ' '\n' >"$SCRATCH/left_out"
    untimed | grep -v -x -F -f "$SCRATCH/left_out"
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
