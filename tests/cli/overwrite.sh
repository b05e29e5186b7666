#!/bin/sh
# No output replaces a file that the command reads, or another output: one sentence before anything runs, exit status 2.
. "$SOURCE_DIR/tests/prelude.sh"
cp "$SOURCE_DIR/problems/mechanisms/four_bar.json" "$SOURCE_DIR/tests/import/hopper.xml" "$SOURCE_DIR/tests/plugin/heun.c" .
cp "$SOURCE_DIR/tests/engines/tiny.py" "$SOURCE_DIR/engines/engine.py" .
"$STEPBENCH" order -p kepler -s rk4 --levels 2 --format csv >rows.csv
ln -s rows.csv link.csv
mkdir before named rows
echo '{"drivers": [{"angle": {"table": "start.csv"}}]}' >named/driven.json
echo '{"problems": ["mechanism:file=driven.json"]}' >named/problems.json
printf '0,0\n1,1\n' >named/start.csv
cp named/start.csv named/start.before
echo 'h,q' >rows/compare.csv
cp -a ./*.* before
kept() { # kept SENTENCE ARGUMENTS...
    sentence=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q -e "$sentence" err || fail "$*: exit status $status: $(cat err)"
    for file in before/*; do
        cmp "$file" "${file#before/}" || fail "$*: another $file"
    done
}
reads='would replace a file that the command reads'
mechanism=mechanism:file=four_bar.json
kept "-o four_bar.json $reads, in $mechanism;" run -p $mechanism -s rattle --h 1/100 --steps 1 -o four_bar.json
kept "$reads" world $mechanism -o./four_bar.json
kept "$reads" run -p mechanism:file=named/driven.json -s rattle --h 1/100 --steps 1 -o named/start.csv
kept "$reads" order -p mechanism:file=named/driven.json -s rattle --plot-script named/start.gp
kept "$reads" study named/problems.json -o named/driven.json
kept "--out rows/compare.csv $reads" compare -p oscillator -s rk4 --expect rows/compare.csv --out rows
cmp named/start.csv named/start.before || fail "a table of a mechanism is replaced"
kept "$reads" import hopper.xml -o hopper.xml
kept "$reads" judge -p kepler rows.csv -o link.csv
kept "$reads" order -p kepler -s rk4 --expect=rows.csv -o rows.csv
kept "$reads" card heun.c -o heun.c
kept "$reads" --plugin heun.c list steppers -o heun.c
kept "$reads" order -p kepler -s rk4 --expect rows.csv --plot-script rows.gp
kept "$reads" --engine 'python3 tiny.py' list -o tiny.py
kept 'are one file' order -p kepler -s rk4 -o one.tex --plot one.tex
kept 'are one file' order -p kepler -s rk4 --plot-script=one.gp -o one.gp
[ ! -e one.tex ] && [ ! -e one.gp ] || fail "$(ls)"

study() { # study TABLE: a study with this table
    printf '{"title": "t", "problems": ["kepler"], "steppers": ["rk4"], "experiments": [{"name": "orders", "caption": "c", "analysis": "order", "options": {"levels": 2}, "tables": ["%s"]}]}' "$1"
}
study study.json >study.json
study t.md >other.json
echo 'id,where,kind,claim,published,comment' >claims.csv
cp study.json other.json claims.csv before
kept 'not that of the study' study study.json --out .
kept 'whose claims.csv the results would replace' study other.json --out "$SCRATCH"
echo "no output replaces an input"
