"""Trigonometric integrators: hlw06 XIII (2.7), (2.8) in the normal modes of the linear springs.

With V = q'K q/2 + U, the modes X'M X = 1, X'K X = Omega^2, x = X'M q and g(x) = -X'U_q(X x),

    x1 = cos(xi) x + h sinc(xi) v + h^2/2 Psi g(Phi x),   xi = h Omega,
    v1 = -Omega sin(xi) x + cos(xi) v + h/2 (Psi0 g(Phi x) + Psi1 g(Phi x1)),   Psi = sinc(xi) Psi1, Psi0 = cos(xi) Psi1.
"""
from mpmath import cos, eigsy, eye, matrix, mpf, sin, sqrt

from problems import Table, follow, hessian, number, penalty, problem


def sinc(x):
    return sin(x) / x if x else mpf(1)


FILTERS = {  # Psi and Phi of xi: hlw06 XIII.2.2, methods (B), (C) and (A), and hairer00 with psi = sinc^2
    "impulse": (lambda x: sinc(x), lambda x: mpf(1)),
    "mollified": (lambda x: sinc(x)**2, lambda x: sinc(x)),
    "gautschi": (lambda x: sinc(x / 2)**2, lambda x: mpf(1)),
    "hairer_lubich": (lambda x: sinc(x)**2, lambda x: mpf(1)),
}


def trigonometric(filter, frequencies, X):
    """The step with modes that are the columns of X; frequencies are zero of slow modes."""
    psi, phi = FILTERS[filter]

    def step(p, t, q, v, h):
        square = matrix([w * w for w in frequencies])
        xi = [h * w for w in frequencies]
        on = lambda f, x: matrix([f(a) * b for a, b in zip(xi, x)])

        def g(x):
            x = on(phi, x)
            return X.T * p.force(t, X * x, v) + matrix([a * b for a, b in zip(square, x)])
        psi1 = lambda a: psi(a) / sinc(a)
        x, rate = X.T * p.M(q) * q, X.T * p.M(q) * v
        g0 = g(x)
        x1 = on(cos, x) + h * on(sinc, rate) + h**2 / 2 * on(psi, g0)
        turned = matrix([w * sin(a) * b for w, a, b in zip(frequencies, xi, x)])
        v1 = on(cos, rate) - turned + h / 2 * (on(lambda a: cos(a) * psi1(a), g0) + on(psi1, g(x1)))
        return X * x1, X * v1
    return step


def fput(m, omega):
    """The stiff springs: every second coordinate."""
    return [mpf(0), mpf(omega)] * m, eye(2 * m)


def modes(p):
    """Frequencies and modes of V_qq at the start."""
    root = [1 / sqrt(a) for a in p.masses]
    K = hessian(lambda q: p.V(mpf(0), q), p.q)
    squares, Y = eigsy(matrix([[root[i] * K[i, j] * root[j] for j in range(p.n)]
                                                  for i in range(p.n)]))
    return [sqrt(a) if a > 1e-6 else mpf(0) for a in squares], matrix(
        [[root[i] * Y[i, j] for j in range(p.n)] for i in range(p.n)])


# The problem, its frequencies and modes, and steps: below and above the resonance h omega = pi.
CASES = [
    ("fput", fput(3, 50), ["0.02", "0.1"]),
    ("fput:m=2,omega=5", fput(2, 5), ["0.25"]),
    ("oscillator:omega=2,v0=1", ([mpf(2)], eye(1)), ["0.3"]),
    ("henon_heiles", ([mpf(1), mpf(1)], eye(2)), ["0.5"]),
]

if __name__ == "__main__":
    table = Table()
    for spec, (frequencies, X), steps in CASES:
        for filter in FILTERS:
            for h in steps:
                follow(table, spec, f"trigonometric:filter={filter}", h, 5, trigonometric(filter, frequencies, X))
    # Without an offer the modes are those of V_qq at the start: of Kepler's problem at the distance r the radial one
    # grows, and the other one has the frequency sqrt(mu/r^3).
    p = problem("kepler:e=0.2")
    slow, fast = mpf(0), sqrt(1 / p.q[0]**3)
    follow(table, "kepler:e=0.2", "trigonometric", "0.05", 5, trigonometric("impulse", [slow, fast], eye(2)))
    # The springs of a penalty are not linear: V_qq at the start has the frequencies 24.8 and 73.6, of which a share of
    # 0.8 leaves the second one.
    p = penalty(problem("dsp"), number("0.01"))
    frequencies, X = modes(p)
    for words, share in (("filter=mollified", number("0.1")), ("filter=mollified,share=0.8", number("0.8"))):
        fast = [w if w >= share * max(frequencies) else mpf(0) for w in frequencies]
        follow(table, "dsp", f"trigonometric:{words}", "0.002", 5, trigonometric("mollified", fast, X),
               "penalty:eps=0.01", p)
    table.main()
