"""Writes the C file of a problem from its formulas: python3 stepbench_derive.py FILE.py -o problems/NAME.c

FILE.py sets what docs/adding-a-problem.md lists: name, coordinates, quaternions, parameters, T, V, g, rows, f,
symmetries, outputs, start and picture. SymPy takes the derivatives; common subexpressions are shared and patterns hold no entry
that is always 0.
"""
import argparse
import ast
import contextlib
import json
import re
import sys
import traceback

try:
    import sympy as sp
    from sympy.printing.c import C99CodePrinter
except ImportError:
    sys.exit("stepbench_derive: this Python has no SymPy; install Debian's python3-sympy, or pip install sympy")


class Printer(C99CodePrinter):
    """Prints small integer powers as products, and numbers with the digits of the precision that is compiled for."""

    def _print_Pow(self, expr):
        base, exponent = expr.as_base_exp()
        if exponent.is_Integer and 2 <= exponent <= 4:
            text = self.parenthesize(base, 100)
            return "(" + " * ".join([text] * int(exponent)) + ")"
        return super()._print_Pow(expr)

    def _print_Integer(self, expr):
        return whole(expr)

    def parenthesize(self, item, level, strict=False):
        plain = item.is_Rational and item > 0 and decimal(item) is not None
        return self._print(item) if plain else super().parenthesize(item, level, strict)

    def _print_Rational(self, expr):
        text = decimal(expr)
        if text is None:
            return f"{whole(expr.p)} / (sb_scalar){whole(expr.q)}"
        return text if sp.log(expr.q, 2).is_Integer else f"SB_R({text})"


def whole(number):
    return f"{int(number)}.0" if abs(number) < 2**53 else f"SB_R({int(number)}.0)"


def decimal(number):
    """Returns a rational number as a decimal of at most 25 digits, None if it is none."""
    for digits in range(26):
        if (number * 10**digits).is_Integer:
            whole, rest = divmod(abs(int(number * 10**digits)), 10**digits)
            return f"{'-' if number < 0 else ''}{whole}.{str(rest).zfill(max(1, digits))}"
    return None


class Decimals(ast.NodeTransformer):
    """Makes rational numbers of the decimals in a file: cos(0.9) keeps all digits."""

    def visit_Constant(self, node):
        if not isinstance(node.value, float):
            return node
        call = ast.Call(ast.Name("Rational", ast.Load()), [ast.Constant(repr(node.value))], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


def exact(e):
    """Returns an expression in which numbers that Python has computed are rational numbers, and functions with a kink
    are cases, whose derivatives are those of the cases."""
    e = sp.sympify(e)
    for kinked in (sp.Max, sp.Min, sp.Abs, sp.sign):
        e = e.rewrite(kinked, sp.Piecewise) if e.has(kinked) else e
    for cases in e.atoms(sp.Piecewise):
        if cases.args[-1].cond != True:  # noqa: E712, a condition of SymPy
            fail("a Piecewise has no value where none of its conditions holds: end it with (..., True)")
    return e.xreplace({x: sp.Rational(repr(float(x))) for x in e.atoms(sp.Float)})


def quote(text):
    """Returns a string as C writes it."""
    return json.dumps(text, ensure_ascii=False)


def fail(text):
    sys.exit("stepbench_derive: " + text)


def gradient(e, x):
    """Returns the first derivatives of e, taking those alone that are not 0."""
    own = e.free_symbols
    return [sp.diff(e, a) if a in own else sp.Integer(0) for a in x]


class Sparse(dict):
    """A matrix as {(row, column): entry} of the entries that are not 0."""

    def __missing__(self, at):
        return sp.Integer(0)


def jacobian(values, x):
    """Returns the first derivatives of a list in x, a row for each value."""
    return Sparse({(i, j): d for i, e in enumerate(values) for j, d in enumerate(gradient(e, x)) if d != 0})


def hessian(e, x):
    """Returns the second derivatives of e in x."""
    half = {(i, j): d for i, first in enumerate(gradient(e, x))
            for j, d in enumerate(gradient(first, x[:i + 1])) if d != 0}
    return Sparse({at: d for (i, j), d in half.items() for at in ((i, j), (j, i))})


class Dependent:
    """A coordinate or velocity of the start that the solve for consistency changes, from a guess."""

    def __init__(self, guess=0):
        self.guess = guess


def turn(e, a):
    """Returns the vector a, fixed in a body of the unit quaternion e (scalar first, body to space), in space."""
    s, w = e[0], sp.Matrix(e[1:])
    a = sp.Matrix(a)
    return list((s**2 - w.dot(w)) * a + 2 * w.dot(a) * w + 2 * s * w.cross(a))


def rates(e, ve):
    """Returns the angular velocity of the body in its own frame, the vector part of 2 conj(e) e'."""
    w, u = sp.Matrix(e[1:]), sp.Matrix(ve[1:])
    return list(2 * (e[0] * u - ve[0] * w - w.cross(u)))


def turning_energy(e, ve, J):
    """Returns the kinetic energy of turning for three principal moments of inertia. A fourth term, which vanishes on
    e.e = 1, makes the mass matrix regular."""
    along = 2 * sum(a * b for a, b in zip(e, ve))
    return (sum(a * w**2 for a, w in zip(J, rates(e, ve))) + sum(J) / sp.Integer(3) * along**2) / 2


class Model:
    """What FILE.py sets, as expressions in the symbols of the C code."""

    def __init__(self, path):
        self.t = sp.Symbol("t", real=True)
        self.params, self.q, self.v, self.names = [], [], [], []
        self.quaternions = []
        functions = ("sin cos tan asin acos atan atan2 sinh cosh tanh asinh exp log sqrt Abs sign Max Min Piecewise Rational "
                     "pi")
        space = {name: getattr(sp, name) for name in functions.split()}
        space.update(coordinates=self.coordinates, parameter=self.parameter, t=self.t, matrix=sp.Matrix)
        space.update(quaternion=self.quaternion, turn=turn, rates=rates, turning_energy=turning_energy,
                     dependent=Dependent)
        try:
            with open(path, encoding="utf-8") as file:
                tree = Decimals().visit(ast.parse(file.read(), path))
            exec(compile(tree, path, "exec"), space)  # the file is the user's own
        except OSError as error:
            fail(f"{path} cannot be read: {error.strerror}")
        except SyntaxError as error:
            fail(f"{path}, line {error.lineno}: {error.msg}")
        except Exception as error:
            lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
            hint = ("; write a power as x**2" if "for ^" in str(error) else
                    "; write Max, Min, Abs or Piecewise for cases" if "truth value" in str(error) else "")
            fail(f"{path}, line {lines[-1] if lines else 1}: {error}{hint}")
        self.space = space
        n = len(self.q)
        if n == 0:
            fail(f"{path} has no coordinates: x, y, vx, vy = coordinates('x y')")
        for needed in ("name", "brief", "T", "start", "time_scale"):
            if needed not in space:
                fail(f"{path} does not set {needed}")
        own = [space["name"], *self.names, *(p[0] for p in self.params)]
        for name in own + list(space.get("outputs", {})):
            if own.count(name) > 1:
                fail(f"{path}: the name {name!r} is taken")
            if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
                fail(f"{path}: the name {name!r} is no word of letters, digits and _")
        every = lambda values: [exact(e) for e in values]
        self.T, self.V, self.time_scale = exact(space["T"]), exact(space.get("V", 0)), exact(space["time_scale"])
        self.g, self.f = every(space.get("g", [])), every(space.get("f", []))
        own_rows = len(self.g)
        self.g += [(sum(e**2 for e in self.q[at:at + 4]) - 1) / 2 for at in self.quaternions]
        self.attitudes = [(at, own_rows + k) for k, at in enumerate(self.quaternions)]
        self.rows = [self.linear(k, *every(row)) for k, row in enumerate(space.get("rows", []))]
        self.symmetries = {k: every(s) for k, s in space.get("symmetries", {}).items()}
        self.outputs = {k: (exact(o[0]), *o[1:]) for k, o in space.get("outputs", {}).items()}
        self.moves = [[isinstance(x, Dependent) for x in values] for values in space["start"]]
        self.q0, self.v0 = (every(getattr(x, "guess", x) for x in values) for values in space["start"])
        self.M = hessian(self.T, self.v)
        rest = {v: 0 for v in self.v}
        masses = set().union(*(e.free_symbols for e in self.M.values()))
        if masses & set(self.v) or any(sp.simplify(e.xreplace(rest)) != 0
                                      for e in [self.T, *gradient(self.T, self.v)]):
            fail("T is not v' M(q) v/2: every term has to be of second degree in the velocities")
        if self.t in masses:
            fail("T depends on the coordinates and the velocities alone, not on t")
        if any(e.has(*self.v) for e in (self.V, *self.g)):
            fail("V and g do not depend on velocities")
        for what, values in (("f", self.f), *((f"the symmetry {k}", s) for k, s in self.symmetries.items())):
            if len(values) not in (0, n):
                fail(f"{what} has {len(values)} components for {n} coordinates")
        if len(self.q0) != n or len(self.v0) != n:
            fail(f"start needs {n} coordinates and {n} velocities: start = ([...], [...])")
        if any(self.moves[0]) and not self.g or any(self.moves[1]) and not self.g + self.rows:
            fail("start has dependent(...), but there are no constraints to solve for it")

    def linear(self, k, left, right):
        """Returns a row A v = w with its constants on the right."""
        row = sp.expand(left - right)
        A = gradient(row, self.v)
        w = -row.xreplace({v: sp.Integer(0) for v in self.v})
        if any(e.has(*self.v) for e in A) or w.has(*self.q) or all(e == 0 for e in A):
            fail(f"rows[{k}] is not A(q) v = w(t): velocities enter to the first degree, and the rest depends on t alone")
        return sum(e * v for e, v in zip(A, self.v)), w

    def coordinates(self, names):
        for name in names.split():
            self.names.append(name)
            self.q.append(sp.Symbol(f"q[{len(self.q)}]", real=True))
            self.v.append(sp.Symbol(f"v[{len(self.v)}]", real=True))
        return tuple(self.q + self.v)

    def quaternion(self, name):
        """Returns four coordinates, a unit quaternion, and their velocities."""
        at = len(self.q)
        self.quaternions.append(at)
        self.coordinates(" ".join(f"{name}{k}" for k in range(4)))
        return tuple(self.q[at:]), tuple(self.v[at:])

    def parameter(self, name, default, low="-INFINITY", doc="", unit="", high="INFINITY"):
        """An open range; low=0 for positive numbers."""
        default, low, high = (decimal(x) or x if isinstance(x, sp.Rational) else x for x in (default, low, high))
        self.params.append((name, default, low, high, unit, doc or name))
        return sp.Symbol(f"p->{name}", real=True, positive=True if low == 0 else None)


class Writer:
    """The C file."""

    def __init__(self, model):
        self.m, self.lines, self.print = model, [], Printer({"math_macros": {sp.pi: "SB_PI"}}).doprint

    def add(self, *lines):
        self.lines += lines

    def written(self, e):
        """Returns an expression in C; fails for a function that C does not have."""
        try:
            text = self.print(e)
        except NotImplementedError as error:  # of a later SymPy; an earlier one writes a comment
            text = "// Not supported in C:\n// " + str(error).splitlines()[0].split()[-1]
        missing = re.findall(r"^(?://|/\*) (\w+)(?: \*/)?$", text, re.M)
        if missing:
            fail(f"there is no function in C for {', '.join(missing)}, of a formula or its derivatives")
        return text

    def assign(self, values, indent="    "):
        """Assignments of (target, operator, expression), with common subexpressions in constants before them."""
        shared, reduced = sp.cse([sp.sympify(e) for _, _, e in values], sp.numbered_symbols("s"), order="none")
        used = set().union(*(e.free_symbols for e in reduced))
        for symbol, e in reversed(shared):  # SymPy leaves some that nothing uses
            used |= e.free_symbols if symbol in used else set()
        for symbol, e in [pair for pair in shared if pair[0] in used]:
            self.add(f"{indent}const sb_scalar {symbol} = {self.written(e)};")
        for (target, operator, _), e in zip(values, reduced):
            self.add(f"{indent}{target} {operator} {self.written(e)};")

    def function(self, head, *bodies):
        """A callback; a body is a list of values or (condition, list of values)."""
        start = len(self.lines)
        for body in bodies:
            if isinstance(body, tuple):
                self.add(f"    if ({body[0]}) {{")
                self.assign(body[1], "        ")
                self.add("    }")
            else:
                self.assign(body)
        text = "\n".join(self.lines[start:])
        unused = []
        for argument in head[head.index("(") + 1:-1].split(","):
            word = argument.replace("*", " ").split()[-1]
            if word != "self" and not re.search(rf"\b{word}\b", text):
                unused.append(f"    (void){word};")
        first = "    const config *p = self;" if "p->" in text else "    (void)self;"
        self.lines[start:start] = ["", f"static int {head} {{", first, *unused]
        self.add("    return SB_OK;", "}")

    def pattern(self, name, entries):
        for word, k in (("row", 0), ("col", 1)):
            self.add(f"static const int {name}_{word}[] = {{{', '.join(str(e[k]) for e in entries) or '0'}}};")

    def build(self):
        m, n = self.m, len(self.m.q)
        q, v, c, w = m.q, m.v, sp.Symbol("c"), [sp.Symbol(f"w[{i}]") for i in range(len(m.g))]
        cqq, cqv, cvq, cq, cv = sp.symbols("cqq cqv cvq cq cv")
        full = [(i, j) for j in range(n) for i in range(n)]
        T_q = gradient(m.T, q)
        T_qq, V_qq, T_qv = hessian(m.T, q), hessian(m.V, q), jacobian(T_q, v)
        f_q, f_v = (jacobian(m.f, x) for x in (q, v))
        hessians = [hessian(e, q) for e in m.g]
        variable = any(e != 0 for e in T_q)
        parts = [m.M, T_qq, T_qv, V_qq, f_q, f_v, *hessians]
        some = {at for a in parts for i, j in a for at in ((i, j), (j, i))}
        H = [at for at in full if at in some]
        M = [(i, j) for i, j in full if (i, j) in m.M]
        on_H = lambda form: [(f"Hx[{k}]", "+=", e) for k, (i, j) in enumerate(H) if (e := form(i, j)) != 0]
        QV, ADD = "const sb_scalar *q, const sb_scalar *v", "sb_scalar c, sb_scalar *Hx"
        self.function("mass(const void *self, const sb_scalar *q, sb_scalar *Mx)",
                      [(f"Mx[{k}]", "=", m.M[e]) for k, e in enumerate(M)])
        if variable:
            self.function(f"kinetic_gradient(const void *self, {QV}, sb_scalar *Tq)",
                          [(f"Tq[{i}]", "=", e) for i, e in enumerate(T_q)])
            self.function(f"kinetic_hessian(const void *self, {QV}, sb_scalar cqq, sb_scalar cqv, sb_scalar cvq, "
                          "sb_scalar *Hx)",
                          on_H(lambda i, j: cqq * T_qq[i, j] + cqv * T_qv[i, j] + cvq * T_qv[j, i]))
        degree = self.degree([m.V])
        if m.V != 0:
            self.function(f"potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V)", [("*V", "=", m.V)])
            self.function(f"potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq)",
                          [(f"Vq[{i}]", "=", e) for i, e in enumerate(gradient(m.V, q))])
            self.function(f"potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, {ADD})",
                          on_H(lambda i, j: c * V_qq[i, j]))
        if m.V.has(m.t):
            self.function("potential_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt)",
                          [("*Vt", "=", sp.diff(m.V, m.t))])
        if m.f:
            self.function(f"force(const void *self, sb_scalar t, {QV}, sb_scalar *f)",
                          [(f"f[{i}]", "=", e) for i, e in enumerate(m.f)])
            self.function(f"force_jacobian(const void *self, sb_scalar t, {QV}, sb_scalar cq, sb_scalar cv, "
                          "sb_scalar *Hx)",
                          on_H(lambda i, j: cq * f_q[i, j] + cv * f_v[i, j]))
        g_q = [gradient(e, q) for e in m.g]
        G = [(j, i) for i, e in enumerate(g_q) for j in range(n) if e[j] != 0]
        if m.g:
            moving = [sp.diff(e, m.t) for e in m.g]
            along = [sum((e * v[i] * v[j] for (i, j), e in h.items()), sp.diff(e_t, m.t))
                     + 2 * sum(e * u for e, u in zip(gradient(e_t, q), v)) for e_t, h in zip(moving, hessians)]
            self.function(f"constraints(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx)",
                          ("g != NULL", [(f"g[{i}]", "=", e) for i, e in enumerate(m.g)]),
                          ("Gx != NULL", [(f"Gx[{k}]", "=", g_q[i][j]) for k, (j, i) in enumerate(G)]))
            self.function(f"constraint_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, {ADD})",
                          on_H(lambda i, j: c * sum(a * h[i, j] for a, h in zip(w, hessians) if (i, j) in h)))
            self.function(f"curvature(const void *self, sb_scalar t, {QV}, sb_scalar *out)",
                          [(f"out[{i}]", "=", e) for i, e in enumerate(along)])
            if any(e != 0 for e in moving):
                self.function("constraint_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out)",
                              [(f"out[{i}]", "=", e) for i, e in enumerate(moving)])
        slide, A = [r[0] for r in m.rows], []
        if m.rows:
            A = [(j, i) for i, e in enumerate(slide) for j in range(n) if e.has(v[j]) or e.has(q[j])]
            self.function("rows(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w)",
                          ("Ax != NULL", [(f"Ax[{k}]", "=", sp.diff(slide[i], v[j])) for k, (j, i) in enumerate(A)]),
                          ("w != NULL", [(f"w[{i}]", "=", r[1]) for i, r in enumerate(m.rows)]))
            rate = [sum((a * b for a, b in zip(gradient(e, q), v)), sp.diff(e - r[1], m.t))
                    for e, r in zip(slide, m.rows)]
            self.function(f"rows_rate(const void *self, sb_scalar t, {QV}, sb_scalar *out)",
                          [(f"out[{i}]", "=", e) for i, e in enumerate(rate)])
            self.function(f"rows_gradient(const void *self, sb_scalar t, {QV}, sb_scalar *Ax)",
                          [(f"Ax[{k}]", "=", sp.diff(slide[i], q[j])) for k, (j, i) in enumerate(A)])
        if m.symmetries:
            quoted = ", ".join(map(quote, m.symmetries))
            self.add("", f"static const char *const momenta[] = {{{quoted}}};")
            self.function("generator(const void *self, int i, const sb_scalar *q, sb_scalar *xi)",
                          *((f"i == {k}", [(f"xi[{j}]", "=", e) for j, e in enumerate(s)])
                            for k, s in enumerate(m.symmetries.values())))
        if m.outputs:
            self.add("", "static const sb_output output_list[] = {")
            for k, (_, unit, doc, invariant) in m.outputs.items():
                self.add(f"    {{{quote(k)}, {quote(unit)}, {quote(doc)}, {str(bool(invariant)).lower()}}},")
            self.add("};")
            self.function(f"outputs(const void *self, sb_scalar t, {QV}, sb_scalar *out)",
                          [(f"out[{i}]", "=", o[0]) for i, o in enumerate(m.outputs.values())])
        solved = any(map(any, m.moves))
        self.function(f"{'guess' if solved else 'initial'}(const void *self, sb_scalar *t, sb_scalar *q, sb_scalar *v)",
                      [("*t", "=", 0)],
                      [(f"q[{i}]", "=", e) for i, e in enumerate(m.q0)] +
                      [(f"v[{i}]", "=", e) for i, e in enumerate(m.v0)])
        if solved:
            self.add("", "static int initial(const void *self, sb_scalar *t, sb_scalar *q, sb_scalar *v) {",
                     "    const config *p = self;", "    *t = 0.0;", "    memcpy(q, p->start_q, sizeof p->start_q);",
                     "    memcpy(v, p->start_v, sizeof p->start_v);", "    return SB_OK;", "}")
        self.add("")
        for x, moves in zip("qv", m.moves if solved else []):
            self.add(f"static const bool moves_{x}[] = {{{', '.join(str(yes).lower() for yes in moves)}}};")
        if m.attitudes:
            self.add("static const sb_attitude attitudes[] = {" +
                     ", ".join(f"{{{at}, {row}}}" for at, row in m.attitudes) + "};")
        for name, entries in (("H", H), ("M", M), ("G", G), ("A", A)):
            if entries:
                self.pattern(name, entries)
        self.add("", f"static const char *const names[] = {{{', '.join(map(quote, m.names))}}};")
        self.init(solved, n, H, M, G, A, variable, degree)
        return "\n".join(self.head() + self.lines) + "\n"

    def degree(self, expressions):
        try:
            d = max((sp.Poly(e, *self.m.q).total_degree() for e in expressions if e != 0), default=0)
        except sp.PolynomialError:
            return -1
        return d if d <= 2 else -1

    def init(self, solved, n, H, M, G, A, variable, degree):
        m, line = self.m, lambda name, rows, cols, count, target: (
            f"    SB_TRY(sb_pattern_from_pairs(arena, {rows}, {cols}, {count}, {name}_row, {name}_col, "
            f"&out->{target}));")
        self.add("", "static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {",
                 "    config *p;", *(["    sb_scalar t;"] if solved else ["    (void)ctx;"]),
                 "    SB_NEW(arena, p, 1);",
                 "    *p = *(const config *)parameters;",
                 f"    out->n = {n};", f"    out->time_scale = {self.print(m.time_scale)};",
                 line("H", n, n, len(H), "H"))
        extra = ", .gradient = kinetic_gradient, .hessian = kinetic_hessian" if variable else ""
        self.add(f"    out->inertia = (sb_inertia){{.self = p, .mass = mass{extra}}};",
                 line("M", n, n, len(M), "inertia.M"))
        if m.V != 0:
            rate = "potential_rate" if m.V.has(m.t) else "NULL"
            self.add(f"    out->potential = (sb_potential){{.self = p, .degree = {degree}, .value = potential, "
                     ".gradient = potential_gradient,", f"        .hessian = potential_hessian, .rate = {rate}}};")
        if m.f:
            self.add("    out->force = (sb_force){p, force, force_jacobian};")
        if m.g:
            rate = "constraint_rate" if any(sp.diff(e, m.t) != 0 for e in m.g) else "NULL"
            self.add(f"    out->holonomic = (sb_holonomic){{.self = p, .m = {len(m.g)}, .degree = {self.degree(m.g)}, "
                     ".value = constraints,",
                     f"        .hessian = constraint_hessian, .curvature = curvature, .rate = {rate}}};",
                     line("G", n, len(m.g), len(G), "holonomic.G"))
        if m.rows:
            self.add(f"    out->nonholonomic = (sb_nonholonomic){{.self = p, .m = {len(m.rows)}, .value = rows, "
                     ".rate = rows_rate,", "        .gradient = rows_gradient};",
                     line("A", n, len(m.rows), len(A), "nonholonomic.A"))
        if m.symmetries:
            self.add(f"    out->symmetry = (sb_symmetry){{p, {len(m.symmetries)}, momenta, generator}};")
        if m.outputs:
            self.add(f"    out->outputs = (sb_outputs){{p, {len(m.outputs)}, output_list, outputs}};")
        if m.attitudes:
            self.add(f"    out->attitudes = {len(m.attitudes)};", "    out->attitude = attitudes;")
        if solved:
            self.add("    SB_TRY(guess(p, &t, p->start_q, p->start_v));",
                     f'    SB_TRY(sb_start_positions(ctx, "{m.space["name"]}", out, t, moves_q, NULL, p->start_q));',
                     f'    SB_TRY(sb_start_velocities(ctx, "{m.space["name"]}", out, t, moves_v, NULL, p->start_q, '
                     "p->start_v));")
        self.add("    out->coordinates = names;", "    out->self = p;", "    out->initial = initial;", "    return SB_OK;",
                 "}", "")
        params = m.params or [("unused", 0, "-INFINITY", "INFINITY", "", "no parameter")]
        self.add("static const sb_param params[] = {")
        for name, default, low, high, unit, doc in params:
            self.add(f'    {{"{name}", SB_REAL, offsetof(config, {name}), "{default}", {low}, {high}, SB_OPEN, NULL, '
                     f"{quote(unit)}, {quote(doc)}}},")
        picture = [f"    .picture = {quote(m.space['picture'])},"] if "picture" in m.space else []
        self.add("    {.name = NULL},", "};", "", f"SB_DEFINE_PROBLEM({m.space['name']}) = {{",
                 f'    .entry = {{"{m.space["name"]}", {quote(m.space["brief"])}, '
                 f'{quote(m.space.get("reference", ""))}, params, sizeof(config)}},', "    .init = init,", *picture, "};")

    def head(self):
        m = self.m
        brief = m.space["brief"]
        lines = [f"/* {brief[0].upper() + brief[1:]}. Derived from formulas by stepbench_derive.py:"]
        lines += [f" *   {left} = {right}" for left, right in formulas(m, str, lambda name: "v" + name)]
        members, solved, n = ", ".join(k[0] for k in m.params) or "unused", any(map(any, m.moves)), len(m.q)
        return lines + [" */", "#include <math.h>", *(["#include <string.h>"] if solved else []), "",
                        *(["#include <stepbench/numerics/start.h>"] if solved else []),
                        "#include <stepbench/plugin.h>", "", "typedef struct config {", f"    sb_scalar {members};",
                        *([f"    sb_scalar start_q[{n}], start_v[{n}];"] if solved else []), "} config;"]


def formulas(m, write, rate):
    """Returns the formulas of a model, left and right sides as texts: `write` is of an expression, `rate` the name of a
    velocity."""
    plain = dict(zip(m.q, map(sp.Symbol, m.names)))
    plain.update(zip(m.v, (sp.Symbol(rate(k)) for k in m.names)))
    plain.update({sp.Symbol(f"p->{k[0]}", real=True, positive=True if k[2] == 0 else None): sp.Symbol(k[0])
                  for k in m.params})
    show = lambda e: write(e.xreplace(plain))
    name = lambda k: write(sp.Symbol(k))
    return ([("T", show(m.T)), ("V", show(m.V))] + [(name(f"g_{i}"), show(e)) for i, e in enumerate(m.g)] +
            [(name(f"f_{k}"), show(e)) for k, e in zip(m.names, m.f) if e != 0] +
            [(show(a), show(b)) for a, b in m.rows])


def latex(m):
    """Returns the formulas of a model as an align environment of amsmath, velocities with a dot."""
    dot = lambda name: rf"\dot{{{sp.latex(sp.Symbol(name))}}}"
    return "\\begin{align}\n" + " \\\\\n".join(
        f"  {left} &= {right}" for left, right in formulas(m, sp.latex, dot)) + "\n\\end{align}\n"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", metavar="FILE.py")
    options.add_argument("-o", metavar="NAME.c", help="the file to write, which is not touched if that fails")
    options.add_argument("--latex", action="store_true", help="the formulas for a paper")
    options = options.parse_args()
    model = Model(options.file)
    text = latex(model) if options.latex else Writer(model).build()
    with open(options.o, "w") if options.o else contextlib.nullcontext(sys.stdout) as file:
        file.write(text)
