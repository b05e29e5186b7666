"""Explicit methods: notes11 (16), (23); hlw06 I.1.2; hnw93 II.1, II.14; calvo93."""
from mpmath import mpf

from problems import Table, dot, follow, jacobian, lu_solve, number, vector


def acceleration(p, t, q, v):
    return p.acceleration(t, q, v)[0]


def euler_explicit(p, t, q, v, h):
    return q + h * v, v + h * acceleration(p, t, q, v)


def euler_symplectic(p, t, q, v, h):
    v1 = v + h * acceleration(p, t, q, v)
    return q + h * v1, v1


def verlet(p, t, q, v, h):
    """q_{k+1} - 2 q_k + q_{k-1} = h^2 a_k, with v_k = (q_{k+1} - q_{k-1})/(2 h)."""
    q1 = q + h * v + h**2 / 2 * acceleration(p, t, q, v)
    q2 = 2 * q1 - q + h**2 * acceleration(p, t + h, q1, v)
    return q1, (q2 - q) / (2 * h)


def rk4(p, t, q, v, h):
    k1, l1 = v, acceleration(p, t, q, v)
    k2, l2 = v + h / 2 * l1, acceleration(p, t + h / 2, q + h / 2 * k1, v + h / 2 * l1)
    k3, l3 = v + h / 2 * l2, acceleration(p, t + h / 2, q + h / 2 * k2, v + h / 2 * l2)
    k4, l4 = v + h * l3, acceleration(p, t + h, q + h * k3, v + h * l3)
    return q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)


def nystrom4(p, t, q, v, h):
    """hnw93 II.14: Nystrom's method of order 4 for y'' = f(x, y)."""
    k1 = acceleration(p, t, q, v)
    k2 = acceleration(p, t + h / 2, q + h / 2 * v + h**2 / 8 * k1, v)
    k3 = acceleration(p, t + h, q + h * v + h**2 / 2 * k2, v)
    return q + h * v + h**2 / 6 * (k1 + 2 * k2), v + h / 6 * (k1 + 4 * k2 + k3)


def calvo_sanz_serna4_table():
    """The nodes c and weights b of calvo93's symplectic method: its decimals, moved onto the conditions of order 4 by
    the least change (hnw93 II.14: sum b_i Phi_i = 1/gamma with a-_ij = b_j (c_i - c_j)). The decimals have 15 digits,
    so that states differ by some 1e-15 h^2 from those of another choice on the conditions."""
    nodes = ["0.205177661542290", "0.608198943146500", "0.487278066807580"]
    weights = ["0.061758858135626", "0.338978026553640", "0.614791307175570", "-0.140548014659370", "0.125019822794530"]
    x = vector([number(a) for a in nodes + weights])

    def table(x):
        return [mpf(0)] + list(x[0:3]) + [mpf(1)], list(x[3:8])

    def conditions(x):
        c, b = table(x)
        inner = [sum(b[j] * (c[i] - c[j]) for j in range(i)) for i in range(5)]
        powers = [sum(b[i] * c[i]**k for i in range(5)) - mpf(1) / (k + 1) for k in range(4)]
        return powers + [dot(b, inner) - mpf(1) / 6, sum(b[i] * c[i] * inner[i] for i in range(5)) - mpf(1) / 8]
    for _ in range(4):
        J = jacobian(conditions, x)
        x = x - J.T * lu_solve(J * J.T, vector(conditions(x)))
    return table(x)


C, B = calvo_sanz_serna4_table()


def calvo_sanz_serna4(p, t, q, v, h):
    k = []
    for i in range(5):
        at = q + h * C[i] * v
        for j in range(i):
            at = at + h**2 * B[j] * (C[i] - C[j]) * k[j]
        k.append(acceleration(p, t + C[i] * h, at, v))
    q1, v1 = q + h * v, v
    for i in range(5):
        q1 = q1 + h**2 * B[i] * (1 - C[i]) * k[i]
        v1 = v1 + h * B[i] * k[i]
    return q1, v1


CONSERVATIVE = ["kepler:e=0.6", "henon_heiles", "fput:m=2,omega=5", "paul_trap"]
FORCES = ["oscillator:omega=2,gamma=0.3,v0=1"]
MASSES = ["spherical_pendulum", "double_pendulum"]
METHODS = {
    "euler_explicit": (euler_explicit, CONSERVATIVE + FORCES + MASSES),
    "euler_symplectic": (euler_symplectic, CONSERVATIVE + FORCES),
    "verlet": (verlet, CONSERVATIVE),
    "rk4": (rk4, CONSERVATIVE + FORCES + MASSES),
    "rkn": (nystrom4, CONSERVATIVE),
    "rkn:table=calvo_sanz_serna4": (calvo_sanz_serna4, CONSERVATIVE),
}

if __name__ == "__main__":
    table = Table()
    for stepper, (step, problems) in METHODS.items():
        for spec in problems:
            for h in ["0.1", "-0.1"][:2 if spec == problems[0] else 1]:
                follow(table, spec, stepper, h, 3, step, error="1e-14" if "calvo" in stepper else "")
    table.main()
