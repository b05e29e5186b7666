#!/bin/sh
# Figures: every command that has one draws it as SVG, PNG, PDF, TeX and text, with every pair in its legend and as many
# marks as rows; the script draws the same; bench --replot draws again what is there. The others refuse.
. "$SOURCE_DIR/tests/prelude.sh"
command -v gnuplot >/dev/null || exit 77
export TMPDIR="$SCRATCH/temporary" # other tests draw at the same time
mkdir "$TMPDIR"

while read -r name arguments; do
    # shellcheck disable=SC2086 # words of a command
    "$STEPBENCH" $name $arguments --plot "$name.svg" >out 2>err || fail "$name: $(cat err)"
    [ ! -s out ] && [ ! -s err ] || fail "$name --plot says: $(cat out err)"
    grep -q '^<svg\|<svg ' "$name.svg" && grep -q '</svg>' "$name.svg" || fail "$name.svg is no picture"
done <<'END'
run -p pendulum -p oscillator -s rattle --h 1/60 --t-end 2
order -p pendulum:theta0=1,l=2 -p pendulum:l=3 -s rattle -s shake --levels 3
workprec -p oscillator -s verlet -s rk4 --levels 3
drift -p oscillator -p kepler -s verlet -s rk4 --t-end 20
stability -s verlet -s rk4 --cells 4
modes -p thread:n=4
amplification -p oscillator -s verlet -s rk4 --h 1
END
for file in order workprec drift stability amplification; do
    for name in $(case $file in order) echo rattle shake ;; *) echo verlet rk4 ;; esac); do
        grep -q ">$name<" $file.svg || fail "$file.svg does not name $name"
    done
done
# A mechanism names its coordinates, and the axes have these names.
"$STEPBENCH" run -p "mechanism:file=$SOURCE_DIR/problems/mechanisms/box_incline.json" -s spook --h 1/100 --steps 9 \
    --plot named.svg >out 2>err || fail "a mechanism: $(cat err)"
name=$(sed -n 's/.*"\([a-z_]*\)": {"mass".*/\1/p' "$SOURCE_DIR/problems/mechanisms/box_incline.json" | head -1)
grep -q ">$name.x<" named.svg && grep -q ">$name.vx<" named.svg || fail "the axes: $(grep -o '>[^<]*<' named.svg)"
# Several problems: a panel for each, a curve in the legend for each stepper, and the problem at each quantity.
grep -q '>pendulum:l=3, error of v<' order.svg && [ "$(grep -c '>rattle<' order.svg)" -eq 1 ] ||
    fail "the panels of order.svg: $(grep -o '>[^<]*error of[^<]*<' order.svg)"
grep -q '>kepler Jz<' drift.svg && [ "$(grep -c '>rk4<' drift.svg)" -eq 1 ] ||
    fail "the labels of drift.svg: $(grep -o '>[a-z0-9_ ]*<' drift.svg)"
# RK4's map has two roots, Verlet's a third at zero, because its state holds the force: a mark each, and one each in the
# legend.
marks() { # the vertices of the paths with these markers, of which the first is there twice
    grep -o "url(#$1-[0-9a-f]*)' d='[^']*" amplification.svg |
        sed "s/.*d='//; s/\([mMlhv]\)/ \1 /g; s/-/ -/g" |
        awk '{ for (i = 1; i <= NF; i++) if ($i ~ /[a-zA-Z]/) c = $i; else n += c ~ /[hv]/ ? 1 : 0.5 } END { print n - NR }'
}
[ "$(marks gpPt6)" -eq 4 ] && [ "$(marks gpPt4)" -eq 3 ] || fail "roots: $(grep 'url' amplification.svg)"

# Two degrees of freedom have a section, whose title is whole.
"$STEPBENCH" run -p kepler -s verlet --t-end 20 --plot section.svg || fail "a section: status $?"
grep -q '>section q0 = 0, v0 &gt; 0</text>' section.svg || fail "the title of a section: $(grep section section.svg)"
"$STEPBENCH" run -p kepler -s verlet --t-end 1 --plot no_section.svg || fail "a section without points: status $?"
for file in run no_section; do grep -q 'section q0' $file.svg && fail "$file.svg has a section"; done

call="order -p oscillator -s verlet -s euler_explicit --levels 3"
for ending in png pdf tex; do
    # shellcheck disable=SC2086
    "$STEPBENCH" $call --plot=figure.$ending 2>err && [ ! -s err ] || fail "$ending: $(cat err)"
done
head -c 8 figure.png | od -An -tx1 | grep -q '89 50 4e 47' || fail "figure.png is no PNG"
head -c 5 figure.pdf | grep -q '%PDF-' || fail "figure.pdf is no PDF"
grep -q 'begin{picture}' figure.tex && grep -q 'euler\\_explicit' figure.tex ||
    fail "figure.tex: no name that TeX takes"
if command -v pdflatex >/dev/null && kpsewhich pict2e.sty >/dev/null 2>&1; then
    printf '%s\n' '\documentclass{article}\usepackage{amssymb,graphicx,pict2e,xcolor}' \
        '\begin{document}\input{figure.tex}\end{document}' >page.tex
    pdflatex -halt-on-error -interaction=nonstopmode page.tex >log 2>&1 || fail "TeX: $(grep -A3 '^!' log)"
fi
# shellcheck disable=SC2086
env -u DISPLAY -u WAYLAND_DISPLAY "$STEPBENCH" $call --plot >text 2>err || fail "text: $(cat err)"
grep -q 'error of q' text && awk 'length($0) > 80 { exit 1 }' text || fail "a figure as text: $(cat text)"

# Rows beside the figure, by -o and --format; the script and its data draw the same picture.
# shellcheck disable=SC2086
"$STEPBENCH" $call --plot both.svg --plot-script both.gp -o rows.csv --columns problem,h,err_q
[ "$(grep -v '^#' rows.csv | head -1)" = problem,h,err_q ] || fail "rows beside a figure: $(cat rows.csv)"
mv both.svg first.svg
gnuplot both.gp 2>err || fail "the script alone: $(cat err)"
texts() {
    sed 's/<title>[^<]*<\/title>//g' "$1" | tr '\n' ' ' | grep -o '<text.*</text>' |
        sed 's/<\/text>/\n/g; s/<[^>]*>//g' | tr -d ' \t' | grep .
}
texts first.svg >first.texts
grep -qx 'orders1,2' first.texts || fail "the lines of the claimed orders: $(cat first.texts)"
texts both.svg | cmp -s - first.texts || fail "the script draws another figure: $(texts both.svg | diff - first.texts)"
grep -q '^oscillator,verlet,' both.csv || fail "no data beside the script"

refused() { # refused PATTERN ARGUMENTS...
    pattern=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q -- "$pattern" err && [ ! -s out ] || fail "stepbench $*: status $status: $(cat err)"
}
refused 'energy has no figure; these have one: run, ' energy -p oscillator -s verlet --plot x.svg
refused 'has to end with .svg, .pdf, .png or .tex' order -p oscillator -s verlet --plot x.jpg
refused 'has to end with .gp' order -p oscillator -s verlet --plot-script x.txt
refused 'writes its data to x.csv, which -o names, too' order -p oscillator -s verlet --plot-script x.gp -o x.csv
refused 'has no option --plot' list steppers --plot
[ -z "$(ls "$TMPDIR")" ] || fail "temporary data stay: $(ls "$TMPDIR")"

# bench --replot: the same bytes from the files there, also of a figure with settings of its own.
"$STEPBENCH" bench wm96_fig3 --out results 2>err || fail "bench: $(cat err)"
cp results/wm96_fig3.svg before.svg
: >results/wm96_fig3.svg
"$STEPBENCH" bench wm96_fig3 --replot --out results 2>err || fail "replot: $(cat err)"
cmp results/wm96_fig3.svg before.svg || fail "replot draws another figure"
status=0
"$STEPBENCH" bench wm96_fig3 --replot --out nowhere 2>err || status=$?
[ $status -eq 1 ] && grep -q 'no figure' err || fail "replot without figures: exit status $status: $(cat err)"
# A script that names a column the table lacks draws nothing, and the figure that was there stays.
sed 's/^h,error,/h,err,/' results/wm96_fig3.csv >renamed && mv renamed results/wm96_fig3.csv
status=0
"$STEPBENCH" bench wm96_fig3 --replot --out results 2>err || status=$?
[ $status -eq 1 ] && grep -q 'wm96_fig3.gp: a table has no column with header "error"' err ||
    fail "a missing column: exit status $status: $(cat err)"
cmp results/wm96_fig3.svg before.svg || fail "the figure is overwritten by one without its points"
mkdir -p folder results
"$STEPBENCH" compare -s verlet -s rk4 -p oscillator --out folder --format csv >out 2>err || fail "compare: $(cat err)"
for file in folder/compare_work.*; do
    cp "$file" "results/work_precision.${file##*.}"
done
cp folder/compare_work.csv results/
sed 's/<!-- plot .*//' results/work_precision.svg >bare.svg
cp results/work_precision.svg before.svg
"$STEPBENCH" bench work_precision --replot --out results 2>err || fail "replot: $(cat err)"
cmp results/work_precision.svg before.svg || fail "replot draws another figure with settings"
cp bare.svg results/work_precision.svg
"$STEPBENCH" bench work_precision --replot --out results 2>err && fail "a figure without its settings is drawn"
echo "figures are drawn"
