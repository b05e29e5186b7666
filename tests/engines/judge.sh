#!/bin/sh
# `judge` measures recorded runs: a stepper's own run has the numbers of its analyses; a fall in closed form, as poses of
# a body, has the errors of its formula, also with some of its steps only; --expect compares with earlier numbers, and
# --format junit is read by a parser of XML; mistakes are sentences.
. "$SOURCE_DIR/tests/prelude.sh"

# ---- The run of a stepper. ----
for n in 50 100 200; do
    "$STEPBENCH" run -p pendulum -s rattle --h 1/$n --t-end 4 --columns t,q0,q1,v0,v1,lambda0 -o r$n.csv
done
"$STEPBENCH" judge -p pendulum r50.csv r100.csv r200.csv --claim 2 -o judged.csv || fail "judge"
"$STEPBENCH" order -p pendulum -s rattle --h 1/50,1/100,1/200 --t-end 4 --columns h,err_q,measured,verdict -o order.csv
for n in 50 100 200; do
    error=$(awk -F, -v h=$n '$1 * h == 1 { print $2 }' order.csv)
    grep -q "^order,r$n.csv,error of q,$error," judged.csv || fail "the error at h = 1/$n is not $error: $(cat judged.csv)"
done
grep -q '^order,,order,\(1\.9[5-9]\|2\.0[0-4]\).*,as_claimed,fit$' judged.csv || fail "the order of RATTLE: $(cat judged.csv)"
"$STEPBENCH" drift -p pendulum -s rattle --h 1/100 --t-end 4 --columns quantity,max_dev -o drift.csv
grep -q "^drift,r100.csv,largest deviation of the energy,$(sed -n 's/^energy,//p' drift.csv)," judged.csv || fail "the energy"
grep -q '^constraints,r200.csv,violation of g,[0-9.]*e-1[5-7],,yes,ok' judged.csv || fail "the constraint: $(cat judged.csv)"
grep -q '^balance' judged.csv && fail "a balance without contacts"
"$STEPBENCH" run -p bouncing_ball -s moreau --h 1/100 --t-end 3 --columns t,q0,v0,lambda0 -o ball.csv
"$STEPBENCH" judge -p bouncing_ball ball.csv -o ball_judged.csv || fail "contacts"
"$STEPBENCH" complementarity -p bouncing_ball -s moreau --h 1/100 --t-end 3 --columns steps,penetration,product -o laws.csv
awk -F, '$1 == 300 { exit !($2 > 0 && $3 > 0) }' laws.csv || fail "the laws of the stepper"
penetration=$(awk -F, '$1 == 300 { print $2 }' laws.csv)
grep -q "^complementarity,ball.csv,penetration,$penetration," ball_judged.csv || fail "penetration: $(cat ball_judged.csv)"

# ---- A fall by symplectic Euler: y = 4 t - g h^2 n(n + 1)/2, so that the error of y is g h t/2. ----
cat >stone.json <<'J'
{"gravity": [0, -9.81], "bodies": {"stone": {"mass": 1, "inertia": 0.1, "velocity": [3, 4]}}}
J
fall() { # fall FILE H EVERY: poses after every so many steps, up to 1 s
    awk -v h="$2" -v every="$3" 'BEGIN {
        print "t,stone.x,stone.y,stone.angle,stone.vx,stone.vy,stone.w"
        for (n = 0; n <= 1 / h + 0.5; n += every)
            printf "%.12g,%.15g,%.15g,0,3,%.15g,0\n", n * h, 3 * n * h, 4 * n * h - 9.81 * h * h * n * (n + 1) / 2, 4 - 9.81 * n * h
    }' >"$1"
}
fall coarse.csv 0.1 1
fall fine.csv 0.05 1
fall finest.csv 0.0125 4
errors() { # errors FILE: the errors are g h/2 at the end, and the order is 1, all to round-off
    awk -F, '$3 == "error of q" { h = $2 == "coarse.csv" ? 0.1 : $2 == "fine.csv" ? 0.05 : 0.0125; ++n
                d = $4 - 9.81 * h / 2; bad = bad || d * d > 1e-22 }
             $3 == "order" { ++n; bad = bad || ($4 - 1) ^ 2 > 1e-18 } END { exit bad || n != 4 }' "$1"
}
"$STEPBENCH" judge -p mechanism:file=stone.json coarse.csv fine.csv finest.csv --h 0.1,0.05,0.0125 -o fall.csv 2>err ||
    fail "poses: $(cat err)"
errors fall.csv || fail "a fall: $(cat fall.csv)"
awk -F, 'NR == 1 { print $0 ",h"; next } { print $0 ",0.0125" }' finest.csv >with_h.csv && mv with_h.csv finest.csv
"$STEPBENCH" judge -p mechanism:file=stone.json coarse.csv fine.csv finest.csv -o fall.csv 2>err || fail "a column h: $(cat err)"
errors fall.csv || fail "steps in a column: $(cat fall.csv)"

# ---- The numbers of the last release. ----
judge() { "$STEPBENCH" judge -p pendulum r50.csv r100.csv r200.csv --claim 2 "$@"; }
expect() { # expect STATUS EDIT...: judge with --expect of the numbers, edited
    wanted=$1
    shift
    sed "$@" release.csv >edited.csv
    status=0
    judge --expect edited.csv -o again.csv 2>err || status=$?
    [ $status -eq "$wanted" ] || fail "$*: exit status $status and not $wanted: $(cat err again.csv)"
}
judge --digits 3 -o release.csv
expect 0 -e ''
expect 0 -e '/error of v/d' # lines may be missing
first=$(awk -F, '$3 == "error of q" { print $4; exit }' release.csv)
expect 3 -e "s/$first/$(echo "$first" | awk '{ print $1 * 1.05 }')/"
grep -q "^order,r50.csv,error of q,.*value was .* and is" again.csv || fail "what differs: $(cat again.csv)"
grep -q '1 of the [0-9]* rows of edited.csv differ or are missing' err || fail "how many differ: $(cat err)"
expect 3 -e 's/as_claimed/lower/'
expect 3 -e 's/r200.csv/r400.csv/'
grep -q '^order,r400.csv,error of q,,,,,the row is missing' again.csv || fail "a missing row: $(cat again.csv)"
expect 2 -e 's/,value,/,worth,/'
grep -q 'edited.csv has a column worth, and the rows have none' err || fail "an unknown column: $(cat err)"
tolerance=$(awk -v x="$first" 'BEGIN { print 0.1 * x }')
sed "s/$first/$(echo "$first" | awk '{ print $1 * 1.05 }')/; s/\$/,$tolerance/; s/status,$tolerance/status,value_tolerance/; /drift/d; /,order,/d" release.csv >loose.csv
judge --expect loose.csv -o again.csv 2>err || fail "a tolerance of its own: $(cat err loose.csv)"

judge --expect edited.csv --format junit >report.xml 2>err && fail "an unknown column"
sed 's/as_claimed/lower/' release.csv >edited.csv
judge --expect edited.csv --format junit -o report.xml 2>err && fail "a difference passes"
if command -v python3 >/dev/null; then
    python3 - <<'P' || fail "the report: $(cat report.xml)"
import xml.etree.ElementTree as tree
suite = tree.parse('report.xml').getroot()
cases = suite.findall('testcase')
failed = [c for c in cases if c.find('failure') is not None]
assert int(suite.get('tests')) == len(cases) > 10 and int(suite.get('failures')) == len(failed) == 1
assert failed[0].find('failure').get('message') == 'verdict was lower and is as_claimed'
P
fi
"$STEPBENCH" check pendulum --all --format junit >report.xml 2>err && grep -q 'failures="0"' report.xml || fail "a check as a report"

# ---- Mistakes. ----
wrong() { # wrong SENTENCE ARGUMENTS...
    sentence=$1
    shift
    "$STEPBENCH" judge "$@" >out 2>err && fail "$* is accepted"
    [ "$(grep -c . err)" -eq 1 ] && grep -q "$sentence" err || fail "$*: not \"$sentence\" but $(cat err)"
}
wrong 'judge takes -p PROBLEM and the files' -p pendulum
wrong '.*none.csv' -p pendulum none.csv
wrong 'r50.csv begins with q0 = 0.84.*and kepler with' -p kepler r50.csv
wrong 'r50.csv has no column q2, nor poses and twists' -p dsp r50.csv
wrong '[0-9]* steps, and there are 1 files' -p pendulum r50.csv --h 0.1,0.2
sed '7s/^0.06/0.07/' r50.csv >uneven.csv
wrong 'uneven.csv: sample [0-9]* is at t = 0.07 s, and with equal distances' -p pendulum uneven.csv
for start in 5 -5; do # other samples than those of the steps
    awk -F, -v start=$start 'BEGIN { OFS = "," } /^[0-9]/ { $1 += start } { print }' r50.csv >shifted.csv
    wrong "shifted.csv begins at t = $start s, and pendulum at 0 s" -p pendulum shifted.csv
done
sed '7s/,[^,]*/,0x1/' r50.csv >text.csv
wrong 'text.csv, sample [0-9]*: the cell of q0 is "0x1", which is no number' -p pendulum text.csv
sed 's/^t,q0,/t,q1,/' r50.csv >twice.csv
wrong 'twice.csv, line [0-9]*: two columns are named q1' -p pendulum twice.csv
sed '/^[0-9]/d' release.csv | grep -v '^order\|^drift\|^constr' >none.csv
wrong 'none.csv has no rows to compare with' -p pendulum r50.csv --expect none.csv
rm none.csv
wrong 'is no multiple of that' -p pendulum r50.csv r100.csv --h 0.02,0.03
