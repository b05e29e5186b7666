#!/bin/sh
# valgrind.sh TEST...: runs test programs under valgrind. Names each and prints what valgrind finds; exits with 1 if
# that is anything. With RECORD=FILE, also writes the row of FILE, a robustness.csv.
set -eu
. "$(dirname "$0")/../tests/robust/record.sh"
names=
failed=
for test in "$@"; do
    if [ -f "$test" ] && [ -x "$test" ]; then
        name=$(basename "$test")
        echo "$name"
        valgrind --quiet --leak-check=full --error-exitcode=1 "$test" || failed="$failed $name"
        names="$names ${name#test_}"
    fi
done
[ -z "${RECORD:-}" ] ||
    record "$RECORD" valgrind "test programs" "$(echo "$names" | wc -w)" "$(echo "$failed" | wc -w)" \
    "failed:${failed:- none}; run:$names"
[ -z "$failed" ]
