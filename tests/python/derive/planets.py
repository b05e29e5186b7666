# The Sun, Jupiter and Saturn of problems/outer_solar_system.c.
name = "derived_planets"
brief = "outer solar system with two planets"
reference = "hlw06"
made = coordinates("x0 y0 z0 x1 y1 z1 x2 y2 z2")
x, v = ([list(part[3 * b:3 * b + 3]) for b in range(3)] for part in (made[:9], made[9:]))
m = [1.00000597682, 0.000954786104043, 0.000285583733151]
T = sum(m[b] * a**2 for b in range(3) for a in v[b]) / 2
V = -2.95912208286e-4 * sum(m[a] * m[b] / sqrt(sum((p - q)**2 for p, q in zip(x[a], x[b])))
                            for a, b in ((0, 1), (0, 2), (1, 2)))
start = ([0, 0, 0, -3.5023653, -3.8169847, -1.5507963, 9.0755314, -3.0458353, -1.6483708],
         [0, 0, 0, 0.00565429, -0.00412490, -0.00190589, 0.00168318, 0.00483525, 0.00192462])
time_scale = 100
