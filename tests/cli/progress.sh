#!/bin/sh
# Commands that take longer than two seconds say on a terminal what they do, how much is done, and remove the line
# before rows follow; piped they say nothing of it. What is called sleeps, so that the test takes no processor time.
. "$SOURCE_DIR/tests/prelude.sh"
command -v script >/dev/null || exit 77
"$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -DMISBEHAVIOUR=9 -shared -fPIC \
    "$SOURCE_DIR/tests/plugin/bad.c" -o asleep.so

{ # quadruple precision needs the source
    echo '#define MISBEHAVIOUR 9'
    sed 's/\<double\>/sb_scalar/g' "$SOURCE_DIR/tests/plugin/bad.c"
} >asleep.c

sed 's/^#include <stepbench.plugin.h>/#include <unistd.h>\n&/; s/^    \*V = /    usleep(8000);\n&/' \
    "$SOURCE_DIR/tests/plugin/planted.c" >slow.c
"$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -shared -fPIC slow.c -o slow.so

# watch NAME WORDS...: runs the command on a terminal and keeps what it shows. `shows` interrupts it with one signal, to
# the program alone: see tests/bench/results/interrupted.sh.
watch() {
    name=$1
    shift
    plugin=./asleep.so
    [ "$name" != reference ] || plugin=./asleep.c
    [ "$name" != problem ] || plugin=./slow.so
    printf "stty cols 200; echo \$\$ >$name.pid; exec '%s' --plugin $plugin" "$STEPBENCH" >"$name.command"
    printf " '%s'" "$@" >>"$name.command"
    script -fqec "sh $name.command" /dev/null </dev/null >"$name.shown" &
    names="$names $name"
}
shown() { tr '\r' '\n' <"$1.shown" | grep -q "$2"; } # shown NAME PATTERN
shows() { # shows NAME PATTERN: waits until it is shown, which is not before two seconds, and interrupts
    wait_until "$1 shows \"$2\"" shown "$1" "$2"
    kill -INT "$(cat "$1.pid")"
}
names=
begun=$(date +%s)
env --default-signal=INT "$STEPBENCH" --plugin ./asleep.so drift -p oscillator -s bad >piped.csv 2>piped &
piped=$!
watch order order -p oscillator -p kepler -s verlet -s bad --levels 3 --jobs 1 -o order.csv
watch drift drift -p oscillator -s bad -o drift.csv
watch stability stability -p oscillator -s bad -o stability.csv
watch compare compare -p oscillator -s verlet -s bad -o compare.csv
watch check check bad --seconds 2 -o check.csv
watch card card bad --against verlet -o card.html
watch problem check planted -o problem.csv
quad="$(dirname "$STEPBENCH")/stepbench_quad"
[ ! -x "$quad" ] || watch reference reference oscillator --second bad --t-end 1 -o r.json
shows order '^stepbench: 1 of 4 done, about 0:[0-9:]* left: order of bad on oscillator, in step 1 '
shows drift '^stepbench: 0 of 1 done: drift of bad on oscillator, in step 1 '
shows stability '^stepbench: 0 of 1 done: stability of bad on oscillator, in step 1 '
shows compare '^stepbench: 1 of 2 done, about 0:[0-9:]* left: contract of bad on oscillator, in step 1 '
shows check '^stepbench: [0-9]* of [0-9]* done.*: contract of bad on [a-z_.]*, in step 1 '
shows card '^stepbench: [0-9]* of [0-9]* done.*: [a-z]* of bad on oscillator, in step 1 '
shows problem '^stepbench: 0 of 1 done: check of planted, in the check of [A-Za-z]'
[ ! -x "$quad" ] || shows reference '^stepbench: 0 of [0-9]* done: reference of bad on oscillator, h = 0[.]'
kill -INT $piped
wait
most=$((5 * ($(date +%s) - begun + 1)))
for name in $names; do
    lines=$(tr '\r' '\n' <"$name.shown" | grep -c 'stepbench: [0-9]* of')
    [ "$lines" -le $most ] || fail "$name shows more than five lines per second: $lines, not $most"
done
# The line is removed before the message of the interruption.
tr '\r' '\n' <order.shown | grep -q '^.\[Kstepbench: interrupted' || fail "$(tail -1 order.shown)"
! grep -q ' of 1 done' piped || fail "piped, it shows progress: $(cat piped)"
echo "progress is shown on a terminal"
