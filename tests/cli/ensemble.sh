#!/bin/sh
# `--ensemble`: medians and quartiles of a quantity that is a known function of a uniform parameter, the share of
# members that fail, the same members for every stepper and every number of processes, and what is refused.
. "$SOURCE_DIR/tests/prelude.sh"

cell() { # cell FILE ROW COLUMN: of a CSV file; the rows are numbered from 1
    awk -F, -v row="$2" -v column="$3" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        n == row + 1 { print $at[column] }' "$1"
}
near() { # near WHAT NUMBER EXPECTED TOLERANCE
    awk -v x="$2" -v y="$3" -v tol="$4" 'BEGIN { exit !(x != "" && (x - y)^2 <= tol^2) }' ||
        fail "$1: $2, expected $3 within $4"
}

# ---- Verlet is stable to h = 2/omega. Of 401 omega between 1 and 4 the quartiles have standard errors below 0.075;
# four of these move 2/omega by at most 2 (0.3)/omega^2. ----
"$STEPBENCH" stability -p oscillator -s verlet --values 0 --cells 1 --ensemble 401 --seed 7 \
    --uniform omega=1:4 -o limit.csv
near "median" "$(cell limit.csv 1 h_limit)" 0.8 0.096
near "third quartile" "$(cell limit.csv 1 h_limit_q3)" 1.142857 0.196
near "first quartile" "$(cell limit.csv 1 h_limit_q1)" 0.615385 0.057

# ---- With h = 1 Verlet overflows for omega > 2, half of [0.01, 3.99]; 400 members have a standard error of 1/40. ----
"$STEPBENCH" energy -p oscillator -s verlet -s midpoint --h 1 --steps 2000 --blocks 1 --ensemble 400 --seed 3 --uniform omega=0.01:3.99 \
    -o failed.csv
near "share of failures" "$(cell failed.csv 1 failed)" 0.5 0.1
near "the row of the failures" "$(cell failed.csv 2 failed)" "$(cell failed.csv 1 failed)" 0
near "midpoint fails nowhere" "$(cell failed.csv 3 failed)" 0 0

# ---- Random initial states: the quartiles enclose the median, and neither processes nor steppers change the members. ----
"$STEPBENCH" drift -p pendulum -p dsp -s shake -s rattle --h 1/50 --t-end 20 --ensemble 24 --width 0.2 -o one.csv --jobs 1
"$STEPBENCH" drift -p pendulum -p dsp -s shake -s rattle --h 1/50 --t-end 20 --ensemble 24 --width 0.2 -o four.csv --jobs 4
cmp one.csv four.csv || fail "four processes give other rows than one"
awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["max_dev_q1"] < $at["max_dev"] && $at["max_dev"] < $at["max_dev_q3"] && $at["failed"] == 0 { ordered++ }
    END { exit !(n > 4 && ordered == n - 1) }' one.csv || fail "quartiles: $(cat one.csv)"
"$STEPBENCH" drift -p pendulum -s shake --h 1/50 --t-end 20 --ensemble 24 --width 0.2 --seed 1 -o seed.csv
[ "$(cell seed.csv 1 max_dev)" != "$(cell one.csv 1 max_dev)" ] || fail "another seed, the same members"

# ---- What is refused. ----
refuse() { # refuse SENTENCE STATUS WORD...
    sentence=$1
    wanted=$2
    shift 2
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ "$status" -eq "$wanted" ] && [ ! -s out ] && grep -qF -- "$sentence" err || fail "$*: status $status: $(cat err)"
}
refuse "order: --seed needs --ensemble N" 2 order -p oscillator -s verlet --seed 1
refuse "--uniform and --width exclude each other" 2 order -p oscillator -s verlet --ensemble 3 --width 0.1 --uniform omega=1:2
refuse 'has to be NAME=LOW:HIGH' 2 order -p oscillator -s verlet --ensemble 3 --uniform omega=2:1
refuse 'has no parameter "omga"; nearest: omega' 2 order -p oscillator -s verlet --ensemble 3 --uniform omga=1:2
refuse 'omega' 2 order -p oscillator -s verlet --ensemble 3 --uniform omega=-1:2
refuse "would penetrate its contacts" 2 balance -p block_incline -s moreau --h 0.01 --ensemble 3
