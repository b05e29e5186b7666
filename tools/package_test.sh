#!/bin/sh
# Installs the Debian package and the wheel in bare systems, made by debootstrap, and uses them as somebody does who has
# nothing else of stepbench: sh tools/package_test.sh FOLDER, where FOLDER has both. Needs root and the network; SUITE
# and MIRROR choose the system. The bare system stays in FOLDER/SUITE, for the next time.
set -eu
[ "${1:-}" != --mounted ] && exec unshare --mount sh "$0" --mounted "$@" # its mounts end with it
shift
packages=$(cd "$1" && pwd)
suite=${SUITE:-bookworm}
bare=$packages/$suite
root=$packages/root
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT

fail() {
    echo "package test: $*" >&2
    exit 1
}

inside() { # inside COMMANDS: in the system, with nothing of this one
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -euc "$1"
}

new_system() {
    umount "$root/proc" 2>/dev/null || true
    rm -rf "$root"
    cp -a "$bare" "$root"
    mount -t proc proc "$root/proc"
}

install="apt-get install -y -qq --no-install-recommends -o APT::Sandbox::User=root"
if [ ! -e "$bare/etc/made" ]; then
    rm -rf "$bare"
    debootstrap --variant=minbase "$suite" "$bare" "${MIRROR:-http://deb.debian.org/debian}" >"$packages/debootstrap.log" ||
        fail "debootstrap: $(tail -1 "$packages/debootstrap.log")"
    cp /etc/resolv.conf "$bare/etc/resolv.conf"
    touch "$bare/etc/made"
fi

# ---- The Debian package. ----
new_system
cp "$packages"/stepbench_*.deb "$root/tmp/stepbench.deb"
cp "$(dirname "$0")/../tests/plugin/heun.c" "$root/tmp/heun.c"
inside "$install /tmp/stepbench.deb" >"$packages/install.log" 2>&1 || fail "the package: $(tail -5 "$packages/install.log")"
inside '
cd /tmp
stepbench --version
stepbench_quad --help >/dev/null
stepbench run -p pendulum -s shake --h 1/100 --steps 5 --format csv >rows.csv
stepbench order -p andrews -s radau_iia --levels 2 >/dev/null # a mechanism of the data
stepbench check rk4 >/dev/null 2>&1
stepbench card verlet -p oscillator --against rk4 -o card.html 2>/dev/null
stepbench animate -p pendulum -s shake -o pendulum.html
stepbench bench notes11_recurrences --out results >/dev/null 2>&1
[ -s card.html ] && [ -s pendulum.html ] && [ -s /usr/share/man/man1/stepbench.1.gz ]
status=0
stepbench order -p pendulum -s shake --plot order.svg 2>said || status=$?
[ "$status" -eq 1 ] && grep -q "gnuplot, which is not installed" said
status=0
stepbench check heun.c 2>said || status=$?
[ "$status" -eq 2 ] && grep -q "heun.c cannot be compiled: there is no compiler cc" said' || fail "the package, with what it depends on alone"

inside "$install gnuplot-nox gcc libc6-dev python3-numpy" >"$packages/install.log" 2>&1 || fail "$(tail -5 "$packages/install.log")"
inside '
cd /tmp
stepbench check heun.c
stepbench order -p pendulum -s shake --levels 2 --plot order.svg && grep -q "</svg>" order.svg
stepbench new stepper mine --from verlet --out-of-tree >/dev/null
stepbench --plugin mine/mine.c run -p kepler -s mine --h 1/50 --steps 3 --format csv >/dev/null
python3 -c "import stepbench as s; b = s.Bench(); print(b.run(\"andrews\", \"radau_iia\", h=1e-3, t_end=2e-3).t.size)"
python3 -c "import stepbench as s; print(s.__version__)"' || fail "the package, with what it recommends"

# Nothing stays: neither files nor a name in the database of packages.
inside 'rm -rf /tmp/*; apt-get purge -y -qq stepbench' >"$packages/purge.log" 2>&1 || fail "purge: $(tail -3 "$packages/purge.log")"
inside 'find / -xdev -name "*stepbench*" | grep -v "^/proc\|^/var/log\|^/var/cache"' >"$packages/left" || true
[ ! -s "$packages/left" ] || fail "the package leaves $(cat "$packages/left")"

# ---- The wheel: with the libraries that the package depends on, and without the package. ----
new_system
libraries=$(dpkg-deb -f "$packages"/stepbench_*.deb Depends | sed 's/ *([^)]*)//g; s/,/ /g')
cp "$packages"/stepbench-*.whl "$root/tmp/"
inside "$install $libraries python3-pip python3-numpy" >"$packages/install.log" 2>&1 || fail "$(tail -5 "$packages/install.log")"
inside '
cd /tmp
pip install --quiet --no-index --no-deps --break-system-packages --root-user-action=ignore stepbench-*.whl
python3 -c "
import stepbench
bench = stepbench.Bench()
print(stepbench.__version__, bench.run(\"andrews\", \"radau_iia\", h=1e-3, t_end=2e-3).t.size, len(bench.list(\"claims\")) > 100)"
pip uninstall --quiet --yes --break-system-packages --root-user-action=ignore stepbench
! python3 -c "import stepbench" 2>/dev/null' || fail "the wheel"
echo "the package and the wheel serve in a bare $suite"
