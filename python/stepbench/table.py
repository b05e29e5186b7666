"""Tables of rows and samples of runs, as arrays with names; shown as text, HTML, pandas data frames and figures."""

import html

import numpy as np

_SHOWN = 20  # rows; of more, the first and the last ten


class Table(dict):
    """Rows of a command: a dictionary from the names of the columns to arrays of shape (rows,).

    A column is of floats if every cell is a number or empty (NaN), otherwise of texts. `traceback` is the text of the
    traceback of the first exception that a callback raised while the rows were computed, or None. `measured` has what
    was measured in place of options, a text per problem: "kepler: --weights=..., measured"."""

    traceback = None
    measured = ()

    @classmethod
    def of_rows(cls, rows):
        """Returns the table of a list of rows, whose first one has the names of the columns."""
        return cls((column[0], _column(column[1:])) for column in zip(*rows))

    def __len__(self):
        return len(next(iter(self.values()), ()))

    @property
    def columns(self):
        """The names of the columns, a list."""
        return list(self.keys())

    def rows(self):
        """Returns the rows as a list of dictionaries."""
        return [dict(zip(self, cells)) for cells in zip(*self.values())]

    def where(self, **cells):
        """Returns the rows that have these cells: table.where(stepper="verlet"). Raises KeyError for no column."""
        chosen = np.ones(len(self), dtype=bool)
        for name, value in cells.items():
            chosen &= self[name] == value
        return self._of(lambda column: column[chosen])

    def _of(self, change):
        table = Table((name, change(column)) for name, column in self.items())
        table.traceback = self.traceback
        table.measured = self.measured
        return table

    def to_pandas(self):
        """Returns a pandas.DataFrame with these columns. Raises ImportError without pandas."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas; install it (pip install pandas)") from None
        return pandas.DataFrame(dict(self))

    def plot(self, x, y, by=None, ax=None, log=True):
        """Draws the column y against the column x with matplotlib and returns the Axes.

        by: a column, for each value of which there is a line with that name. log: both axes are logarithmic. Rows
        without a number in x or y are left out. Raises KeyError for no column, ImportError without matplotlib."""
        xs, ys = self[x], self[y]
        for name, column in ((x, xs), (y, ys)):
            if column.dtype.kind != "f":
                raise TypeError(f"the column {name} has texts; plot draws numbers")
        keys = self[by] if by is not None else np.zeros(len(self))
        ax = new_axes(ax)
        given = np.isfinite(xs) & np.isfinite(ys)
        for key in dict.fromkeys(keys):
            chosen = given & (keys == key)
            ax.plot(xs[chosen], ys[chosen], marker="o", label=None if by is None else str(key))
        if log:
            ax.set_xscale("log")
            ax.set_yscale("log")
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        if by is not None:
            ax.legend(title=by)
        return ax

    def _cells(self):
        """Returns the names of the columns that are not empty, and the texts of the rows to show."""
        filled = [name for name, column in self.items() if column.dtype.kind != "f" or not np.all(np.isnan(column))]
        count = len(self)
        numbers = range(count)
        if count > _SHOWN:
            numbers = [*range(_SHOWN // 2), None, *range(count - _SHOWN // 2, count)]
        rows = [["..." if i is None else _cell(self[name][i]) for name in filled] for i in numbers]
        return filled, rows

    def _size(self):
        return f"{len(self)} rows, {len(self.keys())} columns"

    def __repr__(self):
        """Aligned text with six digits; empty columns and the middle of many rows are left out."""
        names, rows = self._cells()
        if not names:
            return f"[{self._size()}]"
        widths = [max(map(len, column)) for column in zip(names, *rows)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [names, *rows]]
        return "\n".join([*lines, f"[{self._size()}]"])

    def _repr_html_(self):
        names, rows = self._cells()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{self._size()}</p>"


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

    def __repr__(self):
        if len(self.t) == 0:
            return f"Motion without samples; {self.failure}"
        end = "" if self.failure is None else f"; {self.failure}"
        span = f"t = {self.t[0]:g}..{self.t[-1]:g} s"
        return f"Motion of {self.q.shape[1]} coordinates, {len(self.t)} samples, {span}{end}"

    def plot(self, what="q", ax=None):
        """Draws q, v, lam (each component a line) or energy over time with matplotlib and returns the Axes.

        Raises ImportError without matplotlib, ValueError for another word."""
        known = ("q", "v", "lam", "energy", "kinetic", "potential")
        if what not in known:
            raise ValueError(f"there is nothing to plot named {what!r}; there are {', '.join(known)}")
        values = getattr(self, what)
        ax = new_axes(ax)
        for i, component in enumerate(values.T if values.ndim == 2 else [values]):
            ax.plot(self.t, component, label=f"{what}{i}" if values.ndim == 2 else what)
        ax.set_xlabel("t (s)")
        ax.legend()
        return ax


def new_axes(ax):
    """Returns `ax`, or the Axes of a new figure. Raises ImportError without matplotlib."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot needs matplotlib; install it (pip install matplotlib)") from None
    return pyplot.subplots()[1]


def _cell(value):
    return value if isinstance(value, str) else "" if value != value else f"{value:.6g}"


def _column(cells):
    if all(isinstance(cell, float) for cell in cells):
        return np.array(cells, dtype=np.float64)
    return np.array([cell if isinstance(cell, str) else "" if cell != cell else f"{cell:.17g}" for cell in cells])
