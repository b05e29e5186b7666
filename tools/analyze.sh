#!/bin/sh
# Searches the sources for errors without running them, by gcc's -fanalyzer, clang-tidy (bugprone and cert) and
# cppcheck, or by those of them that are named. Prints what they find; exits with 1 if that is anything. What they
# report and is no error is in .clang-tidy and in tools/analyze.txt, each with its reason. With RECORD=FILE, each tool
# also writes its row of FILE, a robustness.csv.
#
# usage: sh tools/analyze.sh [gcc] [clang-tidy] [cppcheck]
set -eu
. "$(dirname "$0")/../tests/robust/record.sh"
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- gcc clang-tidy cppcheck
build=build-analyze
found=0
sources=$(git ls-files 'core/*.c' 'integrators/*.c' 'problems/*.c' 'analysis/*.c' 'bench/*.c')

report() { # report TOOL: what of $build/TOOL.txt is not in the list; lines FILE:LINE...: TEXT [CHECK]
    grep -v '^#' tools/analyze.txt >"$build/known.txt" || true
    sed "s|$PWD/||; s|^$build/layers/[a-z]*/||" "$build/$1.txt" | grep -E '^[a-z][^:]*:[0-9]+.*(warning|error): ' |
        sort -u >"$build/$1.all" || true
    grep -vEf "$build/known.txt" "$build/$1.all" >"$build/$1.found" || true
    count=$(wc -l <"$build/$1.found")
    echo "$1: $count found"
    cat "$build/$1.found"
    [ "$count" -eq 0 ] || found=1
    [ -z "${RECORD:-}" ] ||
        record "$RECORD" analyze "$1: the files of all layers" "$(echo "$sources" | wc -l)" "$count" \
            "$(($(wc -l <"$build/$1.all") - count)) reports are no errors, for the reasons in tools/analyze.txt"
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
