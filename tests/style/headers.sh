#!/bin/sh
# An author reads few lines: the headers that docs/adding-a-stepper.md and docs/adding-a-problem.md name stay short.
. "$SOURCE_DIR/tests/prelude.sh"

cd "$SOURCE_DIR/include/stepbench"
short() { # short LINES HEADER...
    most=$1
    shift
    lines=$(cat "$@" | wc -l)
    [ "$lines" -le "$most" ] || fail "$* have $lines lines, which is more than $most"
}
short 300 stepper.h system.h features.h arena.h entry.h
short 250 problem.h entry.h pattern.h
