#!/bin/sh
# The committed catalogue is what the registry says today, and every entry in it has been shown.
set -eu
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
cd "$SCRATCH"
sh "$SOURCE_DIR/tools/catalogue.sh" >catalogue.md
names=$("$STEPBENCH" list --names | wc -l)
shown=$(grep -c '^### ' catalogue.md)
[ "$names" -gt 20 ] && [ "$names" -eq "$shown" ] || { echo "FAIL: $names entries, $shown shown" >&2; exit 1; }
if ! cmp -s catalogue.md "$SOURCE_DIR/docs/catalogue.md"; then
    echo "FAIL: docs/catalogue.md is out of date; \`make docs\` rewrites it" >&2
    diff "$SOURCE_DIR/docs/catalogue.md" catalogue.md | head -n 20 >&2
    exit 1
fi
echo "the catalogue is up to date"
