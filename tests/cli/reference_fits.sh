#!/bin/sh
# A reference is refused where the equations of motion are not those that it was computed for, though the specification
# of the problem and its start are the same: a mechanism's file was edited, or a plug-in.
. "$SOURCE_DIR/tests/prelude.sh"

[ -x "$(dirname "$STEPBENCH")/stepbench_quad" ] || exit 77

fits() { # fits WORDS...: the errors of two steps against r.json
    "$STEPBENCH" order "$@" --h 0.1,0.05 --t-end 0.2 --reference r.json --format csv >out 2>err ||
        fail "refused without an edit: $(cat err)"
}
refuses() { # refuses WHAT WORDS...
    what=$1
    shift
    status=0
    "$STEPBENCH" order "$@" --h 0.1,0.05 --t-end 0.2 --reference r.json >out 2>err || status=$?
    [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "r.json was computed for other equations .*$what" err ||
        fail "an edit is accepted: status $status, $(cat err)"
}

# The inertia of a bar is larger by 1e-9 of itself.
cp "$SOURCE_DIR/problems/mechanisms/four_bar.json" bars.json
"$STEPBENCH" reference mechanism:file=bars.json --t-end 0.2 --goal 1e-8 -o r.json >made || fail "reference: status $?"
fits -p mechanism:file=bars.json -s rattle
sed '/rocker.*mass/s/0.08333333333333333/0.08333333341666666/' bars.json >edited.json
! cmp -s bars.json edited.json || fail "nothing is edited"
mv edited.json bars.json
refuses "at its sample [01], acceleration" -p mechanism:file=bars.json -s rattle

# A plug-in: the force along the second axis at the start changes by 1e-9 of itself.
sed 's/henon_heiles/brought/' "$SOURCE_DIR/problems/henon_heiles.c" >brought.c
CPATH=$SOURCE_DIR
export CPATH # the plug-in includes a header of the problems
"$STEPBENCH" --plugin ./brought.c reference brought --t-end 0.2 --goal 1e-8 -o r.json >made || fail "plug-in: status $?"
fits --plugin ./brought.c -p brought -s verlet
sed 's/= q\[1\] + (q/= 1.000000001 * q[1] + (q/' brought.c >edited.c
! cmp -s brought.c edited.c || fail "nothing is edited"
mv edited.c brought.c
refuses "at its sample 0, acceleration 1" --plugin ./brought.c -p brought -s verlet
