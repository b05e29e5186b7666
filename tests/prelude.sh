# What the scripts begin with, by `. "$SOURCE_DIR/tests/prelude.sh"`: an empty folder of their own, and how they fail.
set -eu
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
cd "$SCRATCH"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}
