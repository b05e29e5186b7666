#!/bin/sh
# torture_fuzz.sh FUZZ FIRST COUNT FILE: random command lines, in slices, as many at a time as this process may use
# processors; what was found goes to standard output, the sum to the row of FILE.
set -eu
fuzz=$1
first=$2
count=$3
file=$4
. "$(dirname "$0")/record.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OPENBLAS_NUM_THREADS=1

# 10 000 lines each: a slice that ends shows how far the run is.
i=0
while [ $((10000 * i)) -lt "$count" ]; do
    rest=$((count - 10000 * i))
    echo "$((first + 10000 * i)) $((rest < 10000 ? rest : 10000)) $folder/$i"
    i=$((i + 1))
done | xargs -P "$(nproc)" -L 1 sh -c '"$0" "$1" "$2" >"$3" || true; tail -1 "$3" >&2; sed "\$d" "$3"' "$fuzz"

run=$(cat "$folder"/* | sed -n 's/^\([0-9]*\) command lines from .*/\1/p' | awk '{ n += $1 } END { print n + 0 }')
findings=$(cat "$folder"/* | sed -n 's/.*; findings: \([0-9]*\)$/\1/p' | awk '{ n += $1 } END { print n + 0 }')
pattern='s/.*exit status 0 \([0-9]*\) times, 1 \([0-9]*\), 2 \([0-9]*\), 3 \([0-9]*\);.*/\1 \2 \3 \4/p'
statuses=$(cat "$folder"/* | sed -n "$pattern" |
    awk '{ a += $1; b += $2; c += $3; d += $4 } END { printf "%d/%d/%d/%d", a, b, c, d }')
lines="random command lines $first to $((first + count - 1))"
record "$file" fuzz "$lines under AddressSanitizer and UndefinedBehaviorSanitizer" "$run" "$findings" \
    "exit status 0/1/2/3: $statuses"
[ "$run" -eq "$count" ] && [ "$findings" -eq 0 ]
