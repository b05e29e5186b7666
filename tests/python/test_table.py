"""Tables as text and HTML; what the optional packages are needed for says so."""

import sys
import unittest
from unittest import mock

import numpy as np

import stepbench


def table():
    return stepbench.Table(
        name=np.array(["<a>", "b"]), value=np.array([1.0 / 3.0, np.nan]), empty=np.array([np.nan, np.nan])
    )


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
