"""Terms of systems, the steppers of python/examples that use them, and problems whose terms are Python methods."""

import json
import os
import tempfile
import unittest

import numpy as np

import hht
import rattle
import stepbench


class WithBench(unittest.TestCase):
    def setUp(self):
        self.bench = stepbench.Bench()

    def tearDown(self):
        self.bench.close()


class Terms(WithBench):
    def test_terms_of_a_pendulum(self):
        """m = 2, l = 3, g = (q.q - l^2)/2, V = m g y."""
        system = self.bench.system("pendulum:m=2,l=3")
        q, v, w = np.array([1.0, -2.0]), np.array([0.5, 0.25]), [4.0]
        np.testing.assert_array_equal(system.M(q), 2.0 * np.eye(2))
        np.testing.assert_allclose(system.V_q(q), [0.0, 2.0 * 9.81], rtol=1e-15)
        np.testing.assert_allclose(system.V(q), -4.0 * 9.81, rtol=1e-15)
        np.testing.assert_array_equal(system.V_qq(q), np.zeros((2, 2)))
        np.testing.assert_array_equal(system.g(q), [-2.0])
        np.testing.assert_array_equal(system.G(q), [q])
        np.testing.assert_array_equal(system.g_qq(q, w), 4.0 * np.eye(2))
        np.testing.assert_array_equal(system.curvature(q, v), [v @ v])
        np.testing.assert_array_equal(system.f(0.0, q, v), np.zeros(2))

    def test_a_matrix_is_not_its_transpose(self):
        """T_vq is the derivative of M(q) v, row by row: by differences of width d with an error of d^2."""
        system = self.bench.system("double_pendulum")
        q, v, d = np.array([0.3, 1.1]), np.array([0.7, -0.4]), 1e-6
        columns = [(system.M(q + d * e) - system.M(q - d * e)) @ v / (2.0 * d) for e in np.eye(2)]
        T_vq = system.T_vq(q, v)
        np.testing.assert_allclose(T_vq, np.stack(columns, axis=1), atol=1e-9)
        self.assertGreater(np.abs(T_vq - T_vq.T).max(), 0.1)

    def test_equations_of_motion_from_terms(self):
        """M a = T_q - T_vq v - V_q + f + G' lam and d/dt (G v) = 0, to round-off."""
        for problem in ("double_pendulum", "four_bar", "spherical_pendulum", "oscillator:gamma=0.3", "thread:n=4"):
            system = self.bench.system(problem)
            t, q, v = system.initial()
            v = system.project(t, q, v + 0.1)
            F = system.T_q(q, v) - system.T_vq(q, v) @ v - system.V_q(q) + system.f(t, q, v)
            M, G = system.M(q), system.G(q)
            m = len(G)
            saddle = np.block([[M, -G.T], [G, np.zeros((m, m))]])
            a = np.linalg.solve(saddle, np.concatenate([F, -system.curvature(q, v)]))[: system.n]
            np.testing.assert_allclose(a, system.acceleration(t, q, v), atol=1e-11, err_msg=problem)

    def test_bad_arguments_are_sentences(self):
        system = self.bench.system("pendulum")
        with self.assertRaisesRegex(stepbench.Error, 'no term of a system is named "V_p"; nearest'):
            system.term("V_p")
        with self.assertRaisesRegex(stepbench.Error, r"shape \(3,\).* 2 numbers"):
            system.V_q([1.0, 2.0, 3.0])
        with self.assertRaisesRegex(stepbench.Error, r"shape \(2,\).* 1 numbers"):
            system.g_qq([1.0, 2.0], [1.0, 2.0])
        system.close()
        with self.assertRaisesRegex(stepbench.Error, "closed"):
            system.M([1.0, 2.0])


class Examples(WithBench):
    """The examples are the built-in methods: the same map up to rounding, which 100 steps of smooth motion add up to
    some 1e-14 of the size of the motion."""

    def agree(self, ours, theirs, problems):
        for problem in problems:
            a = self.bench.run(problem, ours, h=0.01, steps=100)
            b = self.bench.run(problem, theirs, h=0.01, steps=100)
            self.assertIsNone(a.failure)
            self.assertGreater(np.ptp(a.q, axis=0).max(), 1e-3, problem)
            np.testing.assert_allclose(a.q, b.q, rtol=0, atol=1e-12, err_msg=problem)
            np.testing.assert_allclose(a.v, b.v, rtol=0, atol=1e-12, err_msg=problem)

    def test_hht(self):
        hht.add(self.bench)
        hht.add(self.bench, name="hht_third", alpha=1 / 3)
        self.agree("hht_python", "hht", ["oscillator:gamma=0.2", "henon_heiles", "kepler:e=0.3"])
        self.agree("hht_third", "hht:alpha=1/3", ["henon_heiles"])

    def test_rattle(self):
        rattle.add(self.bench)
        self.agree("rattle_python", "rattle", ["pendulum", "pendulum:constraint=norm", "four_bar", "henon_heiles"])

    def test_picture_of_a_problem(self):
        @self.bench.problem(name="drawn")
        class Drawn:
            picture = "dimension,point,x,y,lines\n2g,wall,-l,,\n,body,q0,,~wall\n"
            parameters = {"l": 2.0}
            start = [1.0], [0.0]
            M = [[1.0]]

            def V(self, q):
                return 0.5 * q[0] ** 2

        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "drawn.html")
            self.bench.command("animate", problem="drawn:l=3", stepper="verlet", h=0.1, t_end=1, output=file)
            with open(file, encoding="utf-8") as page:
                film = json.loads(page.read().split("const film = ", 1)[1].split(";\n", 1)[0])
        q = self.bench.run("drawn", "verlet", h=0.1, steps=10).q[:, 0]
        frames = np.array(film["panels"][0])
        np.testing.assert_allclose(frames[:, 2], q, atol=5e-6)  # six digits are written
        np.testing.assert_array_equal(frames[:, [0, 1, 3]], np.tile([-3.0, 0.0, 0.0], (11, 1)))
        self.assertEqual((film["gravity"], film["fixed"], film["lines"]), ([0, -1], [0], [[0, 1, 1]]))

    def test_what_the_iteration_does_not_reach_is_a_sentence(self):
        rattle.add(self.bench)
        motion = self.bench.run("pendulum", "rattle_python", h=3.0, steps=5)
        self.assertRegex(motion.failure, "rattle_python")


class Problems(WithBench):
    """Problems in Python without derivatives against the same built-in ones; differences have an error of 3e-13."""

    def add_bob(self):
        @self.bench.problem()
        class bob:
            """A bob on a rod."""

            parameters = {"length": 1.0}
            degree = 2
            M = np.eye(2)

            def start(self):
                return [self.length * np.sin(1.0), -self.length * np.cos(1.0)], [0.0, 0.0]

            def V(self, q):
                return 9.81 * q[1]

            def g(self, q):
                return (q @ q - self.length**2) / 2

    def test_constraints_and_parameters(self):
        self.add_bob()
        ours = self.bench.run("bob:length=2", "rattle", h=0.01, steps=50)
        theirs = self.bench.run("pendulum:l=2", "rattle", h=0.01, steps=50)
        np.testing.assert_allclose(ours.q, theirs.q, atol=1e-11)
        np.testing.assert_allclose(ours.lam, theirs.lam, atol=1e-8)  # divided by h^2
        self.assertEqual(len(self.bench.check("bob")), 0)
        with self.assertRaisesRegex(stepbench.Error, "bob has no parameter"):
            self.bench.system("bob:lenght=2")

    def test_variable_mass(self):
        @self.bench.problem()
        class arms:
            start = [2.0, 2.5], [0.0, 0.0]

            def M(self, q):
                c = np.cos(q[0] - q[1])
                return [[2.0, c], [c, 1.0]]

            def V(self, q):
                return -9.81 * (2.0 * np.cos(q[0]) + np.cos(q[1]))

        self.assertEqual(len(self.bench.check("arms")), 0)
        ours = self.bench.run("arms", "midpoint", h=0.01, steps=20)
        theirs = self.bench.run("double_pendulum", "midpoint", h=0.01, steps=20)
        np.testing.assert_allclose(ours.q, theirs.q, atol=1e-11)
        a, b = self.bench.system("arms"), self.bench.system("double_pendulum")
        q, v = [0.3, 1.1], [0.7, -0.4]
        for symbol in ("T_q", "T_qq", "T_vq", "T_qv", "V_q", "V_qq"):
            np.testing.assert_allclose(a.term(symbol, 0.0, q, v), b.term(symbol, 0.0, q, v), atol=1e-8, err_msg=symbol)

    def test_force(self):
        @self.bench.problem()
        class damped:
            start = 0.0, [1.0], [0.0]
            M = [[1.0]]

            def V(self, q):
                return q[0] ** 2 / 2

            def f(self, t, q, v):
                return -0.2 * v

        ours = self.bench.run("damped", "hht", h=0.01, steps=100)
        theirs = self.bench.run("oscillator:gamma=0.2", "hht", h=0.01, steps=100)
        np.testing.assert_allclose(ours.q, theirs.q, atol=1e-11)

    def test_a_run_without_end_lasts_a_period(self):
        @self.bench.problem()
        class spring:
            start, M, period = ([1.0], [0.0]), [[1.0]], 20.0 * np.pi

            def V(self, q):
                return 0.005 * q[0] ** 2

        table = self.bench.workprec(problem="spring", stepper="verlet", levels=2)
        np.testing.assert_array_equal(table["h"], [0.1, 0.05])
        np.testing.assert_allclose(table["t_end"], 62.9, rtol=1e-12)  # 20 pi = 62.83..., up to a multiple of h

    def test_a_wrong_derivative_is_found(self):
        @self.bench.problem()
        class wrong:
            start = [1.0], [0.0]
            M = [[1.0]]

            def V(self, q):
                return q[0] ** 2 / 2

            def V_q(self, q):
                return 1.01 * q

        rows = self.bench.check("wrong")
        self.assertEqual(set(rows["verdict"]), {"failed"})
        self.assertIn("V_q", rows["check"])

    def test_defined_again(self):
        self.add_bob()
        for mass in (1.0, 4.0):

            @self.bench.problem(name="bob")
            class block:
                start = [1.0], [0.0]
                M = [[mass]]

            self.assertEqual(self.bench.system("bob").M([0.0])[0, 0], mass)
        self.assertEqual(list(self.bench.list("problems")["name"]).count("bob"), 1)

    def test_what_is_no_problem_is_a_sentence(self):
        with self.assertRaisesRegex(TypeError, "Vq is no term.*V_q"):

            @self.bench.problem()
            class misspelt:
                def Vq(self, q):
                    return q

        @self.bench.problem()
        class heavy:
            start = [1.0, 0.0], [0.0, 0.0]
            M = [[1.0]]

        with self.assertRaisesRegex(stepbench.Error, r"shape \(1, 1\).* shape \(2, 2\)"):
            self.bench.system("heavy")
        with self.assertRaisesRegex(stepbench.Error, "there already"):
            self.bench.problem(name="pendulum")(heavy)
        self.bench.run("pendulum", "shake", h=0.01, steps=1)  # and it is the built-in one
