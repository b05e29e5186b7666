"""The method of Hilber, Hughes and Taylor, hilber77, as a stepper written in Python: integrators/hht.c does the same.

    M q1'' = f(t1, q1, v1) - V_q(q1),   a1 = (1 - alpha) q1'' + alpha q0'',
    q1 = q0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1),   v1 = v0 + h ((1 - gamma) a0 + gamma a1),
    beta = (1 + alpha)^2/4,   gamma = 1/2 + alpha."""

import numpy as np

import stepbench

TOLERANCE = 1e-8  # of a correction: Newton's method then leaves its square
ITERATIONS = 50


def add(bench, name="hht_python", alpha=0.05):
    """Registers the stepper with this damping, 0 <= alpha <= 1/3."""
    beta, gamma = (1.0 + alpha) ** 2 / 4.0, 0.5 + alpha

    def start(system, t, h, q, v):
        """Returns a0 and q0'', which are equal."""
        acceleration = system.acceleration(t, q, v)
        return acceleration, acceleration

    @bench.stepper(name=name, order=2, supports="forces", start=start, vectors=2)
    def hht(system, t, h, q, v, a, acceleration):
        """HHT-alpha, written in Python."""
        t1, s = t + h, beta * h**2 * (1.0 - alpha)
        x = acceleration.copy()  # q1''
        for _ in range(ITERATIONS):
            a1 = (1.0 - alpha) * x + alpha * acceleration
            q1 = q + h * (v + h * ((0.5 - beta) * a + beta * a1))
            v1 = v + h * ((1.0 - gamma) * a + gamma * a1)
            M = system.M(q1)
            F = system.f(t1, q1, v1) - system.V_q(q1)
            stiffness = system.V_qq(q1) - system.f_q(t1, q1, v1) - gamma / (beta * h) * system.f_v(t1, q1, v1)
            change = np.linalg.solve(M + s * stiffness, s * (F - M @ x))  # of q1
            x = x + change / s
            if np.abs(change).max() <= TOLERANCE * (np.abs(q1).max() + abs(h) * np.abs(v1).max()):
                break
        else:
            raise stepbench.Error(f"Newton's method did not converge in {ITERATIONS} iterations; take a smaller step")
        a1 = (1.0 - alpha) * x + alpha * acceleration
        q1 = q + h * (v + h * ((0.5 - beta) * a + beta * a1))
        v1 = v + h * ((1.0 - gamma) * a + gamma * a1)
        return q1, v1, a1, x
