#!/bin/sh
# One arithmetic: without OPENBLAS_CORETYPE the program selects the reference kernel by restarting itself, and nothing
# else changes; a kernel that is named is kept.
. "$SOURCE_DIR/tests/prelude.sh"
unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS

arithmetic() { # arithmetic FILE: kernel and choice in its provenance
    sed -n '/"arithmetic"/,/}/s/.*"\(kernel\|choice\)": "\(.*\)".*/\2/p' "$1.provenance.json" | tr '\n' ' '
}
modes() { # modes FILE COMMAND...: an analysis that rests on LAPACK
    file=$1
    shift
    "$@" modes -p thread:n=40 --count 5 -o "$file"
}

if grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | grep -w avx2 | grep -qw fma; then
    modes default.csv "$STEPBENCH"
    grep -q DYNAMIC_ARCH default.csv.provenance.json || {
        echo "this OpenBLAS has one kernel"
        exit 77
    }
    [ "$(arithmetic default.csv)" = "Haswell pinned " ] || fail "the default arithmetic is $(arithmetic default.csv)"
    for kernel in Haswell Prescott SkylakeX; do
        [ "$kernel" != SkylakeX ] || grep -m1 '^flags' /proc/cpuinfo | grep -qw avx512vl || continue
        modes $kernel.csv env OPENBLAS_CORETYPE=$kernel "$STEPBENCH"
        case $(arithmetic $kernel.csv) in
        "$kernel environment " | "Haswell pinned ") ;;
        *) fail "asked for $kernel: $(arithmetic $kernel.csv)" ;;
        esac
    done
    [ "$(arithmetic Prescott.csv)" = "Prescott environment " ] ||
        fail "a kernel that is asked for is not kept: $(arithmetic Prescott.csv)"
    cmp default.csv Haswell.csv || fail "the default kernel gives other bytes than the reference one"
fi

# A restart that fails (here: is refused) leaves the kernel that OpenBLAS has chosen, and provenance names it.
if [ "${SB_SANITIZE:-OFF}" != ON ]; then # the sanitizer wants to be loaded first
    echo 'int execv(const char *path, char *const *argv);
        int execv(const char *path, char *const *argv) { (void)path; (void)argv; return -1; }' >refuse.c
    "$CC" -shared -fPIC -o refuse.so refuse.c
    modes refused.csv env LD_PRELOAD="$PWD/refuse.so" "$STEPBENCH"
    case $(arithmetic refused.csv) in
    "Haswell pinned " | *" processor ") ;;
    *) fail "the restart was refused: $(arithmetic refused.csv)" ;;
    esac
fi

# The restarted program is the same process with its name, arguments, environment, input, output and ignored signals; it
# is found along PATH.
mkdir bin
ln -s "$STEPBENCH" bin/stepbench
mkfifo rows
(
    trap '' HUP
    PATH=$PWD/bin:$PATH exec stepbench run -p pendulum -s shake --h 0.01 --steps 3 -o rows
) &
process=$!
if [ -r /proc/$process/environ ]; then # it waits for a reader of its rows
    restarted() { grep -qs stepbench /proc/$process/comm && catches $process; }
    wait_until "it restarts" restarted
    [ "$(cat /proc/$process/comm)" = stepbench ] || fail "the process is named $(cat /proc/$process/comm)"
    case $(sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/$process/status) in
    [13579bdf]) ;;
    *) fail "a signal that was ignored no longer is" ;;
    esac
    [ ! -e default.csv ] || tr '\0' '\n' </proc/$process/environ | grep -qx OPENBLAS_CORETYPE=Haswell ||
        fail "it was not this process that restarted"
fi
grep -q '^3,0.03,' rows || fail "no rows"
wait $process || fail "exit status $? of a run along PATH"
status=0
PATH=$PWD/bin:$PATH stepbench run -p pendulum 2>err || status=$?
[ "$status" -eq 2 ] || fail "exit status $status instead of 2"
[ "$("$STEPBENCH" list problems --names)" = "$(env OPENBLAS_CORETYPE=Prescott "$STEPBENCH" list problems --names)" ] ||
    fail "the arguments were not kept"
echo "one arithmetic"
