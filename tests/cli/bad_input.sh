#!/bin/sh
# Every kind of bad input: one sentence on stderr with the words that matter, the right exit status, nothing on stdout,
# no file left.
. "$SOURCE_DIR/tests/prelude.sh"
set +e
failures=0

fail() {
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# refused STATUS WORDS ARGUMENTS...: the message holds each of the words (joined by |) and stands in one line beginning
# with the name.
refused() {
    expected=$1
    words=$2
    shift 2
    called="stepbench $*"
    status=0
    "$STEPBENCH" "$@" >stdout 2>stderr || status=$?
    [ "$status" -eq "$expected" ] || fail "$called: exit status $status, not $expected: $(cat stderr)"
    [ -s stdout ] && fail "$called: wrote to stdout"
    [ "$(wc -l <stderr)" -eq 1 ] || fail "$called: not one line on stderr: $(cat stderr)"
    grep -q '^stepbench: ' stderr || fail "$called: the message doesn't say who speaks: $(cat stderr)"
    old=$IFS
    IFS='|'
    for word in $words; do
        grep -qF -- "$word" stderr || fail "$called: no \"$word\" in: $(cat stderr)"
    done
    IFS=$old
    rm -f stdout stderr
    [ -z "$(ls -A)" ] || fail "$called: left $(ls -A)"
    rm -rf ./*
}

run="-p oscillator -s verlet --h 0.1 --steps 3"

# Unknown names, with the nearest.
refused 2 'no command and no analysis is named "rnu"|run' rnu
refused 2 'no stepper is named "verlett"|nearest: verlet' run -p oscillator -s verlett --h 0.1 --steps 3 -o out.csv
refused 2 'no problem is named "pendulm"|nearest: pendulum' run -p pendulm -s shake --h 0.1 --steps 3 -o out.csv
refused 2 'no formulation is named "chrat"|nearest: chart' run -p pendulum -w chrat -s verlet --h 0.1 --steps 3 -o \
    out.csv
refused 2 "writes rows|out.png|.csv" run -p oscillator -s verlet --h 0.1 --steps 3 -o out.png
refused 2 "writes rows|out.html" order -p oscillator -s verlet -o out.html
refused 2 'verlet" is no problem but a stepper' run -p verlet -s verlet --h 0.1 --steps 3
refused 2 'no problem matches "z*"' run -p 'z*' -s verlet --h 0.1 --steps 3
refused 2 'oscillator has no parameter "omgea"|nearest: omega' run -p oscillator:omgea=2 -s verlet --h 0.1 --steps 3 \
    -o out.csv
refused 2 'verlet has no parameter "tol"' run -p oscillator -s verlet:tol=1 --h 0.1 --steps 3
refused 2 'no option --stpes|nearest: --steps' run -p oscillator -s verlet --h 0.1 --stpes 3
refused 2 'no column is named "enrgy"|energy' run $run --columns t,enrgy -o out.csv
refused 2 'nothing is named "oscilator"|nearest: oscillator' show oscilator
refused 2 'list has no kind "stepers"|nearest: steppers' list stepers
refused 2 'no experiment is named "wm96_tabel1"|wm96_table1' bench wm96_tabel1 --out out
refused 2 'no experiment matches "nothing_*"' bench 'nothing_*' --out out
refused 2 'no stepper is named "verlett"' order -p oscillator -s verlett -o out.csv
refused 2 'no option --t-edn|nearest: --t-end' drift --t-edn 3
refused 2 '"slider_crank" is no stepper but a problem' card slider_crank -o out.html

# What a command does not take.
refused 2 'card takes one stepper' card verlet rk4 -o out.html
refused 2 'card --against takes at most 7 steppers' card verlet --against \
    rk4,shake,rattle,midpoint,em,gauss,dvp,reg,spook,vts,moreau -o out.html
refused 2 '--times requires --out DIR' compare -p oscillator -s verlet --times
refused 2 'list takes one kind at a time, not "problems"' list steppers problems
refused 2 '--out needs the name of a directory' bench wm96_fig4 --out ''
refused 2 'bench takes --format only with --dry-run or --compare|--out' bench wm96_fig4 --format csv --out out
refused 2 'none of the steppers takes any of the problems|verlet|holonomic constraints' compare -p slider_crank -s verlet

refused 2 'there are step, t, q0, |v17, energy|, g_max, iters' run -p outer_solar_system -s verlet --steps 1 --columns zzzzzzzz

# Values out of range or no numbers: the value and what would do.
refused 2 'h=0 |> 0' run -p oscillator -s verlet --h 0 --steps 3 -o out.csv
refused 2 'h=-0.1 |>= 0' run -p oscillator -s verlet --h -0.1 --steps 3
refused 2 'h=nan|not a number' run -p oscillator -s verlet --h nan --steps 3
refused 2 'h=0x10|not a number' run -p oscillator -s verlet --h 0x10 --steps 3
refused 2 'h=1e999|out of range' run -p oscillator -s verlet --h 1e999 --steps 3
refused 2 'omega=0x1|not a number' run -p oscillator:omega=0x1 -s verlet --h 0.1 --steps 3
refused 2 'event=q0=0x1|NAME=NUMBER' run -p oscillator -s verlet --h 0.1 --steps 3 --event q0=0x1
refused 2 'h=inf|>= 0' run -p oscillator -s verlet --h inf --steps 3
refused 2 'h=1/0|>= 0' run -p oscillator -s verlet --h 1/0 --steps 3
refused 2 'h=fast|not a number' run -p oscillator -s verlet --h fast --steps 3
refused 2 'steps=0|>= 1' run -p oscillator -s verlet --h 0.1 --steps 0
refused 2 'steps=2.5|whole number' run -p oscillator -s verlet --h 0.1 --steps 2.5
refused 2 'every=0|every must be' run $run --every 0
refused 2 '0.25|multiple of h' run -p oscillator -s verlet --h 0.1 --t-end 0.25
refused 2 'not valid UTF-8' order -p oscillator -s verlet --reference "$(printf 'a\351')"
refused 2 'format=xml|csv, table, md, latex, json or junit' run $run --format xml
refused 2 'm=0 |> 0 kg' run -p pendulum:m=0 -s shake --h 0.01 --steps 3
refused 2 'm=-1 |> 0 kg' run -p oscillator:m=-1 -s verlet --h 0.1 --steps 3 -o out.csv
refused 2 'm=nan|not a number' run -p oscillator:m=nan -s verlet --h 0.1 --steps 3
refused 2 'l=0 |> 0 m' run -p pendulum:l=0 -s shake --h 0.01 --steps 3
refused 2 'e=1 |in [0, 1)' run -p kepler:e=1 -s verlet --h 0.01 --steps 3
refused 2 'constraint=cube|norm or square' run -p pendulum:constraint=cube -s shake --h 0.01 --steps 3
refused 2 'name=value' run -p pendulum:m -s shake --h 0.01 --steps 3
refused 2 'given twice' run -p pendulum:m=1,m=2 -s shake --h 0.01 --steps 3
refused 2 'h=0 |each > 0' order -p oscillator -s verlet --h 0.1,0 -o out.csv

# What is missing or too much.
refused 2 'run needs a problem|-p' run -s verlet --h 0.1 --steps 3
refused 2 'run needs a stepper|-s' run -p oscillator --h 0.1 --steps 3
refused 2 'h=1e-09: the default end, 40 s, takes |give --t-end' run -p oscillator -s verlet --h 1e-9
refused 2 'only one of --t-end or --steps' run $run --t-end 1
refused 2 '--h needs a value' run -p oscillator -s verlet --steps 3 --h
refused 2 'takes no argument "pendulum"' run $run pendulum
refused 2 'asked for twice' run $run --columns t,q0,t
refused 2 'show needs a name' show
refused 2 'nothing is named "verlett"' show verlet verlett
refused 2 '--h is given twice' run $run --h 0.2
refused 2 '--format is given twice' run $run --format csv --format json
refused 2 '-o is given twice' run $run -o one.csv -o two.csv
refused 2 "-o needs a file's name" run $run -o ''
refused 2 'leave out steppers' list steppers --matrix
refused 2 'leave out --names' list --matrix --names
refused 2 '-w only with --matrix' list problems -w chart
refused 2 'leave out -o' list --names -o out.csv
refused 2 'one of --json and --format' list --json --format csv
refused 2 'before the command' --quiet list

# Pairs that don't fit: the reason, and the formulation that would help.
refused 2 'verlet does not take pendulum|holonomic|-w penalty' run -p pendulum -s verlet --h 0.01 --steps 3 -o out.csv
refused 2 'rk4 does not take dsp|holonomic' drift -p dsp -s rk4 -o out.csv
refused 2 'dvp does not take pendulum' run -p pendulum -s dvp --h 0.01 --steps 3
refused 2 'chart does not fit|chart' run -p oscillator -w chart -s verlet --h 0.01 --steps 3

# Initial states that aren't possible.
refused 2 'dsp' run -p dsp:ic=given,x1=9,y1=0 -s shake --h 0.01 --steps 3 -o out.csv

# Files.
refused 1 'missing/out.csv|No such file' run $run -o missing/out.csv
refused 1 'Is a directory' run $run -o .
if [ -w /dev/full ]; then
    refused 1 '/dev/full|No space' run -p oscillator -s verlet --h 0.1 --steps 3000 -o /dev/full
    refused 1 '/dev/full|No space' order -p oscillator -s verlet -o /dev/full
    # Processes that are terminated because rows cannot be written have not crashed.
    refused 1 '/dev/full|No space' energy -p oscillator -p ladder:N=500 -s rattle --blocks 2000 -o /dev/full \
        --format json --jobs 2
    # Many pairs end while the first rows cannot be written.
    refused 1 '/dev/full|No space' advise --h 2.4 --t-end 0.0067 -o /dev/full --format json --jobs 8
    for words in "list" "show verlet" "help" "--version" "run -p oscillator -s verlet --h 0.1 --steps 3000"; do
        status=0
        # shellcheck disable=SC2086
        "$STEPBENCH" $words >/dev/full 2>stderr || status=$?
        [ "$status" -eq 1 ] || fail "stepbench $words >/dev/full: exit status $status"
        grep -q 'standard output.*space' stderr || fail "stepbench $words >/dev/full: $(cat stderr)"
        rm -f stderr
    done
fi
# A disk that fills up on the way: what is half-written goes, and a file that was there stays.
echo old >out.csv
(
    ulimit -f 16
    "$STEPBENCH" run -p oscillator -s verlet --h 0.1 --steps 30000 -o out.csv 2>stderr
)
[ "$?" -eq 1 ] || fail "a disk filling up: wrong exit status"
grep -q '^stepbench: out.csv cannot be written: ' stderr || fail "a disk filling up: $(cat stderr)"
[ "$(cat out.csv)" = old ] || fail "a disk filling up: the old file is gone"
rm -f out.csv stderr
[ -z "$(ls -A)" ] || fail "a disk filling up: left $(ls -A)"
touch file
"$STEPBENCH" bench wm96_table1 --out file/results 2>stderr && fail "bench into a file's folder succeeded"
grep -q 'file' stderr || fail "bench into a file's folder: $(cat stderr)"
rm -f file stderr
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    chmod 555 locked
    refused 1 'locked|Permission' run $run -o locked/out.csv
    chmod 755 locked
    rmdir locked
fi

# A run that ends early: status 3, the message names step, time and cause, the rows up to it are written and the file is
# whole.
status=0
"$STEPBENCH" run -p oscillator -s euler_explicit --h 1e9 --steps 1000 --columns step,q0,v0 -o early.csv 2>stderr ||
    status=$?
[ "$status" -eq 3 ] || fail "an overflowing run: exit status $status"
for word in "euler_explicit on oscillator" "step " "t = " "inf"; do
    grep -q "$word" stderr || fail "an overflowing run: no \"$word\" in $(cat stderr)"
done
rows=$(grep -vc '^#' early.csv)
step=$(sed 's/.*at step \([0-9]*\).*/\1/' stderr)
[ "$rows" -eq $((step + 1)) ] || fail \
    "an overflowing run failed at step $step and left $rows lines: the header and steps 0 to $((step - 1)) were due"
grep -q 'inf\|nan' early.csv && fail "the states of an overflowing run's rows aren't finite"
[ -s early.csv.provenance.json ] || fail "a run ended early has no provenance"
status=0
"$STEPBENCH" run -p dsp -s shake --h 2 --steps 100 >stdout 2>stderr || status=$?
[ "$status" -eq 3 ] || fail "a Newton iteration that cannot converge: exit status $status: $(cat stderr)"
grep -q 'Newton' stderr || fail "a Newton iteration that cannot converge: $(cat stderr)"
[ "$(grep -vc '^#' stdout)" -ge 1 ] || fail "no header before the failure"
rm -f early.csv* stdout stderr

# So does an analysis of a pair named outright; its rows are kept, and say why. A pair that a glob brought in has its
# row alone.
status=0
"$STEPBENCH" order -p kepler -s midpoint:maxit=1,tol=1e-14 --levels 2 >stdout 2>stderr || status=$?
[ "$status" -eq 3 ] || fail "an analysis of a failing pair: exit status $status: $(cat stderr)"
grep -q 'did not converge' stdout || fail "an analysis of a failing pair: no row says why: $(cat stdout)"
grep -q 'did not converge' stderr || fail "an analysis of a failing pair: $(cat stderr)"
"$STEPBENCH" order -p 'keple*' -s midpoint:maxit=1,tol=1e-14 --levels 2 >stdout 2>stderr ||
    fail "a failing pair that a glob brought in ended with $?: $(cat stderr)"

# Options of an analysis are refused before its header is written.
refused 2 'run of 100 s|h = 0.03' drift -p pendulum -s rattle --h 0.1,0.03 --t-end 100
refused 2 'too few' drift -p pendulum -s rattle --h 0.1 --t-end 1
refused 2 'run of 1 s|h = 0.3' momentum -p dsp -s rattle --h 0.1,0.3 --t-end 1
refused 2 'h_max=0.5|h_min=1' blowup -p thread -s shake --h-min 1 --h-max 0.5
refused 2 'at=time' modes -p thread --at time
refused 2 'vary' amplification -p oscillator -s verlet --vary omega
refused 2 'not a whole multiple' order -p oscillator -s verlet --h 0.1,0.07

# More steps than a run can have, in every analysis that takes h or t-end.
for analysis in order workprec drift momentum jitter constraints; do
    refused 2 'steps of h = 1e-300' $analysis -p pendulum -s rattle --h 1e-300
done
for analysis in complementarity balance; do
    refused 2 'steps of h = 1e-300' $analysis -p stack -s reg --h 1e-300
done
refused 2 'steps of h = 1e-300' creep -p block_incline -s reg --h 1e-300
refused 2 'steps of h = 1e-300' run -p oscillator -s verlet --h 1e-300 --t-end 1
refused 2 'steps of h = 1e-300' modes -p thread --at time --t 1 --h 1e-300
refused 2 'between 1 and 1e+15' modes -p thread --at time --t 1e300
refused 2 'between 1 and 1e+15' order -p oscillator -s verlet --h 0.1,1e-17
refused 2 'between 1 and 1e+15' order -p oscillator -s verlet --reference-h 1e-300
refused 2 'between 1 and 1e+15' order -p bouncing_ball -s moreau --h 0.1,0.05 --reference finest --reference-h 1e-300
refused 2 'between 1 and 1e+15' order -p oscillator -s verlet --t-end 1e300
refused 2 'between 1 and 1e+15' drift -p oscillator -s verlet --t-end 1e300
refused 2 'between 1 and 1e+15' advise -p oscillator -s verlet --h 0.1 --t-end 1e300

# What is said is said of the option as it was written, and of the place.
refused 2 '--t-end=-1' run -p oscillator -s verlet --h 0.1 --t-end -1
status=0
"$STEPBENCH" run -p spherical_pendulum:theta0=1e-200,phidot0=0 -s rk4 --h 0.01 --steps 3 >stdout 2>stderr || status=$?
[ "$status" -eq 3 ] && grep -q 'mass matrix of spherical_pendulum.*coordinate q1' stderr ||
    fail "a singular mass: exit status $status: $(cat stderr)"
rm -f stdout stderr

# -o - is standard output; -o through a link writes what the link names.
# shellcheck disable=SC2086
"$STEPBENCH" run $run -o - >stdout || fail "-o - failed"
[ "$(grep -vc '^#' stdout)" -eq 5 ] || fail "-o - did not write to standard output"
[ "$(ls -A)" = stdout ] || fail "-o - left $(ls -A)"
mkdir folder
echo old >folder/target.csv
ln -s folder/target.csv link.csv
ln -s folder/new.csv dangling.csv
for link in link.csv dangling.csv; do
    # shellcheck disable=SC2086
    "$STEPBENCH" run $run -o $link || fail "-o on a link failed"
    [ -h $link ] || fail "-o replaced the link $link"
    [ "$(grep -vc '^#' $link)" -eq 5 ] || fail "-o did not write through $link"
done
rm -rf folder link.csv* dangling.csv* stdout
[ -z "$(ls -A)" ] || fail "left over: $(ls -A)"
[ "$failures" -eq 0 ] && echo "bad input is answered as it should be"
exit "$failures"
