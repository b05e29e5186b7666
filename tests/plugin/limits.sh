#!/bin/sh
# A stepper that crashes or does not return: the exit status, a limit of time for each pair, and the first signal.
. "$SOURCE_DIR/tests/prelude.sh"
[ "${SB_SANITIZE:-OFF}" = ON ] && exit 77 # the sanitizers report a crash in their own way

build() { # build NAME FLAG
    "$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN "$2" -shared -fPIC \
        "$SOURCE_DIR/tests/plugin/bad.c" -o "$1.so"
}
expect() { # expect STATUS PATTERN PLUGIN ARGUMENTS...: the exit status, and a line of the rows
    expected=$1
    pattern=$2
    plugin=$3
    shift 3
    status=0
    "$STEPBENCH" --plugin "./$plugin.so" "$@" --format csv >out 2>err || status=$?
    [ $status -eq "$expected" ] && grep -q "$pattern" out || fail "$plugin, $*: exit status $status: $(cat out err)"
}

build crash -DMISBEHAVIOUR=6
expect 3 '^kepler,bad,.*it crashed in step 5' crash order -p kepler -s bad
expect 3 '^kepler,rk4,.*,fit,' crash order -p kepler -s bad -s rk4
# The fifth step forward is the ninth that drift takes: it goes back after each.
expect 3 '^oscillator,bad,.*it crashed in step 9 (t = 0.4, h = 0.1)' crash drift -p kepler -p oscillator -s bad

# A run keeps the rows before a crash, and those of the other steppers; a film its frames.
expect 3 '^40,4,rk4$' crash run -p kepler -s bad -s rk4 --h 0.1 --t-end 4 --columns step,t,stepper
[ "$(grep -c '^[0-4],[^,]*,bad$' out)" -eq 5 ] && grep -q '^stepbench: bad on kepler: it crashed in step 5 ' err ||
    fail "a run that crashes: $(cat out err)"
"$STEPBENCH" --plugin ./crash.so animate -p kepler -s bad --h 0.1 -o film.html 2>err && [ -s film.html ] &&
    grep -q '^stepbench: bad: it crashed in step 5 .*its picture stops there' err || fail "a film: $(cat err)"
build exit -DMISBEHAVIOUR=8
status=0
"$STEPBENCH" --plugin ./exit.so run -p kepler -s bad --h 0.1 >out 2>err || status=$?
[ $status -eq 3 ] && grep -q '^stepbench: bad on kepler: it ended the process with exit status 0 in step 1 ' err ||
    fail "a step that ends the process: exit status $status: $(cat err)"

# A limit of time for each pair; the others keep their rows. On a machine that gives a process less than a tenth of a
# processor the limit of the clock, ten times as long, comes first.
limit='\(1 s of processor time\|10 s\)'
build endless -DMISBEHAVIOUR=5
expect 3 "^kepler,bad,.*it did not return within $limit, in step 4" endless \
    order -p kepler -s bad --seconds 1
expect 3 '^kepler,verlet,.*,fit,' endless order -p kepler -s bad -s verlet --seconds 1
expect 0 '^kepler,verlet,.*,fit,' endless order -p kepler -s verlet --seconds 100
expect 3 '^3,bad$' endless run -p kepler -s bad -s rk4 --h 0.1 --steps 5 --seconds 1 --columns step,stepper
grep -q '^5,rk4$' out && grep -q '^stepbench: bad on kepler: it did not return within '"$limit"', in step 4 ' err ||
    fail "a run beyond its limit: $(cat out err)"

# The signals of the limit of time, which the step has sent itself long before.
build signals -DMISBEHAVIOUR=31
for SIGNAL in 9 14 24; do
    export SIGNAL
    expect 3 '^kepler,bad,.*it crashed in step 5 ' signals order -p kepler -s bad --seconds 1
done

# The first signal ends an endless step, and the status is that of an interruption. A run keeps the rows before it. The
# memory of the run is lost with the step, which is no leak to report.
interrupt() { # interrupt SIGNAL ARGUMENTS...
    signal=$1
    shift
    rm -f out* begun
    env --default-signal=INT ASAN_OPTIONS=detect_leaks=0 "$STEPBENCH" --plugin ./endless.so "$@" >out 2>err &
    job=$!
    wait_until "the endless step begins" test -e begun
    kill "-$signal" $job
    status=0
    wait $job || status=$?
    [ $status -eq 1 ] && grep -q '^stepbench: interrupted' err || fail "SIG$signal: exit status $status: $(cat err)"
}
for signal in INT TERM; do
    interrupt $signal order -p kepler -s bad --format csv
    interrupt $signal run -p kepler -s bad --h 0.1 --steps 10 --format csv -o out.csv
    [ "$(grep -c '^[0-3],' out.csv)" -eq 4 ] || fail "the rows of a run before its endless step: $(cat out.csv)"
    grep -q 'in step 4 ' err || fail "SIG$signal: the endless step is not named: $(cat err)"
done
echo "crashes, limits and signals end in order"
