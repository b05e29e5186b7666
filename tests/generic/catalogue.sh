#!/bin/sh
# The committed catalogue lists every registered entry in one line, as the program does today.
. "$SOURCE_DIR/tests/prelude.sh"

sh "$SOURCE_DIR/tools/catalogue.sh" >catalogue.md
names=$("$STEPBENCH" list --names | wc -l)
rows=$(grep -c '^| ' catalogue.md)
headings=$(grep -c '^## ' catalogue.md)
[ "$names" -gt 20 ] && [ "$rows" -eq $((names + 2 * headings)) ] ||
    fail "$names entries, $rows rows in $headings tables"
cmp -s catalogue.md "$SOURCE_DIR/docs/catalogue.md" ||
    fail "docs/catalogue.md is out of date, \`make docs\` rewrites it: \
$(diff "$SOURCE_DIR/docs/catalogue.md" catalogue.md | head -n 20)"
"$STEPBENCH" list --names | xargs "$STEPBENCH" show >shown || fail "an entry cannot be shown"
echo "the catalogue is up to date"
