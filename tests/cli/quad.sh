#!/bin/sh
# Commands in quadruple precision through `stepbench`: a reference serves `order` as an exact solution does, is refused
# where it does not belong, and round-off grows by Brouwer's law.
. "$SOURCE_DIR/tests/prelude.sh"

[ -x "$(dirname "$STEPBENCH")/stepbench_quad" ] || exit 77
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }

"$STEPBENCH" reference pendulum --t-end 2 --samples 20 -o p.json >out || fail "reference: status $?"
grep -q '^errors at most .*e-2[0-9] in q' out || fail "no bound below 1e-20: $(cat out)"

# Errors of order 1e-3 against the closed form and against the file differ by round-off.
for kind in exact p.json; do
    "$STEPBENCH" order -p pendulum -s rattle --h 0.1,0.05,0.025 --t-end 2 --reference $kind --format csv |
        grep -v '^#' | cut -d, -f5-8 >"$kind.rows"
    "$STEPBENCH" workprec -p pendulum -s rattle --h 0.1,0.05 --t-end 2 --reference $kind >/dev/null ||
        fail "workprec takes no $kind"
done
paste -d, exact.rows p.json.rows | awk -F, '
    NR > 1 && $1 != "" { for (i = 1; i <= 4; i++) { d = $i - $(i + 4); if (d < 0) d = -d
                         if (!(d <= 1e-11) || !($i > 1e-4)) { print; bad = 1; exit } } rows++ }
    END { exit bad || rows != 3 }' || fail "a closed form and a reference disagree"

# Without --t-end the runs end with the reference, and errors are taken where a multiple of the largest step is a sample:
# steps of 0.08 s and samples every 0.1 s meet every 0.4 s.
"$STEPBENCH" order -p pendulum -s rattle --h 0.08,0.04,0.02 --reference p.json --columns steps,err_q >meet ||
    fail "steps between samples: status $?"
"$STEPBENCH" order -p pendulum -s rattle --h 0.4,0.08,0.04,0.02 --t-end 2 --reference exact --columns steps,err_q >all 2>err ||
    grep -q "no result" err || fail "$(cat err)" # for the step of 0.4 s itself
for steps in 25 50 100; do grep "^$steps," meet; done >own
for steps in 25 50 100; do grep "^$steps," all; done | paste -d, own - | awk -F, '
    { d = $2 - $4; if (d < 0) d = -d; if (!($2 > 1e-4 && d <= 1e-11)) { print; bad = 1; exit } } END { exit bad || NR != 3 }' ||
    fail "samples between steps: $(cat meet all)"

# `compare` measures errors against the file: the order is 2, and not where the last state is that of 0.1 s before.
moved() { # moved FILE
    python3 -c 'import json, sys
s = json.load(open("p.json"))
s["samples"][-1] = s["samples"][-2]
json.dump(s, open(sys.argv[1], "w"))' "$1"
}
moved moved.json
for file in p.json moved.json; do
    "$STEPBENCH" compare -p pendulum -s rattle --reference $file --format csv >$file.compare ||
        fail "compare: status $?"
done
order_of() { awk -F, '$4 == "order of q" { print ($5 > 1.9 && $5 < 2.1 ? "two" : "other") }' "$1.compare"; }
[ "$(order_of p.json)" = two ] && [ "$(order_of moved.json)" != two ] || fail "compare: $(cat ./*.compare)"

refuses() {
    words=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] || [ "$status" -eq 1 ] || fail "$*: status $status"
    grep -q "$words" err && [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(cat err)"
}
refuses "is the solution of" order -p pendulum:l=2 -s rattle --h 0.1,0.05 --t-end 2 --reference p.json
refuses "is the solution of" compare -p pendulum:l=2 -s rattle --reference p.json
refuses "no multiple of" order -p pendulum -s rattle --h 0.0777,0.03885 --t-end 0.777 --reference p.json
refuses "ends after" order -p pendulum -s rattle --h 0.1,0.05 --t-end 4 --reference p.json
refuses "cannot be read" order -p pendulum -s rattle --h 0.1,0.05 --t-end 2 --reference none.json
echo '{"format": "other"}' >other.json
refuses "was not written by" order -p pendulum -s rattle --h 0.1,0.05 --t-end 2 --reference other.json
sed 's/"lambda": \[/"mu": [/' p.json >damaged.json
refuses "multipliers\|damaged" order -p pendulum -s rattle --h 0.1,0.05 --t-end 2 --reference damaged.json
damaged() { # damaged EDIT WORDS
    sed "$1" p.json >damaged.json
    refuses "$2" order -p pendulum -s rattle --h 0.1,0.05 --t-end 2 --reference damaged.json
}
damaged '/"q": \[$/{n;s/"[^"]*"/"0x1p-1"/}' "sample 0 lacks a finite decimal number"
damaged '/"q": \[$/{n;s/"[^"]*"/"nan"/}' "sample 0 lacks a finite decimal number"
damaged '/"q": \[$/{n;s/"[^"]*"/"1e999"/}' "sample 0 lacks a finite decimal number"
damaged 's/"lambda": [0-9][0-9.e-]*/"lambda": -1/' "bound of lambda is no number of at least 0"
damaged 's/"format"/"dt": "1", "format"/' "line .*duplicate"
sed 's/"q": [0-9][0-9.e-]*,/"q": 1e308,/' p.json >wide.json
(ulimit -t 20 && "$STEPBENCH" order -p pendulum -s rattle --h 0.1,0.05 --t-end 2 --reference wide.json) >out 2>err ||
    fail "a bound of 1e308: $(cat err)"
refuses "no two methods" reference bouncing_ball --t-end 1
refuses "needs --t-end" reference pendulum
refuses "has no command" --precision quad stability -p pendulum

# Brouwer's law: the roundings of an explicit step are independent of each other, so that the energy changes as the root
# of the number of steps. The phase integrates that (3/2) where the period depends on the energy, and not where it does
# not. The slopes over a factor of 16 in the number of steps, of means over eight runs, have standard errors of 0.1.
exponents() { # problem, least and largest exponent of q
    "$STEPBENCH" roundoff -p "$1" -s verlet --h 0.01 --steps 32768 --runs 8 >growth.csv || fail "roundoff: status $?"
    awk -F, -v least="$2" -v most="$3" '
        /,fit$/ { seen = 1; exit !($10 > 0.2 && $10 < 0.8 && $6 > least && $6 < most && $16 == "power") }
        END { exit !seen }' growth.csv || fail "$1: $(tail -1 growth.csv)"
}
exponents oscillator 0.2 0.8
exponents kepler 1.1 1.9

# The law of the energy: the roundings of a symplectic step have no bias, also where masses are no powers of two; a
# Runge-Kutta method on quaternions, which conserves nothing, has one.
law() { # law WORDS...
    want=$1
    shift
    "$STEPBENCH" roundoff "$@" --runs 4 --columns bias,se_bias,law >law.csv || fail "roundoff $*: status $?"
    tail -1 law.csv | grep -q ",$want\$" || fail "$*: not $want: $(tail -1 law.csv)"
}
law random -p outer_solar_system:planets=1 -s midpoint --h 25 --steps 256
law random -p pendulum:m=3 -s shake --h 0.02 --steps 256
law random -p dsp -s rattle --h 0.005 --steps 256
law random -p dsp -w penalty:eps=0.01 -s trigonometric:filter=mollified --h 0.002 --steps 4096
law systematic -p rigid_body -s lie_rk --h 0.05 --steps 1024

# A chaotic motion is lost within the run.
"$STEPBENCH" roundoff -p double_pendulum -s midpoint --h 0.02 --steps 2048 --runs 1 >chaos.csv || fail "chaos: status $?"
awk -F, '/,fit$/ { seen = 1; exit !($16 == "run" && $15 > 1 && $15 < 41) } END { exit !seen }' chaos.csv ||
    fail "$(tail -1 chaos.csv)"

# Its rows have the forms of all rows: columns, digits, formats, endings of files.
"$STEPBENCH" roundoff -p kepler -s verlet --h 0.01 --steps 64 --runs 1 --columns steps,err_q --digits 4 --format md >md &&
    "$STEPBENCH" roundoff -p kepler -s verlet --h 0.01 --steps 64 --runs 1 --columns steps,err_q,law --pivot steps -o r.tex ||
    fail "forms of rows: status $?"
sed -n 3p md | grep -q '^| 16 | [0-9][.][0-9][0-9][0-9]e-1[4-9] |$' || fail "four digits: $(cat md)"
grep -q '^% .usepackage{booktabs}' r.tex && grep -q '^law & .*\(random\|systematic\|neither\)' r.tex || fail "$(cat r.tex)"
refuses 'no column is named "err"; nearest: err_q' roundoff -p kepler -s verlet --h 0.01 --steps 64 --columns err
refuses "writes rows, and r.svg" roundoff -p kepler -s verlet --h 0.01 --steps 64 -o r.svg
