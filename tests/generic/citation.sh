#!/bin/sh
# CITATION.cff has what version 1.2.0 of the format requires, and says what is so: this version, this licence, papers of
# docs/references.bib.
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
grep -qx "version: $("$STEPBENCH" --version | sed 's/^stepbench //')" "$file" ||
    fail "another version than $("$STEPBENCH" --version)"
grep -qx 'license: GPL-3.0-or-later' "$file" && grep -q 'GNU GENERAL PUBLIC LICENSE' "$SOURCE_DIR/LICENSE" ||
    fail "licence"

# The format's schema knows no keys but its own; these are those of its keys that are at home here, by how far they are
# indented: of the work, of a list's item, of an
# author or an institution.
awk '
    function list(depth, words,   i, n, w) { n = split(words, w, " "); for (i = 1; i <= n; i++) known[depth, w[i]] = 1 }
    BEGIN { list(0, "cff-version message title type version license authors keywords references " \
                    "date-released doi url repository-code abstract")
            list(4, "name family-names given-names affiliation orcid type title authors institution year " \
                    "month number journal volume start end doi url publisher")
            list(6, "name"); list(8, "family-names given-names name orcid affiliation") }
    /^ *(- )?[a-z-]+:/ { match($0, /^ *(- )?/); depth = RLENGTH; key = substr($0, depth + 1); sub(/:.*/, "", key); n++
                         if (!((depth, key) in known)) { print "unknown key: " key; bad = 1 } }
    END { exit bad || n < 20 }' "$file" >&2 || fail "a key is not of the format"
sed -n 's/^date-released: *//p' "$file" | grep -vqE "^['\"]?[0-9]{4}-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])['\"]?$" &&
    fail "date-released is no date"
! grep -qE '^ *year: *[^0-9 ]' "$file" || fail "a year is a whole number"

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
names = {"name", "alias", "family-names", "given-names"}
assert all(isinstance(p, dict) and names & set(p) for p in people), people
types = ("report", "generic", "article", "book")
for r in data["references"]:
    assert isinstance(r["title"], str) and r["type"] in types and isinstance(r["year"], int), r
END
fi
echo "the citation holds"
