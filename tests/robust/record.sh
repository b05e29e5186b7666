# record FILE HARNESS WHAT COUNT FINDINGS NOTE: writes the row of HARNESS and WHAT into a robustness.csv, whose rows are
# sorted; the note ends with the version that the source folder had at the beginning. To be read in by `.`.
version=$(git -C "$(dirname "$0")" describe --always --dirty --abbrev=7 2>/dev/null || echo unknown)

record() {
    file=$1
    shift
    { # harnesses may end at the same time
        flock 9
        [ -s "$file" ] || echo 'harness,what,count,findings,note' >"$file"
        {
            head -1 "$file"
            {
                tail -n +2 "$file" | grep -v "^$1,$2," || true
                printf '%s,%s,%s,%s,"%s; version %s"\n' "$@" "$version"
            } | sort
        } >"$file.tmp-$$"
        mv "$file.tmp-$$" "$file"
    } 9>"${TMPDIR:-/tmp}/stepbench-record.lock"
}
