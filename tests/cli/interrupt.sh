#!/bin/sh
# SIGINT, SIGTERM and SIGHUP: finished rows stay, on a stream and in a file; temporary files go; the status is 1 and the
# message says where.
. "$SOURCE_DIR/tests/prelude.sh"

# Waits until the process $job has written to a file of this name, or to one that has no name yet.
wait_for() {
    tries=0
    while [ -z "$(find . -name "$1*" -size +0; find -L "/proc/$job/fd" -links 0 -size +0 2>/dev/null)" ] &&
        [ "$tries" -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

# interrupt SIGNAL FILE ARGUMENTS...: starts stepbench and sends the signal once FILE holds something.
interrupt() {
    signal=$1
    file=$2
    shift 2
    rm -f "$file"*
    # A shell's background jobs ignore SIGINT; env gives it back.
    env --default-signal=INT "$STEPBENCH" "$@" >stdout 2>stderr &
    job=$!
    wait_for "$file"
    kill "-$signal" "$job"
    status=0
    wait "$job" || status=$?
    [ "$status" -eq 1 ] || fail "stepbench $* after SIG$signal: exit status $status: $(cat stderr)"
    grep -q '^stepbench: interrupted' stderr || fail "stepbench $* after SIG$signal: $(cat stderr)"
    ls -A | grep -q tmp && fail "temporary files stay: $(ls -A)"
    return 0
}

complete() { # every line of a CSV has the header's number of cells
    grep -v '^#' "$1" | awk -F, 'NR == 1 { n = NF } NF != n { print; exit 1 } END { exit !(NR > 2) }' ||
        fail "$1 is cut or empty: $(tail -2 "$1")"
    tail -c1 "$1" | od -c | grep -q '\\n' || fail "the last line of $1 is cut"
}

interrupt INT run.csv run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv
complete run.csv
interrupt TERM run.csv run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv
complete run.csv
interrupt HUP run.csv run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv
complete run.csv
interrupt INT stdout run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 --format csv
complete stdout

# Killed, it leaves nothing: the file has no name until it is complete. Files of the user stay as they are, also those
# of a name like a temporary one.
rm -f run.csv*
echo mine >run.csv
ln -s "$PWD/run.csv" run.csv.tmp-000001
"$STEPBENCH" run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv 2>stderr &
job=$!
echo mine >"run.csv.tmp-$job"
wait_for no.csv
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

# An analysis: pairs that are finished stay.
interrupt INT stdout drift -p oscillator -s verlet -s rk4 --h 0.001 --t-end 1000000 --format csv
[ "$(ls -A | tr '\n' ' ')" = "run.csv run.csv.provenance.json stderr stdout " ] || fail "files: $(ls -A)"
echo "interruptions end in order"
