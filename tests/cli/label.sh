#!/bin/sh
# --label puts a name in the place of a specification: in rows, tables and figures, of commands and of studies.
. "$SOURCE_DIR/tests/prelude.sh"

atela=splitting:method=mclachlan_atela4
"$STEPBENCH" order -p kepler -s verlet -s $atela --levels 2 --label "McLachlan-Atela 4=$atela" --label 'leap_frog=verlet' \
    --columns problem,measured --pivot stepper --format latex >orders.tex
grep -q '^problem & leap\\_frog & McLachlan-Atela 4 ' orders.tex || fail "a LaTeX table: $(cat orders.tex)"
"$STEPBENCH" order -p kepler -s verlet -s $atela --levels 2 --label "a=verlet;b=kepler" -o rows.csv
[ "$(grep -v '^#' rows.csv | cut -d, -f1,2 | sort -u | tr '\n' ' ')" = "b,a b,$atela problem,stepper " ] || fail "rows: $(cut -d, -f1,2 rows.csv)"
grep -q "^# .* --label='a=verlet;b=kepler'$" rows.csv || fail "the command: $(head -2 rows.csv)"
grep -q '"label": "a=verlet;b=kepler"' rows.csv.provenance.json || fail "the provenance lacks the labels"

"$STEPBENCH" order -p kepler -s verlet --levels 2 --label "$(printf 'a\357\277\276b')=verlet" --format junit >rows.xml
grep -qF 'a\xef\xbf\xbeb' rows.xml || fail "XML has no U+FFFE: $(head -3 rows.xml)"

refused() { # refused SENTENCE LABEL
    status=0
    "$STEPBENCH" order -p kepler -s verlet --levels 2 --label "$2" >out 2>err || status=$?
    [ "$status" -eq 2 ] && grep -q "$1" err && [ ! -s out ] || fail "--label $2: status $status, $(cat err)"
}
refused 'no stepper and no problem rk4' 'x=rk4'
refused 'verlet has the label a already' 'a=verlet;b=verlet'
refused 'needs LABEL=SPECIFICATION' verlet
refused 'needs LABEL=SPECIFICATION' '=verlet'

"$STEPBENCH" compare -p oscillator -s verlet -s rk4 --label 'leapfrog=verlet' --out compared --format table >table
grep -q 'leapfrog' table && grep -q 'leapfrog' compared/compare.tex && grep -q ',leapfrog,' compared/compare.csv ||
    fail "compare: $(head -5 table)"
grep -q ',verlet,' compared/compare_work.csv && fail "a specification in compare_work.csv"

cat >study.json <<'S'
{
  "title": "Labels",
  "experiments": [
    {
      "name": "orders", "analysis": "order", "problems": ["kepler"], "options": {"levels": 2},
      "steppers": [{"name": "splitting", "parameters": {"method": "ruth3"}, "label": "Ruth 3"}, "verlet"],
      "tables": [{"file": "orders.md", "columns": ["problem", "measured"], "pivot": "stepper"}]
    }
  ]
}
S
"$STEPBENCH" study study.json --out study 2>err || fail "a study: $(cat err)"
grep -q '| Ruth 3 | verlet |' study/orders.md || fail "a table of a study: $(cat study/orders.md)"
grep -q ',splitting:method=ruth3,' study/orders.csv || fail "the rows of a study: $(cat study/orders.csv)"
sed 's/"parameters": {"method": "ruth3"}/"vary": {"method": ["ruth3", "pefrl"]}/' study.json >varied.json
status=0
"$STEPBENCH" study varied.json --out varied 2>err || status=$?
[ "$status" -eq 2 ] && grep -q 'varied.json, line 6.*a label is that of one specification, and here are 2' err ||
    fail "a label of two: $(cat err)"

command -v gnuplot >/dev/null || exit 0
"$STEPBENCH" order -p kepler -s verlet -s rk4 --levels 3 --label 'leap_frog=verlet' --plot orders.svg
grep -q 'leap_frog' orders.svg || fail "the figure lacks the label"
grep -q '>verlet<' orders.svg && fail "the figure has the specification"
exit 0
