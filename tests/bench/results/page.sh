#!/bin/sh
# The pages of results show every claim and link only what is there, README.md only what is committed.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"

cd "$RESULTS/out"
pinned >"$SCRATCH/pinned"
while IFS=, read -r id verdict; do
    grep -q -e "^- \`$id\` \*\*$verdict\*\*" -e "^- \`$id\` \*\*\(holds\|does not hold\)\*\*" claims.md ||
        fail "claims.md does not show $id as $verdict"
done <"$SCRATCH/pinned"
{
    grep -oh '](\([^)#]*\))' README.md claims.md | sed 's/](\(.*\))/\1/'
    grep -Eo '(href|src|data-file)="[^"#:]*"' index.html | sed 's/^[a-z-]*="\(.*\)"$/\1/'
} | sort -u | while read -r link; do
    [ -e "$link" ] || echo "$link"
done >"$SCRATCH/broken"
[ ! -s "$SCRATCH/broken" ] || fail \
    "README.md or index.html link files that are not there: $(tr '\n' ' ' <"$SCRATCH/broken")"
! grep -o '](.*[.]png)' README.md || fail "README.md is committed and links pictures that are not"
