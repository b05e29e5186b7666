#!/bin/sh
# Runs in quadruple and in single precision agree with those in double precision to the coarser round-off, and the
# programs refuse what they cannot do with one sentence.
. "$SOURCE_DIR/tests/prelude.sh"

quad=$BUILD_DIR/stepbench_quad
[ -x "$quad" ] || exit 77

# The largest difference of the coordinates and velocities of two files, which have the same rows. A hundred steps of
# motions of the size 1 to 10 add a hundred roundings of 1e-15, or of 6e-7.
agree() {
    "$STEPBENCH" run -p "$1" -s "$2" --h 0.01 --t-end 1 -o double.csv || fail "double: $1 $2"
    agree_with quad 1e-11 0 "$@"
    [ ! -x "$BUILD_DIR/stepbench_single" ] || agree_with single 1e-4 1e-8 "$@"
}
agree_with() { # agree_with PRECISION BELOW ABOVE PROBLEM STEPPER
    "$STEPBENCH" --precision="$1" run -p "$4" -s "$5" --h 0.01 --t-end 1 -o other.csv || fail "$1: $4 $5"
    awk -F, -v what="$1 $4 $5" -v below="$2" -v above="$3" '
        /^#/ { next }
        FNR == NR && !n { for (i = 1; i <= NF; i++) if ($i ~ /^[qv][0-9]+$/) { at[++n] = i; name[n] = $i }; next }
        FNR == NR { for (k = 1; k <= n; k++) x[row, k] = $at[k]; row++; next }
        !head { for (i = 1; i <= NF; i++) place[$i] = i; head = 1; next }
        { for (k = 1; k <= n; k++) { d = $place[name[k]] - x[rows, k]; if (d < 0) d = -d; if (!(d <= most)) most = d }
          rows++ }
        END { if (rows != 101 || row != 101 || !(most < below) || !(most > above)) {
                  print what ": " rows " and " row " rows, difference " most; exit 1 } }' double.csv other.csv ||
        fail "the precisions disagree"
}
agree kepler verlet
agree pendulum rattle
agree dsp shake
agree rigid_body "kahan_li6(dvp)"
agree heavy_top del
agree rolling_disk nonholonomic_variational
agree slider_crank spook

# Digits: of 1/3 thirty-three.
"$quad" run -p oscillator -s verlet --h 1/3 --t-end 1/3 -o third.csv || fail "a step of 1/3"
grep -q '0\.33333333333333333333333333333333' third.csv || fail "the time has fewer digits: $(cat third.csv)"

refuses() {
    words=$1
    shift
    if "$quad" "$@" >out 2>err; then fail "$* is accepted"; fi
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(cat err)"
    grep -q "$words" err || fail "$*: $(cat err)"
}
refuses "has no command" stability -p kepler
refuses "needs one of --t-end and --steps" run -p kepler -s verlet --h 0.1
refuses "takes one problem and one stepper" run -p kepler -p pendulum -s verlet --h 0.1 --t-end 1
refuses "needs a stepper" run -p kepler --h 0.1 --t-end 1
refuses "has no option --event; nearest: --every.*.stepbench --precision=quad run --help. names them all" run -p kepler -s verlet --event x=0
refuses "no exact solution" order -p ladder -s shake --h 0.1 --t-end 1
refuses "no two methods" reference bouncing_ball --t-end 1
refuses "not in this build" run -p ladder -s spook:solver=umfpack --h 0.1 --t-end 0.1

# Plug-ins: a C file is compiled for each precision, wherever it stands; a shared object is of one precision.
sed 's/(heun)/(brought_heun)/; s/"heun"/"brought_heun"/; s/double/sb_scalar/g' "$SOURCE_DIR/tests/plugin/heun.c" >heun.c
for words in "--precision=quad --plugin heun.c run" "--plugin heun.c --precision quad run" \
    "--precision=quad run --plugin=heun.c"; do
    # shellcheck disable=SC2086 # words of a command
    "$STEPBENCH" $words -p oscillator -s brought_heun --h 1/3 --t-end 1/3 >out || fail "$words"
    # One step from (1, 0): 1 - h^2/2 = 17/18.
    grep -q '0\.944444444444444444444444444444444' out || fail "$words: $(cat out)"
done
"$STEPBENCH" roundoff --plugin heun.c -p oscillator -s brought_heun --h 1/64 --steps 1024 --runs 2 >out 2>err ||
    fail "roundoff of a plug-in: $(cat err)"
grep -q '^1024,16,[1-9][0-9.]*e-1[3-6],' out || fail "roundoff of a plug-in: $(cat out)"
"$CC" -O2 -ffp-contract=off -D_DEFAULT_SOURCE -DSB_PLUGIN -I"$SOURCE_DIR/include" -shared -fPIC heun.c -o heun.so
if "$STEPBENCH" roundoff --plugin ./heun.so -p oscillator -s brought_heun --h 1/64 >out 2>err; then
    fail "a shared object in two precisions"
fi
grep -q 'heun.so was compiled for another precision: give its C file, which is compiled for each' err ||
    fail "a shared object in two precisions: $(cat err)"
