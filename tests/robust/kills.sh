#!/bin/sh
# A few of the interruptions of `make torture`.
. "$SOURCE_DIR/tests/prelude.sh"
sh "$SOURCE_DIR/tests/robust/torture_kills.sh" "$STEPBENCH" 6 "" || fail "interrupted runs"
