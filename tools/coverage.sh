#!/bin/sh
# coverage.sh BUILD: what the tests that ran in BUILD, built with --coverage, have reached: statements and branches of
# each layer. Experiments are left out, as are the runs of the bench that reach them: these take longer than all other
# tests. With RECORD=FILE, each layer also has its row of FILE, a robustness.csv.
set -eu
build=$1
. "$(dirname "$0")/../tests/robust/record.sh"
cd "$(dirname "$0")/.."
gcovr --root . --object-directory "$build" --exclude tests/ --exclude build --exclude bench/experiments/ --exclude-unreachable-branches \
    --gcov-ignore-parse-errors --csv --output "$build/coverage.csv" "$build" >"$build/gcovr.log" 2>&1 || {
    tail "$build/gcovr.log" >&2
    exit 1
}
percent() {
    awk -v part="$1" -v whole="$2" 'BEGIN { printf "%.1f%%", 100 * part / (whole + (whole == 0)) }'
}
form='%-20s %10s %8s %10s %8s\n'
# shellcheck disable=SC2059
printf "$form" layer statements covered branches covered
# A header is seen through the links of each layer (cmake/layers.cmake): the one seen to be reached most counts.
awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        name = $column["filename"]
        sub(/^build[^\/]*\/layers\/[a-z]*\//, "", name)
        if (!(name in most) || $column["line_covered"] > most[name] + 0) {
            most[name] = $column["line_covered"]
            figures[name] = $column["line_total"] " " $column["line_covered"] " " $column["branch_total"] " " \
                $column["branch_covered"]
        }
    }
    END {
        for (name in figures) {
            split(name, folder, "/")
            split(figures[name], figure, " ")
            layer = folder[1]
            lines[layer] += figure[1]; hit[layer] += figure[2]
            branches[layer] += figure[3]; taken[layer] += figure[4]
        }
        count = split("core integrators problems analysis bench", order, " ")
        for (k = 1; k <= count; k++) {
            l = order[k]
            if (lines[l] > 0)
                print l, lines[l], hit[l], branches[l], taken[l]
        }
    }' "$build/coverage.csv" |
    while read -r layer lines hit branches taken; do
        statements=$(percent "$hit" "$lines")
        ways=$(percent "$taken" "$branches")
        # shellcheck disable=SC2059
        printf "$form" "$layer" "$lines" "$statements" "$branches" "$ways"
        [ -z "${RECORD:-}" ] || record "$RECORD" coverage "$layer: statements that no test reaches" "$lines" \
            $((lines - hit)) "statements $statements; branches $ways of $branches"
    done
