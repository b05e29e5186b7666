#!/bin/sh
# `new`: what it writes compiles without a warning, in the tree and as a plug-in, does what it was begun from does, and
# takes nothing's place.
. "$SOURCE_DIR/tests/prelude.sh"

refused() { # refused PATTERN ARGUMENTS...: exit status 2, the message, and nothing written
    pattern=$1
    shift
    before=$(find . | sort)
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "stepbench $*: exit status $status, not 2"
    grep -q "$pattern" err || fail "stepbench $*: no \"$pattern\" in: $(cat err)"
    rm -f out err
    [ "$(find . | sort)" = "$before" ] || fail "stepbench $*: wrote something"
}

flags="-std=c11 -O0 -ffp-contract=off -D_DEFAULT_SOURCE"
flags="$flags -Wall -Wextra -Wno-unused-parameter -Wconversion -Wshadow -Werror"
plugin() { # plugin FOLDER NAME: against the public headers and what stands in the folder, nothing else
    # shellcheck disable=SC2086
    "$CC" $flags -DSB_PLUGIN -I"$1/$2" -I"$SOURCE_DIR/include" -shared -fPIC "$1/$2/$2.c" -o "$2.so" ||
        fail "$2, out of the tree, does not compile"
}

# ---- Out of the tree: the commands that are printed work as printed, and find this build. ----
follow() { # follow KIND NAME: begins it, and runs what is printed below "next"
    "$STEPBENCH" new "$1" "$2" --out-of-tree >said
    sed '1,/^next$/d' said >next.sh
    grep -q "cmake -S $2 -B $2/build" next.sh || fail "no next step: $(cat said)"
    sed -i '$s/$/ --format csv >order.csv/' next.sh
    CC="$CC" CFLAGS="-Wall -Wextra -Wno-unused-parameter -Wconversion -Wshadow -Werror" sh -e next.sh >log 2>&1 ||
        fail "what new $1 prints: $(cat next.sh log)"
}
follow problem brought_problem
grep -q '^brought_problem,V_qq,.*,passed,' order.csv || fail "the new problem is not checked: $(cat order.csv)"
follow formulation brought_formulation
grep -q 'brought_formulation(pendulum),rk4,.*,ok,' order.csv ||
    fail "the new formulation has no orders: $(cat order.csv)"
follow stepper brought_mine
awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["status"] == "fit" { seen = 1; if ($at["slope_q"] < 1.95 || $at["slope_q"] > 2.05) { bad = 1; exit } }
    END { exit bad || !seen }' order.csv ||
    fail "the new stepper is not of second order: $(cat order.csv)"
follow analysis brought_energy
awk -F, '/^#/ { next } !n++ { next } { seen++; if ($1 != "oscillator") { bad = 1; exit } } END { exit bad || !(seen > 100) }' order.csv ||
    fail "the new analysis has no rows: $(head -3 order.csv)"
"$STEPBENCH" new experiment brought_smith --from nonholonomic_orders --out-of-tree >said
"$STEPBENCH" --plugin brought_smith/brought_smith.c bench brought_smith --plan --out trial >plan 2>merge
grep -q -- '--plugin brought_smith/brought_smith.c$' plan || fail "the plan lacks the plug-in: $(cat plan)"
# The figure of an experiment as a plug-in, by the plot script beside it.
if command -v gnuplot >/dev/null; then
    "$STEPBENCH" new experiment brought_figure --from wm96_fig3 --out-of-tree >said
    "$STEPBENCH" --plugin brought_figure/brought_figure.c bench brought_figure --out trial 2>said ||
        fail "an experiment with a figure: $(cat said)"
    grep -q '</svg>' trial/brought_figure.svg || fail "the figure of a plug-in is not drawn"
    sed -i '$d' brought_figure/columns.csv
    status=0
    "$STEPBENCH" --plugin brought_figure/brought_figure.c bench brought_figure --out trial 2>said || status=$?
    [ $status -ne 0 ] && grep -q 'a row has 4 cells, and its table 3 columns, h and so on' said ||
        fail "a table without its last column: status $status: $(cat said)"
fi
plugin . brought_problem
plugin . brought_formulation

# ---- Begun from everything that plug-ins can bring: it compiles alone, and its numbers are those of the original. ----
mkdir from
all=""
for kind in stepper problem formulation; do
    for name in $("$STEPBENCH" list ${kind}s --names); do
        "$STEPBENCH" new "$kind" "brought_$name" --from "$name" --out-of-tree --dir from >said
        case " verlet rk4 spook kepler ladder pendulum baumgarte " in
        *" $name "*)
            plugin from "brought_$name"
            all="$all --plugin brought_$name.so"
            ;;
        *) # the same but for the machine code
            # shellcheck disable=SC2086
            "$CC" $flags -DSB_PLUGIN -I"from/brought_$name" -I"$SOURCE_DIR/include" -fsyntax-only \
                "from/brought_$name/brought_$name.c" || fail "brought_$name does not compile"
            ;;
        esac
    done
done
same() { # same ARGUMENTS...: the same rows with brought_ before every name
    # shellcheck disable=SC2086
    "$STEPBENCH" $all run "$@" --format csv | grep -v '^#' >original
    renamed=$(echo "$*" | sed -E 's/-([psw]) /-\1 brought_/g')
    # shellcheck disable=SC2086
    "$STEPBENCH" $all run $renamed --format csv | grep -v '^#' >copy
    [ "$(wc -l <copy)" -gt 5 ] && cmp -s original copy || fail "run $renamed differs from run $*"
}
same -p kepler -s verlet --h 1/50 --steps 20
same -p ladder -s spook --h 1/60 --steps 20
same -p pendulum -w baumgarte -s rk4 --h 1/60 --steps 20

# ---- In a tree: the file, the line, what is known to fail; compiled as the tree compiles it. ----
mkdir -p tree/integrators tree/problems/formulations tree/analysis tree/bench/experiments/general tree/tests
for list in integrators problems problems/formulations analysis bench/experiments/general; do
    cp "$SOURCE_DIR/$list/list.def" "tree/$list/"
done
cp "$SOURCE_DIR/tests/expected_fail.csv" tree/tests/
intree() { # intree KIND FOLDER MACRO OPTIONS...
    kind=$1 folder=$2 macro=$3
    shift 3
    "$STEPBENCH" new "$kind" "brought_$kind" --dir tree "$@" >said
    # shellcheck disable=SC2086
    "$CC" $flags -I"$SOURCE_DIR" -I"$SOURCE_DIR/include" -c "tree/$folder/brought_$kind.c" -o own.o ||
        fail "brought_$kind, in the tree, does not compile"
    { cat "$SOURCE_DIR/$folder/list.def" && echo "$macro(brought_$kind)"; } | cmp -s - "tree/$folder/list.def" ||
        fail "$folder/list.def: $(tail -2 "tree/$folder/list.def")"
}
intree stepper integrators SB_STEPPER --from vts
[ "$(grep -c '^brought_stepper' tree/tests/expected_fail.csv)" -eq \
    "$(grep -cE '^([^,]*[|])?vts[,|]' "$SOURCE_DIR/tests/expected_fail.csv")" ] || fail "known failures of vts"
intree problem problems SB_PROBLEM
intree formulation problems/formulations SB_FORMULATION
intree analysis analysis SB_ANALYSIS
intree experiment bench/experiments/general SB_EXPERIMENT
grep -q '^brought_experiment,.*,brought_experiment.csv ' tree/bench/experiments/general/experiments.csv ||
    fail "the files of the new experiment have the old name"
"$STEPBENCH" new experiment brought_defects --from defects --dir tree >said
grep -q "brought_defects.csv" tree/bench/experiments/general/brought_defects.gp || fail "no plot script"
[ "$(grep -c '^brought_defects,' tree/bench/experiments/general/columns.csv)" -eq \
    "$(grep -c '^defects,' "$SOURCE_DIR/bench/experiments/general/columns.csv")" ] || fail "no columns of the copy"
"$STEPBENCH" new analysis brought_drift --from drift --dir tree >said
grep -q '{"brought_drift"' tree/analysis/brought_drift.c || fail "the new analysis has the old name"
"$STEPBENCH" new problem brought_top --from heavy_top --dir tree >said
grep -q '^[^,]*|reg|[^,]*,brought_top,start_lambda,0,' tree/tests/expected_fail.csv || fail "known failures on heavy_top"
# In the tree and out of it the source is the same.
"$STEPBENCH" new stepper brought_stepper --from vts --out-of-tree >said
cmp -s brought_stepper/brought_stepper.c tree/integrators/brought_stepper.c ||
    fail "in the tree the source is another one"

# ---- What is refused. ----
cp brought_mine/brought_mine.c kept
refused 'brought_mine.c is there already' new stepper brought_mine --out-of-tree
cmp -s brought_mine/brought_mine.c kept || fail "a file was overwritten"
refused 'brought_stepper.c is there already\|has the line' new stepper brought_stepper --dir tree
rm tree/integrators/brought_stepper.c
refused 'has the line SB_STEPPER(brought_stepper)' new stepper brought_stepper --dir tree
refused 'source tree' new stepper other
refused 'nearest: my_method' new stepper My-Method
refused 'is no stepper name' new stepper 2
refused 'a stepper of this name' new stepper verlet
refused 'a problem of this name' new stepper dsp
refused 'it is a command' new analysis bench --dir tree
refused 'nearest: stepper' new steper other
refused 'not 1 word' new stepper
refused 'nearest: verlet' new stepper other --from verlett --out-of-tree
refused 'no stepper but a problem' new stepper other --from dsp --out-of-tree
refused 'nearest: drift' new analysis other --from drifft --dir tree
refused 'no option --form; nearest: --from' new stepper other --form verlet
echo "new begins what compiles and works, and overwrites nothing"
