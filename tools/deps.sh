#!/bin/sh
# Installs what the build needs and the machine lacks; further package names (Debian's) as arguments.
# On Debian and Ubuntu by apt-get, through sudo when not root; elsewhere it names what is missing and stops.
set -eu

missing=""
need() { # need PACKAGE TEST...: the package is missing when the test fails
    package=$1
    shift
    if ! "$@" >/dev/null 2>&1; then
        missing="$missing $package"
    fi
}

need gcc sh -c 'command -v "${CC:-cc}"'
need libc6-dev test -f /usr/include/stdio.h
need make sh -c 'command -v make'
need cmake sh -c 'command -v cmake'
need pkg-config sh -c 'command -v pkg-config'
need gnuplot-nox sh -c 'command -v gnuplot'
need libgsl-dev pkg-config --exists gsl
need liblapacke-dev pkg-config --exists lapacke
need libopenblas-dev pkg-config --exists openblas
need libarpack2-dev pkg-config --exists arpack
need libjansson-dev pkg-config --exists jansson
need libexpat1-dev pkg-config --exists expat
need libmd-dev pkg-config --exists libmd
need libsuitesparse-dev sh -c 'printf "#include <suitesparse/umfpack.h>\n" | "${CC:-cc}" -E -'
for package in "$@"; do
    case $package in
    python3-sphinx) need "$package" sh -c 'command -v sphinx-build' ;;
    python3-myst-parser) need "$package" /usr/bin/python3 -c 'import myst_parser' ;; # Debian's modules are for its Python
    python3-*) need "$package" /usr/bin/python3 -c "import ${package#python3-}" ;;
    gcc-aarch64-linux-gnu) need "$package" sh -c 'command -v aarch64-linux-gnu-gcc' ;;
    qemu-user) need "$package" sh -c 'command -v qemu-aarch64' ;;
    libbox2d-dev) need "$package" pkg-config --exists box2d ;;
    libbullet-dev) need "$package" pkg-config --exists bullet bullet-float64 ;;
    libsundials-dev) need "$package" test -f /usr/include/cvode/cvode.h ;;
    libode-dev) need "$package" pkg-config --exists ode ;;
    g++) need "$package" sh -c 'command -v "${CXX:-c++}"' ;;
    libblas3) need "$package" sh -c 'ls /usr/lib/*/blas/libblas.so.3' ;;
    liblapack3) need "$package" sh -c 'ls /usr/lib/*/lapack/liblapack.so.3' ;;
    *) need "$package" sh -c "command -v $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "stepbench: missing, by their Debian names:$missing" >&2
    echo "stepbench: install them with this system's package manager and run make again" >&2
    exit 1
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "stepbench: missing:$missing" >&2
        echo "stepbench: to install them, run as root: apt-get install$missing" >&2
        exit 1
    fi
    sudo=sudo
fi
echo "stepbench: installing$missing" >&2
$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
