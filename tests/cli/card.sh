#!/bin/sh
# A built-in's card: what it says is what `show`, `list --matrix`, `conduct` and `compare` say; it breaks down where they do.
set -eu
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
cd "$SCRATCH"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

text() { # text FILE: its words, cells and items apart
    sed 's/<[^>]*>/|/g' "$1" | sed 's/||*/|/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}
says() { # says FILE TEXT
    grep -qF -- "$2" "$1" || fail "$1 does not say \"$2\": $(grep -v '{' "$1" | head -40)"
}

"$STEPBENCH" card midpoint --against rk4,midpoint,verlet -o midpoint.html 2>err || fail "card: $(cat err)"
text midpoint.html >card

# What it is.
"$STEPBENCH" show midpoint >show
says card "|midpoint|$(sed -n 2p show)|"
says card "|claims order|$(sed -n 's/^order *//p' show)|"
says card "|claims to keep|the discrete momentum of every symmetry; a step back undoes a step|"
says card "|and also|non-potential forces f(t,q,v); a mass matrix that depends on q|"
says card "|tol|1e-10|in (0, 0.01]|Newton stops"
says card "|one-step, built in|"

# What it takes and what it does not, and how it does there.
"$STEPBENCH" list --matrix --format csv | grep ',midpoint,' | tr -d '"' >matrix
taken=$(grep -c ',midpoint,yes,' matrix)
passed=$("$STEPBENCH" conduct -s midpoint --format csv | grep -c ',passed,')
says card "All $passed checks passed, on the $taken problems it takes."
sed -n 's/^\([^,]*\),midpoint,no,\(.*\)$/|\1: \2|/p' matrix | while read -r line; do
    says card "$line"
done
[ "$(grep -c 'midpoint does not take' card)" -eq "$(grep -c ',midpoint,no,' matrix)" ] || fail "problems it does not take: $(grep 'does not take' card)"

# Numbers: those of compare, rounded.
"$STEPBENCH" compare -s midpoint -p kepler --format csv | grep '^unconstrained,kepler' >compare.csv
number() { # number MEASURE FORMAT
    awk -F, -v m="$1" -v f="$2" '$4 == m { printf f, $5 }' compare.csv
}
says card "|kepler|unconstrained|0|$(number 'order of q' %.2f)|$(number 'order of v' %.2f)|$(number 'order of energy' %.2f)|$(number 'error constant' %.3g)|$(number 'energy error' %.3g)|$(number 'energy drift' %.1e)|$(number 'momentum defect' %.1e)|"
grep -q '^|oscillator|unconstrained|.*|no limit|no limit|' card || fail "no step is too long for the midpoint rule on an oscillator: $(grep '^|oscillator|unc' card)"
# The others in the pictures, in the order asked for; not itself a second time.
[ "$(grep '^|midpoint| ' card | sort -u)" = "|midpoint| |rk4| |verlet| |" ] || fail "who is drawn: $(grep '|rk4|' card | head -3)"

# A step that ends a run is told once, with its length and the sentence of the analysis.
"$STEPBENCH" card euler_explicit --against verlet -o euler.html 2>err || fail "card: $(cat err)"
text euler.html >card
says card "Where it breaks down, and how"
status=0
"$STEPBENCH" drift -p spherical_pendulum -s euler_explicit --format csv >drift.csv 2>err || status=$?
[ $status -eq 3 ] || fail "drift: exit status $status: $(cat drift.csv err)"
row=$(grep ' ended at step ' drift.csv | tr -d '"')
says card "|spherical_pendulum, h = $(printf %.3g "$(echo "$row" | cut -d, -f3)") s: $(echo "$row" | sed 's/.*,\(euler_explicit on.*\)$/\1/')|"
[ "$(grep -c 'spherical_pendulum.* ended at step ' card)" -eq 1 ] || fail "told again: $(grep ' ended at step ' card)"
echo "a built-in's card says what the commands say"
