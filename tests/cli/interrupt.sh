#!/bin/sh
# SIGINT, SIGTERM and SIGHUP: finished rows stay, on a stream and in a file; temporary files go; the status is 1 and the
# message says where.
. "$SOURCE_DIR/tests/prelude.sh"

# interrupt SIGNAL FILE ARGUMENTS...: starts stepbench and sends the signal once FILE (or a temporary of it) holds
# something.
interrupt() {
    signal=$1
    file=$2
    shift 2
    rm -f "$file"*
    # A shell's background jobs ignore SIGINT; env gives it back.
    env --default-signal=INT "$STEPBENCH" "$@" >stdout 2>stderr &
    job=$!
    tries=0
    while [ -z "$(find . -name "$file*" -size +0)" ] && [ "$tries" -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
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

# Killed, it can sweep nothing; the next one that writes the same file does, and leaves other files' and living writers'
# alone.
"$STEPBENCH" run -p oscillator -s rk4 --h 0.001 --steps 1000000000 --every 1000 -o run.csv 2>stderr &
job=$!
tries=0
while [ -z "$(find . -name 'run.csv.tmp-*' -size +0)" ] && [ "$tries" -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -KILL $job
wait $job || true
[ -e "run.csv.tmp-$job" ] || fail "nothing was left to sweep: $(ls -A)"
touch "ran.csv.tmp-$job" "run.csv.tmp-$$" "run.csv.tmp-${job}0x"
"$STEPBENCH" run -p oscillator -s rk4 --h 0.001 --steps 5 -o "$PWD/run.csv" 2>stderr ||
    fail "after a kill: $(cat stderr)"
[ "$(ls -A -- *tmp-* | sort | tr '\n' ' ')" = \
    "$(printf '%s\n' "ran.csv.tmp-$job" "run.csv.tmp-$$" "run.csv.tmp-${job}0x" | sort | tr '\n' ' ')" ] ||
    fail "after a kill there is: $(ls -A)"
rm -f ./*tmp-*

# An analysis: pairs that are finished stay.
interrupt INT stdout drift -p oscillator -s verlet -s rk4 --h 0.001 --t-end 1000000 --format csv
[ "$(ls -A | tr '\n' ' ')" = "run.csv run.csv.provenance.json stderr stdout " ] || fail "files: $(ls -A)"
echo "interruptions end in order"
