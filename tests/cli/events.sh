#!/bin/sh
# `run --event`: the rows are the events, between the steps; their columns, their end, their figure, and what is refused.
. "$SOURCE_DIR/tests/prelude.sh"

call="run -p pendulum -s rattle --h 1/60 --t-end 10 --event theta=0"
# shellcheck disable=SC2086 # words of a command
"$STEPBENCH" $call -o both.csv 2>err || fail "events: $(cat err)"
[ "$(grep -v '^#' both.csv | head -1)" = "event,step,t,q0,q1,v0,v1,energy,kinetic,potential,g_rms,g_max,theta" ] ||
    fail "columns: $(grep -v '^#' both.csv | head -1)"
# The pendulum passes the lowest point every half period, 1.0696 s: nine times, the first after half of that. An event
# lies in the step after its number of steps, and both directions are the rows of one and of the other.
grep -v '^#' both.csv | awk -F, 'NR > 1 {
    if ($1 != NR - 1 || $2 / 60 > $3 || ($2 + 1) / 60 < $3 || $4 ^ 2 > 1e-28 || $13 ^ 2 > 1e-28) { print; exit 1 }
    if (($3 - (NR - 1.5) * 1.0696) ^ 2 > 1e-4) { print "time " $0; exit 1 } }
    END { if (NR != 10) { print NR; exit 1 } }' || fail "rows that cannot be"
for direction in up down; do
    # shellcheck disable=SC2086
    "$STEPBENCH" $call --direction $direction --format csv | grep -v '^#' | tail -n +2 | cut -d, -f2-
done | sort -t, -k1n >one
grep -v '^#' both.csv | tail -n +2 | cut -d, -f2- | cmp -s - one || fail "up and down are not both: $(cat one)"

# --stop ends a run as if it were complete; a time is an event; every problem of a product has its own.
# shellcheck disable=SC2086
"$STEPBENCH" $call --stop 4 --format csv | grep -v '^#' >four
grep -v '^#' both.csv | head -5 | cmp -s - four || fail "--stop 4: $(cat four)"
"$STEPBENCH" run -p oscillator -s rk4 --h 0.01 --steps 200 --event t=1/3 --columns t,q0 --format csv >time
[ "$(sed -n '$s/\(.*,0.94495694\).*/\1/p' time)" = 0.3333333333333333,0.94495694 ] || fail "at a time: $(cat time)"
"$STEPBENCH" run -p kepler -p oscillator -s verlet --h 0.05 --t-end 20 --event v0=0 --columns problem,event \
    --format csv >product
grep -q '^kepler,6' product && grep -q '^oscillator,6' product || fail "a product: $(cat product)"
# Free flight between impacts, without accelerations: the ball turns at the top.
"$STEPBENCH" run -p bouncing_ball -s moreau --h 0.01 --t-end 2 --event v0=0 --direction down --format csv >ball ||
    fail "with contacts"
grep -v '^#' ball | grep -q '^1,' || fail "the ball has no highest point: $(cat ball)"

refused() { # refused PATTERN ARGUMENTS...
    pattern=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q -- "$pattern" err && [ ! -s out ] || fail "stepbench $*: status $status: $(cat err)"
}
run="run -p pendulum -s rattle --h 0.1 --steps 2"
# shellcheck disable=SC2086
{
    refused '"q2"; .*q0' $run --event q2=0
    refused '"thata"; .*theta' $run --event thata=0
    refused '"lambda0"' $run --event lambda0=0
    refused 'theta= is not of the form NAME=NUMBER' $run --event theta=
    refused 'theta=nan is not of the form' $run --event theta=nan
    refused '--direction needs --event' $run --direction up
    refused '--stop needs --event' $run --stop 2
    refused '--event and --every exclude each other' $run --event theta=0 --every 2
    refused 'lambda0' $run --event theta=0 --columns t,lambda0
    refused 'iters' $run --event theta=0 --columns iters
}

command -v gnuplot >/dev/null || exit 0
while read -r problem stepper event; do
    "$STEPBENCH" run -p "$problem" -s "$stepper" --h 1/20 --t-end 20 --event "$event" --plot section.svg 2>err ||
        fail "section of $problem: $(cat err)"
    grep -q '<svg' section.svg || fail "no figure of $problem"
    case $problem in oscillator) ! grep -q '>section<' section.svg || fail "a section of one coordinate" ;; esac
done <<'END'
henon_heiles verlet q0=0
oscillator verlet q0=0
oscillator verlet t=1.02
ladder:N=20 spook t=0.52
END
"$STEPBENCH" run -p henon_heiles -s verlet --h 1/20 --t-end 200 --event q0=0 --direction up --plot section.svg
grep -q '>q1<' section.svg && grep -q '>v1<' section.svg || fail "the section of x = 0 is in y and vy"
