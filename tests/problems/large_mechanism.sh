#!/bin/sh
# Mechanisms of thousands of bodies start in time that grows with the joints. A dense solve of these would take minutes of
# processor time.
. "$SOURCE_DIR/tests/prelude.sh"

large() { # large ARGUMENTS...: within 60 s of processor time, also under a sanitizer
    (ulimit -t 60 && "$STEPBENCH" "$@" >out 2>err) || fail "stepbench $*: $(cat err)"
}

# ---- A chain of 10 000 links that starts horizontally. Links fall freely but for the pin: |g| of spook
# is of the order of h^2 g. ----
awk 'BEGIN {
    n = 10000
    printf "{\"gravity\": [0, -9.81], \"bodies\": {"
    for (k = 0; k < n; k++) printf "%s\"b%d\": {\"mass\": 1, \"inertia\": 0.08, \"position\": [%.1f, 0]}", (k ? "," : ""), k, k + 0.5
    printf "}, \"joints\": ["
    for (k = 0; k < n; k++) printf "%s{\"type\": \"revolute\", \"bodies\": [\"%s\", \"b%d\"], \"points\": [[%s, 0], [-0.5, 0]]}", (k ? "," : ""), (k ? "b" (k - 1) : "ground"), k, (k ? "0.5" : "0")
    printf "]}\n"
}' >chain.json
large run -p mechanism:file=chain.json -s spook --h 1e-3 --steps 2 --columns t,g_max --format csv
[ "$(grep -v '^#' out | awk -F, 'NR > 1 && $2 <= 1e-5' | wc -l)" -eq 3 ] || fail "the chain: $(cat out)"

# ---- 700 parallelograms in a row, each with a third crank, of which one row depends on the others; the joints are not in
# the order of the bodies, and the bars are given off their place. 7 coordinates of a cell, 12 rows of rank 11. ----
awk 'BEGIN {
    n = 700
    printf "{\"bodies\": {"
    for (k = 0; k < n; k++) {
        printf "%s\"bar%d\": {\"mass\": 2, \"inertia\": 0.5, \"position\": [%.2f, 0.61]}", (k ? "," : ""), k, 5 * k + 1.01
        for (c = 0; c < 3; c++) printf ", \"crank%d_%d\": {\"mass\": 1, \"inertia\": 0.1, \"position\": [%.1f, 0.4], \"angle\": 0.9273}", k, c, 5 * k + c + 0.3
    }
    printf "}, \"independent\": ["
    for (k = 0; k < n; k++) printf "%s\"crank%d_0.angle\"", (k ? "," : ""), k
    printf "], \"joints\": ["
    for (c = 0; c < 3; c++) for (k = 0; k < n; k++) {
        printf "%s{\"type\": \"revolute\", \"bodies\": [\"ground\", \"crank%d_%d\"], \"points\": [[%d, 0], [-0.5, 0]]},", (k + c ? "," : ""), k, c, 5 * k + c
        printf "{\"type\": \"revolute\", \"bodies\": [\"crank%d_%d\", \"bar%d\"], \"points\": [[0.5, 0], [%d, 0]]}", k, c, k, c - 1
    }
    printf "]}\n"
}' >cells.json
large show mechanism:file=cells.json
tr '\n' ' ' <out | tr -s ' ' >line
grep -q "redundant rank 7700 of 8400 rows; joints\[2801\] revolute crank0_2-bar0: 1 of 2 rows redundant; joints\[2803\]" line ||
    fail "the cells: $(grep -A4 '^redundant' out)"

# ---- A chain of 10 000 four-bars, whose masses are coupled: the inverse of its mass matrix has 4e8 entries. ----
for stepper in spook rattle; do
    large run -p four_bar:N=10000 -s $stepper --h 1e-3 --steps 2 --columns t,g_max --format csv
done

# ---- 2 000 arms on one hub, whose rows have the coordinates of the hub in common; and a second pin of the hub. ----
awk 'BEGIN {
    n = 2000
    printf "{\"bodies\": {\"hub\": {\"mass\": 1, \"inertia\": 1}"
    for (k = 0; k < n; k++) printf ", \"arm%d\": {\"mass\": 1, \"inertia\": 0.1, \"position\": [%.2f, 0]}", k, k + 0.5
    printf "}, \"joints\": [{\"type\": \"revolute\", \"bodies\": [\"ground\", \"hub\"], \"points\": [[0, 0], [0, 0]]}"
    for (k = 0; k < n; k++) printf ", {\"type\": \"revolute\", \"bodies\": [\"hub\", \"arm%d\"], \"points\": [[%d, 0], [-0.5, 0]]}", k, k
    printf ", {\"type\": \"prismatic\", \"bodies\": [\"ground\", \"hub\"], \"points\": [[0, 0], [0, 0]], \"axes\": [[1, 0], [1, 0]]}]}\n"
}' >hub.json
large show mechanism:file=hub.json
tr '\n' ' ' <out | tr -s ' ' >line
grep -q "redundant rank 4003 of 4004 rows; joints\[2001\] prismatic ground-hub: 1 of 2 rows redundant [a-z]" line ||
    fail "the hub: $(grep -A4 '^redundant' out)"

# ---- A net of 60 x 60 bodies whose bars come in a scattered order: an order of elimination is found. ----
awk 'BEGIN {
    n = 60
    printf "{\"bodies\": {"
    for (x = 0; x < n; x++) for (y = 0; y < n; y++)
        printf "%s\"p%d_%d\": {\"mass\": 1, \"inertia\": 0.1, \"position\": [%d, %d]}", (x + y ? "," : ""), x, y, x, y
    printf "}, \"joints\": ["
    for (k = 0; k < n * n; k++) { # 1009 and 3600 have no common divisor
        x = int(k * 1009 % 3600 / n); y = k * 1009 % n
        if (x > 0) printf "%s{\"type\": \"distance\", \"bodies\": [\"p%d_%d\", \"p%d_%d\"], \"points\": [[0, 0], [0, 0]], \"length\": 1}", (count++ ? "," : ""), x - 1, y, x, y
        if (y > 0) printf "%s{\"type\": \"distance\", \"bodies\": [\"p%d_%d\", \"p%d_%d\"], \"points\": [[0, 0], [0, 0]], \"length\": 1}", (count++ ? "," : ""), x, y - 1, x, y
    }
    printf "]}\n"
}' >net.json
large show mechanism:file=net.json
grep -q "10800 coordinates, 7080 holonomic" out || fail "the net: $(head -5 out)"
grep -q "^redundant" out && fail "a net of bars in one plane is independent: $(cat out)"
exit 0
