"""Constraints one after the other: macklin16 Algorithm 1, spook07 (30) by Gauss-Seidel sweeps, and the soft constraints
of catto24; and Moreau's time stepping, moreau88."""
from functools import partial

from mpmath import matrix, mpf, zeros

from problems import Table, dot, jacobian, lu_solve, number, problem
from velocity import REDUNDANT, complementarity, contact_stepper, half_step_back, options, side, spook


def xpbd(alpha, sweeps, p, h):
    """macklin16 Algorithm 1, with every constraint at the positions that the one before has left. From a state to the
    next one with its multipliers."""
    def step(t, q, v):
        W = p.M(q)**-1
        x, mu = q + h * v + h**2 * (W * p.force(t, q, v)), zeros(p.m, 1)
        for _ in range(sweeps):
            for j in range(p.m):
                g = p.g(t + h, x)[j]
                G = jacobian(lambda y: [p.g(t + h, y)[j]], x)
                a = alpha / h**2
                change = (-g - a * mu[j]) / ((G * W * G.T)[0] + a)  # (18)
                x = x + W * G.T * change  # (17)
                mu[j] += change
        return x, (x - q) / h, mu / h**2
    return step


def soft_step(rate, zeta, contact_zeta, sweeps, relax):
    """catto24: springs of the frequency rate/h at velocity level, then rigid constraints with the velocity alone, and
    impacts. The first impulses are those of the equations of motion, and 0 of contacts."""
    def rows(p, t, q):
        """The gradients of all rows, and the values of g and xi."""
        C, level = (p.G(t, q).tolist(), list(p.g(t, q))) if p.m else ([], [])
        if p.xi:
            C, level = C + jacobian(lambda x: p.xi(x), q).tolist(), level + list(p.xi(q))
        if p.D:
            C = C + jacobian(lambda x: p.D(x), q).tolist()
        return [matrix([row]) for row in C], level

    def run(p, h, steps):
        t, q, v = mpf(0), p.q, p.v
        gaps = len(p.xi(q)) if p.xi else 0
        z = list(h * p.acceleration(t, q, v)[1]) if p.m else []
        z += [mpf(0)] * (gaps + (len(p.D(q)) if p.D else 0))
        states = [(q, v, [a / h for a in z])]
        for _ in range(steps):
            W, (C, level), before = p.M(q)**-1, rows(p, t, q), v
            closing = [dot(row, before) for row in C]
            v = v + h * (W * p.force(t, q, v))
            for row, impulse in zip(C, z):
                v = v + W * row.T * impulse
            for k in range(sweeps + relax):
                if k == sweeps:
                    q = q + h * v
                    C, level = rows(p, t + h, q)
                for j, row in enumerate(C):
                    S, u, gap = (row * W * row.T)[0], dot(row, v), p.m <= j < p.m + gaps
                    if gap and level[j] > 0:  # it may close within the step
                        new = z[j] - (u + level[j] / h) / S
                    elif j < p.m + gaps and k < sweeps:  # an implicit spring and damper: z + h k (g + h u) + h c u = 0
                        ratio = contact_zeta if gap else zeta
                        stiffness, damping = (rate / h)**2 / S, 2 * ratio * rate / h / S
                        residual = z[j] + h * stiffness * (level[j] + h * u) + h * damping * u
                        new = z[j] - residual / (1 + (h**2 * stiffness + h * damping) * S)
                    else:
                        new = z[j] - u / S
                    if gap:
                        new = max(new, mpf(0))
                    elif j >= p.m:
                        bound = p.mu * z[j - gaps]
                        new = min(max(new, -bound), bound)
                    v = v + W * row.T * (new - z[j])
                    z[j] = new
            if relax == 0:
                q = q + h * v
            for j in range(p.m, p.m + gaps):  # Newton's law
                missing = -p.restitution * closing[j] - dot(C[j], v)
                if p.restitution > 0 and closing[j] < 0 and z[j] > 0 and missing > 0:
                    change = missing / (C[j] * W * C[j].T)[0]
                    v = v + W * C[j].T * change
                    z[j] += change
            t += h
            states.append((q, v, [a / h for a in z]))
        return states
    return run


def gauss_seidel(sweeps, first=None):
    """The law of velocity.complementarity by sweeps over its rows, from impulses 0 or `first`."""
    def law(M, r, C, sigma, s, bilateral, gaps, bounds):
        W = M**-1
        S, b = C * W * C.T, C * (W * r) - matrix(s)
        z = first.copy() if first is not None else zeros(C.rows, 1)
        for i in range(C.rows):
            S[i, i] += sigma[i]
        for _ in range(sweeps):
            for i in range(C.rows):
                z[i] -= (dot(S[i, :], z) + b[i]) / S[i, i]
                if bilateral <= i < bilateral + gaps:
                    z[i] = max(z[i], mpf(0))
                elif i >= bilateral + gaps:
                    bound = bounds[i - bilateral - gaps]
                    z[i] = min(max(z[i], -bound), bound)
        return W * (r + C.T * z), z
    return law


def gauss_seidel_spook(rule, sweeps, start):
    """The first velocity is spook's; a warm start of the first step has the multipliers of two steps from (q, v)."""
    def one(p, rows, t, h, q, v, before):
        law = gauss_seidel(sweeps, h * before if start == "warm" else None)
        r = p.M(q) * v + h * p.force(t, q, v)
        s = side(p, rows, t, q, v)
        for i, w in enumerate(p.w(t)):
            s[p.m + i] = w
        v1, z = law(p.M(q), r, p.rows(t, q), [rows.sigma] * p.m + [rows.gamma] * p.k, s, p.m + p.k, 0, [])
        return v1, z / h

    def run(p, h, steps):
        rows, t, q, v = rule(h), mpf(0), p.q, p.v
        states = []
        if p.m + p.k == 0:  # symplectic Euler from half a step earlier
            v = v - h / 2 * lu_solve(p.M(q), p.force(t, q, v))
            for _ in range(steps + 1):
                v1 = v + h * lu_solve(p.M(q), p.force(t, q, v))
                states.append((q, (v + v1) / 2, ()))
                t, q, v = t + h, q + h * v1, v1
            return states
        l = zeros(p.m + p.k, 1)
        for _ in range(2):
            l = one(p, rows, t, h, q, v, l)[1]
        v = half_step_back(p, rows, False, t, h, q, v)
        for _ in range(steps + 1):
            v1, l = one(p, rows, t, h, q, v, l)
            states.append((q, (v + v1) / 2, l))
            t, q, v = t + h, q + h * v1, v1
        return states
    return run


def moreau(theta=mpf(1) / 2, friction="iterated"):
    """All at q' = q + (1 - theta) h v: M (v1 - v) = h F + C'z, rows at t + h, N v1 >= -e N v where a gap is closed."""
    def one(p, t, h, q, v, before):
        at = q + (1 - theta) * h * v
        r = p.M(at) * v + h * p.force(t + (1 - theta) * h, at, v)
        C, s = [], []
        if p.m:
            C += p.G(t + h, at).tolist()
            s += [-a for a in p.rate(t + h, at, 0 * v)]
        if p.k:
            C += [list(row) for row in p.A(t + h, at)]
            s += list(p.w(t + h))
        bilateral, xi = len(C), p.xi(at) if p.xi else []
        N = jacobian(lambda x: p.xi(x), at).tolist() if p.xi else []
        D = jacobian(lambda x: p.D(x), at).tolist() if p.D else []
        closed = [i for i in range(len(xi)) if xi[i] <= mpf(10) ** -40]
        C += [N[i] for i in closed] + D
        s += [-p.restitution * dot(N[i], v) for i in closed] + [mpf(0)] * len(D)
        lam = zeros(bilateral + len(xi) + len(D), 1)
        if not C:
            return at + theta * h * lu_solve(p.M(at), r), lu_solve(p.M(at), r), lam
        bounds = []
        for i in range(len(D)):
            if friction == "box":
                bounds.append(p.mu * abs(h * before[bilateral + i]))
            else:
                bounds.append((p.mu, bilateral + closed.index(i)) if i in closed else mpf(0))
        v1, z = complementarity(p.M(at), r, matrix(C), [mpf(0)] * len(C), s, bilateral, len(closed), bounds)
        where = list(range(bilateral)) + [bilateral + i for i in closed]
        where += [bilateral + len(xi) + i for i in range(len(D))]
        for i, row in enumerate(where):
            lam[row] = z[i] / h
        return at + theta * h * v1, v1, lam

    def run(p, h, steps):
        """The forces at the start are those of a first step, and then once more with its friction bounds."""
        t, q, v = mpf(0), p.q, p.v
        l = zeros(p.m + p.k + (len(p.xi(q)) if p.xi else 0) + (len(p.D(q)) if p.D else 0), 1)
        for _ in range(2):
            l = one(p, t, h, q, v, l)[2]
        states = [(q, v, l)]
        for _ in range(steps):
            q, v, l = one(p, t, h, q, v, l)
            t += h
            states.append((q, v, l))
        return states
    return run


PI = number("1.5707963267948966") * 2  # as the default of the stepper is written
FREE = ["henon_heiles", "paul_trap", "oscillator:omega=2,gamma=0.3,v0=1"]
HOLONOMIC = ["pendulum:constraint=norm,theta0=2", "dsp", "hoop", "slider_crank_sundials"]
NONHOLONOMIC = ["knife_edge", "car_axis"]
SOFT = ["pendulum:constraint=norm,theta0=2", "dsp", "slider_crank_sundials"]
CONTACTS = ["bouncing_ball:y0=0.1,v0=-1", "block_incline", "block_incline:v0=1,mu=0.7"]

def xpbd_states(alpha, sweeps, spec, h):
    p, length = problem(spec), number(h)
    step, states = xpbd(alpha, sweeps, p, length), [(p.q, p.v)]
    for k in range(3):
        states.append(step(k * length, *states[-1][:2]))
    return states


if __name__ == "__main__":
    table, h = Table(), "0.05"

    def write(name, run, problems):
        for spec in problems:
            table.add(spec, name, h, [0, 3], lambda spec=spec: run(problem(spec), number(h), 3))

    for words, alpha, sweeps in ("", mpf(0), 10), (":alpha=0.01,sweeps=3", number("0.01"), 3), (":sweeps=1", mpf(0), 1):
        for spec in (FREE if not words else []) + HOLONOMIC + REDUNDANT * (alpha > 0):
            table.add(spec, "xpbd" + words, h, [3], partial(xpbd_states, alpha, sweeps, spec, h))
    for words, start in ("", "zero"), ("eps=0.001,tau=0.5,gamma=0.1", "zero"), ("", "warm"):
        for sweeps in (10, 2) if not words else (10,):
            kept = [words] * bool(words) + [f"sweeps={sweeps}"] * (sweeps != 10) + [f"start={start}"] * (start != "zero")
            name = "gauss_seidel_spook" + ":" * bool(kept) + ",".join(kept)
            rule = partial(spook, **{"eps": mpf(0), **options(words)})
            write(name, gauss_seidel_spook(rule, sweeps, start),
                  FREE * (start == "zero") + HOLONOMIC + NONHOLONOMIC + REDUNDANT * bool(words))
            if start == "zero":
                write(name, contact_stepper(rule, "box", gauss_seidel(sweeps)), CONTACTS)
    for words, *choice in (("", PI / 2, mpf(1), mpf(10), 1, 1), (":relax=0", PI / 2, mpf(1), mpf(10), 1, 0),
                           (":rate=0.4,zeta=0.3,sweeps=3,relax=2", number("0.4"), number("0.3"), mpf(10), 3, 2),
                           (":contact_zeta=2,sweeps=2", PI / 2, mpf(1), mpf(2), 2, 1)):
        write("soft_step" + words, soft_step(*choice),
              FREE * (not words) + SOFT * (choice[2] == 10) + CONTACTS * (choice[3] < 3))
    write("moreau", moreau(), FREE + HOLONOMIC + NONHOLONOMIC + CONTACTS)
    write("moreau:theta=0.7", moreau(number("0.7")), FREE + HOLONOMIC + CONTACTS)
    write("moreau:friction=box", moreau(friction="box"), CONTACTS[1:])
    table.main()
