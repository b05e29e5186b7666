"""Backward differentiation formulas: hnw93 III.1, hw96 VII.3, started by Radau IIA with three stages, hw96 IV.5; Bathe's
composite method: bathe05.

They solve for stages Q, P = M(Q) V of q' = v, p' = f(t, q, v) = T_q - V_q + f + C'lambda, with C = [G; A], and the rows

    index 3: g = 0;  index 2: G V + g_t = 0;  2s: both, with q' = v + G'mu;  A V = 0.
"""
from functools import cache, partial

from mpmath import mpf, sqrt, zeros

from problems import Table, dot, follow, gradient, join, number, parts, problem, solve


def forces(p, t, q, v, lam):
    """T_q - V_q + f + C'lambda."""
    F = gradient(lambda x: p.T(x, v), q) + p.force(t, q, v)
    C = p.rows(t, q)
    return F + C.T * lam if C is not None else F


def constraints(p, index, t, q, v):
    rows = []
    if p.m:
        g, rate = list(p.g(t, q)), list(p.rate(t, q, v))
        rows = {"3": g, "2": rate, "2s": g + rate}[index]
    return rows + [dot(r, v) for r in p.A(t, q)]


def stages(p, index, table, nodes, t, h, q, momentum, v, lam):
    """The stages (Q, V, lambda) of Q_i = q + h sum a_ij U_j, P_i = p + h sum a_ij f_j, U = V + G'mu."""
    s, n, extra = len(nodes), p.n, p.m if index == "2s" else 0
    size = [n, n, p.m + p.k, extra]

    def unpack(x):
        blocks = parts(x, *size * s)
        return [blocks[4 * i:4 * i + 4] for i in range(s)]

    def residual(x):
        at = unpack(x)
        slopes = []
        for c, (Q, V, l, mu) in zip(nodes, at):
            U = V + p.G(t + c * h, Q).T * mu if extra else V
            slopes.append((U, forces(p, t + c * h, Q, V, l)))
        out = []
        for i, (c, (Q, V, l, mu)) in enumerate(zip(nodes, at)):
            dq = sum((table[i][j] * slopes[j][0] for j in range(s)), zeros(n, 1))
            dp = sum((table[i][j] * slopes[j][1] for j in range(s)), zeros(n, 1))
            out += [Q - q - h * dq, p.M(Q) * V - momentum - h * dp, constraints(p, index, t + c * h, Q, V)]
        return join(*out)
    guess = join(*[part for c in nodes for part in (q + c * h * v, v, lam, zeros(extra, 1))])
    return [at[:3] for at in unpack(solve(residual, guess))]


ROOT = sqrt(mpf(6))
RADAU_NODES = [(4 - ROOT) / 10, (4 + ROOT) / 10, mpf(1)]
RADAU = [[(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225],
         [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225],
         [(16 - ROOT) / 36, (16 + ROOT) / 36, mpf(1) / 9]]
BACKWARD = {1: [1, -1], 2: ["3/2", -2, "1/2"], 3: ["11/6", -3, "3/2", "-1/3"], 4: ["25/12", -4, 3, "-4/3", "1/4"],
            5: ["137/60", -5, 5, "-10/3", "5/4", "-1/5"], 6: ["49/20", -6, "15/2", "-20/3", "15/4", "-6/5", "1/6"]}


@cache
def radau_points(spec, h, count):
    """Steps of Radau IIA, stabilised index 2, with the multipliers of the equations of motion at their ends."""
    p, length = problem(spec), number(h)
    if count == 0:
        return [(p.q, p.v, p.acceleration(mpf(0), p.q, p.v)[1])]
    points, t = radau_points(spec, h, count - 1), (count - 1) * length
    q, v, lam = points[-1]
    q1, v1, _ = stages(p, "2s", RADAU, RADAU_NODES, t, length, q, p.M(q) * v, v, lam)[-1]
    return points + [(q1, v1, p.acceleration(t + length, q1, v1)[1])]


def bdf(spec, order, index, text):
    """sum_j alpha_j y_{n+1-j} = h y'_{n+1} from the points y_0, ..., y_{order-1}; two steps."""
    p, h, alpha = problem(spec), number(text), [number(a) for a in BACKWARD[order]]
    points = list(radau_points(spec, text, order - 1))
    while len(points) <= order + 1:
        q, momentum = zeros(p.n, 1), zeros(p.n, 1)
        for j in range(1, order + 1):
            q = q - alpha[j] / alpha[0] * points[-j][0]
            momentum = momentum - alpha[j] / alpha[0] * (p.M(points[-j][0]) * points[-j][1])
        t = (len(points) - 1) * h
        points.append(tuple(stages(p, index, [[1 / alpha[0]]], [mpf(1)], t, h, q, momentum, *points[-1][1:])[0]))
    return points


def bathe(text, p, t, q, v, h):
    gamma, momentum, none = number(text), p.M(q) * v, zeros(0, 1)
    half = gamma * h / 2
    qg, vg, _ = stages(p, "3", [[mpf(1) / 2]], [mpf(1)], t, gamma * h, q + half * v,
                       momentum + half * forces(p, t, q, v, none), v, none)[0]
    # h y1' = (1 - gamma)/gamma y - y_g/((1 - gamma) gamma) + (2 - gamma)/(1 - gamma) y1
    weight = (1 - gamma) / (2 - gamma)
    past = [weight * (g / ((1 - gamma) * gamma) - (1 - gamma) / gamma * y)
            for y, g in ((q, qg), (momentum, p.M(qg) * vg))]
    return stages(p, "3", [[weight]], [mpf(1)], t, h, *past, vg, none)[0][:2]


FREE = ["kepler:e=0.6", "oscillator:omega=2,gamma=0.3,v0=1", "oscillator:gamma=36.4,v0=1", "spherical_pendulum",
        "paul_trap"]
CONSTRAINED = ["pendulum:constraint=norm,theta0=2", "dsp", "hoop", "knife_edge", "rigid_body:w1=2,w2=0.1,w3=-1",
               "slider_crank_sundials"]
BDF = [(order, "3", FREE[:3] + CONSTRAINED[:1]) for order in range(1, 7)]
BDF += [(2, "3", FREE[3:] + CONSTRAINED[1:]), (1, "2s", CONSTRAINED[1:2]), (3, "2s", CONSTRAINED),
        (2, "2", CONSTRAINED[:3])]

if __name__ == "__main__":
    table = Table()
    for order, index, problems in BDF:
        for spec in problems:
            table.add(spec, f"bdf:order={order},index={index}", "0.1", sorted({1, order, order + 1}),
                      partial(bdf, spec, order, index, "0.1"))
    for gamma in "0.585786437626904951198311275790301921", "0.4":
        for spec in FREE:
            follow(table, spec, f"bathe:gamma={gamma}", "0.1", 3, partial(bathe, gamma))
    table.main()
