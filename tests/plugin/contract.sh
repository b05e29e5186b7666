#!/bin/sh
# What `contract` finds in a step, and of each claim that is not kept: explicit Euler on kepler and dsp with one thing
# wrong.
. "$SOURCE_DIR/tests/prelude.sh"

# finds PROBLEM CHECK SENTENCE FLAGS...: the checks of one build on one problem, CHECK alone failing, with the sentence;
# "none" for no failure.
finds() {
    problem=$1
    check=$2
    sentence=$3
    shift 3
    "$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN "$@" -shared -fPIC \
        "$SOURCE_DIR/tests/plugin/bad.c" -o bad.so
    "$STEPBENCH" contract --plugin ./bad.so -s bad -p "$problem" --format csv >rows.csv 2>err ||
        fail "$*: exit status $?: $(cat err)"
    if [ "$check" = none ]; then
        ! grep -q ',failed,' rows.csv || fail "nothing is wrong with $*, and it says: $(cat rows.csv)"
        return
    fi
    grep -q "^[^,]*,bad,$check,failed,.*$sentence" rows.csv ||
        fail "$*: $check does not fail with \"$sentence\": $(cat rows.csv)"
    [ "$(grep ',failed,' rows.csv | grep -vc ",bad,$check,")" -eq 0 ] ||
        fail "$*: more fails than $check: $(cat rows.csv)"
}

finds kepler none ""
finds kepler input "a step writes to the state it starts from" -DMISBEHAVIOUR=1
finds kepler repeatable "something survives in it" -DMISBEHAVIOUR=2
finds kepler repeatable "something survives in it" -DMISBEHAVIOUR=11 # of a step of another length between
# Of the first step ever; by a method of its own it is another.
finds kepler repeatable "something survives in it" -DMISBEHAVIOUR=12
finds kepler steps "step 8 of length .* fails: .*v0 became nan" -DMISBEHAVIOUR=3
finds kepler steps "step 1 of length .* fails: it reports a velocity that is not finite" -DMISBEHAVIOUR=4
finds kepler length "steps miss q + h v by 1 of their displacement" -DMISBEHAVIOUR=17
finds kepler length "another length than h" -DMISBEHAVIOUR=18
finds kepler continuous "from -q or from q + 2 pi" -DMISBEHAVIOUR=19
finds oscillator continuous "an angle to one turn" -DMISBEHAVIOUR=20
# A history of points at distances h, kept for a step of h/2: the whole displacement in place of half of it.
for kept in 0 1; do
    "$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -DKEPT=$kept -shared -fPIC \
        "$SOURCE_DIR/tests/plugin/kept.c" -o kept.so
    "$STEPBENCH" contract --plugin ./kept.so -s kept -p kepler --format csv >rows.csv 2>err || fail "kept: $(cat err)"
    [ "$(grep -c ',failed,' rows.csv)" -eq "$kept" ] && [ "$(grep -c ',kept,length,failed,' rows.csv)" -eq "$kept" ] ||
        fail "a history that is kept ($kept): $(cat rows.csv)"
done
attitude() { # attitude FLIP CHECK: the checks of attitude.c, where CHECK alone fails; "none" for none
    "$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -DFLIP="$1" \
        -shared -fPIC "$SOURCE_DIR/tests/plugin/attitude.c" -o attitude.so
    "$STEPBENCH" contract --plugin ./attitude.so -s attitude -p rigid_body --format csv >rows.csv 2>err || fail "$(cat err)"
    failed=$(grep ',failed,' rows.csv | cut -d, -f3)
    [ "${failed:-none}" = "$2" ] || fail "a quaternion, $2: $(cat rows.csv)"
}
attitude 0 none
attitude 1 continuous

finds kepler "order of [qv]" "it claims order 2 and has [01][.][019]" -DORDER=2
finds oscillator "order of [qv]" "it claims order 4 and has [01][.][019]" -DORDER=4
finds oscillator none "" -DMISBEHAVIOUR=14 # its last slope is 0.75, the one before 0.3: extrapolated, it is of order 1
finds kepler Jz "it claims to keep the momentum Jz and changes it by" -DKEEPS=SB_KEEPS_MOMENTA
finds kepler energy "it claims to keep the energy and changes it by" -DKEEPS=SB_KEEPS_ENERGY
finds kepler reversibility "it claims that a step back undoes a step" -DKEEPS=SB_KEEPS_REVERSIBILITY
finds dsp position "it claims to keep g(q) = 0 and leaves" -DKEEPS=SB_KEEPS_POSITION
finds dsp tangency "it claims to keep G v = 0 and leaves" -DKEEPS=SB_KEEPS_TANGENCY

# check: one stepper, by name or from a file, on systems for every kind of term; the exit status says whether one
# failed.
"$STEPBENCH" check verlet >out 2>err || fail "check verlet: exit status $?: $(cat out err)"
[ "$(grep -vc '^#' out)" -eq 1 ] && grep -q '^verlet: [0-9]* checks passed on [0-9]* systems$' err ||
    fail "check verlet: $(cat out err)"
"$STEPBENCH" check verlet --all >out 2>err || fail "check --all: $(cat err)"
grep -q '^check.quartic,verlet,order of q,passed' out || fail "check --all: $(cat out)"
checked() { # checked STATUS PATTERN ARGUMENTS...: the exit status, and a line of the output
    expected=$1
    pattern=$2
    shift 2
    status=0
    "$STEPBENCH" check "$@" >out 2>err || status=$?
    [ $status -eq "$expected" ] && cat out err | grep -q "$pattern" ||
        fail "check $*: exit status $status: $(cat out err)"
}
"$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"$SOURCE_DIR/include" -DSB_PLUGIN -DORDER=2 -shared -fPIC \
    "$SOURCE_DIR/tests/plugin/bad.c" -o bad.so
checked 3 '^check.force_v,bad,order of q,failed,' ./bad.so
checked 3 'bad: [0-9]* of [0-9]* checks failed' ./bad.so
# A stepper that takes some systems only says so in init: other pairs are left out.
cat >picky.c <<'END'
#include <string.h>
#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepbench.h>
static int init(sb_method *me) {
    return strncmp(me->sys->name, "henon_heiles", 12) == 0 ? SB_OK : sb_fail(me->ctx, SB_UNSUPPORTED, "too strange");
}
static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i];
        out->v[i] = in->v[i];
    }
    return SB_OK;
}
SB_DEFINE_STEPPER(picky) = {.entry = {"picky", "takes one problem", "hlw06", NULL, 0}, .order = 1, .init = init,
    .step = step};
END
"$STEPBENCH" order --plugin picky.c -p '*' -s picky -o rows.csv 2>err || fail "picky: $(cat err)"
grep '^kepler,picky,' rows.csv | grep -q '^kepler,picky,*picky does not take kepler: too strange,*$' ||
    fail "picky on kepler: $(grep '^kepler' rows.csv)"
[ "$(grep -c '^henon_heiles,picky,' rows.csv)" -gt 4 ] || fail "picky on henon_heiles: $(cat rows.csv)"
"$STEPBENCH" run --plugin picky.c -p '*' -s picky --steps 1 >rows.csv 2>err || fail "run picky: $(cat err)"
grep -q '^stepbench: left out: picky does not take kepler: too strange$' err || fail "run picky: $(cat err)"
"$STEPBENCH" check picky.c --all >rows.csv 2>err || true
grep -v '^#\|^problem,' rows.csv | grep -v '^henon_heiles,' && fail "check picky has rows of pairs that it refuses"
grep -q 'on 1 systems' err || fail "check picky counts systems that it refuses: $(cat err)"
"$STEPBENCH" compare --plugin picky.c -p kepler -p henon_heiles -s verlet -s picky --format csv >rows.csv 2>err || true
[ "$(grep -c ',kepler,picky,' rows.csv)" -eq 1 ] && grep -q ',kepler,picky,takes it,0,.*too strange' rows.csv ||
    fail "compare picky on kepler: $(grep ',kepler,picky,' rows.csv)"
checked 2 'nearest: verlet' verlot
checked 2 'cannot be loaded' ./none.so
checked 2 'one stepper' rk4 verlet
echo "contract finds what is wrong"
