"""The dialogue of an engine with stepbench (docs/adding-an-engine.md), for engines in Python 3.

    import engine

    class Mine(engine.Engine):
        hello = {"name": "mine", "version": "1", "order": 1, "state": "pure"}

        def world(self, world, parameters):     # builds the model, or: raise engine.Refuse("why not")
        def set(self, time, poses, twists):     # sets the state of all bodies
        def step(self, h):                      # takes one step and returns (poses, twists), or (poses, twists, wrenches)
                                                # or: raise engine.Fail("why not")
    engine.run(Mine())

In the plane a pose is [x, y, angle] and a twist [x', y', angle']; in space [x, y, z, e0, e1, e2, e3] with a unit
quaternion (scalar first, body to space), and [x', y', z', wx, wy, wz] with the angular velocity in space.
"""

import json
import os
import sys


class Refuse(Exception):
    """The engine does not take this world."""


class Fail(Exception):
    """The engine cannot take this step."""


class Engine:
    hello = {}

    def world(self, world, parameters):
        raise Refuse("world is not written")

    def set(self, time, poses, twists):
        raise Fail("set is not written")

    def step(self, h):
        raise Fail("step is not written")

    # Engines whose state is "opaque" have two more: state() returns its bytes, restore(state) is called after set.


def answer(engine, message):
    """Returns the answer to a message."""
    kind = message["message"]
    opaque = engine.hello.get("state") == "opaque"
    if kind == "hello":
        return engine.hello
    if kind == "world":
        engine.world(message["world"], message["parameters"])
        return {"ok": True}
    if kind == "set":
        engine.set(message["time"], message["poses"], message["twists"])
        if opaque and "state" in message:
            engine.restore(bytes.fromhex(message["state"]))
        return {"ok": True, "state": engine.state().hex()} if opaque else {"ok": True}
    moved = dict(zip(("poses", "twists", "wrenches"), engine.step(message["h"])))
    if opaque:
        moved["state"] = engine.state().hex()
    return moved


def run(engine):
    """Answers to all messages, until the end. What the engine prints goes to the standard error."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        message = json.loads(line)
        if message["message"] == "end":
            break
        try:
            reply = answer(engine, message)
        except Refuse as why:
            reply = {"refuse": str(why)}
        except Fail as why:
            reply = {"fail": str(why)}
        out.write(json.dumps(reply).replace("NaN", "null").replace("-Infinity", "null").replace("Infinity", "null"))
        out.write("\n")
        out.flush()


# ---- Worlds. ----


def dimension(world):
    return len(world["gravity"])


def joints(world, *known):
    """Returns the joints, or refuses those of another type than the known ones."""
    for joint in world.get("joints", []):
        if joint["type"] not in known:
            raise Refuse(f"it has no {joint['type']} joint")
    return world.get("joints", [])


def refuse_lists(world, *names):
    """Refuses a world that has something in one of these lists: "springs", "drivers", "forces"."""
    for name in names:
        if world.get(name):
            raise Refuse(f"it has no {name}")
