#!/bin/sh
# `bench`: what is listed is what is run; findings are merged claim by claim; a failing experiment costs only itself; an
# interrupted call
# is resumed; the same call gives the same bytes.
. "$SOURCE_DIR/tests/prelude.sh"

"$STEPBENCH" bench 'wm96_table*' --dry-run --out dry --format csv >plan.csv
[ ! -e dry ] || fail "a dry run makes its folder"
grep -q '^wm96_table1,no,.*wm96_table1.csv.*wm96-t1-q' plan.csv || fail "the plan: $(cat plan.csv)"
[ "$(tail -n +2 plan.csv | wc -l)" -eq 2 ] || fail "the plan has $(tail -n +2 plan.csv | wc -l) experiments, not 2"

"$STEPBENCH" bench wm96_table2 'wm96_table?' wm96_table1 --dry-run --format csv | cmp - plan.csv ||
    fail "named twice, an experiment is planned twice"

"$STEPBENCH" bench wm96_table1 --out one 2>err || fail "bench: $(cat err)"
grep -q 'experiments in' err || fail "no summary: $(cat err)"
for file in claims.csv README.md provenance.json wm96_table1.csv; do
    [ -s "one/$file" ] || fail "no $file"
done
grep -q '^- .*\*\*open\*\*' one/claims.md && fail "claims without a measurement have their texts"
grep -q '^Open, not measured here: .*`wm96-t2-dvp-x`' one/claims.md || fail "open claims are not named"
"$STEPBENCH" bench ladder_fall --out none 2>err || fail "ladder_fall: $(cat err)"
grep -q 'claims\|wm96' none/README.md err && fail "an experiment of no paper has claims: $(cat none/README.md err)"
[ ! -e one/.parts ] || fail "parts stay after merging"
ids() { # the claims of a file, each once, in its order
    grep -v '^#' "$1" | tail -n +2 | cut -d, -f1 | uniq
}
columns=claim,form,quantity,published,measured,uncertainty,comparison,expected,tolerance
columns=$columns,passed,experiment
[ "$(grep -v '^#' one/claims.csv | head -1)" = "$columns" ] ||
    fail "claims: $(head -2 one/claims.csv)"
for file in claims verdicts; do
    [ "$(ids one/$file.csv | tr '\n' ' ')" = "wm96-t1-q wm96-t1-e wm96-t1-m " ] ||
        fail "$file of one experiment: $(cat one/$file.csv)"
done

# Rows of experiments that are not run now are kept; the order is that of the list of claims; the bytes are the same.
cp one/claims.csv before.csv
cp one/wm96_table1.csv table1.csv
"$STEPBENCH" bench wm96_verlet --out one 2>err
grep -c . one/claims.csv >/dev/null
grep '^wm96-t1' one/claims.csv | cmp - "$(grep '^wm96-t1' before.csv >kept.csv; echo kept.csv)" ||
    fail "rows of an earlier call changed"
"$STEPBENCH" list claims --names >order
ids one/claims.csv | grep '^wm96-' >found
grep -xFf found order | cmp - found || fail "the order is not that of the claims"
cp one/claims.csv before.csv
"$STEPBENCH" bench wm96_table1 wm96_verlet --jobs 1 --out one 2>err
cmp one/claims.csv before.csv || fail "the same experiments give other claims"
cmp one/wm96_table1.csv table1.csv || fail "the same experiment gives other bytes"

# Parts of a plan that are put together give the same bytes.
for name in wm96_verlet wm96_table1; do
    "$STEPBENCH" bench $name --part --out parts 2>err || fail "a part: $(cat err)"
done
"$STEPBENCH" bench wm96_table1 wm96_verlet --merge --out parts 2>err || fail "merging: $(cat err)"
for file in claims.csv verdicts.csv wm96_table1.csv wm96_verlet.csv; do
    cmp "parts/$file" "one/$file" || fail "parts give another $file"
done

# An experiment that cannot write its file fails alone: status 1, its claims are open, the others stand.
mkdir -p two/wm96_table1.csv
status=0
"$STEPBENCH" bench wm96_table1 wm96_verlet --out two 2>err || status=$?
[ "$status" -eq 1 ] || fail "a failed experiment: exit status $status"
grep -q 'experiment wm96_table1 failed: .*wm96_table1.csv' err || fail "a failed experiment: $(cat err)"
grep -q '^wm96-verlet' two/claims.csv || fail "the claims beside a failed experiment are lost"
grep -q '^wm96-t1' two/claims.csv && fail "a failed experiment has claims"
[ -e two/.parts/wm96_verlet.csv ] || fail "no part to resume from"
rmdir two/wm96_table1.csv
"$STEPBENCH" bench wm96_table1 wm96_verlet --resume --out two 2>err || fail "resuming: $(cat err)"
grep -q 'wm96_verlet .* s$' err && fail "what was finished is run again: $(cat err)"
cmp two/claims.csv one/claims.csv || fail "resumed, the claims differ"
[ ! -e two/.parts ] || fail "parts stay after resuming"

# An experiment that is killed leaves nothing of its own, and files of the user stay.
"$STEPBENCH" bench spook07_ladder --part --out four 2>err &
job=$!
writes() { # the experiment has its file open; what the program tries in processes of their own before it, has none
    child=$(cut -d' ' -f1 "/proc/$job/task/$job/children" 2>/dev/null)
    [ -n "$child" ] && ls -l "/proc/$child/fd" 2>/dev/null | grep -q "$PWD/four/[^.]"
}
wait_until "the experiment writes" writes
touch "four/j.csv.tmp-$child"
kill -KILL "$child"
status=0
wait "$job" || status=$?
[ "$status" -eq 1 ] && grep -q 'experiment spook07_ladder crashed: Killed' err ||
    fail "a killed experiment: status $status: $(cat err)"
[ "$(find four -name '*tmp*')" = "four/j.csv.tmp-$child" ] ||
    fail "of a killed experiment there is: $(find four -name '*tmp*')"

# Interrupted: finished parts stay, nothing temporary does, and --resume completes.
env --default-signal=INT "$STEPBENCH" bench 'wm96_*' --out three 2>err &
job=$!
finished() { [ -n "$(find three/.parts -name '*.csv' 2>/dev/null)" ]; }
wait_until "an experiment is finished" finished
kill -INT "$job"
status=0
wait "$job" || status=$?
[ "$status" -eq 1 ] || fail "an interrupted bench: exit status $status: $(cat err)"
grep -q 'interrupted.*--resume' err || fail "an interrupted bench: $(cat err)"
[ -z "$(find three -name '*tmp*')" ] || fail "temporary files stay: $(find three -name '*tmp*')"
[ -n "$(find three/.parts -name '*.csv')" ] || fail "finished parts are gone"
[ ! -e three/claims.csv ] || fail "an interrupted bench wrote half of the claims"
# The pages are not written from a file that says something twice.
"$STEPBENCH" bench notes11_midpoint --out pages 2>err || fail "notes11_midpoint: $(cat err)"
sed '1s/{/{"version": 1, "version": 2,/' pages/provenance.json >twice.json && mv twice.json pages/provenance.json
"$STEPBENCH" bench --replot --out pages 2>err && fail "a key that stands twice passes"
grep -q 'pages/provenance.json:1: duplicate object key' err || fail "a key that stands twice: $(cat err)"
echo "bench runs, merges, fails and resumes as it should"
