"""Problems written in Python: a class with the terms as methods; derivatives that it lacks are differences.

Differences are central ones of five points, (8 (y(+d) - y(-d)) - (y(+2d) - y(-2d)))/(12 d), with an error of d^4 and a
round-off of eps/d: d = eps^(1/5) leaves eps^(4/5) = 3e-13 of the size of y. Second differences of one term leave
eps^(3/5) = 4e-10, which is enough for the matrices of Newton's method."""

import inspect

import numpy as np

from .system import reals

_WIDTH = np.finfo(float).eps ** 0.2
_METHODS = ("M", "M_q", "V", "V_q", "V_qq", "f", "f_q", "f_v", "g", "G", "g_qq", "start")


def along(function, x, direction):
    """Returns the derivative of function(x) in a direction, in the shape of its values."""
    d = _WIDTH * max(1.0, np.abs(x).max()) / (np.abs(direction).max() or 1.0)

    def difference(width):
        return np.asarray(function(x + width * direction), float) - np.asarray(function(x - width * direction), float)

    return (8.0 * difference(d) - difference(2.0 * d)) / (12.0 * d)


def derivative(function, x):
    """Returns the derivatives of function(x), a number or an array, by the components of x, along a last axis."""
    d = _WIDTH * max(1.0, np.abs(x).max())

    def at(i, shift):
        y = x.copy()
        y[i] += shift
        return function(y)

    columns = [
        (8.0 * (at(i, d) - at(i, -d)) - (at(i, 2.0 * d) - at(i, -2.0 * d))) / (12.0 * d) for i in range(len(x))
    ]
    return np.moveaxis(np.array(columns), 0, -1)


class Terms:
    """The terms of a problem with one set of parameters, under the symbols of the interface in C."""

    def __init__(self, problem, parameters):
        self.problem = problem
        for name, value in parameters.items():
            setattr(problem, name, value)
        for name in ("start", "M"):
            if not hasattr(problem, name):
                raise TypeError(f"the problem {type(problem).__name__} lacks {name}")
        start = problem.start() if callable(problem.start) else problem.start
        if not isinstance(start, tuple) or len(start) not in (2, 3):
            raise TypeError("start has to be (q, v) or (t, q, v)")
        *t, q, v = start
        self.n = len(np.atleast_1d(q))
        self.start = np.concatenate([[t[0] if t else 0.0], reals(q, self.n), reals(v, self.n)])
        self.mass = problem.M if callable(problem.M) else None
        self.constant_mass = None if self.mass else reals(problem.M, (self.n, self.n))
        self.m = len(np.atleast_1d(problem.g(self.start[1 : self.n + 1]))) if self._has("g") else 0
        self.symbols = {
            "size": self._size,
            "start": lambda t, q, v, w: self.start,
            "M": lambda t, q, v, w: self._M(q),
            "T_q": lambda t, q, v, w: np.einsum("i,ijk,j", v, self._M_q(q), v) / 2.0,
            "T_qq": lambda t, q, v, w: derivative(lambda x: np.einsum("i,ijk,j", v, self._M_q(x), v), q) / 2.0,
            "T_vq": lambda t, q, v, w: np.einsum("ijk,j", self._M_q(q), v),
            "V": lambda t, q, v, w: np.atleast_1d(float(problem.V(q))),
            "V_q": lambda t, q, v, w: self._V_q(q),
            "V_qq": lambda t, q, v, w: self._given("V_qq", self._V_q, q, (self.n, self.n)),
            "f": lambda t, q, v, w: reals(problem.f(t, q, v), self.n),
            "f_q": lambda t, q, v, w: self._f_x("f_q", lambda x: np.asarray(problem.f(t, x, v), float), q, t, q, v),
            "f_v": lambda t, q, v, w: self._f_x("f_v", lambda x: np.asarray(problem.f(t, q, x), float), v, t, q, v),
            "g": lambda t, q, v, w: self._g(q),
            "G": lambda t, q, v, w: self._G(q).T,
            "Hess g": lambda t, q, v, w: self._g_qq(q, w),
            "curvature": lambda t, q, v, w: along(lambda x: self._G(x) @ v, q, v),
        }

    def _has(self, name):
        return hasattr(self.problem, name)

    def _given(self, name, of, q, shape):
        """Returns the derivative by q of a term, by the problem's method or by differences."""
        return reals(getattr(self.problem, name)(q) if self._has(name) else derivative(of, q), shape)

    def _size(self, t, q, v, w):
        problem = self.problem
        return np.array([
            self.n, self.m, getattr(problem, "time_scale", 1.0), self.mass is not None, self._has("V"), self._has("f"),
            getattr(problem, "degree", -1), getattr(problem, "period", 0.0),
        ], dtype=float)  # fmt: skip

    def _M(self, q):
        return self.constant_mass if self.mass is None else reals(self.mass(q), (self.n, self.n))

    def _M_q(self, q):
        return self._given("M_q", self._M, q, (self.n, self.n, self.n))

    def _V_q(self, q):
        return self._given("V_q", lambda x: float(self.problem.V(x)), q, (self.n,))

    def _f_x(self, name, of, x, t, q, v):
        matrix = getattr(self.problem, name)(t, q, v) if self._has(name) else derivative(of, x)
        return reals(matrix, (self.n, self.n))

    def _g(self, q):
        return reals(np.atleast_1d(self.problem.g(q)), self.m)

    def _G(self, q):
        matrix = np.atleast_2d(self.problem.G(q)) if self._has("G") else derivative(self._g, q)
        return reals(matrix, (self.m, self.n))

    def _g_qq(self, q, w):
        matrix = self.problem.g_qq(q, w) if self._has("g_qq") else derivative(lambda x: self._G(x).T @ w, q)
        return reals(matrix, (self.n, self.n))

    def evaluate(self, symbol, t, q, v, w):
        """Returns the values of a term, matrices by columns."""
        return np.ravel(self.symbols[symbol](t, q, v, w), order="F")


def check(problem):
    """Raises TypeError for a class that has something that is no term, such as a misspelt method."""
    known = {*_METHODS, "parameters", "time_scale", "period", "degree", "picture"}
    for name, member in vars(problem).items():
        if not name.startswith("_") and inspect.isfunction(member) and name not in known:
            raise TypeError(
                f"{problem.__name__}.{name} is no term of a problem; there are {', '.join(_METHODS)}; "
                "a function of its own begins with _"
            )
