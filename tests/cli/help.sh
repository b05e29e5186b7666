#!/bin/sh
# Help on every level, list and show: everything registered is named, everything named can be shown.
. "$SOURCE_DIR/tests/prelude.sh"

"$STEPBENCH" --version | grep -qx 'stepbench [0-9][0-9.]*' || fail "version: $("$STEPBENCH" --version)"
for word in -V version; do
    [ "$("$STEPBENCH" $word)" = "$("$STEPBENCH" --version)" ] || fail "$word: $("$STEPBENCH" $word)"
done
"$STEPBENCH" --help >help
"$STEPBENCH" help | cmp - help || fail "help and --help differ"
"$STEPBENCH" -h | cmp - help || fail "-h and --help differ"
for word in list show run bench check new man complete $("$STEPBENCH" list analyses --names); do
    grep -q "^  $word " help || fail "$word is not in the help"
    "$STEPBENCH" "$word" --help >one
    "$STEPBENCH" help "$word" | cmp - one || fail "help $word and $word --help differ"
    [ "$(wc -l <one)" -ge 3 ] || fail "help of $word is empty"
    awk 'length($0) > 100 || / $/ { print; wide = 1 } END { exit wide }' one || fail "lines of the help of $word"
done
for option in h t-end steps every event columns; do
    "$STEPBENCH" run --help | grep -q "^  --$option " || fail "run --help lacks --$option"
done

# Without a command: the help, on stderr, and status 2.
status=0
"$STEPBENCH" >out 2>err || status=$?
[ "$status" -eq 2 ] && [ ! -s out ] && grep -q 'analyses' err || fail "no command: status $status"

"$STEPBENCH" list --names >names
# shellcheck disable=SC2046
"$STEPBENCH" show $(cat names) >shown 2>err || fail "show: $(cat err)"
awk 'FNR == NR { missing[$0]; next } FNR == 1 || before == "" { sub(/:$/, "", $1); delete missing[$1] } { before = $0 }
    END { for (name in missing) { print name; bad = 1 } exit bad }' names shown >missing ||
    fail "show begins no part with $(tr '\n' ' ' <missing)"
awk 'length($0) > 100 || / $/ { print; wide = 1 } END { exit wide }' shown || fail "lines of show"
# The equations of a stepper are those at the head of its source, formulas as they stand there.
for name in $("$STEPBENCH" list steppers --names) adaptive_reversible; do
    "$STEPBENCH" show "$name" | grep -qx equations || fail "show $name has no equations"
done
"$STEPBENCH" show rattle | grep -q "^    M v1 = M v_{1/2} + h/2 (-V_q(t + h, q1) + G(q1)' mu), *G(q1) v1 + g_t = 0.$" ||
    fail "the equations of rattle: $("$STEPBENCH" show rattle)"
"$STEPBENCH" show "yoshida4(verlet)" | grep -qx equations && fail "yoshida4(verlet) has the equations of another stepper"
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
ran() { # ran OPTION...: the pairs that took a step, as problem,stepper
    "$STEPBENCH" run -p '*' -s '*' "$@" --h 1e-3 --steps 1 --format csv 2>err | awk -F, '/^#/ { next } $3 == 1 { print $1 "," $2 }' | sort
}
ran >taken
awk -F, '$3 == "yes" { print $1 "," $2 }' matrix | sort | cmp -s - taken ||
    fail "the pairs that run are not those of the matrix: $(cat err)"
awk -F, '$3 == "no" { print "stepbench: left out: " $2 " does not take " $1 ":" }' matrix | sort >refused
sed -n 's/^\(stepbench: left out: [^:]*:\).*/\1/p' err | sort | cmp -s - refused ||
    fail "the pairs left out are not those that the matrix refuses: $(cat err)"
pair=$(sed -n 's/^\([a-z0-9_]*\),\([a-z0-9_]*\),no,.*/-p \1 -s \2/p' matrix | head -1)
status=0
# shellcheck disable=SC2086
"$STEPBENCH" run $pair --h 1e-3 --steps 1 >/dev/null 2>&1 || status=$?
[ "$status" -eq 2 ] || fail "run $pair, which the matrix refuses, ends with $status"

# Advice can be followed.
sed -n 's/^\([a-z0-9_]*\),\([a-z0-9_]*\),no,.*; try -w \([a-z0-9_]*\).*/\3 \1,\2/p' matrix | sort >advice
[ -s advice ] || fail "the matrix gives no advice"
for formulation in $(cut -d' ' -f1 advice | uniq); do
    ran -w "$formulation" >taken
    sed -n "s/^$formulation //p" advice | comm -23 - taken >ignored
    [ ! -s ignored ] || fail "-w $formulation, as the matrix advises, does not run on $(cat ignored): $(cat err)"
done
"$STEPBENCH" show dsp | grep -q '^  m1 .*> 0 .*kg' || fail "show dsp lacks a parameter with range and unit"
echo "help, list and show agree"
