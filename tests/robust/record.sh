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

# add_up FILE BEGIN END: adds up the rows "BEGIN FIRST to LAST END" of adjacent ranges whose notes are exit statuses and
# versions alone.
add_up() {
    { # as above
        flock 9
        awk -v begin="$2 " -v end=" $3," '
            function row(i) { # its numbers, 0 where it is another one
                line = lines[i]
                if (index(line, begin) != 1 || (at = index(line, end)) == 0) return 0
                split(substr(line, length(begin) + 1, at - length(begin) - 1), range, " to ")
                rest = substr(line, at + length(end))
                if (rest !~ /^[0-9]+,0,"exit status 0\/1\/2\/3: [0-9\/]+; versions? [-0-9a-z ]+"$/) return 0
                split(rest, parts, /[,:;"]+ ?/)
                split(parts[4], status, "/")
                versions = parts[5]
                sub(/^versions? /, "", versions)
                return 1
            }
            { lines[NR] = $0 }
            END {
                for (i = 1; i <= NR; i++) {
                    if (!row(i)) continue
                    from = range[1]
                    to = range[2]
                    count = parts[1]
                    words = versions
                    for (k = 1; k <= 4; k++) sum[k] = status[k]
                    for (again = 1; again;) {
                        again = 0
                        for (j = 1; j <= NR; j++) {
                            if (j == i || !row(j) || range[1] != to + 1) continue
                            to = range[2]
                            count += parts[1]
                            for (k = 1; k <= 4; k++) sum[k] += status[k]
                            if (index(" " words " ", " " versions " ") == 0) words = words " " versions
                            lines[j] = ""
                            again = 1
                        }
                    }
                    lines[i] = begin from " to " to end count ",0,\"exit status 0/1/2/3: " sum[1] "/" sum[2] "/" sum[3] \
                        "/" sum[4] "; version" (words ~ / / ? "s " : " ") words "\""
                }
                for (i = 1; i <= NR; i++) if (lines[i] != "") print lines[i]
            }' "$1" >"$1.tmp-$$"
        mv "$1.tmp-$$" "$1"
    } 9>"${TMPDIR:-/tmp}/stepbench-record.lock"
}
