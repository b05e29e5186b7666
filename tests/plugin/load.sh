#!/bin/sh
# Plug-ins: a stepper compiled out of the tree against the headers alone is listed, shown, run and analysed like a
# built-in;
# what is no plug-in is refused with a sentence and exit status 2.
. "$SOURCE_DIR/tests/prelude.sh"

plugin() { # plugin OUTPUT SOURCE FLAGS...
    output=$1
    source=$2
    shift 2
    "$CC" -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -Werror -D_DEFAULT_SOURCE \
        -I"$SOURCE_DIR/include" "$@" -shared -fPIC "$source" -o "$output"
}

refused() { # refused PATTERN ARGUMENTS...: exit status 2 and a message on stderr, nothing on stdout
    pattern=$1
    shift
    status=0
    "$STEPBENCH" "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "stepbench $*: exit status $status, not 2"
    grep -q "$pattern" err || fail "stepbench $*: no \"$pattern\" in: $(cat err)"
    [ ! -s out ] || fail "stepbench $*: printed something"
}

# Under a name that stays free when somebody follows the documentation and adds heun to the tree.
sed 's/(heun)/(brought_heun)/; s/"heun"/"brought_heun"/' "$SOURCE_DIR/tests/plugin/heun.c" >heun.c
plugin heun.so heun.c -DSB_PLUGIN

# Without it there is no such stepper; with it there is, wherever --plugin stands and with or without a folder in its
# name.
refused brought_heun show brought_heun
"$STEPBENCH" --plugin ./heun.so list steppers --names | grep -qx brought_heun || fail "heun is not listed"
"$STEPBENCH" show brought_heun --plugin heun.so | grep -q "trapezoidal" || fail "heun is not shown"

# The method itself: on x'' = -x one step from (1, 0) gives x = 1 - h^2/2, v = -h.
"$STEPBENCH" --plugin ./heun.so run -p oscillator:m=1,omega=1,gamma=0,x0=1,v0=0 -s brought_heun --h 1/2 --steps 1 \
    --format csv >run.csv
grep -v '^#' run.csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 3 { seen = 1; if ($at["q0"] != 0.875 ||
        $at["v0"] != -0.5) { print "q0, v0 = " $at["q0"] ", " $at["v0"]; bad = 1; exit } }
    END { exit bad || !seen }' || fail "heun's first step is wrong: $(cat run.csv)"

# The order analysis finds two.
"$STEPBENCH" --plugin=./heun.so order -p oscillator -s brought_heun --format csv >order.csv
grep -v '^#' order.csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 2 && $at["slope_q"] != "" && $at["slope_q"] != "nan" { slopes++; if ($at["slope_q"] < 1.8 ||
        $at["slope_q"] > 2.2) bad++ }
    END { exit !(slopes >= 3 && bad == 0) }' || fail "heun is not of second order: $(cat order.csv)"

# One command gives its stability map and its thresholds. At critical drag, gamma = 2 omega, both roots are 1 - h +
# h^2/2: within the unit circle
# for h < 2, and on it as a double root there.
"$STEPBENCH" --plugin ./heun.so stability -s brought_heun --format csv >stability.csv
grep -v '^#' stability.csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && $at["value"] == 2 { cells++; if ($at["h_limit"] < 1.999 ||
        $at["h_limit"] > 2.001) bad++; if (($at["h"] < 1.9) != ($at["stable"] == "yes")) bad++ }
    END { exit !(cells == 12 && bad == 0) }' || fail "heun's stability map is wrong: $(cat stability.csv)"

# It is as good as built in where it doesn't fit, too.
refused "holonomic\|constraint" --plugin ./heun.so run -p pendulum -s brought_heun --h 1/100 --steps 1

# Two plug-ins at once, with the same names of functions in them; provenance identifies both files, and records the
# names that a glob matched.
sed 's/brought_heun/second_heun/g' heun.c >second.c
plugin second.so second.c -DSB_PLUGIN
"$STEPBENCH" --plugin ./heun.so --plugin ./second.so order -p oscillator -s '*_heun' --levels 3 -o both.csv
for name in brought_heun second_heun; do
    grep -q "^oscillator,$name,.*,fit,.*,as_claimed" both.csv || fail "two plug-ins at once: $(cat both.csv)"
    grep -q "\"name\": \"$name\"" both.csv.provenance.json || fail "no $name: $(cat both.csv.provenance.json)"
done
[ "$(grep -c '"glob": "\*_heun"' both.csv.provenance.json)" -eq 2 ] || fail "no glob: $(cat both.csv.provenance.json)"
identified() { # identified RESULT FILE: the provenance of the result has the file and its digest
    grep -A1 "\"file\": \"$2\"" "$1.provenance.json" | grep -q "\"sha256\": \"$(sha256sum <"$2" | cut -d' ' -f1)\"" ||
        fail "$2 is not identified: $(cat "$1.provenance.json")"
}
identified both.csv ./heun.so
identified both.csv ./second.so

# A C file is compiled first, and provenance names it; where it does not compile, the compiler says why.
"$STEPBENCH" --plugin heun.c order -p oscillator -s brought_heun --levels 3 -o source.csv || fail "a C file as a plug-in"
grep -q '^oscillator,brought_heun,.*,as_claimed' source.csv || fail "a C file as a plug-in: $(cat source.csv)"
identified source.csv heun.c

# So it does the files that parameters and options name.
cp "$SOURCE_DIR/problems/mechanisms/four_bar.json" bars.json
"$STEPBENCH" run -p mechanism:file=bars.json -s rattle --h 0.01 --steps 1 -o bars.csv || fail "a mechanism"
identified bars.csv bars.json
"$STEPBENCH" check ./heun.c >out 2>err || fail "check of a C file: $(cat err)"
grep -q 'brought_heun: [0-9]* checks passed' err || fail "check of a C file: $(cat err)"
"$STEPBENCH" new stepper brought_rule --from trapezoidal --out-of-tree >out # whose headers are in its directory
"$STEPBENCH" check brought_rule/brought_rule.c >out 2>err || fail "check of a C file with headers: $(cat err)"
# The parameters of the stepper follow the file.
sed 's/newmark/brought_newmark/g' "$SOURCE_DIR/integrators/newmark.c" >brought_newmark.c
"$STEPBENCH" check brought_newmark.c:gamma=0.7 --seconds 60 >out 2>err || fail "a file with parameters: $(cat err)"
grep -q '^brought_newmark:gamma=0.7: [0-9]* checks passed' err || fail "a file with parameters: $(cat err)"
refused 'brought_newmark has no parameter "gama"; nearest: gamma' check brought_newmark.c:gama=0.7
printf 'int answer = ;\n' >broken.c
refused 'broken.c does not compile with' check broken.c
grep -q 'broken.c:1' err || fail "no message of the compiler: $(cat err)"
# A function without its header returns an int to the compiler.
printf '#include <stepbench/stepbench.h>\ndouble half(double x) { return erfcx(x) / 2; }\n' >headerless.c
refused 'headerless.c does not compile with' list --plugin headerless.c
grep -q 'implicit.*erfcx\|erfcx.*undeclared' err || fail "no message about erfcx: $(cat err)"
# Every command takes plug-ins on either side of its name.
for words in "list steppers" "show brought_heun" "help run" help man "complete -- run -s brought" \
    "run -p oscillator -s brought_heun --steps 1" "modes -p oscillator"; do
    # shellcheck disable=SC2086 # words of a command
    set -- $words
    command=$1
    shift
    "$STEPBENCH" --plugin heun.c "$command" "$@" >before 2>&1 || fail "$words behind a plug-in: $(cat before)"
    "$STEPBENCH" "$command" --plugin=heun.c "$@" >behind 2>&1 || fail "$words before a plug-in: $(cat behind)"
    cmp -s before behind || fail "$words with a plug-in: $(cat before behind)"
done
refused 'needs a value' list --plugin
CC=no-such-compiler refused 'broken.c cannot be compiled: there is no compiler no-such-compiler' --plugin broken.c list
CC="$CC -DSB_WORD" "$STEPBENCH" --plugin heun.c list steppers --names | grep -qx brought_heun || fail "CC with an option"
[ -z "$(ls -d "${TMPDIR:-/tmp}"/stepbench-??????/broken.so 2>/dev/null)" ] || fail "temporary files stay"

# Several entries in one file: a stepper, a problem, an analysis and an experiment, in the order of the file.
cat >several.c <<'END'
#include "analysis/row.h"
#include "bench/runner/experiment_tools.h"
END
sed '/^#include <stepbench/!d' heun.c >>several.c
sed '/^#include/d' heun.c >>several.c
cat >>several.c <<'END'
static int count_rows(sb_task *task) { return sb_row(task, SB_CELLS(sb_int(task->sys->n))); }
static const sb_column columns[] = {SB_COLUMN_PROBLEM, SB_COLUMN_STEPPER, {"n", SB_COL_EXACT, "", "coordinates"},
                                    SB_COLUMN_STATUS};
SB_DEFINE_ANALYSIS(several_count) = {
    .entry = {"several_count", "number of coordinates", "", NULL, 0}, SB_COLUMNS(columns), .run = count_rows};
SB_DEFINE_EXPERIMENT(several_rows) {
    sb_table rows;
    SB_TRY(sb_bench_analyse(bench, "several_count", "", SB_LIST("kepler"), SB_LIST("brought_heun"), &rows));
    return sb_bench_save(bench, &rows, "several_rows.csv");
}
END
cat >experiments.csv <<'END'
experiment,reference,files,runs,seconds,caption
several_rows,,several_rows.csv,,,Coordinates.
END
"$STEPBENCH" --plugin several.c bench several_rows --out several 2>err || fail "an experiment as a plug-in: $(cat err)"
grep -q '^kepler,brought_heun,2,ok' several/several_rows.csv || fail "its rows: $(cat several/several_rows.csv)"
grep -q 'id="several_rows"' several/index.html || fail "the page lacks the experiment of a plug-in"
"$STEPBENCH" --plugin several.c several_count -p dsp -s brought_heun -w chart --format csv | grep -q ',4,ok' ||
    fail "an analysis as a plug-in"
sed 's/, \.run = count_rows//' several.c >runless.c
refused "leaves out what every analysis has" --plugin runless.c list
# All of them or none: the name of the second is taken.
sed 's/several_count/order/; s/"several_count"/"order"/' several.c >taken.c
refused 'no analysis can be named "order"' --plugin taken.c list

# One that leaves out its step, or its reference, is refused before it can be run.
sed '/\.step = step/d; s/^static int step/__attribute__((unused)) &/' heun.c >stepless.c
plugin stepless.so stepless.c -DSB_PLUGIN
refused "leaves out" --plugin ./stepless.so run -p oscillator -s brought_heun --h 1/2 --steps 1
sed 's/"hnw93 II.1"/NULL/' heun.c >unsourced.c
plugin unsourced.so unsourced.c -DSB_PLUGIN
refused "leaves out" --plugin ./unsourced.so show brought_heun

refused "nowhere.so" --plugin ./nowhere.so list steppers
printf 'int answer = 42;\n' >empty.c
"$CC" -shared -fPIC empty.c -o empty.so
refused "sb_plugin_entry" --plugin ./empty.so list steppers
refused "loaded" --plugin "$SOURCE_DIR/README.md" list steppers

# A damaged file ends nothing but its own loading: one that is cut off, and one with a wrong byte in its headers. A copy
# in which the damage
# concerns nothing that is read is loaded.
loaded_or_refused() { # loaded_or_refused FILE WHAT
    status=0
    "$STEPBENCH" --plugin "./$1" list steppers --names >out 2>err || status=$?
    if [ $status -eq 0 ]; then
        grep -qx brought_heun out || fail "$2: exit status 0 without the stepper"
    else
        [ $status -eq 2 ] && grep -q "plug-in ./$1" err || fail "$2: exit status $status: $(cat err)"
    fi
}
size=$(wc -c <heun.so)
for part in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    head -c $((size * part / 16)) heun.so >cut.so
    loaded_or_refused cut.so "cut off after $part/16"
done
head -c $((size / 4)) heun.so >cut.so
refused "plug-in ./cut.so" --plugin ./cut.so list steppers
for at in 4 16 18 32 40 54 56 64 72 80 96 104 120 152 160 176; do
    cp heun.so damaged.so
    printf '\377' | dd of=damaged.so bs=1 seek=$at conv=notrunc 2>/dev/null
    loaded_or_refused damaged.so "byte $at"
done
printf '#include <stdio.h>\n#include <stdlib.h>\n%s\n' \
    '__attribute__((constructor)) static void now(void) { fputs("written before the end\n", stderr); exit(0); }' >leaves.c
"$CC" -shared -fPIC leaves.c -o leaves.so
refused "ended the process with exit status 0 while it was loaded" --plugin ./leaves.so list steppers
grep -qx 'written before the end' err || fail "what a plug-in wrote before its end is lost: $(cat err)"

# Another interface number, a name that is taken, a kind a plug-in can't bring.
sed 's/^#define SB_ABI .*/#define SB_ABI 9999/' "$SOURCE_DIR/include/stepbench/plugin.h" >plugin.h
mkdir -p other/stepbench
cp -R "$SOURCE_DIR"/include/stepbench/. other/stepbench/
mv plugin.h other/stepbench/plugin.h
"$CC" -std=c11 -D_DEFAULT_SOURCE -Iother -DSB_PLUGIN -shared -fPIC heun.c -o abi.so
refused "9999" --plugin ./abi.so list steppers
sed 's/brought_heun/verlet/g' heun.c >verlet.c
plugin verlet.so verlet.c -DSB_PLUGIN
refused "verlet" --plugin ./verlet.so list steppers
refused "brought_heun" --plugin ./heun.so --plugin ./heun.so list steppers
sed 's/^SB_DEFINE_STEPPER(brought_heun)/SB_DEFINE_(sb_stepper, SB_KIND_SOLVER, sb_stepper_brought_heun)/' heun.c >kind.c
plugin kind.so kind.c -DSB_PLUGIN
cp heun.so copy.so
refused "plug-in ./copy.so: no stepper can be named .brought_heun." --plugin ./heun.so --plugin ./copy.so list steppers
refused "none of a stepper" --plugin ./kind.so list steppers

# The code in the documentation is this file.
awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$SOURCE_DIR/docs/adding-a-stepper.md" >shown.c
cmp -s shown.c "$SOURCE_DIR/tests/plugin/heun.c" ||
    fail "docs/adding-a-stepper.md does not show tests/plugin/heun.c as it is"
echo "plug-ins load and are refused as they should"
