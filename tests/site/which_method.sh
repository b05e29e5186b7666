#!/bin/sh
# The tables of docs/which-method.md are those that results/ gives: the steppers that no other one beats, for each
# class and error, in the order of their medians, with the median and the quartiles of their evaluations; and the
# largest errors of the energy over a long time, with their quartiles; and the errors of sweeps and substeps.
. "$SOURCE_DIR/tests/prelude.sh"

# The fields of a CSV file, between tabs.
fields() {
    grep -v '^#' "$1" | awk '{
        while (match($0, /"[^"]*"/)) {
            text = substr($0, RSTART + 1, RLENGTH - 2); gsub(/,/, ";", text)
            $0 = substr($0, 1, RSTART - 1) text substr($0, RSTART + RLENGTH)
        }
        gsub(/,/, "\t"); gsub(/;/, ","); print
    }'
}

fields "$SOURCE_DIR/results/ranking.csv" | awk -F '\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["class"] != class {
        class = $at["class"]; order[++n] = class; problem[class] = $at["problem"]
    }
    function count(name) { return $at[name] == "" ? "none" : sprintf("%.0f", $at[name]) }
    $at["place"] == 1 {
        bars = " " count("evaluations") " (" count("evaluations_q1") ", " count("evaluations_q3") ")"
        best[class, $at["error"]] = best[class, $at["error"]] (best[class, $at["error"]] == "" ? " " : "; ") \
            "`" $at["stepper"] "`" bars
    }
    END {
        print "| class | problem | 1e-2 | 1e-4 | 1e-6 | 1e-8 |"; print "|---|---|---|---|---|---|"
        for (k = 1; k <= n; k++) {
            line = "| " order[k] " | `" problem[order[k]] "` |"
            split("0.01 0.0001 1e-06 1e-08", error, " ")
            for (e = 1; e <= 4; e++) line = line (best[order[k], error[e]] == "" ? " none" : best[order[k], error[e]]) " |"
            print line
        }
    }' >expected
fields "$SOURCE_DIR/results/literature_long_energy.csv" | awk -F '\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["quantity"] == "energy" {
        n++; problem[n] = $at["problem"]; stepper[n] = "`" $at["stepper"] "`"; verdict[n] = $at["verdict"]
        low[n] = $at["max_dev_q1"] + 0; high[n] = $at["max_dev_q3"] + 0
        bars[n] = sprintf(" %.2g (%.2g, %.2g)", $at["max_dev"], low[n], high[n])
    }
    END {
        print "| problem | least error | drift | no drift |"; print "|---|---|---|---|"
        for (i = 1; i <= n; i++) {
            if (problem[i] == problem[i - 1]) continue
            best = drift = none = ""
            for (j = i; problem[j] == problem[i]; j++) {
                beaten = 0
                for (k = i; problem[k] == problem[i]; k++) beaten += high[k] < low[j]
                if (!beaten) best = best (best == "" ? " " : "; ") stepper[j] bars[j]
                if (verdict[j] == "drift") drift = drift " " stepper[j]
                if (verdict[j] == "none") none = none " " stepper[j]
            }
            print "| `" problem[i] "` |" best " |" (drift == "" ? " none seen" : drift) " |" (none == "" ? " undecided" : none) " |"
        }
    }' >>expected
fields "$SOURCE_DIR/results/literature_substeps.csv" | awk -F '\t' '
    NR == 1 {
        for (i = 1; i <= NF; i++) at[$i] = i
        print "| problem | method | 10 sweeps | 10 substeps | 20 sweeps | 20 substeps |"; print "|---|---|---|---|---|---|"
        next
    }
    {
        method = $at["stepper"]; n = method; gsub(/sweeps=1,/, "", n); gsub(/[^0-9]*$/, "", n); gsub(/.*[^0-9]/, "", n)
        kind = method ~ /^substeps/ ? "substeps" : "sweeps"
        if (kind == "sweeps") { match(method, /sweeps=[0-9]+/); n = substr(method, RSTART + 7, RLENGTH - 7) }
        base = method; sub(/^substeps\(/, "", base); sub(/[:)].*/, "", base)
        if (method ~ /start=warm/) base = base ":start=warm"
        key = $at["problem"] SUBSEP base
        if (!(key in seen)) { order[++count] = key; seen[key] }
        cell[key, n, kind] = $at["status"] == "unbounded" ? "unbounded" : \
            sprintf("%.2g (%.2g, %.2g)", $at["err_relative"], $at["err_relative_q1"], $at["err_relative_q3"])
    }
    END {
        for (i = 1; i <= count; i++) {
            split(order[i], part, SUBSEP)
            printf "| `%s` | `%s` |", part[1], part[2]
            for (n = 10; n <= 20; n += 10) printf " %s | %s |", cell[order[i], n, "sweeps"], cell[order[i], n, "substeps"]
            print ""
        }
    }' >>expected
grep '^|' "$SOURCE_DIR/docs/which-method.md" >tables || true
diff tables expected >difference || fail "docs/which-method.md has other tables than results/ gives: $(cat difference)"
