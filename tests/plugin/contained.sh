#!/bin/sh
# Whatever a plug-in does to the process, when it is loaded, in init and in steps, and whatever its steps return: the
# rows of the next pairs are those of a run without it, and the exit status says that something is wrong.
. "$SOURCE_DIR/tests/prelude.sh"
[ "${SB_SANITIZE:-OFF}" = ON ] && exit 77 # the sanitizers report an end of the process in their own way

build() { # build NAME SOURCE FLAGS...
    name=$1
    source=$2
    shift 2
    "$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN "$@" -shared -fPIC "$source" -o "$name.so"
}
bad="$SOURCE_DIR/tests/plugin/bad.c"
build disturbs "$bad" -DMISBEHAVIOUR=21
build leaves "$bad" -DMISBEHAVIOUR=22
build memory "$bad" -DMISBEHAVIOUR=23
build number "$bad" -DMISBEHAVIOUR=24
build crashes "$bad" -DMISBEHAVIOUR=6
build exits "$bad" -DMISBEHAVIOUR=8
build prints "$bad" -DMISBEHAVIOUR=25
build forks "$bad" -DMISBEHAVIOUR=28
build closes "$bad" -DMISBEHAVIOUR=29
build lingers "$bad" -DMISBEHAVIOUR=30
build stops "$bad" -DMISBEHAVIOUR=26
build deaf "$bad" -DMISBEHAVIOUR=27

# Neither a stopped step nor one that ignores every signal outlasts the limit of time, or an interruption by more than
# ten seconds. They run beside what follows.
for plugin in stops deaf; do
    (
        status=0
        "$STEPBENCH" order --plugin ./$plugin.so -p kepler -s bad -s rk4 --levels 2 --seconds 1 --format csv \
            >$plugin.rows 2>$plugin.err || status=$?
        echo $status >$plugin.status
    ) &
    env --default-signal=INT "$STEPBENCH" run --plugin ./$plugin.so -p kepler -s bad --h 0.1 --t-end 2 --format csv \
        >$plugin.run 2>$plugin.run.err &
    eval "$plugin=$!"
done
{ # loaded, and when a problem of it is built
    cat <<'END'
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
__attribute__((constructor)) static void at_once(void) {
    const struct itimerval soon = {{0, 1000}, {0, 1000}};
    umask(0);
    fesetround(FE_UPWARD);
    (void)!chdir("/");
    signal(SIGALRM, SIG_IGN);
    setitimer(ITIMER_REAL, &soon, NULL);
    puts("0,0,0");
    (void)!fork();
    (void)dup2(open("/dev/null", O_RDWR), STDOUT_FILENO);
    close(STDIN_FILENO);
}
END
    sed 's/^static int init(.*{$/&\n    at_once();/' "$SOURCE_DIR/tests/plugin/planted.c"
} >loading.c
grep -q '^    at_once();' loading.c || fail "planted.c has another init"
build loading loading.c

for how in "*(volatile int *)0 = 1" "_exit(0)"; do # a problem that cannot be built
    {
        echo "#include <unistd.h>"
        sed "s/^static int init(.*{\$/&\n    $how;/" "$SOURCE_DIR/tests/plugin/planted.c"
    } >broken.c
    build broken broken.c
    status=0
    "$STEPBENCH" order --plugin ./broken.so -p planted -p kepler -s rk4 --levels 2 --format csv >broken.rows \
        2>err || status=$?
    [ $status -eq 2 ] && grep -q '^planted.* while it was built' broken.rows || fail "$how: status $status: $(cat err)"
    "$STEPBENCH" order -p kepler -s rk4 --levels 2 --format csv | grep -v '^#' | tail -n +2 >right.rows
    grep '^kepler' broken.rows | cmp - right.rows || fail "$how: the rows of the next problem"
done

# The commands, each with the rows of rk4 after those of the bad stepper.
order() { "$STEPBENCH" order -p kepler "$@" -s rk4 --levels 2 --format csv; }
run() { "$STEPBENCH" run -p kepler "$@" -s rk4 --h 0.1 --t-end 2 --columns step,t,q0,energy,stepper --format csv; }
energy() { "$STEPBENCH" energy -p kepler "$@" -s rk4 --h 0.1 --steps 20 --format csv; }
compare() { "$STEPBENCH" compare -p kepler "$@" -s rk4 --digits 17 --format csv; }
for command in order run energy; do
    $command >right.csv || fail "$command alone"
    grep 'rk4' right.csv | grep -v '^#' >right.$command
    for plugin in disturbs prints forks leaves memory number crashes exits closes; do
        expected=3
        case $plugin in
        disturbs | prints | forks) expected=0 ;;
        esac
        status=0
        $command --plugin ./$plugin.so -s bad >rows 2>err || status=$?
        [ $status -eq $expected ] || fail "$command, $plugin: exit status $status: $(cat err)"
        grep rk4 rows | grep -v "^#" | cmp - right.$command || fail "$command, $plugin: other rows of the next pair"
        [ $expected -eq 0 ] || grep -q 'bad' err || fail "$command, $plugin: nothing is said of it: $(cat err)"
    done
done
run --plugin ./number.so -s bad >rows 2>err || true
grep -q ' its step returned -77, which is no status' err || fail "the number: $(cat err)"
status=0
compare --plugin ./disturbs.so -s bad >rows 2>err || status=$?
compare >right 2>err || true
[ $status -ne 1 ] && [ -n "$(grep rk4 rows)" ] || fail "compare: exit status $status: $(cat err)"

# What a step has started ends with its pair: it would keep the pipe open.
mkfifo said
for command in order run; do
    $command --plugin ./lingers.so -s bad >rows 2>said &
    timeout 60 cat said >err || fail "$command: a process of a plug-in outlasts its pair"
    wait $! || fail "$command: lingers: $(cat err)"
done

# One pair alone.
for plugin in leaves memory number; do
    status=0
    "$STEPBENCH" run --plugin ./$plugin.so -p kepler -s bad --h 0.1 --t-end 2 -o out.csv >rows 2>err || status=$?
    [ $status -ne 0 ] || fail "a run of $plugin ends with status 0"
    status=0
    "$STEPBENCH" order --plugin ./$plugin.so -p kepler -s bad >rows 2>err || status=$?
    [ $status -ne 0 ] || fail "an order of $plugin ends with status 0"
done
[ -z "$(find . -name '*tmp*')" ] || fail "a temporary file is left: $(ls)"

# What a plug-in does at the end of the process neither replaces the exit status nor is waited for.
for how in "_exit(0)" "pause()"; do
    {
        echo '#include <unistd.h>'
        echo "__attribute__((destructor)) static void at_end(void) { $how; }"
        cat "$SOURCE_DIR/tests/plugin/planted.c"
    } >ends.c
    build ends ends.c
    status=0
    timeout 60 "$STEPBENCH" order --plugin ./ends.so -p planted -s no_such_stepper >rows 2>err || status=$?
    [ $status -eq 2 ] || fail "$how at the end: exit status $status: $(cat err)"
done

# An interruption ends a problem whose init does not return.
{
    echo '#include <fcntl.h>'
    sed 's/^static int init(.*{$/&\n    creat("begun", 0600);\n    for (volatile int i = 1; i != 0;) { }/' \
        "$SOURCE_DIR/tests/plugin/planted.c"
} >hangs.c
build hangs hangs.c
env --default-signal=INT "$STEPBENCH" order --plugin ./hangs.so -p planted -s rk4 >rows 2>err &
job=$!
wait_until "init begins" test -e begun
kill -INT $job
status=0
wait $job || status=$?
[ $status -eq 1 ] && grep -q '^stepbench: interrupted' err || fail "init does not return: exit status $status: $(cat err)"

# A term that crashes away from the start costs the checks of its own problem from there on.
{
    echo '#include <stdlib.h>'
    sed 's/^    \*V = /    if (q[0] != 0.0 \&\& getenv("AWAY") != NULL) { abort(); }\n&/' \
        "$SOURCE_DIR/tests/plugin/planted.c"
} >away.c
build away away.c
status=0
AWAY=1 "$STEPBENCH" check planted kepler --plugin ./away.so --all --format csv >away.rows 2>err || status=$?
[ $status -eq 3 ] && grep -q '^planted.*,returns,,failed,.*it crashed in the check of ' away.rows ||
    fail "a term that crashes: exit status $status: $(cat away.rows err)"
"$STEPBENCH" check kepler --all --format csv | grep -v '^#' | tail -n +2 >right.rows
grep '^"*kepler' away.rows | cmp - right.rows || fail "the checks of the next problem"

# A callback that crashes because `init` set no `self`: the groups without one are named.
sed '/^    out->self = p;/d' "$SOURCE_DIR/tests/plugin/planted.c" >selfless.c
build selfless selfless.c
status=0
"$STEPBENCH" order --plugin ./selfless.so -p planted -s rk4 >rows 2>err || status=$?
[ $status -eq 2 ] && grep -q 'planted crashed while it was built: .*; callbacks get a NULL `self` in: the system$' err ||
    fail "no self: exit status $status: $(cat err)"
status=0
"$STEPBENCH" check planted --plugin ./selfless.so >rows 2>err || status=$?
[ $status -eq 3 ] && grep -q 'it crashed .*; callbacks get a NULL `self` in: the system' rows ||
    fail "the check without a self: exit status $status: $(cat rows err)"

# A plug-in that changes the process while it is loaded, and when its problem is built; -o is in the working directory.
for plugin in "$SOURCE_DIR/tests/plugin/planted.c" ./loading.so; do
    "$STEPBENCH" run -p planted -w baumgarte -s rk4 --h 0.01 --t-end 1 --columns step,q0,energy --plugin "$plugin" \
        -o "$(basename "$plugin").csv" 2>err || fail "$plugin: $(cat err)"
done
grep -v "^#" planted.c.csv >plain.rows
grep -v "^#" loading.so.csv | cmp - plain.rows || fail "what a plug-in does while it is loaded changes the rows"
"$STEPBENCH" run -p planted -w baumgarte -s rk4 --h 0.01 --t-end 1 --columns step,q0,energy --plugin ./loading.so \
    --format csv 2>err | grep -v "^#" | cmp - plain.rows || fail "what a plug-in does while it is loaded reaches the rows"
[ "$(stat -c %a loading.so.csv)" = "$(stat -c %a planted.c.csv)" ] || fail "the mode of files: $(ls -l ./*.csv)"
sed 's/^__attribute__.*/&\n    for (int file = 3; file < 1000; file++) {\n        close(file);\n    }/' loading.c >closing.c # as closefrom(3)
build closing closing.c
status=0
"$STEPBENCH" run -p planted -s rk4 --h 0.01 --t-end 1 --plugin ./closing.so --format csv >rows 2>err || status=$?
[ $status -eq 2 ] && grep -q 'closing.so closes files that it has not opened, while it is loaded' err ||
    fail "standard streams are lost: exit status $status: $(cat err)"
# shellcheck disable=SC2154
kill -INT $stops $deaf
for plugin in stops deaf; do
    eval "job=\$$plugin"
    status=0
    wait $job || status=$?
    [ $status -eq 1 ] && grep -q '^stepbench: interrupted in step 1 ' $plugin.run.err ||
        fail "$plugin, interrupted: exit status $status: $(cat $plugin.run.err)"
    [ "$(grep -c '^[0-9]' $plugin.run)" -eq 1 ] || fail "$plugin, interrupted: $(cat $plugin.run)"
done
wait
for plugin in stops deaf; do
    [ "$(cat $plugin.status)" -eq 3 ] || fail "$plugin: exit status $(cat $plugin.status): $(cat $plugin.err)"
    grep -q 'bad,.*it did not return within 10 s, in step 1' $plugin.rows || fail "$plugin: $(cat $plugin.rows)"
    grep 'rk4' $plugin.rows | grep -v '^#' | cmp - right.order || fail "$plugin: other rows of the next stepper"
done
echo "a plug-in harms no rows but its own"
