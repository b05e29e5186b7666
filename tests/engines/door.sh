#!/bin/sh
# --engine: programs in three languages step mechanisms as steppers do; what an engine says of itself decides what is
# measured; every mistake of the dialogue is one sentence, and no program stays behind.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
engines="$SOURCE_DIR/tests/engines"
tiny="python3 $engines/tiny.py"

# order ENGINE PROBLEM STEPPER CLAIM STEPS: the measured order is the claimed one, on both sides.
order() {
    "$STEPBENCH" --engine "$1" order -p "$2" -s "$3" --h "$5" --t-end 0.1 >rows 2>err ||
        fail "order of $3 on $2: $(cat err)"
    grep -q "fit,.*,$4,.*as_claimed" rows || fail "order of $3 on $2 is not $4: $(cat rows)"
}
steps=1/200,1/400,1/800
for problem in pendulum four_bar:N=1 heavy_top slider_crank; do
    order "$tiny" $problem tiny 1 $steps
done
if command -v node >/dev/null; then
    order "node $engines/beads.mjs" dsp beads 1 $steps
else
    echo "node is missing: no engine in JavaScript is tested"
fi
if command -v g++ >/dev/null; then
    g++ -std=c++17 -O2 -o free "$engines/free.cpp" || fail "engine.hpp does not compile"
    order ./free rigid_body free 2 $steps
else
    echo "g++ is missing: no engine in C++ is tested"
fi

# Numbers survive the way there and back: a body that turns about an axis does so for ever, to round-off.
"$STEPBENCH" --engine "$tiny" run -p rigid_body:w2=0 -s tiny --h 1/100 --steps 100 --every 100 --columns w1,w2,w3 >rows ||
    fail "a steady rotation"
tail -1 rows | awk -F, '{ exit !($1 == 0 && $2 == 0 && ($3 - 4) ^ 2 < 1e-26) }' || fail "a steady rotation: $(cat rows)"

# The engine of the document: after n steps of symplectic Euler y = 4 t - g h^2 n (n + 1)/2.
page "$SOURCE_DIR/docs/adding-an-engine.md"
cp "$SOURCE_DIR/engines/engine.py" .
PATH="$(dirname "$STEPBENCH"):$PATH" sh -e part1.sh >rows || fail "the document's engine"
tail -1 rows | awk -F, '{ y = 4 - 9.81 * 101 / 200; exit !(($1 - 3) ^ 2 < 1e-24 && ($2 - y) ^ 2 < 1e-24) }' ||
    fail "the document's engine: $(cat rows)"

# The statement of a state: what must not be asked is not asked, and a wrong statement is found.
falling="python3 $engines/states.py"
"$STEPBENCH" --engine "$falling pure" contract -p pendulum -s falling --columns check,verdict >rows 2>err || true
grep -qx repeatable,failed rows || fail "a hidden state is not found: $(cat rows)"
"$STEPBENCH" --engine "$falling opaque" contract -p pendulum -s falling --columns check,verdict >rows 2>err || true
grep -qx repeatable,passed rows || fail "bytes of a state are not restored: $(cat rows err)"
for refused in "opaque amplification varies" "none amplification many.states" "none contract cannot.be.restored"; do
    set -- $refused
    status=0
    "$STEPBENCH" --engine "$falling $1" "$2" -p pendulum -s falling >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q "$2 does not take falling: .*$3" err || fail "$refused: $status $(cat err)"
done
for analysis in "energy --steps 500" "drift --t-end 5"; do # they only run forward
    # shellcheck disable=SC2086
    "$STEPBENCH" --engine "$falling none" $analysis -p pendulum -s falling --h 1/100 >rows 2>err ||
        fail "$analysis of an engine that cannot go back: $(cat err)"
done

# The card calls it no one-step method.
"$STEPBENCH" --engine "$falling none" card falling -p kepler --against '' -o card.html 2>err || fail "card: $(cat err)"
grep -q 'an engine, its state has more than q and v' card.html || fail "the kind of an engine: $(grep kind card.html)"

# Without a contract the card has the orders, no number of failed checks, and the problems that are not taken.
if [ -x free ]; then
    sed 's/"order": 2, "state": "pure"/"order": 3, "state": "none"/' "$engines/free.cpp" |
        g++ -std=c++17 -O2 -I "$engines" -o onward -x c++ - || fail "free.cpp whose state cannot be set"
    "$STEPBENCH" --engine ./onward card free -p rigid_body -p pendulum --against '' -o card.html 2>err ||
        fail "card without a contract: $(cat err)"
    grep -q 'No check of it is decided. Its order is lower than it claims on rigid_body\.' card.html ||
        fail "the orders of a card without a contract: $(grep 'No check' card.html)"
    grep -q 'failed checks' card.html && fail "a number of failed checks where none is decided"
    grep -q '<li>pendulum: free does not take pendulum' card.html || fail "a refused problem: $(grep pendulum card.html)"
    grep -q 'The check of the physics: passed on rigid_body\.' card.html && grep -q '<td>passed</td><td>rigid_body</td><td>accelerations' \
        card.html || fail "the physics on the card: $(grep physics card.html)"
fi

# Refused problems are rows, beside those that are taken; nobody has counted evaluations.
"$STEPBENCH" --engine "$tiny" workprec -p pendulum -p kepler -p "mechanism:file=$SOURCE_DIR/problems/mechanisms/press.json" \
    -s tiny --h 0.1,0.05,0.025 --columns problem,status,evaluations >rows 2>err || true
grep -q '^kepler.*tiny does not take kepler: it needs its bodies in maximal coordinates' rows &&
    grep -q '^mechanism.*tiny does not take mechanism.*: it has no forces' rows || fail "refusals: $(cat rows)"
[ "$(grep -c '^pendulum.*ok,$' rows)" -eq 3 ] || fail "an engine that is not counted: $(cat rows)"

# Provenance has the engine, its version and its command.
"$STEPBENCH" --engine "$tiny" energy -p pendulum -s tiny --h 1/100 --steps 1000 -o rows.csv || fail "provenance"
grep -q '"tiny 1"' rows.csv.provenance.json && grep -q "engine '$tiny'" rows.csv || fail "provenance: $(cat rows.csv.prov*)"

# wrong SENTENCE ENGINE ARGUMENTS...: one sentence, no rows, and soon.
wrong() {
    sentence=$1
    shift
    status=0
    timeout 60 "$STEPBENCH" --engine "$@" >out 2>err || status=$?
    { [ $status -eq 2 ] || [ $status -eq 3 ]; } && [ "$(grep -c . err)" -eq 1 ] && grep -q "$sentence" err ||
        fail "$*: exit status $status, not \"$sentence\" but: $(cat err)"
}
run="run -p pendulum --h 1/100 --steps 10"
wrong 'tiny ended with exit status 3 instead of answering to `step`; its last words: tiny: no more' \
    "$tiny" $run -s tiny:fault=die
wrong 'tiny does not answer to `step` within 0.5 s; -s tiny:seconds=3 gives it more time' "$tiny" $run -s tiny:fault=hang,seconds=0.5
wrong 'tiny answers to `step` with more than [0-9]* bytes: {"poses"' "$tiny" $run -s tiny:fault=babble
wrong 'there is no such program' "./none" list
wrong "does not answer to .hello. within 0.2 s; --engine 'seconds=120 COMMAND' gives it more time" "seconds=0.2 sleep 60" list
wrong 'seconds= needs a number' "seconds=fast true" list
wrong 'its last words: ValueError: no world' "sh -c 'printf \"ValueError: no world\\n  at line 3\\nv20\\n\" >&2'" list
wrong 'ended with exit status 0 instead of answering to `hello`' true list
wrong 'what is no JSON' "echo hello" list
wrong 'what is no JSON' "printf '{\"name\": \"nul\", \"version\": \"1\", \"order\": 1}\\0more\\n'" list
wrong 'in which name is not a text' cat list
wrong 'more than 65536 bytes' "head -c 1000000 /dev/zero" list
wrong 'no stepper can be named "rk4"' "echo '{\"name\":\"rk4\",\"version\":\"1\",\"order\":1,\"state\":\"pure\"}'" list
wrong 'in which state is not pure, opaque or none' "echo '{\"name\":\"x\",\"version\":\"1\",\"order\":1,\"state\":\"\"}'" list
wrong 'in which order is not an integer from 1 to 20' "echo '{\"name\":\"x\",\"version\":\"1\",\"order\":0}'" list
wrong 'a quote is not closed' "'echo" list
wrong 'needs a value, the command of an engine' ""
hello='{"name":"x","version":"1","order":1,"state":"pure"}'
talk() { # talk LINE...: an engine that says these lines, one per message
    printf '%s\n' "$@" >lines
    printf '%s' "sh -c 'while read -r question; do read -r answer <&3; echo \"\$answer\"; done 3<lines'"
}
wrong 'stepbench: x answers to `world` with {}, which has neither "ok": true nor a sentence' "$(talk "$hello" '{}')" $run -s x
wrong 'x does not take pendulum.*: no pendulums' "$(talk "$hello" '{"refuse":"no pendulums"}')" $run -s x
ok='{"ok":true}'
wrong 'which has no list "poses" of 1 bodies' "$(talk "$hello" $ok $ok '{"poses":[]}')" $run -s x
wrong 'poses\[0\] is no list of 3 numbers' "$(talk "$hello" $ok $ok '{"poses":[[1,2]]}')" $run -s x
wrong 'poses\[0\] is no list of 3 numbers' "$(talk "$hello" $ok $ok '{"poses":[[1,2,"3"]]}')" $run -s x
wrong 'q0 became nan' "$(talk "$hello" $ok $ok '{"poses":[[null,2,3]],"twists":[[1,2,3]]}')" $run -s x
for count in -5 1.5 '"3"'; do
    wrong 'iterations is not a number of iterations' \
        "$(talk "$hello" $ok $ok "{\"poses\":[[1,2,3]],\"twists\":[[1,2,3]],\"iterations\":$count}")" $run -s x
done
wrong 'number overflow' "$(talk "$hello" $ok $ok '{"poses":[[1e999,2,3]],"twists":[[1,2,3]]}')" $run -s x
wrong 'too stiff' "$(talk "$hello" $ok $ok '{"fail":"too stiff"}')" $run -s x

# JavaScript writes 1e20 as a whole number, which is longer than any integer.
"$STEPBENCH" --engine "$(talk "$hello" $ok $ok '{"poses":[[100000000000000000000,2,3]],"twists":[[1,2,3]]}')" \
    run -p pendulum -s x --h 1/100 --steps 1 --columns q0 >rows 2>err || fail "a large whole number: $(cat err)"
grep -qx '1e+20' rows || fail "a large whole number: $(cat rows)"

# Wrenches become multipliers, whose errors have order 1. Those of bars whose ends are coordinates are not known from forces
# on their centres. A wrong sign of the wrenches is found.
file="mechanism:file=$SOURCE_DIR/problems/mechanisms/four_bar.json"
wrong 'multipliers is not true or false' "$(talk '{"name":"x","version":"1","order":1,"state":"pure","multipliers":1}')" list
wrong 'has no list "wrenches" of 1 bodies' "$(talk "${hello%\}},\"multipliers\":true}" $ok $ok '{"poses":[[1,2,3]],"twists":[[1,2,3]]}')" $run -s x
"$STEPBENCH" --engine "$tiny" order -p pendulum -p four_bar:N=1 -p "$file" -s tiny --h $steps --t-end 0.1 \
    --columns problem,status,slope_lambda >rows 2>err || fail "multipliers: $(cat err)"
grep -q '^four_bar.*fit,$' rows || fail "multipliers of bars: $(cat rows)"
for problem in pendulum mechanism; do
    awk -F, -v p=$problem '$1 ~ p && $2 == "fit" { found = ($3 - 1) ^ 2 < 0.01 } END { exit !found }' rows ||
        fail "multipliers of $problem are not of order 1: $(cat rows)"
done
"$STEPBENCH" --engine "$tiny" contract -p pendulum -s tiny:fault=wrench --columns check,verdict >rows 2>err || true
grep -qx multipliers,failed rows || fail "wrenches of the wrong sign: $(cat rows err)"

# The steps that an engine takes: without the key none of negative length, of a list these alone, or its own ones.
steps() { # steps VALUE: a handshake with this value, and what follows it
    printf '%s' "{\"name\":\"x\",\"version\":\"1\",\"order\":1,\"state\":\"pure\",\"steps\":$1}"
}
wrong 'steps is not a list of lengths above 0' "$(talk "$(steps '[0.1,0]')")" list
wrong 'steps is not forward, any, own or a list' "$(talk "$(steps '"back"')")" list
wrong 'tolerance is not the name of a real parameter' "$(talk "$(steps '"own","tolerance":"rtol"')")" list
wrong 'x takes steps of these lengths only: 0.02, 0.1 s; not of 0.01 s' "$(talk "$(steps '[0.02,0.1]')" $ok)" $run -s x
wrong 'steps is not "any", which reversibility' "$(talk "$(steps '"forward","keeps":["reversibility"]')")" list
status=0
"$STEPBENCH" --engine "$tiny" reversibility -p pendulum -s tiny >out 2>err || status=$?
[ $status -eq 2 ] && grep -q 'tiny takes no steps back' err || fail "a step back: $status $(cat out err)"

# The values of a parameter are consistent, and texts are fit for terminals.
parameter() { # parameter REST: a handshake with a parameter
    printf '%s' "{\"name\":\"x\",\"version\":\"1\",\"order\":1,\"state\":\"pure\",\"parameters\":[{\"name\":\"a\",\"doc\":\"d\",$1}]}"
}
wrong 'range is not two rising numbers around the default' "$(talk "$(parameter '"default":5,"range":[9,1]')")" list
wrong 'range is not two rising numbers around the default' "$(talk "$(parameter '"default":99,"range":[1,9]')")" list
wrong 'choices is not a list with the default' "$(talk "$(parameter '"default":"q","choices":["r"]')")" list
wrong 'unit is not a text of one line' "$(talk "$(parameter '"default":1,"unit":"\\u001b[2J"')")" list
wrong '"../x" is no stepper name' "$(talk '{"name":"../x","version":"1","order":1,"state":"pure"}')" list

# A whole number may be a real parameter.
real='{"name":"x","version":"1","order":1,"state":"pure","parameters":[{"name":"a","default":1,"range":[0,1],"doc":"d","type":"real"}]}'
"$STEPBENCH" --engine "$(talk "$real")" run -p pendulum -s x:a=0.5 --steps 1 >out 2>err || true
grep -q 'x answers to `world` with' err || fail "a real parameter: $(cat out err)"

# The runs of a process share programs: many steps are tried for the largest stable one, and few programs start.
"$STEPBENCH" --engine "sh -c 'echo >>starts; exec $tiny'" blowup -p pendulum -s tiny --h-min 0.05 --h-max 0.5 --steps 10 \
    --tol 0.1 >rows 2>err || fail "blowup: $(cat err)"
[ "$(wc -l <starts)" -le 5 ] || fail "programs that started: $(wc -l <starts)"

# A death costs the rows of its own runs, and none of the programs is left.
"$STEPBENCH" --engine "$tiny" order -p pendulum -s tiny:fault=die -s rk4 >rows 2>err || true
grep -q 'tiny: no more' rows && grep -q 'rk4' rows || fail "an engine that dies: $(cat rows err)"
programs() { # those that run here; other tests start engines, too
    ps -eo pid,args | grep "$engines" | grep -v -e grep -e "$0" | while read -r pid args; do
        [ "$(readlink "/proc/$pid/cwd")" != "$PWD" ] || echo "$pid $args"
    done
}
[ -z "$(programs)" ] || fail "programs that are left: $(programs)"

# A program that hangs behind a script ends with the run, also with one that is killed; within a second, which may be long
# on a busy machine.
"$STEPBENCH" --engine "sh -c '$tiny; true'" $run -s tiny:fault=hang,seconds=60 >out 2>err &
tries=0
until programs | grep -q '^[0-9]* [^ ]*python3'; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || fail "the script of an engine does not start it: $(programs; cat err)"
    sleep 0.1
done
kill -9 $!
tries=0
while [ -n "$(programs)" ]; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || fail "programs that outlive a run: $(programs)"
    sleep 0.1
done
