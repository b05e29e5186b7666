#!/bin/sh
# The documents hold: links, headings and named files exist, the index names every page, and the files and commands of
# the pages work.
. "$SOURCE_DIR/tests/prelude.sh"

# ---- Links, headings and files. ----
# The headings of a page as the targets of links: lower case, without punctuation, joined by hyphens.
headings() { # headings FILE
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
        sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}
for file in README.md CONTRIBUTING.md $(cd "$SOURCE_DIR" && echo docs/*.md); do
    page=$SOURCE_DIR/$file
    folder=$(dirname "$page")
    grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | grep -v '://' | while IFS='#' read -r link heading; do
        target=$folder/$link
        [ -n "$link" ] || target=$page
        [ -e "$target" ] || fail "$file: $link leads nowhere"
        [ -z "$heading" ] || headings "$target" | grep -qxF -e "$heading" || fail "$file: $link has no heading #$heading"
    done
    # Paths in backquotes that begin with a directory of the tree; capitals stand for a name.
    grep -oE '`(analysis|bench|cmake|core|docs|include|integrators|problems|python|quad|tests|tools)/[a-z0-9_./-]*`' \
        "$page" | tr -d '`' | while read -r name; do
        [ -e "$SOURCE_DIR/$name" ] || fail "$file: there is no $name"
    done
    case $file in
    docs/README.md | README.md | CONTRIBUTING.md) ;;
    *) grep -qF "](${file#docs/})" "$SOURCE_DIR/docs/README.md" || fail "docs/README.md does not name $file" ;;
    esac
done

# ---- Files and commands. ----
PATH=$(dirname "$STEPBENCH"):$PATH
export PATH
# Under the sanitizers the tutorial's card takes a minute; README.md has another one.
slow='^$'
[ "${SB_SANITIZE:-OFF}" != ON ] || slow='stepbench card'
for name in tutorial adding-a-stepper; do
    mkdir "$name"
    (
        cd "$name"
        page "$SOURCE_DIR/docs/$name.md"
        [ -f part2.sh ] || fail "docs/$name.md has too few commands"
        for part in part*.sh; do
            grep -vE "$slow" "$part" >run.sh
            sh -e run.sh >"$part.out" 2>&1 || fail "docs/$name.md, $(cat "$part"): $(cat "$part.out")"
        done
    )
done
grep -q '^drift_kick_drift: [0-9]* checks passed' tutorial/part*.out || fail "the tutorial's method does not pass"
grep -q ',reversibility,failed,' tutorial/part*.out || fail "the tutorial's wrong method passes"
grep -q ',failed,.*,as for check\.' tutorial/part*.out || fail "check repeats a sentence on every system"
# Slopes of 2 and 4 to one in forty, with their standard errors: 1.9998(5).
grep -Eq '^kepler & \$(1\.9|2\.0)[0-9]*\([0-9]+\)\$ & \$(1\.9|2\.0)[0-9]*\([0-9]+\)\$ & \$(3\.9|4\.0)[0-9]*\([0-9]+\)\$ ' tutorial/orders.tex ||
    fail "the table: $(cat tutorial/orders.tex)"
for name in my_midpoint ab2 my_shake; do
    grep -qh "^$name: [0-9]* checks passed" adding-a-stepper/part*.out || fail "$name does not pass its checks"
done
for name in adding-an-analysis adding-an-experiment; do
    page "$SOURCE_DIR/docs/$name.md"
done
for file in kinetic.c smith26_limit.c; do
    "$CC" -std=c11 -Wall -Wextra -Wno-unused-parameter -Wconversion -Wshadow -Werror -D_DEFAULT_SOURCE -I"$SOURCE_DIR" \
        -I"$SOURCE_DIR/include" -fsyntax-only "$file" || fail "$file does not compile"
done
# Out of the tree as the pages say. At pericentre kepler's T = (1 + e)/(1 - e)/2 = 3/2; Verlet's limit is h omega = 2.
stepbench --plugin kinetic.c kinetic -p kepler -s verlet -o kinetic.csv || fail "the page's analysis does not run"
awk -F, '/^kepler/ { found = $5 > 1.499 && $5 < 1.501 } END { exit !found }' kinetic.csv ||
    fail "the page's analysis: $(cat kinetic.csv)"
status=0
stepbench --plugin smith26_limit.c bench smith26_limit --out trial 2>err || status=$?
[ $status -eq 2 ] && grep -q 'the experiment smith26_limit has no row in an experiments.csv' err ||
    fail "an experiment without a row: status $status: $(cat err)"
sed -n '/^experiment,reference/,/^smith26_limit,/p' "$SOURCE_DIR/docs/adding-an-experiment.md" >experiments.csv
status=0
stepbench --plugin smith26_limit.c bench smith26_limit --out trial 2>err || status=$?
[ $status -ne 0 ] && grep -q 'it measured smith26-limit/verlet, which is no id in a quantities.csv' err ||
    fail "a quantity without a row: status $status: $(cat err)"
# The rows of the page, without the indentation of its list.
sed -n 's/^   \(id,experiment,form.*\|smith26-limit\/.*\)/\1/p' "$SOURCE_DIR/docs/adding-an-experiment.md" >quantities.csv
status=0
stepbench --plugin smith26_limit.c bench smith26_limit --out trial 2>err || status=$?
[ $status -eq 2 ] && grep -q 'nor a claims.csv beside a plug-in' err || fail "an unknown claim: status $status: $(cat err)"
{
    head -1 "$SOURCE_DIR/bench/claims.csv"
    echo 'smith26-limit,(7),table,Steps are stable up to h omega = 2,2,'
} >claims.csv
stepbench --plugin smith26_limit.c bench smith26_limit --out trial 2>err || fail "the page's experiment: $(cat err)"
awk -F, '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "h_limit") at = i; next }
    { found = $at > 1.999 && $at < 2.001 } END { exit !found }' trial/smith26_limit.csv ||
    fail "the page's experiment: $(cat trial/smith26_limit.csv)"
grep -q '^smith26-limit,reproduced,' trial/verdicts.csv || fail "no verdict: $(grep smith trial/verdicts.csv)"
echo "the documents hold"
