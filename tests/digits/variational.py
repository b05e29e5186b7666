"""Variational steppers and the energy-momentum method: wm96 (4.5) with (4.1) and (4.20), (5.8), 5.2; hlw06 VII.1.4;
andersen83; gonzalez96; transv18.

Two-step methods begin with the discrete Legendre transform of (q, v). Their multiplier lambda_k is that of the step
from q_k.
"""
from functools import cache, partial

from mpmath import matrix, mpf, sqrt, zeros

from problems import (Table, conjugate, dot, gradient, hessian, join, lu_solve, number, parts, problem, product, solve,
                      tangent)


# ---- SHAKE and RATTLE. ----

def shake_step(p, M, t, h, interval, q, v):
    """v1 = v + interval M^-1 (F + G' lambda), q1 = q + h v1, g(t + h, q1) = 0."""
    def residual(x):
        v1, l = parts(x, p.n, p.m)
        return join(M * (v1 - v) - interval * (p.force(t, q, v) + p.pull(t, q, l)), p.g(t + h, q + h * v1))
    v1, l = parts(solve(residual, join(v, zeros(p.m, 1))), p.n, p.m)
    return q + h * v1, v1, l


def stiffened(p, kind, t, h, q, l):
    """The mass M - h^2 sum lambda_i Hess g_i, or with what is positive of the diagonal of its addition."""
    M = p.M(q)
    if kind == "0" or not p.m:
        return M
    added = -h**2 * hessian(lambda x: dot(l, p.g(t, x)), q)
    for i in range(p.n):
        for j in range(p.n):
            if kind == "1":
                M[i, j] += added[i, j]
            elif i == j and added[i, i] > 0:
                M[i, i] += added[i, i]
    return M


def shake(geometric):
    def run(p, h, steps):
        """The start: v_1/2 leads to the first point of RATTLE by half a step's acceleration; v_-1/2 is the velocity
        from which a whole step with the multipliers of the equations of motion leads there."""
        t, q = mpf(0), p.q
        l = p.acceleration(t, q, p.v)[1]
        M = stiffened(p, geometric, t, h, q, l)
        v = shake_step(p, M, t, h, h / 2, q, p.v)[1]
        v = v - h * lu_solve(M, p.force(t, q, v) + p.pull(t, q, l))
        states = []
        for _ in range(steps + 1):
            # v_k = v_{k-1/2} + h/2 M^-1 (F_k + G_k' mu) on the constraints
            at = tangent(p, t, q, p.M(q) * v + h / 2 * p.force(t, q, v))
            q1, v1, l = shake_step(p, stiffened(p, geometric, t, h, q, l), t, h, h, q, v)
            states.append((q, at, l))
            t, q, v = t + h, q1, v1
        return states
    return run


def rattle(p, h, steps):
    """The multiplier of a state is that of the equations of motion."""
    t, q, v = mpf(0), p.q, p.v
    states = [(q, v, p.acceleration(t, q, v)[1])]
    for _ in range(steps):
        q1, half, _ = shake_step(p, p.M(q), t, h, h / 2, q, v)
        v = tangent(p, t + h, q1, p.M(q1) * half + h / 2 * p.force(t + h, q1, half))
        t, q = t + h, q1
        states.append((q, v, p.acceleration(t, q, v)[1]))
    return states


# ---- The discrete Euler-Lagrange equations. ----

def lagrangian(p, theta, t, h):
    """wm96 (4.1), (4.20): L_d(y, x) = L((1 - theta) x + theta y, (y - x)/h), at the time t + theta h."""
    return lambda y, x: (p.T((1 - theta) * x + theta * y, (y - x) / h)
                         - p.V(t + theta * h, (1 - theta) * x + theta * y))


def momenta(p, theta, t, h, x, y):
    """-h D2 L_d and h D1 L_d, with the work of a force, h f(a, d) . delta a, in the shares of the two ends."""
    L = lagrangian(p, theta, t, h)
    minus, plus = -h * gradient(lambda z: L(y, z), x), h * gradient(lambda z: L(z, x), y)
    if p.f:
        f = h * matrix(p.f(t + theta * h, (1 - theta) * x + theta * y, (y - x) / h))
        minus, plus = minus - (1 - theta) * f, plus + theta * f
    return minus, plus


def delta(p, theta, t, h, q, momentum):
    """q1 and lambda with -h D2 L_d(q1, q) = p + h G(q)' lambda, g(q1) = 0."""
    def residual(x):
        y, l = parts(x, p.n, p.m)
        return join(momenta(p, theta, t, h, q, y)[0] - momentum - h * p.pull(t, q, l), p.g(t + h, y))
    guess = tangent(p, t, q, momentum)
    return parts(solve(residual, join(q + h * guess, zeros(p.m, 1))), p.n, p.m)


def discrete_euler_lagrange(theta):
    def run(p, h, steps):
        """The momentum of the start is M v. For (4.20) it is that of the points of a parabola through (q, v) up to G'
        mu, and v of a state is found in the same way from the step behind it. The multiplier of the first state is
        that of the equations of motion."""
        def parabola(t, s, q, v):
            y = q + s * v + s**2 / 2 * p.acceleration(t, q, v)[0]
            return momenta(p, theta, t, h, q, y)[0] if s > 0 else momenta(p, theta, t - h, h, y, q)[1]
        t, q, v = mpf(0), p.q, p.v
        left = theta == 1
        momentum = parabola(t, h, q, v) if left else p.M(q) * v
        q1, impulse = delta(p, theta, t, h, q, momentum)
        l = p.acceleration(t, q, v)[1]
        momentum = momentum + h * p.pull(t, q, impulse - l)
        states = []
        for _ in range(steps + 1):
            v = tangent(p, t, q, momentum)
            if left:
                v = tangent(p, t, q, momentum - parabola(t, -h, q, v) + p.M(q) * v)
            q1, l = delta(p, theta, t, h, q, momentum)
            states.append((q, v, l))
            momentum = momenta(p, theta, t, h, q, q1)[1]
            t, q = t + h, q1
        return states
    return run


def dvp(J):
    """wm96 (5.8): L_d(y, x) = (2/h^2) f . J f with f the vector part of (conj(x) y - conj(y) x)/2, |x| = |y| = 1."""
    def L(y, x, h):
        z = [a - b for a, b in zip(product(conjugate(x), y), product(conjugate(y), x))]
        return sum(J[k] * z[1 + k]**2 for k in range(3)) / (2 * h**2)

    def run(p, h, steps):
        """The body's angular momentum m = J w, from variations q (0, eta/2) of an end; v = q (0, J^-1 m/2). The
        multiplier is that of the steps on both sides of a point: D1 L_d + D2 L_d + 2 q lambda = 0."""
        def turned(slope, q):
            units = [[mpf(i == j) for i in range(4)] for j in range(1, 4)]
            return matrix([dot(slope, product(list(q), u)) / 2 for u in units])

        def speed(q, m):
            return matrix(product(list(q), [mpf(0)] + [m[k] / J[k] / 2 for k in range(3)]))

        def minus(x, y):
            return -h * gradient(lambda z: L(list(y), list(z), h), x)

        def plus(x, y):
            return h * gradient(lambda z: L(list(z), list(x), h), y)
        q, v = p.q, p.v
        m = matrix([2 * J[k] * product(conjugate(list(q)), list(v))[1 + k] for k in range(3)])
        states = []
        behind = None
        for _ in range(steps + 1):
            guess = q + h * speed(q, m)
            q1 = solve(lambda y: join(turned(minus(q, y), q) - m, matrix([dot(y, y) - 1])), guess)
            # minus(q, q1) = behind + 2 h q lambda; the first point's is as if the step before had the same L_d
            ahead = minus(q, q1)
            l = (dot(ahead, q) - (dot(behind, q) if behind else -dot(ahead, q))) / (2 * h)
            states.append((q, speed(q, m), matrix([l])))
            behind, m = plus(q, q1), turned(plus(q, q1), q1)
            q = q1
        return states
    return run


# ---- The energy-momentum method. ----

def discrete_gradient(p, q, q1):
    """gonzalez96 in the metric M, equivariant under the generators xi_i at the middle; for a quadratic V it is V_q
    there."""
    M, a, change = p.M(q), (q + q1) / 2, q1 - q
    Vq = lambda x: gradient(lambda y: p.V(0, y), x)
    if p.quadratic:
        return Vq(a)
    b, D = (Vq(q) + Vq(q1)) / 2, change
    for xi in p.symmetries:
        x = matrix(xi(a))
        x = x / sqrt(dot(x, M * x))
        b, D = b - dot(x, b) * (M * x), D - dot(x, M * change) * x
    rise = p.V(0, q1) - p.V(0, q) - dot(b, change)
    return b + rise / dot(D, M * D) * (M * D)


def em(p, h, steps):
    """q1 - q = h (v + v1)/2, M (v1 - v) = h (-dV + G(middle)' lambda), g(q1) = 0. The multiplier of a state is the
    mean of the steps on both sides; before the first one that of a step backwards."""
    def step(h, q, v):
        def residual(x):
            q1, l = parts(x, p.n, p.m)
            v1 = 2 * (q1 - q) / h - v
            F = p.pull(0, (q + q1) / 2, l) - discrete_gradient(p, q, q1)
            return join(p.M(q) * (v1 - v) - h * F, p.g(0, q1))
        q1, l = parts(solve(residual, join(q + h * v, zeros(p.m, 1))), p.n, p.m)
        return q1, 2 * (q1 - q) / h - v, l
    q, v, behind = p.q, p.v, zeros(0, 1)
    if p.m:
        behind = step(-h, q, v)[2]
    states = []
    for _ in range(steps + 1):
        q1, v1, l = step(h, q, v)
        states.append((q, v, (behind + l) / 2))
        q, v, behind = q1, v1, l
    return states


@cache
def states(run, spec, h, steps):
    return run(problem(spec), number(h), steps)


BODY = "rigid_body:w1=2,w2=0.1,w3=-1"
NORM, SQUARE = "pendulum:constraint=norm,theta0=2", "pendulum:m=3,l=2,theta0=0.3,omega0=2"
CONSTRAINED = [NORM, SQUARE, "dsp", "hoop"]
FREE = ["kepler:e=0.6", "henon_heiles", "paul_trap"]
MIDPOINT = discrete_euler_lagrange(mpf(1) / 2)
METHODS = {
    "shake": (shake("0"), FREE + CONSTRAINED),
    "shake:geometric=1": (shake("1"), [NORM, "dsp", "hoop"]),
    "shake:geometric=diag": (shake("diag"), [NORM, "dsp", "hoop"]),
    "rattle": (rattle, FREE + CONSTRAINED),
    "del": (MIDPOINT, FREE + CONSTRAINED + [
        "oscillator:omega=2,gamma=0.3,v0=1", "spherical_pendulum", "slider_crank_sundials", BODY, "heavy_top:psidot0=4"]),
    "del:quadrature=left": (discrete_euler_lagrange(mpf(1)), FREE + CONSTRAINED + [
        "oscillator:omega=2,gamma=0.3,v0=1", "spherical_pendulum", "slider_crank_sundials", BODY]),
    "del:scaling=none": (MIDPOINT, ["dsp"]),
    "del:scaling=eq16": (MIDPOINT, ["dsp"]),
    "del:scaling=eq18": (MIDPOINT, ["dsp"]),
    "dvp": (dvp([1, 2, 3]), [BODY]),
    "em": (em, ["oscillator:omega=2", "kepler:e=0.6", "henon_heiles", SQUARE, "dsp"]),
}

if __name__ == "__main__":
    table = Table()
    for stepper, (run, problems) in METHODS.items():
        for spec in problems:
            back = (spec == "dsp" and "left" not in stepper) or stepper == "dvp"
            for h in ["0.05", "-0.05"][:1 + back]:
                table.add(spec, stepper, h, [0, 3], partial(states, run, spec, h, 3))
    table.main()
