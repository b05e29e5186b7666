#!/bin/sh
# Runs the tests with other arithmetic than the default one. A leg is an OpenBLAS kernel (in build/, by
# OPENBLAS_CORETYPE), `reference` (the reference BLAS and LAPACK), COMPILER-O0 to COMPILER-O3 for gcc and clang, or
# `aarch64` (cross-compiled, run by qemu). Prints one line per leg; exits with 1 if a leg fails.
#
# usage: sh tools/portability.sh [--all] [LEG...]
#
# Without LEG: all of them. The tests are the numerical programs (ctest -L numerical); with --all, every test but
# bench_results, except on aarch64. With RECORD=FILE, each leg also writes its row of FILE, a robustness.csv.
#
# Installs what a leg needs and the machine lacks, by tools/deps.sh. The packages for aarch64 are not installed:
# libgsl-dev exists for one architecture at a time. mmdebstrap unpacks them into build-portability/sysroot. The builds
# stay in build-portability/.
set -eu
. "$(dirname "$0")/../tests/robust/record.sh"
cd "$(dirname "$0")/.."
kernels="Haswell Zen SkylakeX Cooperlake Sapphirerapids Sandybridge Nehalem Prescott"
compilers="gcc-O0 gcc-O1 gcc-O2 gcc-O3 clang-O0 clang-O1 clang-O2 clang-O3"
all=no
if [ "${1:-}" = --all ]; then
    all=yes
    shift
fi
[ $# -gt 0 ] || eval "set -- $kernels reference $compilers aarch64"
mkdir -p build-portability
failed=0

leg_line() { # leg_line LEG TEXT
    printf '%-16s%s\n' "$1" "$2"
}

compile() { # compile DIRECTORY OPTION...: configures and builds
    directory=$1
    shift
    log=build-portability/$(basename "$directory").build.log
    if ! { cmake -S . -B "$directory" "$@" && cmake --build "$directory" -j "$(nproc)"; } >"$log" 2>&1; then
        leg_line "$leg" "not built: $log"
        return 1
    fi
}

run_tests() { # run_tests DIRECTORY OPTION...: ctest, and the leg's line
    directory=$1
    shift
    log=build-portability/$leg.log
    status=0
    ctest --test-dir "$directory" -j "$(nproc)" --output-on-failure --no-tests=error "$@" >"$log" 2>&1 || status=$?
    # A test that is skipped is neither.
    passes=$(grep -c ' Passed ' "$log" || true)
    names=$(sed -n '/ (Skipped)/d; /^[[:space:]]*[0-9]* - /s/.* - \([^ ]*\) (.*/ \1/p' "$log" | tr -d '\n')
    fails=$(echo "$names" | wc -w)
    leg_line "$leg" "$passes passed, $fails failed${names:+:$names}"
    [ -z "${RECORD:-}" ] ||
        record "$RECORD" portability "$leg: $what" $((passes + fails)) "$fails" "failed:${names:- none}"
    return $status
}

# The tests of a leg that runs on this machine.
selection="-L numerical"
what="the numerical tests"
if [ $all = yes ]; then
    selection="-E bench_r(un|esults)"
    what="all tests but bench_results"
fi

kernel_leg() {
    case $leg in
    SkylakeX | Cooperlake | Sapphirerapids) needs="avx512f avx512vl" ;;
    Haswell | Zen) needs="avx2 fma" ;;
    Sandybridge) needs=avx ;;
    Nehalem) needs=sse4_2 ;;
    *) needs=sse2 ;;
    esac
    for flag in $needs; do
        if ! grep -qw "$flag" /proc/cpuinfo; then
            leg_line "$leg" "skipped: the processor lacks $flag"
            return 0
        fi
    done
    compile build -DCMAKE_BUILD_TYPE=Release || return 1
    OPENBLAS_CORETYPE=$leg build/stepbench run -p pendulum -s shake --h 0.1 --steps 1 -o build-portability/kernel.csv
    used=$(sed -n 's/.*"kernel": "\(.*\)".*/\1/p' build-portability/kernel.csv.provenance.json)
    if [ "$used" != "$leg" ]; then
        leg_line "$leg" "skipped: this OpenBLAS uses $used instead"
        return 0
    fi
    # shellcheck disable=SC2086
    OPENBLAS_CORETYPE=$leg run_tests build $selection
}

reference_leg() {
    sh tools/deps.sh libblas3 liblapack3 || return 1
    compile build-portability/reference -DCMAKE_BUILD_TYPE=Release "-DSB_BLAS=lapack;blas" || return 1
    libraries=/usr/lib/$(cc -print-multiarch)
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$libraries/blas:$libraries/lapack run_tests build-portability/reference $selection
}

compiler_leg() {
    compiler=${leg%-*}
    sh tools/deps.sh "$compiler" || return 1
    # A build type of its own: CMakeLists.txt sets the options of Release.
    compile "build-portability/$leg" -DCMAKE_BUILD_TYPE=Leg "-DCMAKE_C_COMPILER=$compiler" \
        "-DCMAKE_C_FLAGS_LEG=-${leg#*-} -DNDEBUG" || return 1
    # shellcheck disable=SC2086
    run_tests "build-portability/$leg" $selection
}

# Unpacks the packages for aarch64 into the folder $sysroot, and makes the links that Debian's alternatives would: to
# OpenBLAS.
unpack() {
    [ ! -e "$sysroot/complete" ] || return 0
    rm -rf "$sysroot"
    if ! mmdebstrap --variant=extract --arch=arm64 \
        --include=libc6-dev,libgsl-dev,liblapacke-dev,libopenblas-dev,libarpack2-dev,libjansson-dev,libexpat1-dev,libmd-dev,libsuitesparse-dev \
        "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" "$sysroot" >"$sysroot.log" 2>&1; then
        leg_line "$leg" "not unpacked: $sysroot.log"
        return 1
    fi
    libraries=$sysroot/usr/lib/aarch64-linux-gnu
    for file in libblas.so.3 liblapack.so.3 libopenblas.so.0 libopenblas.so; do
        ln -sf "openblas-pthread/$file" "$libraries/$file"
    done
    for module in openblas blas-openblas lapack-openblas; do
        ln -sf "../openblas-pthread/pkgconfig/$module.pc" "$libraries/pkgconfig/${module%-openblas}.pc"
    done
    # Links to the sysroot's files instead of this machine's: without libm.so the linker takes libm.a, which lacks some.
    find "$libraries" -type l -lname '/*' | while read -r link; do
        ln -sfr "$sysroot$(readlink "$link")" "$link"
    done
    touch "$sysroot/complete"
}

aarch64_leg() {
    sh tools/deps.sh gcc-aarch64-linux-gnu qemu-user mmdebstrap || return 1
    sysroot=$PWD/build-portability/sysroot
    unpack || return 1
    compile build-portability/aarch64 -DCMAKE_BUILD_TYPE=Release "-DSB_SYSROOT=$sysroot" \
        "-DCMAKE_TOOLCHAIN_FILE=$PWD/tools/portability/aarch64.cmake" || return 1
    run_tests build-portability/aarch64 -L numerical
}

for leg in "$@"; do
    case " $kernels $compilers " in
    *" $leg "*) ;;
    *)
        case $leg in
        reference | aarch64) ;;
        *)
            echo "portability: no leg is named $leg; the legs are $kernels reference $compilers aarch64" >&2
            exit 2
            ;;
        esac
        ;;
    esac
done
for leg in "$@"; do
    case $leg in
    *-O?) compiler_leg || failed=1 ;;
    reference) reference_leg || failed=1 ;;
    aarch64) aarch64_leg || failed=1 ;;
    *) kernel_leg || failed=1 ;;
    esac
done
exit $failed
