#!/bin/sh
# `compare`: its numbers are those of closed forms on an oscillator and of the analyses by themselves; who is refused,
# crashes or leads is reported for that pair.
. "$SOURCE_DIR/tests/prelude.sh"

"$STEPBENCH" compare -s verlet -s rk4 -s euler_explicit -s shake -p oscillator:omega=1,x0=1,v0=0 -p dsp -p kepler -p \
    spherical_pendulum --format csv --out folder >all.csv 2>err ||
    fail "compare: $(cat err)"
sed 's/oscillator:[^"]*v0=0/oscillator/; s/"//g' all.csv >rows.csv

# An error that is mostly round-off is on no front.
sed 's/"[^"]*"//g' folder/compare_work.csv | awk -F, '/^problem,/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["status"] == "plateau" { rough++; if ($at["front"] == "yes") { print; bad = 1 } }
    $at["front"] == "yes" { front++ }
    END { exit bad || !rough || !front }' || fail "the front: $(grep plateau folder/compare_work.csv)"

# Names with commas have their curves: every row belongs to a stepper that was named, in the panel of its problem.
if [ -e folder/compare_work.svg ]; then
    rows=$(sed 's/"[^"]*"/quoted/' folder/compare_work.csv | grep -c '^[a-z_]*,[a-z_0-9]*,[0-9.]*,')
    [ "$(grep -o "curves='[^']*'" folder/compare_work.svg | grep -o '[1-4] ' | wc -l)" -eq "$rows" ] ||
        fail "curves of $rows rows: $(grep -o "curves=.*" folder/compare_work.svg)"
    first=$(sed 's/"[^"]*"/quoted/' folder/compare_work.csv | grep -c '^quoted,[a-z_0-9]*,[0-9.]*,')
    [ "$(grep -o "places='[^']*'" folder/compare_work.svg | grep -o '1 ' | wc -l)" -eq "$first" ] ||
        fail "a problem of $first rows: $(grep -o "places=.*" folder/compare_work.svg)"
fi
# The tables for a paper: one per problem, a column for each stepper that takes it, exponents as powers of ten.
tr '\n' ' ' <folder/compare.tex | grep -q 'noindent kepler.*& verlet & rk4.*noindent dsp.*  & shake .*noindent' ||
    fail "tables in LaTeX: $(grep '&.*verlet\|noindent' folder/compare.tex)"
grep -q '^energy drift & .*times10^{' folder/compare.tex && ! grep -q '[0-9]e-[0-9]' folder/compare.tex ||
    fail "numbers in LaTeX: $(grep 'drift\|e-[0-9]' folder/compare.tex)"

# value STEPPER MEASURE [PROBLEM]
value() {
    awk -F, -v s="$1" -v m="$2" -v p="${3:-oscillator}" \
        '$2 == p && $3 == s && $4 == m { print $5; n++ } END { exit n != 1 }' rows.csv || fail "no row, or several: $*"
}
is() { # is STEPPER MEASURE EXPECTED ALLOWED [PROBLEM]
    x=$(value "$1" "$2" "${5:-oscillator}")
    awk -v x="$x" -v y="$3" -v e="$4" 'BEGIN { exit !(x != "" && x - y <= e && y - x <= e) }' ||
        fail "$1 on ${5:-oscillator}: $2 is $3 to $4, not \"$x\""
}

# omega = 1 s is the time scale T. Verlet's frequency is off by h^2/24, RK4's by h^4/120; at time t a phase off by d t
# costs d t |sin t|, at most 4.81447 d within a period, where tan t = -t; |q| of the samples reaches 1 but for 1e-3. RK4
# shrinks too, by a term of next order, 0.8 % at the smallest step whose error has two certain digits, T/80.
is verlet "order of q" 2 0.01
is verlet "order of v" 2 0.01
is verlet "order of energy" 2 0.01
is rk4 "order of q" 4 0.05
is rk4 "order of energy" 5 0.05
is euler_explicit "order of q" 1 0.05
is verlet "error constant" 0.200603 2e-4
is rk4 "error constant" 0.040121 4e-4
# At h = 0.1: Verlet keeps (v^2 + (1 - h^2/4) x^2)/2, RK4 loses h^6/72 of the energy 1/2 a step; Euler there and back,
# and its area after ten steps.
is verlet "energy error" 0.00125 1e-9
is rk4 "energy drift" -6.94e-8 0.01e-8
is euler_explicit "symplectic defect" 0.1046221 1e-6
is euler_explicit "reversibility defect" 0.2201900 1e-6
# Limits are bisected to 1e-3 of themselves. A growth of the energy by 1e8 in 1000 steps is log |R| = 0.0092 per step:
# 2e-5 above Verlet's limit, and 3.8e-3 above RK4's, where the derivative of log |R| by h omega is 2.51.
is verlet "largest stable h omega" 2 2.1e-3
is verlet "largest stable h/T" 2 2.1e-3
is rk4 "largest stable h omega" 2.828427 6.6e-3
is verlet "forces per step" 1 0
is rk4 "forces per step" 4 0
is verlet "failed checks" 0 0
[ -z "$(value verlet 'order of lambda')" ] && [ -z "$(value euler_explicit 'largest stable h omega')" ] ||
    fail "numbers of what is not there"
grep -q '^unconstrained,oscillator,verlet,momentum defect,,,,the problem has no symmetry' rows.csv ||
    fail "nothing is said instead of a number: $(grep 'momentum defect' rows.csv)"
# A potential that depends on time does not conserve the energy: what is no drift is not compared as one.
"$STEPBENCH" compare -s verlet -p paul_trap --format csv >trap.csv || fail "compare on paul_trap ends with $?"
for measure in error drift; do
    grep -q "^time-potential,paul_trap,verlet,energy $measure,,,.*: the energy is not conserved" trap.csv ||
        fail "on paul_trap: $(grep "energy $measure" trap.csv)"
done

# The same as by the analyses themselves; of several momenta, that which changes most.
"$STEPBENCH" order -p kepler -s rk4 --levels 6 --scales 4 --format csv | grep -v '^#' >order.csv
for quantity in q v energy; do
    slope=$(awk -F, -v c="slope_$quantity" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i; else if ($i == "status") s = i }
        $s == "fit" { print $k }' order.csv)
    is rk4 "order of $quantity" "$slope" 0 kepler
done
largest=$("$STEPBENCH" momentum -p kepler -s rk4 --format csv | grep -v '^#' | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == "dev_discrete") c = i }
    NR > 1 && $c > m { m = $c }
    END { print m }')
is rk4 "momentum defect" "$largest" 0 kepler
is shake "violation of g" \
    "$("$STEPBENCH" constraints -p dsp -s shake --format csv | grep -v '^#' | tail -1 | cut -d, -f5)" 0 dsp
is shake "violation of G v" \
    "$("$STEPBENCH" constraints -p dsp -s shake --format csv | grep -v '^#' | tail -1 | cut -d, -f6)" 0 dsp
[ "$(value verlet 'takes it' dsp)" = 0 ] || fail "verlet takes dsp"
[ "$(grep -c '^holonomic[^,]*,dsp,verlet,' rows.csv)" -eq 1 ] ||
    fail "numbers of a stepper that is refused: $(grep dsp,verlet rows.csv)"

# Points on the front are those marked in the folder; Euler's costs as much as Verlet's and errs more.
for pair in oscillator,verlet oscillator,rk4 kepler,verlet kepler,rk4; do
    problem=${pair%,*}
    stepper=${pair#*,}
    marked=$(sed 's/oscillator:[^"]*v0=0/oscillator/; s/"//g' folder/compare_work.csv | grep "^$problem,$stepper," |
        grep -c ',yes$' || true)
    is "$stepper" "points on the front" "$marked" 0 "$problem"
    [ "$marked" -gt 0 ] || fail "$stepper is not on the front of $problem"
done
is euler_explicit "points on the front" 0 0
cut -d, -f1 rows.csv | grep -v '^#' | tail -n +2 | uniq | sort | uniq -d | grep . &&
    fail "a family's rows are not together"

# Each named stepper has its name in the figure, also off the front; of a glob, those that lead.
if command -v gnuplot >/dev/null; then
    for name in verlet rk4 euler_explicit shake; do
        grep -q ">$name<\|>$(printf %s "$name" | tr _ ' ')<" folder/compare_work.svg ||
            fail "$name is not named in compare_work.svg"
    done
fi

# Side by side: a dash for a stepper that is refused, slopes with their standard errors, and no line that says nothing.
"$STEPBENCH" compare -s verlet -s shake -p dsp -p oscillator --format md >wide.md 2>err || fail "compare: $(cat err)"
grep -q '^| *holonomic[^|]*| *dsp *| *order of q *| *- *| *2\.0[0-9]*([0-9]*)?* *|' wide.md ||
    fail "side by side: $(grep 'dsp' wide.md | head -3)"
! grep -q '| *unconstrained *| *oscillator *| *order of lambda' wide.md || fail "a line without numbers"
# An order that is unclear, here because of a compliance that the steps neither follow nor leave behind, has a mark.
"$STEPBENCH" compare -s spook:eps=1e-5 -s rattle -p pendulum --format md >wide.md 2>err || fail "compare: $(cat err)"
grep -q '| *order of q *| *[0-9.-]*([0-9]*)? *| *2\.0[0-9]*([0-9]*) *|' wide.md ||
    fail "an unclear order is not marked: $(grep 'order of' wide.md)"
# Of the problems a glob brings in, those that none of the steppers takes are left out.
"$STEPBENCH" compare -s verlet -p 'd*' -p oscillator --format csv >some.csv 2>err || fail "compare: $(cat err)"
[ "$(grep -v '^#' some.csv | tail -n +2 | cut -d, -f2 | sort -u)" = oscillator ] ||
    fail "problems that nobody takes: $(cut -d, -f2 some.csv | sort -u)"

# --times measures every point of the plane of work and errors, also under a formulation and with error control.
"$STEPBENCH" compare -s rk4 -s midpoint -s odeiv2 -p dsp -w chart --out timed --times --format csv \
    >all.csv 2>err || fail "compare --times: $(cat err)"
points() { # points FILE: stepper and steps of its points that have an error
    awk -F, '/^#/ { next } !known { for (i = 1; i <= NF; i++) at[$i] = i; known = 1; next }
        $at["err_relative"] != "" { print $at["stepper"], $at["steps"] }' "$1"
}
head -n 1 timed/compare_times.csv | grep -q 'written by `stepbench compare`; provenance.json says' &&
    grep -q '"name": "compare"' timed/provenance.json && grep -q '"name": "odeiv2"' timed/provenance.json ||
    fail "where the times come from: $(head -n 1 timed/compare_times.csv; ls timed)"
points timed/compare_work.csv >work
points timed/compare_times.csv | cmp -s - work && [ "$(cut -d' ' -f1 work | sort -u | wc -l)" -eq 3 ] ||
    fail "points with times: $(points timed/compare_times.csv | diff - work)"
grep -v '^#' timed/compare_times.csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { each = $at["time_step"]; off = 1e6 * $at["time"] / $at["steps"] / each - 1 # four digits
      if (!(each > 0) || off > 1.1e-3 || off < -1.1e-3) { print; bad = 1 } }
    END { exit bad || NR < 10 }' || fail "times: $(cat timed/compare_times.csv)"
[ ! -e folder/compare_work.svg ] || [ -s timed/compare_times.svg ] || fail "no figure of times"
echo "compare reports what is so"
