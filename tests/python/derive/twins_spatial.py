# Twins of the built-in mechanisms of rigid bodies in space, from the positions of points and the directions of axes.
name = "derived_spatial"
brief = "slider_crank_3d and bricard side by side"
reference = "gonzalez06"
T, V, g, start = 0, 0, [], ([], [])
gravity = 9.81
x_axis, y_axis, z_axis = (1, 0, 0), (0, 1, 0), (0, 0, 1)
dot = lambda a, b: sum(x * y for x, y in zip(a, b))


class Body:
    """A body at its centre of mass with the principal moments J; J0 is the inertia of e.e' = 0."""

    def __init__(self, m, J0, J, x, e, v=None, ve=None):
        global T
        count = len(start[0])
        made = coordinates("x{0} y{0} z{0}".format(count))
        self.x, self.v = made[count:count + 3], made[-3:]
        self.e, self.ve = quaternion(f"e{count}_")
        start[0].extend([*x, *e])
        start[1].extend([*(v or [dependent()] * 3), *(ve or [dependent()] * 4)])
        T += m * dot(self.v, self.v) / 2 + dot(J, [w**2 for w in rates(self.e, self.ve)]) / 2
        T += 2 * J0 * dot(self.e, self.ve)**2

    def point(self, a):
        return [x + y for x, y in zip(self.x, self.axis(a))]

    def axis(self, a):
        return turn(self.e, a)


def meet(first, second):
    g.extend(a - b for a, b in zip(first, second))


def perpendicular(*pairs):
    g.extend(dot(a, b) for a, b in pairs)


def near(*guesses):
    return [dependent(x) for x in guesses]


# slider_crank_3d:offset=0.3,phi0=0.5, reg05 6.2: a hinge, a ball joint, a universal joint and a slide
w = 2
k, s = cos(0.25), sin(0.25)
crank = Body(1, 1 / Rational(12), [1 / Rational(1200)] + [1 / Rational(12)] * 2, near(0.4, 0.2, 0), [k, 0, 0, s],
             ve=[-w * s / 2, 0, 0, w * k / 2])
rod = Body(1, 1 / Rational(3), [1 / Rational(300)] + [1 / Rational(3)] * 2, near(1.8, 0.2, 0.1), near(1, 0, 0, 0))
slider = Body(1, 1 / Rational(6), [1 / Rational(6)] * 3, near(2.8, 0, 0.3), near(1, 0, 0, 0))
meet(crank.point((-0.5, 0, 0)), (0, 0, 0))
meet(rod.point((-1, 0, 0)), crank.point((0.5, 0, 0)))
meet(slider.x, rod.point((1, 0, 0)))
perpendicular((z_axis, crank.axis(x_axis)), (z_axis, crank.axis(y_axis)), (rod.axis(z_axis), slider.axis(y_axis)))
g += [slider.x[1], slider.x[2] - 0.3, *slider.e[1:]]
e, ve = crank.e, crank.ve
rows = [(2 * (e[0] * ve[3] - e[3] * ve[0] + e[1] * ve[2] - e[2] * ve[1]), w)]

# bricard:rate=1: bars along x, -y, z, -x, y, the ground's along -z; the axis of a hinge is across both bars
way = [x_axis, (0, -1, 0), z_axis, (-1, 0, 0), y_axis, (0, 0, -1)]
cross = lambda a, b: tuple(a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3))
half = lambda a, sign=1: [sign * x / Rational(2) for x in a]
across, along = Rational(101, 1200), 1 / Rational(600)
bars, end = [], [0, 0, 0]
for bar in range(5):
    middle = [x + y for x, y in zip(end, half(way[bar]))]
    end = [x + y for x, y in zip(end, way[bar])]
    bars.append(Body(1, across, [along if a else across for a in way[bar]], middle, [1, 0, 0, 0],
                     ve=[0, 0, -1 / Rational(2), 0] if bar == 0 else None))
    V += gravity * bars[bar].x[1]
for hinge in range(6):
    first, second = way[hinge - 1], way[hinge]
    turned = lambda b, a: bars[b].axis(a) if 0 <= b < 5 else a
    axis = turned(hinge, cross(first, second)) if hinge < 5 else cross(first, second)
    meet(bars[hinge].point(half(second, -1)) if hinge < 5 else (0, 0, 1),
         bars[hinge - 1].point(half(first)) if hinge > 0 else (0, 0, 0))
    perpendicular((turned(hinge - 1, first), axis))
    if hinge < 5:
        perpendicular((turned(hinge - 1, second), axis))

time_scale = 0.1
