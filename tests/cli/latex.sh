#!/bin/sh
# LaTeX tables of runs and analyses compile as they are, with the two packages their first line names.
. "$SOURCE_DIR/tests/prelude.sh"

{
    printf '%s\n' '\documentclass{article}' '\usepackage[paperwidth=300cm,paperheight=300cm]{geometry}'
    "$STEPBENCH" list solvers --format latex | sed -n '1s/^% //p'
    printf '%s\n' '\begin{document}'
} >tables.tex
count=0
table() {
    "$STEPBENCH" "$@" --format latex >one.tex || fail "stepbench $*"
    cat one.tex >>tables.tex
    printf '\n\\bigskip\n' >>tables.tex
    count=$((count + 1))
}
table run -p dsp -s shake -s em --h 1/100 --steps 3
table run -p oscillator -s euler_explicit --h 1 --steps 3
table order -p pendulum:theta0=1/2 -s shake -s rattle --levels 3
table order -p pendulum -s '*' --levels 2
table drift -p kepler -s verlet -s rk4 --t-end 100
table symplecticity -p oscillator -s '*'
table momentum -p kepler -s verlet
table recurrence -s verlet -s midpoint --limit
table blowup -p thread:n=2 -s shake -s rattle
table list --matrix
table list steppers
table list claims
grep -q '_' tables.tex && [ "$count" -eq 12 ] || fail "no tables"
printf '%s\n' '\end{document}' >>tables.tex

if ! command -v pdflatex >/dev/null 2>&1 || ! kpsewhich booktabs.sty siunitx.sty >/dev/null 2>&1; then
    echo "pdflatex, booktabs or siunitx is not there: the tables are written but not compiled"
    exit 77
fi
pdflatex -halt-on-error -interaction=nonstopmode tables.tex >log 2>&1 || fail "pdflatex: $(grep -A6 '^!' log)"
grep -q 'Package .* Error\|Undefined control\|Missing character' log &&
    fail "pdflatex: $(grep 'Error\|Undefined\|Missing' log)"
[ -s tables.pdf ] || fail "no pages"
# What is special to TeX is printed as it is: the PDF's text has it, where a tool to read it is there.
if command -v pdftotext >/dev/null 2>&1; then
    pdftotext -layout tables.pdf text
    for text in pendulum:theta0=1/2 'notes11 (16)'; do
        grep -qF -- "$text" text || fail "$text is printed otherwise"
    done
fi
echo "$count tables compile"
