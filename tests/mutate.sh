#!/bin/sh
# Mutation test: applies the wrong lines of tests/mutations.csv one at a time to a copy of the sources, and records in
# results/mutations.csv which test notices each. FIRST and COUNT select a part of the list; WORK is the folder of the
# copy and its build. A mutation that is recorded as killed is not run again.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=${WORK:-$root/build-mutate}
rm -rf "$work/tree"
mkdir -p "$work/tree"
# Files keep their times, so that only what has changed is compiled again.
cd "$root"
git ls-files -z --cached --others --exclude-standard | tar --null --no-recursion -T - -cf - | tar -xf - -C "$work/tree"
generator=$(command -v ninja >/dev/null && echo Ninja || echo 'Unix Makefiles')
cmake -G "$generator" -S "$work/tree" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG" >/dev/null
export OPENBLAS_NUM_THREADS=1
exec python3 tests/mutate.py "$work" tests/mutations.csv results/mutations.csv "${FIRST:-1}" "${COUNT:-1000}"
