#!/bin/sh
# The Python package against the library of this build: every test_*.py here.
set -eu
. "$SOURCE_DIR/tests/python/interpreter.sh"
find_python numpy
exec "$python" -m unittest discover -v -s "$SOURCE_DIR/tests/python"
