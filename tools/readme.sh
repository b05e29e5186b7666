#!/bin/sh
# Copies the numbers of README.md's two tables from the results folder: readme.sh README RESULTS
set -eu
readme=$1
results=$2

errors=$(mktemp)
times=$(mktemp)
trap 'rm -f "$errors" "$times"' EXIT
# Table 1 as results/README.md shows it, its first five columns.
awk -F'|' '/^### / { inside = $0 == "### wm96_table1" }
           inside && /^\| (quaternion|energy|momentum) \|/ { print "|" $2 "|" $3 "|" $4 "|" $5 "|" $6 "|" }' "$results/README.md" >"$errors"
# The bare loops that methods with a target of speed are compared with.
grep -v '^#' "$results/times/perf_steppers_times.csv" | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["bare_time"] != "" && $at["stepper"] ~ /^(verlet|shake|dvp)$/ {
        printf "| %s | %s | %.1f | %.1f | %.1f |\n", $at["stepper"], $at["problem"], $at["time"], $at["bare_time"], $at["ratio"] }' >"$times"
[ -s "$errors" ] && [ -s "$times" ]

awk -v errors="$errors" -v times="$times" '
    function rows(file,  line) { while ((getline line < file) > 0) print line }
    /^\| (quaternion|energy|momentum) \|/ { if (!first++) rows(errors); next }
    /^\| (verlet|shake|dvp) \|/ { if (!second++) rows(times); next }
    { print }' "$readme" >"$readme.tmp"
mv "$readme.tmp" "$readme"
