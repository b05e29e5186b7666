#!/bin/sh
# Every analysis ends on SIGINT while it works on something that takes hours: status 1, and a message that it was
# interrupted.
. "$SOURCE_DIR/tests/prelude.sh"

# All at a time. `long NAME ARGUMENTS...` starts one; env gives a background job SIGINT back.
names=
trap 'for file in *.pid; do kill -KILL "$(cat "$file")" 2>err || true; done' EXIT
long() {
    name=$1
    shift
    env --default-signal=INT "$STEPBENCH" "$@" >"$name.out" 2>"$name.err" &
    echo $! >"$name.pid"
    names="$names $name"
}

long run run -p kepler -s rk4 --h 1e-12 --steps 1000000000000000 --every 1000000000
long setup run -p star:arms=1000000 -s spook --h 0.01 --steps 1000000
long order order -p kepler -s rk4 --levels 30
long reference order -p dsp -s shake --reference gsl --h 100 --t-end 1000000000
long finest order -p stack -s reg --reference finest --h 0.1 --reference-h 1e-9 --t-end 10
long workprec workprec -p kepler -s rk4 --levels 30
long period period -p kepler -s rk4 --h 1e-9
long drift drift -p kepler -s rk4 --h 1e-9
long energy energy -p kepler -s rk4 --steps 1000000000000
long modified_energy modified_energy -p kepler -s verlet --h 1e-9
long momentum momentum -p dsp -s em --h 1e-9
long constraints constraints -p dsp -s shake --h 1e-9
long jitter jitter -p pendulum -s shake --h 1e-14 --every 1000000000
long reversibility reversibility -p ladder:N=2000 -s rattle --steps 1000000
long symplecticity symplecticity -p rod_chain:n=30 -s rattle --h 1e-4 --steps 100000
long contract contract -p ladder:N=2000 -s spook --steps 1000000
long blowup blowup -p thread:n=30 -s shake --steps 1000000000
long stability stability -p thread:n=40 -s shake --cells 1000
long complementarity complementarity -p stack -s reg --h 1e-9
long balance balance -p stack -s reg --h 1e-9
long creep creep -p block_incline -s reg --h 1e-9
long backward_error backward_error --h 1e-3 --steps 1000000000
long advise advise -p oscillator -s verlet --h 0.1 --t-end 1e13
long modes modes -p thread --at time --t 1e12
long compare compare --seconds 1000000

# SIGINT before its handler is installed ends a process as a signal does: each one has to have come so far (signal 2 is
# bit 1 of the mask of caught signals) before all work for another second.
catches() {
    sed -n 's/^SigCgt:.*\(.\)$/\1/p' "/proc/$1/status" 2>err | grep -q '[2367abef]'
}
tries=0
for name in $names; do
    while kill -0 "$(cat "$name.pid")" 2>err && ! catches "$(cat "$name.pid")" && [ $tries -lt 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
done
sleep 1
for name in $names; do
    kill -INT "$(cat "$name.pid")" 2>err || echo "$name ended before it was interrupted: $(tail -1 "$name.err")" >>wrong
done
# A minute is long compared with the seconds between two polls, also on a machine that runs all of these at once, and
# short compared with the hours they take.
tries=0
for name in $names; do
    while kill -0 "$(cat "$name.pid")" 2>err && [ $tries -lt 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    if kill -KILL "$(cat "$name.pid")" 2>err; then
        echo "$name" >>running
    fi
    status=0
    wait "$(cat "$name.pid")" || status=$?
    [ $status -eq 1 ] && grep -q 'interrupted' "$name.err" ||
        echo "$name: exit status $status: $(tail -1 "$name.err")" >>wrong
done
[ ! -e running ] || fail "does not end on SIGINT: $(tr '\n' ' ' <running)"
[ ! -e wrong ] || fail "$(cat wrong)"
echo "every analysis ends on SIGINT"
