#!/bin/sh
# The Debian package: what it declares, and that its program runs from where it is unpacked, and in a bare system, where
# it is installed and removed; one version everywhere. What the package depends on: tools/package_test.sh.
. "$SOURCE_DIR/tests/prelude.sh"
. "$SOURCE_DIR/tests/install/bare.sh"

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

# In a system without anything else: its programs, the data of a mechanism, a page.
make_bare || {
    echo "no bare system: $(cat bare.log)"
    exit 0
}
mkdir -p "$bare/var/lib/dpkg/info" "$bare/var/lib/dpkg/updates"
: >"$bare/var/lib/dpkg/status"
mkdir -p "$bare/proc/self"
ln -s /usr/bin/stepbench "$bare/proc/self/exe" # all of /proc that it needs
into_bare moved/usr/bin/stepbench moved/usr/bin/stepbench_quad /usr/bin/find # of its scripts
rm -r "$bare/moved"
find "$bare" -type f ! -path '*/dpkg/*' | sort >before
installs() { # the scripts of the package run in the system
    as_root dpkg --root="$bare" --force-depends --log=/dev/null "$@" >dpkg.log 2>&1 || fail "dpkg $1: $(cat dpkg.log)"
}
installs -i package/*.deb
in_bare sh -euc '
cd /tmp
stepbench run -p pendulum -s shake --h 1/100 --steps 5 --format csv >rows.csv
stepbench order -p andrews -s radau_iia --levels 2 >order.csv
stepbench animate -p pendulum -s shake --h 1/100 --t-end 1 -o pendulum.html
stepbench_quad --help >help
! stepbench order -p pendulum -s shake --plot order.svg 2>said
' >bare.log 2>&1 || fail "the package in a bare system: $(cat bare.log)"
cmp -s rows.csv "$bare/tmp/rows.csv" || fail "other rows in a bare system"
[ -s "$bare/tmp/pendulum.html" ] && grep -q 'gnuplot, which is not installed' "$bare/tmp/said" || fail "in a bare system: $(cat "$bare/tmp/said")"
rm -r "$bare/tmp"
installs --purge stepbench
find "$bare" -type f ! -path '*/dpkg/*' | sort | diff - before >left || fail "the package leaves $(cat left)"
rm -rf "$bare"
