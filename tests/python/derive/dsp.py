# The planar double pendulum with Cartesian masses, as in problems/dsp.c but for its start.
name = "derived_dsp"
brief = "planar double pendulum in Cartesian coordinates"
reference = "wm96"
x1, y1, x2, y2, vx1, vy1, vx2, vy2 = coordinates("x1 y1 x2 y2")
m1 = parameter("m1", 1, 0, "first mass", "kg")
m2 = parameter("m2", 1, 0, "second mass", "kg")
a = parameter("g", 9.81, doc="gravity", unit="m/s^2")
T = (m1 * (vx1**2 + vy1**2) + m2 * (vx2**2 + vy2**2)) / 2
V = a * (m1 * y1 + m2 * y2)
g = [(x1**2 + y1**2 - 1) / 2, sqrt((x2 - x1)**2 + (y2 - y1)**2) - 1]
f = [0, 0, -vx2 * y2**2 * cos(t), -vy2]
rows = [(y1 * vx2 + x2**2 * vy1, 0 * t)]
outputs = {"E": (T + V, "J", "energy", False)}
start = ([1, 0, 1, -1], [0, 0, 0, 0])
time_scale = 1 / sqrt(a)
