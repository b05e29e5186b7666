# What the tests of one run of the bench begin with. $RESULTS is the directory of that run: out/ has its results, the
# other files are the scripts'.
. "$SOURCE_DIR/tests/prelude.sh"

# The experiments that take longest, more than two and a half seconds each.
long="cards confusion_contract confusion_drift confusion_foreign confusion_symplectic defects lcp_random"
long="$long literature_brouwer literature_long_energy literature_substeps reg05_gs reg05_lcp wm96_initial work_precision"
long="$long spook07_breakdown spook07_ladder spook07_limits spook07_violation"
long="$long transv18_blowup transv18_geometric transv18_ladder transv18_large transv18_limit transv18_maps"

# The experiments that are run: those that are not timed. Under the sanitizers, where all take ten times as long,
# long.sh runs the longest for some seconds each.
experiments() {
    "$STEPBENCH" bench --dry-run --format csv | grep -v '^#' | awk -F, '$2 == "no" {print $1}' >"$SCRATCH/untimed"
    if [ "${SB_SANITIZE:-OFF}" = ON ]; then
        echo "$long" | tr ' ' '\n' | grep -v -x -F -f - "$SCRATCH/untimed"
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
