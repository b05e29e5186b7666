#!/bin/sh
# torture_kills.sh STEPBENCH KILLS FILE: interrupted benches. SIGKILL, SIGTERM or SIGINT at a random time to the run's
# own process, to one that it has started or to the whole group; then --resume at once, which is interrupted in turn. In
# the end every file has the bytes of an undisturbed run and no other file is left. What was found goes to standard
# output, the sum to the row of FILE ("" for none).
set -eu
stepbench=$(realpath "$1")
kills=$2
file=$([ -z "$3" ] || realpath "$3")
. "$(dirname "$0")/record.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
experiments="wm96_table1 wm96_fig4 wm96_fig6 notes11_damping reg05_bounce"
most=5 # interruptions of one bench, before it may end
findings=0

found() {
    findings=$((findings + 1))
    echo "kill $done_so_far ($last): $*"
}

last=none
done_so_far=0
begun=$(date +%s%N)
# shellcheck disable=SC2086
"$stepbench" bench $experiments --jobs 2 --out reference 2>err || { cat err; exit 1; }
length=$(($(date +%s%N) - begun)) # ns

# A line for each kill: seconds from the start of the run, target, signal. The same on every call but for the length of
# a run.
awk -v n="$kills" -v length_ns="$length" 'BEGIN {
    srand(1)
    split("parent parent child group", target, " ")
    split("KILL KILL TERM INT", signal, " ")
    for (k = 0; k < n; k++)
        printf "%.3f %s %s\n", 1.2e-9 * length_ns * rand(), target[1 + int(4 * rand())], signal[1 + int(4 * rand())]
}' >plan

# A process that $1 has started, directly or not, or nothing.
descendant() {
    children=$(cat "/proc/$1/task/$1/children" 2>/dev/null || true)
    for child in $children; do
        grandchildren=$(cat "/proc/$child/task/$child/children" 2>/dev/null || true)
        children="$children $grandchildren"
    done
    # shellcheck disable=SC2086
    printf '%s\n' $children | sed -n "$((1 + done_so_far % 3))p"
}

finish() { # without interruption
    status=0
    # shellcheck disable=SC2086
    "$stepbench" bench $experiments --jobs 2 --resume --out out 2>err || status=$?
    [ "$status" -eq 0 ] || found "resuming ends with status $status: $(cat err)"
    diff -r reference out >differences || found "the files differ: $(head -3 differences)"
    rm -rf out
}

inside=0
while read -r pause target signal <&3; do
    # A shell's background jobs ignore SIGINT; env gives it back. setsid makes it a group of its own.
    # shellcheck disable=SC2086
    setsid env --default-signal=INT "$stepbench" bench $experiments --jobs 2 --resume --out out 2>err &
    job=$!
    sleep "$pause"
    last="SIG$signal to $target after $pause s"
    pid=$job
    [ "$target" != group ] || pid=-$job
    [ "$target" != child ] || pid=$(descendant "$job")
    [ -z "$pid" ] || kill "-$signal" -- "$pid" 2>/dev/null || true
    status=0
    wait "$job" || status=$?
    done_so_far=$((done_so_far + 1))
    inside=$((inside + 1))
    case $signal in KILL) killed=137 ;; TERM) killed=143 ;; *) killed=130 ;; esac
    if [ "$status" -gt 1 ] && { [ "$status" -ne "$killed" ] || [ "$target" = child ]; }; then
        found "exit status $status: $(cat err)"
    elif [ "$status" -eq 1 ] && [ "$target" != child ] && ! grep -q '^stepbench: interrupted' err; then
        found "it does not say that it was interrupted: $(cat err)"
    fi
    if [ "$inside" -ge "$most" ]; then
        finish
        inside=0
    fi
done 3<plan
[ "$inside" -eq 0 ] || finish
echo "$done_so_far interruptions, findings: $findings"
what="bench --jobs 2 interrupted and resumed: SIGKILL or SIGTERM or SIGINT to the run or a process of it or its group"
[ -z "$file" ] || record "$file" kills "$what" "$done_so_far" "$findings" \
    "files compared with an undisturbed run after every $most"
[ "$findings" -eq 0 ]
