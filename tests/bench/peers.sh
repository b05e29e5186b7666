#!/bin/sh
# docs/peers.md and results/times/peers.csv, without the engines: every engine and stepper at every mechanism and step,
# and the numbers and rankings of the page from the rows.
. "$SOURCE_DIR/tests/prelude.sh"

rows="$SOURCE_DIR/results/times/peers.csv"
page="$SOURCE_DIR/docs/peers.md"
exponents="$SOURCE_DIR/results/times/peers_exponents.csv"
grep -v '^#' "$rows" >rows
grep -v '^#' "$exponents" >exponents

[ "$(head -n 1 rows)" = problem,N,rate,engine,settings,time,work,gap,energy,tip,until,known,status ] ||
    fail "columns: $(head -n 1 rows)"

# Every case has the same contenders but for those above their largest size: direct solvers 40 bodies, iterations of the
# setting `many` 100 bodies, 200 sweeps N = 100.
awk -F, 'NR > 1 {
    present[$1 "," $2 "," $3 "," $4 "," $5]++
    size[$1 "," $2 "," $3] = $1 == "ladder" ? 3 * $2 + 1 : 2 * $2 + 1
    squares[$1 "," $2 "," $3] = $2
    contender[$4 "," $5] = 1
}
END {
    for (at in size) cases++
    if (cases != 14) print "cases: " cases
    for (who in contender) for (at in size) {
        most = who ~ /direct/ ? 40 : who ~ /many/ ? 100 : 1e9
        takes = size[at] <= most && (who !~ /=200/ || squares[at] <= 100)
        if (present[at "," who] != takes) print at "," who ": " present[at "," who] + 0 " rows"
    }
    split("box2d,default box2d,many bullet,default bullet,many bullet,direct bullet_double,default ode,default " \
        "ode,many ode,direct ode,direct_erp stepbench,spook stepbench,spook:eps=0 stepbench,shake " \
        "stepbench,gauss_seidel_spook stepbench,xpbd", named, " ")
    for (k in named) if (!(named[k] in contender)) print "no rows of " named[k]
}' rows >wrong
[ -s wrong ] && fail "rows: $(cat wrong)"

# The table at 60 steps per s and the columns of compliance that have rows, to half a unit of the digits written.
awk -F, 'function check(where, text, value,   digits, unit) {
    digits = text
    sub(/e.*/, "", digits)
    gsub(/[^0-9]/, "", digits)
    sub(/^0+/, "", digits)
    unit = text + 0
    for (k = 1; unit >= 10; k *= 10) unit /= 10
    for (; unit > 0 && unit < 1; k /= 10) unit *= 10
    unit = k * 10 ^ (1 - length(digits))
    if (!(value > 0 && (text - value) ^ 2 <= (0.501 * unit) ^ 2))
        print where ": " text " in the page, " value " in the rows"
}
FILENAME == ARGV[1] {
    key = $1 "," $2 "," $3 "," $4 "," $5
    time[key] = $6; gap[key] = $8; energy[key] = $9; tip[key] = $10
    next
}
FNR == 1 {
    FS = "|"; $0 = $0
    who["Box2D, default"] = "box2d,default"; who["Bullet, default"] = "bullet,default"
    who["ODE, default"] = "ode,default"; who["ODE, direct_erp"] = "ode,direct_erp"
}
/^\|/ {
    name = $2
    gsub(/^ +| +$/, "", name)
    engine = name in who ? who[name] : name ~ /^`/ ? "stepbench," substr(name, 2, length(name) - 2) : ""
    if (engine != "" && NF == 9) {
        for (p = 0; p < 2; p++) {
            key = (p == 0 ? "ladder" : "four_bar") ",10,60," engine
            check(key " time", $(3 + 3 * p), time[key])
            check(key " gap", $(4 + 3 * p), gap[key])
            check(key " tip", $(5 + 3 * p), tip[key])
            checked++
        }
    }
    if (name == "960") {
        key = "ladder,10,960,stepbench,spook"
        check("compliance 1e-8, tip", $3, tip[key]); check("compliance 1e-8, energy", $8, energy[key])
        check("compliance 0, tip", $7, tip[key ":eps=0"]); check("compliance 0, energy", $9, energy[key ":eps=0"])
        checked++
    }
}
END { if (checked != 17) print checked + 0 " entries were found in the page, not 17" }' rows "$page" >wrong
[ -s wrong ] && fail "numbers: $(cat wrong)"

# spook takes less time than every engine, everywhere; with eps = 0 it gains from shorter steps.
awk -F, '$5 == "spook" { spook[$1 "," $2 "," $3] = $6 }
$4 != "stepbench" && NR > 1 {
    at = $1 "," $2 "," $3
    if (!(at in least) || $6 < least[at]) least[at] = $6
}
$1 == "ladder" && $2 == 10 && $5 == "spook:eps=0" { tip[$3] = $10 }
$1 == "ladder" && $2 == 10 && $5 == "spook" { elastic[$3] = $10 }
END {
    for (at in least)
        if (!(spook[at] > 0 && spook[at] < least[at])) print at ": spook takes " spook[at] ", an engine " least[at]
    if (!(tip[960] < tip[240] / 8 && tip[240] < tip[60] / 8)) print "spook:eps=0 does not gain from shorter steps"
    if (!(elastic[960] > elastic[240])) print "spook: its tip is not further off at 960 steps per s than at 240"
}' rows >wrong
[ -s wrong ] && fail "rankings: $(cat wrong)"

# The exponents that the page names.
tr '\n' ' ' <"$page" >text
awk -F, '$3 == "spook" || $3 ~ /^(gauss_seidel_spook|xpbd)$/ && $1 == "four_bar" || $2 == "box2d" && $3 == "default" {
    printf "N^%.2f (%.2f)\n", $4, $5 }' exponents | while read -r words; do
    grep -qF "$words" text || echo "$words"
done >wrong
[ -s wrong ] && fail "exponents that are not in the page: $(cat wrong)"
echo "the page follows from the rows"
