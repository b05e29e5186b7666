#!/bin/sh
# A figure is whole or absent when the disk is full in the midst of it, the run says so and fails, and --resume draws
# it.
# The disk is full where a file reaches its limit of size: gnuplot, too, gets an error for what it writes beyond.
. "$SOURCE_DIR/tests/prelude.sh"
command -v gnuplot >/dev/null || exit 77
name=wm96_scaling

"$STEPBENCH" bench $name --out whole 2>err || fail "$(cat err)"
drawn=$(ls whole/*.svg whole/*.png)
[ "$(echo "$drawn" | wc -l)" -ge 2 ] || fail "no figures: $(ls whole)"

size() {
    wc -c <"$1"
}

# limited BYTES: a run in which no file can have more; a picture may be made from a larger one.
limited() {
    status=0
    (
        ulimit -f "$(($1 / $(block)))"
        exec "$STEPBENCH" bench $name --out out 2>err
    ) || status=$?
    [ $status -eq 1 ] || fail "at most $1 bytes: exit status $status: $(cat err)"
    absent=0
    for file in $drawn; do
        copy=out/${file#whole/}
        if [ ! -e "$copy" ]; then
            absent=$((absent + 1))
        else
            cmp -s "$file" "$copy" || fail "at most $1 bytes: $copy has $(size "$copy") of $(size "$file") bytes"
        fi
    done
    [ $absent -gt 0 ] || fail "at most $1 bytes: nothing is missing: the test has to leave less room"
    grep -q "^stepbench: experiment $name failed: .*\(cannot be written\|disk of temporary files is full\)" err ||
        fail "at most $1 bytes: no sentence: $(cat err)"
    [ -z "$(find out -name '*.tmp-*')" ] || fail "at most $1 bytes: $(find out -name '*.tmp-*')"
}

# The unit of ulimit -f, 512 or 1024 bytes as the shell likes.
block() {
    (
        ulimit -f 1
        trap '' XFSZ
        head -c 2000 /dev/zero >unit 2>/dev/null || true
        size unit
    )
}

# Room for all tables, and for none of the pictures, half of them, or all but the largest.
for file in whole/$name*.csv; do
    size "$file"
done | sort -n | tail -1 >table
for file in $drawn; do
    size "$file"
done | sort -n >pictures
largest=$(tail -1 pictures)
smallest=$(head -1 pictures)
[ "$(cat table)" -lt "$((smallest - 2048))" ] || fail "a table of $(cat table) bytes and a picture of $smallest"
for most in $((smallest - 1024)) $((smallest + 1024)) $((largest - 1024)); do
    rm -rf out
    limited "$most"
done
"$STEPBENCH" bench $name --resume --out out 2>err || fail "$(cat err)"
for file in $drawn; do
    cmp "$file" "out/${file#whole/}" || fail "after --resume"
done
echo "a figure is whole or absent"
