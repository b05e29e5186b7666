"""What stands in for matplotlib where it is not installed."""

import sys
import types

import numpy as np


class Paper:
    """Axes that keep what is drawn on them: figures can be tested without matplotlib."""

    def __init__(self):
        self.lines, self.words = [], {}

    def plot(self, x, y, **style):
        self.lines.append((np.asarray(x), np.asarray(y), style.get("label")))

    def legend(self, **_):
        self.words["legend"] = True

    def __getattr__(self, name):
        if not name.startswith("set_"):
            raise AttributeError(name)
        return lambda value: self.words.__setitem__(name[4:], value)


def stand_in():
    """Makes `from matplotlib import pyplot` work: pyplot.subplots() returns such Axes."""
    pyplot = types.SimpleNamespace(subplots=lambda: (None, Paper()))
    sys.modules["matplotlib"] = types.SimpleNamespace(pyplot=pyplot)
