#!/bin/sh
# LaTeX tables of runs and analyses compile as they are, with the package their first line names, and fit on a page of
# the class article at 10 pt; those with a caption, and figures, into a paper in two columns.
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
grep -q 'quantity & .*rms' tables.tex || fail "a part of a table does not repeat all keys"
printf '%s\n' '\end{document}' >>tables.tex

# A paper in two columns: every table is as wide as a column or as the page, and every figure 8 cm wide.
paper() {
    stem=$1
    shift
    "$STEPBENCH" "$@" --caption 'Errors of 100% of _all_ \\steppers' || fail "stepbench $*"
    printf '\\input{%s}\n' "$stem.tex" >>inputs
}
paper orders order -p pendulum -p dsp -s shake -s rattle --levels 3 --columns problem,h,err_q --pivot stepper -o orders.tex
paper long order -p pendulum -s shake -s rattle --levels 2 --columns problem,stepper,h,err_q,err_v,err_lambda -o long.tex
paper high stability -s verlet -s midpoint --cells 6 -o high.tex
paper work workprec -p kepler -p oscillator -s rk4 -s verlet --plot-width 8 --plot work.tex
paper errors order -p pendulum -s shake -s rattle --levels 3 --plot-width 8 --plot errors.tex
paper drift drift -p kepler -s rk4 -s verlet --t-end 100 --plot drift.tex
paper roots amplification -p oscillator -s verlet --h 1/10,1 --plot-width 8 --plot roots.tex
paper several/compare compare -p kepler -p oscillator -s verlet -s rk4 -s midpoint -s 'yoshida4(verlet)' -s lobatto_iiia_b \
    --out several -o own.tex 2>err
cmp own.tex several/compare.tex || fail "compare -o FILE.tex and compare.tex"
# Five steppers take two blocks, of two and three columns behind that of the quantities, side by side on a wide page.
sed -n 's/.begin{tabular}{@{}l\(l*\)@{}}/\1/p; /hskip/p' own.tex | head -3 | tr '\n' ' ' >blocks
[ "$(cat blocks)" = 'll \hskip2em lll ' ] || fail "blocks of a wide table: $(cat blocks)"
! grep -q '[0-9]e-' own.tex || fail "a number is broken: $(grep '[0-9]e-' own.tex)"
grep -qx '.begin{table}' orders.tex && grep -qx '.begin{table[*]}' long.tex && grep -qx '.begin{figure}' work.tex &&
    grep -qx '.begin{figure[*]}' drift.tex && grep -qx '.label{tab:orders}' orders.tex && grep -qx '.label{fig:work}' work.tex ||
    fail "the floats: $(grep -h 'begin{\(table\|figure\)\|label' ./*.tex)"
# A table that is higher than a page goes on in another float of the same number.
[ "$(grep -cx '.begin{table[*]*}' high.tex)" -gt 1 ] && [ "$(grep -c '(continued)}$' high.tex)" -eq "$(grep -cx '.addtocounter{table}{-1}' high.tex)" ] &&
    [ "$(grep -c '.label' high.tex)" -eq 1 ] || fail "a table higher than a page"
grep -qx '.caption{Errors of 100.% of .mbox{._all._} .*: kepler}' several/compare.tex || fail "the caption of compare.tex"
in_class() { # in_class CLASS OPTIONS
    printf '%s\n' "\\documentclass[$2]{$1}"
    cat orders.tex work.tex | sed -n 's/^% \(.usepackage\)/\1/p'
    printf '%s\n' '\begin{document}' 'Table \ref{tab:orders} and Figure \ref{fig:work} are referred to.'
    cat inputs
    printf '%s\n' '\end{document}'
}
in_class article twocolumn >paper.tex
refused() { # refused PATTERN ARGUMENTS...
    pattern=$1 status=0
    shift
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] && grep -q -- "$pattern" err && [ ! -s out ] || fail "stepbench $*: exit status $status: $(cat err)"
}
refused '--caption is for LaTeX: end the name of -o or --plot with .tex' order -p pendulum -s shake --caption x
refused '--plot-width is for --plot FILE.pdf and FILE.tex' order -p pendulum -s shake --plot x.svg --plot-width 8

if ! command -v pdflatex >/dev/null 2>&1 || ! kpsewhich booktabs.sty >/dev/null 2>&1; then
    echo "pdflatex or booktabs is not there: the tables are written but not compiled"
    exit 77
fi
pdflatex -halt-on-error -interaction=nonstopmode tables.tex >log 2>&1 || fail "pdflatex: $(grep -A6 '^!' log)"
grep -q 'Package .* Error\|Undefined control\|Missing character' log &&
    fail "pdflatex: $(grep 'Error\|Undefined\|Missing' log)"
grep 'Overfull .hbox' log && fail "wider than a page: $(grep -c 'Overfull .hbox' log) tables"
[ -s tables.pdf ] || fail "no pages"
for pass in 1 2; do
    pdflatex -halt-on-error -interaction=nonstopmode paper.tex >log 2>&1 || fail "pdflatex, pass $pass: $(grep -A6 '^!' log)"
done
grep 'Overfull\|too large\|undefined\|Missing character' log && fail "the paper in two columns"
# The class of IEEE, with its fonts.
if kpsewhich IEEEtran.cls ptmr7t.tfm >kpse && [ "$(wc -l <kpse)" -eq 2 ]; then
    in_class IEEEtran journal >ieee.tex
    pdflatex -halt-on-error -interaction=nonstopmode ieee.tex >log 2>&1 || fail "IEEEtran: $(grep -A6 '^!' log)"
    grep 'Overfull\|too large\|Missing character' log && fail "the paper in IEEEtran"
fi
# What is special to TeX is printed as it is: the PDF's text has it, where a tool to read it is there.
if command -v pdftotext >/dev/null 2>&1; then
    pdftotext -layout tables.pdf text
    for text in pendulum:theta0=1/2 'notes11 (16)'; do
        grep -qF -- "$text" text || fail "$text is printed otherwise"
    done
fi
echo "$count tables compile"
