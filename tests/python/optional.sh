#!/bin/sh
# Data frames and figures, each where its package is; with neither the test is skipped.
set -eu
. "$SOURCE_DIR/tests/python/interpreter.sh"
find_python numpy
for package in pandas matplotlib; do
    "$python" -W ignore -c "import $package" 2>/dev/null && found=$package
done
[ -n "${found:-}" ] || { echo "neither pandas nor matplotlib here: not tested"; exit 77; }
cd "$SOURCE_DIR/tests/python"
MPLBACKEND=Agg exec "$python" -m unittest -v optional
