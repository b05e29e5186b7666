#!/bin/sh
# `study`: the files are those of the commands that the page names; jobs, parts and an interruption change no byte; an
# experiment that has changed is run again; every mistake in the file has a sentence with its line and key.
. "$SOURCE_DIR/tests/prelude.sh"
command -v gnuplot >/dev/null 2>&1 && drawn=yes || drawn=no
cp "$SOURCE_DIR/docs/pendulums.json" .

# ---- The example: its files, and the same bytes from the commands on its page. ----
"$STEPBENCH" study pendulums.json --dry-run --out one --format csv >list.csv
[ ! -e one ] && [ "$(tail -n +2 list.csv | cut -d, -f1 | tr '\n' ' ')" = "orders long_energy starts swing " ] ||
    fail "the list: $(cat list.csv)"
"$STEPBENCH" study - --dry-run --out one --format csv <pendulums.json | cmp - list.csv || fail "a study on standard input"
"$STEPBENCH" study pendulums.json --out one 2>err || fail "the example: $(cat err)"
grep -q '4 of 4 experiments in .* see one/README.md' err || fail "the summary: $(cat err)"
tail -n +2 list.csv | cut -d, -f3 | tr ' ' '\n' >files
[ "$(wc -l <files)" -ge 10 ] || fail "files: $(cat files)"
while read -r file; do
    case $drawn$file in no*.svg | no*.pdf) continue ;; esac
    [ -s "one/$file" ] && grep -q "[(>]${file}[)<]" one/README.md || fail "no $file, or the page lacks it"
    case $file in *.svg | *.pdf) ;; *) [ -s "one/$file.provenance.json" ] || fail "no provenance of $file" ;; esac
done <files
grep -q "\"sha256\": \"$(sha256sum <pendulums.json | cut -d' ' -f1)\"" one/provenance.json || fail "the digest"
mkdir single
sed -n 's/^    stepbench //p' one/README.md >commands
[ "$(wc -l <commands)" -eq 4 ] || fail "commands on the page: $(cat commands)"
while read -r command; do
    [ "$drawn" = yes ] || command=${command% --plot*}
    # shellcheck disable=SC2086 # words of a command
    (cd single && "$STEPBENCH" $command 2>err) || fail "$command: $(cat single/err)"
done <commands
pairs="-p pendulum -p dsp -s shake -s rattle --h=0.02,0.01,0.005 --t-end=0.2"
# shellcheck disable=SC2086
(cd single && "$STEPBENCH" order $pairs --columns problem,h,err_q,err_v --pivot stepper --digits 3 -o orders.tex)
pairs="-p pendulum -w chart -s midpoint -s rk4"
# shellcheck disable=SC2086
(cd single && "$STEPBENCH" drift $pairs --h 0.2,0.1,0.05 --t-end 100 -o long_energy.tex)
rm single/err
[ "$drawn" = yes ] || rm single/swing.csv* # with a figure `run` names the pair in each row
for file in single/*; do
    cmp "$file" "one/${file#single/}" || fail "${file#single/} is not what the command writes"
done
[ "$(find single -name '*.csv' | wc -l)" -ge 3 ] || fail "the commands wrote $(ls single)"

# ---- The ensemble: the medians of rms lie between their quartiles, and another call has the same members. ----
awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["rms_q1"] < $at["rms"] && $at["rms"] < $at["rms_q3"] && $at["failed"] == 0 { ordered++ }
    END { exit !(n == 9 && ordered == 8) }' one/starts.csv || fail "starts.csv: $(cat one/starts.csv)"
"$STEPBENCH" study pendulums.json starts --out other 2>err
cmp other/starts.csv one/starts.csv || fail "another call draws other members"

# ---- Parts by the lines of a plan, one job at a time, and figures drawn again: the same directory. ----
same() { # same WHAT DIRECTORY: but for the dates in PDF files
    diff -r -x '*.pdf' one "$2" >differences || fail "$1: $(head -5 differences)"
}
"$STEPBENCH" study pendulums.json --plan --jobs 1 --out 'the parts' >plan 2>after
[ "$(wc -l <plan)" -eq 4 ] && [ "$(grep -c -- '--part --out .* --jobs 1$' plan)" -eq 4 ] || fail "plan: $(cat plan)"
if command -v parallel >/dev/null 2>&1; then
    parallel -j2 <plan >out 2>err || fail "GNU parallel: $(cat err)"
else
    for task in 1 2 3 4; do # as the array of docs/studies.md
        sed -n "${task}p" plan | sh 2>>err &
    done
    wait
fi
sed 's/.*: stepbench //' after | grep -qxF "study pendulums.json --merge --out 'the parts'" || fail "$(cat after)"
"$STEPBENCH" study pendulums.json --merge --out 'the parts' 2>err || fail "merging: $(cat err)"
same "parts merged" 'the parts'
if [ "$drawn" = yes ]; then
    for file in 'the parts'/*.svg; do
        echo >"$file"
    done
    "$STEPBENCH" study pendulums.json --replot --out 'the parts' 2>err || fail "drawing again: $(cat err)"
    same "figures drawn again" 'the parts'
fi
"$STEPBENCH" study pendulums.json --compare one --out 'the parts' >out 2>err || fail "comparing: $(cat err)"
grep -q '[1-9][0-9]* quantities in 4 files of one and the parts agree' err || fail "comparing: $(cat err)"

# ---- Interrupted: what is finished is kept; with --resume only the rest is run, and what has changed. ----
cat >long.json <<'J'
{"title": "long", "problems": ["oscillator"], "steppers": ["verlet"], "experiments": [
  {"name": "quick", "analysis": "order", "options": {"h": [0.1, 0.05, 0.025], "t_end": 1}},
  {"name": "endless", "analysis": "run", "options": {"h": 0.001, "steps": 1000000000, "every": 1000000}}]}
J
sed 's/1000000000/10/' long.json >short.json
env --default-signal=INT "$STEPBENCH" study long.json --out stopped 2>err &
job=$!
finished() { [ -n "$(find stopped/.parts -name 'quick.*.csv' 2>/dev/null)" ]; }
wait_until "an experiment is finished" finished
kill -INT "$job"
status=0
wait "$job" || status=$?
[ "$status" -eq 1 ] && grep -q 'interrupted.*--resume' err || fail "interrupted: status $status: $(cat err)"
[ ! -e stopped/README.md ] && [ -z "$(find stopped -name '*tmp*')" ] || fail "interrupted: $(ls -A stopped)"
"$STEPBENCH" study short.json --resume --out stopped 2>err || fail "resuming: $(cat err)"
grep -q 'endless .* s$' err && ! grep -q 'quick .* s$' err || fail "resuming runs $(cat err)"
"$STEPBENCH" study short.json --out straight 2>err
diff -r stopped straight >differences || fail "resumed: $(head -5 differences)"
"$STEPBENCH" study short.json quick --part --out stopped 2>err
sed 's/0.025/0.0125/' short.json >changed.json
"$STEPBENCH" study changed.json quick --part --resume --out stopped 2>err
grep -q 'quick .* s$' err || fail "a changed experiment is not run again: $(cat err)"

# ---- The file that docs/studies.md explains, with a plug-in. ----
sed -n '/^```json$/,/^```$/{/^```$/q;/^```/!p}' "$SOURCE_DIR/docs/studies.md" >explained.json
cp "$SOURCE_DIR/tests/plugin/heun.c" mine.c
"$STEPBENCH" study explained.json --out explained 2>err || fail "docs/studies.md: $(cat err)"
grep -q 'rattle:tol=1e-06' explained/orders.tex || fail "$(cat explained/orders.tex)"
grep -q '"file": "mine.c"' explained/orders.csv.provenance.json || fail "the provenance lacks the plug-in"

# ---- A pair that does not fit is a row; without problems those of the analysis are taken, and the file names them. ----
cat >rows.json <<'J'
{"title": "rows", "experiments": [{"name": "some", "analysis": "drift", "problems": ["pendulum", "oscillator"],
  "steppers": ["verlet"], "options": {"h": 0.1, "t_end": 50}},
  {"name": "usual", "analysis": "recurrence", "steppers": ["verlet"], "options": {"limit": true}}]}
J
"$STEPBENCH" study rows.json --out rows 2>err || fail "a pair that does not fit: $(cat err)"
"$STEPBENCH" recurrence -s verlet --limit -o usual.csv
cmp usual.csv rows/usual.csv && cmp usual.csv.provenance.json rows/usual.csv.provenance.json || fail "the usual problem"
grep -q '^pendulum,verlet,.*verlet does not take pendulum' rows/some.csv || fail "rows: $(cat rows/some.csv)"

# ---- Mistakes: LINE, KEY: SENTENCE, then the file. ----
mistakes=0
wrong() {
    printf '%s\n' "$2" >wrong.json
    status=0
    "$STEPBENCH" study wrong.json --out wrong >out 2>err || status=$?
    [ "$status" -eq 2 ] && [ ! -s out ] && [ ! -e wrong ] && grep -qF "study: wrong.json, line $1" err &&
        [ "$(wc -l <err)" -eq 1 ] || fail "$2: exit status $status, wanted line $1: $(cat err out)"
    mistakes=$((mistakes + 1))
}
study() { # study REST: an experiment on line 2 with the rest of its keys from line 3 on
    printf '{"title": "t", "problems": ["pendulum"], "steppers": ["rattle"], "experiments": [\n{"name": "e",\n%s}]}' "$1"
}
wrong "2, column 0: not valid JSON" '{'
wrong "1, the file: an object" '[]'
wrong "1, the file: the key title is missing" '{}'
wrong "1, problem: unknown key; known here: title|text|plugins|engines|problems" '{"title": "t", "problem": []}'
wrong '1, the file: "experiments": [{"name": ..., "analysis": ...}, ...] is needed' '{"title": "t"}'
wrong "1, plugins[0]: plug-in nowhere.so cannot be loaded" '{"title": "t", "plugins": ["nowhere.so"]}'
wrong "2, experiments[0]: the key analysis is missing" "$(study '"caption": "c"')"
wrong '3, experiments[0].analysis: no analysis is named "ordr"; nearest: order' "$(study '"analysis": "ordr"')"
wrong "3, experiments[0].step: unknown key" "$(study '"step": 1, "analysis": "order"')"
wrong '4, experiments[1].name: no experiment can be named "e"' "$(study '"analysis": "order"},
{"name": "e"')"
wrong '1, experiments[0].name: "My run" is no experiment name' \
    '{"title": "t", "experiments": [{"name": "My run"}]}'
wrong '4, experiments[0].problems[1]: no problem is named "pendulun"; nearest: pendulum' \
    "$(study '"analysis": "order", "problems": ["dsp",
"pendulun"]')"
wrong '3, experiments[0].steppers[0]: rattle: ' "$(study '"analysis": "order", "steppers": ["rattle:tol=-1"]')"
wrong '3, experiments[0].steppers[0]: rattle has no parameter "tool"; nearest: tol' \
    "$(study '"analysis": "order", "steppers": [{"name": "rattle", "vary": {"tool": [1e-8]}}]')"
wrong "3, experiments[0].problems: a list" "$(study '"analysis": "order", "problems": "dsp"')"
wrong "3, experiments[0].problems[0]: a problem is needed" "$(study '"analysis": "order", "problems": [3]')"
wrong "3, experiments[0].problems[0].vary.l: a list with at least one value" \
    "$(study '"analysis": "order", "problems": [{"name": "pendulum", "vary": {"l": []}}]')"
wrong "3, experiments[0].problems[0].ensemble: unknown key; known here: name|label|parameters|vary" \
    "$(study '"analysis": "order", "problems": [{"name": "pendulum", "ensemble": 3}]')"
wrong '2, experiments[0]: --uniform: "2" has to be NAME=LOW:HIGH' "$(study '"analysis": "order", "options": {"ensemble": 3, "uniform": 2}')"
wrong "3, experiments[0].options.hh: order has no option --hh; nearest: --h" \
    "$(study '"analysis": "order", "options": {"hh": 0.1}')"
wrong '3, experiments[0].options.h: order: --h=-0.1' "$(study '"analysis": "order", "options": {"h": [-0.1]}')"
wrong "3, experiments[0].options.h: a number, a word" "$(study '"analysis": "order", "options": {"h": null}')"
wrong "3, experiments[0].options.digits: digits is no option of the rows: columns, pivot and digits stand in" \
    "$(study '"analysis": "order", "options": {"digits": 3}')"
wrong "2, experiments[0]: verlet does not take pendulum" "$(study '"analysis": "order", "steppers": ["verlet"]')"
wrong '3, experiments[0].tables[0].columns: --columns: no column is named "err"' \
    "$(study '"analysis": "order", "tables": [{"file": "a.tex", "columns": ["h", "err"]}]')"
wrong '3, experiments[0].tables[0].caption: --caption is for LaTeX: end the name of -o or --plot with .tex' \
    "$(study '"analysis": "order", "tables": [{"file": "a.csv", "caption": "x"}]')"
wrong '3, experiments[0].figures[0]: --plot-width is for --plot FILE.pdf and FILE.tex' \
    "$(study '"analysis": "order", "figures": [{"file": "a.svg", "plot-width": 8}]')"
wrong '3, experiments[0].tables[0].pivot: --pivot: no column is named "steper"; nearest: stepper' \
    "$(study '"analysis": "order", "tables": [{"file": "a.tex", "pivot": "steper"}]')"
wrong '3, experiments[0].tables[0].digits: order: --digits=99' \
    "$(study '"analysis": "order", "tables": [{"file": "a.tex", "digits": 99}]')"
wrong "3, experiments[0].tables[0]: the name a.xls has to end with .csv" \
    "$(study '"analysis": "order", "tables": ["a.xls"]')"
wrong "3, experiments[0].tables[0]: e.csv is the file of another table" \
    "$(study '"analysis": "order", "tables": ["e.csv"]')"
wrong "3, experiments[0].tables[0]: ../a.csv cannot be" "$(study '"analysis": "order", "tables": ["../a.csv"]')"
for label in '' =1+1 'a;b'; do # the grammar of --label has no place for them
    wrong "3, experiments[0].steppers[0].label: \"$label\" is no label" \
        "$(study "\"analysis\": \"order\", \"steppers\": [{\"name\": \"rattle\", \"label\": \"$label\"}]")"
done
for name in claims.csv verdicts.csv e.csv.provenance.json; do # files of the study itself
    wrong "3, experiments[0].tables[0]: $name cannot be" "$(study "\"analysis\": \"order\", \"tables\": [\"$name\"]")"
done
wrong "3, experiments[0].scripts[0]: ../a.svg cannot be" "$(study '"analysis": "order", "scripts": ["../a"]')"
wrong "3, experiments[0].figures[0]: a.png is the file of another" \
    "$(study '"analysis": "order", "scripts": ["a"], "figures": ["a.png"]')"
for name in index e; do
    wrong "3, summary: $name." "$(study '"analysis": "order"}],' | sed 's/}\]}$//')\
\"summary\": {\"name\": \"$name\", \"columns\": [{\"id\": \"h\", \"table\": \"e.csv\", \"value\": \"h\"}]}}"
done
wrong '3, experiments[0].figures[0]: --plot a.bmp' "$(study '"analysis": "order", "figures": ["a.bmp"]')"
wrong "3, experiments[0].figures[0]: energy has no figure; these have one: run, order" \
    "$(study '"analysis": "energy", "figures": ["a.svg"]')"
status=0
"$STEPBENCH" study nowhere.json --out wrong >out 2>err || status=$?
[ "$status" -eq 1 ] && grep -q 'nowhere.json cannot be read: No such file' err || fail "no file: $status: $(cat err)"
for words in "--out wrong" "pendulums.json" "pendulums.json nothing --out wrong" \
    "pendulums.json --out wrong --plan --merge"; do
    status=0
    # shellcheck disable=SC2086
    "$STEPBENCH" study $words >out 2>err || status=$?
    [ "$status" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || fail "study $words: $status: $(cat err)"
done
echo "a study gives what its commands give, and $mistakes mistakes have their sentences"
