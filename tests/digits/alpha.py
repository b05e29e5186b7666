"""Newmark's formulas with averaged accelerations: newmark59; hilber77 with its -alpha as alpha; chung93, arnold07; on unit
quaternions bruels10, arnold15.

With rates xi of the body in place of the velocity of a quaternion, v = B(q) xi,

    q1 = q exp(s),  s = h xi + h^2 ((1/2 - beta) a + beta a1),  xi1 = xi + h ((1 - gamma) a + gamma a1),
    (1 - alpha_m) a1 + alpha_m a = (1 - alpha_f) xi1' + alpha_f xi',
    M(q1) q1'' = F(t1, q1, v1) + G(q1)'lambda1,  g(t1, q1) = 0.
"""
from mpmath import cos, mpf, sin, sqrt, zeros

from problems import Table, conjugate, join, number, parts, problem, product, saddle, solve, vector


class Group:
    """R^a x S^3 x ...: `at` lists where the quaternions begin."""

    def __init__(self, n, at=()):
        self.n, self.at = n, list(at)
        self.inside = {a + i for a in self.at for i in range(4)}
        self.plain = [i for i in range(n) if i not in self.inside]

    def rates(self, q, x):
        """xi of x = B(q) xi + c e."""
        xi = [x[i] for i in self.plain]
        for a in self.at:
            xi += [2 * y for y in product(conjugate(list(q[a:a + 4])), list(x[a:a + 4]))[1:]]
        return vector(xi)

    def velocity(self, q, xi):
        """B(q) xi, e' = e Omega/2."""
        v = zeros(self.n, 1)
        for i, where in enumerate(self.plain):
            v[where] = xi[i]
        for b, a in enumerate(self.at):
            rate = product(list(q[a:a + 4]), [mpf(0)] + self.spin(xi, b))
            for i in range(4):
                v[a + i] = rate[i] / 2
        return v

    def spin(self, xi, b):
        at = len(self.plain) + 3 * b
        return [xi[at + i] for i in range(3)]

    def second(self, q, xi, dxi):
        """q'' = B xi' - |Omega|^2/4 e."""
        a = self.velocity(q, dxi)
        for b, at in enumerate(self.at):
            square = sum(w * w for w in self.spin(xi, b))
            for i in range(4):
                a[at + i] -= square / 4 * q[at + i]
        return a

    def move(self, q, s):
        """q exp(s)."""
        q1 = q.copy()
        for i, where in enumerate(self.plain):
            q1[where] = q[where] + s[i]
        for b, a in enumerate(self.at):
            w = self.spin(s, b)
            size = sqrt(sum(x * x for x in w))
            e = [cos(size / 2)] + [x * sin(size / 2) / size for x in w]
            moved = product(list(q[a:a + 4]), e)
            for i in range(4):
                q1[a + i] = moved[i]
        return q1

    def commutator(self, xi, dxi):
        """Omega x Omega' of every quaternion, 0 elsewhere."""
        out = zeros(len(xi), 1)
        for b in range(len(self.at)):
            u, w, at = self.spin(xi, b), self.spin(dxi, b), len(self.plain) + 3 * b
            for i in range(3):
                j, k = (i + 1) % 3, (i + 2) % 3
                out[at + i] = u[j] * w[k] - u[k] * w[j]
        return out


def step(p, group, length_rows, c, t, h, q, xi, a, dxi):
    """(q1, xi1, a1, xi1', lambda1)."""
    alpha_m, alpha_f, beta, gamma = c
    k = len(xi)

    def point(dxi1):
        a1 = ((1 - alpha_f) * dxi1 + alpha_f * dxi - alpha_m * a) / (1 - alpha_m)
        s = h * xi + h**2 * ((mpf(1) / 2 - beta) * a + beta * a1)
        return group.move(q, s), xi + h * ((1 - gamma) * a + gamma * a1), a1

    def residual(x):
        dxi1, lam = parts(x, k, p.m)
        q1, xi1, _ = point(dxi1)
        v1 = group.velocity(q1, xi1)
        force = p.force(t + h, q1, v1) + p.inertial(q1, v1)
        rows = p.g(t + h, q1) if p.m else []
        return join(p.M(q1) * group.second(q1, xi1, dxi1) - force - p.pull(t + h, q1, lam),
                    [g for i, g in enumerate(rows) if i not in length_rows])
    _, guess = p.acceleration(t, q, group.velocity(q, xi))
    dxi1, lam = parts(solve(residual, join(dxi, guess)), k, p.m)
    q1, xi1, a1 = point(dxi1)
    return q1, xi1, a1, dxi1, lam


def run(table, spec, stepper, c, shifted=False, h="0.1", at=(), length_rows=()):
    if problem(spec).masses is None and not at:
        # Newton's matrix lacks derivatives of M: binary128 takes some 60 iterations
        stepper += (",maxit=100" if ":" in stepper else ":maxit=100")
    table.add(spec, stepper, h, [3], lambda: states(spec, c, shifted, h, at, length_rows))


def states(spec, c, shifted, h, at, length_rows):
    p, group, length = problem(spec), Group(problem(spec).n, at), number(h)
    alpha_m, alpha_f, beta, _ = c
    t, q, v = mpf(0), p.q, p.v
    acceleration, _ = p.acceleration(t, q, v)
    xi, dxi = group.rates(q, v), group.rates(q, acceleration)
    a = dxi
    if shifted:
        q1, xi1, _, _, _ = step(p, group, length_rows, c, t, length, q, xi, a, dxi)
        later, _ = p.acceleration(t + length, q1, group.velocity(q1, xi1))
        rate = (group.rates(q1, later) - dxi) / length
        delta = (alpha_m - alpha_f) * length
        a = dxi + delta * rate
        if p.m > len(length_rows):
            C = mpf(1) / 6 - beta - delta / (2 * length)
            x = group.velocity(q, C * rate + group.commutator(xi, dxi) / 12)
            normal = x - saddle(p.M(q), p.rows(t, q), p.M(q) * x, zeros(p.m, 1))[0]
            xi = xi + length**2 * group.rates(q, normal)
    out = [None]
    for _ in range(3):
        q, xi, a, dxi, lam = step(p, group, length_rows, c, t, length, q, xi, a, dxi)
        t += length
        out.append((q, group.velocity(q, xi), lam))
    return out


def hht(alpha):
    return mpf(0), alpha, (1 + alpha)**2 / 4, mpf(1) / 2 + alpha


def radius(rho):
    alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    return alpha_m, alpha_f, (1 - alpha_m + alpha_f)**2 / 4, mpf(1) / 2 - alpha_m + alpha_f


FREE = ["kepler:e=0.6", "oscillator:omega=2,gamma=0.3,v0=1", "spherical_pendulum", "paul_trap"]
CONSTRAINED = ["dsp", "pendulum:constraint=norm,theta0=2", "hoop"]
QUATERNIONS = {"rigid_body:w1=2,w2=0.1,w3=-1": (0, 0), "heavy_top:theta0=1.2,thetadot0=1,psidot0=5": (3, 3)}

if __name__ == "__main__":
    table = Table()
    for spec in FREE:
        run(table, spec, "newmark", (mpf(0), mpf(0), mpf(1) / 4, mpf(1) / 2))
        run(table, spec, "newmark:beta=0.3,gamma=0.6", (mpf(0), mpf(0), number("0.3"), number("0.6")))
        run(table, spec, "hht", hht(number("0.05")))
        run(table, spec, "hht:alpha=0.3,start=shifted", hht(number("0.3")), shifted=True)
    for spec in FREE + CONSTRAINED:
        for name in "generalized_alpha", "lie_generalized_alpha":
            run(table, spec, name, radius(number("0.8")), shifted=True)
            run(table, spec, name + ":rho=0.3,start=exact", radius(number("0.3")))
    for spec, (at, row) in QUATERNIONS.items():
        for extra, rho, shifted in ("", "0.8", True), (":rho=0.3,start=exact", "0.3", False):
            run(table, spec, "lie_generalized_alpha" + extra, radius(number(rho)), shifted, "0.05", [at], [row])
    for extra, rho, shifted in (":rho=0.5", "0.5", True), (":start=exact", "0.8", False):
        run(table, "rigid_body:w1=2,w2=0.1,w3=-1", "generalized_alpha" + extra, radius(number(rho)), shifted, "0.05")
    table.main()
