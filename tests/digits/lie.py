"""Methods on R^a x S^3 x ... x S^3: munthekaas99, iserles00; bourabee09 with wm96 (4.1), (4.5).

A velocity is xi: the rates of the plain coordinates, and of a quaternion those of the moving frame, e' = e (0, Omega/2).
"""
from functools import cache, partial

from mpmath import atan2, cos, matrix, mpf, sin, sqrt, zeros

from problems import (Table, conjugate, dot, gradient, jacobian, join, lu_solve, norm, number, parts, problem, product,
                      saddle, solve, tangent)


# ---- The group. ----

def length(x):
    return sqrt(dot(x, x))


def exponential(phi):
    size = length(phi)
    if size == 0:
        return [mpf(1)] + [mpf(0)] * 3
    return [cos(size / 2)] + [sin(size / 2) / size * a for a in phi]


def logarithm(f):
    size = length(f[1:])
    return [2 * atan2(size, f[0]) / size * a for a in f[1:]] if size else [mpf(0)] * 3


def cayley(phi):
    scale = sqrt(1 + dot(phi, phi) / 4)
    return [1 / scale] + [a / 2 / scale for a in phi]


def vector_part(phi):
    return [sqrt(1 - dot(phi, phi) / 4)] + [a / 2 for a in phi]


MAPS = {"exp": (exponential, logarithm), "cayley": (cayley, lambda f: [2 * a / f[0] for a in f[1:]]),
        "vector": (vector_part, lambda f: [2 * a for a in f[1:]])}


class Group:
    def __init__(self, p):
        self.p = p
        self.blocks, i, starts = [], 0, dict(p.attitudes)
        while i < p.n:
            self.blocks.append((i, i in starts))
            i += 4 if i in starts else 1
        self.k = sum(3 if turns else 1 for _, turns in self.blocks)
        self.rows = [r for r in range(p.m + p.k) if r not in starts.values()]
        self.holonomic = [r for r in self.rows if r < p.m]

    def each(self, xi):
        at = 0
        for i, turns in self.blocks:
            size = 3 if turns else 1
            yield i, turns, list(xi[at:at + size])
            at += size

    def move(self, q, s, tau=exponential):
        """q tau(s)."""
        out = q.copy()
        for i, turns, part in self.each(s):
            if turns:
                for j, a in enumerate(product(list(q[i:i + 4]), tau(part))):
                    out[i + j] = a
            else:
                out[i] = q[i] + part[0]
        return out

    def apart(self, q0, q1, log):
        """s with q1 = q0 tau(s)."""
        out = []
        for i, turns in self.blocks:
            out += log(product(conjugate(list(q0[i:i + 4])), list(q1[i:i + 4]))) if turns else [q1[i] - q0[i]]
        return matrix(out)

    def middle(self, q0, q1):
        out = (q0 + q1) / 2
        for i, turns in self.blocks:
            if turns:
                size = length(out[i:i + 4])
                for j in range(4):
                    out[i + j] /= size
        return out

    def velocity(self, q, xi):
        out = zeros(self.p.n, 1)
        for i, turns, part in self.each(xi):
            if turns:
                for j, a in enumerate(product(list(q[i:i + 4]), [mpf(0)] + part)):
                    out[i + j] = a / 2
            else:
                out[i] = part[0]
        return out

    def rates(self, q, v):
        """xi of the velocity v; of an acceleration, xi'."""
        out = []
        for i, turns in self.blocks:
            turned = product(conjugate(list(q[i:i + 4])), list(v[i:i + 4]))[1:] if turns else [v[i] / 2]
            out += [2 * a for a in turned]
        return matrix(out)

    def basis(self, q):
        return jacobian(lambda xi: self.velocity(q, xi), zeros(self.k, 1))

    def slope(self, theta, xi):
        """theta' = D(theta) xi, the inverse of T with exp(theta)' = exp(theta) (0, T theta'/2)."""
        out = []
        for _, turns, part in self.each(join(theta)):
            out.append((turns, matrix(part)))
        result, at = [], 0
        for turns, part in out:
            if not turns:
                result.append(xi[at])
                at += 1
                continue
            f = exponential(part)
            df = jacobian(exponential, part)
            T = matrix([[2 * product(conjugate(f), list(df[:, j]))[1 + i] for j in range(3)] for i in range(3)])
            result += list(lu_solve(T, matrix(xi[at:at + 3])))
            at += 3
        return matrix(result)


# ---- Munthe-Kaas. ----

TABLES = {"2": ([[], [mpf(1) / 2]], [0, 1]),
          "3": ([[], [mpf(1) / 2], [-1, 2]], [mpf(1) / 6, mpf(2) / 3, mpf(1) / 6]),
          "4": ([[], [mpf(1) / 2], [0, mpf(1) / 2], [0, 0, 1]], [mpf(1) / 6, mpf(1) / 3, mpf(1) / 3, mpf(1) / 6])}


def munthe_kaas(order):
    a, b = TABLES[order]

    def step(p, L, t, h, q, v):
        xi, k, l = L.rates(q, v), [], []
        for row in a + [b]:
            theta = sum((h * c * x for c, x in zip(row, k)), zeros(L.k, 1))
            at = sum((h * c * x for c, x in zip(row, l)), xi.copy())
            qi = L.move(q, theta)
            if row is b:
                break
            acceleration = p.acceleration(t + sum(row) * h, qi, L.velocity(qi, at))[0]
            l.append(L.rates(qi, acceleration))
            k.append(L.slope(theta, at))
        # onto g = 0 by corrections q exp(delta), M delta = C' mu with the rows C at the point of the correction
        moved = mpf(1)
        while L.holonomic and moved > mpf(10) ** -45:
            B = L.basis(qi)
            R = matrix([[p.rows(t + h, qi)[r, j] for j in range(p.n)] for r in L.rows]) * B
            g = p.g(t + h, qi)
            level = [-g[r] if r in L.holonomic else mpf(0) for r in L.rows]
            delta = saddle(B.T * p.M(qi) * B, R, zeros(L.k, 1), matrix(level))[0]
            qi, moved = L.move(qi, delta), norm(delta)
        v = L.velocity(qi, at)
        return qi, tangent(p, t + h, qi, p.M(qi) * v) if p.m + p.k else v
    return step


# ---- The variational integrator. ----

def variational(name):
    tau, log = MAPS[name]

    def step(p, L, t, h, q, v):
        """pi of either end are the derivatives of L_d(q0, q1) = h L(q_m, B(q_m) xi) in eta of q exp(eta), where a
        force f at (q_m, v_m) does the work h f . delta q_m."""
        def at(q0, q1):
            middle = L.middle(q0, q1)
            return middle, L.velocity(middle, L.apart(q0, q1, log) / h)

        def action(q0, q1, f):
            middle, speed = at(q0, q1)
            out = p.T(middle, speed) - p.V(t + h / 2, middle)
            return h * (out + (dot(f, middle) if f is not None else 0))

        def momenta(q0, q1, which):
            f = matrix(p.f(t + h / 2, *at(q0, q1))) if p.f else None
            eta = zeros(L.k, 1)
            if which == 0:
                return -gradient(lambda e: action(L.move(q0, e), q1, f), eta)
            return gradient(lambda e: action(q0, L.move(q1, e), f), eta)
        B0, R0 = L.basis(q), p.rows(t, q)
        pi0 = B0.T * p.M(q) * v
        C0 = matrix([[R0[r, j] for j in range(p.n)] for r in L.rows]) * B0 if L.rows else None

        def residual(x):
            s, l = parts(x, L.k, len(L.rows))
            q1 = L.move(q, s, tau)
            first = momenta(q, q1, 0) - pi0
            if not L.rows:
                return first
            g = p.g(t + h, q1)
            middle, speed = at(q, q1)
            rolls = [dot(row, speed) - w for row, w in zip(p.A(t + h / 2, middle), p.w(t + h / 2))]
            return join(first - h * C0.T * l, matrix([g[r] if r < p.m else rolls[r - p.m] for r in L.rows]))
        s = parts(solve(residual, join(h * L.rates(q, v), zeros(len(L.rows), 1))), L.k, len(L.rows))[0]
        q1 = L.move(q, s, tau)
        # M v1 = p + C' mu, B' p = pi
        pi1, B1 = momenta(q, q1, 1), L.basis(q1)
        momentum = B1 * lu_solve(B1.T * B1, pi1)
        return q1, tangent(p, t + h, q1, momentum)
    return step


@cache
def states(kind, name, spec, h, steps):
    p, length = problem(spec), number(h)
    L, step = Group(p), kind(name)
    t, q, v, out = mpf(0), p.q, p.v, []
    for _ in range(steps + 1):
        # the multipliers are those of the equations of motion
        out.append((q, v, p.acceleration(t, q, v)[1]))
        if len(out) <= steps:
            q, v = step(p, L, t, length, q, v)
            t += length
    return out


BODIES = ["rigid_body:w1=2,w2=0.1,w3=-1", "heavy_top:psidot0=4,phidot0=1,thetadot0=0.5"]
PLAIN = ["oscillator:omega=2,gamma=0.3,v0=1", "paul_trap", "spherical_pendulum", "slider_crank_sundials", "hoop",
         "rolling_disk", "car_axis:eps=1"]
METHODS = [("lie_rk:order=2", munthe_kaas, "2", BODIES + ["slider_crank_sundials"]),
           ("lie_rk:order=3", munthe_kaas, "3", BODIES + ["slider_crank_sundials"]),
           ("lie_rk", munthe_kaas, "4", BODIES + PLAIN),
           ("lie_variational", variational, "exp", BODIES + PLAIN),
           ("lie_variational:map=cayley", variational, "cayley", BODIES),
           ("lie_variational:map=vector", variational, "vector", BODIES)]

if __name__ == "__main__":
    table = Table()
    for stepper, kind, name, problems in METHODS:
        for spec in problems:
            for h in ["0.05", "-0.05"][:2 if spec == BODIES[0] else 1]:
                table.add(spec, stepper, h, [0, 3], partial(states, kind, name, spec, h, 3))
    table.main()
