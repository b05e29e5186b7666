#!/bin/sh
# Every linear solver, in a build with SuiteSparse or without: it steps the ladder, or is refused with the package that
# brings it; `list` and `show` say which.
. "$SOURCE_DIR/tests/prelude.sh"

left_out=""
if grep -q '^SB_SUITESPARSE:BOOL=OFF' "$BUILD_DIR/CMakeCache.txt"; then
    left_out="umfpack klu cholmod"
fi

# Rows on stdout are the same in every build; what is left out is a sentence on stderr, each with its package.
"$STEPBENCH" list solvers --format csv >list.csv 2>err
sentence='is not in this build: install libsuitesparse-dev, configure with SB_SUITESPARSE=ON and build again'
for name in $left_out; do
    echo "stepbench: the linear solver $name $sentence"
done >expected
cmp -s expected err || fail "list says of what is left out: $(cat err)"
for name in dense static_ldl umfpack klu cholmod; do
    grep -q "^$name," list.csv || fail "$name is not listed: $(cat list.csv)"
done
"$STEPBENCH" list solvers --names >names

while read -r name; do
    "$STEPBENCH" show "$name" >out 2>err
    case " $left_out " in
    *" $name "*) there=no ;;
    *) there=yes ;;
    esac
    case $name in
    dense | static_ldl) package=no ;;
    *) package=yes ;;
    esac
    [ "$(grep -c '^package    libsuitesparse-dev$' out)" -eq "$([ $package = yes ] && echo 1 || echo 0)" ] ||
        fail "show $name: $(cat out)"
    [ "$(grep -c "the linear solver $name $sentence" err)" -eq "$([ $there = no ] && echo 1 || echo 0)" ] ||
        fail "show $name: stderr: $(cat err)"
    for form in saddle schur; do
        status=0
        "$STEPBENCH" run -p ladder:N=4 -s "spook:solver=$name,form=$form" --h 1/60 --steps 12 --columns t,tip_x,tip_y \
            --format csv >"$name.$form" 2>err || status=$?
        if [ $there = no ]; then
            [ $status -eq 2 ] && grep -q "$sentence" err && [ ! -s "$name.$form" ] ||
                fail "$name, which is left out: status $status: $(cat err)"
        elif [ $status -eq 2 ] && [ $form = saddle ]; then # Cholesky
            grep -q 'positive definite matrices only' err || fail "$name in the saddle form: $(cat err)"
        else
            [ $status -eq 0 ] && [ "$(grep -vc '^#' "$name.$form")" -eq 14 ] ||
                fail "$name, form=$form: status $status: $(cat err)"
        fi
    done
done <names

# All of them make the same motion, to the round-off of a dozen steps.
for file in *.saddle *.schur; do
    [ -s "$file" ] || continue
    grep -v '^#' "$file" | tail -1 >last
    grep -v '^#' dense.saddle | tail -1 | paste -d, last - |
        awk -F, '{ for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (!(d * d <= 1e-22)) exit 1 } }' ||
        fail "$file: another motion than by dense: $(cat last)"
done
echo "every solver steps, or says what brings it"
