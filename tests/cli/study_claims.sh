#!/bin/sh
# Quantities and verdicts of studies: docs/studies.md decides its claim, and so does an experiment that is added to a
# paper without a new build; every kind of quantity has its number; mistakes have a sentence.
. "$SOURCE_DIR/tests/prelude.sh"

# ---- The claim of docs/studies.md: Verlet's method is stable up to h omega = 2. ----
section() { # section FILE HEADING LANGUAGE K: the K-th block of the language under the heading
    awk -v heading="$2" -v fence="\`\`\`$3" -v k="$4" '/^## / { inside = $0 == "## " heading }
        /^```/ { open = !open; code = open && inside && $0 == fence && ++n == k; next } code' "$1"
}
mkdir page
page=$SOURCE_DIR/docs/studies.md
section "$page" "Quantities and verdicts" "" 1 >page/claims.csv
section "$page" "Quantities and verdicts" "" 2 >page/quantities.csv
{
    echo '{"title": "Steps", "experiments": ['
    section "$page" "Quantities and verdicts" json 1
    echo ']}'
} >page/steps.json
"$STEPBENCH" study page/steps.json --out one 2>err || fail "docs/studies.md: $(cat err)"
grep -qx 'smith26-limit,reproduced,' one/verdicts.csv || fail "its verdict: $(cat one/verdicts.csv err)"
grep -q '^- `smith26-limit` \*\*reproduced\*\*' one/claims.md && grep -q 'Decides `smith26-limit` (reproduced)' one/README.md ||
    fail "the pages: $(head -30 one/README.md one/claims.md)"
grep -q 'smith26-limit.*reproduced' one/index.html || fail "index.html has no verdict"
"$STEPBENCH" study page/steps.json --dry-run --out x | grep -q '^limit,no,limit.csv,smith26-limit$' || fail "the list"

# ---- Numbers that are known: the oscillator x'' = -x by Verlet's method has the order 2 and trace 2 - h^2. ----
cat >known.json <<'J'
{
  "title": "Known numbers",
  "experiments": [
    {
      "name": "recurrences", "analysis": "recurrence", "problems": ["oscillator"],
      "runs": [{"steppers": ["verlet"], "options": {"tau": [0.5, 1]}},
               {"steppers": ["euler_explicit"], "options": {"tau": [1]}}],
      "measure": [
        {"id": "k/a-{tau}", "where": {"stepper": "verlet"}, "value": "a"},
        {"id": "k/only", "where": {"stepper": "euler_explicit"}, "value": "b"},
        {"id": "k/largest", "value": "tau", "take": "largest"},
        {"id": "k/smallest", "value": "tau", "take": "smallest"},
        {"id": "k/count", "except": {"stable": "yes"}, "take": "count"},
        {"id": "k/stable", "where": {"stepper": ["verlet"]}, "is": {"stable": "yes"}},
        {"id": "k/all", "is": {"stable": "yes"}},
        {"id": "k/below", "at_most": {"tau": 0.75}, "take": "count"},
        {"id": "k/reached", "at_most": {"tau": 0.25}, "value": "tau", "take": "smallest"},
        {"id": "k/over", "where": {"stepper": "verlet", "tau": 1}, "value": "tau", "over": {"tau": 0.5}},
        {"id": "k/power", "where": {"stepper": "verlet"}, "value": "tau", "power_of": "tau"},
        {"id": "k/decay", "where": {"stepper": "verlet"}, "value": "tau", "decay_of": "tau"},
        {"id": "k/mean", "value": "tau", "take": "mean"},
        {"id": "k/median", "value": "tau", "take": "median"},
        {"id": "k/from", "where": {"stepper": "euler_explicit"}, "value": "tau", "per": "b", "from": 2}
      ]
    },
    {
      "name": "orders", "analysis": "order", "problems": ["oscillator"], "steppers": ["verlet"],
      "options": {"h": [0.1, 0.05, 0.025, 0.0125], "t_end": 1},
      "measure": [{"id": "k/order", "where": {"status": "ok"}, "value": "err_q", "power_of": "h"}]
    }
  ]
}
J
echo 'id,where,kind,claim,published,comment
k,here,text,numbers are known,-,' >claims.csv
rows='id,experiment,form,quantity,unit,comparison,expected,tolerance,because,rounding,published'
{
    echo "$rows"
    # the determinant of explicit Euler is 1 + tau^2; 1/2 = C exp(-c/(1/2)) and 1 = C exp(-c) have c = ln 2
    for known in a-0.5:-1.75 a-1:-1 only:2 largest:1 smallest:1/2 count:1 below:1 over:2 power:1 decay:0.6931471805599453 mean:5/6 median:1 from:3/2; do
        echo "k/${known%:*},recurrences,printed,${known%:*},,within,${known#*:},1e-12,round-off,,"
    done
    echo 'k/stable,recurrences,printed,stable,,holds,,,,,'
    echo 'k/all,recurrences,reported,all,,holds,,,,,'
    echo 'k/reached,recurrences,reported,reached,,within,,,,,'
    echo 'k/order,orders,printed,order,,within,2,0.02,the next term,,'
} >quantities.csv
"$STEPBENCH" study known.json --out known 2>err || fail "known numbers: $(cat err)"
# 1/2, 1 and 1 have the standard deviation 1/sqrt 12 and the range 1/2
grep -q '^k,printed,mean,,0.8,0.3,' known/claims.csv && grep -q '^k,printed,median,,1.0,0.2,' known/claims.csv ||
    fail "uncertainties: $(cat known/claims.csv)"
grep -qx 'k,reproduced,' known/verdicts.csv || fail "known numbers: $(cat known/claims.csv)"
# as shown, ln 2 has six digits; the quantities before it are exact
grep -q '^  - decay: 0.693147 ' known/claims.md && grep -q '^  - and 14 more$' known/claims.md || fail "lines: $(cat known/claims.md)"
grep -q '^k,reported,all,,no,' known/claims.csv || fail "a fact that does not hold: $(cat known/claims.csv)"
grep -q '^k,reported,reached,,nan,' known/claims.csv || fail "bounds that no row meets: $(cat known/claims.csv)"
[ "$(grep -vc '^#' known/recurrences.csv)" -eq 4 ] || fail "the rows of two runs: $(cat known/recurrences.csv)"
for k in '' -2; do [ -s "known/recurrences.csv.provenance$k.json" ] || fail "no provenance of a run"; done

# ---- A claim of two experiments: the rows of the one that is not run again stay, with its name. ----
sort known/claims.csv >whole
for name in recurrences orders; do
    "$STEPBENCH" study known.json $name --out known 2>err || fail "$name again: $(cat err)"
    sort known/claims.csv | cmp - whole || fail "$name again: $(cat known/claims.csv)"
done

# ---- An experiment that is gone takes the rows of its claim with it; one that is not run again keeps them. ----
mkdir gone
sed 's/"k\/order"/"m\/order"/' known.json >gone/known.json
sed 's/^k\/order/m\/order/' quantities.csv >gone/quantities.csv
{ cat claims.csv && echo 'm,here,text,order,-,'; } >gone/claims.csv
"$STEPBENCH" study gone/known.json --out gone/out 2>err || fail "two claims: $(cat err)"
"$STEPBENCH" study gone/known.json recurrences --out gone/out 2>err || fail "one of them: $(cat err)"
grep -q '^m,printed' gone/out/claims.csv || fail "rows of an experiment that was not run again: $(cat gone/out/claims.csv)"
awk '/^    },$/ { print "    }\n  ]\n}"; exit } 1' gone/known.json >gone/one.json # the first experiment
sed -i '/^m/d' gone/quantities.csv
"$STEPBENCH" study gone/one.json --out gone/out 2>err || fail "without the other: $(cat err gone/one.json)"
! grep -q '^m,' gone/out/claims.csv gone/out/verdicts.csv || fail "rows of an experiment that is gone: $(cat gone/out/claims.csv)"

# ---- A plot script beside the study. ----
cat >steps.gp <<'G'
plot out.'/steps.csv' using 'h':'radius' with lines
G
sed 's/"name": "limit"/"name": "steps", "scripts": ["steps"]/' page/steps.json >drawn.json
sed 's/,limit,/,steps,/' page/quantities.csv >page/drawn.csv
mkdir drawing
cp drawn.json steps.gp page/claims.csv drawing/
cp page/drawn.csv drawing/quantities.csv
"$STEPBENCH" study drawing/drawn.json --out drawn 2>err || fail "a plot script: $(cat err)"
if command -v gnuplot >/dev/null 2>&1; then
    [ -s drawn/steps.svg ] && [ -s drawn/steps.png ] && grep -q 'steps.svg' drawn/README.md || fail "no figure: $(cat err)"
    rm drawn/steps.svg
    "$STEPBENCH" study drawing/drawn.json --replot --out drawn 2>err && [ -s drawn/steps.svg ] || fail "again: $(cat err)"
fi

# ---- Mistakes. ----
wrong() { # wrong STATUS SENTENCE
    status=0
    "$STEPBENCH" study known.json --out wrong 2>err || status=$?
    [ $status -eq "$1" ] && grep -qF "$2" err || fail "status $status instead of $1 with \"$2\": $(cat err)"
}
cp quantities.csv kept.csv
cp known.json kept.json
echo 'k/none,orders,printed,none,,at most,1,,,,' >>quantities.csv
wrong 1 'experiment orders failed: it did not measure k/none, a row of quantities.csv'
grep -v '^k/order' kept.csv >quantities.csv
wrong 1 'experiment orders failed: it measured k/order, which is no id in a quantities.csv'
sed 's/k\/order,orders,printed/k\/order,orders,printd/' kept.csv >quantities.csv
wrong 1 'quantities.csv, k/order: an id CLAIM/NAME, a form (printed,'
sed 's/^k\/order/other\/order/' kept.csv >quantities.csv
wrong 2 'experiment orders measures quantities of the claim other, which no claims.csv lists'
cp kept.csv quantities.csv
sed 's/"value": "b"/"value": "bb"/' kept.json >known.json
wrong 2 'known.json, line 10, experiments[0].measure[1].value: the rows have no column bb'
sed 's/"value": "tau", "take": "smallest"/"value": "tau"/' kept.json >known.json
wrong 1 'the quantity k/smallest chooses 3 rows of the experiment; one is needed, or "take"'
sed 's/"take": "count"/"take": "sum"/' kept.json >known.json
wrong 2 'measure[4].take: "sum" is none of one, each, largest, smallest, mean, median and count'

# ---- A claim of a paper without a build: the page's experiment, in a copy of the data. ----
data=${STEPBENCH_DATA:-$(dirname "$STEPBENCH")/data}
mkdir tree
for item in "$data"/*; do ln -s "$item" tree/; done
rm tree/experiments tree/claims.csv
cp -r "$data/experiments/" tree/experiments
sed 's/smith26/literature-smith26/' page/claims.csv | tail -n 1 | sed 's/limit/order/' >>tree/row
{ cat "$data/claims.csv" && cat tree/row; } >tree/claims.csv
section "$SOURCE_DIR/docs/adding-an-experiment.md" "A declarative experiment" json 1 |
    sed 's/smith26_/literature_smith26_/; s/smith26-/literature-smith26-/' >added.json
[ -s added.json ] || fail "docs/adding-an-experiment.md has no study"
# Its experiment, at the head of the list of the paper.
awk '/"experiments": \[/ { inside = 1; next } /^  \]/ { inside = 0 } inside' added.json | sed '$s/}$/},/' >experiment
sed -i '/"experiments": \[/r experiment' tree/experiments/literature/study.json
for problem in oscillator kepler; do
    echo "literature-smith26-order/$problem,literature_smith26_order,printed,order on $problem,,within,2,0.1,the next term,,2"
done >>tree/experiments/literature/quantities.csv
STEPBENCH_DATA=$PWD/tree "$STEPBENCH" bench literature_smith26_order --out paper 2>err || fail "added: $(cat err)"
grep -q '^literature-smith26-order,reproduced,' paper/verdicts.csv || fail "added: $(cat paper/verdicts.csv err)"
STEPBENCH_DATA=$PWD/tree "$STEPBENCH" show literature-smith26-order | grep -q '^settled by literature_smith26_order' ||
    fail "show does not know the claim"

# ---- A claim on the tables of an experiment in C, without a build. ----
measures=tree/experiments/literature/measures.json
{ cat "$data/claims.csv" && echo 'literature-smith27,hlw06 I.5,prose,springs,-,'; } >tree/claims.csv
echo 'literature-smith27/last,literature_adiabatic,printed,sum at the largest frequency,,at most,1,,,,' \
    >>tree/experiments/literature/quantities.csv
cp $measures kept.json
measure() { # measure QUANTITY: without its id
    sed "/\"literature_adiabatic\": \[/a {\"id\": \"literature-smith27/last\", $1}," kept.json >$measures
    STEPBENCH_DATA=$PWD/tree "$STEPBENCH" bench literature_adiabatic --out program 2>err
}
measure '"table": "literature_adiabatic.csv", "at_least": {"omega": 150}, "value": "sum"' || fail "of a program: $(cat err)"
grep -q '^literature-smith27,printed,sum at the largest frequency,,0.0' program/claims.csv ||
    fail "of a program: $(cat program/claims.csv)"
! measure '"table": "literature_adiabatic.csv", "value": "summ"' || fail "a column that is not there"
grep -qF 'the quantity literature-smith27/last: literature_adiabatic.csv has no column summ' err || fail "$(cat err)"
! measure '"table": "other.csv", "value": "sum"' || fail "a table that is not there"
grep -qF 'it saved no table other.csv' err || fail "$(cat err)"
sed 's/"literature_adiabatic": \[/"literature_adiabatics": [/' kept.json >$measures
! STEPBENCH_DATA=$PWD/tree "$STEPBENCH" bench literature_kepler --out program 2>err || fail "no such experiment"
grep -qF 'measures.json, line' err && grep -qF 'there is no experiment literature_adiabatics' err || fail "$(cat err)"
echo "studies decide claims"
