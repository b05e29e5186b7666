#!/bin/sh
# Searches the sources for errors without running them, by gcc's -fanalyzer, clang-tidy (bugprone and cert) and
# cppcheck, or by those of them that are named. Prints what they find; exits with 1 if that is anything. What they
# report and is no error is in .clang-tidy and in tools/analyze.txt, each with its reason.
#
# usage: sh tools/analyze.sh [gcc] [clang-tidy] [cppcheck]
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- gcc clang-tidy cppcheck
build=build-analyze
found=0
sources=$(git ls-files 'core/*.c' 'integrators/*.c' 'problems/*.c' 'analysis/*.c' 'bench/*.c')

report() { # report TOOL: what of $build/TOOL.txt is not in the list; lines FILE:LINE...: TEXT [CHECK]
    grep -v '^#' tools/analyze.txt >"$build/known.txt" || true
    sed "s|$PWD/||; s|^$build/layers/[a-z]*/||" "$build/$1.txt" | grep -E '^[a-z][^:]*:[0-9]+.*(warning|error): ' |
        sort -u | grep -vEf "$build/known.txt" >"$build/$1.found" || true
    echo "$1: $(wc -l <"$build/$1.found") found"
    cat "$build/$1.found"
    [ ! -s "$build/$1.found" ] || found=1
}

mkdir -p $build
cmake -S . -B $build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER_LAUNCHER= -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    >"$build/configure.log"
cmake --build $build --target sb_build_info >"$build/generate.log"

for tool in "$@"; do
    case $tool in
    gcc)
        sh tools/deps.sh gcc
        sed -n 's/^  "command": "\(.*\)",$/\1/p' $build/compile_commands.json | sed 's/\\\(.\)/\1/g' |
            grep -v ' -c [^ ]*/tests/' | sed 's/ -o [^ ]*\.o / -o \/dev\/null /; s/$/ -fanalyzer/' >"$build/gcc.sh"
        (cd $build && tr '\n' '\0' <gcc.sh | xargs -0 -n 1 -P "$(nproc)" sh -c 2>gcc.txt) || true
        ;;
    clang-tidy)
        sh tools/deps.sh clang-tidy
        echo "$sources" | xargs -n 16 -P "$(nproc)" clang-tidy -p $build --quiet >"$build/clang-tidy.txt" 2>/dev/null ||
            true
        ;;
    cppcheck)
        sh tools/deps.sh cppcheck
        # shellcheck disable=SC2086
        cppcheck --quiet --std=c11 --enable=warning,portability -D__linux__ -DSB_HAVE_SUITESPARSE -I include -I . \
            --template='{file}:{line}: warning: {message} [{id}]' -j "$(nproc)" $sources 2>"$build/cppcheck.txt"
        ;;
    *)
        echo "analyze: no tool is named $tool; the tools are gcc, clang-tidy and cppcheck" >&2
        exit 2
        ;;
    esac
    report "$tool"
done
exit $found
