#!/bin/sh
# What a library allocates for a solver is given back, also when a run ends early or a formulation has a solver of its
# own: LeakSanitizer, or else
# valgrind, would change the exit status.
. "$SOURCE_DIR/tests/prelude.sh"
if [ "${SB_SANITIZE:-OFF}" = ON ]; then
    checked() { "$STEPBENCH" "$@"; }
elif command -v valgrind >/dev/null 2>&1; then
    # The kernel is named because valgrind does not know every processor's instructions.
    checked() { OPENBLAS_CORETYPE=Haswell valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite \
        --error-exitcode=9 "$STEPBENCH" "$@"; }
else
    echo "neither the sanitizers nor valgrind are here"
    exit 77
fi
expect() { # expect STATUS ARGUMENTS...
    expected=$1
    shift
    status=0
    checked "$@" >out 2>err || status=$?
    [ $status -eq "$expected" ] || fail "stepbench $*: exit status $status, not $expected: $(tail -20 err)"
}
expect 3 run -p star:arms=49 -s rk4 -w baumgarte --h 1e9 --steps 3
expect 0 run -p chaplygin_sleigh -s nonholonomic_variational --h 0.1 --steps 3
for solver in klu umfpack static_ldl dense; do
    expect 0 run -p star:arms=9 -s spook:solver=$solver --h 0.01 --steps 3
done
expect 0 run -p star:arms=9 -s spook:solver=cholmod,form=schur --h 0.01 --steps 3
expect 0 run -p stack -s reg --h 0.01 --steps 3
