#!/bin/sh
# Studies of engines: an engine that is not there takes its experiments with it; the summary has a row per pair with the
# numbers of the tables, or with the reason; its page shows them; --plan starts the engines.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
tiny="python3 $SOURCE_DIR/tests/engines/tiny.py"

cat >study.json <<'J'
{
  "title": "Small engines",
  "engines": ["tiny", "absent"],
  "problems": ["pendulum", "kepler"],
  "steppers": ["tiny", "absent:integrator=RK4", "rattle"],
  "experiments": [
    {"name": "errors", "analysis": "workprec", "options": {"h": [0.1, 0.05], "t_end": 1}},
    {"name": "joints", "analysis": "constraints", "options": {"h": 0.05, "t_end": 1}},
    {"name": "times", "analysis": "workprec", "timed": true, "options": {"h": [0.1], "t_end": 1}},
    {"name": "theirs", "analysis": "order", "steppers": ["absent"]},
    {"name": "claim", "analysis": "workprec", "problems": ["pendulum"], "steppers": ["absent", "tiny"],
     "options": {"h": 0.1, "t_end": 1}, "measure": [{"id": "absent/steps", "value": "steps", "take": "smallest"}]}
  ],
  "summary": {
    "name": "small",
    "columns": [
      {"id": "error", "table": "errors.csv", "where": {"h": 0.1}, "value": "err_q"},
      {"id": "steps", "table": "errors.csv", "value": "steps", "take": "largest"},
      {"id": "runs", "table": "errors.csv", "where": {"status": "ok"}, "take": "count"},
      {"id": "gap", "table": "joints.csv", "value": "g_max", "words": "position"},
      {"id": "order", "table": "theirs.csv", "value": "measured"},
      {"id": "time of a step", "table": "times.csv", "value": "time_step"}
    ]
  }
}
J
"$STEPBENCH" --engine "$tiny" study study.json --out out 2>err || fail "a study of engines: $(cat err)"
for name in theirs claim; do
    grep -q "the experiment $name is left out" err && [ ! -e out/$name.csv ] || fail "$name is not left out: $(cat err)"
done
[ "$(grep -v '^#' out/small.csv | head -1)" = 'problem,stepper,error,steps,runs,gap,gap words,status' ] ||
    fail "the columns: $(cat out/small.csv)"
# The same numbers as in the tables: 1 s in steps of 0.05 s are 20; the engine takes no Kepler problem, which has no gaps.
error=$(awk -F, '$1 == "pendulum" && $2 == "tiny" && $3 == 0.1 { print $8 }' out/errors.csv)
awk -F, -v error="$error" '$1 == "pendulum" && $2 == "tiny" { exit !($3 == error && $4 == 20 && $5 == 2 && $6 >= 0 && $7 != "" && $8 == "") }' \
    out/small.csv || fail "a pair: $(cat out/small.csv)"
grep -q '^kepler,tiny,,,,,,"\{0,1\}tiny does not take kepler: it needs its bodies' out/small.csv || fail "a refusal: $(cat out/small.csv)"
grep -q '^kepler,rattle,[0-9.e-]*,20,2,' out/small.csv || fail "a stepper beside it: $(cat out/small.csv)"
awk -F, '$1 == "pendulum" { n += $3 > 0 } END { exit n != 2 }' out/times/small.csv || fail "times: $(cat out/times/small.csv)"
grep -q 'title="tiny does not take kepler' out/small.html && grep -q '<summary>pendulum</summary>' out/small.html ||
    fail "the page: $(cat out/small.html)"
grep -q "stepbench --engine 'python3 .*tiny.py' workprec" out/README.md || fail "the command of an experiment: $(cat out/README.md)"

"$STEPBENCH" --engine "$tiny" study study.json --plan --out out 2>err | grep -q -- "--engine 'python3 .*tiny.py'" || fail "the plan: $(cat err)"

wrong() { # wrong SENTENCE EDIT: a study with this edit is refused with the sentence
    sed "$2" study.json >wrong.json
    "$STEPBENCH" --engine "$tiny" study wrong.json --out wrong 2>err && fail "$2 is accepted"
    grep -q "$1" err || fail "$2: $(cat err)"
}
wrong 'line 1[0-9], .*no experiment writes its rows to jonts.csv' 's/"joints.csv"/"jonts.csv"/'
wrong 'the quantity gap: joints.csv has no column g_most' 's/g_max/g_most/'
wrong 'the quantity steps chooses 2 rows' 's/"steps", "take": "largest"/"steps"/'
wrong 'only the analysis workprec is timed' 's/"constraints",/"constraints", "timed": true,/'
wrong 'no stepper .*absent' 's/"tiny", "absent"\],/"tiny"],/'

# engines/study.json names all adapters, and has a row for every number and a claim for every row.
(cd "$SOURCE_DIR" && "$STEPBENCH" study engines/study.json --dry-run --out "$SCRATCH/x") >list 2>err || fail "engines/study.json: $(cat err)"
grep -q '^engines_order,no,engines_order.csv' list || fail "without engines our steppers are left: $(cat list)"
python3 - "$SOURCE_DIR/engines" <<'P' || fail "engines/study.json"
import csv, json, sys
read = lambda name: json.load(open(f'{sys.argv[1]}/{name}'))
column = lambda name: {row['id'] for row in csv.DictReader(open(f'{sys.argv[1]}/{name}'))}
study = read('study.json')
assert {a['name'] for a in read('adapters.json')} == set(study['engines'])
measured = {m['id'] for e in study['experiments'] for m in e.get('measure', [])}
assert measured == column('quantities.csv'), measured ^ column('quantities.csv')
each = {m.split('/')[0] for m in measured}
own = {c.replace('{stepper}', name) for c in each if '{stepper}' in c for e in study['experiments'] for name in e.get('steppers', [])}
claims = column('claims.csv') # the row of an engine with a reason of its own stands for its {stepper} row
assert each <= claims <= each | own, (each - claims, claims - each - own)
P

# make engines decides the claims of each engine alone: an engine that is not there, and an experiment without the row of
# its quantity, leave the claims of the others; {stepper} stands for every engine of an experiment.
mkdir -p table/engines
cat >table/engines/adapters.json <<J
[{"name": "tiny", "command": "$tiny"}, {"name": "absent", "command": "false"}]
J
cat >table/engines/study.json <<'J'
{
  "title": "Small engines",
  "text": "",
  "engines": ["tiny", "absent"],
  "problems": ["pendulum"],
  "steppers": ["tiny", "absent", "rattle"],
  "experiments": [
    {"name": "errors", "analysis": "constraints", "options": {"h": 0.05, "t_end": 1}},
    {"name": "each", "analysis": "run", "steppers": ["tiny", "absent"], "options": {"h": 0.05, "steps": 4},
     "measure": [{"id": "lasts-{stepper}/step", "where": {"step": 4}, "value": "step"}]},
    {"name": "short", "analysis": "run", "steppers": ["tiny"], "options": {"h": 0.05, "steps": 4},
     "measure": [{"id": "tiny-late/step", "where": {"step": 9}, "value": "step"}]},
    {"name": "both", "analysis": "run", "steppers": ["tiny", "absent"], "options": {"h": 0.05, "steps": 4},
     "measure": [{"id": "tiny-both/step", "where": {"step": 4, "stepper": "tiny"}, "value": "step"}]}
  ],
  "summary": {"name": "engines", "columns": [{"id": "gap", "table": "errors.csv", "value": "g_max"}]}
}
J
cat >table/engines/claims.csv <<'C'
id,where,kind,claim,published,comment
lasts-{stepper},own,own,It takes four steps,-,
tiny-late,own,own,It takes nine steps,-,
tiny-both,own,own,Both take four steps,-,
C
cat >table/engines/quantities.csv <<'C'
id,experiment,form,quantity,unit,comparison,expected,tolerance,because,rounding,published
lasts-{stepper}/step,each,printed,steps,,within,4,0,a whole number,,
tiny-late/step,short,printed,steps,,within,9,0,a whole number,,
tiny-both/step,both,printed,steps,,within,4,0,a whole number,,
C
(cd table && python3 "$SOURCE_DIR/tools/engines.py" "$STEPBENCH" build out --parts tables,claims --runs 1 tiny absent) 2>err || fail "make engines: $(cat err)"
grep -q '^lasts-tiny,reproduced' table/out/engines_verdicts.csv || fail "a claim of each engine: $(cat table/out/engines_verdicts.csv err)"
for open in 'lasts-absent,open,.*absent is not there' 'tiny-both,open,.*absent is not there' 'tiny-late,open,.*chooses no row'; do
    grep -q "^$open" table/out/engines_verdicts.csv || fail "$open: $(cat table/out/engines_verdicts.csv err)"
done
[ "$(grep -c . table/out/engines_claims.csv)" = 3 ] || fail "the quantities: $(cat table/out/engines_claims.csv)"
grep -q '^pendulum,absent,.*absent is not there' table/out/engines.csv && grep -q '^pendulum,tiny,[0-9]' table/out/engines.csv ||
    fail "the table: $(cat table/out/engines.csv)"
grep -q 'absent is not there' table/out/engines.html || fail "the page shows no reason"
