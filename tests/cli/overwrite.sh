#!/bin/sh
# No output replaces a file that the command reads, or another output: one sentence before anything runs, exit status 2.
. "$SOURCE_DIR/tests/prelude.sh"
cp "$SOURCE_DIR/problems/mechanisms/four_bar.json" "$SOURCE_DIR/tests/import/hopper.xml" "$SOURCE_DIR/tests/plugin/heun.c" .
cp "$SOURCE_DIR/tests/engines/tiny.py" "$SOURCE_DIR/engines/engine.py" .
"$STEPBENCH" order -p kepler -s rk4 --levels 2 --format csv >rows.csv
ln -s rows.csv link.csv
cp four_bar.json 'four bar 2.json'
mkdir before named rows
echo '{"drivers": [{"angle": {"table": "start.csv"}}]}' >named/driven.json
echo '{"problems": ["mechanism:file=driven.json"]}' >named/problems.json
echo mine >rows.md.provenance.json
echo mine >rows/provenance.json
printf '0,0\n1,1\n' >named/start.csv
cp named/start.csv named/start.before
echo 'h,q' >rows/compare.csv
cp rows.csv ./-o.csv
cp -a ./*.* before
kept() { # kept SENTENCE ARGUMENTS...
    sentence=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q -e "$sentence" err || fail "$*: exit status $status: $(cat err)"
    for file in before/*; do
        cmp "$file" "./${file#before/}" || fail "$*: another $file"
    done
}
reads='would replace a file that the command reads'
mechanism=mechanism:file=four_bar.json
kept "-o four_bar.json $reads, in $mechanism;" run -p $mechanism -s rattle --h 1/100 --steps 1 -o four_bar.json
kept "$reads" world $mechanism -o./four_bar.json
kept "$reads" run -p mechanism:file=named/driven.json -s rattle --h 1/100 --steps 1 -o named/start.csv
kept "$reads" order -p mechanism:file=named/driven.json -s rattle --plot-script named/start.gp
kept "$reads" study named/problems.json -o named/driven.json
kept "$reads" study named/problems.json -o named/start.csv
kept "$reads" run -p 'mechanism:file=four bar 2.json' -s rattle --h 1/100 --steps 1 -o 'four bar 2.json'
foreign='provenance.json, which is no provenance that stepbench has written'
kept "$foreign" order -p kepler -s rk4 -o rows.md
kept "--out rows would replace rows/$foreign" compare -p kepler -s rk4 --out rows
kept "--out rows/compare.csv $reads" compare -p oscillator -s rk4 --expect rows/compare.csv --out rows
cmp named/start.csv named/start.before || fail "a table of a mechanism is replaced"
kept "$reads" import hopper.xml -o hopper.xml
kept "$reads" judge -p kepler rows.csv -o link.csv
kept "$reads" order -p kepler -s rk4 --expect=rows.csv -o rows.csv
kept "$reads" card heun.c -o heun.c
kept "$reads" --plugin heun.c list steppers -o heun.c
kept "$reads" order -p kepler -s rk4 --expect rows.csv --plot-script rows.gp
kept "$reads" --engine 'python3 tiny.py' list -o tiny.py
kept "$reads" run --caption -o -p$mechanism -s rattle --h 1/100 --steps 1 --format latex -o four_bar.json
kept "$reads" judge -p kepler -o ./-o.csv -- -o.csv
kept 'are one file' order -p kepler -s rk4 -o one.tex --plot one.tex
kept 'are one file' order -p kepler -s rk4 --plot-script=one.gp -o one.gp
[ ! -e one.tex ] && [ ! -e one.gp ] || fail "$(ls)"

study() { # study TABLE: a study with this table
    printf '{"title": "t", "problems": ["kepler"], "steppers": ["rk4"], "experiments": [{"name": "orders", "caption": "c", "analysis": "order", "options": {"levels": 2}, "tables": ["%s"]}]}' "$1"
}
study study.json >study.json
study t.md >other.json
mkdir paper
study t.md >paper/study.json
echo 'id,where,kind,claim,published,comment' >claims.csv
cp study.json other.json claims.csv before
for page in README.md index.html claims.md provenance.json; do
    echo mine >paper/$page
    kept "paper/$page would be replaced, .*another directory" study paper/study.json --out paper
    [ "$(cat paper/$page)" = mine ] && [ "$(ls paper)" = "$(printf '%s\n' $page study.json | LC_ALL=C sort)" ] ||
        fail "a study writes beside $page: $(ls paper)"
    rm paper/$page
done
"$STEPBENCH" study paper/study.json --out paper 2>err || fail "a study in a directory of its own: $(cat err)"
"$STEPBENCH" study paper/study.json --out paper 2>err || fail "the study again: $(cat err)"
kept 'not that of the study' study study.json --out .
kept 'whose claims.csv the results would replace' study other.json --out "$SCRATCH"

# Where an output cannot be written, that is said before anything runs: this run would last for hours.
echo 'a file' >file
long=$(printf '%0236d' 0).csv
for command in "run -o $long" "animate -o $long.gif" 'run -o none/x.csv' 'run --plot none/x.svg' 'run --plot-script none/x.gp' 'run -o before' \
    'animate -o none/x.html' 'compare --out file/x' 'card rk4 -o none/x.pdf' 'run --plot file/x.svg'; do
    name=${command%% *}
    case $name in run | animate) steps='--h 1e-9 --t-end 100 -s rk4' ;; card) steps='' ;; *) steps='-s rk4' ;; esac
    status=0
    # shellcheck disable=SC2086 # words of a command
    timeout 20 "$STEPBENCH" $command -p double_pendulum $steps >out 2>err || status=$?
    [ $status -eq 1 ] && grep -q 'cannot be written: \(No such file\|File name too\|Not a dir\|Is a dir\)\|cannot be created: Not a dir' err ||
        fail "$command: exit status $status: $(tail -1 err)"
done

# A file keeps its mode, and one that may not be written is not replaced.
chmod 600 rows.csv
"$STEPBENCH" order -p kepler -s rk4 --levels 2 -o rows.csv && [ "$(stat -c %a rows.csv)" = 600 ] || fail "$(ls -l rows.csv)"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    mkdir open
    chmod 777 open
    echo mine >open/protected.csv
    status=0
    setpriv --reuid=65534 --regid=65534 --clear-groups "$STEPBENCH" order -p kepler -s rk4 --levels 2 \
        -o open/protected.csv 2>err || status=$?
    [ "$(cat open/protected.csv)" = mine ] && [ $status -ne 0 ] || fail "a protected file is replaced"
    grep -q 'protected.csv cannot be written: Permission denied' err ||
        grep -q 'cannot execute\|: Permission denied' err || fail "a protected file: $(cat err)"
fi
echo "no output replaces an input"
