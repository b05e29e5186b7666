"""odeiv2: the embedded pairs of GSL, hnw93 II.4, II.5, and its multistep methods, hnw93 III.5, III.6.

A pair's first step has the length T/100, T the time scale of the problem, or is the whole interval where that is
shorter: then it is one step of the formula of the higher order, projected onto the constraints. The positions below move fast in
the measure of T, so that this step has an error of its own.

The steps and orders of the multistep methods follow from estimates of their errors, which formulas of the literature do
not determine. Their rows have the exact solution and the error that the tolerance allows.
"""
from functools import partial

from mpmath import cos, exp, findroot, mpf, sin, sqrt

from compounds import fixed, onto, states
from explicit import acceleration
from problems import Table, follow, number, problem

PAIRS = {
    # Prince and Dormand's pair of order 8 (7) with 13 stages
    "rk8pd": ("""
1/18
1/48 1/16
1/32 0 3/32
5/16 0 -75/64 75/64
3/80 0 0 3/16 3/20
29443841/614563906 0 0 77736538/692538347 -28693883/1125000000 23124283/1800000000
16016141/946692911 0 0 61564180/158732637 22789713/633445777 545815736/2771057229 -180193667/1043307555
39632708/573591083 0 0 -433636366/683701615 -421739975/2616292301 100302831/723423059 790204164/839813087
  800635310/3783071287
246121993/1340847787 0 0 -37695042795/15268766246 -309121744/1061227803 -12992083/490766935 6005943493/2108947869
  393006217/1396673457 123872331/1001029789
-1028468189/846180014 0 0 8478235783/508512852 1311729495/1432422823 -10304129995/1701304382 -48777925059/3047939560
  15336726248/1032824649 -45442868181/3398467696 3065993473/597172653
185892177/718116043 0 0 -3185094517/667107341 -477755414/1098053517 -703635378/230739211 5731566787/1027545527
  5232866602/850066563 -4093664535/808688257 3962137247/1805957418 65686358/487910083
403863854/491063109 0 0 -5068492393/434740067 -411421997/543043805 652783627/914296604 11173962825/925320556
  -13158990841/6184727034 3936647629/1978049680 -160528059/685178525 248638103/1413531060 0""",
              """14005451/335480064 0 0 0 0 -59238493/1068277825 181606767/758867731 561292985/797845732
-1041891430/1371343529 760417239/1151165299 118820643/751138087 -528747749/2220607170 1/4"""),
    # Fehlberg's pair; the formula of order 5
    "rkf45": ("""
1/4
3/32 9/32
1932/2197 -7200/2197 7296/2197
439/216 -8 3680/513 -845/4104
-8/27 2 -3544/2565 1859/4104 -11/40""", "16/135 0 6656/12825 28561/56430 -9/50 2/55"),
    # Cash and Karp's pair; the formula of order 5
    "rkck": ("""
1/5
3/40 9/40
3/10 -9/10 6/5
-11/54 5/2 -70/27 35/27
1631/55296 175/512 575/13824 44275/110592 253/4096""", "37/378 0 250/621 125/594 0 512/1771"),
}


def tableau(name):
    rows, weights = PAIRS[name]
    a = [[]] + [[number(x) for x in row.split()] for row in rows.replace("\n  ", " ").strip().split("\n")]
    b = [number(x) for x in weights.split()]
    c = [sum(row, mpf(0)) for row in a]
    order = 8 if name == "rk8pd" else 5
    for k in range(order):  # the conditions of quadrature; the fractions of order 8 hold to some 1e-17
        assert abs(sum(w * x**k for w, x in zip(b, c)) - mpf(1) / (k + 1)) < mpf(10) ** -15, (name, k)
    return a, b, c


def pair(name):
    a, b, c = tableau(name)

    def step(p, t, q, v, h):
        k, l = [], []
        for row, node in zip(a + [b], c + [1]):
            qi = sum((h * w * x for w, x in zip(row, k)), q)
            vi = sum((h * w * x for w, x in zip(row, l)), v)
            if row is b:
                return onto(p, t + h, qi, vi) if p.m + p.k else (qi, vi)
            k.append(vi)
            l.append(acceleration(p, t + node * h, qi, vi))
    return step


def two_parts(step, spec, first, second):
    p = problem(spec)
    return [None, step(p, first, *step(p, mpf(0), p.q, p.v, first), second)]


def oscillator(omega, gamma, v0, t):
    b = gamma / 2
    w = sqrt(omega**2 - b**2)
    C, S = exp(-b * t) * cos(w * t), exp(-b * t) * sin(w * t) / w
    return [C + (v0 + b) * S], [v0 * C - (b * v0 + omega**2) * S]


def kepler(e, t):
    E = findroot(lambda E: E - e * sin(E) - t, t + e)
    rate = 1 / (1 - e * cos(E))
    return [cos(E) - e, sqrt(1 - e**2) * sin(E)], [-rate * sin(E), sqrt(1 - e**2) * rate * cos(E)]


FAST = ["henon_heiles:x0=3000,y0=-2000", "kepler:e=0.6"]
FEATURES = ["oscillator:omega=2,gamma=0.3,v0=1", "paul_trap", "spherical_pendulum", "dsp", "hoop", "rolling_disk",
            "pendulum:constraint=norm,theta0=2", "slider_crank_sundials", "rigid_body:w1=2,w2=0.1,w3=-1"]

if __name__ == "__main__":
    table = Table()
    for method in PAIRS:
        step, name = pair(method), f"odeiv2:method={method},rtol=0.1"
        for spec in FAST + (FEATURES if method == "rk8pd" else []):
            h = "0.008" if spec.startswith("henon") else "0.001"
            table.add(spec, name, h, [1], partial(states, fixed(step), spec, h, 1))
        # the motion does not depend on rows that say the same; how they share a force, the formulas do not say
        if method == "rk8pd":
            follow(table, "slider_crank:redundant=1,drive=none,phi0=0.7", name, "0.001", 1, step,
                   p=problem("slider_crank:drive=none,phi0=0.7"))
        # a first step of T/100, T = 1, and what is left
        table.add(FAST[0], name, "0.012", [1], partial(two_parts, step, FAST[0], number("0.01"), number("0.002")))
    # The errors of some hundred steps add up: a thousand times the tolerance.
    for method in ("msadams", "msbdf"):
        for spec, motion in (("oscillator:omega=2,gamma=0.3,v0=1", partial(oscillator, mpf(2), number("0.3"), mpf(1))),
                             ("kepler:e=0.6", partial(kepler, number("0.6")))):
            table.add(spec, f"odeiv2:method={method},rtol=1e-10", "0.5", [1, 3],
                      lambda motion=motion: [motion(number("0.5") * k) for k in range(4)], error="1e-7")
    table.main()
