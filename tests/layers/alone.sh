#!/bin/sh
# Each layer links with the layers it uses alone, and sees no header of a layer above it.
. "$SOURCE_DIR/tests/prelude.sh"

sees() { # sees LAYER HEADER: the layer's include folder has the header
    printf '#include "%s"\n' "$2" | "$CC" -std=gnu11 -fsyntax-only -x c -I "$BUILD_DIR/layers/$1" -I \
        "$BUILD_DIR/generated" -I "$SOURCE_DIR/include" - 2>errors
}
for pair in "numerics core/base/registry.h" "steppers core/run/run.h" "problems core/run/run.h" \
    "analysis core/run/run.h" "bench analysis/analysis.h"; do
    # shellcheck disable=SC2086
    sees $pair || fail "$pair: $(cat errors)"
done
for pair in "base core/run/run.h" "numerics integrators/register.h" "numerics problems/register.h" \
    "numerics analysis/analysis.h" \
    "steppers problems/register.h" \
    "steppers analysis/analysis.h" "problems integrators/register.h" "problems analysis/analysis.h" \
        "analysis integrators/register.h" "analysis bench/runner/experiment.h"; do
    # shellcheck disable=SC2086
    ! sees $pair || fail "layer and header that it must not see: $pair"
done

# Calls: a shared object of the layer's objects and the layers it uses leaves no symbol undefined. The sanitizers leave
# theirs open.
[ "${SB_SANITIZE:-OFF}" != ON ] || exit 0
for layer in base numerics steppers problems analysis bench; do
    cmake --build "$BUILD_DIR" --target "stepbench_${layer}_alone" >build.log 2>&1 ||
        fail "layer $layer calls what it must not know: $(grep -m 3 'undefined' build.log)"
done
