#!/bin/sh
# A figure made smaller by svg.awk shows what gnuplot drew: the same curve to 0.25 pixels, the same marks at the same
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
set samples 200
plot exp(x) + 2*sin(5*x)**2 with lines lc rgb '#0072b2' lw 2, '-' with points pt 7
-2 0.1
0 3
2 10
e
END
gnuplot plot.gp
awk -f "$SOURCE_DIR/bench/experiments/general/svg.awk" drawn.svg >smaller.svg
[ "$(wc -c <smaller.svg)" -lt "$(($(wc -c <drawn.svg) / 2))" ] || fail "$(wc -c drawn.svg smaller.svg)"

vertices() { # absolute, one per line, of relative path data
    awk '
    { for (i = 1; i <= NF; i++)
        if ($i ~ /[a-zA-Z]/) { c = $i; k = 0 }
        else if (c == "h") { x += $i; print x, y }
        else if (c == "v") { y += $i; print x, y }
        else if (k++ % 2 == 0) dx = $i
        else { x += dx; y += $i; print x, y } }'
}

# The vertices of the blue line.
tr '\n' ' ' <drawn.svg | grep -o "stroke='rgb( *0, 114, 178)' *d='[^']*" | sed "s/.*d='//" |
    grep -oE '[0-9.]+,[0-9.]+' | tr , ' ' >drawn.points
[ "$(wc -l <drawn.points)" -eq 200 ] || fail "gnuplot drew $(wc -l <drawn.points) vertices"
grep -o "stroke='#0072b2' stroke-width='2.00' d='[^']*" smaller.svg | sed "s/.*d='//; s/\([mMlhv]\)/ \1 /g; s/-/ -/g" |
    vertices >smaller.points
# Rounding moves a vertex by up to 0.07 pixels, and 0.15 are the tolerance of those that are left out.
awk '
function distance(x, y, k,    dx, dy, s) { # of a point from the line between two vertices of the smaller figure
    dx = X[k + 1] - X[k]; dy = Y[k + 1] - Y[k]
    s = ((x - X[k]) * dx + (y - Y[k]) * dy) / (dx * dx + dy * dy)
    s = s < 0 ? 0 : s > 1 ? 1 : s
    return sqrt((x - X[k] - s * dx) ^ 2 + (y - Y[k] - s * dy) ^ 2)
}
NR == FNR { X[++n] = $1; Y[n] = $2; next }
{
    least = 1e9
    for (k = 1; k < n; k++) if ((d = distance($1, $2, k)) < least) least = d
    if (!(least <= 0.25)) { print "not on the curve:", $0, least; bad = 1 }
    for (k = 1; k <= n; k++) if (($1 - X[k]) ^ 2 + ($2 - Y[k]) ^ 2 <= 0.02) there[k] = 1
}
END {
    for (k = 1; k <= n; k++) if (!there[k]) { print "no vertex of gnuplot:", X[k], Y[k]; bad = 1 }
    if (n < 50 || n > 190) { print "vertices:", n; bad = 1 }
    exit bad
}' smaller.points drawn.points || fail "the curve moved"

# Marks: the vertices of a path with markers, whose size is the scale of gnuplot's.
grep -o "translate([0-9.,]*) scale([0-9.]*)" drawn.svg | tr -c '0-9.\n' ' ' >drawn.marks
grep -o "stroke-width='[0-9.]*' style='marker:url(#gpPt6-[0-9a-f]*)' d='[^']*" smaller.svg |
    sed "s/.*width='\([0-9.]*\)'.*d='/\1 /" >path
sed "s/^[0-9.]* //; s/\([mMlhv]\)/ \1 /g; s/-/ -/g" path | vertices | awk -v s="$(cut -d ' ' -f 1 path)" '
    $0 != last { print $0, s } { last = $0 }' >smaller.marks
[ "$(wc -l <drawn.marks)" -eq 3 ] && paste -d ' ' drawn.marks smaller.marks |
    awk '{ if (NF != 6 || ($1 - $4)^2 + ($2 - $5)^2 > 0.01 || $3 != $6) { print; bad = 1 } } END { exit bad }' ||
        fail "marks moved: $(cat drawn.marks smaller.marks)"
grep -q "<marker id='gpPt6-[0-9a-f]*' overflow='visible'.*'#gpPt6'" smaller.svg || fail "no definition of the mark"

texts() { # the characters of each text
    tr '\n' ' ' <"$1" | sed 's/<title>[^<]*<\/title>//g' | grep -o '<text.*</text>' | sed 's/<\/text>/\n/g' |
        sed 's/<[^>]*>//g; s/[ \t]//g' | grep .
}
texts drawn.svg >drawn.texts
texts smaller.svg | cmp -s - drawn.texts || fail "texts differ: $(texts smaller.svg | diff - drawn.texts)"
grep -q 'h&lt;1,less' drawn.texts && grep -q '^not_enhanced$' drawn.texts || fail "no label: $(cat drawn.texts)"
echo "a smaller figure shows the same"
