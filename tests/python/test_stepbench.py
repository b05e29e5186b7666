"""The Python package: what it lists, runs and analyses is what the program does; callbacks step and push; failures are
sentences."""

import csv
import inspect
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

import stepbench

PROGRAM = os.environ["STEPBENCH"]


def program(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


class Commands(unittest.TestCase):
    def setUp(self):
        self.bench = stepbench.Bench()

    def tearDown(self):
        self.bench.close()

    def test_lists_what_the_program_lists(self):
        for kind in ("steppers", "problems", "analyses", "claims"):
            names = self.bench.list(kind)["id" if kind == "claims" else "name"]
            self.assertEqual(list(names), program("list", kind, "--names").split(), kind)

    def test_an_analysis_gives_the_rows_of_the_command(self):
        rows = self.bench.order(problem="oscillator", stepper=["verlet", "rk4"])
        text = program("order", "-p", "oscillator", "-s", "verlet", "-s", "rk4", "--format", "csv")
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(rows.columns, lines[0].split(","))
        self.assertEqual(len(rows), len(lines) - 1)
        last = rows["slope_q"][~np.isnan(rows["slope_q"])]
        self.assertTrue(np.all((np.abs(last - 2) < 0.1) | (np.abs(last - 4) < 0.1)), last)

    def test_options_are_those_of_the_command_line(self):
        rows = self.bench.run("oscillator", "verlet", h=0.1, steps=3)
        table = self.bench.command("run", problem="oscillator", stepper="verlet", h=0.1, t_end=0.3)
        np.testing.assert_array_equal(rows.q[:, 0], table["q0"])
        np.testing.assert_array_equal(rows.energy, table["energy"])

    def test_what_is_measured_in_place_of_an_option(self):
        table = self.bench.workprec(problem="kepler", stepper=["verlet", "midpoint"], levels=2, weights="measured")
        self.assertEqual(len(table.measured), 1)
        weights = re.fullmatch(r"kepler\S*: --weights=\[(.*)\], measured", table.measured[0])
        kinds = ("force", "jacobian", "constraint", "mass", "factor")
        sums = sum(float(w) * table[kind] for w, kind in zip(weights[1].split(","), kinds))
        np.testing.assert_allclose(table["evaluations"], sums, rtol=1e-12)
        self.assertEqual(table.where(stepper="verlet").measured, table.measured)
        self.assertEqual(list(self.bench.list("steppers").measured), [])

    def test_arithmetic_is_that_of_the_program(self):
        """Frequencies by LAPACK, digit by digit, where nothing says which of OpenBLAS' kernels to use."""
        script = ("import stepbench; "
                  "print(stepbench.Bench().modes(problem='thread:n=40', count=5)['omega_text'].tolist())")
        environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
        library = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True,
                                 env=environment).stdout
        rows = subprocess.run([PROGRAM, "modes", "-p", "thread:n=40", "--count", "5", "--format", "csv"],
                              check=True, capture_output=True, text=True, env=environment).stdout
        table = list(csv.DictReader(line for line in rows.splitlines() if not line.startswith("#")))
        self.assertEqual(library.strip(), str([float(row["omega_text"]) for row in table]))

    def test_cells_are_those_of_the_command(self):
        """Numbers to the last digit, texts, empty cells; a switch; and a command without rows."""
        rows = self.bench.list("problems")
        self.assertEqual(len(rows), len(program("list", "problems", "--names").split()))
        table = self.bench.command("run", problem="pendulum", stepper="shake", h=0.1, steps=3, columns="t,q0,iters")
        lines = program("run", "-p", "pendulum", "-s", "shake", "--h", "0.1", "--steps", "3", "--columns", "t,q0,iters")
        lines = [line for line in lines.splitlines() if not line.startswith("#")]
        for row, line in zip(table.rows(), lines[1:], strict=True):
            self.assertEqual([row[name] for name in ("t", "q0", "iters")], [float(cell) for cell in line.split(",")])
        matrix = self.bench.command("list", matrix=True)
        order = matrix["order"][matrix["fits"] == "no"]
        self.assertTrue(len(order) > 0 and np.all(np.isnan(order)))
        self.assertEqual(len(self.bench.command("list", "analyses", names=True)), 0)

    def test_names_complete(self):
        """dir has every analysis and command; the signature of an analysis has its options with their defaults."""
        names = dir(self.bench)
        for name in [*program("list", "analyses", "--names").split(), *program("complete", "--", "").split()]:
            self.assertTrue(name in names or name.startswith("-"), name)
        options = inspect.signature(self.bench.order).parameters
        self.assertEqual(options["levels"].default, "5")
        self.assertIn("levels: number of steps", self.bench.order.__doc__)
        for name in set(options) - {"problem", "stepper", "formulation", "options"}:
            self.assertIn("--" + name.replace("_", "-") + " ", program("show", "order"))
        table = self.bench.parameters("steppers", "hht")
        self.assertEqual(table["default"][table["name"] == "alpha"], ["0.05"])
        with self.assertRaisesRegex(stepbench.Error, "nearest: steppers"):
            self.bench.parameters("stepper", "hht")

    def test_a_study_leaves_the_experiments(self):
        experiments = list(self.bench.list("experiments")["name"])
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "s.json")
            with open(file, "w") as out:
                json.dump({"title": "t", "experiments": [{"name": "e", "analysis": "recurrence"}]}, out)
            self.bench.study(file, out=os.path.join(folder, "out"))
            self.assertIn("e.csv", os.listdir(os.path.join(folder, "out")))
        self.assertEqual(list(self.bench.list("experiments")["name"]), experiments)

    def test_bad_usage_is_a_sentence(self):
        with self.assertRaisesRegex(stepbench.Error, "nearest.*verlet"):
            self.bench.order(problem="oscillator", stepper="verlett")
        with self.assertRaisesRegex(stepbench.Error, "no command and no analysis"):
            self.bench.ordre(problem="oscillator")
        with self.assertRaisesRegex(stepbench.Error, "verlet does not take pendulum"):
            self.bench.run("pendulum", "verlet", h=0.1, steps=1)
        with self.assertRaisesRegex(stepbench.Error, "steps=0"):
            self.bench.run("oscillator", "verlet", h=0.1, steps=0)
        with self.assertRaisesRegex(stepbench.Error, "2 numbers are wanted"):
            self.bench.run("pendulum", "shake", h=0.1, steps=1, q0=[1.0], v0=[0.0])

    def test_a_library_that_is_not_there_is_a_sentence(self):
        with self.assertRaisesRegex(ImportError, "named as nowhere.so, and there is no such file"):
            stepbench.Bench("nowhere.so")
        with mock.patch.dict(os.environ, STEPBENCH_LIBRARY="elsewhere.so"):
            with self.assertRaisesRegex(ImportError, "named as elsewhere.so"):
                stepbench.Bench()

    def test_two_sessions_do_not_know_each_other(self):
        @self.bench.stepper()
        def nobody(system, t, h, q, v):
            return q, v

        self.assertIn("nobody", self.bench.list("steppers")["name"])
        with stepbench.Bench() as other:
            self.assertNotIn("nobody", other.list("steppers")["name"])


class Runs(unittest.TestCase):
    def setUp(self):
        self.bench = stepbench.Bench()

    def tearDown(self):
        self.bench.close()

    def test_a_run_from_a_given_start(self):
        motion = self.bench.run("oscillator", "verlet", h=0.01, steps=100, q0=[0.0], v0=[1.0], every=10)
        self.assertEqual(motion.t.shape, (11,))
        omega = 1.0
        np.testing.assert_allclose(motion.q[:, 0], np.sin(omega * motion.t), atol=2e-5)  # h^2 t / 24

    def test_a_run_that_ends_early_keeps_its_samples(self):
        motion = self.bench.run("ladder:N=10", "shake", h=1 / 60, steps=600)
        self.assertIsNotNone(motion.failure)
        self.assertIn("ladder:N=10", motion.failure)
        self.assertTrue(10 < len(motion.t) < 600)
        self.assertTrue(np.all(np.isfinite(motion.q)))

    def test_plug_ins(self):
        source = os.path.join(os.environ["SOURCE_DIR"], "tests/plugin/heun.c")
        with self.assertRaisesRegex(stepbench.Error, 'no stepper is named "heun"'):
            self.bench.order(problem="kepler", stepper="heun")
        self.bench.load(source)  # its Heun's method takes accelerations from functions of the library
        slopes = self.bench.order(problem="kepler", stepper="heun")["slope_q"]
        self.assertAlmostEqual(slopes[-1], 2.0, delta=0.1)
        with self.assertRaisesRegex(stepbench.Error, "none.so"):
            self.bench.load("none.so")
        with self.assertRaisesRegex(stepbench.Error, "takes neither --plugin nor --engine; load the plug-in"):
            self.bench.order(problem="kepler", stepper="heun", plugin=source)

    def test_engines(self):
        tiny = os.path.join(os.environ["SOURCE_DIR"], "tests/engines/tiny.py")
        with stepbench.Bench(engine=f"{sys.executable} {tiny}") as bench:
            rows = bench.order(problem="pendulum", stepper="tiny", h=[1 / 200, 1 / 400, 1 / 800], t_end=0.6)
            self.assertEqual(list(rows["verdict"])[-1], "as_claimed")
            rows = bench.physics(problem="heavy_top", stepper="tiny:fault=gravity")
            self.assertIn("gravity is 1.1 times ours", "".join(rows["message"]))
            motion = bench.run("pendulum", "tiny", h=0.01, steps=10)
            self.assertEqual(len(motion.t), 11)
            # Symplectic Euler is off by h t a/2 with a = g sin(1) = 8.3 m/s^2: 0.0042 m after 0.1 s.
            self.assertAlmostEqual(motion.q[-1][0], bench.run("pendulum", "shake", h=0.01, steps=10).q[-1][0], delta=0.01)
            with self.assertRaisesRegex(stepbench.Error, "there is no such program"):
                bench.engine("./none")
            with self.assertRaisesRegex(stepbench.Error, "takes neither --plugin nor --engine"):
                bench.order(problem="pendulum", stepper="tiny", engine="./none")

    def test_terms_of_a_system(self):
        pendulum = self.bench.system("pendulum")
        t, q, v = pendulum.initial()
        self.assertEqual((pendulum.n, pendulum.m), (2, 1))
        np.testing.assert_allclose(pendulum.g(q), 0, atol=1e-15)
        slope = np.array([q[1], -q[0]])
        np.testing.assert_allclose(pendulum.project(t, q, [1.0, 2.0]), slope * (slope @ [1.0, 2.0]) / (slope @ slope),
                                   atol=1e-15)
        oscillator = self.bench.system("oscillator:omega=3")
        self.assertEqual(oscillator.acceleration(0.0, [2.0], [0.0])[0], -18.0)
        self.assertEqual(oscillator.energy([2.0], [1.0]), (0.5, 18.0))


class Callbacks(unittest.TestCase):
    def setUp(self):
        self.bench = stepbench.Bench()

    def tearDown(self):
        self.bench.close()

    def leapfrog(self, **options):
        @self.bench.stepper(order=2, **options)
        def leapfrog(system, t, h, q, v):
            """Kick, drift, kick."""
            half = v + 0.5 * h * system.acceleration(t, q, v)
            q1 = q + h * half
            return q1, half + 0.5 * h * system.acceleration(t + h, q1, half)

    def test_a_stepper_in_python_is_one_in_c(self):
        self.leapfrog()
        for problem in ("oscillator", "kepler:e=0.3"):
            ours = self.bench.run(problem, "leapfrog", h=0.01, steps=200)
            theirs = self.bench.run(problem, "verlet", h=0.01, steps=200)
            np.testing.assert_allclose(ours.q, theirs.q, rtol=1e-12, err_msg=problem)  # the same map up to rounding

    def test_analyses_judge_a_stepper_in_python(self):
        self.leapfrog()
        rows = self.bench.order(problem="kepler", stepper="leapfrog")
        slope = rows["slope_q"][-1]
        self.assertTrue(abs(slope - 2) < 0.1, slope)
        self.assertEqual(self.bench.list("steppers")["brief"][-1], "Kick, drift, kick.")

    def test_a_force_in_python(self):
        @self.bench.force()
        def drag(t, q, v):
            return -0.2 * v

        damped = self.bench.run("oscillator", "midpoint", h=0.001, steps=2000, formulation="drag", q0=[1.0], v0=[0.0])
        gamma, t = 0.1, damped.t
        omega = math.sqrt(1 - gamma**2)
        exact = np.exp(-gamma * t) * (np.cos(omega * t) + gamma / omega * np.sin(omega * t))
        np.testing.assert_allclose(damped.q[:, 0], exact, atol=1e-6)
        own = self.bench.run("oscillator:gamma=0.2", "midpoint", h=0.001, steps=2000, q0=[1.0], v0=[0.0])
        np.testing.assert_allclose(damped.q, own.q, atol=1e-9)

    def test_a_force_ends_invariants(self):
        free = self.bench.drift(problem="kepler", stepper="rk4")
        self.assertEqual(list(free["quantity"]), ["energy", "Jz", "lrl_x", "lrl_y"])

        @self.bench.force()
        def drag(t, q, v):
            return -0.1 * v

        self.assertEqual(list(self.bench.drift(problem="kepler", stepper="rk4", formulation="drag")["quantity"]),
                         ["energy balance"])

    def test_a_force_beside_another(self):
        @self.bench.force()
        def more(t, q, v):
            return -0.1 * v

        some, all = (self.bench.run(problem, "midpoint", h=0.1, steps=50, formulation=around, q0=[1.0], v0=[0.0])
                     for problem, around in (("oscillator:gamma=0.1", ["more"]), ("oscillator:gamma=0.2", [])))
        np.testing.assert_allclose(some.q, all.q, atol=1e-9)

    def test_a_force_on_constraints_keeps_them(self):
        @self.bench.force()
        def wind(t, q, v):
            return np.array([1.0 + q[1] ** 2, -v[0]])

        motion = self.bench.run("pendulum", "del", h=0.01, steps=50, formulation=["wind"])
        np.testing.assert_allclose(np.hypot(*motion.q.T), 1.0, atol=1e-12)

    def test_what_a_callback_raises_is_raised(self):
        @self.bench.stepper()
        def bad(system, t, h, q, v):
            raise ValueError("out of ideas")

        @self.bench.stepper()
        def short(system, t, h, q, v):
            return q[:0], v

        with self.assertRaisesRegex(ValueError, "out of ideas"):
            self.bench.run("oscillator", "bad", h=0.1, steps=1)
        with self.assertRaisesRegex(stepbench.Error, "1 numbers are wanted"):
            self.bench.run("oscillator", "short", h=0.1, steps=1)
        self.bench.run("oscillator", "verlet", h=0.1, steps=1)  # and the session goes on

    def test_an_analysis_names_what_a_callback_raises(self):
        @self.bench.stepper()
        def late(system, t, h, q, v):
            if t > 0.5:
                raise ValueError("out of ideas")
            return q + h * v, v

        with self.assertRaisesRegex(stepbench.Error, r"late: ValueError: out of ideas \(.*test_stepbench.py, line"
                                    ) as caught:
            self.bench.energy("oscillator", "late")
        self.assertIn('raise ValueError("out of ideas")', str(caught.exception.__cause__))
        rows = self.bench.check("late")  # a failure is a verdict
        self.assertIn("failed", rows["verdict"])
        self.assertEqual(rows.traceback.count("Traceback"), 1)
        self.assertIsNone(self.bench.check("verlet").traceback)

    def test_progress_is_called_and_may_end_the_work(self):
        seen = []
        rows = self.bench.order(
            problem=["oscillator", "kepler"], stepper="verlet", levels=3, progress=lambda *call: seen.append(call)
        )
        unwatched = self.bench.order(problem=["oscillator", "kepler"], stepper="verlet", levels=3)
        self.assertEqual(str(rows.rows()), str(unwatched.rows()))
        self.assertEqual((seen[0][0], seen[-1]), (0.0, (2.0, 2.0, "done")))
        self.assertIn("order of verlet on oscillator", seen[0][2])
        self.assertTrue(all(a[0] <= b[0] <= b[1] == 2 for a, b in zip(seen, seen[1:])))
        seen.clear()
        self.bench.run("oscillator", "verlet", h=0.1, steps=50, progress=lambda *call: seen.append(call))
        self.assertEqual((seen[0], seen[-1]), ((0.0, 50.0, ""), (50.0, 50.0, "")))

        def tired(done, total, what):
            raise LookupError(f"at {done:g} of {total:g}")

        with self.assertRaisesRegex(LookupError, "at 0 of 2"):
            self.bench.order(problem=["oscillator", "kepler"], stepper="verlet", levels=3, progress=tired)
        with self.assertRaisesRegex(LookupError, "at 0 of 50"):
            self.bench.run("oscillator", "verlet", h=0.1, steps=50, progress=tired)
        self.assertEqual(len(self.bench.run("oscillator", "verlet", h=0.1, steps=50).t), 51)

    def test_a_numerical_failure_ends_the_run_only(self):
        @self.bench.stepper()
        def soft(system, t, h, q, v):
            if t > 0.45:
                raise stepbench.Error("no convergence")
            return q + h * v, v

        motion = self.bench.run("oscillator", "soft", h=0.1, steps=10)
        self.assertEqual(len(motion.t), 6)
        self.assertIn("soft: no convergence", motion.failure)

    def test_a_multistep_stepper_starts_anew(self):
        """A step back is one of another length: it starts like the first one, and is that of the one-step method."""

        def start(system, t, h, q, v):
            back = q - h * v + 0.5 * h * h * system.acceleration(t, q, v)
            return (system.acceleration(t - h, back, v),)

        def beeman(system, t, h, q, v, before):
            now = system.acceleration(t, q, v)
            q1 = q + h * v + h * h / 6 * (4 * now - before)
            then = system.acceleration(t + h, q1, v)
            return q1, v + h / 6 * (2 * then + 5 * now - before), now

        shared = {"order": 2, "keeps": [], "supports": ["time-potential"]}
        self.bench.stepper("beeman", vectors=1, start=start, multistep=True, **shared)(beeman)
        self.bench.stepper("kept", vectors=1, start=start, **shared)(beeman)
        self.bench.stepper("single", **shared)(lambda s, t, h, q, v: beeman(s, t, h, q, v, *start(s, t, h, q, v))[:2])
        rows = self.bench.reversibility(problem="oscillator", stepper=["beeman", "kept", "single"], h=0.1, steps=1)
        self.assertEqual(rows["back_v"][0], rows["back_v"][2])
        self.assertGreater(rows["back_v"][1], 10 * rows["back_v"][2])
        with self.assertRaisesRegex(stepbench.Error, "one-step"):
            self.bench.run("oscillator", "yoshida4(beeman)", h=0.1, steps=1)
        with self.assertRaisesRegex(TypeError, "`start` returns"):
            self.bench.stepper("mine", multistep=True)
        self.bench.stepper("two", vectors=1, start=lambda s, t, h, q, v: (q, v))(beeman)
        with self.assertRaisesRegex(TypeError, "its start has to return 1 arrays and returns 2"):
            self.bench.run("oscillator", "two", h=0.1, steps=1)

    def test_a_stepper_is_defined_again(self):
        for shift in (1.0, 2.0):

            @self.bench.stepper()
            def moves(system, t, h, q, v):
                return q + shift, v

            motion = self.bench.run("oscillator", "moves", h=0.1, steps=2, q0=[0.0], v0=[0.0])
            np.testing.assert_array_equal(motion.q[:, 0], [0.0, shift, 2.0 * shift])
        self.assertEqual(list(self.bench.list("steppers")["name"]).count("moves"), 1)

    def test_commands_on_names(self):
        rows = self.bench.check("verlet", all=True)
        self.assertEqual(set(rows["verdict"]), {"passed"})
        with self.assertRaisesRegex(stepbench.Error, "verlett"):
            self.bench.show("verlett")

    def test_what_cannot_be_registered_is_a_sentence(self):
        with self.assertRaisesRegex(stepbench.Error, "there already"):
            self.bench.stepper(name="verlet")(lambda system, t, h, q, v: (q, v))
        with self.assertRaisesRegex(stepbench.Error, '"holonomical" is no feature.*holonomic'):
            self.bench.stepper(name="mine", supports="holonomical")(lambda system, t, h, q, v: (q, v))
        with self.assertRaisesRegex(stepbench.Error, '"energies" is no property.*energy'):
            self.bench.stepper(name="mine", keeps="energies")(lambda system, t, h, q, v: (q, v))
        with self.assertRaisesRegex(TypeError, "start and vectors"):
            self.bench.stepper(name="mine", vectors=1)

    def test_a_callback_cannot_change_what_it_is_given(self):
        @self.bench.stepper()
        def greedy(system, t, h, q, v):
            q1 = q.copy()
            q[:] = 1e9
            return q1, v

        motion = self.bench.run("oscillator", "greedy", h=0.1, steps=3)
        np.testing.assert_array_equal(motion.q, np.full((4, 1), motion.q[0, 0]))
