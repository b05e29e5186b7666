#!/bin/sh
# CITATION.cff has what version 1.2.0 of the format requires, and says what is so: this version, this licence, papers of docs/references.bib.
set -eu

file=$SOURCE_DIR/CITATION.cff
fail() {
    echo "FAIL: CITATION.cff: $*" >&2
    exit 1
}

# At the top: authors, cff-version, message, title; each with a value, or a list below it.
for key in cff-version message title type version license; do
    [ "$(grep -c "^$key: *[^ ]" "$file")" -eq 1 ] || fail "$key is missing or comes twice"
done
grep -qx 'cff-version: 1.2.0' "$file" && grep -qx 'type: software' "$file" || fail "format or type"
sed -n '/^authors:$/,/^[a-z]/p' "$file" | grep -qE '^  - (name|family-names|given-names|alias): ' || fail "no authors"
grep -qx "version: $("$STEPBENCH" --version | sed 's/^stepbench //')" "$file" || fail "another version than $("$STEPBENCH" --version)"
grep -qx 'license: GPL-3.0-or-later' "$file" && grep -q 'GNU GENERAL PUBLIC LICENSE' "$SOURCE_DIR/LICENSE" || fail "licence"

# A reference has a type, a title and authors; title and year are those of the bibliography.
awk '/^references:/ { inside = 1; next } !inside || /^#/ { next }
     /^  - type: / { if (n++ && (!title || !authors)) bad = n; title = authors = 0 }
     /^    title: / { title = 1 } /^    authors:$/ { authors = 1 }
     END { exit bad || n < 4 || !title || !authors }' "$file" || fail "a reference lacks its title or its authors"
sed -n 's/^    title: "\(.*\)"$/\1/p' "$file" | while read -r title; do
    grep -qF "{$title}" "$SOURCE_DIR/docs/references.bib" || fail "\"$title\" is not in docs/references.bib"
done

# Where Python has a YAML reader, it reads.
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - "$file" <<'END' || fail "it is no YAML, or not of the format's shape"
import sys, yaml
data = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))
people = [p for r in [data] + data["references"] for p in r["authors"]]
assert all(isinstance(p, dict) and ({"name", "alias"} & set(p) or {"family-names", "given-names"} & set(p)) for p in people), people
assert all(isinstance(r["title"], str) and r["type"] in ("report", "generic", "article", "book") and isinstance(r["year"], int) for r in data["references"])
END
fi
echo "the citation holds"
