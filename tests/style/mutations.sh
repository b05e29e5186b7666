#!/bin/sh
# Every wrong line of tests/mutations.csv replaces a text that stands exactly once in its file, and names known tests.
. "$SOURCE_DIR/tests/prelude.sh"

command -v python3 >/dev/null || {
    echo "skipped: python3 is not installed"
    exit 77
}
cd "$SOURCE_DIR"
python3 - tests/mutations.csv <<'END' || fail "tests/mutations.csv: see above"
import csv
import glob
import os
import re
import sys

names = {os.path.splitext(os.path.basename(path))[0] for path in glob.glob("tests/*/test_*.c")}
experiments = {name for path in glob.glob("bench/experiments/*/list.def")
               for name in re.findall(r"SB_EXPERIMENT\((\w+)\)", open(path).read())}
bad = 0
with open(sys.argv[1], newline="") as file:
    for row in csv.DictReader(file):
        with open(row["file"]) as source:
            count = source.read().count(row["before"])
        unknown = [name for name in row["tests"].split() if name not in names and
                   not (name.startswith("bench:") and name[6:] in experiments)]
        if count != 1 or unknown or None in row or row["before"] == row["after"]:
            print("%s: \"%s\" stands %d times in the file; unknown tests: %s" %
                  (row["file"], row["before"], count, " ".join(unknown) or "none"))
            bad += 1
sys.exit(bad > 0)
END
echo "mutations apply"
