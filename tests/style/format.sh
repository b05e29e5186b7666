#!/bin/sh
# Every C file of the tree is laid out as .clang-format says: clang-format 14, 120 columns.
. "$SOURCE_DIR/tests/prelude.sh"

case $(clang-format --version 2>/dev/null || true) in
*"version 14."*) ;;
*)
    echo "skipped: clang-format 14 is not installed, and other versions break lines differently"
    exit 77
    ;;
esac
cd "$SOURCE_DIR"
find core integrators problems analysis bench include tests -name '*.[ch]' -print |
    xargs clang-format --dry-run -Werror >"$SCRATCH/differences" 2>&1 ||
    fail "clang-format -i would change $(sed -n 's/: error:.*//p' "$SCRATCH/differences" | head -n 5)"
