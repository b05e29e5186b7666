"""Tables as text and HTML; what the optional packages are needed for says so."""

import sys
import unittest
from unittest import mock

import numpy as np

import stepbench
from paper import Paper


def table():
    return stepbench.Table(
        name=np.array(["<a>", "b"]), value=np.array([1.0 / 3.0, np.nan]), empty=np.array([np.nan, np.nan])
    )


class Figures(unittest.TestCase):
    def setUp(self):
        self.bench = stepbench.Bench()
        self.paper = Paper()

    def tearDown(self):
        self.bench.close()

    def test_lines_have_the_points(self):
        rows = self.bench.order(problem="oscillator", stepper=["verlet", "rk4"], levels=3)
        self.assertIs(rows.plot("h", "err_q", by="stepper", ax=self.paper), self.paper)
        self.assertEqual([label for _, _, label in self.paper.lines], ["verlet", "rk4"])
        for x, y, label in self.paper.lines:
            chosen = rows.where(stepper=label)
            given = np.isfinite(chosen["h"])
            self.assertEqual(np.count_nonzero(given), 3)
            np.testing.assert_array_equal(x, chosen["h"][given])
            np.testing.assert_array_equal(y, chosen["err_q"][given])
        words = {"xscale": "log", "yscale": "log", "xlabel": "h", "ylabel": "err_q", "legend": True}
        self.assertEqual(self.paper.words, words)
        rows.plot("h", "err_v", ax=(plain := Paper()), log=False)
        self.assertEqual(plain.words, {"xlabel": "h", "ylabel": "err_v"})

    def test_a_motion_over_time(self):
        motion = self.bench.run("pendulum", "shake", h=0.01, steps=10)
        motion.plot("v", ax=self.paper)
        self.assertEqual([label for _, _, label in self.paper.lines], ["v0", "v1"])
        np.testing.assert_array_equal(self.paper.lines[1][0], motion.t)
        np.testing.assert_array_equal(self.paper.lines[1][1], motion.v[:, 1])
        motion.plot("energy", ax=(energy := Paper()))
        np.testing.assert_array_equal(energy.lines[0][1], motion.energy)


class Tables(unittest.TestCase):
    def test_text(self):
        self.assertEqual(repr(table()), "name  value\n<a>   0.333333\nb\n[2 rows, 3 columns]")
        self.assertEqual(repr(stepbench.Table()), "[0 rows, 0 columns]")

    def test_many_rows_are_cut(self):
        numbers = stepbench.Table(i=np.arange(100.0))
        lines = repr(numbers).splitlines()
        self.assertEqual(lines[1:11], [str(i) for i in range(10)])
        self.assertEqual(lines[11:], ["...", *[str(i) for i in range(90, 100)], "[100 rows, 1 columns]"])

    def test_html_is_escaped(self):
        text = table()._repr_html_()
        self.assertIn("<td>&lt;a&gt;</td><td>0.333333</td>", text)
        self.assertNotIn("empty", text)

    def test_rows_are_chosen(self):
        chosen = table().where(name="b")
        self.assertEqual((len(chosen), chosen["name"][0]), (1, "b"))
        with self.assertRaises(KeyError):
            table().where(nothing=1)

    def test_what_is_no_number_is_not_drawn(self):
        with self.assertRaisesRegex(TypeError, "name has texts"):
            table().plot("name", "value")
        motion = stepbench.Bench().run("oscillator", "verlet", h=0.1, steps=3)
        self.assertEqual(repr(motion), "Motion of 1 coordinates, 4 samples, t = 0..0.3 s")
        with self.assertRaisesRegex(ValueError, "there are q, v, lam"):
            motion.plot("p")

    def test_a_missing_package_is_a_sentence(self):
        with mock.patch.dict(sys.modules, {"pandas": None, "matplotlib": None}):
            with self.assertRaisesRegex(ImportError, "^to_pandas needs pandas; install it"):
                table().to_pandas()
            with self.assertRaisesRegex(ImportError, "^plot needs matplotlib; install it"):
                table().plot("value", "value")
