#!/bin/sh
# torture_fuzz.sh FUZZ FIRST COUNT FILE [--files]: random command lines, or damaged files, in slices, as many at a time as
# this process may use processors; what was found goes to standard output, the sum to the row of FILE.
set -eu
fuzz=$1
first=$2
count=$3
file=$4
what=${5:-}
. "$(dirname "$0")/record.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OPENBLAS_NUM_THREADS=1

# 10 000 lines each: a slice that ends shows how far the run is.
i=0
while [ $((10000 * i)) -lt "$count" ]; do
    rest=$((count - 10000 * i))
    echo "$folder/$i $((first + 10000 * i)) $((rest < 10000 ? rest : 10000)) $what"
    i=$((i + 1))
done | xargs -P "$(nproc)" -L 1 sh -c 'to=$1; shift; "$0" "$@" >"$to" || true; tail -1 "$to" >&2; sed "\$d" "$to"' "$fuzz"

run=$(cat "$folder"/* | sed -n 's/^\([0-9]*\) [a-z]* [a-z]* from number .*/\1/p' | awk '{ n += $1 } END { print n + 0 }')
findings=$(cat "$folder"/* | sed -n 's/.*; findings: \([0-9]*\)$/\1/p' | awk '{ n += $1 } END { print n + 0 }')
pattern='s/.*exit status 0 \([0-9]*\) times, 1 \([0-9]*\), 2 \([0-9]*\), 3 \([0-9]*\);.*/\1 \2 \3 \4/p'
statuses=$(cat "$folder"/* | sed -n "$pattern" |
    awk '{ a += $1; b += $2; c += $3; d += $4 } END { printf "%d/%d/%d/%d", a, b, c, d }')
lines="$([ -n "$what" ] && echo "damaged files" || echo "random command lines") $first to $((first + count - 1))"
record "$file" fuzz "$lines under AddressSanitizer and UndefinedBehaviorSanitizer" "$run" "$findings" \
    "exit status 0/1/2/3: $statuses"
[ "$run" -eq "$count" ] && [ "$findings" -eq 0 ]
