#!/bin/sh
# What surrounds a run: a full disk under every output, no further process, a clock that is set back, a locale with other
# numbers and letters, a HOME that cannot be written, few file descriptors, signals during compare, files without an end.
. "$SOURCE_DIR/tests/prelude.sh"
[ "${SB_SANITIZE:-OFF}" = OFF ] || exit 77 # the sanitizers need processes and descriptors of their own

# ---- A full disk: a sentence that says so, status 1, no file. ----
if [ "$(id -u)" -eq 0 ] && unshare --mount true 2>/dev/null && command -v gnuplot >/dev/null; then
    cat >full.sh <<'S'
mkdir full
mount -t tmpfs -o size=16k none full
head -c 16384 /dev/zero >full/fill
while IFS='|' read -r name command; do
    status=0
    # shellcheck disable=SC2086 # words of a command
    "$STEPBENCH" $command >out 2>err || status=$?
    [ $status -eq 1 ] && grep -q 'No space left on device' err || echo "$name: status $status: $(tail -1 err)"
    for file in full/$name full/*tmp*; do
        [ ! -f "$file" ] || echo "$name: $file stays"
    done
    rm -rf full/[!f]*
done <<'END'
a.csv|run -p kepler -s rk4 --h 1/100 --steps 2000 -o full/a.csv
a.json|run -p kepler -s rk4 --h 1/100 --steps 2000 -o full/a.json
a.md|run -p kepler -s rk4 --h 1/100 --steps 2000 -o full/a.md
a.tex|run -p kepler -s rk4 --h 1/100 --steps 2000 -o full/a.tex
b.svg|order -p kepler -s rk4 --plot full/b.svg
b.pdf|order -p kepler -s rk4 --plot full/b.pdf
b.png|order -p kepler -s rk4 --plot full/b.png
b.tex|order -p kepler -s rk4 --plot full/b.tex --caption text
c.gp|run -p kepler -s rk4 --h 1/100 --steps 2000 --plot-script full/c.gp
d.html|animate -p pendulum -s shake -o full/d.html
d.gif|animate -p pendulum -s shake -o full/d.gif
e.html|card verlet -p oscillator --against rk4 -o full/e.html
f/compare.tex|compare -s verlet -p oscillator --out full/cmp
g/notes11_limits.csv|bench notes11_recurrences --out full/g
END
for command in list man 'show rk4' 'cite rk4' 'run -p kepler -s rk4 --h 1/100 --steps 2000'; do
    status=0
    "$STEPBENCH" $command >full/l 2>err || status=$?
    [ $status -eq 1 ] && grep -q 'standard output cannot be written: No space left' err || echo "$command: status $status: $(cat err)"
done
S
    unshare --mount sh full.sh >found 2>&1 || fail "full disk: $(cat found)"
    [ ! -s found ] || fail "full disk: $(cat found)"
fi

# ---- No further process: an unprivileged user, because root has no limit. OpenBLAS ends a process that it cannot give
# threads, when it is loaded; with one thread it needs none. ----
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && command -v bash >/dev/null; then
    mkdir open
    chmod 777 open
    for command in 'order -p kepler -s rk4' 'compare -p oscillator -s rk4' "card rk4 -p oscillator -o $SCRATCH/open/x.html"; do
        status=0
        (cd open && setpriv --reuid=65534 --regid=65534 --clear-groups \
            env OPENBLAS_NUM_THREADS=1 bash -c "ulimit -u 1; exec '$STEPBENCH' $command" >../out 2>../err) || status=$?
        { [ $status -eq 1 ] && grep -q 'process' err; } || grep -q 'cannot execute\|Permission denied' err ||
            fail "no further process: $command: status $status: $(cat err)"
        [ ! -e open/x.html ] || fail "no further process: a card"
    done
fi

# ---- HOME, the clock, few descriptors. ----
"$STEPBENCH" order -p kepler -s rk4 --levels 3 --format csv >right
grep -v '^#' right >rows
mkdir home
chmod 555 home
HOME=$SCRATCH/home "$STEPBENCH" order -p kepler -s rk4 --levels 3 --format csv | cmp -s - right || fail "with another HOME"
"$STEPBENCH" order -p '*' -s rk4 -s rattle --levels 2 --format csv >many 2>err || true
(ulimit -n 16 && "$STEPBENCH" order -p '*' -s rk4 -s rattle --levels 2 --jobs 2 --format csv >few 2>err) || true
grep -v '^#' many >rows.many
grep -v '^#' few | cmp -s - rows.many || fail "16 descriptors: other rows: $(tail -1 err)"
run() { "$STEPBENCH" run -s '*' -p pendulum --h 1/100 --steps 1 --seconds 60 --format csv 2>err; }
run >many || fail "all steppers: $(tail -1 err)"
(ulimit -n 16 && run | cmp -s - many) || fail "16 descriptors: other rows of a run: $(tail -1 err)"
if command -v faketime >/dev/null; then
    for clock in '2001-01-01 00:00:00' '+0 x-1'; do
        faketime -f "$clock" "$STEPBENCH" order -p kepler -s rk4 --levels 3 --seconds 60 --format csv 2>err | grep -v '^#' | cmp -s - rows ||
            fail "clock $clock: $(cat err)"
    done
fi

# ---- Locales with a comma in numbers, and with an i of its own. ----
for locale in de_DE.utf8 tr_TR.utf8; do
    locale -a 2>/dev/null | grep -qx $locale || continue
    LC_ALL=$locale "$STEPBENCH" order -p kepler -s rk4 --levels 3 --format csv | cmp -s - right || fail "$locale: other rows"
    LC_ALL=$locale "$STEPBENCH" list problems | cmp -s - "$SCRATCH/list" 2>/dev/null || {
        LC_ALL=C "$STEPBENCH" list problems >list
        LC_ALL=$locale "$STEPBENCH" list problems | cmp -s - list || fail "$locale: another list"
    }
    if command -v gnuplot >/dev/null; then
        LC_ALL=C "$STEPBENCH" order -p kepler -s rk4 --levels 3 --plot c.svg
        LC_ALL=$locale "$STEPBENCH" order -p kepler -s rk4 --levels 3 --plot d.svg
        cmp -s c.svg d.svg || fail "$locale: another figure"
    fi
done

# ---- Signals: compare ends in order, and leaves neither files nor processes. ----
begun() { catches "$job"; }
begun_pair() { begun && [ -n "$(cat "/proc/$job/task/$job/children")" ]; }
for signal in INT TERM HUP; do
    env --default-signal=$signal "$STEPBENCH" compare -p '*' -s rattle -s rk4 --out stopped >out 2>err &
    job=$!
    wait_until "compare has begun a pair" begun_pair
    kill -$signal $job
    status=0
    wait $job || status=$?
    [ $status -eq 1 ] && grep -q interrupted err || fail "$signal during compare: status $status: $(tail -1 err)"
    [ -z "$(find stopped -type f 2>/dev/null)" ] || fail "$signal during compare: $(ls -A stopped)"
done

# ---- Programs that do not end: a compiler, and one that draws. ----
mkdir programs
printf '#!/bin/sh\n: >begun\nexec sleep 120\n' >programs/gnuplot
chmod 755 programs/gnuplot
# interrupted WHAT CONDITION ARGUMENTS...: SIGINT ends the program once the condition holds. A job in the background
# ignores SIGINT; env gives it back.
interrupted() {
    what=$1
    condition=$2
    shift 2
    env --default-signal=INT "$STEPBENCH" "$@" >out 2>err &
    job=$!
    wait_until "$what" $condition
    kill -INT $job
    status=0
    wait $job || status=$?
    [ $status -eq 1 ] && grep -q interrupted err || fail "$*, interrupted: status $status: $(tail -n 1 err)"
}
for command in "--plugin $SOURCE_DIR/tests/plugin/heun.c list" 'run -p kepler -s rk4 --h 1/10 --steps 3 --plot x.svg'; do
    rm -f begun
    # shellcheck disable=SC2086 # words of a command
    CC=programs/gnuplot PATH=$SCRATCH/programs:$PATH interrupted "the program begins" 'test -e begun' $command
done

# ---- A signal ends the import of a large model, once it is read. ----
awk 'BEGIN { print "<mujoco><worldbody>"
    for (i = 0; i < 80000; i++) printf "<body name=\"b%d\"><joint/><geom size=\"1\" mass=\"1\"/></body>\n", i
    print "</worldbody></mujoco>" }' >many.xml
mkfifo pipe
interrupted "the model is read" 'cp many.xml pipe' import pipe

# ---- An empty TMPDIR is /tmp. ----
printf '#!/bin/sh\necho "$@" >words\nexit 1\n' >programs/cc
chmod 755 programs/cc
! CC=programs/cc TMPDIR='' "$STEPBENCH" --plugin "$SOURCE_DIR/tests/plugin/heun.c" list >out 2>err && grep -q ' -o /tmp/stepbench-' words ||
    fail "an empty TMPDIR: $(cat words err)"

# ---- Closed streams. ----
if command -v gnuplot >/dev/null; then
    for closed in '<&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
        rm -f closed.svg
        timeout 20 sh -c "exec '$STEPBENCH' order -p kepler -s rk4 --levels 2 --plot closed.svg $closed" 2>err ||
            fail "without streams, $closed: status $?: $(cat err)"
        [ -s closed.svg ] || fail "without streams, $closed: no figure"
    done
fi

# ---- Files without an end: a device; a pipe into which nothing is written, whose reading a signal ends. ----
for command in 'judge -p pendulum ' 'check mechanism:file=' 'import ' 'study --out study '; do
    status=0
    timeout 20 "$STEPBENCH" ${command}/dev/zero >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q '/dev/zero, line 1: there is a NUL byte' err || fail "${command}/dev/zero: status $status: $(cat err)"
    # shellcheck disable=SC2086
    interrupted "it catches SIGINT" 'begun' ${command}pipe
done
echo "the surroundings change nothing"
