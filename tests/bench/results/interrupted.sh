#!/bin/sh
# Under the sanitizers, where the bench would take ten times as long, every experiment runs for a quarter of a second at
# most, and is interrupted: no process reports an error.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"
[ "${SB_SANITIZE:-OFF}" = ON ] || exit 77 # bench_run runs them in full

# Reports go to files, because an analysis of a card has no standard error.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}log_path=$SCRATCH/report"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}log_path=$SCRATCH/report"
for name in $(untimed) cards lcp_random; do
    # A shell's background jobs ignore SIGINT; env gives it back. One signal, to the program alone: a second one, to the
    # group, may stop the process in which LeakSanitizer looks for leaks, and both wait for ever.
    env --default-signal=INT "$STEPBENCH" bench "$name" --part --jobs 1 --out out 2>err &
    job=$!
    wait_until "$name begins" test -e "out/.parts/$name.lock"
    sleep 0.25
    kill -INT "$job" 2>/dev/null || true
    status=0
    wait "$job" || status=$?
    [ "$status" -eq 0 ] || { [ "$status" -eq 1 ] && grep -q '^stepbench: interrupted' err; } ||
        fail "$name: exit status $status: $(cat err)"
    [ -z "$(find . -name 'report.*')" ] || fail "$name: $(cat report.* | head -20)"
done
exit 0
