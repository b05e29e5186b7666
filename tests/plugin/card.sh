#!/bin/sh
# A stepper's card states the truth about it: what misbehaves is caught and named, on the page and by the exit status,
# and nothing takes the bench with it.
. "$SOURCE_DIR/tests/prelude.sh"

build() { # build NAME FLAGS...
    name=$1
    shift
    "$CC" -std=c11 -O2 -D_DEFAULT_SOURCE -I"${INCLUDE:-$SOURCE_DIR/include}" -DSB_PLUGIN "$@" -shared -fPIC \
        "$SOURCE_DIR/tests/plugin/bad.c" -o "$name.so"
}

card() { # card NAME: its card against one baseline, which keeps it quick
    "$STEPBENCH" card "./$1.so" --against euler_explicit --seconds 1 -o "$1.html" 2>err
}

says() { # says NAME PATTERN
    sed 's/<[^>]*>//g' "$1.html" | grep -q "$2" ||
        fail "the card of $1 does not say \"$2\": $(sed 's/<[^>]*>//g' "$1.html" | grep -A 8 'what it claims')"
}

build good
card good
says good "All [0-9]* checks passed"
! grep -Eq '(src|srcset|data)="http|<link|@import' good.html || fail "a card asks the network for something"
grep -q '"alt":"Error against step on oscillator: bad from' good.html ||
    fail "its pictures say nothing to those who don't see them"

number=0
for expected in "writes to the state it starts from (numbers changed: 1)" \
    "something survives in it that is not in the state" "v0 became nan" "reports a velocity that is not finite" \
    "did not return within 1 s of processor time, in step 4" "crashed in step 5.*Segmentation" \
    "crashed in step 1 .*Abort" "ended the process with exit status 0 in step 1" \
    "did not return within 10 s" "crashed in step"; do
    number=$((number + 1))
    [ $number -eq 9 ] && continue # asleep: below, for it takes ten seconds
    # A crash is the sanitizers' to tell, in their own way.
    [ "${SB_SANITIZE:-OFF}" = ON ] && [ $number -ge 5 ] && [ $number -le 10 ] && continue
    build "bad$number" -DMISBEHAVIOUR=$number
    expected_status=0
    [ $number -ge 5 ] && expected_status=3 # on every problem
    status=0
    card "bad$number" || status=$?
    [ $status -eq $expected_status ] || fail "misbehaviour $number: exit status $status: $(cat err)"
    says "bad$number" "$expected"
done

# What it claims and is not; and one that asks for more memory than there is, which is no crash: analyses that end with
# it are reported with their names.
build four -DORDER=4
card four
says four "claims order 4"
says four "four.so of $(date -u +%Y-%m-%d)"
build energy -DKEEPS=SB_KEEPS_ENERGY
card energy
says energy "claims to keep the energy"
if [ "${SB_SANITIZE:-OFF}" != ON ]; then
    build hoards -DMISBEHAVIOUR=13
    status=0
    card hoards || status=$?
    [ $status -eq 1 ] && grep -q "lost: .*out of memory" err ||
        fail "a card without all of its analyses: exit status $status: $(cat err)"
    says hoards "step 4 of length .* fails: out of memory"
    says hoards "kepler, workprec: out of memory"
fi

# After three problems on which it doesn't return nothing more is tried.
[ "${SB_SANITIZE:-OFF}" = ON ] || says bad5 "did not return on 3 of the 3 problems"
[ "${SB_SANITIZE:-OFF}" = ON ] || says bad5 "not tried: it had crashed, or not returned, on three problems before"

# One that sleeps uses no processor time: the clock ends it.
build asleep -DMISBEHAVIOUR=9
status=0
"$STEPBENCH" compare --plugin ./asleep.so -s bad -p oscillator --seconds 1 --format csv >asleep.csv 2>err || status=$?
[ $status -eq 3 ] || fail "compare of a stepper that nowhere returns: exit status $status"
grep -q "did not return within 10 s, in step 1" asleep.csv ||
    fail "one that sleeps is not reported: $(cat asleep.csv err)"

# One that does not heed the signal of the limit is ended by the next; or by the clock, on a busy machine.
if [ "${SB_SANITIZE:-OFF}" != ON ]; then
    build deaf -DMISBEHAVIOUR=15
    "$STEPBENCH" compare --plugin ./deaf.so -s bad -p oscillator --seconds 1 --format csv >deaf.csv 2>err || true
    grep -q "did not return within 10* s.*, in step 1" deaf.csv ||
        fail "one that ignores the signal is not reported: $(cat deaf.csv err)"
fi

# Another interface, and a file that is no plug-in, still have a card that says so.
mkdir -p other/stepbench
cp -R "$SOURCE_DIR"/include/stepbench/. other/stepbench/
sed 's/^#define SB_ABI .*/#define SB_ABI 9999/' "$SOURCE_DIR/include/stepbench/plugin.h" >other/stepbench/plugin.h
INCLUDE=other build abi
status=0
card abi || status=$?
[ $status -eq 2 ] || fail "another interface: exit status $status"
says abi "interface 9999"
printf 'int answer = 42;\n' >none.c
"$CC" -shared -fPIC none.c -o none.so
status=0
card none || status=$?
[ $status -eq 2 ] || fail "no plug-in: exit status $status"
says none "exports no sb_plugin_entry"
printf '#include <stdlib.h>\n__attribute__((constructor)) static void now(void) { abort(); }\n' >bomb.c
"$CC" -shared -fPIC bomb.c -o bomb.so
if [ "${SB_SANITIZE:-OFF}" != ON ]; then
    status=0
    card bomb || status=$?
    [ $status -eq 2 ] || fail "a plug-in that crashes when it is loaded: exit status $status"
    says bomb "crashed while it was loaded"
fi

# compare names them too, and its front is that of the steppers compared.
if [ "${SB_SANITIZE:-OFF}" != ON ]; then
    status=0
    "$STEPBENCH" compare --plugin ./bad6.so -s bad -s verlet -p oscillator -p kepler --format csv --out side \
        >compare.csv 2>err || status=$?
    [ $status -eq 3 ] && grep -q "bad crashed or did not return on every problem" err ||
        fail "compare of a stepper that crashes everywhere: exit status $status: $(cat err)"
    grep -q '^unconstrained,kepler,bad,failed checks,,' compare.csv || fail "checks that were not made are counted"
    grep -q "bad on kepler: contract: it crashed in step 5" err || fail "compare does not tell of a crash: $(cat err)"
    grep -q "^unconstrained,kepler,bad,symplectic defect,,,,.*contract: it crashed in step 5" compare.csv ||
        fail "after a crash the other analyses are run: $(grep kepler,bad compare.csv)"
    grep -q "^unconstrained,kepler,verlet,order of q,2" compare.csv || fail "a crash costs another stepper its rows"
    for file in compare.csv compare.tex compare_work.csv; do
        [ -s "side/$file" ] || fail "compare --out writes no $file"
    done
fi
refused() { # refused PATTERN ARGUMENTS...
    pattern=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q -- "$pattern" err && [ ! -s out ] ||
        fail "stepbench $*: exit status $status, $(cat err)"
}
refused "one stepper" card
refused "one stepper" card rk4 verlet
refused "nearest: verlet" card verlot
refused "nearest: verlet" card rk4 --against verlot
refused "tua" card rk4 --against spook:eps=0,tua=2,verlet
refused "at most 7" card rk4 --against verlet,verlet,verlet,verlet,verlet,verlet,verlet,verlet
refused "none of the steppers" compare -s rk4 -p dsp

status=0
"$STEPBENCH" compare -s verlet -p kepler --times >out 2>err || status=$?
[ $status -eq 2 ] && grep -q -- "--out" err || fail "times without a folder: exit status $status, $(cat err)"

# The same card twice has the same bytes.
cp good.html first.html
card good
cmp -s good.html first.html || fail "a card differs from one run to the next"
echo "cards tell what is wrong"
