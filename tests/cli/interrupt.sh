#!/bin/sh
# SIGINT, SIGTERM and SIGHUP: finished rows stay, on a stream and in a file; temporary files go; the status is 1 and the
# message says where.
. "$SOURCE_DIR/tests/prelude.sh"

# interrupt SIGNAL FILE PATTERN ARGUMENTS...: starts stepbench and sends the signal once a row in FILE matches; the header
# comes before any row is computed.
interrupt() {
    signal=$1
    file=$2
    pattern=$3
    shift 3
    rm -f "$file"*
    # A shell's background jobs ignore SIGINT; env gives it back.
    env --default-signal=INT "$STEPBENCH" "$@" >stdout 2>stderr &
    job=$!
    wait_until "$file holds rows" holds "$pattern" "$file" "$job"
    kill "-$signal" "$job"
    status=0
    wait "$job" || status=$?
    [ "$status" -eq 1 ] || fail "stepbench $* after SIG$signal: exit status $status: $(cat stderr)"
    grep -q '^stepbench: interrupted' stderr || fail "stepbench $* after SIG$signal: $(cat stderr)"
    ls -A | grep -q tmp && fail "temporary files stay: $(ls -A)"
    return 0
}

complete() { # every line of a CSV has the header's number of cells
    grep -v '^#' "$1" | awk -F, 'NR == 1 { n = NF } NF != n { cut = 1 } END { exit cut || NR < 3 }' ||
        fail "$1 is cut or empty: $(tail -2 "$1")"
    tail -c1 "$1" | od -c | grep -q '\\n' || fail "the last line of $1 is cut"
}

interrupt INT run.csv '^9000,' run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv
complete run.csv
interrupt TERM run.csv '^9000,' run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv
complete run.csv
interrupt HUP run.csv '^9000,' run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv
complete run.csv
interrupt INT stdout '^9000,' run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 --format csv
complete stdout

# Killed, it leaves nothing: the file has no name until it is complete. Files of the user stay as they are, also those
# of a name like a temporary one.
rm -f run.csv*
echo mine >run.csv
ln -s "$PWD/run.csv" run.csv.tmp-000001
"$STEPBENCH" run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv 2>stderr &
job=$!
echo mine >"run.csv.tmp-$job"
wait_until "run.csv holds rows" holds '^9000,' no.csv "$job"
kill -KILL $job
wait $job || true
"$STEPBENCH" run -p oscillator -s rk4 --h 0.001 --steps 5 -o other.csv 2>stderr || fail "after a kill: $(cat stderr)"
[ "$(ls -A -- run.csv* | tr '\n' ' ')" = "run.csv run.csv.tmp-000001 run.csv.tmp-$job " ] ||
    fail "after a kill there is: $(ls -A)"
[ "$(cat run.csv "run.csv.tmp-$job")" = "$(printf 'mine\nmine')" ] || fail "a killed run has changed files"
"$STEPBENCH" run -p oscillator -s rk4 --h 0.001 --steps 5 -o run.csv 2>stderr || fail "after a kill: $(cat stderr)"
complete run.csv
[ "$(cat "run.csv.tmp-$job")" = mine ] || fail "a run has changed another file"
rm -f ./*tmp-* other.csv*

# An analysis: the rows of a pair that is finished stay. Those of the second follow, and a step of the ladder lasts a thousand
# times as long.
steps=$(seq -s, 1000 1040 | sed 's|[0-9]*|100/&|g')
interrupt INT stdout '^oscillator:omega=2,' drift -p oscillator -p oscillator:omega=2 -p ladder:N=5000 \
    -s generalized_alpha --h "[$steps]" --t-end 100 --format csv
complete stdout
[ "$(grep -c '^oscillator,' stdout)" -eq 41 ] || fail "rows of a finished pair: $(cat stdout)"
[ "$(ls -A | tr '\n' ' ')" = "run.csv run.csv.provenance.json stderr stdout " ] || fail "files: $(ls -A)"
echo "interruptions end in order"
