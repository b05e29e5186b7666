"""RATTLE, hlw06 VII.1.4, as a stepper written in Python: integrators/rattle.c does the same.

    w = v0 - h/2 M^-1 (V_q(q0) - G(q0)' lambda),   q1 = q0 + h w,   g(q1) = 0,
    v1 = w - h/2 M^-1 V_q(q1) + M^-1 G(q1)' mu,    G(q1) v1 = 0."""

import numpy as np

import stepbench

TOLERANCE = 1e-8  # of a correction: Newton's method then leaves its square
ITERATIONS = 50


def add(bench, name="rattle_python"):
    """Registers the stepper."""

    @bench.stepper(
        name=name, order=2, supports="holonomic,curved", keeps="position,tangency,momenta,reversibility"
    )
    def rattle(system, t, h, q, v):
        """RATTLE, written in Python."""
        M, G = system.M(q), system.G(q)
        w = v - h / 2.0 * np.linalg.solve(M, system.V_q(q))
        q1 = q + h * w
        if len(G) == 0:
            return q1, w - h / 2.0 * np.linalg.solve(M, system.V_q(q1))
        push = np.linalg.solve(M, G.T)
        for _ in range(ITERATIONS):
            change = push @ np.linalg.solve(system.G(q1) @ push, system.g(q1))
            q1 = q1 - change
            w = w - change / h
            if np.abs(change).max() <= TOLERANCE * np.abs(q1).max():
                break
        else:
            raise stepbench.Error(f"Newton's method did not converge in {ITERATIONS} iterations; take a smaller step")
        G = system.G(q1)
        v1 = w - h / 2.0 * np.linalg.solve(M, system.V_q(q1))
        push = np.linalg.solve(M, G.T)
        return q1, v1 - push @ np.linalg.solve(G @ push, G @ v1)
