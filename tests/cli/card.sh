#!/bin/sh
# A built-in's card: what it says is what `show`, `list --matrix`, `contract` and `compare` say; it breaks down where
# they do.
. "$SOURCE_DIR/tests/prelude.sh"

text() { # text FILE: its words, cells and items apart
    sed 's/<small[^>]*>[^<]*<\/small>//g; s/<[^>]*>/|/g' "$1" | sed 's/||*/|/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
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
says card "|and also|non-potential forces f(t,q,v); a mass matrix that depends on q; a potential V(t,q) that depends on time|"
says card "|tol|1e-10|in (0, 0.01]|Newton"
says card "|built in, one-step|"

# What it takes and what it does not, and how it does there.
"$STEPBENCH" list --matrix --format csv | grep ',midpoint,' | tr -d '"' >matrix
sed -n 's/^|\([^:]*\): not tried: it has more than 9 coordinates; compare tries it|$/\1/p' card >large
taken=$(grep ',midpoint,yes,' matrix | cut -d, -f1 | grep -v -x -F -f large | wc -l)
"$STEPBENCH" check midpoint --all --format csv >checks 2>err || fail "check: $(cat err)"
grep -v "^\($(paste -sd'|' large | sed 's/|/\\|/g')\)," checks >small && mv small checks
passed=$(grep -c ',passed,' checks)
systems=$(grep '^check\.' checks | cut -d, -f1 | sort -u | wc -l)
says card "All $passed checks passed, on the $taken problems it was tried on and on $systems systems with one kind of term \
each."
sed -n 's/^\([^,]*\),midpoint,no,,\(.*\)$/|\1: \2/p' matrix | while read -r line; do
    says card "$line"
done
[ "$(grep -c 'midpoint does not take' card)" -eq "$(grep -c ',midpoint,no,' matrix)" ] ||
    fail "problems it does not take: $(grep 'does not take' card)"

# Numbers: those of compare, rounded.
"$STEPBENCH" compare -s midpoint -p kepler --format csv | grep '^unconstrained,kepler' >compare.csv
number() { # number MEASURE FORMAT
    awk -F, -v m="$1" -v f="$2" '$4 == m { printf f, $5 }' compare.csv
}
orders="$(number 'order of q' %.2f)|$(number 'order of v' %.2f)|$(number 'order of energy' %.2f)"
errors="$(number 'error constant' %.3g)|$(number 'energy error' %.3g)|$(number 'energy drift' %.1e)"
says card "|kepler|unconstrained|0|$orders|$errors|$(number 'momentum defect' %.1e)|"
grep -q '^|oscillator|unconstrained|.*|no limit|no limit|' card ||
    fail "no step is too long for the midpoint rule on an oscillator: $(grep '^|oscillator|unc' card)"
# Standard errors are text, those of compare.
se=$("$STEPBENCH" compare -s midpoint -p kepler --format csv | awk -F, '
    !n++ && !/^#/ { for (i = 1; i <= NF; i++) at[$i] = i } /^#/ { n = 0 }
    $1 == "unconstrained" && $4 == "order of q" { printf "%.1g", $6 }')
grep -q "<small class=\"quiet\">± $se</small>" midpoint.html || fail "no standard error $se of the order of q"
# The others in the pictures, in the order asked for; not itself a second time.
[ "$(grep '^|midpoint| ' card | sort -u)" = "|midpoint| |rk4| |verlet| |" ] ||
    fail "who is drawn: $(grep '|rk4|' card | head -3)"

# On named problems alone, with parameters, large ones too.
"$STEPBENCH" card verlet -p kepler:e=0.1 -p fput --against rk4 -o two.html 2>err || fail "card -p: $(cat err)"
text two.html >card
says card "|kepler:e=0.1|unconstrained|"
says card "|fput|unconstrained|"
for name in kepler:e=0.1 fput; do # of one family, both named
    [ "$(grep -c "Energy error on $name over" two.html)" -eq 1 ] || fail "card -p: no energy on $name"
done
grep -q 'henon_heiles\|not tried\|does not take' card && fail "card -p tries other problems: $(grep henon card)"

# A step that ends a run is reported once, with its length and the sentence of the analysis.
"$STEPBENCH" card euler_explicit --against verlet -o euler.html 2>err || fail "card: $(cat err)"
text euler.html >card
says card "Where it breaks down, and how"
status=0
"$STEPBENCH" drift -p spherical_pendulum -s euler_explicit --format csv >drift.csv 2>err || status=$?
[ $status -eq 3 ] || fail "drift: exit status $status: $(cat drift.csv err)"
row=$(grep ' ended at step ' drift.csv | tr -d '"')
h=$(printf %.3g "$(echo "$row" | cut -d, -f3)")
says card "|spherical_pendulum, h = $h s: $(echo "$row" | sed 's/.*,\(euler_explicit on.*\)$/\1/')|"
[ "$(grep -c 'spherical_pendulum.* ended at step ' card)" -eq 1 ] ||
    fail "reported again: $(grep ' ended at step ' card)"
# Pictures in words: errors as workprec has them, energies of one problem a family, and who ended early.
"$STEPBENCH" card rk4 --against euler_explicit,midpoint -o rk4.html 2>err || fail "card: $(cat err)"
grep -o '"alt":"[^"]*"' rk4.html >pictures
grep -qF '<a href="https://doi.org/10.1007/978-3-540-78862-1">doi:10.1007/978-3-540-78862-1</a>' rk4.html ||
    fail "no link to the book on RK4: $(grep -o '<dt>reference.*' rk4.html)"
"$STEPBENCH" workprec -p kepler -s rk4 --levels 7 --format csv | grep -v '^#' |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && $at["status"] != "plateau" { b = sprintf("%.2g at %.3g", $at["err_relative"], $at["h"] * sqrt(12)); if (NR == 2) a = b }
    END { print "Error against step on kepler: rk4 from " a " to " b "; euler_explicit from " }' >words
scale=$("$STEPBENCH" show kepler | sed -n 's/^time scale //p')
[ "$scale" = "0.289 s" ] || fail "the time scale of kepler is 12^-1/2 s, not $scale"
grep -qF "$(cat words)" pictures || fail "no picture says: $(cat words): $(cat pictures)"
energies='rk4 ends at [0-9.e-]*; euler_explicit ends [a-z, ]*at [a-z0-9.e+-]*; midpoint ends at '
grep -q "Energy error on oscillator over 2e4 steps: $energies" pictures || fail "energies: $(grep Energy pictures)"
grep -q 'Energy error on spherical_pendulum.*; euler_explicit ends early, at [0-9.]*; midpoint ends at ' pictures ||
    fail "who ends early: $(grep Energy pictures)"
[ "$(grep -c 'spherical_pendulum (euler_explicit ended early)' rk4.html)" -eq 1 ] ||
    fail "the title does not say who ended early"
! grep -q 'Energy error on kepler' pictures || fail "a family shown twice"

# What is not drawn is in the page as data: every problem with two errors or more is in either, with workprec's numbers.
if command -v python3 >/dev/null; then
    "$STEPBENCH" workprec -p double_pendulum -s rk4 --levels 7 -o double.csv
    cat >data.py <<'END'
import csv, json, re

page = open("rk4.html").read()
for what, x in (("step", "h"), ("evaluations", "evaluations")):
    lists = [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', page, re.S)]
    first, data = ({figure["title"]: figure for figure in group} for group in lists if f"against {what} on" in group[0]["alt"])
    tried = set(re.findall("<tr><th[^>]*>([a-z_]*)<", page))
    assert len(first) == 6 and not set(first) & set(data), (list(first), list(data))
    assert "double_pendulum" in data and set(first) | set(data) <= tried, (tried, list(data))
    figure = data["double_pendulum"]
    rows = list(csv.DictReader(line for line in open("double.csv") if line[0] != "#"))
    floor = [point[:2] for point in figure["floor"] if point[2] == 0]  # which the curve leaves out
    assert len(floor) == [row["status"] for row in rows].count("plateau") > 0, floor
    curve = sorted(figure["curves"][0] + floor, reverse=x == "h")
    scale = 1.0 if x == "evaluations" else float(rows[0]["h"]) / curve[0][0]  # the time scale
    assert x == "evaluations" or 0.95 < 10 * curve[0][0] < 1.05, curve  # a tenth of it in two digits is the largest step
    expected = [(float(row[x]) / scale, float(row["err_relative"])) for row in rows]
    assert figure["colours"] == [0, 1, 2] and len(curve) == len(expected) == 7, figure
    assert all(abs(a / b - 1) < 1e-3 for p, e in zip(curve, expected) for a, b in zip(p, e)), (curve, expected)
END
    python3 data.py 2>err || fail "data of figures: $(tail -2 err)"
fi

# The map: RK4's |1 + z + z^2/2 + z^3/6 + z^4/24| at the middles of 40 by 12 cells, z/h the roots of z^2 + gamma z + 1 =
# 0; not where it is a threshold but for 1e-3.
grep -o '"cells":\[[^]]*' rk4.html | grep -o '"[a-z0-9]*"' | sed '1d; s/"//g' >cells
awk '
    function modulus(re, im,   a, b, c, d, k, t) { # Horner
        a = 1; b = 0
        for (k = 4; k >= 1; k--) { t = (a * re - b * im) / k + 1; b = (a * im + b * re) / k; a = t }
        return sqrt(a * a + b * b)
    }
    function radius(h, g,   s, p, q) {
        if (g < 2) return modulus(-h * g / 2, h * sqrt(1 - g * g / 4))
        s = sqrt(g * g / 4 - 1); p = modulus(h * (-g / 2 + s), 0); q = modulus(h * (-g / 2 - s), 0)
        return p > q ? p : q
    }
    function far(r, from) { return r - from > 1e-3 || from - r > 1e-3 }
    { i = (NR - 1) % 40; row = int((NR - 1) / 40)
      r = radius((i + 0.5) * 4 / 40, (row + 0.5) * 3 / 12)
      expected = r > 1 ? "grows" : r > 0.9 ? "damps1" : r > 0.5 ? "damps2" : "damps3"
      if ($1 != expected && far(r, 1) && far(r, 0.9) && far(r, 0.5)) { print i, row, $1, expected, r; bad = 1 } }
    END { exit bad || NR != 480 }' cells >wrong ||
    fail "the map of stability: $(wc -l <cells) cells; cell, row, drawn, true: $(head -5 wrong)"
# Identifiers on the page are unique. A terminal gets no page but a message.
grep -o ' id="[^"]*"' midpoint.html | sort | uniq -d | grep . && fail "an id is on the card twice"
if command -v script >/dev/null; then
    status=0
    script -qec "'$STEPBENCH' card euler_explicit" /dev/null </dev/null >shown || status=$?
    [ $status -eq 2 ] && grep -q 'card writes a page: name its file with -o FILE.html' shown &&
        [ "$(wc -l <shown)" -eq 1 ] ||
        fail "card on a terminal: exit status $status: $(head -3 shown)"
fi
# A PDF is printed from the page by a browser; where there is none the page is written, and the message says so.
status=0
echo mine >'one#%20.html'
"$STEPBENCH" card rk4 -p oscillator --against "" -o "one#%20.pdf" >out 2>err || status=$?
[ "$(cat 'one#%20.html')" = mine ] || fail "card -o one.pdf replaces the page one.html"
[ -s "one#%20.pdf.html" ] || fail "card -o one.pdf writes no page: $(cat err)"
if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then
    [ $status -eq 0 ] && grep -aq 'Title (rk4' 'one#%20.pdf' && head -c 5 'one#%20.pdf' | grep -q '%PDF-' || fail "one.pdf: exit status $status: $(cat err)"
else
    [ $status -eq 1 ] && grep -q 'one#%20.pdf.html is written, but no PDF: that takes chromium' err ||
        fail "without a browser: exit status $status: $(cat err)"
fi

# The energy of a chain that starts at rest at the height 0: its errors are relative to the largest |T| + |V|, and small.
"$STEPBENCH" energy -p rod_chain -s shake --h 1/100 --steps 100 --blocks 1 --columns low,high 2>err | tail -1 >energy
awk -F, '{ exit !($1 ^ 2 < 1e-4 && $2 ^ 2 < 1e-4) }' energy || fail "energy from round-off: $(cat energy err)"
echo "a built-in's card says what the commands say"
