"""A small engine for the tests: symplectic Euler in maximal coordinates with joints, whose positions and velocities are
projected onto the constraints, hlw06 VII.1. Its parameter `fault` makes it wrong. With the argument `single` its numbers
are those of single precision, which it says."""

import math
import os
import struct
import sys
import time as clock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "engines"))
import engine  # noqa: E402

FAULTS = ["none", "gravity", "inertia", "order", "coriolis", "length", "energy", "hang", "die", "babble", "float32", "tilt",
          "point", "late", "start", "frame", "quaternion", "transposed", "mass", "axes", "wrench"]
SINGLE = "single" in sys.argv


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def plus(a, b, c=1.0):
    return [x + c * y for x, y in zip(a, b)]


def product(a, b):
    w = cross(a[1:], b[1:])
    return [a[0] * b[0] - dot(a[1:], b[1:])] + [a[0] * b[k + 1] + b[0] * a[k + 1] + w[k] for k in range(3)]


def turn(e, a, back=False):
    f = [e[0]] + [-x if back else x for x in e[1:]]
    return product(product(f, [0.0] + a), [f[0]] + [-x for x in f[1:]])[1:]


def solve(A, b):
    """Solves a positive semi-definite system by elimination; a row that depends on others gets no multiplier."""
    n = len(b)
    A = [row[:] for row in A]
    b = b[:]
    size = [A[i][i] for i in range(n)]
    for i in range(n):
        if A[i][i] <= 1e-10 * size[i]:
            A[i] = [0.0] * n
            continue
        for j in range(i + 1, n):
            f = A[j][i] / A[i][i]
            if f != 0.0:
                for k in range(i, n):
                    A[j][k] -= f * A[i][k]
                b[j] -= f * b[i]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        if A[i][i] > 0.0:
            x[i] = (b[i] - dot(A[i][i + 1:], x[i + 1:])) / A[i][i]
    return x


class Body:
    """m, J, the pose x, e and the twist v, w in space; `dofs` are the moving ones of (v, w)."""

    def __init__(self, given, planar):
        J = given["inertia"]
        self.m = given["mass"]
        self.particle = J == 0 or J == [0, 0, 0]
        self.J = [1.0] * 3 if self.particle else [1.0, 1.0, J] if planar else list(J)
        self.dofs = [0, 1, 5] if planar else [0, 1, 2, 3, 4, 5]
        self.x, self.e, self.v, self.w, self.angle = [0.0] * 3, [1.0, 0.0, 0.0, 0.0], [0.0] * 3, [0.0] * 3, 0.0

    def inverse(self, f):
        """Returns M^-1 times a force and a torque."""
        local = turn(self.e, f[3:], True)
        return [x / self.m for x in f[:3]] + turn(self.e, [local[k] / self.J[k] for k in range(3)])


GROUND = None


class Tiny(engine.Engine):
    hello = {
        "name": "tiny",
        "version": "1",
        "brief": "symplectic Euler in maximal coordinates with projections",
        "order": 1,
        "keeps": ["position"],
        "state": "pure",
        "precision": 32 if SINGLE else 64,
        "multipliers": True,
        "parameters": [{
            "name": "fault",
            "default": "none",
            "choices": FAULTS,
            "orders": [2 if fault == "order" else 1 for fault in FAULTS],
            "doc": "what is wrong",
        }],
    }

    # ---- The world. ----

    def world(self, world, parameters):
        engine.joints(world, "revolute", "spherical", "universal", "prismatic", "distance")
        engine.refuse_lists(world, "forces")
        self.planar = engine.dimension(world) == 2
        self.fault = parameters["fault"]
        self.steps = 0
        scale = 1.1 if self.fault == "gravity" else 1.0
        self.gravity = [scale * g for g in world["gravity"]] + [0.0] * self.planar
        if self.fault == "tilt":  # by 3 degrees towards another axis
            g, c, s = self.gravity, math.cos(math.pi / 60), math.sin(math.pi / 60)
            down = max(range(3), key=lambda k: abs(g[k]))
            across = 1 - down if self.planar else (down + 1) % 3
            g[across], g[down] = c * g[across] - s * g[down], s * g[across] + c * g[down]
        self.bodies = {name: Body(given, self.planar) for name, given in world["bodies"].items()}
        self.springs = [self.sides(s) + (s,) for s in world.get("springs", [])]
        self.joints = [self.sides(j) + (j,) for j in world.get("joints", [])]
        if self.fault == "point" and self.joints:  # of the last joint on its second body
            side = self.joints[-1][1]
            side[1][0] += 0.05
        for driver in world.get("drivers", []):
            if "body" not in driver:
                raise engine.Refuse("it has no drivers of positions")
        self.drivers = world.get("drivers", [])
        self.set(0.0, *self.start(world))
        if self.fault == "inertia":
            last = list(self.bodies.values())[-1]
            last.J[2] *= 1.2
        if self.fault == "mass":
            last = list(self.bodies.values())[-1]
            last.m *= 1.2
        if self.fault == "axes":
            for body in self.bodies.values():
                body.J.reverse()
        self.across = {}
        for k, (a, b, joint) in enumerate(self.joints):
            if "axes" in joint:
                self.across[k] = self.directions(a[0], b[0], self.vector(joint["axes"][0]))

    def start(self, world):
        keys = ("position", "angle"), ("velocity", "rate")
        if not self.planar:
            keys = ("position", "quaternion"), ("velocity", "rate")
        return [[sum(([*g[k]] if isinstance(g[k], list) else [g[k]] for k in pair), [])
                 for g in world["bodies"].values()] for pair in keys]

    def vector(self, a):
        return list(a) + [0.0] * (3 - len(a))

    def sides(self, part):
        return tuple((self.bodies.get(name, GROUND), self.vector(point))
                     for name, point in zip(part["bodies"], part["points"]))

    def directions(self, first, second, axis):
        """Two directions of the first body across its axis, and the second of them in the second body."""
        least = min(range(3), key=lambda k: abs(axis[k]))
        unit = [0.0] * 3
        unit[2 if self.planar else least] = 1.0
        one = cross(unit, axis)
        one = [x / math.sqrt(dot(one, one)) for x in one]
        two = cross(axis, one)
        return one, two, self.local(second, self.space(first, two))

    def space(self, body, a):
        return a if body is GROUND else turn(body.e, a)

    def local(self, body, a):
        return a if body is GROUND else turn(body.e, a, True)

    def point(self, side):
        body, a = side
        return a if body is GROUND else plus(body.x, turn(body.e, a))

    # ---- Constraints: rows (g, {body: 6 numbers}, speed). ----

    def meeting(self, a, b, k):
        row = {}
        unit = [0.0] * 3
        unit[k] = 1.0
        self.pull(row, a, [-x for x in unit])
        self.pull(row, b, unit)
        return dot(plus(self.point(b), self.point(a), -1.0), unit), row, 0.0

    def pull(self, row, side, n):
        """Adds n . (velocity of a point)."""
        body, a = side
        if body is not GROUND:
            row[body] = plus(row.get(body, [0.0] * 6), n + cross(turn(body.e, a), n))

    def spin(self, row, body, n):
        """Adds n . (angular velocity)."""
        if body is not GROUND:
            row[body] = plus(row.get(body, [0.0] * 6), [0.0] * 3 + n)

    def perpendicular(self, first, u, second, v):
        u, v, row = self.space(first, u), self.space(second, v), {}
        self.spin(row, first, cross(u, v))
        self.spin(row, second, cross(v, u))
        return dot(u, v), row, 0.0

    def sliding(self, a, b, direction):
        n, row = self.space(a[0], direction), {}
        between = plus(self.point(b), self.point(a), -1.0)
        self.pull(row, a, [-x for x in n])
        self.pull(row, b, n)
        self.spin(row, a[0], cross(n, between))
        return dot(n, between), row, 0.0

    def distance(self, a, b, length):
        between, row = plus(self.point(b), self.point(a), -1.0), {}
        now = math.sqrt(dot(between, between))
        n = [x / now for x in between]
        self.pull(row, a, [-x for x in n])
        self.pull(row, b, n)
        return now - length, row, 0.0

    def rows(self, velocities):
        out = []
        for k, (a, b, joint) in enumerate(self.joints):
            kind = joint["type"]
            if kind == "distance":
                out.append(self.distance(a, b, joint["length"]))
                continue
            if kind != "prismatic":
                out += [self.meeting(a, b, i) for i in range(2 if self.planar else 3)]
            if "axes" in joint:
                axes = [self.vector(x) for x in joint["axes"]]
                one, two, other = self.across[k]
                if kind == "universal":
                    out.append(self.perpendicular(a[0], axes[0], b[0], axes[1]))
                else:
                    across = [one] if self.planar else [one, two]
                    out += [self.perpendicular(a[0], x, b[0], axes[1]) for x in across]
                    out += [self.sliding(a, b, x) for x in across if kind == "prismatic"]
                    if kind == "prismatic" and not self.planar:
                        out.append(self.perpendicular(a[0], one, b[0], other))
        for driver in self.drivers if velocities else []:
            row = {}
            self.spin(row, self.bodies[driver["body"]], self.vector(driver.get("axis", [0.0, 0.0, 1.0])))
            out.append((0.0, row, driver["rate"]))
        return out

    def impulses(self, rows, wanted):
        """Returns the changes M^-1 J' l of all bodies with J M^-1 J' l = wanted."""
        moved = [{b: [x if i in b.dofs else 0.0 for i, x in enumerate(b.inverse(r))] for b, r in row.items()}
                 for _, row, _ in rows]
        A = [[sum(dot(r[b], m[b]) for b in r if b in m) for m in moved] for _, r, _ in rows]
        out = {b: [0.0] * 6 for b in self.bodies.values()}
        for x, m in zip(solve(A, wanted), moved):
            for b in m:
                out[b] = plus(out[b], m[b], x)
        return out

    # ---- The motion. ----

    def set(self, time, poses, twists):
        for b, pose, twist in zip(self.bodies.values(), poses, twists):
            b.x, b.v = self.vector(pose[:-1] if self.planar else pose[:3]), self.vector(twist[:-1 if self.planar else 3])
            b.angle = pose[-1]
            b.e = [math.cos(0.5 * b.angle), 0.0, 0.0, math.sin(0.5 * b.angle)] if self.planar else list(pose[3:])
            b.w = [0.0, 0.0, twist[-1]] if self.planar else list(twist[3:])

    def forces(self):
        f = {b: [b.m * g for g in self.gravity] + self.gyroscopic(b) for b in self.bodies.values()}
        for a, b, spring in self.springs:
            between, row = plus(self.point(b), self.point(a), -1.0), {}
            now = math.sqrt(dot(between, between))
            n = [x / now for x in between]
            self.pull(row, a, [-x for x in n])
            self.pull(row, b, n)
            rate = sum(dot(r, body.v + body.w) for body, r in row.items())
            pull = spring["stiffness"] * (now - spring["length"]) + spring["damping"] * rate
            for body, r in row.items():
                f[body] = plus(f[body], r, -pull)
        return f

    def gyroscopic(self, b):
        if b.particle:
            return [0.0] * 3
        w = turn(b.e, b.w, True)
        torque = turn(b.e, cross(w, [b.J[k] * w[k] for k in range(3)]))
        return torque if self.fault == "coriolis" else [-x for x in torque]

    def move(self, b, dx, dw):
        b.x = plus(b.x, dx)
        angle = math.sqrt(dot(dw, dw))
        s = math.sin(0.5 * angle) / angle if angle > 0.0 else 0.5
        e = product([math.cos(0.5 * angle)] + [s * x for x in dw], b.e)
        length = math.sqrt(dot(e, e))
        b.e = [x / length for x in e]
        b.angle += dw[2]

    def step(self, h):
        self.steps += 1
        self.misbehave()
        before = [(b.v, b.w) for b in self.bodies.values()]
        if self.fault == "length":
            h *= 1.1
        f = self.forces()
        for b in self.bodies.values():
            a = b.inverse(f[b])
            b.v = [x + h * y for x, y in zip(b.v, a[:3])]
            b.w = [x + h * y for x, y in zip(b.w, a[3:])]
            if self.fault == "energy":
                b.v, b.w = [x * (1.0 - 0.1 * h) for x in b.v], [x * (1.0 - 0.1 * h) for x in b.w]
        self.project_velocities()
        for b in self.bodies.values():
            self.move(b, [h * x for x in b.v], [h * x for x in b.w])
        for _ in range(20):
            rows = self.rows(False)
            if not rows or max(abs(r[0]) for r in rows) < 1e-15:
                break
            for b, change in self.impulses(rows, [-r[0] for r in rows]).items():
                self.move(b, change[:3], change[3:])
        self.project_velocities()
        answer = self.state_message() + ([self.wrench(b, f[b], v, w, h) for b, (v, w) in zip(self.bodies.values(), before)],)
        if self.fault == "late":
            lag = [[0.5 * (x + y) for x, y in zip(self.numbers(v, w), twist)]
                   for (v, w), twist in zip(before, answer[1])]
            answer = answer[0], lag, answer[2]
        if self.fault == "start":
            answer = answer[0], [self.numbers(v, w) for v, w in before], answer[2]
        return answer

    def wrench(self, b, f, v, w, h):
        """Returns the mean force and torque of the joints on a body over a step that began with the velocities v, w."""
        wrong = -1.0 if self.fault == "wrench" else 1.0
        turned = turn(b.e, plus(b.w, w, -1.0), True)
        gained = [b.m * (x - y) for x, y in zip(b.v, v)] + turn(b.e, [J * x for J, x in zip(b.J, turned)])
        return self.numbers(*(lambda r: (r[:3], r[3:]))([wrong * (x / h - y) for x, y in zip(gained, f)]))

    def numbers(self, v, w):
        return v[:2] + [w[2]] if self.planar else v + w

    def project_velocities(self):
        rows = self.rows(True)
        missing = [s - sum(dot(r, b.v + b.w) for b, r in row.items()) for _, row, s in rows]
        for b, change in self.impulses(rows, missing).items():
            b.v, b.w = plus(b.v, change[:3]), plus(b.w, change[3:])

    def misbehave(self):
        if self.steps < 3:
            return
        if self.fault == "hang":
            clock.sleep(3600)
        if self.fault == "die":
            sys.stderr.write("tiny: no more\n")
            sys.exit(3)

    def state_message(self):
        bodies = list(self.bodies.values())
        if self.planar:  # an angle without its turns, and the other quaternion of the same attitude
            poses = [b.x[:2] + [math.remainder(b.angle, 2.0 * math.pi)] for b in bodies]
            twists = [b.v[:2] + [b.w[2]] for b in bodies]
        else:
            poses, twists = [b.x + [-y for y in b.e] for b in bodies], [b.v + b.w for b in bodies]
        if self.fault == "frame" and not self.planar:
            twists = [b.v + turn(b.e, b.w, True) for b in bodies]
        if self.fault == "quaternion" and not self.planar:
            poses = [b.x + b.e[1:] + b.e[:1] for b in bodies]
        if self.fault == "transposed" and not self.planar:
            poses = [b.x + b.e[:1] + [-y for y in b.e[1:]] for b in bodies]
        if SINGLE or self.fault == "float32":
            single = lambda x: struct.unpack("f", struct.pack("f", x))[0]  # noqa: E731
            poses, twists = [[[single(x) for x in b] for b in list_] for list_ in (poses, twists)]
        if self.fault == "babble" and self.steps >= 3:
            poses = poses * 100000
        return poses, twists


if __name__ == "__main__":
    engine.run(Tiny())
