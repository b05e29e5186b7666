#!/bin/sh
# `make site`: every document becomes a page, and Sphinx has no warning: each link has its target.
. "$SOURCE_DIR/tests/prelude.sh"

command -v sphinx-build >/dev/null && /usr/bin/python3 -c 'import myst_parser' 2>/dev/null || exit 77
sh "$SOURCE_DIR/tools/site.sh" site >log 2>&1 || fail "$(cat log)"
for page in docs/README docs/commands CHANGELOG CONTRIBUTING README results/README results/claims; do
    [ -s "site/$page.html" ] || fail "the site lacks $page"
done
for page in "$SOURCE_DIR"/docs/*.md; do
    name=$(basename "$page" .md)
    [ -s "site/docs/$name.html" ] || fail "the site lacks docs/$name"
    [ "$name" = README ] || grep -q "href=\"$name.html\"" site/docs/README.html || fail "the contents lack docs/$name"
done
grep -q '<h2>order' site/docs/commands.html || fail "the help of the commands lacks order"
[ -s site/searchindex.js ] || fail "the site has no search"
[ ! -e site.source ] || fail "the copy of the sources is left behind"
