"""Writes the bounds of the references of the test problems: references.py STEPBENCH FILE.csv [PROBLEM...].

Each problem is solved in quadruple precision by `stepbench reference`: two methods, each with two steps. The row has
both methods, the bounds of the 2-norms of the errors of q, v and lambda at ten times up to t_end, the digits that are
certain in the larger of the relative bounds of q and v, and the accelerated coordinate that has moved the farthest
with its value at t_end, to the digits of its bound. PROBLEM: writes the rows of these alone, and keeps the others of
the file."""
import csv
import decimal
import json
import math
import os
import subprocess
import sys
import tempfile

GAUSS = "--second gauss:stages=5"  # where compositions of order eight take too long
# Problem, t_end (s; of outer_solar_system days), further options, and the reason for t_end.
LIST = [
    ("andrews", "0.03", "--goal 1e-15 " + GAUSS, "end of the published solution"),
    ("bricard", "0.3", "--goal 1e-11 " + GAUSS, "nearly sqrt(l/g); longer motions take many minutes to "
     "compute"),
    ("car_axis", "3", "--h 0.0125 --goal 1e-13 " + GAUSS, "end of the published solution"),
    ("double_pendulum", "2", "--goal 1e-17", "six times sqrt(l/g) of a chaotic motion"),
    ("flexible_slider_crank", "0.042", "--goal 1e-12 " + GAUSS, "one turn of the crank"),
    ("flyball_governor", "0.05", "--goal 1e-11 " + GAUSS, "nearly four times sqrt(m/k); longer motions take "
     "many minutes to compute"),
    ("four_bar:N=1", "2", "--goal 1e-18", "one swing to and fro"),
    ("four_bar", "2", "--goal 1e-18", "one swing to and fro"),
    ("fput", "2", "--goal 1e-18", "sixteen oscillations of the stiff springs"),
    ("heavy_top", "0.5", "--goal 1e-12 " + GAUSS, "a turn and a half of the spin"),
    ("henon_heiles", "100", "--goal 1e-18", "sixteen oscillations"),
    ("hoop", "3", "--goal 1e-18", "nearly two turns of the hoop"),
    ("outer_solar_system", "5000", "--goal 1e-18", "more than a revolution of Jupiter, 4333 days"),
    ("paul_trap", "10", "--goal 1e-18", "three periods of the field"),
    ("shaken_pendulum", "1", "--goal 1e-18", "nearly five periods of the pivot"),
    ("slider_crank", "0.8", "--goal 1e-15", "most of a turn of the crank, after which it is where it began"),
    ("slider_crank_sundials", "10", "--goal 1e-16 " + GAUSS, "end of the published solution"),
]
COLUMNS = ["problem", "t_end", "first", "h_first", "second", "h_second", "bound_q", "bound_v", "bound_lambda", "digits",
           "coordinate", "value", "reason"]
SAMPLES = 10


def norm(values):
    return math.sqrt(sum(float(x) ** 2 for x in values))


def method(entry):
    return entry["stepper"] + (" -w " + entry["formulation"] if entry["formulation"] else "")


def farthest(samples):
    """Returns the index of the coordinate that differs most between the first and the last sample, of those that are
    accelerated: the others, such as a driven crank, only show the time."""
    size = [max(abs(float(sample["a"][i])) for sample in samples) for i in range(len(samples[0]["a"]))]
    accelerated = [i for i in range(len(size)) if size[i] > 1e-15 * max(size)]
    first, last = samples[0]["q"], samples[-1]["q"]
    return max(accelerated, key=lambda i: abs(float(last[i]) - float(first[i])))


def rounded(text, bound):
    """Returns a number with one decimal beyond those that the bound leaves certain."""
    decimal.getcontext().prec = 40
    return str(decimal.Decimal(text).quantize(decimal.Decimal(10) ** (math.floor(math.log10(bound)) - 1)))


def solve(program, problem, t_end, options):
    """Returns what `stepbench reference` has written."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "solution.json")
        subprocess.run([program, "reference", problem, "--t-end", t_end, "--samples", str(SAMPLES), *options.split(),
                        "-o", file], check=True, stdout=subprocess.DEVNULL)
        with open(file) as source:
            return json.load(source)


def make_row(problem, t_end, solution, reason):
    (first, second), bound, samples = solution["methods"], solution["bound"], solution["samples"]
    relative = max(bound[part] / max(norm(sample[part]) for sample in samples) for part in ("q", "v"))
    moved = farthest(samples)
    return {"problem": problem, "t_end": t_end, "first": method(first), "h_first": "%.6g" % float(first["h"]),
            "second": method(second), "h_second": "%.6g" % float(second["h"]), "bound_q": "%.2g" % bound["q"],
            "bound_v": "%.2g" % bound["v"], "bound_lambda": "%.2g" % bound["lambda"] if "lambda" in bound else "",
            "digits": math.floor(-math.log10(relative)), "coordinate": "q%d" % moved,
            "value": rounded(samples[-1]["q"][moved], bound["q"]), "reason": reason}


def read(path):
    if not os.path.exists(path):
        return {}
    with open(path, newline="") as file:
        return {row["problem"]: row for row in csv.DictReader(line for line in file if line[0] != "#")}


def write(path, rows):
    with open(path, "w", newline="") as file:
        file.write("# make references: solutions in quadruple precision and bounds of their errors, at %d times up to "
                   "t_end\n" % SAMPLES)
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[entry[0]] for entry in LIST if entry[0] in rows)


def main(program, path, only):
    unknown = [name for name in only if name not in [entry[0] for entry in LIST]]
    if unknown:
        sys.exit("references: no row %s; there are %s" % (unknown[0], ", ".join(entry[0] for entry in LIST)))
    rows = read(path)
    for problem, t_end, options, reason in LIST:
        if not only or problem in only:
            rows[problem] = make_row(problem, t_end, solve(program, problem, t_end, options), reason)
            write(path, rows)  # an interrupted run keeps the rows before
            print("%s: %s digits" % (problem, rows[problem]["digits"]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
