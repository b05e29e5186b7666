#!/bin/sh
# A results directory has one run at a time, a killed run leaves no process behind, and a new run waits for what a
# killed one may have left.
. "$SOURCE_DIR/tests/prelude.sh"

# Process ids of all descendants of $1.
descendants() {
    for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
        echo "$child"
        descendants "$child"
    done
}

begin() { # begin ARGUMENTS...: a run in the background, once a process of its own has one in turn: those of `cards` do
    "$STEPBENCH" bench "$@" >begun 2>&1 &
    job=$!
    wait_until "stepbench bench $* starts no processes: $(cat begun)" sh -c "
        grandchild=\$(cat /proc/\$(cut -d' ' -f1 /proc/$job/task/$job/children)/task/*/children 2>/dev/null) &&
            [ -n \"\$grandchild\" ]"
}

gone() { # gone PID...: none of them is left, but as what its new parent has not yet fetched
    for pid in "$@"; do
        [ ! -e "/proc/$pid" ] || grep -q '^State:[[:space:]]*[ZX]' "/proc/$pid/status" 2>/dev/null ||
            [ ! -e "/proc/$pid" ] || return 1
    done
}

refused() { # refused WORDS ARGUMENTS...: status 1 and the sentence
    words=$1
    shift
    status=0
    "$STEPBENCH" bench "$@" 2>err || status=$?
    [ "$status" -eq 1 ] && grep -q "$words" err || fail "stepbench bench $*: status $status: $(cat err)"
}

# ---- One run at a time; the message names the process that has the directory. ----
begin cards --out one
refused "one/.parts/lock is locked by process $job on .*only one run" wm96_table1 --out one
refused "one/.parts/lock is locked by process $job on " wm96_table1 --part --out one
refused "one/.parts/lock is locked by process $job on " wm96_table1 --merge --out one
[ ! -e one/wm96_table1.csv ] || fail "a refused run writes"
"$STEPBENCH" bench wm96_table1 --out two 2>err || fail "another directory: $(cat err)"

# ---- The parent alone is killed: what it has started dies with it, and a new run starts at once. ----
family=
observed() { # the run, as seen between two pairs, may have no grandchild at the moment
    family=$(descendants "$job")
    [ "$(echo "$family" | wc -l)" -ge 2 ]
}
wait_until "no grandchildren to observe" observed
kill -KILL "$job"
wait "$job" 2>/dev/null || true
# shellcheck disable=SC2086
wait_until "processes of a killed run are left: $family" gone $family
"$STEPBENCH" bench wm96_table1 --out one 2>err || fail "after a kill: $(cat err)"
cmp one/wm96_table1.csv two/wm96_table1.csv || fail "after a kill there are other results"
[ -e one/.parts ] && fail "after a complete run .parts is left: $(ls -A one/.parts)"

# ---- The parts of a plan work side by side; one experiment runs once at a time, and a merge or a whole run waits its
# turn. ----
begin cards --part --out plan
"$STEPBENCH" bench wm96_table1 --part --out plan 2>err || fail "another part: $(cat err)"
refused "plan/.parts/cards.lock is locked by process $job on " cards --part --out plan
refused "plan/.parts/lock is locked by process $job on " wm96_table1 --merge --out plan
refused "plan/.parts/lock is locked by process $job on " wm96_table1 --out plan
kill -TERM "$job"
wait "$job" 2>/dev/null || true
"$STEPBENCH" bench wm96_table1 --merge --out plan 2>err || fail "merging: $(cat err)"
cmp plan/claims.csv two/claims.csv || fail "merged, the claims differ"
refused "three holds no parts to merge" wm96_table1 --merge --out three
[ ! -e three ] || fail "a merge makes its directory"

# ---- The process named in the lock is gone, something that it left still holds it: the new run waits, says so, and
# goes on. ----
if command -v flock >/dev/null; then
    mkdir -p left/.parts
    echo "$(sh -c 'echo $$') $(hostname)" >left/.parts/lock
    flock left/.parts/lock sh -c ': >held; while [ ! -e release ]; do sleep 0.1; done' &
    wait_until "the lock is held" test -e held
    "$STEPBENCH" bench wm96_table1 --out left 2>err &
    job=$!
    wait_until "it waits for an orphan" \
        grep -q 'waiting for processes that an earlier run has left in left/.parts/lock' err
    : >release
    wait "$job" || fail "behind an orphan: $(cat err)"
    wait
fi
echo "runs exclude each other and take their processes along"
