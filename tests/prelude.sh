# What the scripts begin with, by `. "$SOURCE_DIR/tests/prelude.sh"`: an empty folder of their own, and how they fail.
set -eu
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
cd "$SCRATCH"
PATH=${TEST_BIN:+$TEST_BIN:}$PATH # python3
export PATH

# The kernel of OpenBLAS that the program selects by restarting itself: where it is named, every call starts once and
# takes half of the time. cli/arithmetic.sh tests the restart.
if [ -z "${OPENBLAS_CORETYPE:-}" ] && grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | grep -w avx2 | grep -qw fma; then
    export OPENBLAS_CORETYPE=Haswell
fi

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# Waits until a command succeeds. A test waits for what it needs and not for a time, which a busy machine exceeds.
wait_until() { # wait_until WHAT COMMAND...
    awaited=$1
    shift
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 2400 ] || fail "after two minutes still not: $awaited"
        sleep 0.05
    done
}

# Succeeds if a line of the file, or of one without a name that process PID has open, matches.
holds() { # holds PATTERN FILE PID
    # shellcheck disable=SC2046 # their names have no spaces
    grep -qs "$1" "$2" $(find -L "/proc/$3/fd" -type f -links 0 2>/dev/null)
}

# Succeeds if process PID is stepbench, no longer the shell that started it, and has a handler of SIGINT, which is bit 1 of
# the mask of signals that it catches: earlier the signal ends it at once.
catches() { # catches PID
    [ "/proc/$1/exe" -ef "$STEPBENCH" ] && grep -qs '^SigCgt:.*[2367abef]$' "/proc/$1/status"
}

# Writes the files of a document, which follow a line that ends with their name, and its commands: part1.sh, part2.sh, ...
page() { # page FILE
    awk '/^ *```/ {
            inside = !inside
            if (inside) to = $0 == "```sh" ? "part" ++parts ".sh" : $0 ~ /^```[a-z]/ ? file : ""
            if (inside && to != "part" parts ".sh") file = ""
            next
        }
        inside && to != "" { print >to }
        !inside && match($0, /`[a-z0-9_]+\.(c|py|json)`:$/) { file = substr($0, RSTART + 1, RLENGTH - 3) }' "$1"
}
