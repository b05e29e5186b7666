#!/bin/sh
# tests/core/abi.def records every struct that a header of include/ defines, so that test_abi notices a change of it.
. "$SOURCE_DIR/tests/prelude.sh"

cd "$SOURCE_DIR"
structs=$(find include -name '*.h' -exec sed -n 's/^\(typedef \)*struct \(sb_[a-z_]*\) {$/\2/p' {} +)
[ -n "$structs" ] || fail "no header of include/ defines a struct"
for struct in $structs; do
    grep -q "^SB_ABI_SIZE($struct," tests/core/abi.def || fail "tests/core/abi.def does not record $struct"
done
