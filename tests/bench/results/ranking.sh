#!/bin/sh
# The places of ranking.csv: a stepper that is better than another has the smaller quartiles, so that no place exceeds
# 1 plus the number of steppers with smaller ones; the best ones have place 1; the steppers stand in the order of their
# places. What follows from theory: at a tenth of the error a stepper needs no fewer evaluations, and the second order
# of verlet and rattle does not reach 1e-8 where a method of order eight does.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"

check() { # of a file
    # A text between quotation marks may have commas.
    awk -F, '/^#/ { next }
        { while (match($0, /"[^"]*"/)) {
            text = substr($0, RSTART + 1, RLENGTH - 2); gsub(/,/, ";", text)
            $0 = substr($0, 1, RSTART - 1) text substr($0, RSTART + RLENGTH) } }
        !header++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        function number(name) { return $at[name] == "" ? 1e300 : $at[name] + 0 }
        function say(what) { print $0 ": " what; bad = 1 }
        function finish(  i, j, smaller) { # the rows of one problem and error
            for (i = 1; i <= n; i++) {
                for (j = smaller = 0; j <= n; j++) {
                    smaller += j > 0 && j != i && q1[j] <= q1[i] && q2[j] <= q2[i] && q3[j] <= q3[i]
                }
                if (place[i] != "" && place[i] > smaller + 1) { print group ": " name[i] " has place " place[i]; bad = 1 }
            }
            if (n > 0 && place[1] != "" && place[1] != 1) { print group ": nobody is first"; bad = 1 }
            n = 0
        }
        $at["problem"] "," $at["error"] != group { finish(); group = $at["problem"] "," $at["error"] }
        {
            n++; name[n] = $at["stepper"]; place[n] = $at["place"]
            q1[n] = number("evaluations_q1"); q2[n] = number("evaluations"); q3[n] = number("evaluations_q3")
            if (!(q1[n] <= q2[n] && q2[n] <= q3[n])) say("quartiles out of order")
            if (!(q1[n] > 0)) say("an error without an evaluation")
            if ((place[n] == "") != (q2[n] == 1e300) || (q2[n] == 1e300) != ($at["failed"] > 0.5)) say("share of failures")
            if (n > 1 && place[n] != "" && (place[n - 1] == "" || place[n] < place[n - 1])) say("places out of order")
            key = $at["problem"] "," name[n]
            if (key in before && q2[n] < before[key]) say("fewer evaluations for a smaller error")
            before[key] = q2[n]
            if ((name[n] == "verlet" || name[n] == "rattle") && $at["error"] == "1e-08" && place[n] != "") say("order 2")
            rows++
        }
        END { finish(); if (rows < 100) { print rows " rows"; bad = 1 }; exit bad }' "$1"
}
check "$RESULTS/out/ranking.csv" >wrong || fail "ranking.csv: $(cat wrong)"

# Every method of `splitting` is ranked, for each error on each of the five separable problems.
"$STEPBENCH" complete -- order -s splitting:method= | sort >methods
[ "$(wc -l <methods)" -ge 30 ] || fail "methods of splitting: $(cat methods)"
while read -r method; do
    rows=$(grep -c ",$method," "$RESULTS/out/ranking.csv" || true)
    [ "$rows" = 20 ] || fail "ranking.csv has $rows rows of $method in place of 20"
done <methods
