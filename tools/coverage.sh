#!/bin/sh
# coverage.sh BUILD: what the tests that ran in BUILD, built with --coverage, have reached: statements and branches of
# each layer.
set -eu
build=$1
cd "$(dirname "$0")/.."
gcovr --root . --object-directory "$build" --exclude tests/ --exclude build --exclude-unreachable-branches \
    --gcov-ignore-parse-errors --csv --output "$build/coverage.csv" "$build" >"$build/gcovr.log" 2>&1 || {
    tail "$build/gcovr.log" >&2
    exit 1
}
awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        name = $column["filename"]
        split(name, folder, "/")
        layer = name ~ /^bench\/experiments\// ? "bench/experiments" : folder[1]
        lines[layer] += $column["line_total"]; hit[layer] += $column["line_covered"]
        branches[layer] += $column["branch_total"]; taken[layer] += $column["branch_covered"]
    }
    END {
        printf "%-20s %10s %8s %10s %8s\n", "layer", "statements", "covered", "branches", "covered"
        count = split("core integrators problems analysis bench bench/experiments", order, " ")
        for (k = 1; k <= count; k++) {
            l = order[k]
            if (lines[l] > 0)
                printf "%-20s %10d %7.1f%% %10d %7.1f%%\n", l, lines[l], 100 * hit[l] / lines[l], branches[l],
                    100 * taken[l] / (branches[l] + (branches[l] == 0))
        }
    }' "$build/coverage.csv"
