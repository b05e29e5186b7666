#!/bin/sh
# Writes the catalogue of everything registered to the file named, or to standard output: what `list` and `show` of $STEPBENCH say.
set -eu

catalogue() {
    echo "# Catalogue"
    echo
    echo "Everything \`stepbench list\` knows, as \`stepbench show\` tells it. Made by \`make docs\`; not written by hand."
    for kind in steppers problems formulations solvers lcp_solvers analyses experiments; do
        printf '\n## %s\n' "$kind"
        "$STEPBENCH" list "$kind" --names | while read -r name; do
            printf '\n### %s\n\n```\n' "$name"
            "$STEPBENCH" show "$name"
            echo '```'
        done
    done
    printf '\n## Which stepper takes which problem\n\n'
    "$STEPBENCH" list --matrix --format md
}

if [ $# -eq 0 ]; then
    catalogue
else
    catalogue >"$1.tmp"
    mv "$1.tmp" "$1"
fi
