#!/bin/sh
# results/references.csv has a bound for every test problem of the literature. Three of its values are those of Taylor
# series and of a closed form in decimal arithmetic, which shares nothing with the program.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }

python3 - "$SOURCE_DIR/results/references.csv" <<'PYTHON'
import csv
import decimal
import sys

D = decimal.Decimal
decimal.getcontext().prec = 34
PROBLEMS = """andrews bricard car_axis double_pendulum flexible_slider_crank flyball_governor four_bar:N=1 four_bar fput
heavy_top henon_heiles hoop outer_solar_system paul_trap shaken_pendulum slider_crank slider_crank_sundials""".split()
ORDER, STEPS = 30, 4  # terms of a series; steps per unit of time


def product(a, b, k):
    return sum(a[j] * b[k - j] for j in range(k + 1))


def henon_heiles(series):
    """x'' = -x - 2 x y, y'' = -y - x^2 + y^2"""
    x, y = series
    return lambda k: (-x[k] - 2 * product(x, y, k), -y[k] - product(x, x, k) + product(y, y, k))


def paul_trap(series):
    """x'' = -(a - 2 q c) x, y'' = (a - 2 q c) y with Omega = 2; c = cos 2t and s = sin 2t satisfy c'' = -4 c."""
    x, y, c = series
    a, twice_q = D("0.02"), D("0.8")
    return lambda k: (twice_q * product(c, x, k) - a * x[k], a * y[k] - twice_q * product(c, y, k), -4 * c[k])


def solve(law, state, t_end):
    """Returns the positions at t_end; the state has a position and a velocity each."""
    steps = STEPS * int(t_end)
    h = D(t_end) / steps
    for _ in range(steps):
        series = [[x, v] for x, v in state]
        second = law(series)
        for k in range(ORDER - 1):
            for terms, value in zip(series, second(k)):
                terms.append(value / ((k + 1) * (k + 2)))
        powers = [h**k for k in range(ORDER + 1)]
        state = [(sum(a * p for a, p in zip(terms, powers)),
                  sum(k * terms[k] * powers[k - 1] for k in range(1, len(terms)))) for terms in series]
    return [x for x, v in state]


def slider(t):
    """Returns cos(a) + sqrt(4 - sin^2(a)), where a driven crank of length 1 pushes the slider over a rod of 2."""
    a, term, wave = D("6.283185307179586") * D(t), D(1), [D(0), D(0)]
    for k in range(1, 60):
        wave[(k - 1) % 2] += term if (k - 1) % 4 < 2 else -term
        term *= a / k
    return wave[0] + (4 - wave[1] ** 2).sqrt()


def check(row, found):
    apart = abs(found - D(row["value"]))
    # The value is rounded to a decimal below a tenth of the bound.
    if not apart <= D(row["bound_q"]) * D("1.1"):
        sys.exit("FAIL: %s is %s, and the table has %s: apart by %s, bound %s"
                 % (row["problem"], found, row["value"], apart, row["bound_q"]))


with open(sys.argv[1], newline="") as file:
    rows = {row["problem"]: row for row in csv.DictReader(line for line in file if line[0] != "#")}
if sorted(rows) != sorted(PROBLEMS):
    sys.exit("FAIL: the table has rows of " + " ".join(rows))
for row in rows.values():
    bounds = [float(row[key]) for key in ("bound_q", "bound_v", "bound_lambda") if row[key] != ""]
    if not (int(row["digits"]) >= 10 and all(0.0 < bound < 1.0 for bound in bounds) and row["reason"]):
        sys.exit("FAIL: %s has no bound of ten digits: %s" % (row["problem"], row))
ONE = D(1)
for name, law, start in (("henon_heiles", henon_heiles, [(D(0), D("0.5")), (D("0.1"), D(0))]),
                         ("paul_trap", paul_trap, [(ONE, D(0)), (D("0.5"), D("0.3")), (ONE, D(0))])):
    check(rows[name], solve(law, start, rows[name]["t_end"])[int(rows[name]["coordinate"][1:])])
if rows["slider_crank"]["coordinate"] != "q6":
    sys.exit("FAIL: the coordinate of slider_crank is not the slider's x, q6")
check(rows["slider_crank"], slider(rows["slider_crank"]["t_end"]))
PYTHON
