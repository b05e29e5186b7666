#!/bin/sh
# Commands with one allocation failing end in order: TRIES allocations of each command in turn (25; 0: every one, which
# takes half an hour).
. "$SOURCE_DIR/tests/prelude.sh"
if [ "${SB_SANITIZE:-OFF}" = ON ]; then
    echo "the sanitizers replace malloc themselves"
    exit 77
fi
"$BUILD_DIR/tests/allocations" "$BUILD_DIR/tests/libfail_allocation.so" "$STEPBENCH" "$SCRATCH" "${TRIES:-25}" >report \
    || fail "$(cat report)"
cat report
