"""Files with one character changed: python3 one_character.py STEPBENCH SOURCE EVERY FIRST. A change that a strict reader
cannot read, or that leaves the same data, has to be refused or to change nothing; other data are legitimate, unless they
have other names or types: then they have to be refused. Takes every EVERY-th change, from number FIRST on. Prints what
is taken for another file."""

import csv
import decimal
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

PROGRAM, SOURCE, EVERY, FIRST = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
CHARACTERS = '09.,-e#"\r\n \tx:[}\0é'
REFUSED = object()


def number(text):
    text = text.strip(" \t")
    if not NUMBER.fullmatch(text) or abs(float(text)) == float("inf"):
        raise ValueError(text)
    return float(text)


def table(text):
    """Two columns of numbers; a heading without numbers, comments and empty lines; lines end with LF or CR LF."""
    if "\0" in text:
        raise ValueError("NUL")
    rows = [line.removesuffix("\r") for line in text.split("\n")]
    if any("\r" in row for row in rows):
        raise ValueError("CR within a line")
    rows = [row for row in rows if row.strip(" \t") and not row.lstrip(" \t").startswith("#")]
    cells = [cell.strip(" \t") for cell in rows[0].split(",")]
    if not any(cell and (cell[0] in "+-.0123456789" or cell.lower() in ("nan", "inf", "infinity")) for cell in cells):
        rows = rows[1:]
    pairs = [tuple(map(number, row.split(","))) for row in rows]
    if len(pairs) < 2 or any(len(pair) != 2 for pair in pairs) or any(b[0] <= a[0] for a, b in itertools.pairwise(pairs)):
        raise ValueError("no table")
    return pairs


def once(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def refuse(constant):
    raise ValueError(constant)


def description(text):
    if "\0" in text:
        raise ValueError("NUL")
    data = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    if not isinstance(data, dict) or "Infinity" in json.dumps(data):
        raise ValueError("no object, or a number out of range")
    return data


def shape(data):
    """The names and types in a description; a name within it may be any text."""
    if isinstance(data, dict):  # outputs have names of the author's choice
        return {key: sorted(map(str, map(shape, value.values()))) if key == "outputs" else shape(value) for key, value in data.items()}
    if isinstance(data, list):
        return [shape(value) for value in data]
    return "number" if isinstance(data, (int, float)) and not isinstance(data, bool) else type(data).__name__


def rows(text):
    if "\0" in text:
        raise ValueError("NUL")
    lines = "\n".join(line for line in text.replace("\r\n", "\n").split("\n") if not line.startswith("#"))
    read = [row for row in csv.reader(io.StringIO(lines, newline=""), strict=True) if row]
    if any(len(row) != len(read[0]) for row in read):
        raise ValueError("cells are missing")
    return [row[:] for row in read]


def agree(text, ours):
    """The rule of --expect: a number may differ by a unit of its last digit in the file."""
    if text == ours or not (NUMBER.fullmatch(text) and NUMBER.fullmatch(ours)):
        return text == ours
    read = decimal.Decimal(text)
    unit = decimal.Decimal(1).scaleb(read.as_tuple().exponent)
    return abs(read - decimal.Decimal(ours)) <= (unit if read != 0 or unit <= 1 else 0) * decimal.Decimal("1.000002")


def run(arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, check=False)
    lines = b"\n".join(line for line in done.stdout.splitlines() if not line.startswith(b"#"))
    return done.returncode, lines, done.stderr.decode(errors="replace")


def copy(*names):
    for name in names:
        shutil.copy(os.path.join(SOURCE, "problems/mechanisms", name), ".")


copy("press.json", "press_load.csv", "press_motor.csv", "four_bar.json")
_, expected, _ = run(["order", "-p", "oscillator", "-s", "verlet", "--levels", "2", "--format", "csv"])
with open("rows.csv", "wb") as file:
    file.write(expected + b"\n")
press = ["run", "-p", "mechanism:file=press.json", "-s", "generalized_alpha", "--h", "1/100", "--steps", "100", "--every", "5", "--format", "csv"]
four_bar = ["run", "-p", "mechanism:file=four_bar.json", "-s", "rattle", "--h", "1/100", "--steps", "5", "--format", "csv"]
FILES = (
    ("press_load.csv", table, press),
    ("press_motor.csv", table, press),
    ("four_bar.json", description, four_bar),
    ("rows.csv", rows, ["order", "-p", "oscillator", "-s", "verlet", "--levels", "2", "--format", "csv", "--expect", "rows.csv"]),
)

findings = tried = count = 0
for name, read, command in FILES:
    with open(name, newline="", encoding="utf-8") as file:
        original = file.read()
    right, before = read(original), run(command)
    assert before[0] == 0, before
    for at, character in itertools.product(range(len(original)), CHARACTERS):
        count += 1
        if original[at] == character or count % EVERY != FIRST % EVERY:
            continue
        changed = original[:at] + character + original[at + 1 :]
        with open(name, "w", newline="", encoding="utf-8") as file:
            file.write(changed)
        try:
            data = read(changed)
        except (ValueError, csv.Error, RecursionError):
            data = REFUSED
        status, output, said = run(command)
        tried += 1
        wrong = None
        if status not in (0, 1, 2, 3) or (status > 0 and not said.strip()):
            wrong = f"exit status {status} without a sentence"
        elif data is REFUSED and status == 0:
            wrong = "is accepted"
        elif data is not REFUSED and data == right and (status, output) != before[:2]:
            wrong = f"has the same data and other rows: {said}"
        elif read is rows and data is not REFUSED and data != right and status == 0:
            same = len(data) == len(right) and all(agree(a, b) for x, y in zip(data, right) for a, b in zip(x, y))
            wrong = None if same else "other rows are as expected"
        elif read is description and data is not REFUSED and shape(data) != shape(right) and status == 0:
            wrong = "other names or types are accepted"
        if wrong:
            findings += 1
            print(f"{name}, character {at} {original[at]!r} -> {character!r}: {wrong}: ...{changed[max(0, at - 20):at + 20]!r}")
    with open(name, "w", newline="", encoding="utf-8") as file:
        file.write(original)
print(f"{tried} changes of one character; findings: {findings}")
sys.exit(findings > 0)
