"""An engine for the tests, of particles that fall: its velocity lags by a rest that the step keeps, as a warm start is
kept. It says truly that its state is `opaque` or `none`, or wrongly that it is `pure`, and what its state is in a world
with contacts, which it falls through: states.py STATE [CONTACTS]."""

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "engines"))
import engine  # noqa: E402


class Falling(engine.Engine):
    def __init__(self, state, contacts=True):
        self.hello = {"name": "falling", "version": "1", "order": 1, "state": state, "bytes": 8, "contacts": contacts}

    def world(self, world, parameters):
        engine.joints(world, "distance")
        self.g = world["gravity"] + [0.0] * (3 - len(world["gravity"]))

    def set(self, time, poses, twists):
        self.poses, self.twists = poses, twists
        if self.hello["state"] != "pure":  # which forgets to forget
            self.rest = 0.0

    rest = 0.0

    def state(self):
        return struct.pack("<d", self.rest)

    def restore(self, state):
        (self.rest,) = struct.unpack("<d", state)

    def step(self, h):
        if h <= 0.0:
            raise engine.Fail("it cannot go back")
        half = 0.5 * h
        for pose, twist in zip(self.poses, self.twists):
            for k in range(len(self.g)):
                if k < len(twist) - (len(twist) == 3):
                    twist[k] += self.g[k] * (half + self.rest)
                    pose[k] += h * twist[k]
        self.rest = half
        return self.poses, self.twists


if __name__ == "__main__":
    engine.run(Falling(*sys.argv[1:]))
