"""What needs pandas or matplotlib themselves: data frames with their types, and figures on axes of their own.

That figures have the numbers of the tables is tested without them, in test_table.py."""

import importlib.util
import unittest

import numpy as np

import stepbench


def needs(package):
    return unittest.skipUnless(importlib.util.find_spec(package), f"no {package} here")


class Optional(unittest.TestCase):
    def setUp(self):
        self.bench = stepbench.Bench()
        self.rows = self.bench.order(problem="oscillator", stepper=["verlet", "rk4"], levels=3)

    def tearDown(self):
        self.bench.close()

    @needs("pandas")
    def test_a_data_frame_has_the_cells(self):
        import pandas

        frame = self.rows.to_pandas()
        self.assertEqual(list(frame.columns), self.rows.columns)
        for name in frame.columns:
            np.testing.assert_array_equal(frame[name].to_numpy(), self.rows[name])
        self.assertTrue(pandas.api.types.is_float_dtype(frame["err_q"]))

    @needs("matplotlib")
    def test_matplotlib_takes_what_is_drawn(self):
        ax = self.rows.plot("h", "err_q", by="stepper")
        self.assertEqual([line.get_label() for line in ax.get_lines()], ["verlet", "rk4"])
        self.assertEqual((ax.get_xscale(), ax.get_xlabel(), ax.get_ylabel()), ("log", "h", "err_q"))
        motion = self.bench.run("pendulum", "shake", h=0.01, steps=10)
        self.assertEqual(len(motion.plot("v").get_lines()), 2)
