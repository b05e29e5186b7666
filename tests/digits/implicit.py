"""Implicit one-step methods: notes11 (27), (32), (54) and reg05 (6.3) as corrected; hw96 IV.3; quispel08.

They are methods for Hamilton's equations in (q, p), p = M(q) v:

    q' = M(q)^-1 p,   p' = F(t, q, v) = (v'M(q) v/2)_q - V_q + f(t, q, v)   with v = q'.
"""
from mpmath import diag, mpf, sqrt

from problems import Table, follow, gradient, jacobian, join, lu_solve, number, parts, penalty, problem, solve


def forces(p, t, q, v):
    return gradient(lambda x: p.T(x, v), q) + p.force(t, q, v)


def hamilton(p, t, q, momentum):
    """(q', p')."""
    v = lu_solve(p.M(q), momentum)
    return v, forces(p, t, q, v)


def implicit(slope):
    """The step q1 = q + h q', p1 = p + h p' with slope(p, t, h, q, p, q1, p1) = (q', p')."""
    def step(p, t, q, v, h):
        momentum = p.M(q) * v

        def residual(x):
            q1, p1 = parts(x, p.n, p.n)
            dq, dp = slope(p, t, h, q, momentum, q1, p1)
            return join(q1 - q - h * dq, p1 - momentum - h * dp)
        q1, p1 = parts(solve(residual, join(q + h * v, momentum)), p.n, p.n)
        return q1, lu_solve(p.M(q1), p1)
    return step


def euler_implicit(p, t, h, q, momentum, q1, p1):
    return hamilton(p, t + h, q1, p1)


def midpoint(p, t, h, q, momentum, q1, p1):
    return hamilton(p, t + h / 2, (q + q1) / 2, (momentum + p1) / 2)


def trapezoidal(p, t, h, q, momentum, q1, p1):
    a, b = hamilton(p, t, q, momentum), hamilton(p, t + h, q1, p1)
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


GAUSS = {  # nodes in [0, 1] and weights, hlw06 II.1
    1: [(mpf(1) / 2, mpf(1))],
    2: [(mpf(1) / 2 - sqrt(mpf(3)) / 6, mpf(1) / 2), (mpf(1) / 2 + sqrt(mpf(3)) / 6, mpf(1) / 2)],
    3: [(mpf(1) / 2 - sqrt(mpf(15)) / 10, mpf(5) / 18), (mpf(1) / 2, mpf(4) / 9),
        (mpf(1) / 2 + sqrt(mpf(15)) / 10, mpf(5) / 18)],
}


def avf(nodes):
    """y1 = y + h int_0^1 f(y + s (y1 - y)) ds by Gauss quadrature."""
    def slope(p, t, h, q, momentum, q1, p1):
        dq, dp = 0 * q, 0 * q
        for c, b in GAUSS[nodes]:
            at = hamilton(p, t + c * h, q + c * (q1 - q), momentum + c * (p1 - momentum))
            dq, dp = dq + b * at[0], dp + b * at[1]
        return dq, dp
    return slope


def euler_linear(p, t, q, v, h):
    """reg05 (6.3): [M - h^2 F_q - h F_v] v1 = M v + h F - h F_v v, all at t_n."""
    Fq = jacobian(lambda x: p.force(t, x, v), q)
    Fv = jacobian(lambda x: p.force(t, q, x), v)
    v1 = lu_solve(p.M(q) - h**2 * Fq - h * Fv, p.M(q) * v + h * p.force(t, q, v) - h * Fv * v)
    return q + h * v1, v1


def euler_damped(derivative):
    """mujoco: (M - h D) v1 = M v + h (F - D v), with D = F_v, its symmetric part or its diagonal."""
    def step(p, t, q, v, h):
        D = derivative(jacobian(lambda x: p.force(t, q, x), v))
        v1 = lu_solve(p.M(q) - h * D, p.M(q) * v + h * p.force(t, q, v) - h * D * v)
        return q + h * v1, v1
    return step


DERIVATIVES = {"whole": lambda D: D, "symmetric": lambda D: (D + D.T) / 2,
               "diagonal": lambda D: diag([D[i, i] for i in range(D.rows)])}


def euler_linear_gauss_newton(inner, eps, gamma):
    """notes11 (54) as corrected: of the derivatives of a penalty's force only -G'G/eps, and the whole damping."""
    def step(p, t, q, v, h):
        G = inner.G(t, q)
        spring, damper = G.T * G / eps, gamma / eps * (G.T * G)
        b = p.M(q) * v + h * p.force(t, q, v) + h * damper * v
        v1 = lu_solve(p.M(q) + h**2 * spring + h * damper, b)
        return q + h * v1, v1
    return step


CONSERVATIVE = ["kepler:e=0.6", "henon_heiles", "fput:m=2,omega=5", "paul_trap"]
FORCES = ["oscillator:omega=2,gamma=0.3,v0=1"]
MASSES = ["spherical_pendulum", "double_pendulum"]
METHODS = {
    "euler_implicit": (implicit(euler_implicit), CONSERVATIVE + FORCES + MASSES),
    "midpoint": (implicit(midpoint), CONSERVATIVE + FORCES + MASSES),
    "trapezoidal": (implicit(trapezoidal), CONSERVATIVE + FORCES + MASSES),
    "avf:nodes=1": (implicit(avf(1)), CONSERVATIVE + FORCES + MASSES),
    "avf:nodes=2": (implicit(avf(2)), CONSERVATIVE + FORCES + MASSES),
    "avf:nodes=3": (implicit(avf(3)), CONSERVATIVE + FORCES + MASSES),
    "euler_linear": (euler_linear, CONSERVATIVE + FORCES),
    "euler_damped": (euler_damped(DERIVATIVES["whole"]), CONSERVATIVE + FORCES),
}

if __name__ == "__main__":
    table = Table()
    for stepper, (step, problems) in METHODS.items():
        for spec in problems:
            for h in ["0.05", "-0.05"][:2 if spec == problems[0] else 1]:
                follow(table, spec, stepper, h, 3, step)
    pendulum = problem("pendulum:constraint=norm,omega0=2")
    for text in ("penalty:eps=0.02,gamma=0", "penalty:eps=0.02,gamma=0.3"):
        eps, gamma = (number(word.split("=")[1]) for word in text.split(":")[1].split(","))
        for stepper, step in (("euler_linear", euler_linear),
                              ("euler_linear:geometric=0", euler_linear_gauss_newton(pendulum, eps, gamma)),
                              *((f"euler_damped:derivative={name}", euler_damped(derivative))
                                for name, derivative in DERIVATIVES.items())):
            follow(table, "pendulum:constraint=norm,omega0=2", stepper, "0.05", 3, step, text,
                   penalty(pendulum, eps, gamma))
    table.main()
