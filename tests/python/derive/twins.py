# Twins of built-in problems, side by side as one system: coordinates of different ones do not meet in any term.
name = "derived_twins"
brief = "henon_heiles, double_pendulum, fput with two stiff springs, and slider_crank_sundials"
reference = "hlw06"
x, y, th1, th2, a1, b1, a2, b2, q, s, p, vx, vy, w1, w2, va1, vb1, va2, vb2, vq, vs, vp = coordinates(
    "x y th1 th2 a1 b1 a2 b2 q s p")
gravity = parameter("g", 9.81, doc="gravity", unit="m/s^2")
omega = parameter("omega", 50, 0, "frequency of the stiff springs")
half = Rational(1, 2)

# henon_heiles, henon64
T = (vx**2 + vy**2) / 2
V = (x**2 + y**2) / 2 + x**2 * y - y**3 / 3

# double_pendulum, landau76 (5)
T += (w1**2 + (w1 * cos(th1) + w2 * cos(th2))**2 + (w1 * sin(th1) + w2 * sin(th2))**2) / 2
V += -gravity * (2 * cos(th1) + cos(th2))

# fput: displacements u_{2i-1}, u_{2i} = (x_{0,i} -+ x_{1,i})/sqrt(2) between walls, hlw06 (5.1)
u = [0, (a1 - b1) / sqrt(2), (a1 + b1) / sqrt(2), (a2 - b2) / sqrt(2), (a2 + b2) / sqrt(2), 0]
T += (va1**2 + vb1**2 + va2**2 + vb2**2) / 2
V += sum((u[2 * i + 1] - u[2 * i])**4 for i in range(3)) + omega**2 / 4 * sum((u[2 * i] - u[2 * i - 1])**2 for i in (1, 2))

# slider_crank_sundials: the middles of crank and rod
length = sqrt((s - cos(p) / 2 - cos(q) / 4)**2 + (sin(p) / 2 + sin(q) / 4)**2)
T += (vq**2 + vs**2 + 2 * vp**2) / 2
V += (length - 1)**2 / 2 - s - cos(p)
rate = length.diff(q) * vq + length.diff(s) * vs + length.diff(p) * vp
f = [0] * 8 + [-rate * length.diff(z) for z in (q, s, p)]
g = [s - cos(p) - cos(q) / 2, sin(p) + sin(q) / 2]

start = ([0, 0.1, 2, 2.5, 1, 1 / omega, 0, 0, pi / 2, sqrt(3) / 2, -pi / 6],
         [0.5, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0])
time_scale = 1 / omega
