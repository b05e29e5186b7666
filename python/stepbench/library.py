"""Finds and loads the library libstepbench_session, whose interface is bench/session/session.h."""

import ctypes
import importlib.metadata
import json
import os
import pathlib
import shutil
import urllib.parse
import urllib.request


def _pin_arithmetic():
    """Selects the OpenBLAS kernel of the stepbench program, so that both compute the same digits.

    OpenBLAS reads the variable when it is loaded, and numpy may load it: a program that imports numpy before this
    package sets OPENBLAS_CORETYPE itself. A value that is set already stays."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), [])
    except OSError:
        flags = []
    if "avx2" in flags and "fma" in flags:  # OpenBLAS does not check
        os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")


_pin_arithmetic()

import numpy as np  # noqa: E402

NAME = "libstepbench_session.so"
_VERSION = 11  # of bench/session/session.h
ERROR, DONE, FAILED = 0, 1380012097, 1380012098  # what a callback returns; ctypes returns any number for an exception that it drops

_pointer, _real, _text, _int, _long = ctypes.c_void_p, ctypes.c_double, ctypes.c_char_p, ctypes.c_int, ctypes.c_long
_REALS = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")
_DOUBLES, _TEXTS, _COUNT = ctypes.POINTER(_real), ctypes.POINTER(_text), ctypes.POINTER(_int)
# Callbacks get their numbers as addresses.
STEP = ctypes.CFUNCTYPE(_int, _pointer, _pointer, _real, _real, *[_pointer] * 6)
FORCE = ctypes.CFUNCTYPE(_int, _pointer, _real, _int, *[_pointer] * 3)
PROGRESS = ctypes.CFUNCTYPE(_int, _pointer, _real, _real, _text)
TERM = ctypes.CFUNCTYPE(_int, _pointer, _pointer, _text, _real, *[_pointer] * 4)
ROW = ctypes.CFUNCTYPE(_int, _pointer, _int, _DOUBLES, _TEXTS)

_AROUND_FORKS = (
    "PyGILState_Ensure", "PyOS_BeforeFork", "PyOS_AfterFork_Parent", "PyOS_AfterFork_Child", "PyGILState_Release",
)  # fmt: skip

_SIGNATURES = {
    "sb_session_interrupted": (_int, [_pointer]),
    "sb_session_around_forks": (None, [_pointer] * 5),
    "sb_session_open": (_pointer, []),
    "sb_session_close": (None, [_pointer]),
    "sb_session_message": (_text, [_pointer]),
    "sb_session_measured": (_text, [_pointer]),
    "sb_session_load": (_int, [_pointer, _text]),
    "sb_session_engine": (_int, [_pointer, _text]),
    "sb_session_command": (_int, [_pointer, _int, _TEXTS, ROW, _pointer]),
    "sb_session_watch": (None, [_pointer, PROGRESS, _pointer]),
    "sb_session_parameters": (_int, [_pointer, _text, _text, ROW, _pointer]),
    "sb_session_system_open": (_pointer, [_pointer, _text, _int, _TEXTS]),
    "sb_session_system_close": (None, [_pointer]),
    "sb_session_system_size": (_int, [_pointer, _COUNT, _COUNT]),
    "sb_session_system_initial": (_int, [_pointer, _DOUBLES, _REALS, _REALS]),
    "sb_session_system_acceleration": (_int, [_pointer, _real, *[_pointer] * 4]),
    "sb_session_system_energy": (_int, [_pointer, _real, _pointer, _pointer, _DOUBLES, _DOUBLES]),
    "sb_session_system_term": (_int, [_pointer, _text, _real, *[_pointer] * 3, _COUNT, _COUNT, _pointer]),
    "sb_session_system_project": (_int, [_pointer, _real, _REALS, _REALS]),
    "sb_session_run": (
        _int,
        [_pointer, _text, _real, _long, _long, _real, _pointer, _pointer, *[_REALS] * 6, ctypes.POINTER(_long)],
    ),
    "sb_session_explain": (None, [_pointer, _text]),
    "sb_session_add_stepper": (_int, [_pointer, _text, _text, _int, _text, _text, _int, _int, STEP, _pointer]),
    "sb_session_add_force": (_int, [_pointer, _text, _text, FORCE, _pointer]),
    "sb_session_add_problem": (_int, [_pointer, _text, _text, _int, _TEXTS, _DOUBLES, _text, TERM, _pointer]),
}


def load(library=None):
    """Returns the loaded library. Raises ImportError where no file is found, its interface has another version, or this
    is not the main interpreter of the process: C cannot call back into another one."""
    if hasattr(ctypes, "pythonapi"):  # CPython
        for place in ("PyInterpreterState_Get", "PyInterpreterState_Main"):
            getattr(ctypes.pythonapi, place).restype = _pointer
        if ctypes.pythonapi.PyInterpreterState_Get() != ctypes.pythonapi.PyInterpreterState_Main():
            raise ImportError("stepbench works in the main interpreter of a process, and not in a subinterpreter")
    candidates = [pathlib.Path(path) for path in (library, os.environ.get("STEPBENCH_LIBRARY")) if path]
    for path in candidates[:1]:  # named: no other one is meant
        if not path.exists():
            raise ImportError(f"the library of stepbench is named as {path}, and there is no such file")
    found = next((path for path in [*candidates, *_places()] if path.exists()), None)
    if found is None:
        raise ImportError(
            f"{NAME} was not found. Build stepbench (make, or cmake --build build), put an installed stepbench on "
            f"PATH, or set STEPBENCH_LIBRARY to the file {NAME}"
        )
    for prefix in found.resolve().parents[1:4]:  # of an installed tree: lib/stepbench/, lib/ARCHITECTURE/stepbench/
        if (prefix / "share/stepbench/claims.csv").exists():
            os.environ.setdefault("STEPBENCH_DATA", str(prefix / "share/stepbench"))
    lib = ctypes.CDLL(str(found))
    if lib.sb_session_version() != _VERSION:
        raise ImportError(f"{found} has the interface {lib.sb_session_version()}, this package needs {_VERSION}")
    for function, (result, arguments) in _SIGNATURES.items():
        getattr(lib, function).restype = result
        getattr(lib, function).argtypes = arguments
    if hasattr(ctypes, "pythonapi"):  # CPython: callbacks in child processes, while other threads have the lock
        lib.sb_session_around_forks(*[ctypes.cast(getattr(ctypes.pythonapi, name), _pointer) for name in _AROUND_FORKS])
    return lib


def _places():
    """Yields where the library may be: in the wheel, in the build tree or the installed tree that has this file, or
    from which pip installed it, and in that of the program on PATH."""
    yield pathlib.Path(__file__).resolve().parent / "lib/stepbench" / NAME
    here = pathlib.Path(__file__).resolve().parent.parent
    program = shutil.which("stepbench")
    program = pathlib.Path(program).resolve().parent if program is not None else None
    folders = [here, *_source_of_install()]
    builds = [folder.parent / "build" for folder in folders] + [program]
    prefixes = [folder.parent.parent.parent for folder in folders] + [program and program.parent]
    yield from (build / NAME for build in builds if build is not None)
    for prefix in filter(None, prefixes):
        yield from sorted(prefix.glob("lib*/stepbench/" + NAME))
        yield from sorted(prefix.glob("lib/*/stepbench/" + NAME))


def _source_of_install():
    """Yields the directory from which pip installed this package, as pip recorded it (PEP 610)."""
    try:
        record = importlib.metadata.distribution("stepbench").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return
    url = urllib.parse.urlparse(json.loads(record)["url"]) if record else None
    if url is not None and url.scheme == "file":
        yield pathlib.Path(urllib.request.url2pathname(url.path))
