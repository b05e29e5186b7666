#!/bin/sh
# The table of docs/agreement.md counts the rows of results/agreement.csv, and where a number is not right, its error is
# that of the source.
. "$SOURCE_DIR/tests/prelude.sh"

grep -v '^#' "$SOURCE_DIR/results/agreement.csv" | awk '
    { while (match($0, /"[^"]*"/)) { # a text between quotation marks may have commas
        text = substr($0, RSTART + 1, RLENGTH - 2); gsub(/,/, ";", text)
        $0 = substr($0, 1, RSTART - 1) text substr($0, RSTART + RLENGTH) }
      gsub(/,/, "\t"); print }' >rows
awk -F '\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
        name = $at["problem"]; gsub(/;/, ",", name)
        if (!(name in total)) { order[++n] = name; source[name] = $at["source"]; fewest[name] = 99 }
        total[name]++; right[name] += $at["verdict"] == "right"
        if ($at["digits"] < fewest[name]) fewest[name] = $at["digits"]
    }
    END {
        print "| problem | source | numbers | right | fewest right digits |"; print "|---|---|--:|--:|--:|"
        for (k = 1; k <= n; k++) {
            name = order[k]
            print "| `" name "` | `" source[name] "` | " total[name] " | " right[name] + 0 " | " fewest[name] " |"
        }
    }' rows >expected
grep '^|' "$SOURCE_DIR/docs/agreement.md" >table
diff table expected >difference || fail "docs/agreement.md has another table than results/ gives: $(cat difference)"
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["verdict"] != "right" && $at["error_of"] != "published" { print; bad = 1 } END { exit bad }' rows >open ||
    fail "docs/agreement.md says whose error it is, but results/agreement.csv leaves it open: $(cat open)"
