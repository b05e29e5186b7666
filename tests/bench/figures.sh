#!/bin/sh
# A figure made smaller by svg.awk shows what gnuplot drew: the same vertices to 0.1 pixels, the same marks at the same
# places, the same texts.
. "$SOURCE_DIR/tests/prelude.sh"
command -v gnuplot >/dev/null || exit 77

cat >plot.gp <<'END'
set terminal svg size 1000,650 dynamic enhanced font 'Helvetica,17'
set output 'drawn.svg'
unset key
set logscale y
set format y '10^{%L}'
set xlabel 'h < 1, less'
set title 'not_enhanced' noenhanced
set xrange [-3:3]
set samples 13
plot exp(x) with lines lc rgb '#0072b2' lw 2, '-' with points pt 7
-2 0.1
0 3
2 10
e
END
gnuplot plot.gp
awk -f "$SOURCE_DIR/bench/experiments/general/svg.awk" drawn.svg >smaller.svg
[ "$(wc -c <smaller.svg)" -lt "$(($(wc -c <drawn.svg) / 2))" ] || fail "$(wc -c drawn.svg smaller.svg)"

# The vertices of the blue line, absolute, one per line.
tr '\n' ' ' <drawn.svg | grep -o "stroke='rgb( *0, 114, 178)' *d='[^']*" | sed "s/.*d='//" |
    grep -oE '[0-9.]+,[0-9.]+' | tr , ' ' >drawn.points
[ "$(wc -l <drawn.points)" -eq 13 ] || fail "gnuplot drew $(wc -l <drawn.points) vertices"
grep -o "stroke='#0072b2' stroke-width='2.00' d='[^']*" smaller.svg | sed "s/.*d='//; s/\([mMlhv]\)/ \1 /g; s/-/ -/g" |
    awk '
    { for (i = 1; i <= NF; i++)
        if ($i ~ /[a-zA-Z]/) { c = $i; k = 0 }
        else if (c == "h") { x += $i; print x, y }
        else if (c == "v") { y += $i; print x, y }
        else if (k++ % 2 == 0) dx = $i
        else { x += dx; y += $i; print x, y } }' >smaller.points
paste -d ' ' drawn.points smaller.points |
    awk '{ if (NF != 4 || ($1 - $3)^2 + ($2 - $4)^2 > 0.01) { print; bad = 1 } } END { exit bad }' ||
        fail "vertices moved"

# Marks: x and y times the scale of their group.
grep -o "translate([0-9.,]*) scale([0-9.]*)" drawn.svg | tr -c '0-9.\n' ' ' |
    awk '{ printf "%.1f %.1f\n", $1, $2 }' >drawn.marks
grep -o "scale([0-9.]*)'>.*" smaller.svg | tr '<' '\n' |
    awk -F"[()']" '/^scale/ { s = $2 } /^use/ { printf "%.1f %.1f\n", s * $4, s * $6 }' >smaller.marks
[ "$(wc -l <drawn.marks)" -eq 3 ] && paste -d ' ' drawn.marks smaller.marks |
    awk '{ if (NF != 4 || ($1 - $3)^2 + ($2 - $4)^2 > 0.05) { print; bad = 1 } } END { exit bad }' ||
        fail "marks moved: $(cat drawn.marks smaller.marks)"

texts() { # the characters of each text
    tr '\n' ' ' <"$1" | sed 's/<title>[^<]*<\/title>//g' | grep -o '<text.*</text>' | sed 's/<\/text>/\n/g' |
        sed 's/<[^>]*>//g; s/[ \t]//g' | grep .
}
texts drawn.svg >drawn.texts
texts smaller.svg | cmp -s - drawn.texts || fail "texts differ: $(texts smaller.svg | diff - drawn.texts)"
grep -q 'h&lt;1,less' drawn.texts && grep -q '^not_enhanced$' drawn.texts || fail "no label: $(cat drawn.texts)"
echo "a smaller figure shows the same"
