"""Steps at velocity level: spook07 (29), (26), (24), (13); reg05 (4.4); anitescu97, with contacts and dry friction.

F = -V_q + f and all matrices belong to the start of a step. The discrete momentum of the step from q0 to q1 is that of
h L(q0, (q1 - q0)/h), spook07 (12): M(q0) v1 at its end, and M(q0) v1 - h (T_q(q0, v1) + F) at its start.
"""
from functools import cache, partial
from itertools import product as choices

from mpmath import matrix, mpf, zeros

from problems import Table, dot, gradient, hessian, jacobian, join, lu_solve, number, parts, problem, slopes, solve


class Rows:
    """The coefficients of G v1 + Sigma z = -kappa g + Upsilon G v - (1 - Upsilon) g_t and A v1 + Gamma z = w."""

    def __init__(self, sigma, kappa, upsilon, gamma):
        self.sigma, self.kappa, self.upsilon, self.gamma = sigma, kappa, upsilon, gamma


def spook(h, eps=number("1e-8"), tau=mpf(2), gamma=mpf(0)):
    """spook07 (27); tau is the relaxation time in steps."""
    upsilon = 1 / (1 + 4 * tau)
    return Rows(4 * upsilon * eps / h**2, 4 * upsilon / h, upsilon, gamma / h)


def reg(h, c=mpf(0), b=mpf(0), gamma=mpf(0)):
    """reg05 4.1 as corrected."""
    psi = 1 / (1 + c * b / h)
    return Rows(c * psi / h**2, psi / h, mpf(0), gamma / h)


def vts(h, beta=mpf(0)):
    return Rows(mpf(0), beta / h, mpf(0), mpf(0))


def momentum_before(p, h, q, v):
    return p.M(q - h * v) * v


def inertial_force(p, q, v):
    return gradient(lambda x: p.T(x, v), q)


def stiffened(p, kind, t, h, q, l):
    """What geometric stiffness adds to the mass: -h^2 sum lambda_i Hess g_i, or what is positive of its diagonal."""
    added = zeros(p.n, p.n)
    if kind != "0":
        full = -h**2 * hessian(lambda x: dot(l[:p.m], p.g(t, x)), q)
        for i in range(p.n):
            for j in range(p.n):
                if kind == "1" or (i == j and full[i, i] > 0):
                    added[i, j] = full[i, j]
    return added


def side(p, rows, t, q, v):
    out = [mpf(0)] * p.m + list(p.w(t))
    if p.m:
        g, Gv, dg = p.g(t, q), p.G(t, q) * v, p.rate(t, q, v)
        for i in range(p.m):
            gt = dg[i] - Gv[i]
            out[i] = -rows.kappa * g[i] + rows.upsilon * Gv[i] - (1 - rows.upsilon) * gt
    return out


def linear_step(p, rows, t, h, q, v, added=None):
    """v1 and the impulses z."""
    M, C, n = p.M(q), p.rows(t, q), p.n
    N = M + added if added is not None else M
    r = momentum_before(p, h, q, v) + h * p.force(t, q, v)
    if added is not None:
        r = r + added * v
    s = side(p, rows, t, q, v)
    if p.masses is not None:
        K = zeros(n + len(s), n + len(s))
        K[:n, :n] = N
        if C is not None:
            K[:n, n:], K[n:, :n] = -C.T, C
        for i in range(len(s)):
            K[n + i, n + i] = rows.sigma if i < p.m else rows.gamma
        return parts(lu_solve(K, join(r, s)), n, len(s))

    def residual(x):
        v1, z = parts(x, n, len(s))
        first = N * v1 - r - (h * inertial_force(p, q, v1) if p.masses is None else 0 * v1)
        if C is None:
            return first
        second = C * v1 - matrix(s)
        for i in range(len(s)):
            second[i] += (rows.sigma if i < p.m else rows.gamma) * z[i]
        return join(first - C.T * z, second)
    return parts(solve(residual, join(v, zeros(len(s), 1))), n, len(s))


def half_step_back(p, rows, implicit, t, h, q, v):
    """The velocity half a step earlier, by the matrix of a step: M v_b = M v - h/2 (M v') + C' z without the forces of
    the constraints in v', G v_b + Sigma z = -g_t + h/2 (second derivative of g), A v_b + Gamma z = h A' v for rows of
    the step before, and 0 for rows at its end."""
    C = p.rows(t, q)
    r = p.M(q) * v - h / 2 * (p.force(t, q, v) + p.inertial(q, v))
    if C is None:
        return lu_solve(p.M(q), r)
    n, m = p.n, C.rows
    bias = p.bias(t, q, v)
    s = []
    for i in range(m):
        if i < p.m:
            s.append(h / 2 * bias[i] - (p.rate(t, q, v)[i] - (p.G(t, q) * v)[i]))
        else:
            s.append(p.w(t)[i - p.m] + (mpf(0) if implicit else h * bias[i]))
    K = zeros(n + m, n + m)
    K[:n, :n], K[:n, n:], K[n:, :n] = p.M(q), -C.T, C
    for i in range(m):
        K[n + i, n + i] = rows.sigma if i < p.m else rows.gamma
    return parts(lu_solve(K, join(r, matrix(s))), n, m)[0]


def stepper(rule, geometric="0", start="half", newton=None, implicit=False, pointwise=False):
    """newton: updates of (26) after the linear step; "all": until they converge."""
    def one(p, rows, t, h, q, v, l):
        added = stiffened(p, geometric, t, h, q, l) if geometric != "0" and p.m and l is not None else None
        v1, z = linear_step(p, rows, t, h, q, v, added)
        if newton is not None:
            v1, z = nonlinear_step(p, rows, t, h, q, v, added, v1, z)
        return v1, z / h

    def nonlinear_step(p, rows, t, h, q, v, added, v1, z):
        n, m = p.n, p.m + p.k
        M, C0, before = p.M(q), p.rows(t, q), momentum_before(p, h, q, v)
        N = M + added if added is not None else M
        F = h * p.force(t, q, v) + before + (added * v if added is not None else 0 * v)

        def residual(x):
            v1, z = parts(x, n, m)
            q1 = q + h * v1
            first = N * v1 - F - (h * inertial_force(p, q, v1) if p.masses is None else 0 * v1)
            if not m:
                return first
            second = []
            if p.m:
                g0, g1, g_1 = p.g(t, q), p.g(t + h, q1), p.g(t - h, q - h * v)
                rate = p.rate(t + h, q1, v1)
                second += [g1[i] / h if pointwise else rows.upsilon / h * (g1[i] + 2 * g0[i] + g_1[i])
                           + (1 - rows.upsilon) * rate[i] + rows.sigma * z[i] for i in range(p.m)]
            A, w = (p.A(t + h, q1), p.w(t + h)) if implicit else (p.A(t, q), p.w(t))
            second += [dot(A[i], v1) + rows.gamma * z[p.m + i] - w[i] for i in range(p.k)]
            return join(first - C0.T * z, matrix(second))
        x = join(v1, z)
        if newton == "all":
            return parts(solve(residual, x), n, m)
        for _ in range(newton):
            at = matrix(residual(x))
            x = x - lu_solve(slopes(residual, x, at), at)
        return parts(x, n, m)

    def run(p, h, steps):
        """A staggered velocity is reported as the mean of two steps, and its multiplier is that of the next step;
        otherwise both are those of the last step. Geometric stiffness of the first step has the multipliers of a
        step from (q, v) without it."""
        rows, t, q, v = rule(h), mpf(0), p.q, p.v
        l = linear_step(p, rows, t, h, q, v)[1] / h
        if start == "half":
            v = half_step_back(p, rows, implicit, t, h, q, v)
        states = []
        for _ in range(steps + 1):
            v1, l1 = one(p, rows, t, h, q, v, l)
            states.append((q, (v + v1) / 2, l1) if start == "half" else (q, v, l))
            t, q, v, l = t + h, q + h * v1, v1, l1
        return states
    return run


# ---- Contacts and dry friction. ----

def complementarity(M, r, C, sigma, s, bilateral, gaps, bounds):
    """v1 and z with M v1 = r + C'z, w = C v1 + Sigma z - s: w = 0, 0 <= w _|_ z >= 0, and friction; `bounds` holds for
    a friction row (mu, row of the normal impulse) or a number. By trying all cases."""
    n, m = len(r), C.rows
    friction = len(bounds)
    for case in choices(*[(0, 1)] * gaps, *[(-1, 0, 1)] * friction):
        K, b = zeros(n + m, n + m), join(r, zeros(m, 1))
        K[:n, :n], K[:n, n:] = M, -C.T
        for i in range(m):
            state = 1 if i < bilateral else case[i - bilateral]
            row = n + i
            rubs = i >= bilateral + gaps
            if (rubs and state == 0) or (not rubs and state == 1):
                for j in range(n):
                    K[row, j] = C[i, j]
                K[row, row], b[row] = sigma[i], s[i]
                continue
            K[row, row] = mpf(1)
            if rubs:
                bound = bounds[i - bilateral - gaps]
                if isinstance(bound, tuple):
                    K[row, n + bound[1]] = -state * bound[0]
                else:
                    b[row] = state * bound
        try:
            v1, z = parts(lu_solve(K, b), n, m)
        except ZeroDivisionError:
            continue
        w = C * v1 - matrix(s) + matrix([sigma[i] * z[i] for i in range(m)])
        if all(feasible(i, case, bilateral, gaps, bounds, w, z) for i in range(bilateral, m)):
            return v1, z
    raise ArithmeticError("no case fits")


def feasible(i, case, bilateral, gaps, bounds, w, z):
    tiny, state = mpf(10) ** -30, case[i - bilateral]
    if i < bilateral + gaps:
        return z[i] >= -tiny and w[i] >= -tiny
    bound = bounds[i - bilateral - gaps]
    limit = bound[0] * abs(z[bound[1]]) if isinstance(bound, tuple) else bound
    return abs(z[i]) <= limit + tiny and (state == 0 or state * w[i] <= tiny)


def contact_stepper(rule, friction="iterated", law=complementarity):
    def one(p, rows, h, q, v, before):
        """The gaps: kappa is 1/h where the gap is open, else the method's and at most 1/h; Sigma keeps its ratio to
        kappa. A gap that was closing and closes within the step without impulses is an impact: N v1 >= -e N v."""
        N = jacobian(lambda x: p.xi(x), q)
        C = N.tolist() + (jacobian(lambda x: p.D(x), q).tolist() if p.D else [])
        C, xi = matrix(C), p.xi(q)
        gaps = len(xi)
        r = momentum_before(p, h, q, v) + h * p.force(0, q, v)
        free, sigma, s = lu_solve(p.M(q), r), [], []
        for i in range(gaps):
            kappa = 1 / h if xi[i] > 0 else min(rows.kappa, 1 / h)
            soft = rows.sigma / rows.kappa * kappa if rows.sigma > 0 else mpf(0)
            level, closing = -kappa * xi[i], dot(N[i, :], v)
            if p.restitution > 0 and closing < 0 and xi[i] + h * dot(N[i, :], free) <= 0:
                rebound = -p.restitution * closing
                soft, level = (mpf(0), rebound) if rebound > level else (soft, level)
            sigma.append(soft)
            s.append(level)
        count = C.rows - gaps
        bounds = [(p.mu, i) if friction == "iterated" else p.mu * abs(h * before[i]) for i in range(count)]
        v1, z = law(p.M(q), r, C, sigma + [rows.gamma] * count, s + [mpf(0)] * count, 0, gaps, bounds)
        return v1, z / h

    def run(p, h, steps):
        """The velocity of the start is v as it is; its forces are those of a first step, with friction bounds of a
        step before that has none, and then once more with the bounds of these forces."""
        rows, q, v = rule(h), p.q, p.v
        l = zeros(len(p.xi(q)) + (len(p.D(q)) if p.D else 0), 1)
        for _ in range(2):
            l = one(p, rows, h, q, v, l)[1]
        states = [(q, v, l)]
        for _ in range(steps):
            v, l = one(p, rows, h, q, v, l)
            q = q + h * v
            states.append((q, v, l))
        return states
    return run


def options(text):
    """The words of "k=v,k=v" as numbers."""
    return {k: number(v) for k, v in (word.split("=") for word in text.split(",") if word)}


FREE = ["henon_heiles", "paul_trap", "oscillator:omega=2,gamma=0.3,v0=1", "spherical_pendulum"]
HOLONOMIC = ["pendulum:constraint=norm,theta0=2", "dsp", "hoop", "slider_crank_sundials"]
NONHOLONOMIC = ["knife_edge", "rolling_disk", "car_axis:eps=1"]
ALL = FREE + HOLONOMIC + NONHOLONOMIC
STIFF = ["pendulum:constraint=norm,theta0=2", "hoop", "dsp"]
CONTACTS = ["bouncing_ball:y0=0.1", "block_incline", "block_incline:v0=1,mu=0.7"]

REDUNDANT = ["slider_crank:redundant=1,drive=none,phi0=0.7"]

# name, words of the rule, words of the step, problems
RULES = {"spook": spook, "reg": reg, "vts": vts, "variational_regularized": spook,
         "nonholonomic_variational": lambda h, gamma=mpf(0): Rows(mpf(0), 1 / h, mpf(0), gamma / h)}
METHODS = {"variational_regularized": {"newton": "all", "implicit": True},
           "nonholonomic_variational": {"newton": "all", "implicit": True, "pointwise": True}}
CONTACT = [
    ("spook", "", {}, CONTACTS),
    ("spook", "eps=0.001,tau=0.5,gamma=0.1", {}, CONTACTS),
    ("spook", "eps=0.001,tau=0", {}, CONTACTS),
    ("spook", "", {"friction": "box"}, CONTACTS[1:]),
    ("spook", "", {"lcp": "dantzig"}, CONTACTS),
    ("spook", "", {"lcp": "pgs"}, CONTACTS),
    ("reg", "", {}, CONTACTS),
    ("reg", "c=0.001,b=30,gamma=0.1", {}, CONTACTS),
    ("reg", "", {"friction": "box"}, CONTACTS[1:]),
    ("reg", "", {"lcp": "dantzig"}, CONTACTS),
    ("reg", "", {"lcp": "pgs"}, CONTACTS),
    ("vts", "", {}, CONTACTS),
    ("vts", "beta=0.3", {}, CONTACTS),
    ("vts", "", {"friction": "box"}, CONTACTS[1:]),
    ("vts", "", {"lcp": "dantzig"}, CONTACTS),
    ("vts", "", {"lcp": "pgs"}, CONTACTS),
]
LINEAR = [
    ("spook", "", {}, ALL),
    ("spook", "eps=0", {}, ALL),
    ("spook", "eps=0.001,tau=0.5,gamma=0.1", {}, HOLONOMIC + NONHOLONOMIC + REDUNDANT),
    ("spook", "", {"start": "full"}, ALL),
    ("spook", "", {"start": "half"}, HOLONOMIC + NONHOLONOMIC),
    ("spook", "", {"form": "saddle"}, HOLONOMIC),
    ("spook", "", {"form": "schur"}, HOLONOMIC),
    ("spook", "", {"geometric": "1"}, STIFF),
    ("spook", "", {"geometric": "diag"}, STIFF),
    ("spook", "", {"newton": 1}, HOLONOMIC + NONHOLONOMIC),
    ("spook", "", {"newton": 2}, HOLONOMIC),
    ("reg", "", {}, ALL),
    ("reg", "c=0.001,b=30,gamma=0.1", {}, HOLONOMIC + NONHOLONOMIC + REDUNDANT),
    ("reg", "", {"start": "full"}, ALL),
    ("reg", "", {"start": "half"}, HOLONOMIC),
    ("reg", "", {"form": "saddle"}, HOLONOMIC),
    ("reg", "", {"form": "schur"}, HOLONOMIC),
    ("reg", "", {"geometric": "1"}, STIFF),
    ("reg", "", {"geometric": "diag"}, STIFF),
    ("vts", "", {}, ALL),
    ("vts", "beta=0.3", {}, HOLONOMIC + NONHOLONOMIC),
    ("vts", "", {"start": "full"}, ALL),
    ("vts", "", {"start": "half"}, HOLONOMIC),
    ("vts", "", {"form": "saddle"}, HOLONOMIC),
    ("vts", "", {"form": "schur"}, HOLONOMIC),
    ("vts", "", {"geometric": "1"}, STIFF),
    ("vts", "", {"geometric": "diag"}, STIFF),
    ("variational_regularized", "", {}, ALL),
    ("variational_regularized", "eps=0.001,tau=0.5,gamma=0.1", {}, HOLONOMIC + NONHOLONOMIC + REDUNDANT),
    ("variational_regularized", "", {"start": "full"}, HOLONOMIC + NONHOLONOMIC),
    ("variational_regularized", "", {"start": "half"}, HOLONOMIC),
    ("variational_regularized", "", {"form": "saddle"}, HOLONOMIC),
    ("variational_regularized", "", {"form": "schur"}, HOLONOMIC),
    ("variational_regularized", "", {"geometric": "1"}, STIFF),
    ("variational_regularized", "", {"geometric": "diag"}, STIFF),
    ("nonholonomic_variational", "", {}, ALL),
    ("nonholonomic_variational", "gamma=0.1", {}, NONHOLONOMIC),
    ("nonholonomic_variational", "", {"start": "full"}, HOLONOMIC + NONHOLONOMIC),
    ("nonholonomic_variational", "", {"start": "half"}, HOLONOMIC),
    ("nonholonomic_variational", "", {"form": "saddle"}, HOLONOMIC),
    ("nonholonomic_variational", "", {"form": "schur"}, HOLONOMIC),
    ("nonholonomic_variational", "", {"geometric": "1"}, STIFF),
    ("nonholonomic_variational", "", {"geometric": "diag"}, STIFF),
]

@cache
def states(kind, name, words, step, spec):
    """Of three steps; `step` holds the words of the step as pairs."""
    run = kind(lambda h: RULES[name](h, **options(words)), **dict(step))
    return run(problem(spec), number("0.05"), 3)


if __name__ == "__main__":
    table = Table()
    for kind, list_of_kind in ((stepper, LINEAR), (contact_stepper, CONTACT)):
        for name, words, step, problems in list_of_kind:
            given = ",".join([words] * bool(words) + [f"{k}={v}" for k, v in step.items()])
            # form and lcp do not change the equations, and start=half is the default
            kept = {k: v for k, v in step.items() if k not in ("form", "lcp") and (k, v) != ("start", "half")}
            kept.update(METHODS.get(name, {}) if kind is stepper else {})
            for spec in problems:
                table.add(spec, name + ":" * bool(given) + given, "0.05", [0, 3],
                          partial(states, kind, name, words, tuple(kept.items()), spec))
    table.main()
