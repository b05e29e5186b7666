#!/bin/sh
# bench --compare: results that agree within their tolerances pass; whatever moved is listed, one row per quantity, with
# exit status 1.
. "$SOURCE_DIR/tests/prelude.sh"

compare() { # compare STATUS: copies a to b unless it is there, compares; rows without comments and header in `moved`
    status=0
    "$STEPBENCH" bench notes11_recurrences wm96_table1 --compare a --out b --format csv >out 2>err || status=$?
    grep -v '^#' out | tail -n +2 >moved || true
    [ "$status" -eq "$1" ] || fail "exit status $status, not $1: $(cat out err)"
}
edit() { # edit FILE SED-COMMAND: a fresh copy with one change
    rm -rf b
    cp -r a b
    sed "$2" "a/$1" >"b/$1"
    ! cmp -s "a/$1" "b/$1" || fail "$1: nothing was changed by $2"
}

"$STEPBENCH" bench notes11_recurrences wm96_table1 --out a 2>err || fail "$(cat err)"
cp -r a b
compare 0
[ ! -s moved ] || fail "moved though nothing differs: $(cat moved)"
grep -q 'quantities in [0-9]* files .*agree' err || fail "no count: $(cat err)"

# The tenth digit of the second measured value of Table 1, then the third.
value=$(grep -v '^#' a/wm96_table1.csv | sed -n 3p | cut -d, -f5)
case $value in 0.000[1-9]?????????) ;; *) fail "this test wants a number of ten digits: $value" ;; esac
digit() { # digit N: value with its N-th decimal changed
    awk -v v="$value" -v n="$1" 'BEGIN {
        at = index(v, ".") + n
        d = substr(v, at, 1)
        printf "%s%d%s", substr(v, 1, at - 1), d == 9 ? 8 : d + 1, substr(v, at + 1) }'
}
edit wm96_table1.csv "s/$value/$(digit 13)/"
compare 0
edit wm96_table1.csv "s/$value/$(digit 6)/"
compare 1
[ "$(wc -l <moved)" -eq 1 ] || fail "one number was changed: $(cat moved)"
grep -q "^wm96_table1.csv,.*,$value,$(digit 6),[0-9.]*e-[0-9]*$" moved ||
    fail "the row does not say what moved: $(cat moved)"
edit wm96_table1.csv "s/$value/nan/"
compare 1
edit wm96_table1.csv "s/$value//"
compare 1
edit wm96_table1.csv '$d'
compare 1
grep -q '^wm96_table1.csv,,number of rows,' moved || fail "a missing row: $(cat moved)"
rm b/wm96_table1.csv
compare 1
grep -q '^wm96_table1.csv,,,there,missing' moved || fail "a missing file: $(cat moved)"

# A drawn file states that its numbers have four digits: the fourth may differ, the third may not. Where nothing is stated
# the fourth may not either.
value=$(grep -v '^#' a/notes11_recurrences.csv | tr , '\n' | grep -m1 -x '0\.[1-9][0-9]\{2\}[1-8]')
edit notes11_recurrences.csv "s/,$value,/,${value%?}$((${value#?????} + 1)),/"
compare 0
edit notes11_recurrences.csv "s/,$value,/,$(awk -v v="$value" 'BEGIN { printf "%.5g", 1.002 * v }'),/"
compare 1
grep -q "^notes11_recurrences.csv,.*,$value," moved || fail "a number of a curve: $(cat moved)"
cp a/notes11_recurrences.csv kept
edit notes11_recurrences.csv "s/,$value,/,${value%?}$((${value#?????} + 1)),/"
for directory in a b; do
    sed -i '/^# digits/d' $directory/notes11_recurrences.csv
done
compare 1
mv kept a/notes11_recurrences.csv

# A claim: whether a quantity passed, a word, a row more; those of other experiments are not asked for.
edit claims.csv '/^wm96-t1-q,/s/,yes,wm96_table1$/,no,wm96_table1/'
compare 1
grep -q '^claims.csv,.*,passed,yes,no,' moved || fail "a quantity that fails: $(cat moved)"
edit claims.csv '/^wm96-t1-q,/s/,within,/,about,/'
compare 1
edit claims.csv '$a wm96-t1-q,printed,x,1,2,,within,1,0,no,wm96_table1'
compare 1
grep -q '^claims.csv,wm96-t1-q,,missing,there' moved || fail "a row more: $(cat moved)"
edit claims.csv '$a wm96-f3,printed,x,1,2,,within,1,0,no,wm96_fig3'
compare 0

# A measured number may move by one unit of its last digit, or by the uncertainty in its row, the larger of both.
measured() { # measured STATUS FIRST SECOND UNCERTAINTY
    rm -rf b
    cp -r a b
    cp a/claims.csv kept
    sed "/^notes11-explicit,.*amplitude/s/,429[0-9.]*,[^,]*,/,$3,$4,/" kept >b/claims.csv
    sed "/^notes11-explicit,.*amplitude/s/,429[0-9.]*,[^,]*,/,$2,$4,/" kept >a/claims.csv
    grep -q ",$2,$4," a/claims.csv || fail "no row has the measured number $2"
    compare "$1"
    cp kept a/claims.csv
}
measured 0 429.4 429.5 ''
measured 1 429.4 429.6 ''
measured 0 429.4 429.6 0.2
measured 1 429.4 429.7 0.2
measured 1 429.4 nan 0.2

# Trusted digits: one unit of the last one, the coarser of both; a bound at one unit against zero.
trusted() { # trusted STATUS FIRST SECOND
    for i in a b; do
        [ "$i" = a ] && cell=$2 || cell=$3
        printf '# trusted digits: measured\n' >new
        grep -v '^#' a/notes11_limits.csv | awk -F, -v OFS=, -v cell="$cell" \
            'NR == 1 { $2 = "measured" } NR == 2 { $2 = cell } { print }' >>new
        cp new "$i.new"
    done
    rm -rf b c
    cp -r a b
    cp b.new b/notes11_limits.csv
    cp a/notes11_limits.csv kept
    cp a.new a/notes11_limits.csv
    compare "$1"
    cp kept a/notes11_limits.csv
}
trusted 0 1.234e-02 1.235e-02
trusted 1 1.234e-02 1.236e-02
trusted 0 1.2e-02 1.249e-02
trusted 0 1e-12 0
trusted 1 3e-12 1e-12
trusted 0 0.5000 0.5001
trusted 1 0.5000 0.5002
trusted 1 0.5000 nan
trusted 0 0.000 0.001
trusted 1 0.000 0.002

# Chaotic numbers: twice the sum of their spreads; the column of spreads itself may be missing on one side.
spread() { # spread STATUS FIRST SPREAD SECOND SPREAD ("none": no such column)
    rm -rf b
    cp -r a b
    cp a/notes11_limits.csv kept
    for i in a b; do
        [ "$i" = a ] && cell=$2 of=$3 || cell=$4 of=$5
        grep -v '^#' kept | awk -F, -v OFS=, -v cell="$cell" -v of="$of" \
            'NR == 1 { $2 = "measured" } NR == 2 { $2 = cell }
            of == "none" { print; next }
            { print $0, NR == 1 ? "measured_spread" : NR == 2 ? of : 0 }' >"$i/notes11_limits.csv"
    done
    compare "$1"
    cp kept a/notes11_limits.csv
}
spread 0 5 1 8 1
spread 1 5 1 10 1
spread 0 5 1 6.5 none
spread 1 5 none 6.5 none
spread 0 5 nan 600 1
spread 1 5 1 nan 1

# Pivoted numbers, whose uncertainties stand in the next row: twice their sum; a factor of ten for the uncertainties.
pivoted() { # pivoted STATUS FIRST UNCERTAINTY SECOND UNCERTAINTY
    rm -rf b
    cp -r a b
    cp a/notes11_limits.csv kept
    printf '# digits: 5\ncolumn,root\nvalue,%s\nuncertainty,%s\n' "$2" "$3" >a/notes11_limits.csv
    printf '# digits: 5\ncolumn,root\nvalue,%s\nuncertainty,%s\n' "$4" "$5" >b/notes11_limits.csv
    compare "$1"
    cp kept a/notes11_limits.csv
}
pivoted 0 5 1 8 1
pivoted 1 5 1 10 1
pivoted 0 5 1 5 9
pivoted 1 5 1 5 11

# Files that are damaged: a sentence that names the file, and status 1.
damaged() { # damaged MESSAGE FILE COMMAND: changes the copy of the file
    rm -rf b
    cp -r a b
    (file=b/$2 && eval "$3")
    compare 1
    [ "$(wc -l <err)" -eq 1 ] && grep -q "^stepbench: b/$2.*$1" err || fail "$3: $(cat err)"
}
table=wm96_table1.csv
for file in $table claims.csv; do
    damaged 'no header line' $file ': >$file'
    damaged 'cannot be read: Is a directory' $file 'rm $file; mkdir $file'
    damaged 'line [0-9]*: there is a NUL byte' $file 'printf "a\000\n" >>$file'
    damaged 'the row after line [0-9]* has 1 cells' $file 'printf "\377\n" >>$file'
    damaged 'a quote opened on line [0-9]* is not closed' $file 'printf \"a >>$file'
done
damaged 'two columns are named' $table 'sed -i "s/^\([a-z_]*\),[a-z_]*,/\1,\1,/" $file'
for digits in -400 0 18 x 1e999 nan '5 5'; do
    damaged "digits: $digits" $table "sed -i '1i # digits: $digits' \$file"
done
if [ "$(id -u)" -ne 0 ]; then
    damaged 'cannot be read: Permission denied' $table 'chmod 0 $file'
fi
edit $table 's/,h,/,step,/'
compare 1
grep -q "^$table,,columns," moved || fail "other columns: $(cat moved)"
for directory in a b; do # the same wrong columns in both
    cp a/claims.csv kept
    sed 's/^claim,/demand,/' kept >$directory.claims
done
rm -rf b
cp -r a b
mv a.claims a/claims.csv
mv b.claims b/claims.csv
compare 1
grep -q '^stepbench: a/claims.csv has no column claim' err || fail "claims without names: $(cat err)"
mv kept a/claims.csv
rm -rf b
echo >b # no directory
compare 1
grep -q '^stepbench: a and b differ in [0-9]* places; 0 quantities in 0 files' err || fail "no directory: $(cat err)"
rm b

status=0
"$STEPBENCH" bench wm96_table1 --compare nowhere --out nowhere2 2>err || status=$?
[ "$status" -eq 2 ] && grep -q 'nowhere and nowhere2 have no result in common' err ||
    fail "nothing to compare: $status $(cat err)"
status=0
"$STEPBENCH" bench --compare a --merge --out b 2>err || status=$?
[ "$status" -eq 2 ] || fail "two modes at a time: $status"
echo "results are compared within their tolerances"
