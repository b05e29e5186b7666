# What the tests of the Python package begin with: the interpreter, in $python, and the library of this build.
# shellcheck shell=sh

# find_python MODULE...: an interpreter that imports these modules; without one the test is skipped.
find_python() {
    imports=$(echo "$*" | sed 's/ /, /g')
    for python in "${PYTHON:-}" /usr/bin/python3 python3; do
        if [ -n "$python" ] && "$python" -W ignore -c "import $imports" 2>/dev/null; then
            return
        fi
    done
    echo "no Python with $imports here: not tested"
    exit 77
}

if [ "${SB_SANITIZE:-OFF}" = ON ]; then # the interpreter itself is not instrumented, and never gives its memory back
    LD_PRELOAD="$("$CC" -print-file-name=libasan.so) $("$CC" -print-file-name=libubsan.so)"
    export LD_PRELOAD ASAN_OPTIONS=detect_leaks=0
fi
export STEPBENCH_LIBRARY="$BUILD_DIR/libstepbench_session.so" PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$SOURCE_DIR/python:$SOURCE_DIR/python/examples"
