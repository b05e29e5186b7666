#!/bin/sh
# tools/deps.sh: silent when nothing is missing; names the packages and stops where there is no apt-get; asks apt-get
# for what is
# missing, through sudo unless root. apt-get and sudo are stand-ins here that write down what they were asked.
set -eu
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH/bin"
cd "$SCRATCH"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

deps() { # with nothing in the path but bin; the exit status in $status
    status=0
    env -i PATH="$SCRATCH/bin" CC=cc "$(command -v sh)" "$SOURCE_DIR/tools/deps.sh" >out 2>err || status=$?
}

stand_in() { # stand_in NAME BODY
    printf '#!%s\n%s\n' "$(command -v sh)" "$2" >"bin/$1"
    chmod +x "bin/$1"
}

for tool in sh env; do
    ln -s "$(command -v $tool)" "bin/$tool"
done

for tool in cc make cmake pkg-config gnuplot; do
    stand_in $tool "exit 0"
done
stand_in apt-get "exit 1"
deps
[ "$status" -eq 0 ] && [ ! -s out ] && [ ! -s err ] || fail "with everything there: exit status $status: $(cat err)"
rm bin/cc bin/make bin/cmake bin/pkg-config bin/gnuplot bin/apt-get

stand_in id 'echo 1000'
deps
[ "$status" -eq 1 ] || fail "without apt-get: exit status $status"
for package in pkg-config gnuplot-nox libgsl-dev liblapacke-dev libopenblas-dev libarpack2-dev libjansson-dev libmd-dev \
    cmake make; do
    grep -q " $package" err || fail "without apt-get: $package is not named: $(cat err)"
done

stand_in apt-get 'echo "$(id) $*" >>"$0.log"'
deps
[ "$status" -eq 1 ] || fail "without root and sudo: exit status $status"
grep -q "as root: apt-get install.* libgsl-dev" err || fail "without root and sudo: $(cat err)"
[ ! -e bin/apt-get.log ] || fail "without root and sudo: apt-get was called"

stand_in sudo 'exec "$@"'
deps
[ "$status" -eq 0 ] || fail "with sudo: exit status $status: $(cat err)"
grep -q " update" bin/apt-get.log && grep -q " install .*--no-install-recommends.* libgsl-dev" bin/apt-get.log ||
    fail "with sudo: $(cat bin/apt-get.log)"

rm bin/sudo bin/apt-get.log
stand_in id 'echo 0'
deps
[ "$status" -eq 0 ] || fail "as root: exit status $status: $(cat err)"
grep -q " install .* libjansson-dev" bin/apt-get.log || fail "as root: $(cat bin/apt-get.log)"
echo "the set-up does what it says"
