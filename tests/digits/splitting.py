"""Splitting methods and compositions: hlw06 II.5, III.3.4, V.3. The decimals that their authors print are moved onto the
order conditions by the least change."""
from functools import lru_cache, partial

from mpmath import matrix, mpf, sqrt

from compounds import OUTER, coefficients
from explicit import acceleration
from problems import Table, follow, jacobian, number, solver, vector

# ---- Order conditions. ----


@lru_cache(None)
def trees(order):
    """Nystrom trees (hnw93 II.14): a power of c and the trees below, of which each is joined by a-_ij."""
    found = set()

    def extend(rest, kids):
        found.add((rest, tuple(sorted(kids))))
        for below in range(1, rest):
            for kid in trees(below):
                extend(rest - below - 1, [*kids, kid])
    extend(order - 1, [])
    return sorted(found)


def size(tree):
    return 1 + tree[0] + sum(size(kid) + 1 for kid in tree[1])


def exact(tree):
    """The factor e of Phi(c) = e c^(order - 1) of the solution."""
    value = mpf(1)
    for kid in tree[1]:
        value *= exact(kid) / (size(kid) * (size(kid) + 1))
    return value


def phi(tree, c, b):
    values = [x**tree[0] for x in c]
    for kid in tree[1]:
        below = phi(kid, c, b)
        values = [values[i] * sum(b[j] * (c[i] - c[j]) * below[j] for j in range(i)) for i in range(len(c))]
    return values


def nystrom_conditions(order, c, b):
    return [sum(x * y for x, y in zip(b, phi(tree, c, b))) - exact(tree) / k
            for k in range(1, order + 1) for tree in trees(k)]


@lru_cache(None)
def words(order):
    """Words in letters of weight 1, 3, 5, ..., by their weights."""
    return [()] if order == 0 else [(g, *w) for g in range(1, order + 1, 2) for w in words(order - g)]


def composition_conditions(order, steps):
    """Those of the product of exp(c Y1 + c^3 Y3 + ...) over the steps c: it is exp(Y1) up to the order."""
    everything = [w for k in range(order + 1) for w in words(k)]
    factorials = [mpf(1)]
    for k in range(1, order + 1):
        factorials.append(k * factorials[-1])
    now = {w: mpf(w == ()) for w in everything}
    for c in steps:
        powers = [c**k for k in range(order + 1)]
        now = {w: sum(now[w[:k]] * powers[sum(w[k:])] / factorials[len(w) - k] for k in range(len(w) + 1))
               for w in everything}
    return [now[w] - (1 / factorials[len(w)] if set(w) <= {1} else 0) for w in everything]


def onto(conditions, x):
    """The root of the conditions, which depend on each other, next to x: x is moved by the least squares."""
    x = vector(x)
    for _ in range(6):
        J, r = jacobian(conditions, x), vector(conditions(x))
        rows = independent(J)
        A = matrix([[J[i, j] for j in range(J.cols)] for i in rows])
        step = A.T * solver(A * A.T)(vector([r[i] for i in rows]))
        x = x - step
        if max(abs(a) for a in step) < mpf(10) ** -60:
            break
    return list(x)


def independent(J):
    """Rows of J that span the others, by elimination with the largest pivots."""
    rows, left, chosen = [list(r) for r in J.tolist()], set(range(J.rows)), []
    while left and len(chosen) < J.cols:
        pivot, i, j = max((abs(rows[i][j]), i, j) for i in left for j in range(J.cols))
        if pivot < mpf(10) ** -8:
            break
        chosen.append(i)
        left.remove(i)
        for k in left:
            factor = rows[k][j] / rows[i][j]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return sorted(chosen)


# ---- The methods: flows outer[0], inner[0], outer[1], ..., where drifts or kicks come first. ----

def folded(half, count):
    """A symmetric list with sum 1, of which all but the middle is given."""
    if count % 2 == 0:
        half = [*half, mpf(1) / 2 - sum(half)]
        return half + half[::-1]
    return [*half, 1 - 2 * sum(half), *half[::-1]]


ATELA2 = sqrt(mpf(1) / 2)
A1 = "0.919661523017399857"
ATELA3 = [number(A1), 1 / (4 * number(A1)) - number(A1) / 2, 1 - number(A1) / 2 - 1 / (4 * number(A1))]
FOREST = 1 / (2 - mpf(2) ** (mpf(1) / 3))
CHI, LAMBDA = "-0.06626458266981849", (1 + 2 * number("0.2123418310626054")) / 2
# name: order, first, symmetric, stages, outer, inner, error of the printed digits where they leave a choice
PRINTED = {
    "position_verlet": (2, "drift", True, 1, "", "", ""),
    "ruth3": (3, "kick", False, 3, "7/24 3/4 -1/24", "2/3 -2/3 1", ""),
    "mclachlan_atela2": (2, "kick", False, 2, [1 - ATELA2, ATELA2], [ATELA2, 1 - ATELA2], ""),
    "mclachlan_atela3": (3, "kick", False, 3, ATELA3[::-1], ATELA3, "1e-16"),
    "mclachlan_atela4": (4, "kick", False, 4,
                         "0.1344961992774310892 -0.2248198030794208058 0.7563200005156682911 0.3340036032863214255",
                         "0.5153528374311229364 -0.085782019412973646 0.4415830236164665242 0.1288461583653841854",
                         "1e-17"),
    "mclachlan_atela5": (5, "kick", False, 6,
                         "0.1193900292875672758 0.6989273703824752308 -0.1713123582716007754 0.4012695022513534480 "
                         "0.0107050818482359840 -0.0589796254980311632",
                         "0.33983962583911 -0.088601336903027329 0.5858564768259621188 -0.603039356536491888 "
                         "0.3235807965546976394 0.4423637942197494587", "1e-17"),
    "forest_ruth": (4, "drift", True, 3, [FOREST / 2], [FOREST], ""),
    "pefrl": (4, "drift", True, 4, f"0.1786178958448091 {CHI}", [LAMBDA], "1e-15"),
    "blanes_moan_s6": (4, "drift", True, 6, "0.0792036964311957 0.353172906049774 -0.0420650803577195",
                       "0.209515106613362 -0.143851773179818", "1e-14"),
    "srkn6b": (4, "kick", True, 6, "0.0829844064174052 0.396309801498368 -0.0390563049223486",
               "0.245298957184271 0.604872665711080", "1e-14"),
    "okunbor_skeel6": (6, "drift", True, 7, "-1.01308797891717472981 1.18742957373254270702 -0.01833585209646059034",
                       "0.00016600692650009894 -0.37962421426377360608 0.68913741185181063674", "1e-18"),
    "blanes_moan_s10": (6, "drift", True, 10,
                        "0.0502627644003922 0.413514300428344 0.0450798897943977 -0.188054853819569 0.541960678450780",
                        "0.148816447901042 -0.132385865767784 0.067307604692185 0.432666402578175", "1e-14"),
    "srkn11b": (6, "kick", True, 11,
                "0.0414649985182624 0.198128671918067 -0.0400061921041533 0.0752539843015807 -0.0115113874206879",
                "0.123229775946271 0.290553797799558 -0.127049212625417 -0.246331761062075 0.357208872795928", "1e-14"),
    "srkn14a": (6, "drift", True, 14,
                "0.0378593198406116 0.102635633102435 -0.0258678882665587 0.314241403071447 -0.130144459517415 "
                "0.106417700369543 -0.00879424312851058",
                "0.09171915262446165 0.183983170005006 -0.05653436583288827 0.004914688774712854 0.143761127168358 "
                "0.328567693746804", "1e-13"),
}
# The outer steps of more symmetric compositions: yoshida90, mclachlan95.
COMPOSITIONS = {
    "mclachlan_ss5": (4, "0.28 0.62546642846767004501", "1e-18"),
    "mclachlan_ss9": (6, "0.1867 0.55549702371247839916 0.12946694891347535806 -0.84326562338773460855", "1e-18"),
    "mclachlan_ss17": (8, "0.12713692773487857916 0.56170253798880269972 -0.38253471994883018888 "
                          "0.16007605629464743119 -0.40181637432680696673 0.18736671654227849724 "
                          "0.26070870920779240570 0.29039738812516162389", "1e-18"),
    "yoshida6b": (6, "1.43984816797678 0.00426068187079180 -2.13228522200144", ""),
    "yoshida6c": (6, "1.44778256239930 -2.14403531630539 0.00152886228424922", ""),
    "yoshida8a": (8, "1.04242620869991 1.82020630970714 0.157739928123617 2.44002732616735 -0.00716989419708120 "
                     "-2.44699182370524 -1.61582374150097", ""),
    "yoshida8b": (8, "1.48819229202922 -2.33864815101035 2.89105148970595 -2.89688250328827 0.00378039588360192 "
                     "2.89195744315849 -0.00169248587770116", ""),
    "yoshida8c": (8, "0.629030650210433 1.36934946416871 -1.06458714789183 1.66335809963315 -1.67896928259640 "
                     "-1.55946803821447 0.311790812418427", ""),
    "yoshida8d": (8, "0.914844246229740 0.253693336566229 -1.44485223686048 -0.158240635368243 1.93813913762276 "
                     "-1.96061023297549 0.102799849391985", ""),
    "yoshida8e": (8, "1.30300165760014 0.107990467703699 -2.04809795887393 0.00536018921307285 -0.0719180053552772 "
                     "2.52778927322839 0.0227738840094906", ""),
}


def numbers(given):
    return [number(x) for x in given.split()] if isinstance(given, str) else list(given)


@lru_cache(None)
def flows(name):
    """(first, outer, inner) of a method; those of Verlet's method with the steps of a composition."""
    if name not in PRINTED:
        steps = composition_steps(name)
        kicks = [(a + b) / 2 for a, b in zip([mpf(0), *steps], [*steps, mpf(0)])]
        return "kick", kicks, steps
    order, first, symmetric, stages, outer, inner, _ = PRINTED[name]
    given, cut = numbers(outer) + numbers(inner), len(numbers(outer))

    def whole(x):
        outer, inner = list(x)[:cut], list(x)[cut:]
        return (folded(outer, stages + 1), folded(inner, stages)) if symmetric else ([*outer, mpf(0)], inner)

    def conditions(x):
        outer, inner = whole(x)
        drifts, kicks = (outer, inner) if first == "drift" else (inner, outer)
        nodes = [sum(drifts[:k + (first == "drift")], mpf(0)) for k in range(len(kicks))]
        return [*nystrom_conditions(order, nodes, kicks), sum(drifts) - 1]
    return first, *whole(onto(conditions, given) if given else given)


@lru_cache(None)
def composition_steps(name):
    if name in OUTER:
        return coefficients(name)
    order, outer, _ = COMPOSITIONS[name]
    outer, fixed = numbers(outer), numbers(outer)[:1] if name in ("mclachlan_ss5", "mclachlan_ss9") else []

    def whole(x):
        half = fixed + list(x)
        return folded(half, 2 * len(half) + 1)
    return whole(onto(lambda x: composition_conditions(order - 1, whole(x)), outer[len(fixed):]))


def splitting(name, p, t, q, v, h):
    first, outer, inner = flows(name)
    for k in range(2 * len(inner) + 1):
        c = inner[k // 2] if k % 2 else outer[k // 2]
        if (k % 2 == 0) == (first == "drift"):
            q, t = q + c * h * v, t + c * h
        else:
            v = v + c * h * acceleration(p, t, q, v)
    return q, v


if __name__ == "__main__":
    table = Table()
    for name, (*_, error) in PRINTED.items():
        for spec in ("kepler:e=0.6", "paul_trap"):
            follow(table, spec, f"splitting:method={name}", "0.1", 3, partial(splitting, name), error=error)
    for name in [*OUTER, *COMPOSITIONS]:
        error = COMPOSITIONS[name][2] if name in COMPOSITIONS else "1e-19" if isinstance(OUTER[name], str) else ""
        follow(table, "kepler:e=0.6", f"splitting:method={name}", "0.1", 3, partial(splitting, name), error=error)
        if name in COMPOSITIONS:
            follow(table, "kepler:e=0.6", f"{name}(verlet)", "0.1", 3, partial(splitting, name), error=error)
    table.main()
