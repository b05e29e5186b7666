# Andrews' squeezing mechanism from the centres of mass of its seven bodies, hw96 (VII.7), ivptest08.
name = "derived_andrews"
brief = "Andrews' squeezing mechanism"
reference = "hw96 (VII.7)"
beta, Theta, gamma, Phi, delta, Omega, epsilon, *v = coordinates("beta Theta gamma Phi delta Omega epsilon")
q = (beta, Theta, gamma, Phi, delta, Omega, epsilon)
xa, ya, xb, yb, xc, yc = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
d, da, e, ea, rr, ra, l0 = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.07785
ss, sa, sb, sc, sd, ta, tb = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
u, ua, ub, zf, zt, fa = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421


def at(start, *bars):
    """From a point along bars (angle, component along it, component across it)."""
    return (start[0] + sum(a * cos(x) - b * sin(x) for x, a, b in bars),
            start[1] + sum(a * sin(x) + b * cos(x) for x, a, b in bars))


O, A, B, C = (0, 0), (xa, ya), (xb, yb), (xc, yc)
bodies = [(0.04325, 2.194e-6, beta, at(O, (beta, ra, 0))),
          (0.00365, 4.410e-7, beta + Theta, at(O, (beta, rr, 0), (beta + Theta, -da, 0))),
          (0.02373, 5.255e-6, gamma, at(B, (gamma, sb, -sa))),
          (0.00706, 5.667e-7, Phi + delta, at(A, (delta, zt, 0), (Phi + delta, 0, ea - e))),
          (0.07050, 1.169e-5, delta, at(A, (delta, ta, tb))),
          (0.00706, 5.667e-7, Omega + epsilon, at(A, (epsilon, 0, -u), (Omega + epsilon, zf - fa, 0))),
          (0.05498, 1.912e-5, epsilon, at(A, (epsilon, -ub, -ua)))]
rate = lambda x: sum(x.diff(a) * b for a, b in zip(q, v))
T = sum(m * (rate(x)**2 + rate(y)**2) / 2 + I * rate(angle)**2 / 2 for m, I, angle, (x, y) in bodies)
D, joint = at(B, (gamma, sd, -sc)), at(O, (beta, rr, 0), (beta + Theta, -d, 0))
V = 4530 * (sqrt((D[0] - xc)**2 + (D[1] - yc)**2) - l0)**2 / 2 - 0.033 * beta
ends = [at(B, (gamma, 0, -ss)), at(A, (delta, zt, 0), (Phi + delta, 0, -e)),
        at(A, (epsilon, 0, -u), (Omega + epsilon, zf, 0))]
g = [joint[k] - end[k] for end in ends for k in (0, 1)]
start = ([dependent(-0.06), 0] + [dependent(guess) for guess in (0.46, 0.22, 0.49, -0.22, 1.23)], [0] * 7)
time_scale = 1e-3
