#!/bin/sh
# Sweeps: however many processes run, the bytes are the same; a process that crashes costs its rows; a plan's pieces put
# together are what one call
# writes; killed at any moment and resumed, nothing that was finished is done again or lost.
. "$SOURCE_DIR/tests/prelude.sh"

# ---- --jobs 1, 4 and left out, which is one per processor. ----
alike() {
    first=0
    "$STEPBENCH" "$@" --jobs 1 --format csv >jobs1.csv 2>jobs1.err || first=$?
    [ "$(grep -vc '^#' jobs1.csv)" -gt 4 ] || fail "$*: no rows"
    for jobs in "--jobs=4" ""; do
        status=0
        # shellcheck disable=SC2086
        "$STEPBENCH" "$@" $jobs --format csv >jobs.csv 2>jobs.err || status=$?
        [ $status -eq $first ] && cmp -s jobs.csv jobs1.csv && cmp -s jobs.err jobs1.err ||
            fail "$* $jobs: exit status $status and $first, or other bytes than with --jobs 1"
    done
}
alike order -p '*' -s verlet -s shake -s rk4 --levels 2
alike symplecticity -p kepler -p oscillator -s '*'
alike momentum -p kepler -p spherical_pendulum -s 'e*'
alike recurrence -s '*' --limit
alike compare -s verlet -s rk4 -p oscillator -p kepler
alike check midpoint --all

# ---- A stepper that ends its process in one of several ways: from h = 0.07 down, in the third step, the fifth with the
# steps back of drift. ----
cat >fatal.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <stepbench/stepbench.h>

static int init(sb_method *me) {
    (void)me;
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    if (h > 0.0 && h < 0.07 && in->t > 1.5 * h) {
        FATE;
    }
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + h * in->v[i];
        out->v[i] = in->v[i];
    }
    return SB_OK;
}

SB_DEFINE_STEPPER(fatal) = {
    .entry = {"fatal", "ends its process", "hlw06", NULL, 0}, .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS, .init = init, .step = step};
END
ASAN_OPTIONS=handle_segv=0 # a crash is to be a crash, also under the sanitizer
export ASAN_OPTIONS
# Of the systems it crashes on those with two coordinates: not tried are those after the third of these.
"$CC" -std=c11 -D_DEFAULT_SOURCE -DSB_PLUGIN -DFATE='if (me->sys->n == 2) raise(SIGSEGV)' -I"$SOURCE_DIR/include" \
    -shared -fPIC fatal.c -o fatal.so
alike check ./fatal.so --all
[ "$(grep -cE ',returns,failed,.*(Segmentation|as for check.oblique)' jobs1.csv)" -eq 3 ] || fail "three crashes of a check: $(cat jobs1.csv)"
alike compare --plugin ./fatal.so -s fatal -p '*'
sweep="drift -p oscillator -p kepler -s verlet -s midpoint --h 1/10,1/20 --t-end 100 --format csv"
# shellcheck disable=SC2086
"$STEPBENCH" $sweep | grep -v '^#' >without.csv
[ "$(grep -c ',ok$' without.csv)" -eq "$(tail -n +2 without.csv | wc -l)" ] ||
    fail "pairs that ran to their end: $(grep -v ',ok$' without.csv)"
for fate in 'raise(SIGSEGV)=Segmentation fault' 'abort()=Aborted' '_exit(7)=exit status 7'; do
    "$CC" -std=c11 -D_DEFAULT_SOURCE -DSB_PLUGIN -DFATE="${fate%%=*}" -I"$SOURCE_DIR/include" -shared -fPIC fatal.c -o \
        fatal.so
    status=0
    # shellcheck disable=SC2086
    "$STEPBENCH" --plugin ./fatal.so $sweep -s fatal >with.csv 2>err || status=$?
    [ "$status" -eq 3 ] || fail "${fate%%=*}: exit status $status: $(cat err)"
    grep -v '^#' with.csv | grep -v ',fatal,' | cmp -s - without.csv || fail "${fate%%=*}: the others' rows changed"
    [ "$(grep -c '^oscillator[^,]*,fatal,0.1,.*,ok$' with.csv)" -ge 1 ] ||
        fail "${fate%%=*}: rows written before are lost: $(cat with.csv)"
    [ "$(grep -c "^[^,]*,fatal,.*${fate#*=}" with.csv)" -eq 2 ] ||
        fail "${fate%%=*}: no row says ${fate#*=}: $(grep fatal with.csv)"
    [ "$(grep -c '^[^,]*,fatal,.* in step 5 (t = 0.1, h = 0.05)' with.csv)" -eq 2 ] ||
        fail "${fate%%=*}: no row says where: $(grep fatal with.csv)"
    grep -q "drift of fatal on kepler: it .*${fate#*=}" err || fail "${fate%%=*}: stderr: $(cat err)"
done

# ---- A plan: every line by itself, in any order, at the same time; put together it is what one call writes. ----
some="wm96_table1 wm96_table2 wm96_fig4 wm96_fig6 wm96_fig8 notes11_damping"
# shellcheck disable=SC2086
"$STEPBENCH" bench $some --out one 2>err || fail "bench: $(cat err)"
# shellcheck disable=SC2086
"$STEPBENCH" bench $some --plan --out "the pieces" >plan 2>err
[ "$(wc -l <plan)" -eq 6 ] && [ ! -e "the pieces" ] || fail "the plan: $(cat plan)"
grep -q -- "--merge --out 'the pieces'" err || fail "the plan does not say what comes after it: $(cat err)"
sort -r plan | sed 5q | tr '\n' '\0' | xargs -0 -n 1 -P 3 sh -c 2>err || fail "a line of the plan: $(cat err)"
[ ! -e "the pieces/claims.csv" ] || fail "a piece merges by itself"
status=0
# shellcheck disable=SC2086
"$STEPBENCH" bench $some --merge --out "the pieces" 2>err || status=$?
[ "$status" -eq 1 ] && grep -q 'notes11_damping has left no part' err ||
    fail "a missing piece: status $status: $(cat err)"
grep notes11_damping plan | sh 2>err || fail "the last line of the plan: $(cat err)"
# shellcheck disable=SC2086
"$STEPBENCH" bench $some --merge --out "the pieces" 2>err || fail "merging: $(cat err)"
diff -r one "the pieces" >differences || fail \
    "put together, the pieces are not what one call writes: $(head -5 differences)"
"$STEPBENCH" bench 'perf_*' 'wm96_table1' --plan 2>err | tail -1 | grep -q ' perf_' ||
    fail "timed experiments are not last in a plan"

# ---- Killed and resumed, again and again: what has left its part is not run again, and in the end nothing is missing.
# ----
touch parts
more_parts() { # than there were, or the run has ended
    [ -e killed/README.md ] || [ "$(find killed/.parts -name '*.csv' 2>/dev/null | wc -l)" -gt "$(wc -l <parts)" ]
}
for round in 1 2 3 4; do
    # shellcheck disable=SC2086
    "$STEPBENCH" bench $some --resume --jobs 2 --out killed 2>err &
    job=$!
    wait_until "a part is finished" more_parts
    kill -KILL "$job" 2>/dev/null || true
    wait "$job" 2>/dev/null || true
    if [ -e killed/README.md ]; then
        break
    fi
    for part in $(cat parts); do
        grep -q "^stepbench: $(basename "$part" .csv) .* s$" err &&
            fail "$part was finished and was run again: $(cat err)"
        [ -e "$part" ] || fail "$part was finished and is lost"
    done
    sleep 0.2 # the children hear of it
    find killed/.parts -name '*.csv' 2>/dev/null | sort >parts
done
# shellcheck disable=SC2086
"$STEPBENCH" bench $some --resume --out killed 2>err || fail "resuming: $(cat err)"
for part in $(cat parts); do
    grep -q "^stepbench: $(basename "$part" .csv) .* s$" err && fail "$part was finished and was run again: $(cat err)"
done
diff -r one killed >differences || fail "killed and resumed, the results are others: $(head -5 differences)"

# ---- What is refused. ----
refused() {
    pattern=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] && grep -q -- "$pattern" err && [ ! -s out ] || fail "stepbench $*: status $status: $(cat err)"
}
refused 'one of --plan and --merge' bench --plan --merge
refused 'one of --resume and --merge' bench --resume --merge
refused '--format only with --dry-run' bench wm96_table1 --format json
refused 'jobs=-1' order --jobs -1
refused 'jobs is given twice' order --jobs 1 --jobs 2
refused 'jobs=two' drift --jobs two
refused 'nearest: --jobs' order --job 2
echo "sweeps give the same bytes, lose one row to a crash and nothing to a kill"
