#!/bin/sh
# The Python module against the library of this build.
set -eu
python=""
for name in "${PYTHON:-}" python3 /usr/bin/python3; do
    [ -n "$python" ] || { [ -n "$name" ] && "$name" -c 'import numpy' 2>/dev/null && python=$name; } || true
done
if [ -z "$python" ]; then
    echo "no Python with numpy here: the module is not tested"
    exit 77
fi
if [ "${SB_SANITIZE:-OFF}" = ON ]; then # the interpreter itself is not instrumented, and never gives its memory back
    LD_PRELOAD="$("$CC" -print-file-name=libasan.so) $("$CC" -print-file-name=libubsan.so)"
    export LD_PRELOAD ASAN_OPTIONS=detect_leaks=0
fi
STEPBENCH_LIBRARY=$BUILD_DIR/libstepbench_session.so PYTHONDONTWRITEBYTECODE=1 exec "$python" \
    "$SOURCE_DIR/tests/python/test_stepbench.py"
