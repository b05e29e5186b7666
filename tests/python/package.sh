#!/bin/sh
# `pip install ./python` works without network, and the installed package finds the library of the tree that it came
# from, or of the program on PATH; without one it says what to do. module.sh has STEPBENCH_LIBRARY. The wheel has the
# library inside, and needs nothing of the tree, also in a bare system.
. "$SOURCE_DIR/tests/prelude.sh"
. "$SOURCE_DIR/tests/install/bare.sh"
. "$SOURCE_DIR/tests/python/interpreter.sh"

if [ "$SB_SANITIZE" = ON ]; then
    echo "nothing here depends on the compiler: tested without sanitizers"
    exit 77
fi
find_python numpy setuptools wheel pip # setuptools before pip: both bring a distutils
unset STEPBENCH_LIBRARY PYTHONPATH

# A copy of the tree: pip writes into the directory that it builds.
mkdir tree
cp -r "$SOURCE_DIR/python" tree/python
ln -s "$BUILD_DIR" tree/build
"$python" -m pip install --no-index --no-deps --no-build-isolation --disable-pip-version-check \
    --no-warn-script-location --target site tree/python >install.log 2>&1 || fail "pip: $(cat install.log)"

cat >use.py <<'P'
import stepbench, sys
bench = stepbench.Bench()
print(stepbench.__file__.startswith(sys.argv[1]), bench.run("oscillator", "verlet", h=0.1, steps=2).t.size)
P
use() { # use NAME=VALUE...: what use.py says in this environment
    env PYTHONPATH="$SCRATCH/site" "$@" "$python" use.py "$SCRATCH/site" 2>&1 || true
}
used=$(use)
[ "$used" = "True 3" ] || fail "in the tree it was installed from: $used"

rm tree/build
used=$(use PATH="/usr/bin:/bin")
echo "$used" | tail -n 1 | grep -q "^ImportError: libstepbench_session.so was not found. .*STEPBENCH_LIBRARY" ||
    fail "without a library: $used"
used=$(use PATH="$(dirname "$STEPBENCH"):/usr/bin:/bin")
[ "$used" = "True 3" ] || fail "with the program on PATH: $used"

# Its version is the program's.
grep -qx "Version: $("$STEPBENCH" --version | sed 's/^stepbench //')" site/stepbench-*.dist-info/METADATA ||
    fail "another version than $("$STEPBENCH" --version): $(ls site)"

# The wheel of `make wheel`, with an empty environment: a run, a mechanism of the data, a plug-in that is compiled.
PYTHON=$python sh "$SOURCE_DIR/tools/wheel.sh" "$BUILD_DIR" wheel >wheel.log 2>&1 || fail "make wheel: $(cat wheel.log)"
"$python" -m pip install --no-index --no-deps --disable-pip-version-check --no-warn-script-location --target bare \
    wheel/stepbench-*.whl >install.log 2>&1 || fail "pip on the wheel: $(cat install.log)"
cat >bare.py <<'P'
import stepbench, sys
bench = stepbench.Bench()
bench.load(sys.argv[1])
print(bench.run("andrews", "radau_iia", h=1e-3, t_end=2e-3).t.size, bench.run("oscillator", "heun", h=0.1, steps=2).t.size,
      len(bench.list("claims")) > 100)
P
used=$(env -i PATH=/usr/bin:/bin CC="$CC" PYTHONPATH=bare "$python" bare.py "$SOURCE_DIR/tests/plugin/heun.c" 2>&1 || true)
[ "$used" = "3 3 True" ] || fail "the wheel: $used"

# In a system that has Python with numpy, and nothing else.
"$python" -c '
import numpy, os, sys, sysconfig
print(os.path.realpath(sys.executable), sysconfig.get_path("stdlib"), os.path.dirname(numpy.__file__))' >places
read -r program modules numpy <places
make_bare || {
    echo "no bare system: $(cat bare.log)"
    exit 0
}
cp -r --parents -t "$bare" "$numpy"
(cd / && find ".$modules" -name dist-packages -prune -o -name site-packages -prune -o -name __pycache__ -prune -o -name test -prune -o -type f -print0) |
    (cd / && xargs -0 cp --parents -t "$bare")
# shellcheck disable=SC2046
into_bare "$program" $(find "$modules/lib-dynload" -name '_ctypes.*.so') $(find "$numpy" bare/stepbench -name '*.so')
rm -rf "$bare/bare"
cp -r bare "$bare/tmp/site"
cat >"$bare/tmp/use.py" <<'P'
import stepbench
print(stepbench.Bench().run("andrews", "radau_iia", h=1e-3, t_end=2e-3).t.size)
P
used=$(in_bare PYTHONPATH="/tmp/site:$(dirname "$numpy")" "$program" -B /tmp/use.py 2>&1 || true)
[ "$used" = 3 ] || fail "the wheel in a bare system: $used"
rm -rf "$bare"
