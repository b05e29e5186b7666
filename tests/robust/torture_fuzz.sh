#!/bin/sh
# torture_fuzz.sh FUZZ FIRST COUNT FILE [--files]: random command lines, or damaged files, in slices of 5 000, FUZZ_JOBS
# at a time (as many as this process may use processors); what was found goes to standard output, the sum to a row of
# FILE. A run that is terminated has a row of the slices up to the first that is not finished. Rows of adjacent ranges
# are added up.
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
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # three times as fast as a disk
kind=$([ -n "$what" ] && echo "damaged files" || echo "random command lines")
under="under AddressSanitizer and UndefinedBehaviorSanitizer"

i=0
while [ $((5000 * i)) -lt "$count" ]; do
    rest=$((count - 5000 * i))
    echo "$folder/$i $((first + 5000 * i)) $((rest < 5000 ? rest : 5000)) $what"
    i=$((i + 1))
done >"$folder/list"

setsid xargs -P "${FUZZ_JOBS:-$(nproc)}" -L 1 sh -c '
    to=$1
    shift
    "$0" "$@" >"$to.part" || [ $? -eq 1 ] || exit 255
    mv "$to.part" "$to"
    tail -n 1 "$to" >&2
    sed "\$d" "$to"' "$fuzz" <"$folder/list" &
run=$!
trap 'kill -TERM -$run 2>/dev/null || true' TERM INT
while kill -0 $run 2>/dev/null; do
    wait $run || true
done

# The slices that are finished, from the first one on.
slices=0
while [ -e "$folder/$slices" ]; do
    cat "$folder/$slices"
    slices=$((slices + 1))
done >"$folder/all"
[ $slices -gt 0 ] || exit 1
run=$(sed -n 's/^\([0-9]*\) [a-z]* [a-z]* from number .*/\1/p' "$folder/all" | awk '{ n += $1 } END { print n + 0 }')
findings=$(sed -n 's/.*; findings: \([0-9]*\)$/\1/p' "$folder/all" | awk '{ n += $1 } END { print n + 0 }')
pattern='s/.*exit status 0 \([0-9]*\) times, 1 \([0-9]*\), 2 \([0-9]*\), 3 \([0-9]*\);.*/\1 \2 \3 \4/p'
statuses=$(sed -n "$pattern" "$folder/all" | awk '{ a += $1; b += $2; c += $3; d += $4 } END { printf "%d/%d/%d/%d", a, b, c, d }')
record "$file" fuzz "$kind $first to $((first + run - 1)) $under" "$run" "$findings" "exit status 0/1/2/3: $statuses"
add_up "$file" "fuzz,$kind" "$under"
[ "$run" -eq "$count" ] && [ "$findings" -eq 0 ]
