# What the scripts begin with, by `. "$SOURCE_DIR/tests/prelude.sh"`: an empty folder of their own, and how they fail.
set -eu
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
cd "$SCRATCH"

# The kernel of OpenBLAS that the program selects by restarting itself: where it is named, every call starts once and
# takes half of the time. cli/arithmetic.sh tests the restart.
if [ -z "${OPENBLAS_CORETYPE:-}" ] && grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | grep -w avx2 | grep -qw fma; then
    export OPENBLAS_CORETYPE=Haswell
fi

fail() {
    echo "FAIL: $*" >&2
    exit 1
}
