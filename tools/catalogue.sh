#!/bin/sh
# Writes the catalogue, one line per registered entry, to the file named or to standard output. $STEPBENCH is the
# program.
set -eu

catalogue() {
    echo "# Catalogue"
    echo
    printf '%s ' 'One line per entry. `stepbench show NAME` prints its parameters, features and columns;'
    echo '`stepbench list --matrix` says which'
    echo "stepper takes which problem. \`make docs\` writes this file."
    for kind in steppers compounds problems formulations solvers lcp_solvers analyses experiments; do
        printf '\n## %s\n\n' "$kind"
        "$STEPBENCH" list "$kind" --format md
    done
}

if [ $# -eq 0 ]; then
    catalogue
else
    catalogue >"$1.tmp"
    mv "$1.tmp" "$1"
fi
