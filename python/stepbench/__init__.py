"""stepbench from Python: list, run, analyse and compare, with steppers, forces and problems written in Python.

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
STEPBENCH_LIBRARY names it where it is not found. Units are those of the parameters of a problem, SI by default. pandas
and matplotlib are needed only by to_pandas and plot."""

from .bench import Bench
from .system import Error, System
from .table import Motion, Table

__version__ = "0.1.0"  # of CMakeLists.txt
__all__ = ["Bench", "Error", "Motion", "System", "Table"]
