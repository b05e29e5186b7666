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
grep -q '^kepler & \$2.00\$ & \$2.00\$ & \$4.00\$' tutorial/orders.tex || fail "the table: $(cat tutorial/orders.tex)"
for name in my_midpoint my_shake; do
    grep -qh "^$name: [0-9]* checks passed" adding-a-stepper/part*.out || fail "$name does not pass its checks"
done
for name in adding-an-analysis adding-an-experiment; do
    page "$SOURCE_DIR/docs/$name.md"
done
for file in kinetic.c smith26_limit.c; do
    "$CC" -std=c11 -Wall -Wextra -Wno-unused-parameter -Wconversion -Wshadow -Werror -D_DEFAULT_SOURCE -I"$SOURCE_DIR" \
        -I"$SOURCE_DIR/include" -fsyntax-only "$file" || fail "$file does not compile"
done
echo "the documents hold"
