"""Compounds: compositions (hlw06 II.4, V.3.2), projection (hlw06 IV.4), error control by step doubling (hnw93 II.4),
the reversible controller (hairer05, hlw06 VIII.3), steps that end at an event (hnw93 II.6) and substeps (macklin19)."""
from functools import partial

from mpmath import log, matrix, mpf, sqrt, zeros

from explicit import euler_explicit, rk4, verlet
from implicit import implicit, midpoint
from problems import Table, hessian, norm, number, problem, saddle, solve, tangent
from variational import shake_step


def rattle(p, t, q, v, h):
    q1, half, _ = shake_step(p, p.M(q), t, h, h / 2, q, v)
    return q1, tangent(p, t + h, q1, p.M(q1) * half + h / 2 * p.force(t + h, q1, half))


# ---- Compositions: the outer coefficients as hlw06 V (3.9)-(3.12) prints them, to twenty digits. ----

OUTER = {
    "yoshida4": [1 / (2 - mpf(2) ** (mpf(1) / 3))],
    "suzuki4": [1 / (4 - mpf(4) ** (mpf(1) / 3))] * 2,
    "yoshida6a": "0.78451361047755726382 0.23557321335935813368 -1.17767998417887100695",
    "kahan_li6": "0.39216144400731413928 0.33259913678935943860 -0.70624617255763935981 0.08221359629355080023",
    "suzuki_umeno8": "0.74167036435061295345 -0.40910082580003159400 0.19075471029623837995 -0.57386247111608226666 "
                     "0.29906418130365592384 0.33462491824529818378 0.31529309239676659663",
    "kahan_li8": "0.13020248308889008088 0.56116298177510838456 -0.38947496264484728641 0.15884190655515560090 "
                 "-0.39590389413323757734 0.18453964097831570709 0.25837438768632204729 0.29501172360931029887",
}


def coefficients(name):
    outer = OUTER[name]
    outer = [number(c) for c in outer.split()] if isinstance(outer, str) else outer
    c = outer + [1 - 2 * sum(outer)] + outer[::-1]
    for power in range(3, int(name.rstrip("abcde")[-1]), 2):  # conditions of the order: of those, one per odd power
        assert abs(sum(x**power for x in c)) < mpf(10) ** -18, name
    return c


def composition(name, base):
    def step(p, t, q, v, h):
        for c in coefficients(name):
            q, v = base(p, t, q, v, c * h)
            t += c * h
        return q, v
    return step


# ---- Projection. ----

def onto(p, t, q, v):
    """The corrections M dq = C' mu, g + G dq = 0, A dq = 0 with the rows of the corrected point until g = 0, then the
    velocity M v1 = M v + C' nu."""
    moved = mpf(1)
    while p.m and moved > mpf(10) ** -45:
        level = [-a for a in p.g(t, q)] + [mpf(0)] * p.k
        dq = saddle(p.M(q), p.rows(t, q), zeros(p.n, 1), matrix(level))[0]
        q, moved = q + dq, norm(dq)
    return q, tangent(p, t, q, p.M(q) * v)


def projection(base):
    def step(p, t, q, v, h):
        return onto(p, t + h, *base(p, t, q, v, h))
    return step


# ---- Steps that adapt to the motion. ----

SCALE = {"kepler:e=0.6": (1 - number("0.6")) * sqrt((1 - number("0.6")) / (1 + number("0.6"))),
         "henon_heiles": mpf(1), "oscillator:omega=2,gamma=0.3,v0=1": mpf(1) / 2}  # the problems' time scales


def adaptive(base, order, rtol):
    """hnw93 II.4, with the sizes of q and T v. The first step is T rtol^(1/(p+1)); the factor of the next one is
    between 1/5 and 5. The mesh ends 1/4 to 5/4 of a step before an output, which steps with the same control reach; the
    last of them covers what is left, in two halves where that is longer than 9/8 of the step."""
    def run(p, spec, h, steps):
        T, size = SCALE[spec], max(norm(p.q), SCALE[spec] * norm(p.v))

        def attempt(t, q, v, h):
            whole = base(p, t, q, v, h)
            half = base(p, t, q, v, h / 2)
            both = base(p, t + h / 2, *half, h / 2)
            error = max(norm(both[0] - whole[0]), T * norm(both[1] - whole[1])) / ((2**order - 1) * size)
            return both, error <= rtol, max(mpf(1) / 5, min(mpf(5), mpf(9) / 10 * (rtol / error)**(mpf(1) / (order + 1))))
        t, q, v, length = mpf(0), p.q, p.v, T * rtol**(mpf(1) / (order + 1))
        out = [(q, v)]
        for k in range(1, steps + 1):
            end = k * h
            while t + length * 5 / 4 <= end:
                both, accepted, factor = attempt(t, q, v, length)
                if accepted:
                    q, v = both
                    t += length
                length *= factor
            at, most, x = t, length * 9 / 8, (q, v)
            while at < end:
                rest = end - at
                part = rest if rest <= most else rest / 2 if rest < 2 * most else most
                both, accepted, factor = attempt(at, *x, part)
                if accepted:
                    at, x = (end if part == rest else at + part), both
                else:
                    most = part * factor
            out.append(x)
        return out
    return run


def adaptive_reversible(base, order, rtol):
    """hairer05 with the density rho of steps eps/rho, of the frequency omega(q) of the potential in units of 1/T."""
    def run(p, spec, h, steps):
        T = SCALE[spec]
        eps = T * rtol**(mpf(1) / (order + 1))
        D = p.M(p.q)

        def omega(q):
            K = hessian(lambda x: p.V(0, x), q)
            square = sum((T**2 * K[i, j])**2 / (D[i, i] * D[j, j]) for i in range(p.n) for j in range(p.n))
            return sqrt(sqrt(square + mpf(10) ** -8))

        def G(q, v):
            d = eps / 16
            return log(omega(q + d * v) / omega(q - d * v)) / (2 * d)
        t, q, v = mpf(0), p.q, p.v
        rho = (mpf(1) if p.quadratic else omega(q) + eps / 2 * G(q, v))
        out = [(q, v)]
        for k in range(1, steps + 1):
            end = k * h
            while t + eps / rho * 5 / 4 <= end:
                q, v = base(p, t, q, v, eps / rho)
                t += eps / rho
                rho += 0 if p.quadratic else eps * G(q, v)
            x, at = (q, v), t
            if end - t > eps / rho * 9 / 8:
                x, at = base(p, t, q, v, (end - t) / 2), (end + t) / 2
            out.append(base(p, at, *x, end - at))
        return out
    return run


def restart(base, i, level):
    """A step in which q_i passes through the level ends there, and another one covers what is left of it."""
    def step(p, t, q, v, h):
        whole = base(p, t, q, v, h)
        if (q[i] - level) * (whole[0][i] - level) >= 0:
            return whole
        share = solve(lambda x: [base(p, t, q, v, x[0] * h)[0][i] - level], matrix([mpf(1) / 2]))[0]
        return base(p, t + share * h, *base(p, t, q, v, share * h), (1 - share) * h)
    return step


def substeps(base, n):
    def step(p, t, q, v, h):
        for i in range(n):
            q, v = base(p, t + i * h / n, q, v, h / n)
        return q, v
    return step


def fixed(step):
    def run(p, spec, h, steps):
        t, q, v = mpf(0), p.q, p.v
        out = [(q, v)]
        for k in range(steps):
            q, v = step(p, k * h, q, v, h)
            out.append((q, v))
        return out
    return run


FREE, CONSTRAINED = ["kepler:e=0.6", "henon_heiles", "paul_trap"], ["dsp", "hoop"]
ROWS = [(f"{name}(verlet)", fixed(composition(name, verlet)), FREE) for name in OUTER]
ROWS += [(f"{name}(rattle)", fixed(composition(name, rattle)), CONSTRAINED) for name in OUTER]
ROWS += [("yoshida4(midpoint)", fixed(composition("yoshida4", implicit(midpoint))), ["spherical_pendulum"])]
LIMITED = CONSTRAINED + ["slider_crank_sundials", "rolling_disk", "car_axis:eps=1"]
ROWS += [("projection(rk4)", fixed(projection(rk4)), LIMITED),
         ("projection(euler_explicit)", fixed(projection(euler_explicit)), LIMITED)]
ROWS += [(f"adaptive({name}):rtol={rtol}", adaptive(base, order, number(rtol)),
          ["kepler:e=0.6", "oscillator:omega=2,gamma=0.3,v0=1"][:1 if name == "verlet" else 2])
         for name, base, order, rtol in (("rk4", rk4, 4, "1e-4"), ("verlet", verlet, 2, "1e-3"))]
ROWS += [("adaptive_reversible(verlet):rtol=1e-3", adaptive_reversible(verlet, 2, number("1e-3")),
          ["kepler:e=0.6", "henon_heiles"])]
ROWS += [("restart(rk4):event=q0=0.3", fixed(restart(rk4, 0, number("0.3"))), ["kepler:e=0.6"]),
         ("restart(verlet):event=q1=0.3", fixed(restart(verlet, 1, number("0.3"))), ["kepler:e=0.6"])]
ROWS += [("substeps(rk4):n=3", fixed(substeps(rk4, 3)), ["kepler:e=0.6"]),
         ("substeps(verlet):n=2", fixed(substeps(verlet, 2)), ["henon_heiles", "paul_trap"])]

def states(run, spec, h, steps):
    """With the multipliers of the equations of motion."""
    p, length = problem(spec), number(h)
    return [(q, v, p.acceleration(k * length, q, v)[1] if p.m + p.k else ())
            for k, (q, v) in enumerate(run(p, spec, length, steps))]


if __name__ == "__main__":
    table = Table()
    for stepper, run, problems in ROWS:
        for spec in problems:
            # outputs at several distances from the mesh of steps that adapt
            adapts = stepper.startswith("adaptive")
            printed = isinstance(OUTER.get(stepper.partition("(")[0]), str)
            for h, steps in [("0.1", (1, 2, 3, 4, 5)), ("0.021", (1, 2, 3, 4, 5))] if adapts else [("0.1", (1, 3))]:
                table.add(spec, stepper, h, steps, partial(states, run, spec, h, max(steps)),
                          error="1e-19" if printed else "")
    table.main()
