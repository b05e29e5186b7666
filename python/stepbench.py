"""stepbench from Python: list, run, analyse and compare, with steppers and forces written in Python.

    import stepbench
    bench = stepbench.Bench()
    motion = bench.run("pendulum", "shake", h=0.01, steps=1000)          # arrays t, q, v, lam, kinetic, potential
    rows = bench.order(problem="pendulum", stepper=["shake", "rattle"])   # a table: columns by name, as arrays

    @bench.stepper(order=2)
    def leapfrog(system, t, h, q, v):
        half = v + 0.5 * h * system.acceleration(t, q, v)
        q1 = q + h * half
        return q1, half + 0.5 * h * system.acceleration(t + h, q1, half)

Needs numpy and the library libstepbench_session, which the build creates beside the program; the environment variable
STEPBENCH_LIBRARY names it where it is not found. Units are those of the parameters of a problem, SI by default.
"""

import ctypes
import os
import pathlib
import traceback


def _pin_arithmetic():
    """Selects the OpenBLAS kernel of the stepbench program, so that both compute the same digits.

    OpenBLAS reads the variable when it is loaded, and numpy may load it: a program that imports numpy before this
    module sets OPENBLAS_CORETYPE itself. A value that is set already stays."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), [])
    except OSError:
        flags = []
    if "avx2" in flags and "fma" in flags:  # OpenBLAS does not check
        os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")


_pin_arithmetic()

import numpy as np  # noqa: E402

__all__ = ["Bench", "Error", "Motion", "System", "Table"]

_VERSION = 3  # of bench/session/session.h
_COMMANDS_ON_NAMES = ("card", "check", "new", "show")  # instead of problem, stepper and formulation
_REALS = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")
_DOUBLES, _TEXTS = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_char_p)
_STEP = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_double, *[_DOUBLES] * 4
)
_FORCE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double, ctypes.c_int, *[_DOUBLES] * 3)
_ROW = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, _DOUBLES, _TEXTS)


class Error(Exception):
    """The message of a failed call. `status` is that of stepbench/status.h: positive where a smaller step may help."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


class Table(dict):
    """Rows of a command: a dictionary from the names of the columns to arrays of shape (rows,).

    A column is of floats if every cell is a number or empty (NaN), otherwise of texts."""

    def __len__(self):
        return len(next(iter(self.values()), ()))

    @property
    def columns(self):
        return list(self.keys())

    def rows(self):
        """The rows as dictionaries."""
        return [dict(zip(self, cells)) for cells in zip(*self.values())]


class Motion:
    """Samples of a run.

    t: times (s), shape (samples,). q, v: coordinates and velocities, shape (samples, n). lam: multipliers as forces,
    M q'' = F + G' lam, shape (samples, m). kinetic, potential: energies (J), shape (samples,). failure: the message
    of a run that ended early, otherwise None; the samples up to the failure are valid."""

    def __init__(self, t, q, v, lam, kinetic, potential, failure):
        self.t, self.q, self.v, self.lam = t, q, v, lam
        self.kinetic, self.potential, self.failure = kinetic, potential, failure

    @property
    def energy(self):
        """Total energy (J), shape (samples,)."""
        return self.kinetic + self.potential


class System:
    """A problem under its formulations, with n coordinates and m multipliers."""

    def __init__(self, bench, handle, owned):
        self._bench, self._handle, self._owned = bench, handle, owned
        n, m = ctypes.c_int(), ctypes.c_int()
        bench._lib.sb_session_system_size(handle, n, m)
        self.n, self.m = n.value, m.value

    def close(self):
        if self._owned and self._handle is not None and self._bench._session is not None:
            self._bench._lib.sb_session_system_close(self._handle)
        self._handle = None

    __del__ = close

    def _state(self, *arrays):
        if self._handle is None:
            raise Error("the system is closed", -2)
        return [_reals(x, self.n) for x in arrays]

    def initial(self):
        """Returns the initial state of the problem: t (s), q and v, shape (n,)."""
        self._state()
        t, q, v = ctypes.c_double(), np.zeros(self.n), np.zeros(self.n)
        self._bench._check(self._bench._lib.sb_session_system_initial(self._handle, t, q, v))
        return t.value, q, v

    def acceleration(self, t, q, v):
        """Returns the accelerations of the index-1 equations, shape (n,), at t (s), q and v."""
        q, v = self._state(q, v)
        a = np.zeros(self.n)
        self._bench._check(self._bench._lib.sb_session_system_acceleration(self._handle, t, q, v, a, None))
        return a

    def energy(self, q, v):
        """Returns the kinetic and the potential energy (J)."""
        q, v = self._state(q, v)
        kinetic, potential = ctypes.c_double(), ctypes.c_double()
        self._bench._check(self._bench._lib.sb_session_system_energy(self._handle, q, v, kinetic, potential))
        return kinetic.value, potential.value

    def violation(self, q):
        """Returns the values g(q) of the holonomic constraints, shape (number of constraints,)."""
        (q,) = self._state(q)
        count = ctypes.c_int()
        self._bench._check(self._bench._lib.sb_session_system_violation(self._handle, q, count, None))
        g = np.zeros(count.value)
        self._bench._check(self._bench._lib.sb_session_system_violation(self._handle, q, count, g.ctypes.data))
        return g

    def project(self, t, q, v):
        """Returns the velocity nearest to v in the metric of M that satisfies the constraints at q, shape (n,)."""
        q, v = self._state(q, np.array(v, dtype=np.float64))
        self._bench._check(self._bench._lib.sb_session_system_project(self._handle, t, q, v))
        return v


class Bench:
    """A session of stepbench, for one thread. Every analysis is a method: bench.order(...), bench.drift(...)."""

    def __init__(self, library=None):
        self._session = None
        self._lib = _load(library)
        self._kept = []  # callbacks live as long as the session
        self._raised = None  # what a callback raised
        self._session = self._lib.sb_session_open()
        if not self._session:
            raise MemoryError("no session of stepbench can be opened")

    def close(self):
        if self._session is not None:
            self._lib.sb_session_close(self._session)
            self._session = None

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- Commands. ----

    def load(self, plugin):
        """Registers the entries of a plug-in, the path of a shared library."""
        self._check(self._lib.sb_session_load(self._open(), os.fsencode(plugin)))

    def command(self, name, problem=(), stepper=(), formulation=(), arguments=(), **options):
        """Runs a command or an analysis and returns its rows as a Table.

        Options are those of the command line: t_end=1 is --t-end 1, limit=True is the switch --limit. A command that
        writes no rows, such as show, writes to standard output and returns an empty Table."""
        rows = []

        def row(_, count, numbers, texts):
            cells = zip(numbers[:count], texts[:count])
            return self._guard(lambda: rows.append([x if text is None else text.decode() for x, text in cells]))

        words = [name, *arguments]
        for flag, values in (("-p", problem), ("-w", formulation), ("-s", stepper)):
            for value in [values] if isinstance(values, str) else values:
                words += [flag, value]
        for key, value in options.items():
            if value is not False:
                words += ["--" + key.replace("_", "-")] + ([] if value is True else [_text(value)])
        array = (ctypes.c_char_p * len(words))(*[os.fsencode(word) for word in words])
        status = self._lib.sb_session_command(self._open(), len(words), array, _ROW(row), None)
        if status < 0 or (status > 0 and not rows):  # rows up to a numerical failure are valid
            self._fail(status)
        return Table((column[0], _column(column[1:])) for column in zip(*rows))

    def list(self, kind):
        """Returns the registered entries of a kind as a Table with the columns name, brief and ref.

        kind: steppers, compounds, problems, formulations, solvers, lcp_solvers, analyses, experiments or claims."""
        return self.command("list", arguments=[kind])

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def call(problem=(), stepper=(), formulation=(), **options):
            return self.command(name, problem, stepper, formulation, **options)

        def call_on_names(*names, **options):
            return self.command(name, arguments=names, **options)

        chosen = call_on_names if name in _COMMANDS_ON_NAMES else call
        chosen.__name__ = name
        chosen.__doc__ = f"Returns the rows of `stepbench {name}` as a Table."
        return chosen

    # ---- Systems and runs. ----

    def system(self, problem, formulation=()):
        """Returns the System of a problem under formulations, the innermost first."""
        formulations = [formulation] if isinstance(formulation, str) else list(formulation)
        array = (ctypes.c_char_p * len(formulations))(*[os.fsencode(word) for word in formulations])
        handle = self._lib.sb_session_system_open(self._open(), os.fsencode(problem), len(formulations), array)
        if not handle:
            self._fail(-2)
        return System(self, handle, True)

    def run(self, problem, stepper, h, steps, formulation=(), every=1, q0=None, v0=None, t0=0.0):
        """Runs `steps` steps of length h (s) and returns the Motion, sampled every `every` steps and at the end.

        The run starts from the initial state of the problem, or from q0 and v0, shape (n,), at t0 (s)."""
        system = problem if isinstance(problem, System) else self.system(problem, formulation)
        steps, every = int(steps), int(every)
        if (q0 is None) != (v0 is None):
            raise Error("a start is given by q0 and v0, both or none", -2)
        if q0 is not None:
            q0, v0 = system._state(q0, v0)
        room = max(0, steps) // max(1, every) + 2
        t, kinetic, potential = np.zeros(room), np.zeros(room), np.zeros(room)
        q, v, lam = np.zeros((room, system.n)), np.zeros((room, system.n)), np.zeros((room, system.m))
        samples = ctypes.c_long()
        start = [None if x is None else x.ctypes.data for x in (q0, v0)]
        status = self._lib.sb_session_run(
            system._handle, os.fsencode(stepper), h, steps, every, t0, *start, t, q, v, lam, kinetic, potential, samples
        )
        if status < 0 or self._raised is not None:
            self._fail(status)
        count = samples.value
        failure = self._message() if status > 0 else None
        return Motion(*(x[:count] for x in (t, q, v, lam, kinetic, potential)), failure)

    # ---- Callbacks. ----

    def stepper(self, name=None, order=1, supports="forces", brief=None):
        """Returns a decorator that registers a function (system, t, h, q, v) -> (q1, v1) as a stepper of this session.

        A function of the same name that was registered before is replaced.
        The function takes one step of length h (s); q, v, q1 and v1 have the shape (n,). name: the function's own by
        default. order: the claimed order. supports: the features of a problem that the stepper takes beyond a
        constant mass and a potential, joined by commas: forces, holonomic, curved, variable-mass, ..."""

        def register(function):
            def step(_, handle, t, h, q, v, q1, v1):
                system = System(self, handle, False)
                n = system.n
                return self._guard(lambda: _store((q1, v1), function(system, t, h, _array(q, n), _array(v, n)), n))

            add = self._lib.sb_session_add_stepper
            self._register(add, _STEP(step), function, name, brief, order, supports.encode())
            return function

        return register

    def force(self, name=None, brief=None):
        """Returns a decorator that registers a function (t, q, v) -> f as a formulation.

        The formulation adds f, shape (n,), to the force of a problem."""

        def register(function):
            def force(_, t, n, q, v, f):
                return self._guard(lambda: _store((f,), (function(t, _array(q, n), _array(v, n)),), n))

            self._register(self._lib.sb_session_add_force, _FORCE(force), function, name, brief)
            return function

        return register

    def _register(self, add, callback, function, name, brief, *more):
        name = name or function.__name__
        brief = brief or (function.__doc__ or "given by a Python callback").strip().splitlines()[0]
        self._check(add(self._open(), name.encode(), brief.encode(), *more, callback, None))
        self._kept.append(callback)

    def _guard(self, body):
        try:
            body()
            return 0
        except Exception as error:  # it cannot pass through C; the call that led here raises it
            self._raised = error
            # An analysis runs in child processes, which return only this sentence.
            place = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"{type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
            self._lib.sb_session_explain(self._session, reason.encode())
            return -1

    # ---- Failures. ----

    def _open(self):
        if self._session is None:
            raise Error("the bench is closed", -2)
        return self._session

    def _message(self):
        return self._lib.sb_session_message(self._session).decode(errors="replace")

    def _fail(self, status):
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        raise Error(self._message() or f"status {status}", status)

    def _check(self, status):
        if status != 0:
            self._fail(status)


# ---- Between Python and C. ----


def _load(library):
    here = pathlib.Path(__file__).resolve().parent
    name = "libstepbench_session.so"
    prefix = here.parent.parent.parent  # of an installed tree
    candidates = [library, os.environ.get("STEPBENCH_LIBRARY"), here.parent / "build" / name]
    candidates += [*sorted(prefix.glob("lib*/" + name)), *sorted(prefix.glob("lib/*/" + name))]
    found = next((str(path) for path in candidates if path is not None and os.path.exists(path)), None)
    if found is None:
        raise ImportError(f"{name} was not found; build stepbench, or name the file in STEPBENCH_LIBRARY")
    if (here.parent / "claims.csv").exists():  # installed: the data directory is beside this one
        os.environ.setdefault("STEPBENCH_DATA", str(here.parent))
    lib = ctypes.CDLL(found)
    if lib.sb_session_version() != _VERSION:
        raise ImportError(f"{found} has the interface {lib.sb_session_version()}, this module needs {_VERSION}")
    pointer, real, text, whole, long = ctypes.c_void_p, ctypes.c_double, ctypes.c_char_p, ctypes.c_int, ctypes.c_long
    count = ctypes.POINTER(whole)
    signatures = {
        "sb_session_open": (pointer, []),
        "sb_session_close": (None, [pointer]),
        "sb_session_message": (text, [pointer]),
        "sb_session_load": (whole, [pointer, text]),
        "sb_session_command": (whole, [pointer, whole, _TEXTS, _ROW, pointer]),
        "sb_session_system_open": (pointer, [pointer, text, whole, _TEXTS]),
        "sb_session_system_close": (None, [pointer]),
        "sb_session_system_size": (whole, [pointer, count, count]),
        "sb_session_system_initial": (whole, [pointer, _DOUBLES, _REALS, _REALS]),
        "sb_session_system_acceleration": (whole, [pointer, real, _REALS, _REALS, _REALS, pointer]),
        "sb_session_system_energy": (whole, [pointer, _REALS, _REALS, _DOUBLES, _DOUBLES]),
        "sb_session_system_violation": (whole, [pointer, _REALS, count, pointer]),
        "sb_session_system_project": (whole, [pointer, real, _REALS, _REALS]),
        "sb_session_run": (
            whole,
            [pointer, text, real, long, long, real, pointer, pointer, *[_REALS] * 6, ctypes.POINTER(long)],
        ),
        "sb_session_add_stepper": (whole, [pointer, text, text, whole, text, _STEP, pointer]),
        "sb_session_explain": (None, [pointer, text]),
        "sb_session_add_force": (whole, [pointer, text, text, _FORCE, pointer]),
    }
    for function, (result, arguments) in signatures.items():
        getattr(lib, function).restype = result
        getattr(lib, function).argtypes = arguments
    return lib


def _reals(x, n):
    array = np.ascontiguousarray(x, dtype=np.float64)
    if array.shape != (n,):
        raise Error(f"an array of shape {array.shape} was given where {n} numbers are wanted", -2)
    return array


def _array(pointer, n):
    """Returns a copy, so that a callback cannot change the state of the run."""
    return np.ctypeslib.as_array(pointer, (n,)).copy()


def _store(targets, values, n):
    if not isinstance(values, tuple) or len(values) != len(targets):
        raise TypeError(f"a callback has to return {len(targets)} arrays")
    for target, value in zip(targets, values):
        np.ctypeslib.as_array(target, (n,))[:] = _reals(value, n)


def _text(value):
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_text(x) for x in value)
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def _column(cells):
    if all(isinstance(cell, float) for cell in cells):
        return np.array(cells)
    return np.array([cell if isinstance(cell, str) else "" if cell != cell else f"{cell:.17g}" for cell in cells])
