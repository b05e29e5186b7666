#!/bin/sh
# `run`: columns, formats, globs, provenance, and the same bytes from the same command.
. "$SOURCE_DIR/tests/prelude.sh"
header() { grep -v '^#' "$1" | head -1; }

"$STEPBENCH" run -p pendulum -s shake --h 1/60 --steps 10 --every 4 -o run.csv 2>err
[ ! -s err ] || fail "a run that goes well says: $(cat err)"
[ "$(header run.csv)" = "step,t,q0,q1,v0,v1,lambda0,energy,kinetic,potential,g_rms,g_max,theta,iters" ] ||
    fail "columns of the pendulum: $(header run.csv)"
[ "$(grep -v '^#' run.csv | cut -d, -f1 | tr '\n' ' ')" = "step 0 4 8 10 " ] ||
    fail "--every 4 of 10 steps: $(cut -d, -f1 run.csv)"
grep -q '^# stepbench [0-9]' run.csv || fail "no version at the head"
grep -q '^# run -p pendulum:m=1,.*theta0=1.* -s shake:tol=1e-10.* --h=0.01666' run.csv ||
    fail "no resolved command at the head: $(head -3 run.csv)"
"$STEPBENCH" run -p pendulum -s shake --h=1/60 --steps=10 --every=4 --format csv >again.csv
cmp run.csv again.csv || fail "the same command gives other bytes"
[ "$(ls -A | tr '\n' ' ')" = "again.csv err run.csv run.csv.provenance.json " ] || fail "files: $(ls -A)"

# The resolved command reproduces the rows.
command=$(sed -n 's/^# \(run .*\)/\1/p' run.csv)
# shellcheck disable=SC2086
"$STEPBENCH" $command --format csv >resolved.csv
cmp run.csv resolved.csv || fail "the command at the head does not reproduce the file"
for key in '"commit"' '"theta0": 1.0' '"maxit": 50' '"flags"' '"kernel"' '"steps": 10'; do
    grep -q "$key" run.csv.provenance.json || fail "no $key in the provenance"
done

# Without step and end: a tenth of the shortest time scale of the problems in two digits, and one orbit of Kepler's
# problem or more, 2 pi sqrt(a^3/mu), whatever e. T = a^(3/2) (1 - e)^(3/2)/(1 + e)^(1/2). Numbers of steps that are
# chosen are 1, 2 or 5 times a power of ten.
span() { # span OPTIONS...: the first step and the last time
    "$STEPBENCH" run "$@" --columns t --format csv | grep -v '^[#t]' | awk 'NR == 2 { h = $1 } END { print h, $1 }'
}
[ "$(span -p kepler -s verlet)" = "0.029 14.5" ] || fail "kepler, T = 0.289 s: $(span -p kepler -s verlet)"
[ "$(span -p kepler:a=4 -s verlet)" = "0.23 115" ] || fail "T = 2.31 s: $(span -p kepler:a=4 -s verlet)"
[ "$(span -p kepler:e=0.9 -s verlet)" = "0.0023 11.5" ] || fail "T = 0.0229 s: $(span -p kepler:e=0.9 -s verlet)"
[ "$(span -p kepler -s verlet --t-end 7)" = "0.014 7" ] || fail "7 s in 500 steps: $(span -p kepler -s verlet --t-end 7)"
[ "$(span -p kepler -s verlet --h 1/64 --steps 64)" = "0.015625 1" ] || fail "a step and a number that are given"
"$STEPBENCH" run -p kepler -p kepler:a=4 -s verlet --columns problem,t --format csv >two.csv
[ "$(grep -c ',58$' two.csv)" -eq 2 ] || fail "two problems, one orbit of the slower one in 2000 steps: $(tail -1 two.csv)"
rm two.csv

# Energy is kinetic + potential; q lies on the circle; t is step times h.
grep -v '^#' run.csv | awk -F, 'NR > 1 {
    if ($8 - $9 - $10 > 1e-14 || $9 + $10 - $8 > 1e-14) { print "energy " $0; exit 1 }
    if (($3 * $3 + $4 * $4 - 1) ^ 2 > 1e-24) { print "circle " $0; exit 1 }
    if (($2 - $1 / 60) ^ 2 > 1e-30) { print "time " $0; exit 1 }
    if (($10 - 9.81 * $4) ^ 2 > 1e-24) { print "potential " $0; exit 1 } }' || fail "rows that cannot be"

# The smallest gap of a ball on the ground and of one in the air is its height; a pendulum has no such column.
"$STEPBENCH" run -p bouncing_ball -s reg --h 1/100 --steps 60 --columns q0,gap_min --format csv >ball.csv
grep -v '^#' ball.csv | awk -F, 'NR > 1 && $1 != $2 { exit 1 }' || fail "gap_min is not the ball's height"

# Chosen columns, in the order asked for.
"$STEPBENCH" run -p dsp -s em --h 0.01 --steps 2 --columns energy,q3,t --format csv >chosen.csv
[ "$(header chosen.csv)" = "energy,q3,t" ] || fail "chosen columns: $(header chosen.csv)"
"$STEPBENCH" run -p dsp -s em --h 0.01 --steps 2 --format csv >all.csv
paste -d, chosen.csv all.csv | grep -v '^#' |
    awk -F, 'NR == 1 { for (i = 4; i <= NF; i++) at[$i] = i }
        NR > 1 && ($1 != $at["energy"] || $2 != $at["q3"] || $3 != $at["t"]) { exit 1 }' ||
    fail "chosen columns hold other values than all of them"

# Globs: the product, with the columns of all, and a word about what does not fit.
"$STEPBENCH" run -p oscillator -p 'kep*' -s verlet -s 'euler_s*' -s 's*' --h 0.01 --steps 2 --format csv >product.csv \
    2>err
[ "$(header product.csv)" = \
    "problem,stepper,step,t,q0,q1,v0,v1,energy,kinetic,potential,Jz,g_rms,g_max,lrl_x,lrl_y,iters" ] ||
    fail "columns of a product: $(header product.csv)"
[ "$(grep -v '^#' product.csv | cut -d, -f1,2 | sort -u | grep -c 'oscillator\|kepler')" -ge 4 ] ||
    fail "pairs of a product: $(cut -d, -f1,2 product.csv | sort -u)"
grep '^oscillator' product.csv | awk -F, '$6 != "" || $5 == "" || $12 != "" { exit 1 }' ||
    fail "cells the oscillator lacks are empty"
"$STEPBENCH" run -p pendulum -s '*' --h 0.01 --steps 2 --format csv >product.csv 2>err
grep -q 'left out: verlet does not take pendulum' err || fail "what does not fit is reported: $(cat err)"
grep -q '^pendulum,shake,2,' product.csv || fail "what fits is run"

# One run of several fails: the others are whole, the status is 3.
status=0
"$STEPBENCH" run -p oscillator -s euler_explicit -s midpoint --h 1e9 --steps 100 --every 100 --format csv >some.csv \
    2>err || status=$?
[ "$status" -eq 3 ] || fail "one of two failed: exit status $status"
grep -q '^oscillator,midpoint,100,' some.csv || fail "the run after a failed one is missing"
grep -q '1 of 2 runs ended early' err || fail "one of two failed: $(cat err)"

# Formats.
"$STEPBENCH" run -p oscillator -s rk4 --h 0.1 --steps 2 --format json >run.json
[ "$(grep -c '"step"' run.json)" -eq 3 ] || fail "JSON: $(cat run.json)"
"$STEPBENCH" run -p oscillator -s rk4 --h 0.1 --steps 2 --format md | sed -n 2p | grep -q '^| ---: |' || fail "Markdown"
"$STEPBENCH" run -p oscillator -s rk4 --h 0.1 --steps 2 --format latex | grep -q '\\toprule' || fail "LaTeX"
"$STEPBENCH" run -p oscillator -s rk4 --h 0.1 --steps 2 --format table | head -1 | grep -q '^step  *t  *q0' ||
    fail "table"
"$STEPBENCH" order -p oscillator -s verlet -o order.csv
"$STEPBENCH" reversibility -s verlet --steps 10 -o default.csv
"$STEPBENCH" list problems --names >names
for name in $(cat names); do
    grep -q "\"name\": \"$name\"" default.csv.provenance.json || fail "the default problem $name has no provenance"
done
[ -s order.csv.provenance.json ] && grep -q '^# order -p oscillator:m=1' order.csv ||
    fail "an analysis leaves its provenance"

# A file's ending says its format, --format says otherwise.
for ending in json md tex csv txt; do
    "$STEPBENCH" run -p kepler -s verlet -s rk4 --h 0.1 --steps 20 -o "as.$ending"
done
grep -q '"energy": ' as.json && grep -q '^| ---' as.md && grep -q '^.begin{tabular}' as.tex &&
    grep -q '^problem,' as.csv && cmp as.csv as.txt || fail "formats by a file's ending"
"$STEPBENCH" run -p kepler -s verlet -s rk4 --h 0.1 --steps 20 -o asked.json --format csv && cmp as.csv asked.json ||
    fail "--format decides"
ls -A | grep -q tmp && fail "temporary files: $(ls -A)"
echo "runs are written as they should be"
