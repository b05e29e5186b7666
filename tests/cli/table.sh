#!/bin/sh
# Tables for people: not wider than the terminal, without empty columns, with the columns and digits that are asked for;
# with a row per problem and a column per stepper. CSV keeps all digits.
. "$SOURCE_DIR/tests/prelude.sh"

# The digits of the shortest text that reads back are those of CSV; a table has six.
"$STEPBENCH" run -p oscillator -s rk4 --h 1/7 --steps 1 --columns t,q0 --format csv | tail -1 >row
awk -F, '{ exit !(length($1) >= 17 && length($2) >= 17 && ($1 - 1 / 7) ^ 2 < 1e-33) }' row || fail "CSV: $(cat row)"
[ "$("$STEPBENCH" run -p oscillator -s rk4 --h 1/7 --steps 1 --columns t --format table | tail -1 | tr -d ' ')" = \
    0.142857 ] ||
    fail "six digits in a table"
[ "$("$STEPBENCH" run -p oscillator -s rk4 --h 1/7 --steps 1 --columns t --digits 3 --format csv | tail -1)" = \
    0.143 ] ||
    fail "three digits in CSV"

# Columns without a value are left out for people, and kept in CSV.
"$STEPBENCH" order -p oscillator -s verlet --levels 3 --format csv | grep -v '^#' | head -1 | grep -q err_lambda ||
    fail "CSV has every column"
"$STEPBENCH" order -p oscillator -s verlet --levels 3 --format md | head -1 | grep -q lambda && fail "an empty column"

# A row per problem, a column per stepper: the numbers are those of the rows, with one digit of their standard errors.
"$STEPBENCH" order -p oscillator -p kepler -s verlet -s rk4 --levels 3 --format csv | grep -v '^#' >long.csv
"$STEPBENCH" order -p oscillator -p kepler -s verlet -s rk4 --levels 3 --columns problem,measured --pivot stepper \
    --format csv | grep -v '^#' >wide.csv
[ "$(head -1 wide.csv)" = problem,verlet,rk4 ] && [ "$(wc -l <wide.csv)" -eq 3 ] || fail "a pivot: $(cat wide.csv)"
for problem in oscillator kepler; do
    expected=$(awk -F, -v p=$problem 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["problem"] == p && $at["measured"] != "" {
            unit = 1
            for (digits = 0; $at["se"] < 0.95 * unit; digits++) unit /= 10
            row = row sprintf(",%.*f(%.0f)", digits, $at["measured"], $at["se"] / unit)
        }
        END { print p row }' long.csv)
    grep -qxF "$expected" wide.csv || fail "a pivot has other numbers than $expected: $(cat wide.csv)"
done
awk -F, '$1 == "oscillator" { exit !($2 + 0 > 1.98 && $2 + 0 < 2.02 && $3 + 0 > 3.9 && $3 + 0 < 4.1) }' wide.csv ||
    fail "orders two and four: $(cat wide.csv)"

# What cannot be done is said before or instead of a table.
refused() { # refused PATTERN ARGUMENTS...
    pattern=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q -- "$pattern" err || fail "stepbench $*: exit status $status: $(cat err)"
}
refused 'no column is named "err_x"; nearest: err_' order -p oscillator -s verlet --columns err_x
refused 'the column h is named twice' drift -p oscillator -s verlet --columns h,h
refused '--pivot: no column is named "steper"; nearest: stepper' drift -p oscillator -s verlet --pivot steper
refused 'several rows have the same place' order -p oscillator -s verlet --columns problem,err_q --pivot stepper
refused 'leave out --pivot' list steppers --names --pivot kind
refused 'has no option --pivot' card rk4 --pivot stepper

# The matrix of problems and steppers: a row per problem.
"$STEPBENCH" list --matrix --format md >matrix.md
[ "$(wc -l <matrix.md)" -eq $(($("$STEPBENCH" list problems --names | wc -l) + 2)) ] &&
    head -1 matrix.md | grep -q '| verlet |.*| rattle |' || fail "no matrix: $(head -3 matrix.md)"

# On a terminal of 80 columns nothing is wider, and nothing is lost: every word of a status is there.
command -v script >/dev/null || exit 0
on_terminal() { # on_terminal COLUMNS ARGUMENTS...
    printf "stty cols %s\n'%s'" "$1" "$STEPBENCH" >command
    shift
    printf " '%s'" "$@" >>command
    script -qec "sh command" /dev/null </dev/null | tr -d '\r' >shown
}
for width in 80 60 132; do
    for call in "order -p pendulum -p oscillator -s rattle -s verlet --levels 2" \
        "drift -p kepler -s verlet --t-end 10" \
        "list --matrix" "list problems" "modes -p thread:n=5" "workprec -p kepler -s rk4 --levels 3"; do
        # shellcheck disable=SC2086 # words of a command
        on_terminal $width $call
        grep -v '^stepbench: ' shown | awk -v w=$width 'length($0) > w { print; wide = 1 } END { exit wide }' >wide ||
            fail "$call is wider than $width: $(head -2 wide)"
        [ "$(wc -l <shown)" -ge 3 ] || fail "$call: $(cat shown)"
    done
done
on_terminal 80 order -p pendulum -s verlet -s rattle --levels 2 --columns problem,stepper,status
tr -s ' \n' '  ' <shown >words
for word in pendulum rattle constraints penalty own solution; do
    grep -q " $word" words || fail "\"$word\" is lost: $(cat shown)"
done
# A block of columns has the rows with a value in it alone; together the blocks have every value.
on_terminal 80 order -p kepler -s rk4 --levels 3
grep -qE '^kepler +rk4 +0[.]0[0-9]+ *$' shown && fail "a row of keys alone: $(cat shown)"
[ "$(grep -cE '^kepler +rk4 +[0-9.]+ +[1-9][0-9]{2,} ' shown)" -eq 3 ] &&
    grep -q '^kepler .* 4[.][0-9]* ' shown && grep -q ' as_claimed$' shown || fail "$(cat shown)"
# Of the rows of selected columns only those with a value are written: the one of the fit.
"$STEPBENCH" order -p kepler -s rk4 --levels 3 --columns problem,measured,verdict --format csv | grep -v '^#' >rows
[ "$(wc -l <rows)" -eq 2 ] && grep -q '^kepler,[34][0-9.]*,as_claimed$' rows || fail "empty rows: $(cat rows)"
# Steppers that take a problem are named once.
"$STEPBENCH" order -p pendulum -s verlet -s rk4 -s rattle --levels 2 --format csv >rows 2>err && fail "verlet takes constraints"
[ "$(grep -c '; take ' rows)" -eq 1 ] && grep -q ',"*verlet does .*; take ' rows && grep -q 'rk4 does .* -w ' rows ||
    fail "reasons: $(cat rows)"
grep -q 'verlet does .*; take ' err || fail "the message: $(cat err)"
"$STEPBENCH" list --matrix -p pendulum --format csv | grep '; take ' && fail "the matrix repeats its rows"
echo "tables fit"
