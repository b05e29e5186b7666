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

# ---- Values that look like options: these plug-ins do not compile. ----
echo 'no C' >other.c
"$STEPBENCH" order -p kepler -s rk4 --levels 2 --caption --plugin=other.c --format latex >rows.tex 2>err ||
    fail "the value of --caption is a plug-in: $(cat err)"
grep -q 'plugin=other.c' rows.tex || fail "the caption: $(cat rows.tex)"
"$STEPBENCH" order -p kepler -s rk4 --levels 2 --caption --precision=quad --format latex >rows.tex 2>err &&
    grep -q 'precision=quad' rows.tex || fail "the value of --caption is a precision: $(cat err rows.tex)"
"$STEPBENCH" judge -p kepler -- --plugin=other.c 2>err && fail "a file that is not there"
grep -q -e '--plugin=other.c cannot be read' err || fail "a word behind --: $(cat err)"

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

# ---- Rows that a terminal shows: of every form, with the control character of C1 as well. ----
cp "$SOURCE_DIR/problems/mechanisms/four_bar.json" "./$(printf 'a\033[31m\302\23331m,"').json"
cat >shows.sh <<'S'
exec "$STEPBENCH" run -p "mechanism:file=./$(printf 'a\033[31m\302\23331m,"').json" -s spook --h 1/100 --steps 1 \
    --columns problem,t --format "$FORM"
S
for form in csv json table md latex; do
    FORM=$form script -qec 'sh ./shows.sh' /dev/null </dev/null >shown 2>err || fail "a terminal, $form: $(cat shown err)"
    grep -q '31m' shown || fail "a terminal shows no $form: $(cat shown)"
    harmless shown
    ! grep -qF "$(printf '\302\233')" shown || fail "a control character of C1 in $form: $(cat shown)"
done
FORM=csv sh ./shows.sh | grep -qF "$escape[31m" || fail "CSV that is not for a terminal has another name"

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

# ---- Pages. ----
page_shows() { # page_shows FILE: the name as text, in HTML
    harmless "$1"
    ! grep -qiF '<script>"q' "$1" || fail "$1 has the name as markup"
    grep -qF '&lt;script&gt;&quot;q' "$1" || fail "$1 does not show the name"
}
"$STEPBENCH" animate -p "mechanism:file=./$name.json" -s spook --h 1/100 --t-end 1/20 -o film.html 2>err ||
    fail "animate: $(cat err)"
page_shows film.html
cat >"./$name.json" <<'END'
{"gravity": [0, -9.81], "bodies": {"bob": {"mass": 1, "inertia": 0.1, "position": [0, -1]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "bob"], "points": [[0, 0], [0, 1]]}]}
END
"$STEPBENCH" card shake -p "mechanism:file=./$name.json" --against "" -o card.html 2>err || fail "card: $(cat err)"
page_shows card.html
cat >study.json <<'END'
{"title": "<script>\"q'\n\u001b[31m$(touch pwned)`touch pwned`%_&\\#{}^", "text": "[x](javascript:y) <script>\"q *b*",
 "problems": ["pendulum"], "steppers": ["shake"],
 "experiments": [{"name": "orders", "caption": "<script>\"q $(touch pwned)`touch pwned`%_&\\#{}", "analysis": "order",
   "options": {"h": [0.02, 0.01, 0.005]},
   "tables": ["a&b\"q'#$(touch pwned)%.csv", "a b;touch pwned.tex"], "figures": ["<a>'#.svg"]}]}
END
"$STEPBENCH" study study.json --out study 2>err || fail "study: $(cat err)"
page_shows study/index.html
harmless study/README.md study/*.csv study/*.tex err
grep -q 'href="a%26b%22q' study/index.html || fail "no address of a table: $(grep -o 'href="a[^>]*' study/index.html)"
! grep -q '<script>"q\|[^\\][[]x\|[^\\]`touch' study/README.md || fail "README.md has markup: $(head -20 study/README.md)"
sed -n 's/^    stepbench /"$STEPBENCH" /p' study/README.md >command
[ "$(wc -l <command)" -eq 1 ] || fail "commands of README.md: $(cat command)"
if command -v gnuplot >/dev/null; then
    . ./command 2>err || fail "the command of README.md: $(cat command err)"
    [ -s "<a>'#.svg" ] && [ ! -e pwned ] || fail "the command of README.md writes other files: $(ls)"
fi

# ---- Compilers. ----
cp "$SOURCE_DIR/tests/plugin/heun.c" ./-o.c
"$STEPBENCH" --plugin -o.c list steppers --names >names 2>err || fail "the plug-in -o.c: $(cat err)"
grep -qx heun names || fail "the plug-in -o.c has no stepper"
# The texts of a plug-in go to terminals and manual pages as they are: none has a control character.
for text in '\\033[31m' '\\302\\233m'; do
    sed 's/\.entry = {"heun", "/&'"$text"'/' "$SOURCE_DIR/tests/plugin/heun.c" >red.c
    grep -q '033\|302' red.c || fail "heun.c has another entry"
    status=0
    "$STEPBENCH" --plugin ./red.c show heun >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q 'heun: a text of it has the control character' err || fail "$text: $status: $(cat err)"
    harmless out err
done
echo "a name is code of nothing"
