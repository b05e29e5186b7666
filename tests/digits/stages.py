"""Collocation: Gauss, hlw06 II.1.3; Radau IIA, hw96 IV.5 and VII.4; Lobatto IIIA-IIIB with constraints, jay96.

The nodes are the zeros of Legendre's polynomials on [0, 1]: of P_s (Gauss), P_s - P_{s-1} (Radau), and of the
derivative of P_{s-1} with 0 and 1 (Lobatto). The weights are the integrals of the Lagrange polynomials (hlw06 II.1.2).
"""
from mpmath import binomial, lu_solve, mpf, polyroots, zeros

from multistep import forces, stages
from problems import Table, join, number, parts, problem, solve, tangent


def legendre(s):
    """The coefficients of P_s(2 x - 1), from x^0."""
    return [(-1)**(s + k) * binomial(s, k) * binomial(s + k, k) for k in range(s + 1)]


def roots(coefficients):
    return sorted(polyroots(coefficients[::-1], maxsteps=500, extraprec=500)) if len(coefficients) > 1 else []


def gauss_nodes(s):
    return roots(legendre(s))


def radau_nodes(s):
    return roots([a - b for a, b in zip(legendre(s), legendre(s - 1) + [0])])


def lobatto_nodes(s):
    return [mpf(0)] + roots([k * a for k, a in enumerate(legendre(s - 1))][1:]) + [mpf(1)]


def weights(nodes, x):
    """The integrals of the Lagrange polynomials from 0 to x."""
    out = []
    for c in nodes:
        l = [mpf(1)]
        for d in nodes:
            if d != c:
                l = [(a - d * b) / (c - d) for a, b in zip([mpf(0)] + l, l + [mpf(0)])]
        out.append(sum(a * x**(k + 1) / (k + 1) for k, a in enumerate(l)))
    return out


def table_of(nodes):
    return [weights(nodes, c) for c in nodes]


def gauss(s):
    nodes = gauss_nodes(s)
    a, b = table_of(nodes), weights(nodes, mpf(1))

    def step(p, t, q, v, lam, h):
        momentum = p.M(q) * v
        at = stages(p, "3", a, nodes, t, h, q, momentum, v, lam)
        q1 = q + h * sum((w * V for w, (Q, V, l) in zip(b, at)), zeros(p.n, 1))
        p1 = momentum + h * sum((w * forces(p, t + c * h, Q, V, l) for w, c, (Q, V, l) in zip(b, nodes, at)),
                                zeros(p.n, 1))
        return q1, lu_solve(p.M(q1), p1), lam
    return step


def radau(s, index):
    nodes = radau_nodes(s)
    a = table_of(nodes)

    def step(p, t, q, v, lam, h):
        return stages(p, index, a, nodes, t, h, q, p.M(q) * v, v, lam)[-1]
    return step


def lobatto(s, tables="pair"):
    """a^_ij = b_j - b_j a_ji/b_i, whose last column vanishes: Lambda of the last stage is that of G(q1) v1 = 0. IIIA
    has a in its place, IIIB a^ in that of a; then the last stage need not be the new position."""
    nodes = lobatto_nodes(s)
    a, b = table_of(nodes), weights(nodes, mpf(1))
    hat = [[b[j] - b[j] * a[j][i] / b[i] for j in range(s)] for i in range(s)]
    a, hat = {"pair": (a, hat), "iiia": (a, a), "iiib": (hat, hat)}[tables]

    def step(p, t, q, v, lam, h):
        n, m, momentum = p.n, p.m, p.M(q) * v
        none = zeros(m, 1)

        def unpack(x):
            blocks = parts(x, *([n] * (2 * s) + [m] * (s - 1)))
            return blocks[:s], blocks[s:2 * s], blocks[2 * s:] + [none]

        def slopes(x):
            return [forces(p, t + c * h, Q, V, l) for c, Q, V, l in zip(nodes, *unpack(x))]

        def residual(x):
            Q, V, _ = unpack(x)
            F, out = slopes(x), []
            for i in range(s):
                out.append(Q[i] - q - h * sum((a[i][j] * V[j] for j in range(s)), zeros(n, 1)))
                out.append(p.M(Q[i]) * V[i] - momentum - h * sum((hat[i][j] * F[j] for j in range(s)), zeros(n, 1)))
                out.append(p.g(t + nodes[i] * h, Q[i]) if i > 0 else [])
            return join(*out)
        x = solve(residual, join(*[q + c * h * v for c in nodes], *[v] * s, *[lam] * (s - 1)))
        q1, F = q + h * sum((w * V for w, V in zip(b, unpack(x)[1])), zeros(n, 1)), slopes(x)
        p1 = momentum + h * sum((w * f for w, f in zip(b, F)), zeros(n, 1))
        v1 = tangent(p, t + h, q1, p1)
        return q1, v1, p.acceleration(t + h, q1, v1)[1]
    return step


def states(method, arguments, spec, h, steps):
    p, length, step = problem(spec), number(h), method(*arguments)
    states = [(p.q, p.v, p.acceleration(mpf(0), p.q, p.v)[1])]
    for k in range(steps):
        states.append(step(p, k * length, *states[-1], length))
    return states


def follow(table, spec, stepper, h, method, *arguments):
    """Adds the state after three steps."""
    table.add(spec, stepper, h, [3], lambda: states(method, arguments, spec, h, 3))


FREE = ["kepler:e=0.6", "oscillator:omega=2,gamma=0.3,v0=1", "spherical_pendulum", "paul_trap"]
HOLONOMIC = ["pendulum:constraint=norm,theta0=2", "hoop", "slider_crank_sundials"]
OTHER = ["dsp", "knife_edge", "rigid_body:w1=2,w2=0.1,w3=-1"]

if __name__ == "__main__":
    table = Table()
    for s in range(1, 7):
        for spec in FREE + ["double_pendulum", "henon_heiles"] if s == 2 else FREE[:1] if s > 3 else FREE:
            follow(table, spec, f"gauss:stages={s}", "0.05", gauss, s)
        follow(table, FREE[0], f"gauss:stages={s}", "-0.05", gauss, s)
    for s in (2, 3):
        follow(table, FREE[2], f"gauss:stages={s},solver=newton", "0.05", gauss, s)
    for s in (2, 3):
        for index in ("3", "2", "2s"):
            full = s == 2 and index == "2s"
            for spec in FREE + HOLONOMIC + OTHER if full else FREE[:1] + HOLONOMIC[:2] + OTHER[1:2]:
                follow(table, spec, f"radau_iia:stages={s},index={index}", "0.05", radau, s, index)
            follow(table, HOLONOMIC[0], f"radau_iia:stages={s},index={index}", "-0.05", radau, s, index)
    for s in (2, 3, 4):
        for spec in FREE + HOLONOMIC + OTHER[:1] if s == 3 else FREE[::2] + HOLONOMIC[:1]:
            follow(table, spec, f"lobatto_iiia_b:stages={s}", "0.05", lobatto, s)
        follow(table, HOLONOMIC[0], f"lobatto_iiia_b:stages={s}", "-0.05", lobatto, s)
    for tables in ("iiia", "iiib"):
        for spec in FREE[:3:2]:
            follow(table, spec, f"lobatto_iiia_b:tables={tables}", "0.05", lobatto, 3, tables)
    table.main()
