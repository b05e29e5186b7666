#!/bin/sh
# results/index.html in a headless browser: filters, tables and charts on demand, zoom, the falling ladder, reading
# aids, a phone's width.
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
grep -q '<article id="cards">' all/index.html || fail "the page lacks an experiment whose file is there"
grep -o ' id="[^"]*"' all/index.html | sort >ids
[ -z "$(uniq -d ids)" ] || fail "on the page twice: $(uniq -d ids)"
grep -o 'href="#[^"]*"' all/index.html | sed 's/.*#\(.*\)"/ id="\1"/' | sort -u | comm -23 - ids >nowhere
[ ! -s nowhere ] || fail "links on the page go nowhere: $(cat nowhere)"
grep -q 'src="http' out/index.html && fail "the page asks the network"

browser=""
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v "$name" || true)
done
if [ -z "$browser" ]; then
    echo "no Chromium here: the page was written, not opened"
    exit 77
fi

cp "$SOURCE_DIR/tests/site/page.js" out/test.js
sed 's|</body>|<script src="test.js"></script></body>|' out/index.html >out/test.html
for size in 1200,900 500,900; do
    "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$SCRATCH/profile" --virtual-time-budget=20000 --window-size=$size --dump-dom \
            "file://$SCRATCH/out/test.html" >dom.html 2>browser.log ||
        fail "the browser: $(tail -3 browser.log)"
    sed -n 's/.*<pre id="told">//; /^told:/,/^end of tests/p' dom.html >told
    grep -q '^end of tests' told || fail "the tests of the page did not end at $size: $(tail -5 told)"
    if grep '^FAIL' told; then
        fail "the page at $size"
    fi
    echo "$size: $(grep -c '^pass' told) facts"
done
