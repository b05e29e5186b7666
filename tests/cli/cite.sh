#!/bin/sh
# `cite` writes the entry of every paper to which a name refers, once, and nothing for a wrong name.
. "$SOURCE_DIR/tests/prelude.sh"

keys() { sed -n 's/^@[a-z]*{\(.*\),$/\1/p' "$1" | sort; }

# All steppers and problems: the keys of the column ref, which begin it or follow a semicolon.
# shellcheck disable=SC2046
"$STEPBENCH" cite $("$STEPBENCH" list steppers --names) $("$STEPBENCH" list problems --names) >all.bib ||
    fail "cite: status $?"
{
    echo stepbench
    for kind in steppers problems; do
        "$STEPBENCH" list $kind --json | sed -n 's/.*"ref": *"\([^"]*\)".*/\1/p'
    done | tr ';' '\n' | sed 's/^ *//; s/ .*//'
} | sort -u | grep . >expected
keys all.bib | cmp -s - expected || fail "other papers than list names: $(keys all.bib | diff - expected)"
[ "$(tr -cd '{' <all.bib | wc -c)" = "$(tr -cd '}' <all.bib | wc -c)" ] || fail "braces do not match"

"$STEPBENCH" cite 'suzuki4(rattle)' >compound.bib
[ "$(keys compound.bib | tr '\n' ' ')" = "$( (echo stepbench; "$STEPBENCH" show suzuki4 rattle | sed -n 's/^reference *//p' |
    tr ';' '\n' | sed 's/^ *//; s/ .*//') | sort -u | tr '\n' ' ')" ] || fail "a compound: $(keys compound.bib)"

# An experiment, a claim and a key of the bibliography.
for name in wm96_fig8 wm96-t1-q wm96; do
    "$STEPBENCH" cite "$name" >wm96.bib || fail "cite $name: status $?"
    [ "$(keys wm96.bib | tr '\n' ' ')" = 'stepbench wm96 ' ] || fail "cite $name: $(keys wm96.bib)"
done

"$STEPBENCH" cite wm96_fig8 wm96-t1-q literature_kepler wm96 >several.bib || fail "several names: status $?"
[ "$(keys several.bib | tr '\n' ' ')" = 'hlw06 stepbench wm96 ' ] || fail "several names: $(keys several.bib)"

status=0
"$STEPBENCH" cite rattle ratle >wrong.bib 2>err || status=$?
[ "$status" -eq 2 ] && [ ! -s wrong.bib ] && grep -q 'ratle.*nearest: rattle' err || fail "a wrong name: $status, $(cat err)"
