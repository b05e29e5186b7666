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
expect 3 '^oscillator,bad,.*it crashed in step 5' crash drift -p kepler -p oscillator -s bad

# A limit of time for each pair; the others keep their rows.
build endless -DMISBEHAVIOUR=5
expect 3 '^kepler,bad,.*it did not return within 1 s of processor time, in step 4' endless order -p kepler -s bad --seconds 1
expect 3 '^kepler,verlet,.*,fit,' endless order -p kepler -s bad -s verlet --seconds 1
expect 0 '^kepler,verlet,.*,fit,' endless order -p kepler -s verlet --seconds 100

# The first signal ends an endless step, and the status is that of an interruption.
for signal in INT TERM; do
    rm -f out
    env --default-signal=INT "$STEPBENCH" --plugin ./endless.so order -p kepler -s bad --format csv >out 2>err &
    job=$!
    tries=0
    while ! [ -s out ] && [ $tries -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    kill "-$signal" $job
    status=0
    wait $job || status=$?
    [ $status -eq 1 ] && grep -q '^stepbench: interrupted' err || fail "SIG$signal: exit status $status: $(cat err)"
done
echo "crashes, limits and signals end in order"
