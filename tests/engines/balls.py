"""A small engine for the tests: spheres that touch planes of the ground and each other, by symplectic Euler and sweeps
over the contacts with Newton's law of impact and Coulomb's law of friction, moreau88. Its parameter `fault` makes it
wrong."""

import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "engines"))
import engine  # noqa: E402

FAULTS = ["none", "friction", "restitution", "radius", "sticky", "sunk"]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def plus(a, b, c=1.0):
    return [x + c * y for x, y in zip(a, b)]


def times(c, a):
    return [c * x for x in a]


class Ball:
    """A sphere: mass m, inertia J, radius r, centre x, attitude e or angle, velocities v and w."""

    def __init__(self, given, radius):
        J = given["inertia"]
        self.m, self.r, self.J = given["mass"], radius, J if isinstance(J, (int, float)) else J[0]
        if J not in (self.J, [self.J] * 3):
            raise engine.Refuse("its balls have three equal moments of inertia")


class Balls(engine.Engine):
    hello = {
        "name": "balls",
        "version": "1",
        "order": 1,
        "state": "pure",
        "contacts": True,
        "parameters": [{"name": "fault", "default": "none", "choices": FAULTS, "doc": "what is wrong"},
                       {"name": "sweeps", "default": 50, "range": [1, 1000], "doc": "over the contacts"}],
    }

    def world(self, world, parameters):
        engine.refuse_lists(world, "joints", "springs", "drivers", "forces")
        self.fault, self.sweeps, self.planar = parameters["fault"], parameters["sweeps"], engine.dimension(world) == 2
        self.gravity = self.vector(world["gravity"])
        shapes = world.get("shapes", {})
        of = {s["body"]: s for s in shapes.values() if s["type"] == "sphere" and not any(s["point"])}
        if set(of) != set(world["bodies"]):
            raise engine.Refuse("its bodies are spheres about their centres of mass")
        size = 1.1 if self.fault == "radius" else 1.0
        self.bodies = {name: Ball(given, size * of[name]["radius"]) for name, given in world["bodies"].items()}
        self.contacts = []
        for contact in world.get("contacts", []):
            first, second = (shapes[name] for name in contact["shapes"])
            if first["type"] not in ("plane", "sphere") or (first["type"] == "plane" and first["body"] != "ground"):
                raise engine.Refuse("its balls touch planes of the ground and each other")
            self.contacts.append((first, self.bodies.get(first["body"]), self.bodies[second["body"]], contact))

    def vector(self, a):
        return list(a) + [0.0] * (3 - len(a))

    def set(self, time, poses, twists):
        for b, pose, twist in zip(self.bodies.values(), poses, twists):
            b.x, b.v = self.vector(pose[:2] if self.planar else pose[:3]), self.vector(twist[:2 if self.planar else 3])
            b.turn = list(pose[2:] if self.planar else pose[3:])
            b.w = [0.0, 0.0, twist[2]] if self.planar else list(twist[3:])

    def geometry(self, first, other, ball):
        """Returns the normal and the gap."""
        if other is None:
            n = self.vector(first["normal"])
            return n, dot(n, plus(ball.x, self.vector(first["point"]), -1.0)) - ball.r
        between = plus(ball.x, other.x, -1.0)
        far = math.sqrt(dot(between, between))
        return times(1.0 / far, between), far - other.r - ball.r

    def slip(self, n, other, ball):
        """Returns the velocity of the ball's point of contact relative to the other body's."""
        u = plus(ball.v, cross(ball.w, times(-ball.r, n)))
        return u if other is None else plus(plus(u, other.v, -1.0), cross(other.w, times(other.r, n)), -1.0)

    def push(self, n, other, ball, p):
        for b, side in ((ball, 1.0), (other, -1.0)):
            if b is not None:
                b.v = plus(b.v, p, side / b.m)
                b.w = plus(b.w, cross(times(-b.r, n), p), 1.0 / b.J)  # both arms and impulses have opposite signs

    def step(self, h):
        gaps = []
        for first, other, ball, law in self.contacts:
            n, gap = self.geometry(first, other, ball)
            before = dot(n, self.slip(n, other, ball))
            e = law["restitution"] * (1.1 if self.fault == "restitution" else 1.0)
            mu = law["friction"] * (2.0 if self.fault == "friction" else 1.0)
            gaps.append([n, other, ball, gap, -e * before if before < 0.0 else 0.0, mu, [0.0] * 3])
        for b in self.bodies.values():
            b.v = plus(b.v, self.gravity, h)
        for _ in range(self.sweeps):
            for contact in gaps:
                self.sweep(h, *contact)
        depth = 0.1 * h if self.fault == "sunk" else 0.0
        for b in self.bodies.values():
            b.x = plus(b.x, b.v, h)
            b.x = plus(b.x, self.gravity, depth)
            if self.planar:
                b.turn[0] += h * b.w[2]
            else:
                self.turn(b, times(h, b.w))
        poses = [b.x[:2 if self.planar else 3] + b.turn for b in self.bodies.values()]
        return poses, [b.v[:2] + [b.w[2]] if self.planar else b.v + b.w for b in self.bodies.values()]

    def sweep(self, h, n, other, ball, gap, rebound, mu, total):
        """Solves one contact for its impulse, the others' given; `total` is its impulse so far."""
        mass = 1.0 / ball.m + (1.0 / other.m if other else 0.0)
        turning = mass + ball.r ** 2 / ball.J + (other.r ** 2 / other.J if other else 0.0)
        u = self.slip(n, other, ball)
        wanted = max(-gap / h, rebound if gap + h * dot(n, u) <= 0.0 or dot(n, total) > 0.0 else -math.inf)
        normal = dot(n, total) + (wanted - dot(n, u)) / mass
        normal = normal if self.fault == "sticky" and gap < 0.01 * ball.r else max(0.0, normal)
        tangent = plus(plus(total, n, -dot(n, total)), plus(u, n, -dot(n, u)), -1.0 / turning)
        size, bound = math.sqrt(dot(tangent, tangent)), mu * max(0.0, normal)
        tangent = times(min(1.0, bound / size) if size > 0.0 else 0.0, tangent)
        p = plus(times(normal, n), tangent)
        self.push(n, other, ball, plus(p, total, -1.0))
        total[:] = p

    def turn(self, b, dw):
        angle = math.sqrt(dot(dw, dw))
        s = math.sin(0.5 * angle) / angle if angle > 0.0 else 0.5
        f, e = [math.cos(0.5 * angle)] + times(s, dw), b.turn
        w = cross(f[1:], e[1:])
        b.turn = [f[0] * e[0] - dot(f[1:], e[1:])] + [f[0] * e[k + 1] + e[0] * f[k + 1] + w[k] for k in range(3)]
        length = math.sqrt(dot(b.turn, b.turn))
        b.turn = times(1.0 / length, b.turn)


if __name__ == "__main__":
    engine.run(Balls())
