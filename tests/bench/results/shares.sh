#!/bin/sh
# The shares of decided and of wrong verdicts in docs/verdicts.md are those of the run, rounded.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"

count=0
for table in drift foreign symplectic order contract; do
    file=$RESULTS/out/confusion_$table.csv
    [ -f "$file" ] || continue # a long experiment, of another commit
    # Columns are counted from the end: texts before them may hold commas.
    grep -v '^#' "$file" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) back[$i] = NF - i; next }
        { runs += $(NF - back["runs"]); decided += $(NF - back["yes"]) + $(NF - back["no"])
          wrong += $(NF - back["false_alarms"]) + $(NF - back["missed"]) }
        END { printf "%.0f %% | %.0f %%\n", 100 * decided / runs, 100 * wrong / runs }' >shares
    grep -F "[confusion_$table.csv]" "$SOURCE_DIR/docs/verdicts.md" | grep -qF "| $(cat shares) |" ||
        fail "docs/verdicts.md: confusion_$table has the shares $(cat shares)"
    count=$((count + 1))
done
[ "$count" -gt 0 ] || fail "no table was found"
echo "$count tables have the shares of the document"
