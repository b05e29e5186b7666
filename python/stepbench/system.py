"""Systems: a problem under its formulations, whose terms are arrays."""

import ctypes

import numpy as np


class Error(Exception):
    """The message of a failed call. `status` is that of stepbench/status.h: positive where a smaller step may help.

    A callback that raises Error with a positive status reports a numerical failure: the run ends, and an analysis goes
    on with its next run. Any other exception ends the call."""

    def __init__(self, message, status=1):
        super().__init__(message)
        self.status = status


def reals(x, shape):
    """Returns x as contiguous floats; raises Error if its shape is another one, TypeError if x is complex or a text."""
    shape = (shape,) if isinstance(shape, int) else shape
    if type(x) is np.ndarray and x.dtype == np.float64 and x.shape == shape and x.flags.c_contiguous:
        return x
    array = np.asarray(x)
    if np.ma.is_masked(x):
        raise Error("an array with masked numbers was given where all numbers are wanted", -2)
    if array.dtype.kind not in "biufO":
        raise TypeError(f"real numbers are wanted, not {array.dtype}: {array}")
    array = np.ascontiguousarray(array, dtype=np.float64)
    if array.shape != shape:
        wanted = f"{shape[0]} numbers are" if len(shape) == 1 else f"the shape {shape} is"
        raise Error(f"an array of shape {array.shape} was given where {wanted} wanted", -2)
    return array


def address(x):
    """Returns the address of an array's numbers, in a fifth of the time of x.ctypes.data where they may be written."""
    return ctypes.addressof(ctypes.c_char.from_buffer(x)) if x.size > 0 and x.flags.writeable else x.ctypes.data


class System:
    """A problem under its formulations, with n coordinates and m multipliers:

        M(q) v' = T_q - T_vq v - V_q + f(t, q, v) + G(q)' lam,   g(q) = 0,   T = v' M(q) v / 2.

    Subscripts are derivatives. Arguments are t (s) and arrays q, v of shape (n,); results are new arrays in the units
    of the problem, SI by default. A term that the problem lacks is zero. Every method raises Error: for an array of
    another shape, outside the domain of a term (status > 0), and after close()."""

    def __init__(self, bench, handle, owned):
        self._bench, self._handle, self._owned = bench, handle, owned
        n, m = ctypes.c_int(), ctypes.c_int()
        bench._lib.sb_session_system_size(handle, n, m)
        self.n, self.m = n.value, m.value
        self._sizes = {}

    def close(self):
        """Frees the system; its methods raise Error from then on. The system of a callback ends with the callback."""
        if self._owned and self._handle is not None and self._bench._session is not None:
            self._bench._free(self)
        self._handle = None

    __del__ = close

    def __reduce__(self):
        raise TypeError("a System belongs to its Bench and cannot be copied or pickled")

    def _open(self):
        """Returns the handle for a call."""
        if self._handle is None or self._bench._session is None:
            raise Error("the system is closed", -2)
        return self._handle

    def _call(self, function, *arguments):
        with self._bench._alone:
            self._bench._check(getattr(self._bench._lib, "sb_session_system_" + function)(self._open(), *arguments))

    def _state(self, *arrays):
        self._open()
        return [reals(x, self.n) for x in arrays]

    def initial(self):
        """Returns the initial state of the problem: t (s), q and v, shape (n,)."""
        self._state()
        t, q, v = ctypes.c_double(), np.zeros(self.n), np.zeros(self.n)
        self._call("initial", t, q, v)
        return t.value, q, v

    def acceleration(self, t, q, v):
        """Returns the accelerations of the index-1 equations, shape (n,)."""
        q, v = self._state(q, v)
        a = np.zeros(self.n)
        self._call("acceleration", t, address(q), address(v), address(a), None)
        return a

    def energy(self, q, v, t=0.0):
        """Returns the kinetic and the potential energy at t (J)."""
        q, v = self._state(q, v)
        kinetic, potential = ctypes.c_double(), ctypes.c_double()
        self._call("energy", t, address(q), address(v), kinetic, potential)
        return kinetic.value, potential.value

    def project(self, t, q, v):
        """Returns the velocity nearest to v in the metric of M that satisfies the constraints at q, shape (n,)."""
        q, v = self._state(q, np.array(v, dtype=np.float64))
        self._call("project", t, q, v)
        return v

    # ---- Terms. ----

    def term(self, symbol, t=0.0, q=None, v=None, w=None):
        """Returns any term by its symbol ("M", "V_q", "A", "xi", ...; analysis/system/terms.h), vectors with shape
        (rows,), matrices with shape (rows, columns) as the interface in C has them: G and A are n x m."""
        point = [self._state(np.zeros(self.n) if x is None else x)[0] for x in (q, v)]
        if w is not None:
            point.append(reals(w, self._size("g")[0]))
        pointers = [address(x) for x in point] + [None] * (3 - len(point))
        rows, columns = self._size(symbol)
        out = np.zeros((max(columns, 1), rows))
        self._evaluate(symbol, t, pointers, address(out))
        return out.T if columns > 0 else out[0]

    def _evaluate(self, symbol, t, pointers, out):
        rows, columns = ctypes.c_int(), ctypes.c_int()
        if "\0" in symbol:
            raise Error(f"no term of a system is named {symbol!r}", -2)
        self._call("term", symbol.encode(), t, *pointers, rows, columns, out)
        return rows.value, columns.value

    def _size(self, symbol):
        """Returns the rows and the columns of a term; a vector has 0 columns."""
        if symbol not in self._sizes:
            self._state()
            self._sizes[symbol] = self._evaluate(symbol, 0.0, [None] * 3, None)
        return self._sizes[symbol]

    def M(self, q):
        """Returns the mass matrix M(q), shape (n, n)."""
        return self.term("M", q=q)

    def T_q(self, q, v):
        """Returns the derivative of the kinetic energy by q, shape (n,); zero for a constant mass matrix."""
        return self.term("T_q", q=q, v=v)

    def T_qq(self, q, v):
        """Returns the second derivative of the kinetic energy by q, shape (n, n)."""
        return self.term("T_qq", q=q, v=v)

    def T_vq(self, q, v):
        """Returns the derivative of M(q) v by q, shape (n, n)."""
        return self.term("T_vq", q=q, v=v)

    def V(self, q, t=0.0):
        """Returns the potential energy at t (J)."""
        return self.energy(q, np.zeros(self.n), t)[1]

    def V_q(self, q, t=0.0):
        """Returns the gradient of the potential energy at t, shape (n,); the force is -V_q."""
        return self.term("V_q", t, q)

    def V_qq(self, q, t=0.0):
        """Returns the Hessian of the potential energy at t, shape (n, n)."""
        return self.term("V_qq", t, q)

    def f(self, t, q, v):
        """Returns the forces without a potential, shape (n,)."""
        return self.term("f", t, q, v)

    def f_q(self, t, q, v):
        """Returns the derivative of f by q, shape (n, n); zero where the problem does not give it."""
        return self.term("f_q", t, q, v)

    def f_v(self, t, q, v):
        """Returns the derivative of f by v, shape (n, n); zero where the problem does not give it."""
        return self.term("f_v", t, q, v)

    def g(self, q, t=0.0):
        """Returns the values of the holonomic constraints at t, shape (number of constraints,)."""
        return self.term("g", t, q)

    def G(self, q, t=0.0):
        """Returns the Jacobian of g at t, shape (number of constraints, n); row i is the gradient of g_i."""
        return self.term("G", t, q).T.reshape(-1, self.n)

    def g_qq(self, q, w):
        """Returns sum_i w_i Hess g_i, shape (n, n), with weights w of shape (number of constraints,)."""
        return self.term("Hess g", q=q, w=w)

    def curvature(self, q, v):
        """Returns v' Hess g_i v for each constraint, shape (number of constraints,)."""
        return self.term("curvature", q=q, v=v)
