"""Applies single-line mutations to a copy of the sources and runs the tests: usage in tests/mutate.sh.

The list has the columns file, before, after, tests, reason. `before` stands exactly once in the file. `tests` are run
first; "bench:NAME" is an experiment whose results are compared with the committed ones. `reason` says of a mutation
that may survive why no test can notice it."""
import csv
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys

COLUMNS = ["file", "before", "after", "outcome", "by", "reason"]
BUILD_SECONDS, TEST_SECONDS = 1800, 300


def run(arguments, seconds):
    """Returns exit status (None: out of time) and output."""
    try:
        done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, ""


class Tree:
    def __init__(self, work):
        self.sources, self.build, self.work = work + "/tree", work + "/build", work
        self.marker = work + "/mutated"  # names the file that an interrupted run has left mutated
        if os.path.exists(self.marker):
            with open(self.marker) as marker:
                os.utime(os.path.join(self.sources, marker.read()))
            os.remove(self.marker)
        status, listed = run(["ctest", "--test-dir", self.build, "-N", "-L", "^numerical$"], TEST_SECONDS)
        self.numerical = re.findall(r"Test +#\d+: (\S+)", listed)
        if status != 0 or not self.numerical:
            sys.exit("mutate: ctest lists no tests with the label numerical")

    def compile(self, targets):
        status, output = run(["cmake", "--build", self.build, "-j", "2", "--target", *targets], BUILD_SECONDS)
        return status == 0, output

    def failing(self, tests):
        """Returns the first of the tests that fails, "" if none does."""
        pattern = "^(" + "|".join(tests) + ")$"
        status, output = run(["ctest", "--test-dir", self.build, "-R", pattern, "--stop-on-failure",
                              "--timeout", str(TEST_SECONDS)], BUILD_SECONDS)
        failed = re.search(r"Test +#\d+: (\S+) .*\*\*\*", output)
        return "" if status == 0 else failed.group(1) if failed else "ctest"

    def noticed(self, tests):
        """Returns what notices the present state of the sources, "" if nothing does; None if it does not build."""
        experiments = [name[6:] for name in tests if name.startswith("bench:")]
        first = [name for name in tests if not name.startswith("bench:")]
        for group in (first, [name for name in self.numerical if name not in first]):
            if not self.compile(group or ["stepbench"])[0]:
                return None
            by = self.failing(group) if group else ""
            if by:
                return by
            if group is first and experiments:
                if not self.compile(["stepbench"])[0]:
                    return None
                bench = [self.build + "/stepbench", "bench", *experiments, "--out", self.work + "/results"]
                shutil.rmtree(self.work + "/results", ignore_errors=True)
                for command in (bench, bench + ["--compare", self.sources + "/results"]):
                    if run(command, BUILD_SECONDS)[0] != 0:
                        return "bench " + " ".join(experiments)
        return ""

    def check_unchanged(self):
        """Returns why the unchanged sources do not pass, "" if they do. Sources that have passed are not run again."""
        digest = hashlib.sha256()
        for folder, folders, files in os.walk(self.sources):
            folders.sort()
            for name in sorted(files):
                with open(os.path.join(folder, name), "rb") as file:
                    digest.update(name.encode() + file.read())
        stamp = self.work + "/passed"
        if os.path.exists(stamp):
            with open(stamp) as file:
                if file.read() == digest.hexdigest():
                    return ""
        built, output = self.compile(self.numerical + ["stepbench"])
        failed = self.failing(self.numerical) if built else output[-2000:]
        if not failed:
            with open(stamp, "w") as file:
                file.write(digest.hexdigest())
        return failed

    def apply(self, row):
        """Returns the outcome of a mutation and what noticed it."""
        path = os.path.join(self.sources, row["file"])
        if not os.path.exists(path):
            return "error", "no such file"
        with open(path) as file:
            text = file.read()
        count = text.count(row["before"])
        if count != 1:
            return "error", "the text stands %d times in the file" % count
        with open(self.marker, "w") as marker:
            marker.write(row["file"])
        try:
            with open(path, "w") as file:
                file.write(text.replace(row["before"], row["after"]))
            by = self.noticed(row["tests"].split())
        finally:
            with open(path, "w") as file:
                file.write(text)
            os.remove(self.marker)
        return ("error", "does not build") if by is None else ("killed", by) if by else ("survives", "")


def key(row):
    return row["file"], row["before"], row["after"]


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def write(path, mutations, known):
    rows = [known[key(row)] for row in mutations if key(row) in known]
    killed = sum(row["outcome"] == "killed" for row in rows)
    with open(path + ".new", "w", newline="") as file:
        file.write("# make mutate: %d of %d mutations of tests/mutations.csv were run, %d were killed\n"
                   % (len(rows), len(mutations), killed))
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(path + ".new", path)


def main():
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("mutate: ended by signal %d" % number))
    work, list_path, results_path, first, count = *sys.argv[1:4], int(sys.argv[4]), int(sys.argv[5])
    mutations = read(list_path)
    known = {key(row): row for row in read(results_path)}
    chosen = [row for row in mutations[first - 1:first - 1 + count]
              if known.get(key(row), {}).get("outcome") != "killed"]
    tree = Tree(work)
    print("mutate: %d mutations to run; the unchanged sources first" % len(chosen), flush=True)
    broken = tree.check_unchanged()
    if broken:
        sys.exit("mutate: the unchanged sources fail: %s" % broken)
    for row in chosen:
        outcome, by = tree.apply(row)
        print("%-8s %s: %s -> %s (%s)" % (outcome, *key(row), by), flush=True)
        known[key(row)] = dict(zip(COLUMNS, (*key(row), outcome, by, row["reason"] if outcome == "survives" else "")))
        write(results_path, mutations, known)
    write(results_path, mutations, known)
    bad = [row for row in mutations[first - 1:first - 1 + count]
           if known[key(row)]["outcome"] == "error" or
           known[key(row)]["outcome"] == "survives" and not row["reason"]]
    sys.exit("mutate: %d mutations survive without a reason or are in error" % len(bad) if bad else 0)


main()
