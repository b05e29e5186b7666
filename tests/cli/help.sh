#!/bin/sh
# Help on every level, list and show: everything registered is named, everything named can be shown.
. "$SOURCE_DIR/tests/prelude.sh"

"$STEPBENCH" --version | grep -qx 'stepbench [0-9][0-9.]*' || fail "version: $("$STEPBENCH" --version)"
"$STEPBENCH" --help >help
"$STEPBENCH" help | cmp - help || fail "help and --help differ"
"$STEPBENCH" -h | cmp - help || fail "-h and --help differ"
for word in list show run bench check new man complete $("$STEPBENCH" list analyses --names); do
    grep -q "^  $word " help || fail "$word is not in the help"
    "$STEPBENCH" "$word" --help >one
    "$STEPBENCH" help "$word" | cmp - one || fail "help $word and $word --help differ"
    [ "$(wc -l <one)" -ge 3 ] || fail "help of $word is empty"
done
for option in h t-end steps every event columns; do
    "$STEPBENCH" run --help | grep -q "^  --$option " || fail "run --help lacks --$option"
done

# Without a command: the help, on stderr, and status 2.
status=0
"$STEPBENCH" >out 2>err || status=$?
[ "$status" -eq 2 ] && [ ! -s out ] && grep -q 'analyses' err || fail "no command: status $status"

for name in $("$STEPBENCH" list --names); do
    "$STEPBENCH" show "$name" >shown || fail "show $name fails"
    head -1 shown | grep -q "^$name: " || fail "show $name: $(head -1 shown)"
done
[ "$("$STEPBENCH" list --names | wc -l)" -eq "$("$STEPBENCH" list --format csv | tail -n +2 | wc -l)" ] ||
    fail "names and rows differ in number"
[ "$("$STEPBENCH" list --names | sort | uniq -d | wc -l)" -eq 0 ] || fail "a name comes twice"
for kind in steppers compounds problems formulations solvers lcp_solvers analyses experiments; do
    "$STEPBENCH" list "$kind" --names | grep -q . || fail "no $kind"
    "$STEPBENCH" list "$kind" --json | grep -q '"brief": "' || fail "list $kind --json"
done
"$STEPBENCH" list claims --format csv | head -1 | grep -qx 'id,where,kind,claim,published,comment' ||
    fail "list claims: $("$STEPBENCH" list claims --format csv | head -1)"
"$STEPBENCH" list claims --names | grep -qx 'wm96-t1-q' || fail "the claims have no wm96-t1-q"
"$STEPBENCH" show wm96-t1-q | grep -q 'wm96_table1' || fail "show wm96-t1-q does not name what settles it"

# The matrix: every pair once, a reason exactly where it does not fit, and `run` agrees.
"$STEPBENCH" list --matrix --format csv >matrix
pairs=$(($("$STEPBENCH" list problems --names | wc -l) * $("$STEPBENCH" list steppers --names | wc -l)))
[ "$(tail -n +2 matrix | wc -l)" -eq "$pairs" ] || fail "the matrix has $(tail -n +2 matrix | wc -l) rows, not $pairs"
tail -n +2 matrix | awk -F, '($3 == "yes") != ($5 == "") || ($3 == "yes") == ($4 == "") { print; exit 1 }' ||
    fail "a reason where it fits, or none where it does not"
tail -n +2 matrix | cut -d, -f1-3 | while IFS=, read -r problem stepper fits; do
    status=0
    "$STEPBENCH" run -p "$problem" -s "$stepper" --h 1e-3 --steps 1 >/dev/null 2>&1 || status=$?
    [ "$fits" = yes ] && expected=0 || expected=2
    [ "$status" -eq "$expected" ] || fail "$stepper on $problem: the matrix says $fits, run ends with $status"
done

# Advice can be followed.
sed -n 's/^\([a-z0-9_]*\),\([a-z0-9_]*\),no,.*; try -w \([a-z0-9_]*\).*/\1 \2 \3/p' matrix >advice
[ -s advice ] || fail "the matrix gives no advice"
while read -r problem stepper formulation; do
    "$STEPBENCH" run -p "$problem" -w "$formulation" -s "$stepper" --h 1e-3 --steps 1 >/dev/null 2>err ||
        fail "$stepper on $problem with -w $formulation, as the matrix advises: $(cat err)"
done <advice
"$STEPBENCH" show dsp | grep -q '^  m1 .*> 0 .*kg' || fail "show dsp lacks a parameter with range and unit"
echo "help, list and show agree"
