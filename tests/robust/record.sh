# record FILE HARNESS WHAT COUNT FINDINGS NOTE: writes the harness's row of a robustness.csv, whose rows are in the order of their names. To be read in by `.`.
record() {
    file=$1
    shift
    { # harnesses may end at the same time
        flock 9
        [ -s "$file" ] || echo 'harness,what,count,findings,note' >"$file"
        {
            head -1 "$file"
            {
                tail -n +2 "$file" | grep -v "^$1," || true
                printf '%s,%s,%s,%s,"%s"\n' "$@"
            } | sort
        } >"$file.tmp-$$"
        mv "$file.tmp-$$" "$file"
    } 9>"${TMPDIR:-/tmp}/stepbench-record.lock"
}
