"""Sessions of stepbench: commands, runs, and the callbacks of steppers, forces and problems."""

import contextlib
import ctypes
import inspect
import math
import os
import threading
import traceback

from .library import DONE, ERROR, FAILED, FORCE, PROGRESS, ROW, STEP, TERM, load  # first: it prepares the libraries that numpy loads

import numpy as np

from . import problem as problems
from .system import Error, System, reals
from .table import Motion, Table

_COMMANDS_ON_NAMES = ("card", "check", "cite", "help", "import", "judge", "new", "show", "study", "world")  # or on files
_COMMANDS = (*_COMMANDS_ON_NAMES, "animate", "bench", "compare", "complete", "man", "reference", "roundoff")
_UNSUPPORTED = -3  # of stepbench/status.h
_STEPS_MAX = 10**15  # as on the command line
_INT_MAX = 2**31 - 1
_TRACEBACK_MAX = 4096  # bytes that a pipe takes at once


class _CallbackTraceback(Exception):
    """The traceback of an exception that a callback raised in a child process."""

    def __str__(self):
        return f"in a callback:\n\n{self.args[0]}"


class _Alone:
    """Lets one thread at a time into the library, and the same thread again from a callback."""

    def __init__(self):
        self._lock = threading.RLock()

    def __enter__(self):
        if not self._lock.acquire(blocking=False):
            raise Error("the bench is at work in another thread; a thread needs a bench of its own", -2)

    def __exit__(self, *_):
        self._lock.release()


class Bench:
    """A session of stepbench, for one thread at a time.

    Every analysis is a method: bench.order(problem="kepler", stepper=["verlet", "rk4"], levels=4). `problem`, `stepper`
    and `formulation` are a specification as on the command line ("pendulum:l=2"), or a list of them; without them the
    defaults of the analysis are used. The other arguments are its options. The result is a Table; the method's help
    lists options and their units.

    library: the file libstepbench_session.so, where it is not found. Raises ImportError without it. engine: the command
    of an engine, as for the method engine(), or a list of them."""

    def __init__(self, library=None, engine=()):
        self._session = None
        self._lib = load(library)
        self._kept = []  # callbacks live as long as the session
        self._raised = None  # what a callback raised in this process
        self._alone = _Alone()
        self._calls = False  # whether a command or run lasts
        self._dropped = []  # systems that were freed while it lasts
        self._process = os.getpid()
        self._tracebacks = os.pipe()  # from callbacks in child processes
        for end in self._tracebacks:
            os.set_blocking(end, False)
        self._session = self._lib.sb_session_open()
        if not self._session:
            raise MemoryError("no session of stepbench can be opened")
        for command in [engine] if isinstance(engine, str) else engine:
            self.engine(command)

    def close(self):
        """Frees the session; its methods raise Error from then on. Raises Error in a callback, whose caller needs it."""
        if self._session is not None:
            with self._alone:
                if self._calls:
                    raise Error("the bench cannot be closed by a callback that it has called", -2)
                self._lib.sb_session_close(self._session)
                self._session = None
            for end in self._tracebacks:
                os.close(end)

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __reduce__(self):
        raise TypeError("a Bench holds the session of a library and cannot be copied or pickled")

    # ---- Commands. ----

    def load(self, plugin):
        """Registers the entries of a plug-in, the path of a shared library or of a C file, which is compiled. Raises
        Error if it cannot be loaded."""
        with self._alone:
            self._check(self._lib.sb_session_load(self._open(), _bytes(plugin)))

    def engine(self, command):
        """Starts an engine, a program that steps mechanisms, and registers its stepper: bench.engine("node mine.mjs").
        The session ends the program when it is closed. Raises Error if the program does not answer."""
        with self._alone:
            self._check(self._lib.sb_session_engine(self._open(), _bytes(command)))

    def command(self, name, *words, problem=(), stepper=(), formulation=(), progress=None, **options):
        """Runs a command or an analysis and returns its rows as a Table.

        Words and options are those of the command line: command("card", "rk4", output="x.html") is `card rk4 -o x.html`,
        t_end=1 is --t-end 1, and limit=True the switch --limit. A command that writes no rows, such as show, writes to standard output and returns an empty Table. Of several pairs, one that
        does not fit has a row with the reason in the column `status`. progress(done, total, what)
        is called at the begin, at the end and up to five times per second between: `done` of `total` parts of the work
        are done, and `what` runs; an exception that it raises ends the command, and is raised. Raises Error for bad usage,
        and for a failure before the first row. What a callback raises is raised; if it was raised in the process of a
        pair, an Error quotes it, with its traceback as the cause, or the column `status` does, and the traceback is
        Table.traceback. What was measured in place of an option, such as weights="measured", is Table.measured."""
        words = [name, *words]
        for flag, values in (("-p", problem), ("-w", formulation), ("-s", stepper)):
            for value in [values] if isinstance(values, str) else values:
                words += [flag, value]
        for key, value in options.items():
            if value is not False:
                words += ["-o" if key == "output" else "--" + key.replace("_", "-")] + ([] if value is True else [_text(value)])
        array = (ctypes.c_char_p * len(words))(*[_bytes(word) for word in words])
        rows = []
        with self._alone:
            with self._calling(progress) as session:
                status = self._lib.sb_session_command(session, len(words), array, self._row(rows), None)
            kept = status > 0 or status == _UNSUPPORTED  # rows up to a numerical failure, and those of pairs that fit
            if self._raised is not None or (status != 0 and not (kept and len(rows) > 1)):
                self._fail(status)
            table = Table.of_rows(rows)
            table.traceback = self._take_traceback()
            table.measured = _decode(self._lib.sb_session_measured(self._session)).splitlines()
        return table

    def list(self, kind="steppers"):
        """Returns the registered entries of a kind as a Table with the columns name, brief and ref.

        kind: steppers, compounds, problems, formulations, solvers, lcp_solvers, analyses, experiments or claims."""
        return self.command("list", kind)

    def parameters(self, kind, name):
        """Returns the parameters of an entry, or the options of an analysis, as a Table with the columns name, default,
        allowed, unit and meaning: bench.parameters("steppers", "hht"). Raises Error for an unknown name."""
        rows = []
        row = self._row(rows)
        with self._alone:
            self._check(self._lib.sb_session_parameters(self._open(), _bytes(kind), _bytes(name), row, None))
        return Table.of_rows(rows)

    def __dir__(self):
        analyses = self.list("analyses")["name"] if self._session is not None else ()
        return [*super().__dir__(), *_COMMANDS, *map(str, analyses)]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def call(problem=(), stepper=(), formulation=(), **options):
            return self.command(name, problem=problem, stepper=stepper, formulation=formulation, **options)

        def call_on_names(*names, **options):
            return self.command(name, *names, **options)

        chosen = call_on_names if name in _COMMANDS_ON_NAMES else call
        chosen.__name__ = name
        chosen.__doc__ = f"Returns the rows of `stepbench {name}` as a Table."
        analyses = self.list("analyses")
        for brief in analyses["brief"][analyses["name"] == name]:
            self._describe(chosen, brief)
        return chosen

    def _describe(self, call, brief):
        """Gives the method of an analysis its signature and its help."""
        options = self.parameters("analyses", call.__name__).rows()
        lines = []
        signature = list(inspect.signature(call).parameters.values())[:-1]
        for option in options:
            kind = inspect.Parameter.KEYWORD_ONLY
            signature.append(inspect.Parameter(option["name"], kind, default=option["default"]))
            unit = f" ({option['unit']})" if option["unit"] else ""
            lines.append(f"{option['name']}{unit}: {option['meaning']}; {option['allowed']}")
        signature.append(inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD))
        call.__signature__ = inspect.Signature(signature)
        lines.append("options: jobs, seconds, columns, ...; progress: a function, see Bench.command")
        call.__doc__ = "\n\n".join([f"Returns a Table: {brief}.", *lines])

    def _row(self, rows):
        """Returns a callback that appends rows of numbers (NaN for an empty cell) and texts to a list."""

        def row(_, count, numbers, texts):
            words = [None if text is None else _decode(text) for text in texts[:count]]
            return self._guard(lambda: rows.append([x if w is None else w for x, w in zip(numbers[:count], words)]))

        return ROW(row)

    @contextlib.contextmanager
    def _calling(self, progress):
        """Yields the session for a command or a run, and passes its progress to a function (None: to none)."""
        session = self._open()
        watch = PROGRESS(lambda _, done, total, what: self._guard(lambda: progress(done, total, _decode(what))))
        self._lib.sb_session_watch(session, watch if progress else PROGRESS(), None)
        self._calls = True
        try:
            yield session
        finally:
            self._calls = False
            self._lib.sb_session_watch(session, PROGRESS(), None)
            while self._dropped:
                self._lib.sb_session_system_close(self._dropped.pop())
        if self._lib.sb_session_interrupted(session):
            raise KeyboardInterrupt from self._raised  # which ctypes may have lost, or turned into an error of its own

    # ---- Systems and runs. ----

    def system(self, problem, formulation=()):
        """Returns the System of a problem under formulations, the innermost first. Raises Error for bad ones."""
        formulations = [formulation] if isinstance(formulation, str) else list(formulation)
        array = (ctypes.c_char_p * len(formulations))(*[_bytes(word) for word in formulations])
        with self._alone:
            handle = self._lib.sb_session_system_open(self._open(), _bytes(problem), len(formulations), array)
            if not handle:
                self._fail(-2)
            return System(self, handle, True)

    def run(
        self, problem, stepper, h, steps=None, formulation=(), every=1, q0=None, v0=None, t0=0.0, progress=None, t_end=None
    ):
        """Runs `steps` steps of length h (s), or as many as end at t_end (s), and returns the Motion, sampled every
        `every` steps and at the end.

        The run starts from the initial state of the problem, or from q0 and v0, shape (n,), at t0 (s). `problem` is a
        specification or a System. progress(done, total, "") is called at samples, as by `command`, with numbers of
        steps. Raises Error for bad usage and what a callback raises; a run that fails numerically
        is returned up to there, with the message in Motion.failure."""
        system = problem if isinstance(problem, System) else self.system(problem, formulation)
        if system._bench is not self:
            raise Error("the system belongs to another bench", -2)
        if (steps is None) == (t_end is None):
            raise Error("the length of a run is given by steps or by t_end, by one of them", -2)
        h = float(h)
        if steps is None:
            begin = t0 if q0 is not None else system.initial()[0]
            steps = round((t_end - begin) / h) if h else 0
            if abs(begin + steps * h - t_end) > 1e-9 * abs(t_end - begin):  # as for --t-end
                raise Error(f"t_end={t_end:g} s is not a whole number of steps of h={h:g} s after t={begin:g} s", -2)
        if int(steps) != steps or int(every) != every:
            raise Error(f"steps={steps} and every={every} must be whole numbers", -2)
        steps, every = int(steps), int(every)
        if max(abs(steps), abs(every)) > _STEPS_MAX:  # ctypes would pass on the last 64 bits
            raise Error(f"steps={steps} and every={every}: a run has at most {_STEPS_MAX} steps", -2)
        if (q0 is None) != (v0 is None):
            raise Error("a start is given by q0 and v0, both or none", -2)
        if q0 is not None:
            q0, v0 = system._state(q0, v0)
        if not math.isfinite(t0) or (q0 is None and t0 != 0.0):
            raise Error(f"t0={t0:g}: t0 is the time of the start that q0 and v0 give, a finite number", -2)
        room = max(0, steps) // max(1, every) + 2
        t, kinetic, potential = np.zeros(room), np.zeros(room), np.zeros(room)
        q, v, lam = np.zeros((room, system.n)), np.zeros((room, system.n)), np.zeros((room, system.m))
        samples = ctypes.c_long()
        start = [None if x is None else x.ctypes.data for x in (q0, v0)]
        arrays = t, q, v, lam, kinetic, potential
        handle, word = system._open(), _bytes(stepper)
        with self._alone:
            with self._calling(progress):
                status = self._lib.sb_session_run(handle, word, h, steps, every, t0, *start, *arrays, samples)
            if status < 0 or self._raised is not None:
                self._fail(status)
            failure = self._message() if status > 0 else None
        count = samples.value
        return Motion(*(x[:count] for x in arrays), failure)

    # ---- Callbacks. ----

    def stepper(self, name=None, order=1, supports="", keeps="", start=None, vectors=0, multistep=False, brief=None):
        """Returns a decorator that registers a function (system, t, h, q, v) -> (q1, v1) as a stepper of this session.

        The function takes one step of length h (s) from t (s) with a System; q, v, q1 and v1 have the shape (n,). It
        is a pure map: the same input gives the same output. name: the function's own by default; a function of the
        same name that was registered before is replaced. order: the claimed order. supports: the features of a problem
        that the stepper takes beyond a constant mass and a potential, as a list or joined by commas: forces, holonomic,
        curved, variable-mass, ... keeps: what it keeps to round-off, in the same form: position, tangency, momenta,
        energy, reversibility. A stepper that carries more than q and v from step to step has `vectors` arrays of shape (n,)
        and a function start(system, t, h, q, v) that returns them; it is then (system, t, h, q, v, *arrays) -> (q1, v1,
        *arrays1). multistep: the arrays belong to points at equal distances; before a step of another length than the
        last one, `start` is called again. A step that fails numerically raises Error(message)."""
        if not all(isinstance(x, (int, np.integer)) and 0 <= x <= _INT_MAX for x in (order, vectors)):
            raise Error(f"order={order!r} and vectors={vectors!r} must be whole numbers from 0 on", -2)
        if (start is None) != (vectors == 0):
            raise TypeError(f"a stepper has start and vectors, both or none; vectors={vectors}, start={start}")
        if multistep and start is None:
            raise TypeError("a multistep stepper keeps its earlier points in `vectors`, which `start` returns")

        def register(function):
            def step(_, handle, t, h, q, v, memory, q1, v1, memory1):
                def body():
                    with contextlib.closing(System(self, handle, False)) as system:
                        n = system.n
                        first = _array(q, n), _array(v, n)
                        carried = [_part(memory1, i, n) for i in range(vectors)]
                        if q1 is not None:
                            more = [_part(memory, i, n).copy() for i in range(vectors)]
                            values = function(system, t, h, *first, *more)
                            _store((_part(q1, 0, n), _part(v1, 0, n), *carried), values, "the step")
                        else:
                            values = start(system, t, h, *first)
                            _store(carried, values if isinstance(values, tuple) else (values,), "its start")

                return self._guard(body)

            add = self._lib.sb_session_add_stepper
            words = _bytes(_joined(supports)), _bytes(_joined(keeps)), vectors, bool(multistep)
            self._register(add, STEP(step), function, name, brief, order, *words)
            return function

        return register

    def force(self, name=None, brief=None):
        """Returns a decorator that registers a function (t, q, v) -> f as a formulation.

        The formulation adds f, shape (n,), to the force of a problem; t in s, q and v of shape (n,). A formulation of
        the same name that was registered before is replaced."""

        def register(function):
            def force(_, t, n, q, v, f):
                return self._guard(lambda: _store((_part(f, 0, n),), (function(t, _array(q, n), _array(v, n)),), "a force"))

            self._register(self._lib.sb_session_add_force, FORCE(force), function, name, brief)
            return function

        return register

    def problem(self, name=None, brief=None):
        """Returns a decorator that registers a class as a problem of this session, d/dt (M v) = T_q - V_q + f + G' lam.

        Its members, of n coordinates q and m constraints (t in s, q and v of shape (n,)):
        start: (q, v) or (t, q, v), or a method that returns them. M: the mass matrix (n, n), or a method M(q).
        V(q): the potential energy; none without it. f(t, q, v): further forces (n,). g(q): constraints (m,).
        Derivatives, differences where they are missing: V_q(q) (n,), V_qq(q) (n, n), M_q(q) (n, n, n) with
        M_q[i, j, k] = dM_ij/dq_k, f_q(t, q, v) and f_v(t, q, v) (n, n), G(q) (m, n), g_qq(q, w) = sum_i w_i Hess g_i.
        time_scale (s, default 1): the shortest time in which the motion changes. period (s, default 0, unknown): of
        the motion from the start. degree: that of g as a polynomial, if it is 2 or less. parameters: a dictionary of
        real parameters and their defaults, the attributes of self. picture: points and lines in CSV that animate draws
        (docs/adding-a-problem.md).

        A problem of the same name that was registered before is replaced. bench.check(name) compares derivatives with
        differences. Raises TypeError for a method that is no term."""

        def register(cls):
            problems.check(cls)
            defaults = {key: float(value) for key, value in getattr(cls, "parameters", {}).items()}
            known = {}

            def term(_, parameters, symbol, t, q, v, w, out):
                def body():
                    values = tuple(_part(parameters, 0, len(defaults)))
                    if values not in known:
                        known[values] = problems.Terms(cls(), dict(zip(defaults, values)))
                    terms = known[values]
                    sizes = ((q, terms.n), (v, terms.n), (w, terms.m))
                    point = [None if x is None else _array(x, size) for x, size in sizes]
                    result = terms.evaluate(symbol.decode(), t, *point)
                    _part(out, 0, len(result))[:] = result

                return self._guard(body)

            names = (ctypes.c_char_p * len(defaults))(*[_bytes(key) for key in defaults])
            numbers = (ctypes.c_double * len(defaults))(*defaults.values())
            add = self._lib.sb_session_add_problem
            picture = getattr(cls, "picture", None)
            drawn = _bytes(picture) if picture is not None else None
            self._register(add, TERM(term), cls, name, brief, len(defaults), names, numbers, drawn)
            return cls

        return register

    def _register(self, add, callback, function, name, brief, *more):
        name = name or function.__name__
        brief = brief or ((function.__doc__ or "").strip() or "given by a Python callback").splitlines()[0]
        with self._alone:
            self._check(add(self._open(), _bytes(name), _bytes(brief), *more, callback, None))
        self._kept.append(callback)

    def _guard(self, body):
        """Returns what a callback returns: an exception cannot pass through C."""
        try:
            try:
                body()
                return DONE
            except Error as error:
                if error.status > 0:
                    self._lib.sb_session_explain(self._session, _encode(str(error)))
                    return FAILED
                self._keep(error)
            except BaseException as error:  # KeyboardInterrupt, too
                self._keep(error)
        except BaseException as error:  # a second one, on the way
            self._raised = error
        return ERROR

    def _keep(self, error):
        """Keeps an exception for the call that led here, which raises it. A child process of an analysis can only send
        a sentence and the text of the traceback."""
        self._raised = error
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = "".join(traceback.format_exception_only(type(error), error)).strip()
        reason = f"{reason} ({place.filename}, line {place.lineno})"
        self._lib.sb_session_explain(self._session, _encode(reason))
        if os.getpid() != self._process:
            text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
            try:
                os.write(self._tracebacks[1], _encode(text)[1 - _TRACEBACK_MAX :] + b"\0")
            except BlockingIOError:
                pass  # those that came before are enough

    def _take_traceback(self):
        """Returns the first traceback that child processes have sent, or None, and drops the others."""
        try:
            return os.read(self._tracebacks[0], 1 << 16).decode(errors="replace").split("\0")[0]
        except BlockingIOError:
            return None

    # ---- Failures. ----

    def _open(self):
        """Returns the session for a new call, without the exceptions of earlier ones."""
        if self._session is None:
            raise Error("the bench is closed", -2)
        if self._calls:
            raise Error("a callback cannot use the bench that called it; it may use its system, or another bench", -2)
        self._raised = None
        self._take_traceback()
        return self._session

    def _free(self, system):
        """Frees a system; one that is dropped during a command or run, after the next one."""
        try:
            with self._alone:
                if not self._calls:
                    self._lib.sb_session_system_close(system._handle)
                    return
        except Error:
            pass  # another thread is at work
        self._dropped.append(system._handle)

    def _message(self):
        return _decode(self._lib.sb_session_message(self._session))

    def _fail(self, status):
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        text = self._take_traceback()
        raise Error(self._message() or f"status {status}", status) from (_CallbackTraceback(text) if text else None)

    def _check(self, status):
        if status != 0:
            self._fail(status)


# ---- Between Python and C. ----


def _part(address, i, n):
    """Returns the i-th vector of n numbers at an address, as a view."""
    return np.frombuffer((ctypes.c_double * n).from_address(address + 8 * i * n)) if n > 0 else np.zeros(0)


def _array(address, n):
    """Returns a copy, so that a callback cannot change the state of the run."""
    return _part(address, 0, n).copy()


def _store(targets, values, what):
    if not isinstance(values, tuple) or len(values) != len(targets):
        count = len(values) if isinstance(values, tuple) else 1
        raise TypeError(f"{what} has to return {len(targets)} arrays and returns {count}")
    for target, value in zip(targets, values):
        target[:] = reals(value, len(target))


def _decode(text):
    return text.decode(errors="replace")


def _bytes(text):
    """Returns the bytes of a name, a path or a text for C; raises Error for a NUL, which would end it there."""
    name = os.fsencode(text)
    if b"\0" in name:
        raise Error(f"{text!r} has a NUL character, which no name or text may have", -2)
    return name


def _joined(words):
    return words if isinstance(words, str) else ",".join(words)


def _encode(text):
    return text.encode(errors="backslashreplace")


def _text(value):
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_text(x) for x in value)
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
