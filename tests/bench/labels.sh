#!/bin/sh
# Every axis of a committed figure has the label that its script sets: gnuplot leaves out a text that would begin
# outside the picture.
. "$SOURCE_DIR/tests/prelude.sh"

for script in "$SOURCE_DIR"/bench/experiments/*/*.gp; do
    name=$(basename "$script" .gp)
    for figure in "$SOURCE_DIR/results/$name.svg" "$SOURCE_DIR/results/times/$name.svg"; do
        [ -f "$figure" ] || continue
        tr '\n' ' ' <"$figure" | sed 's/<[^>]*>//g' >text
        grep -E '^ *set (x|y|y2|cb)label ' "$script" | grep -oE "(eq )?'[^']*'" | grep -v '^eq' | tr -d "'{}_^" |
            sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' | grep . >labels || continue
        while read -r label; do
            grep -qF -- "$label" text || echo "$name: $label"
        done <labels
    done
done >missing
[ -s missing ] && fail "labels that are not in the figure: $(cat missing)"
echo "every label is in its figure"
