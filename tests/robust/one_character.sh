#!/bin/sh
# Tables, mechanisms and rows of --expect with one character changed, against strict readers in Python: every 211th change;
# ALL=1 takes all of them.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || exit 77
[ "${SB_SANITIZE:-OFF}" = OFF ] || exit 77 # the fuzzer of files reads them under the sanitizers
python3 "$SOURCE_DIR/tests/robust/one_character.py" "$STEPBENCH" "$SOURCE_DIR" "${ALL:-211}" 1 >found 2>err ||
    fail "$(head -5 found) $(tail -1 err)"
tail -1 found
