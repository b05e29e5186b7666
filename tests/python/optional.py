"""What needs pandas and matplotlib: data frames and figures have the numbers of the tables."""

import unittest

import numpy as np
import pandas

import stepbench


class Optional(unittest.TestCase):
    def setUp(self):
        self.bench = stepbench.Bench()
        self.rows = self.bench.order(problem="oscillator", stepper=["verlet", "rk4"], levels=3)

    def tearDown(self):
        self.bench.close()

    def test_a_data_frame_has_the_cells(self):
        frame = self.rows.to_pandas()
        self.assertEqual(list(frame.columns), self.rows.columns)
        for name in frame.columns:
            np.testing.assert_array_equal(frame[name].to_numpy(), self.rows[name])
        self.assertTrue(pandas.api.types.is_float_dtype(frame["err_q"]))

    def test_lines_have_the_points(self):
        ax = self.rows.plot("h", "err_q", by="stepper")
        self.assertEqual([line.get_label() for line in ax.get_lines()], ["verlet", "rk4"])
        for line in ax.get_lines():
            chosen = self.rows.where(stepper=line.get_label())
            given = np.isfinite(chosen["h"])
            self.assertEqual(np.count_nonzero(given), 3)
            np.testing.assert_array_equal(line.get_xdata(), chosen["h"][given])
            np.testing.assert_array_equal(line.get_ydata(), chosen["err_q"][given])
        self.assertEqual((ax.get_xscale(), ax.get_xlabel(), ax.get_ylabel()), ("log", "h", "err_q"))
        self.assertIs(self.rows.plot("h", "err_v", ax=ax, log=False), ax)

    def test_a_motion_over_time(self):
        motion = self.bench.run("pendulum", "shake", h=0.01, steps=10)
        lines = motion.plot("v").get_lines()
        self.assertEqual(len(lines), 2)
        np.testing.assert_array_equal(lines[1].get_ydata(), motion.v[:, 1])
        np.testing.assert_array_equal(motion.plot("energy").get_lines()[0].get_ydata(), motion.energy)
