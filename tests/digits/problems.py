"""The problems of the tables of digits: their equations in 130 digits, and what the scripts of the methods share.

A problem has a kinetic energy v'M(q)v/2, a potential V(t, q), forces f(t, q, v), holonomic constraints g(t, q) = 0,
nonholonomic ones A(t, q) v = w(t), gaps xi(q) >= 0 and directions D(q) of dry friction; its equations of motion are

    d/dt(M v) - (v'M v/2)_q = -V_q + f + G'lambda,   G = g_q,   lambda = (holonomic, nonholonomic).

Only these functions are written down. Derivatives are central differences with a step of 1e-30 at 130 digits: their
truncation errors are some 1e-60, round-off is 1e-100 of a first derivative and 1e-70 of a second one.

A script NAME.py of a method writes tests/digits/NAME.csv; every value has 30 digits. gmpy2 makes mpmath twice as fast.
"""
import csv
import sys
from fractions import Fraction
from zlib import crc32

from mpmath import asin, cos, diag, matrix, mp, mpf, nstr, pi, sin, sqrt, zeros

mp.dps = 130
STEP = mpf(10) ** -30
STEPS, HALF_STEPS = mpf(10) ** 30, mpf(10) ** 30 / 2  # their inverses
DIGITS = 30


# ---- Vectors and derivatives. ----

def vector(x):
    return matrix([mpf(a) for a in x])


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), mpf(0))


def norm(x):
    return max((abs(a) for a in x), default=mpf(0))


def shifted(x, j, step):
    y = x.copy()
    y[j] += step
    return y


def jacobian(F, x):
    """The matrix of derivatives of the vector F(x)."""
    columns = []
    for j in range(len(x)):
        ahead, behind = F(shifted(x, j, STEP)), F(shifted(x, j, -STEP))
        columns.append([(a - b) * HALF_STEPS for a, b in zip(ahead, behind)])
    return matrix([list(row) for row in zip(*columns)]) if columns else None


def gradient(F, x):
    """The derivative of the number F(x), a column."""
    return jacobian(lambda y: [F(y)], x).T


def hessian(F, x):
    return jacobian(lambda y: gradient(F, y), x)


def along(F, t, q, v, order):
    """The derivative of this order, 1 or 2, of s -> F(t + s, q + s v) at 0."""
    ahead, behind = F(t + STEP, q + STEP * v), F(t - STEP, q - STEP * v)
    if order == 1:
        return matrix([(a - b) * HALF_STEPS for a, b in zip(ahead, behind)])
    return matrix([(a - 2 * m + b) * STEPS**2 for a, m, b in zip(ahead, F(t, q), behind)])


def solver(A):
    """b -> A^-1 b, by elimination with pivots by rows."""
    n, rows, order = A.rows, A.tolist(), list(range(A.rows))
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot], order[k], order[pivot] = rows[pivot], rows[k], order[pivot], order[k]
        if rows[k][k] == 0:
            raise ZeroDivisionError("a singular matrix")
        inverse = 1 / rows[k][k]
        for i in range(k + 1, n):
            if rows[i][k] != 0:
                factor = rows[i][k] = rows[i][k] * inverse
                for j in range(k + 1, n):
                    rows[i][j] -= factor * rows[k][j]

    def apply(b):
        x = [b[i] for i in order]
        for k in range(n):
            for j in range(k):
                x[k] -= rows[k][j] * x[j]
        for k in reversed(range(n)):
            for j in range(k + 1, n):
                x[k] -= rows[k][j] * x[j]
            x[k] /= rows[k][k]
        return matrix(x)
    return apply


def lu_solve(A, b):
    return solver(A)(b)


def solve(F, x):
    """The root of the vector F near x, to 45 digits: Newton's iteration with differences, whose matrix is kept once a
    correction is below 1e-6."""
    x, apply, moved = matrix(x), None, mpf(1)
    for _ in range(60):
        at = matrix(F(x))
        if moved > mpf(10) ** -6:
            apply = solver(slopes(F, x, at))
        step = apply(at)
        x = x - step
        moved = norm(step) / (1 + norm(x))
        if moved <= mpf(10) ** -45:
            return x
    raise ArithmeticError("no root near the start")


def slopes(F, x, at):
    """The matrix of derivatives of F, which is `at` at x, by differences on one side."""
    columns = []
    for j in range(len(x)):
        columns.append([(a - b) * STEPS for a, b in zip(F(shifted(x, j, STEP)), at)])
    return matrix([list(row) for row in zip(*columns)])


def parts(x, *sizes):
    """x cut into columns of these sizes."""
    out, at = [], 0
    for size in sizes:
        out.append(matrix(x[at:at + size]) if size else zeros(0, 1))
        at += size
    return out


def join(*columns):
    return matrix([a for column in columns for a in column])


def number(text):
    """The number that the command line reads: a decimal or a fraction."""
    x = Fraction(text)
    return mpf(x.numerator) / x.denominator


# ---- A problem. ----

class Problem:
    """`mass` is the list of constant masses, or M(q) as a list of rows; `T` the kinetic energy if that is shorter."""

    def __init__(self, q, v, mass, T=None, V=None, f=None, g=None, A=None, w=None, xi=None, D=None):
        self.q, self.v = vector(q), vector(v)
        self.n = len(self.q)
        self.mass, self.kinetic, self.f = mass, T, f
        self.masses = None if callable(mass) else vector(mass)
        self.V = V or (lambda t, q: mpf(0))
        self.g = g or (lambda t, q: [])
        self.A = A or (lambda t, q: [])
        self.xi, self.D = xi, D
        self.symmetries, self.quadratic = [], False  # generators in q of the potential's; whether it is quadratic
        self.attitudes = []  # (first coordinate of a unit quaternion, the row that keeps its length)
        self.m = len(self.g(mpf(0), self.q))
        self.k = len(self.A(mpf(0), self.q))
        self.w = w or (lambda t: [mpf(0)] * self.k)

    def M(self, q):
        return matrix(self.mass(q)) if self.masses is None else diag(self.masses)

    def T(self, q, v):
        if self.masses is not None:
            return dot(self.masses, [x * x for x in v]) / 2
        return self.kinetic(q, v) if self.kinetic else sum(a * dot(row, v) for a, row in zip(v, self.mass(q))) / 2

    def force(self, t, q, v):
        """-V_q + f."""
        F = -gradient(lambda x: self.V(t, x), q)
        return F + matrix(self.f(t, q, v)) if self.f else F

    def G(self, t, q):
        return jacobian(lambda x: self.g(t, x), q)

    def pull(self, t, q, l):
        """G(t, q)' l, also without rows."""
        return self.G(t, q).T * l if self.m else zeros(self.n, 1)

    def rows(self, t, q):
        """All bilateral rows, holonomic and nonholonomic."""
        rows = (self.G(t, q).tolist() if self.m else []) + [list(r) for r in self.A(t, q)]
        return matrix(rows) if rows else None

    def rate(self, t, q, v):
        """G v + g_t."""
        return along(self.g, t, q, v, 1)

    def bias(self, t, q, v):
        """What is left of the accelerations of all rows where v' = 0."""
        holonomic = list(along(self.g, t, q, v, 2)) if self.m else []
        turning = (lambda s, x: [dot(r, v) - w for r, w in zip(self.A(s, x), self.w(s))])
        return holonomic + (list(along(turning, t, q, v, 1)) if self.k else [])

    def inertial(self, q, v):
        """(v'M v/2)_q - M' v with M' = d/dt M along v."""
        if self.masses is not None:
            return zeros(self.n, 1)
        turn = along(lambda s, x: self.M(x) * v, mpf(0), q, v, 1)
        return gradient(lambda x: self.T(x, v), q) - turn

    def acceleration(self, t, q, v):
        """v' and lambda of the equations of motion, by the constraints on accelerations."""
        F = self.force(t, q, v) + self.inertial(q, v)
        R = self.rows(t, q)
        if R is None:
            return lu_solve(self.M(q), F), zeros(0, 1)
        r = R.rows
        K = zeros(self.n + r, self.n + r)
        K[:self.n, :self.n] = self.M(q)
        K[:self.n, self.n:] = -R.T
        K[self.n:, :self.n] = R
        x = lu_solve(K, join(F, -matrix(self.bias(t, q, v))))
        return parts(x, self.n, r)


def saddle(M, R, f, b):
    """x and mu with M x = f + R' mu, R x = b."""
    if R is None:
        return lu_solve(M, f), zeros(0, 1)
    n, r = len(f), R.rows
    K = zeros(n + r, n + r)
    K[:n, :n], K[:n, n:], K[n:, :n] = M, -R.T, R
    return parts(lu_solve(K, join(f, b)), n, r)


def tangent(p, t, q, momentum):
    """The velocity with M v = p + C' mu that satisfies the constraints."""
    R = p.rows(t, q)
    driven = [-a for a in p.rate(t, q, zeros(p.n, 1))] if p.m else []
    return saddle(p.M(q), R, momentum, matrix(driven + list(p.w(t))) if R is not None else None)[0]


# ---- The problems, with the parameters of the program. ----

def oscillator(m=1, omega=1, gamma=0, x0=1, v0=0):
    problem = Problem([x0], [v0], [m], V=lambda t, q: m * omega**2 * q[0]**2 / 2,
                      f=(lambda t, q, v: [-m * gamma * v[0]]) if gamma else None)
    problem.quadratic = True
    return problem


def kepler(e=mpf(1) / 2, a=1, mu=1):
    problem = Problem([a * (1 - e), 0], [0, sqrt(mpf(mu) / a * (1 + e) / (1 - e))], [1, 1],
                      V=lambda t, q: -mu / sqrt(q[0]**2 + q[1]**2))
    problem.symmetries = [lambda q: [-q[1], q[0]]]
    return problem


def henon_heiles(x0=0, y0=mpf(1) / 10, vx0=mpf(1) / 2, vy0=0):
    return Problem([x0, y0], [vx0, vy0], [1, 1],
                   V=lambda t, q: (q[0]**2 + q[1]**2) / 2 + q[0]**2 * q[1] - q[1]**3 / 3)


def fput(m=3, omega=50):
    """q = (x_01, x_11, x_02, x_12, ...), hlw06 I (5.3)."""
    m = int(m)

    def V(t, q):
        x0, x1 = [q[2 * i] for i in range(m)], [q[2 * i + 1] for i in range(m)]
        soft = (x0[0] - x1[0])**4 + (x0[-1] + x1[-1])**4
        soft += sum((x0[i + 1] - x1[i + 1] - x0[i] - x1[i])**4 for i in range(m - 1))
        return omega**2 * sum(x * x for x in x1) / 2 + soft / 4
    rest = [0] * (2 * m - 2)
    return Problem([1, mpf(1) / omega] + rest, [1, 1] + rest, [1] * (2 * m), V=V)


def paul_trap(m=1, a=number("0.02"), q=number("0.4"), Omega=2, x0=1, y0=mpf(1) / 2, vx0=0, vy0=number("0.3")):
    """Mathieu's equations: V = m/2 (U - W cos Omega t)(x^2 - y^2), a = 4 U/Omega^2, q = 2 W/Omega^2."""
    U, W = a * Omega**2 / 4, q * Omega**2 / 2
    return Problem([x0, y0], [vx0, vy0], [m, m],
                   V=lambda t, x: m * (U - W * cos(Omega * t)) * (x[0]**2 - x[1]**2) / 2)


def pendulum(m=1, l=1, g=number("9.81"), theta0=1, omega0=0, constraint="square"):
    x, y = l * sin(mpf(theta0)), -l * cos(mpf(theta0))
    rows = {"square": lambda t, q: [(q[0]**2 + q[1]**2 - l**2) / 2],
            "norm": lambda t, q: [sqrt(q[0]**2 + q[1]**2) - l]}[constraint]
    problem = Problem([x, y], [-y * omega0, x * omega0], [m, m], V=lambda t, q: m * g * q[1], g=rows)
    problem.quadratic = True
    return problem


def dsp(m1=2, m2=number("3.5"), l1=4, l2=3, g=number("9.81")):
    """The start of wm96 5.2, whose third components follow from the lengths."""
    x1, y1, x2, y2, vx1, vy1, vx2, vy2 = map(number, "2.820 0.025 5.085 0.105 3.381 2.506 2.497 10.495".split())

    def link(l, x, y, vx, vy):
        z = -sqrt(l * l - x * x - y * y)
        return z, -(x * vx + y * vy) / z
    z1, vz1 = link(mpf(l1), x1, y1, vx1, vy1)
    dz, dvz = link(mpf(l2), x2 - x1, y2 - y1, vx2 - vx1, vy2 - vy1)
    problem = Problem([x1, y1, z1, x2, y2, z1 + dz], [vx1, vy1, vz1, vx2, vy2, vz1 + dvz],
                      [m1] * 3 + [m2] * 3, V=lambda t, q: g * (m1 * q[2] + m2 * q[5]),
                      g=lambda t, q: [q[0]**2 + q[1]**2 + q[2]**2 - l1**2,
                                      (q[3] - q[0])**2 + (q[4] - q[1])**2 + (q[5] - q[2])**2 - l2**2])
    problem.quadratic = True
    return problem


def plane(m=1, g=1, x0=0, vx0=1):
    return Problem([x0, 0], [vx0, 0], [m, m], V=lambda t, q: m * g * q[1], g=lambda t, q: [q[1]])


def hoop(m=1, R=1, g=number("9.81"), Omega=4, theta0=mpf(1) / 2, rate0=1):
    s, c = sin(mpf(theta0)), cos(mpf(theta0))
    return Problem([R * s, 0, -R * c], [R * c * rate0, Omega * R * s, R * s * rate0], [m, m, m],
                   V=lambda t, q: m * g * q[2],
                   g=lambda t, q: [(q[0]**2 + q[1]**2 + q[2]**2 - R**2) / 2,
                                   q[1] * cos(Omega * t) - q[0] * sin(Omega * t)])


def spherical_pendulum(m=1, l=1, g=number("9.81"), theta0=1, phi0=0, thetadot0=0, phidot0=3):
    return Problem([theta0, phi0], [thetadot0, phidot0],
                   lambda q: [[m * l**2, 0], [0, m * l**2 * sin(q[0])**2]], V=lambda t, q: -m * g * l * cos(q[0]))


def double_pendulum(m1=1, m2=1, l1=1, l2=1, g=number("9.81"), theta1=2, theta2=mpf(5) / 2, omega1=0, omega2=0):
    def mass(q):
        mixed = m2 * l1 * l2 * cos(q[0] - q[1])
        return [[(m1 + m2) * l1**2, mixed], [mixed, m2 * l2**2]]
    return Problem([theta1, theta2], [omega1, omega2], mass,
                   V=lambda t, q: -(m1 + m2) * g * l1 * cos(q[0]) - m2 * g * l2 * cos(q[1]))


def slider_crank_sundials(a=mpf(1) / 2, J1=1, m2=1, J2=2, l0=1, k=1, c=1, F=1):
    """The angle of the crank, the place of the slider, the angle of the rod; a spring with a damper between the
    middles of crank and rod, at the distance l, and a force along x on the end of the rod."""
    def length(q):
        dx, dy = q[1] - cos(q[2]) / 2 - a * cos(q[0]) / 2, -sin(q[2]) / 2 - a * sin(q[0]) / 2
        return sqrt(dx * dx + dy * dy)

    def damper(t, q, v):
        slope = gradient(length, q)
        return -c * dot(slope, v) * slope
    return Problem([pi / 2, sqrt(1 - mpf(a)**2), -asin(mpf(a))], [0, 0, 0], [J1, m2, J2],
                   V=lambda t, q: k * (length(q) - l0)**2 / 2 - F * (q[1] + cos(q[2])), f=damper if c else None,
                   g=lambda t, q: [q[1] - cos(q[2]) - a * cos(q[0]), -sin(q[2]) - a * sin(q[0])])


def knife_edge(m=1, I=1, g=1, omega=1):
    return Problem([0, 0, 0], [0, 0, omega], [m, m, I], V=lambda t, q: -m * g * q[0],
                   A=lambda t, q: [[-sin(q[2]), cos(q[2]), mpf(0)]])


def rolling_disk(m=1, r=1, I=mpf(1) / 4, J=mpf(1) / 2, g=number("9.81"), theta0=number("1.3"), phidot0=mpf(1) / 2,
                 thetadot0=0, psidot0=-5):
    """Centre (x, y), Euler's angles z-x-z (phi, theta, psi); the centre is at the height r sin theta."""
    def mass(q):
        s, c = sin(q[3]), cos(q[3])
        return [[m, 0, 0, 0, 0], [0, m, 0, 0, 0], [0, 0, I * s**2 + J * c**2, 0, J * c],
                [0, 0, 0, I + m * r**2 * c**2, 0], [0, 0, J * c, 0, J]]

    def rolling(t, q):
        return [[cos(q[2]), sin(q[2]), r * cos(q[3]), mpf(0), mpf(r)],
                [-sin(q[2]), cos(q[2]), mpf(0), r * sin(q[3]), mpf(0)]]
    c, s = cos(mpf(theta0)), sin(mpf(theta0))
    return Problem([0, 0, 0, theta0, 0], [-r * (psidot0 + phidot0 * c), -r * s * thetadot0, phidot0, thetadot0, psidot0],
                   mass, V=lambda t, q: m * g * r * sin(q[3]), A=rolling)


def car_axis(L=1, L0=mpf(1) / 2, eps=number("0.01"), M=10, r=number("0.1"), omega=10):
    """Left and right wheel and the time s, driven by s' = 1; the right wheel is on the road, ivptest08."""
    m = M * mpf(eps)**2 / 2

    def road(s):
        y = r * sin(omega * s)
        return sqrt(L**2 - y**2), y

    def V(t, q):
        x, y = road(q[4])
        left, right = sqrt(q[0]**2 + q[1]**2), sqrt((q[2] - x)**2 + (q[3] - y)**2)
        return m * (q[1] + q[3]) + ((left - L0)**2 + (right - L0)**2) / 2

    def rows(t, q):
        x, y = road(q[4])
        return [q[0] * x + q[1] * y, (q[0] - q[2])**2 + (q[1] - q[3])**2 - L**2]
    slide = -mpf(L0) * r * omega / L
    return Problem([0, L0, L, L0, 0], [slide, 0, slide, 0, 1], [m] * 5, V=V, g=rows,
                   A=lambda t, q: [[mpf(0)] * 4 + [mpf(1)]], w=lambda t: [mpf(1)])


def slider_crank(r=1, L=2, m1=1, m2=1, m3=1, omega0=number("6.283185307179586"), phi0=0, redundant=0, drive="none"):
    """Bodies (x, y, phi): crank, rod and slider; hinges at the ground, between crank and rod, and at the slider, whose
    y and phi are 0, once and `redundant` times more. It turns freely."""
    def pose(phi):
        phi, rod = phi[0], -asin(r * sin(phi[0]) / L)
        x, y = r * cos(phi), r * sin(phi)
        return [x / 2, y / 2, phi, x + L * cos(rod) / 2, y + L * sin(rod) / 2, rod, x + L * cos(rod), mpf(0), mpf(0)]

    def rows(t, q):
        a, b = [r * f(q[2]) / 2 for f in (cos, sin)], [L * f(q[5]) / 2 for f in (cos, sin)]
        hinges = [q[0] - a[0], q[1] - a[1], q[3] - b[0] - q[0] - a[0], q[4] - b[1] - q[1] - a[1],
                  q[6] - q[3] - b[0], q[7] - q[4] - b[1]]
        return hinges + [q[7], q[8]] * (1 + int(redundant))
    start = vector([phi0])
    return Problem(pose(start), omega0 * jacobian(pose, start), [m1, m1, mpf(m1) * r**2 / 12, m2, m2,
                   mpf(m2) * L**2 / 12, m3, m3, mpf(m3) / 12], g=rows)


def product(a, b):
    """Of quaternions, scalar first."""
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


def conjugate(a):
    return [a[0], -a[1], -a[2], -a[3]]


def turn(e, a):
    """The vector e a conj(e)."""
    return product(product(e, [mpf(0)] + list(a)), conjugate(e))[1:]


def turning_mass(e, J):
    """The matrix of 2 y'J y = w'J w/2 in e', with the body's rates w = 2 y, y the vector part of conj(e) e'."""
    units = [[mpf(i == j) for i in range(4)] for j in range(4)]
    y = [product(conjugate(e), u)[1:] for u in units]
    return [[4 * sum(J[k] * y[i][k] * y[j][k] for k in range(3)) for j in range(4)] for i in range(4)]


def turning_energy(e, rate, J):
    y = product(conjugate(e), rate)
    return 2 * sum(J[k] * y[1 + k]**2 for k in range(3))


def rigid_body(I1=1, I2=2, I3=3, w1=1, w2=1, w3=1):
    """wm96 (5.3): the rates w of the body at the identity attitude."""
    J = [I1, I2, I3]
    problem = Problem([1, 0, 0, 0], [0] + [mpf(w) / 2 for w in (w1, w2, w3)], lambda q: turning_mass(q, J),
                      T=lambda q, v: turning_energy(q, v, J), g=lambda t, q: [dot(q, q) - 1])
    problem.attitudes = [(0, 0)]
    return problem


def heavy_top(m=1, d=1, J1=mpf(1) / 4, J3=mpf(1) / 2, g=number("9.81"), theta0=mpf(1) / 2, thetadot0=0, phidot0=0,
              psidot0=20):
    """The centre of mass x and the quaternion e; the point (0, 0, -d) of the body is the origin."""
    s, c = sin(mpf(theta0)), cos(mpf(theta0))
    x = [mpf(0), -d * s, d * c]
    w = [mpf(thetadot0), -s * psidot0, phidot0 + c * psidot0]
    e = [cos(mpf(theta0) / 2), sin(mpf(theta0) / 2), mpf(0), mpf(0)]
    rate = [a / 2 for a in product([mpf(0)] + w, e)]
    v = [w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2], w[0] * x[1] - w[1] * x[0]]

    def mass(q):
        E = turning_mass(list(q[3:7]), [J1, J1, J3])
        return [[m if i == j else 0 for j in range(7)] for i in range(3)] + [[0] * 3 + row for row in E]

    def rows(t, q):
        p = turn(list(q[3:7]), [mpf(0), mpf(0), -mpf(d)])
        return [q[i] + p[i] for i in range(3)] + [(dot(q[3:7], q[3:7]) - 1) / 2]
    def energy(q, v):
        return m * dot(v[:3], v[:3]) / 2 + turning_energy(q[3:7], v[3:7], [J1, J1, J3])
    problem = Problem(x + e, v + rate, mass, T=energy, V=lambda t, q: m * g * q[2], g=rows)
    problem.attitudes = [(3, 3)]
    return problem


def bouncing_ball(m=1, g=number("9.81"), y0=1, v0=0, e=number("0.7")):
    problem = Problem([y0], [v0], [m], V=lambda t, q: m * g * q[0], xi=lambda q: [q[0]])
    problem.restitution = mpf(e)
    return problem


def block_incline(angle=mpf(1) / 2, mu=number("0.4"), w=number("0.2"), h=number("0.1"), m=1, g=number("9.81"), v0=0):
    """The centre, along the slope downhill and normal to it, and the angle; the lower corners, uphill first."""
    def corners(q):
        c, s = cos(q[2]), sin(q[2])
        return [[q[0] + c * a + s * h / 2, q[1] + s * a - c * h / 2] for a in (-w / 2, w / 2)]
    problem = Problem([0, h / 2, 0], [v0, 0, 0], [m, m, m * (w**2 + h**2) / 12],
                      V=lambda t, q: m * g * (q[1] * cos(angle) - q[0] * sin(angle)),
                      xi=lambda q: [y for x, y in corners(q)], D=lambda q: [x for x, y in corners(q)])
    problem.restitution, problem.mu = mpf(0), mu
    return problem


def penalty(inner, eps, gamma=mpf(0)):
    """notes11 (41), (51): the springs V + |g|^2/(2 eps) and the dampers f - gamma/eps G'G v in place of g = 0."""
    def f(t, q, v):
        G = inner.G(t, q)
        drag = -gamma / eps * (G.T * (G * v))
        return drag + matrix(inner.f(t, q, v)) if inner.f else drag
    return Problem(inner.q, inner.v, inner.mass, f=f, A=inner.A if inner.k else None,
                   V=lambda t, q: inner.V(t, q) + dot(inner.g(t, q), inner.g(t, q)) / (2 * eps))


def problem(spec):
    """The problem of a specification "name:k=v,..."."""
    name, _, rest = spec.partition(":")
    words = dict(pair.split("=") for pair in rest.split(",") if pair)
    values = {k: v if k in ("constraint", "drive") else number(v) for k, v in words.items()}
    return globals()[name](**values)


# ---- A table. ----

class Table:
    """The states of methods. `python3 NAME.py` writes them, a line per state; a line names all steppers that have it.
    `python3 NAME.py check N SEED` computes those of one pair in N, which the seed chooses, and compares them with
    NAME.csv, and the names of all."""

    COLUMNS = ["problem", "steppers", "formulation", "h", "steps", "q", "v", "lambda", "error"]

    def __init__(self):
        self.pairs = []

    def add(self, spec, stepper, h, steps, compute, formulation="", error=""):
        """compute()[k] is the state (q, v) or (q, v, lambda) after k steps, for every k of `steps`. `error` is that of
        the values, in the size of the state, where the literature does not give all digits."""
        self.pairs.append(((spec, stepper, formulation, h), steps, compute, error))

    def main(self):
        if len(sys.argv) == 1:
            self.write()
        else:
            self.check(int(sys.argv[2]), sys.argv[3])

    def write(self):
        lines = {}
        for (spec, stepper, formulation, h), steps, compute, error in self.pairs:
            states = compute()
            for k in steps:
                lines.setdefault((spec, formulation, h, k, *words(states[k]), error), []).append(stepper)
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(self.COLUMNS)
        for (spec, *rest), steppers in lines.items():
            out.writerow([spec, " ".join(steppers), *rest])

    def check(self, share, seed):
        written = {}
        with open(sys.argv[0].replace(".py", ".csv")) as file:
            for row in csv.DictReader(file):
                for stepper in row["steppers"].split(" "):
                    key = (row["problem"], stepper, row["formulation"], row["h"], row["steps"])
                    written[key] = [row["q"], row["v"], row["lambda"], row["error"]]
        wrong, known = [], set()
        for pair, steps, compute, error in self.pairs:
            keys = [(*pair, str(k)) for k in steps]
            known.update(keys)
            wrong += [key for key in keys if key not in written]
            if crc32("|".join((seed, *pair)).encode()) % share == 0:
                states = compute()
                wrong += [key for key, k in zip(keys, steps) if written.get(key) != [*words(states[k]), error]]
        wrong += [key for key in written if key not in known]
        if wrong:
            sys.exit("\n".join([f"{sys.argv[0]}: not as the table has it:"] + [" ".join(key) for key in wrong[:20]]))


def words(state):
    """The numbers of q, v and lambda as three texts."""
    out = ["", "", ""]
    for i, values in enumerate(state):
        size = norm(values)  # the differences leave some 1e-60 where a number is 0
        out[i] = " ".join("0" if abs(x) <= mpf(10) ** -40 * max(size, 1) else nstr(x, DIGITS) for x in values)
    return out


def steps_of(step, spec, h, steps, p=None):
    """The states after 0 ... `steps` steps of step(problem, t, q, v, h) -> (q, v) from the start."""
    p, length = p or problem(spec), number(h)
    states = [(p.q, p.v)]
    for k in range(steps):
        states.append(step(p, k * length, *states[-1], length))
    return states


def follow(table, spec, stepper, h, steps, step, formulation="", p=None, error=""):
    """Adds the state after so many steps."""
    table.add(spec, stepper, h, [steps], lambda: steps_of(step, spec, h, steps, p), formulation, error)
