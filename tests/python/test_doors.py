"""Callbacks that fail in unusual ways, handles that outlive their owner, signals and locales: no failure is a success,
and none ends the process."""

import copy
import locale
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import numpy as np

import stepbench


def processor_seconds(thread):
    """Returns the processor time that a thread has used in user mode."""
    with open(f"/proc/self/task/{thread.native_id}/stat", encoding="utf-8") as stat:
        return int(stat.read().rsplit(")", 1)[1].split()[11]) / os.sysconf("SC_CLK_TCK")


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Doors(unittest.TestCase):
    def setUp(self):
        self.bench = stepbench.Bench()

    def tearDown(self):
        self.bench.close()

    def add_verlet(self, at_step):
        """Registers Verlet's method under the name mine, which calls at_step(system, t) first."""

        @self.bench.stepper(name="mine", order=2)
        def mine(system, t, h, q, v):
            at_step(system, t)
            half = v + 0.5 * h * system.acceleration(t, q, v)
            q1 = q + h * half
            return q1, half + 0.5 * h * system.acceleration(t + h, q1, half)

    def run_mine(self, **options):
        return self.bench.run("oscillator", "mine", h=0.1, steps=20, **options)

    def test_a_failure_with_a_text_that_has_no_encoding(self):
        def fail(error):
            def at_step(system, t):
                if t > 0.5:
                    raise error

            return at_step

        for error, caught in (
            (ValueError("a lone \udcff"), ValueError),
            (Unprintable(), Unprintable),
            (SystemExit(3), SystemExit),
        ):
            self.add_verlet(fail(error))
            with self.assertRaises(caught):
                self.run_mine()
            with self.assertRaises(stepbench.Error):  # a pair has a process of its own
                self.bench.order(problem="oscillator", stepper="mine", levels=2)
        self.add_verlet(fail(stepbench.Error("a lone \udcff")))
        self.assertIn("\\udcff", self.run_mine().failure)

    def test_an_engine_ends_with_a_killed_host_of_many_files(self):
        tiny = pathlib.Path(__file__).parents[1] / "engines" / "tiny.py"
        code = f"""if True:
            import os, resource, time, stepbench
            most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
            for file in range(3, min(most - 100, 1100)):
                os.dup2(0, file)
            bench = stepbench.Bench(engine={f"{sys.executable} {tiny}"!r})
            print(open(f"/proc/self/task/{{os.getpid()}}/children").read(), flush=True)
            time.sleep(60)"""
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as host:
            children = host.stdout.readline().split()
            host.kill()
        self.assertEqual(len(children), 2)
        for _ in range(200):  # within a second, which may be long on a busy machine
            left = [child for child in children if os.path.exists(f"/proc/{child}")]
            if not left:
                return
            time.sleep(0.05)
        self.fail(f"processes that outlive their host: {left}")

    def test_a_step_that_fails_once_is_no_success(self):
        calls = []

        def fail_once(system, t):
            calls.append(t)
            if len(calls) == 7:
                raise stepbench.Error("once")

        self.add_verlet(fail_once)
        self.assertIn("fails once: it is no pure map", self.run_mine(every=20).failure)  # the block of steps is taken again

    def test_an_exception_that_is_lost_is_no_success(self):
        self.add_verlet(lambda system, t: None)
        with mock.patch("sys.unraisablehook"):  # ctypes writes a lost exception to it
            with mock.patch.object(stepbench.Bench, "_guard", side_effect=ValueError):
                with self.assertRaisesRegex(stepbench.Error, r"mine returned -?\d+"):
                    self.run_mine()
                with self.assertRaisesRegex(stepbench.Error, r"rows returned -?\d+"):
                    self.bench.list("steppers")
                with self.assertRaisesRegex(stepbench.Error, "progress callback"):
                    self.bench.run("oscillator", "verlet", h=0.1, steps=5, progress=print)

    def test_a_system_ends_with_its_callback(self):
        kept = []
        self.add_verlet(lambda system, t: kept.append(system))
        self.run_mine()
        with self.assertRaisesRegex(stepbench.Error, "closed"):
            kept[0].acceleration(0.0, [1.0], [0.0])
        with self.assertRaisesRegex(stepbench.Error, "closed"):
            self.bench.run(kept[0], "verlet", h=0.1, steps=3)

    def test_handles_know_their_owner(self):
        other = stepbench.Bench()
        system = other.system("oscillator")
        with self.assertRaisesRegex(stepbench.Error, "another bench"):
            self.bench.run(system, "verlet", h=0.1, steps=3)
        for handle in (self.bench, system):
            for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "copied"):
                    duplicate(handle)
        other.close()
        with self.assertRaisesRegex(stepbench.Error, "closed"):
            other.run(system, "verlet", h=0.1, steps=3)

    def test_a_callback_does_not_use_its_bench(self):
        for use, message in (
            (lambda system, t: self.bench.close(), "closed by a callback"),
            (lambda system, t: self.bench.run("oscillator", "verlet", h=0.1, steps=2), "cannot use the bench"),
            (lambda system, t: self.bench.list(), "cannot use the bench"),
        ):
            self.add_verlet(use)
            with self.assertRaisesRegex(stepbench.Error, message):
                self.run_mine()
        self.assertEqual(len(self.bench.run("oscillator", "verlet", h=0.1, steps=2).t), 3)

    def test_a_system_that_is_dropped_in_a_callback(self):
        systems = [self.bench.system("pendulum")]
        self.add_verlet(lambda system, t: systems.clear())
        self.assertEqual(len(self.run_mine().t), 21)

    def test_a_bench_in_two_threads(self):
        said = []

        def use():
            try:
                self.bench.list()
            except stepbench.Error as error:
                said.append(str(error))

        def at_step(system, t):
            if not said:
                thread = threading.Thread(target=use)
                thread.start()
                thread.join()

        self.add_verlet(at_step)
        self.assertEqual(len(self.run_mine().t), 21)
        self.assertRegex(said[0], "another thread")

    def test_a_callback_in_a_child_while_another_thread_has_the_lock(self):
        done = threading.Event()

        def use_the_interpreter():
            while not done.is_set():
                pass

        self.add_verlet(lambda system, t: None)
        thread = threading.Thread(target=use_the_interpreter)
        thread.start()
        try:
            rows = self.bench.energy(problem="oscillator", stepper="mine", h=0.1, steps=5, seconds=1)
        finally:
            done.set()
            thread.join()
        self.assertEqual(set(rows["status"]), {"ok"})

    def test_two_benches_in_two_threads(self):
        call = {"stepper": "rk4", "h": 0.01, "steps": 2000}
        wanted = {name: self.bench.command("run", problem=name, **call)["q0"] for name in ("kepler", "oscillator")}
        found = {name: [] for name in wanted}

        def use(name):
            with stepbench.Bench() as bench:
                for _ in range(4):
                    try:
                        found[name].append(bench.command("run", problem=name, **call)["q0"])
                    except stepbench.Error as error:
                        found[name].append(error)

        threads = [threading.Thread(target=use, args=(name,)) for name in wanted]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for name in wanted:
            for q in found[name]:
                np.testing.assert_array_equal(q, wanted[name])

    def test_an_engine_that_an_ended_thread_has_started(self):
        engine = pathlib.Path(__file__).resolve().parent.parent / "engines/tiny.py"
        thread = threading.Thread(target=self.bench.engine, args=(f"{sys.executable} {engine}",))
        thread.start()
        thread.join()
        while os.path.exists(f"/proc/self/task/{thread.native_id}"):  # for the kernel it ends after that
            time.sleep(0.001)
        self.assertEqual(len(self.bench.run("pendulum", "tiny", h=0.01, steps=3).t), 4)

    def test_an_interrupt_ends_runs_and_commands(self):
        def interrupt():
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

        def run_long(stepper):
            return self.bench.run("oscillator", stepper, h=0.1, steps=10**9, every=10**9)

        self.add_verlet(lambda system, t: None)
        for call in (
            lambda: run_long("verlet"),
            lambda: run_long("mine"),
            lambda: self.bench.drift(problem="oscillator", stepper="verlet", h=1e-6, t_end=1e6),
            lambda: self.bench.drift(problem="oscillator", stepper="mine", h=1e-6, t_end=1e6),
        ):
            thread = threading.Thread(target=interrupt)
            thread.start()
            with self.assertRaises(KeyboardInterrupt):
                call()
                time.sleep(10)  # the signal came before the call
            thread.join()
        self.assertEqual(len(self.run_mine().t), 21)

    def test_an_interrupt_ends_the_calls_of_all_threads(self):
        said = {}

        def run(name, steps):
            with stepbench.Bench() as bench:
                try:
                    bench.run("oscillator", "verlet", h=0.1, steps=steps, every=steps)
                    said[name] = "ended"
                except KeyboardInterrupt:
                    said[name] = "interrupted"

        first = threading.Thread(target=run, args=("first", 10**6))
        first.start()
        time.sleep(0.02)
        threads = [threading.Thread(target=run, args=(name, 10**9)) for name in ("second", "third")]
        for thread in threads:
            thread.start()
        first.join()  # the others have begun while it listened
        while any(processor_seconds(thread) < 0.2 for thread in threads):  # to load the library takes a tenth of it
            time.sleep(0.01)
        run("fourth", 1)
        with self.assertRaises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        run("fifth", 1)
        for thread in threads:
            thread.join(60)
        wanted = {"first": "ended", "fourth": "ended", "fifth": "ended", "second": "interrupted", "third": "interrupted"}
        self.assertEqual(said, wanted)

    def test_a_locale_with_decimal_commas(self):
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run(
                ["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"], capture_output=True, check=False
            ) if os.access("/usr/bin/localedef", os.X_OK) else None  # fmt: skip
            before = locale.setlocale(locale.LC_ALL)
            with mock.patch.dict(os.environ, LOCPATH=folder):
                try:
                    locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
                except locale.Error:
                    self.skipTest(f"there is no such locale, and localedef makes none: {made and made.stderr}")
                try:
                    self.assertEqual(locale.localeconv()["decimal_point"], ",")
                    rows = self.bench.order(problem="kepler:e=0.25", stepper="verlet", levels=2)
                    self.assertTrue(np.isfinite(rows["err_q"]).any())

                    @self.bench.problem()
                    class soft_spring:
                        parameters = {"k": 2.5}
                        start = np.array([1.0]), np.array([0.0])
                        M = np.eye(1)

                        def V(self, q):
                            return 0.5 * self.k * q[0] ** 2

                    self.assertEqual(self.bench.parameters("problems", "soft_spring")["default"][1], "2.5")
                    self.assertEqual(len(self.bench.run("soft_spring:k=1.5", "verlet", h=0.1, steps=2).t), 3)
                    self.assertEqual(locale.localeconv()["decimal_point"], ",")
                finally:
                    locale.setlocale(locale.LC_ALL, before)

    def test_a_run_to_a_time(self):
        self.assertEqual(self.bench.run("oscillator", "verlet", h=0.1, t_end=2.0).t[-1], 2.0)
        for lengths in ({}, {"steps": 2, "t_end": 0.2}):
            with self.assertRaisesRegex(stepbench.Error, "by one of them"):
                self.bench.run("oscillator", "verlet", h=0.1, **lengths)
        with self.assertRaisesRegex(stepbench.Error, "no.* whole number"):
            self.bench.run("oscillator", "verlet", h=0.1, t_end=0.25)

    def test_what_is_no_real_number_is_refused(self):
        for wrong in (np.array([1j]), 1j * np.ones(1), ["0.5"], np.array(["0.5"])):

            @self.bench.stepper(name="mine", order=1)
            def mine(system, t, h, q, v):
                return q, wrong

            with self.assertRaises(TypeError):
                self.run_mine()
            with self.assertRaises(TypeError):
                self.bench.run("oscillator", "verlet", h=0.1, steps=1, q0=wrong, v0=[0.0])
        with self.assertRaisesRegex(stepbench.Error, "whole numbers"):
            self.bench.run("oscillator", "verlet", h=0.1, steps=2.5)

    def test_numbers_that_c_would_cut_off(self):
        for counts in ({"steps": 2000, "every": 2**64 + 1}, {"steps": 2**64 + 5, "every": 2**64 + 1}):
            with self.assertRaisesRegex(stepbench.Error, "a run has at most"):
                self.bench.run("oscillator", "verlet", h=0.1, **counts)
        for counts in ({"order": 2**32 + 2}, {"order": 1.5}, {"order": 1, "vectors": 2**32}, {"order": -1}):
            with self.assertRaisesRegex(stepbench.Error, "whole numbers from 0 on"):
                self.bench.stepper(name="mine", **counts)

    def test_what_a_call_lacks(self):
        system = self.bench.system("pendulum")
        with self.assertRaisesRegex(stepbench.Error, "Hess g needs weights"):
            system.term("Hess g")
        np.testing.assert_allclose(system.term("Hess g", w=[2.0]), 2.0 * np.eye(2))  # g = (x^2 + y^2 - l^2) / 2
        with self.assertRaisesRegex(stepbench.Error, "no term"):
            system.term("M\0x")
        masked = np.ma.array([1.0], mask=[True])
        with self.assertRaisesRegex(stepbench.Error, "masked"):
            self.bench.run("oscillator", "verlet", h=0.1, steps=1, q0=masked, v0=[0.0])
        for t0 in (1.0, float("nan")):
            with self.assertRaisesRegex(stepbench.Error, "t0"):
                self.bench.run("oscillator", "verlet", h=0.1, steps=1, t0=t0)
        self.bench.stepper(name="mine", brief="  ")(lambda system, t, h, q, v: (q, v))

    def test_a_system_in_two_threads(self):
        system = self.bench.system("pendulum")
        said = []

        def use():
            for call in (
                lambda: system.acceleration(0.0, [1.0, 0.0], [0.0, 0.0]),
                lambda: self.bench.system("pendulum"),
                lambda: self.bench.parameters("steppers", "hht"),
            ):
                try:
                    call()
                except stepbench.Error as error:
                    said.append(str(error))

        def at_step(inner, t):
            if not said:
                thread = threading.Thread(target=use)
                thread.start()
                thread.join()

        self.add_verlet(at_step)
        self.run_mine()
        self.assertEqual(len([text for text in said if "another thread" in text]), 3)

    def test_an_interrupt_ends_what_is_loaded(self):
        def interrupt():
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

        for call in (
            lambda: self.bench.engine("sleep 120"),
            lambda: self.bench.system("star:arms=1000000"),
        ):
            begin = time.monotonic()
            thread = threading.Thread(target=interrupt)
            thread.start()
            with self.assertRaises(KeyboardInterrupt):
                call()
                time.sleep(10)
            thread.join()
            self.assertLess(time.monotonic() - begin, 60.0)

    def test_a_plug_in_whose_end_would_end_the_process(self):
        heun = pathlib.Path(__file__).resolve().parents[1] / "plugin/heun.c"
        end = "#include <unistd.h>\n__attribute__((destructor)) static void at_end(void) { _exit(0); }\n"
        code = "import os, stepbench; b = stepbench.Bench(); b.load('ends.c'); b.close(); os._exit(7)"
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "ends.c").write_text(end + heun.read_text())
            self.assertEqual(subprocess.run([sys.executable, "-c", code], cwd=folder).returncode, 7)

    @unittest.skipUnless(sys.version_info < (3, 13), "the module has another name")
    def test_another_interpreter_of_the_process(self):
        code = (
            "import _xxsubinterpreters as others\n"
            "others.run_string(others.create(), 'import stepbench; bench = stepbench.Bench(); bench.list()')"
        )
        ended = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=30)
        self.assertIn("stepbench works in the main interpreter of a process", ended.stderr)

    def test_names_that_a_specification_cannot_have(self):
        for call in (self.bench.load, self.bench.system, self.bench.engine):
            with self.assertRaisesRegex(stepbench.Error, "NUL"):
                call("oscillator\0x")
        for _ in range(2):  # first without a problem of this name, then in its place
            for name in ("a b", "a=1", "1a", "", "\u00e4", "a,b"):
                with self.assertRaisesRegex(stepbench.Error, "is no parameter name"):
                    self.add_point("named", name)
            self.add_point("named", "length")

    def test_vectors_that_an_int_cannot_count(self):
        with self.assertRaisesRegex(stepbench.Error, "at most 1000 vectors"):
            self.bench.stepper(name="mine", vectors=2**30 + 1, start=lambda *_: ())(lambda *_: ())

    def add_point(self, name, parameter):
        """Registers a problem of one coordinate with a parameter."""

        @self.bench.problem(name=name)
        class point:
            parameters = {parameter: 1.0}
            start = np.array([1.0]), np.array([0.0])
            M = np.eye(1)

    def test_one_pair_that_does_not_fit_loses_its_rows_only(self):
        rows = self.bench.order(problem=["pendulum", "oscillator"], stepper="verlet", levels=2)
        self.assertEqual(set(rows["problem"][rows["status"] == "fit"]), {"oscillator"})
        self.assertTrue(any("pendulum" in name for name in rows["problem"]))
