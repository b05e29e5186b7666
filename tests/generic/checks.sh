#!/bin/sh
# docs/checks.md has a row for each check of a stepper, with the question and the limit that the program has.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || exit 77
"$STEPBENCH" show contract >contract
"$STEPBENCH" show physics >physics
cat >compare.py <<'P'
import re, sys

def column(name, analysis):
    """The entries "check: text" in the description of a column."""
    text = re.sub(r"\s+", " ", re.search(rf"\n  {name} +(.*?)\n  \w+  +", open(analysis).read(), re.S).group(1))
    return text.split("; ", 1)[1]

names = {"contract": [], "physics": []}
page = open(sys.argv[1]).read()
for analysis, section in (("contract", page.split("## The bodies")[0]), ("physics", page.split("## The bodies")[1])):
    rows = re.findall(r"^\| `([^`]*)` \| (.*?) \| (.*?) \| (.+) \|$", section, re.M)
    questions = "; ".join(f"{name}: {question}" for name, question, _, _ in rows)
    limits = "; ".join(f"{name}: {limit}" for name, _, limit, _ in rows)
    assert column("check", analysis) == questions, (column("check", analysis), questions)
    assert column("allowed", analysis).split("; ", 1)[-1].endswith(limits.split("; ", 1)[1]), (column("allowed", analysis), limits)
    assert limits.split("; ", 1)[0] in column("allowed", analysis) or analysis == "contract", limits
P
python3 compare.py "$SOURCE_DIR/docs/checks.md" 2>err || fail "docs/checks.md: $(tail -1 err)"
echo "docs/checks.md has every check"
