#!/bin/sh
# Data frames and figures, where pandas and matplotlib are.
set -eu
. "$SOURCE_DIR/tests/python/interpreter.sh"
find_python numpy pandas matplotlib
cd "$SOURCE_DIR/tests/python"
MPLBACKEND=Agg exec "$python" -m unittest -v optional
