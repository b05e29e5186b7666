#!/bin/sh
# README.md holds: the table agrees with results/ within that table's tolerances; its commands and those of
# docs/command-line.md run.
. "$SOURCE_DIR/tests/prelude.sh"
mkdir build

# Rows "| quantity | h | published | rounded | unrounded |" against results/wm96_table1.csv.
grep -E '^\| (quaternion|energy|momentum) \|' "$SOURCE_DIR/README.md" | tr -d ' ' >rows
grep -v '^#' "$SOURCE_DIR/results/wm96_table1.csv" >table1.csv
awk '
    function abs(x) { return x < 0 ? -x : x }
    FNR == NR { split($0, c, ","); if (FNR == 1) { for (i in c) at[c[i]] = i; next }
                key = c[at["quantity"]] "," (c[at["h"]] + 0); for (i in at) value[key, i] = c[at[i]]; next }
    { split($0, c, "|"); key = c[2] "," (c[3] + 0); seen++
      p = value[key, "published"]; t = value[key, "tolerance"] * p
      if (p == "" || abs(c[4] - p) > 1e-9 * p || abs(c[5] - value[key, "rounded9"]) > t ||
          abs(c[6] - value[key, "unrounded"]) > t) { print "differs: " $0; bad = 1 } }
    END { exit bad || seen < 3 }' table1.csv rows || fail "README.md and results/wm96_table1.csv differ"

# Commands, as they stand, in an environment without the variables of the tests or of a developer.
ln -s "$STEPBENCH" build/stepbench
grep -hE '^(build/stepbench|cmake -S) ' "$SOURCE_DIR/README.md" "$SOURCE_DIR/docs/command-line.md" >commands
[ "$(grep -c mine commands)" -eq 5 ] && [ "$(wc -l <commands)" -ge 19 ] || fail "too few commands"
# Under the sanitizers a card has one baseline: the default ones go through the same code, for a minute.
[ "${SB_SANITIZE:-OFF}" != ON ] || sed -i '/stepbench card /s/ -o / --against euler_explicit -o /' commands
# Where the compiler has no binary128 or no single precision, what takes them is left out.
[ -x "$(dirname "$STEPBENCH")/stepbench_single" ] || sed -i '/precision=single\|--of single/d' commands
[ -x "$(dirname "$STEPBENCH")/stepbench_quad" ] || sed -i '/precision=quad\|double_pendulum.json\|stepbench roundoff/d' commands
while read -r command; do
    env -i PATH="$PATH" HOME="$PWD" sh -c "$command" >out 2>err || fail "$command: exit status $?: $(cat err)"
    [ -s out ] || [ -s em.csv ] || fail "$command: printed nothing"
done <commands
echo "README.md and docs/command-line.md hold"
