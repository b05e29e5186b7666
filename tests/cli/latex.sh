#!/bin/sh
# LaTeX tables of runs and analyses compile as they are, with the package their first line names, and fit on a page of
# the class article at 10 pt.
. "$SOURCE_DIR/tests/prelude.sh"

{
    # The text is as wide as in article by default, and as high as the longest table.
    printf '%s\n' '\documentclass{article}' '\usepackage[textwidth=345pt,textheight=500cm,paperheight=550cm]{geometry}'
    "$STEPBENCH" list solvers --format latex | sed -n '1s/^% //p'
    printf '%s\n' '\begin{document}'
} >tables.tex
count=0
table() {
    "$STEPBENCH" "$@" --format latex >one.tex || fail "stepbench $*"
    { printf '\\noindent\n' && cat one.tex && printf '\n\\bigskip\n'; } >>tables.tex
    count=$((count + 1))
}
table run -p dsp -s shake -s em --h 1/100 --steps 3
table run -p oscillator -s euler_explicit --h 1 --steps 3
table order -p pendulum:theta0=1/2 -s shake -s rattle --levels 3
table order -p pendulum -s '*' --levels 2
table drift -p kepler -s verlet -s rk4 --t-end 100
table drift -p kepler -s verlet -s rk4 --t-end 300 --pivot stepper
table symplecticity -p oscillator -s '*'
table momentum -p kepler -s verlet
table recurrence -s verlet -s midpoint --limit
table blowup -p thread:n=2 -s shake -s rattle
table order -p pendulum -p dsp -s shake -s rattle --levels 2 --columns problem,h,err_q,err_v,measured --pivot stepper
table drift -p oscillator -p kepler -s '*' --t-end 20 --columns problem,quantity,max_dev --pivot stepper --digits 12
table stability -s verlet --cells 3
table workprec -p kepler -s rk4 -s verlet
table amplification -p oscillator -s verlet --h 1/10
table modes -p thread:n=5
table list --matrix
table list steppers
table list claims
grep -q '_' tables.tex && [ "$count" -eq 19 ] || fail "no tables"
printf '%s\n' '\end{document}' >>tables.tex

if ! command -v pdflatex >/dev/null 2>&1 || ! kpsewhich booktabs.sty >/dev/null 2>&1; then
    echo "pdflatex or booktabs is not there: the tables are written but not compiled"
    exit 77
fi
pdflatex -halt-on-error -interaction=nonstopmode tables.tex >log 2>&1 || fail "pdflatex: $(grep -A6 '^!' log)"
grep -q 'Package .* Error\|Undefined control\|Missing character' log &&
    fail "pdflatex: $(grep 'Error\|Undefined\|Missing' log)"
grep 'Overfull .hbox' log && fail "wider than a page: $(grep -c 'Overfull .hbox' log) tables"
[ -s tables.pdf ] || fail "no pages"
# What is special to TeX is printed as it is: the PDF's text has it, where a tool to read it is there.
if command -v pdftotext >/dev/null 2>&1; then
    pdftotext -layout tables.pdf text
    for text in pendulum:theta0=1/2 'notes11 (16)'; do
        grep -qF -- "$text" text || fail "$text is printed otherwise"
    done
fi
echo "$count tables compile"
