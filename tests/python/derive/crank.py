# Twin of problems/flexible_slider_crank.c.
name = "derived_crank"
brief = "slider crank with a flexible connecting rod"
reference = "ivptest08"
phi1, phi2, x3, q1, q2, q3, q4, v1, v2, vx, u1, u2, u3, u4 = coordinates("phi1 phi2 x3 q1 q2 q3 q4")
L1, L2, J1, J2, m2, m3 = 0.15, 0.3, 0.002727, 0.0045339259, 0.151104, 0.075552
E, rho, height, Pi = 2e11, 7870, 0.008, 3.1415927
q, u = matrix([q1, q2, q3, q4]), matrix([u1, u2, u3, u4])
mass, volume, stiff = rho * height**2 * L2, height**2 * L2, E * height**2 / L2

M = mass * matrix([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 16, 2], [0, 0, 2, 4]]) / 2
bend = stiff * Pi**4 * (height / L2)**2
K = matrix([[bend / 24, 0, 0, 0], [0, 2 * bend / 3, 0, 0], [0, 0, 16 * stiff / 3, -8 * stiff / 3],
            [0, 0, -8 * stiff / 3, 7 * stiff / 3]])
b = [16 / Pi**3, 8 / Pi**3 - 1 / Pi, 1 / (2 * Pi)]
B = rho * volume * matrix([[0, 0, -b[0], b[1]], [0, 0, 0, b[2]], [b[0], 0, 0, 0], [-b[1], -b[2], 0, 0]])
c1, c2 = rho * volume * matrix([0, 0, 4, 1]) / 6, rho * volume * matrix([2 / Pi, 0, 0, 0])
c12, c21 = rho * volume * L2 * matrix([0, 0, 2, 1]) / 6, rho * volume * L2 * matrix([1 / Pi, -1 / (2 * Pi), 0, 0])

s, c = sin(phi1 - phi2), cos(phi1 - phi2)
T = ((J1 + m2 * L1**2) * v1**2 + J2 * v2**2 + m3 * vx**2 + u.dot(M * u)) / 2
T += v1 * v2 * L1 * (m2 * L2 * c / 2 + s * c2.dot(q) + c * c1.dot(q)) + v1 * L1 * (c * c2 - s * c1).dot(u)
T += v2**2 * (q.dot(M * q) + 2 * c12.dot(q)) / 2 + v2 * (c21.dot(u) + q.dot(B * u))
V = q.dot(K * q) / 2
g = [L1 * sin(phi1) + (L2 + q4) * sin(phi2), x3 - L1 * cos(phi1) - (L2 + q4) * cos(phi2)]
rows = [(v1, 150)]
q40, u40 = 0.169327969e-4, -0.268938672e-5
start = ([0, 0, L1 + L2 + q40, 0, 0, 0.103339863e-4, q40],
         [150, -150 * L1 / (L2 + q40), u40, 0.444896105, 0.463434311e-2, -0.178591076e-5, u40])
time_scale = 2e-5
