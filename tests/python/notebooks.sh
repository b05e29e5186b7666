#!/bin/sh
# The notebooks of python/notebooks and the examples of docs/python.md run, and what they say is so.
. "$SOURCE_DIR/tests/prelude.sh"
. "$SOURCE_DIR/tests/python/interpreter.sh"
find_python numpy
MPLBACKEND=Agg "$python" "$SOURCE_DIR/tests/python/notebooks.py" "$SOURCE_DIR"
