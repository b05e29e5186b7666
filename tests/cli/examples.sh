#!/bin/sh
# Every help page has an example, the same as the manual page, and it runs.
. "$SOURCE_DIR/tests/prelude.sh"

"$STEPBENCH" man | sed 's/\\-/-/g' >man
{
    "$STEPBENCH" list analyses --names
    "$STEPBENCH" help | sed -n '/^commands$/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p'
} >names
[ "$(wc -l <names)" -ge 25 ] || fail "commands: $(cat names)"
cp "$SOURCE_DIR/docs/pendulums.json" .
while read -r name; do
    example=$("$STEPBENCH" help "$name" | sed -n '/^example$/{n;s/^  stepbench //p}')
    [ -n "$example" ] || fail "help $name has no example"
    grep -qxF "stepbench $example" man || fail "the manual page lacks the example of $name"
    if [ "$name" = card ]; then # which takes long: its own test runs it
        grep -qF "\"\$STEPBENCH\" $example" "$SOURCE_DIR/tests/cli/card.sh" || fail "card: no test runs $example"
        continue
    fi
    case $name in reference | roundoff) [ -x "$(dirname "$STEPBENCH")/stepbench_quad" ] || continue ;; esac
    case $name in judge | import) continue ;; esac # they read files: tests/engines/judge.sh, tests/import
    set -f
    # shellcheck disable=SC2086 # words of a command
    "$STEPBENCH" $example >out 2>err </dev/null || fail "$example: $(cat err)"
    set +f
    [ -s out ] || [ -s err ] || case $example in *.svg | *.html) [ -s "${example##* }" ] ;; *) false ;; esac ||
        fail "$example writes nothing"
done <names
echo "examples run"
