#!/bin/sh
# Single precision: errors above its round-off, the size of its round-off beside that of double precision, contacts
# whose rows depend on each other, plug-ins, and what the program refuses.
. "$SOURCE_DIR/tests/prelude.sh"

[ -x "$BUILD_DIR/stepbench_single" ] || exit 77

# Errors are those of quadruple precision up to round-off: 64 steps at most, of roundings of 6e-8, whose effect grows
# with time.
order() { # order PROBLEM STEPPER STEPS
    for precision in quad single; do
        "$STEPBENCH" --precision=$precision order -p "$1" -s "$2" --h "$3" --t-end 1.6 --columns err_q --format csv |
            grep '^[0-9]' || fail "$1 $2: status $?"
    done >errors
    awk '{ x[NR] = $1 } END { for (i = 1; i <= 2; i++) { d = x[i] - x[i + 2]
                              if (!(x[i] > 1e-4 && d < 1e-5 && d > -1e-5) || d == 0) exit 1 } exit NR != 4 }' errors ||
        fail "$1 $2: $(cat errors)"
}
if [ -x "$BUILD_DIR/stepbench_quad" ]; then
    order oscillator verlet 0.2,0.1
    order oscillator rk4 0.8,0.4
    order kepler splitting:method=position_verlet 0.1,0.05
    order pendulum shake 0.1,0.05
    order pendulum spook 0.05,0.025
fi

# The option may stand anywhere before "--".
"$STEPBENCH" --precision=single run -p kepler -s verlet --h 0.1 --steps 1 >before
"$STEPBENCH" run -p kepler --precision single -s verlet --h 0.1 --steps 1 >behind || fail "an option behind the command"
cmp before behind || fail "the option behind the command computes other rows"

# The roundings of a step are 2^29 times those of double precision. Both are means over 4 runs, of random walks: a
# factor of 4 either way.
[ ! -x "$BUILD_DIR/stepbench_quad" ] || for of in single double; do
    "$STEPBENCH" roundoff -p oscillator -s verlet --h 0.01 --steps 1024 --runs 4 --of $of --columns steps,err_q |
        grep '^1024,' || fail "roundoff of $of"
done | awk -F, '{ x[NR] = $2 } END { ratio = x[1] / x[2] / 2^29; exit !(NR == 2 && ratio > 0.25 && ratio < 4) }' ||
    fail "round-off of both precisions"

# A box slides on two corners, whose equations depend on each other: q = a t^2/2, a = g (sin 0.5 - 0.4 cos 0.5) = 1.26,
# is 6.3 mm after 0.1 s, and 10 % more by ten steps of first order.
"$STEPBENCH" --precision=single run -p block_incline -s spook --h 0.01 --t-end 0.1 -o box.csv ||
    fail "block_incline: status $?"
tail -1 box.csv | awk -F, '{ exit !($3 > 0.0062 && $3 < 0.0072) }' || fail "a box that slides: $(tail -1 box.csv)"

sed 's/(heun)/(brought_heun)/; s/"heun"/"brought_heun"/; s/double/sb_scalar/g' "$SOURCE_DIR/tests/plugin/heun.c" >heun.c
"$STEPBENCH" --precision=single --plugin heun.c run -p oscillator -s brought_heun --h 1/3 --t-end 1/3 >out ||
    fail "a plug-in: status $?"
grep -q '^1,0.33333334,0.9444444[0-9]*,' out || fail "a plug-in: $(cat out)" # 1 - h^2/2 = 17/18

refuses() {
    words=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] && grep -q "$words" err && [ "$(wc -l <err)" -eq 1 ] || fail "$*: status $status, $(cat err)"
}
refuses "the other precisions are quad and single" --precision=half run -p kepler
refuses "the other precisions are quad and single" run -p kepler --precision
refuses "needs a command" --precision single
refuses "single precision has no command" --precision=single reference pendulum --t-end 1
refuses "needs one of --t-end and --steps" --precision=single run -p kepler -s verlet --h 0.1 --t-end 1 --steps 10
