#!/bin/sh
# The Debian package: what it declares, and that its program runs from where it is unpacked; one version everywhere.
. "$SOURCE_DIR/tests/prelude.sh"

version=$("$STEPBENCH" --version | sed 's/^stepbench \([0-9.]*\).*/\1/')
for file in CMakeLists.txt:"VERSION $version " CITATION.cff:"version: $version\$" CHANGELOG.md:"^## $version " \
    python/stepbench/__init__.py:"^__version__ = \"$version\""; do
    grep -q "${file#*:}" "$SOURCE_DIR/${file%%:*}" || fail "${file%%:*} does not have the version $version"
done

command -v dpkg-deb >/dev/null || exit 77
[ "${SB_SANITIZE:-OFF}" = OFF ] || exit 77
# Without the search for the libraries' packages, which takes ten seconds.
cpack --config "$BUILD_DIR/CPackConfig.cmake" -G DEB -B package -D CPACK_DEBIAN_COMPRESSION_TYPE=none \
    -D CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF >cpack.log 2>&1 || fail "cpack: $(tail -5 cpack.log)"
dpkg-deb -f package/*.deb >control
grep -qx "Version: $version" control || fail "the version of the package: $(cat control)"
grep -q '^Recommends: .*gnuplot.*gcc' control || fail "the package does not recommend gnuplot and gcc: $(cat control)"
dpkg-deb -x package/*.deb root
mv root moved # nothing in it knows where it was packed
moved/usr/bin/stepbench run -p pendulum -s shake --h 1/100 --steps 5 --format csv >rows.csv ||
    fail "the packaged program does not run"
"$STEPBENCH" run -p pendulum -s shake --h 1/100 --steps 5 --format csv | cmp -s - rows.csv || fail "other rows"
moved/usr/bin/stepbench --plugin "$SOURCE_DIR/tests/plugin/heun.c" list steppers --names | grep -qx heun ||
    fail "the packaged program compiles no plug-in"
[ -s moved/usr/share/man/man1/stepbench.1.gz ] && [ -s moved/usr/share/stepbench/python/stepbench/bench.py ] ||
    fail "the package lacks the manual page or the Python package"
