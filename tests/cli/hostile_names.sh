#!/bin/sh
# One name with markup, quotes, a line break, an escape sequence, a command, and the characters of weight of TeX and
# gnuplot goes through every output: it is shown, and is code of none of them.
. "$SOURCE_DIR/tests/prelude.sh"

export HOME="$SCRATCH" TMPDIR="$SCRATCH"
echo 'system "touch pwned"' >.gnuplot # gnuplot is started without the settings of the user
name=$(printf '<script>"q'\''\n\033[31m$(touch pwned)`touch pwned`%%_&\\#{}^;--x~; system "touch pwned"')
cp "$SOURCE_DIR/problems/mechanisms/four_bar.json" "./$name.json"
escape=$(printf '\033')
harmless() { # harmless FILE...: no byte of an escape sequence, and nothing was executed
    ! grep -qF "$escape" "$@" || fail "an escape sequence reaches $(grep -lF "$escape" "$@")"
    [ ! -e pwned ] || fail "the name was executed: $*"
}
run() { # run ARGUMENTS...
    "$STEPBENCH" run -p "mechanism:file=./$name.json" -s spook --h 1/100 --t-end 1/20 "$@"
}

# ---- Tables. ----
for form in table md latex; do
    run --columns problem,t,q0 --format $form >"rows.$form" 2>err || fail "$form: $(cat err)"
    harmless "rows.$form"
done
grep -qF '\x1b[31m$(touch pwned)' rows.table || fail "the table does not show the name: $(cat rows.table)"
grep -q '&lt;script' rows.md || fail "Markdown: $(cat rows.md)"
! grep -qF '&\#' rows.latex && grep -qF '\%\_\&\textbackslash{}\#\{\}' rows.latex || fail "LaTeX: $(cat rows.latex)"
run --format csv >rows.csv
[ "$(head -3 rows.csv | grep -c '^#')" -eq 2 ] || fail "a comment has a line break: $(head -4 rows.csv)"
"$STEPBENCH" run -p "mechanism:file=./none$name" -s spook >out 2>err && fail "a file that is not there"
harmless err
[ "$(wc -l <err)" -eq 1 ] || fail "a message has a line break: $(cat err)"

# ---- Figures. ----
if command -v gnuplot >/dev/null; then
    for kind in svg png pdf tex; do
        run -p four_bar --plot="figure.$kind" --plot-script="$name.gp" 2>err || fail "$kind: $(cat err)"
        harmless "$name.gp"
        (cd "$SCRATCH" && gnuplot "./$name.gp" >drawn 2>err) || fail "the script of a $kind: $(cat err)"
        rm -f pwned # by ~/.gnuplot
    done
    harmless figure.svg figure.tex
    grep -q '>mechanism:file=./&lt;script.*touch pwned' figure.svg || fail "the figure does not show the name"
    grep -qF '\%\_\&\textbackslash{}\#\{\}' figure.tex || fail "the figure in TeX: $(grep file= figure.tex)"
    "$STEPBENCH" animate -p "mechanism:file=./$name.json" -s spook --h 1/100 --t-end 1/20 -o film.gif 2>err ||
        fail "animate: $(cat err)"
    harmless err
fi

# ---- Compilers. ----
cp "$SOURCE_DIR/tests/plugin/heun.c" ./-o.c
"$STEPBENCH" --plugin -o.c list steppers --names >names 2>err || fail "the plug-in -o.c: $(cat err)"
grep -qx heun names || fail "the plug-in -o.c has no stepper"
echo "a name is code of nothing"
