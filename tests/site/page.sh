#!/bin/sh
# results/index.html in a headless browser: thumbnails on the first screen, claims folded, filters in the address,
# tables and charts on demand, zoom, the falling ladder, reading aids, a phone's width. Without claims, papers and
# ladder the page has no sections of them; a study has the same page.
. "$SOURCE_DIR/tests/prelude.sh"

"$STEPBENCH" bench wm96_table1 wm96_fig3 wm96_order ladder_fall --out out 2>err || fail "bench: $(cat err)"
cp -r out again
"$STEPBENCH" bench wm96_table1 --out again 2>err || fail "bench: $(cat err)"
cmp out/index.html again/index.html || fail "the same results give another page"
for file in wm96_table1.csv wm96_fig3.csv ladder_fall.csv; do
    [ -s "out/site/$file.js" ] || fail "no data file for $file"
done
# With the files of every experiment: identifiers are unique, and every link within the page has its target.
cp -r "$SOURCE_DIR/results" all
"$STEPBENCH" bench wm96_table1 --out all 2>err || fail "bench: $(cat err)"
grep -q 'id="cards" ' all/index.html || fail "the page lacks an experiment whose file is there"
grep -o ' id="[^"]*"' all/index.html | sort >ids
[ -z "$(uniq -d ids)" ] || fail "on the page twice: $(uniq -d ids)"
grep -o 'href="#[^"]*"' all/index.html | sed 's/.*#\(.*\)"/ id="\1"/' | sort -u | comm -23 - ids >nowhere
[ ! -s nowhere ] || fail "links on the page go nowhere: $(cat nowhere)"
grep -q 'src="http' out/index.html && fail "the page asks the network"

# Sections are there if their files are.
"$STEPBENCH" bench defects --replot --out all 2>err || fail "replot: $(cat err)"
mkdir own
cp "$SOURCE_DIR"/results/lcp_random* own
"$STEPBENCH" bench lcp_random --replot --out own 2>err || fail "replot: $(cat err)"
cat >study.json <<'END'
{"title": "Orders & <more>", "problems": ["pendulum"], "steppers": ["shake"],
 "experiments": [{"name": "orders", "caption": "Errors.", "analysis": "order", "options": {"h": [0.02, 0.01, 0.005]},
   "tables": ["orders.tex"], "figures": ["orders.svg"]}]}
END
"$STEPBENCH" study study.json --out study 2>err || fail "study: $(cat err)"
sections() { # sections PAGE
    grep -o '<section id="[^"]*"' "$1/index.html" | sed 's/.*"\(.*\)"/\1/' | tr '\n' ' '
}
[ "$(sections own)" = "part-experiments " ] || fail "the sections of an experiment of none of the papers: $(sections own)"
[ "$(sections study)" = "part-experiments part-provenance " ] || fail "the sections of a study: $(sections study)"
[ "$(sections out)" = "part-claims of-wm96 part-experiments part-ladder part-provenance " ] ||
    fail "the sections of a paper: $(sections out)"
grep -q '<h1>Orders &amp; &lt;more&gt;</h1>' study/index.html || fail "the page of a study lacks its title"
for file in orders.svg orders.tex site/orders.csv.js; do
    [ -s "study/$file" ] || fail "the study lacks $file"
done
grep -q 'href="orders.tex"' study/index.html || fail "the page of a study does not link its table in LaTeX"
grep -Eq '^## (Claims|Sources|Tables)' own/README.md && fail "README.md has sections of papers without a file"

browser=""
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v "$name" || true)
done
if [ -z "$browser" ]; then
    echo "no Chromium here: the page was written, not opened"
    exit 77
fi

open_page() { # open_page WIDTH,HEIGHT ADDRESS
    "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$SCRATCH/profile" --virtual-time-budget=20000 --window-size="$1" --dump-dom \
        "file://$SCRATCH/out/$2" >dom.html 2>browser.log || fail "the browser: $(tail -3 browser.log)"
}
open_page 1200,900 'index.html?verdict=corrected'
grep -q ">$(grep -c ',corrected' out/verdicts.csv) claims, [0-9]* experiments*<" dom.html || fail "an address with a filter: $(grep filter-count dom.html)"
# A card draws the figures that are in it as data when their section is opened: a curve per stepper, in words as well.
"$STEPBENCH" card rk4 --against verlet -o card.html 2>err || fail "card: $(cat err)"
figures=$(grep -o '"colours":' card.html | wc -l)
sed 's|</body>|<script>document.querySelectorAll("details.figures").forEach((d) => { d.open = true; });</script></body>|' \
    card.html >out/card.html
open_page 1200,900 card.html
[ "$figures" -ge 2 ] && [ "$(grep -o '<svg [^>]*class="drawn"' dom.html | wc -l)" -eq "$figures" ] ||
    fail "a card draws other figures than the $figures that are in it"
[ "$(grep -o 'class="curve"' dom.html | wc -l)" -ge "$figures" ] || fail "figures of a card without curves"
cp "$SOURCE_DIR/tests/site/page.js" out/test.js
sed 's|</body>|<script src="test.js"></script></body>|' out/index.html >out/test.html
for size in 1200,900 500,900; do
    open_page $size test.html
    sed -n 's/.*<pre id="report">//; /^report:/,/^end of tests/p' dom.html >report
    grep -q '^end of tests' report || fail "the tests of the page did not end at $size: $(tail -5 report)"
    if grep '^FAIL' report; then
        fail "the page at $size"
    fi
    echo "$size: $(grep -c '^pass' report) facts"
done
