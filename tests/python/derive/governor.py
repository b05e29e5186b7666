# The flyball governor in the angles of shaft and arms and the height of the slider, without constraints: in the 28
# coordinates of the built-in problem SymPy would take some ten seconds.
name = "derived_governor"
brief = "flyball governor in four coordinates"
reference = "gonzalez06 (A05)"
phi, left, right, z, vphi, vleft, vright, vz = coordinates("phi left right z")
q, v = (phi, left, right, z), (vphi, vleft, vright, vz)
rod, ball, gravity, alpha, rate = 0.3, 5, 9.81, 0.5235987755982988, 6.283185307179586
across, along = 0.3 * 1.01 / 12, 0.3 * 0.01 / 6
velocity = lambda x: [sum(a.diff(b) * u for b, u in zip(q, v)) for a in x]
square = lambda x: sum(a**2 for a in x)
T = along * vphi**2 / 2 + 3 * vz**2 / 2 + 3 * vphi**2 / 600 / 2
V, f, height = 3 * gravity * z, [0] * 4, 1
for side, angle, vangle in ((-1, left, vleft), (1, right, vright)):
    at = lambda distance: (side * distance * sin(angle) * cos(phi), side * distance * sin(angle) * sin(phi),
                           height - distance * cos(angle))
    T += rod * square(velocity(at(0.5))) / 2 + ball * square(velocity(at(1))) / 2
    T += across * (vangle**2 + (vphi * sin(angle))**2) / 2 + along * (vphi * cos(angle))**2 / 2
    V += gravity * (rod * at(0.5)[2] + ball * at(1)[2])
    x, y, up = at(0.5)
    length = sqrt((sin(angle) / 2)**2 + (up - z)**2)
    V += 8000 * (length - 0.5)**2 / 2
    f = [a - 40 * velocity([length])[0] * length.diff(b) for a, b in zip(f, q)]
outputs = {"height": (z, "m", "height of the slider", False), "rate": (vphi, "rad/s", "rate of the shaft", False)}
start = ([0, alpha, alpha, 1 - cos(alpha)], [rate, 0, 0, 0])
time_scale = 0.01
