# Twins of built-in problems, most of them with constraints, side by side as one system, in the order of derive.sh.
name = "derived_constrained"
brief = "built-in problems, from oscillator to ladder"
reference = "hlw06"
T, V, g, rows, f, start = 0, 0, [], [], [], ([], [])
half = Rational(1, 2)
gravity = parameter("g", 9.81, doc="gravity", unit="m/s^2")


def system(names, q0, v0):
    count, made = len(names.split()), coordinates(names)
    n = len(made) // 2
    start[0].extend(q0)
    start[1].extend(v0)
    f.extend([0] * count)
    return made[n - count:n], made[-count:]


def square(*x):
    return sum(a**2 for a in x)


# oscillator:omega=3,gamma=0.4, notes11 (1)
(x,), (vx,) = system("o", [1], [0])
T, V = T + vx**2 / 2, V + 9 * x**2 / 2
f[0] = -0.4 * vx

# plane, notes11 (44)
(x, y), (vx, vy) = system("px py", [0, 0], [1, 0])
T, V = T + square(vx, vy) / 2, V + y
g += [y]

# knife_edge on an inclined plane, neimark72 (III.2)
(x, y, p), (vx, vy, w) = system("kx ky kp", [0, 0, 0], [0, 0, 1])
T, V = T + square(vx, vy, w) / 2, V - x
rows += [(-sin(p) * vx + cos(p) * vy, 0)]

# chaplygin_sleigh, its edge 0.5 m behind the centre of mass, bloch03 (1.7)
(x, y, p), (vx, vy, w) = system("cx cy cp", [0, 0, 0], [-1, half, 1])
T += square(vx, vy) / 2 + w**2 / 4
rows += [(-sin(p) * vx + cos(p) * vy - w / 2, 0)]

# rolling_disk in Euler's angles z-x-z: the centre is sin(theta) high, the lowest point at rest, neimark72 (III.2)
(x, y, phi, theta, psi), (vx, vy, vphi, vtheta, vpsi) = system(
    "dx dy phi theta psi", [0, 0, 0, 1.3, 0], [dependent(), dependent(), half, 0, -5])
T += square(vx, vy, vtheta * cos(theta)) / 2 + square(vtheta, vphi * sin(theta)) / 8 + (vpsi + vphi * cos(theta))**2 / 4
V += gravity * sin(theta)
rows += [(cos(phi) * vx + sin(phi) * vy + vpsi + vphi * cos(theta), 0),
         (-sin(phi) * vx + cos(phi) * vy + sin(theta) * vtheta, 0)]

# car_axis with a clock s of the mass m, ivptest08
(xl, yl, xr, yr, s), (vxl, vyl, vxr, vyr, vs) = system("xl yl xr yr s", [0, half, 1, half, 0], [-half, 0, -half, 0, 1])
m, yb = 10 * 0.01**2 / 2, sin(10 * s) / 10
xb = sqrt(1 - yb**2)
T += m * square(vxl, vyl, vxr, vyr, vs) / 2
V += ((sqrt(square(xl, yl)) - half)**2 + (sqrt(square(xr - xb, yr - yb)) - half)**2) / 2 + m * (yl + yr)
g += [xl * xb + yl * yb, square(xl - xr, yl - yr) - 1]
rows += [(vs, 1)]

# thread:n=2,angle=1
(ax, ay, bx, by), v = system("ax ay bx by", [sin(1), -cos(1), 2 * sin(1), -2 * cos(1)], [0] * 4)
T, V = T + square(*v) / 2, V + gravity * (ay + by)
g += [sqrt(square(ax, ay)) - 1, sqrt(square(bx - ax, by - ay)) - 1]

# slider_crank, reg05 6.2
w = 6.283185307179586
(x1, y1, p1, x2, y2, p2, x3, y3, p3), (v1, w1, r1, v2, w2, r2, v3, w3, r3) = system(
    "x1 y1 p1 x2 y2 p2 x3 y3 p3", [dependent(), dependent(), 0] + [dependent(guess) for guess in (2, 0, 0, 3, 0, 0)],
    [dependent()] * 9)
T += square(v1, w1, v2, w2, v3, w3) / 2 + r1**2 / 24 + r2**2 / 6 + r3**2 / 24
g += [x1 - cos(p1) / 2, y1 - sin(p1) / 2, x2 - cos(p2) - x1 - cos(p1) / 2, y2 - sin(p2) - y1 - sin(p1) / 2,
      x3 - x2 - cos(p2), y3 - y2 - sin(p2), y3, p3]
rows += [(r1, w)]

# four_bar:N=1: uniform bars from x to y have T = (x'.x' + x'.y' + y'.y')/6, gonzalez06
c, d = cos(-0.8), sin(-0.8)
(ax, ay, bx, by), (vax, vay, vbx, vby) = system("fx fy hx hy", [c, d, 1 + c, d], [0] * 4)
T += (square(vax, vay) + square(vbx, vby) + square(vax, vay, vbx, vby) + vax * vbx + vay * vby) / 6
V += gravity * (ay + by)
g += [square(ax, ay) - 1, square(bx - ax, by - ay) - 1, square(bx - 1, by) - 1]


def body_rates(e, u):
    return (2 * (e[0] * u[1] - e[1] * u[0] - e[2] * u[3] + e[3] * u[2]),
            2 * (e[0] * u[2] + e[1] * u[3] - e[2] * u[0] - e[3] * u[1]),
            2 * (e[0] * u[3] - e[1] * u[2] + e[2] * u[1] - e[3] * u[0]))


# heavy_top: a body on a ball joint, its axis turned by 0.5 about x; the inertia of 2 e.e' = 0 does not matter
k, s = cos(0.25), sin(0.25)
q, v = system("tx ty tz u0 u1 u2 u3", [0, -sin(half), cos(half), k, s, 0, 0], [0, 0, 0, 0, 0, -10 * s, 10 * k])
e, u = q[3:], v[3:]
r1, r2, r3 = body_rates(e, u)
T += square(*v[:3]) / 2 + (r1**2 + r2**2 + 2 * r3**2) / 8 + sum(a * b for a, b in zip(e, u))**2
V += gravity * q[2]
g += [q[0] - 2 * (e[1] * e[3] + e[0] * e[2]), q[1] - 2 * (e[2] * e[3] - e[0] * e[1]),
      q[2] - square(e[0], e[3]) + square(e[1], e[2]), square(*e) - 1]


def rods(joints, directions, masses):
    """Rods of 1 m by centres and unit vectors: the tail (-1) or head (1) of a rod at that of another, -1 the origin."""
    q, made = [], []
    end = lambda rod, side: [made[rod][k] + side * made[rod][2 + k] / 2 for k in (0, 1)] if rod >= 0 else [0, 0]
    for (first, side, second, _), (ux, uy) in zip([j for j in joints if j[3] < 0], directions):
        tail = [0, 0] if first < 0 else [q[first][k] + side * q[first][2 + k] / 2 for k in (0, 1)]
        q.append([tail[0] + ux / 2, tail[1] + uy / 2, ux, uy])
    global T, V
    for row, m in zip(q, masses):
        x, u = system("r{0}x r{0}y r{0}u r{0}w".format(len(start[0])), row, [0] * 4)
        made.append(x)
        T += m * square(*u[:2]) / 2 + m * square(*u[2:]) / 24
        V += m * gravity * x[1]
        g.append((square(*x[2:]) - 1) / 2)
    for first, side, second, other in joints:
        g.extend(a - b for a, b in zip(end(second, other), end(first, side)))


# rod_chain:n=2,theta0=1, star:arms=2,theta0=1 and ladder:N=1, spook07 6: the last joint of the ladder closes its square
down = lambda angle: (sin(angle), -cos(angle))
rods([(-1, 1, 0, -1), (0, 1, 1, -1)], [down(1), down(1)], [10, 10])
rods([(-1, 1, 0, -1), (0, 1, 1, -1), (0, 1, 2, -1)], [down(1), down(1), down(1 + pi)], [10] * 3)
rods([(-1, 1, 0, -1), (-1, 1, 1, -1), (0, 1, 2, -1), (1, 1, 3, -1), (2, 1, 3, 1)], [(0, 1), (1, 0), (1, 0), (0, 1)], [10] * 4)

time_scale = 0.01
