#!/bin/sh
# Names that other files see have the prefix sb_, in the program cli_; LAPACKE_ are the kernels of the second precision.
. "$SOURCE_DIR/tests/prelude.sh"

if ! command -v nm >/dev/null; then
    echo "no nm here: the libraries are not examined"
    exit 77
fi
nm -g "$BUILD_DIR"/libstepbench*.a 2>/dev/null | awk '$2 ~ /^[TDBRC]$/ && $3 !~ /^(sb_|cli_|LAPACKE_|__|_GLOBAL_)/ { print $3 }' | sort -u >names
[ -s "$BUILD_DIR/libstepbench_base.a" ] || fail "no library in $BUILD_DIR"
[ ! -s names ] || fail "without a prefix: $(tr '\n' ' ' <names)"
