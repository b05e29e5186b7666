#!/bin/sh
# torture_allocations.sh BUILD FILE [COMMAND...]: every allocation of the commands of allocations.c (those named, or
# all) fails once; of the two that take seconds, 400 of them. What was found goes to standard output, the sum to the row
# of FILE.
set -eu
build=$(realpath "$1")
file=$(realpath "$2")
shift 2
. "$(dirname "$0")/record.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$build/tests/allocations" "$build/tests/libfail_allocation.so" "$build/stepbench" "$folder" 0 "$@" \
    >"$folder/report" || true
grep -vE '^[a-z_]+(,[0-9]+){4}$' "$folder/report" || true
grep -E '^[a-z_]+(,[0-9]+){4}$' "$folder/report" | tee /dev/stderr >"$folder/sums"
commands=$(cut -d, -f1 "$folder/sums" | tr '\n' ' ')
sum() {
    awk -F, -v k="$1" '{ n += $k } END { print n + 0 }' "$folder/sums"
}
record "$file" allocations "one allocation failing in: ${commands% }" "$(sum 3)" "$(sum 4)" \
    "$(sum 2) allocations in all; a library ended the process in $(sum 5) tries"
[ "$(sum 4)" -eq 0 ] && [ "$(sum 3)" -gt 0 ]
