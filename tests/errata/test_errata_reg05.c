/* The errata of reg05 2-5: each printed equation fails where its corrected form holds, by quaternion products,
 * differences, balances of power and direct solution. */
#include <string.h>

#include <lapacke.h>

#include "tests/errata/erratum.h"
#include "tests/problems/systems.h"

/* ---- 2.1: quaternions, scalar first. ---- */

static void product(const double *a, const double *b, double *c) {
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    c[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

static void unit(unsigned long *seed, double *e) {
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        e[i] = scatter(seed);
        square += e[i] * e[i];
    }
    for (int i = 0; i < 4; i++) {
        e[i] /= sqrt(square);
    }
}

/* e (0, y) conj(e): the vector y of the body in space. */
static void rotated(const double *e, const double *y, double *out) {
    const double vector[4] = {0.0, y[0], y[1], y[2]}, back[4] = {e[0], -e[1], -e[2], -e[3]};
    double half[4], whole[4];
    product(e, vector, half);
    product(half, back, whole);
    memcpy(out, whole + 1, 3 * sizeof *out);
}

/* (2.1) with its entry (2, 2) as given. */
static double rotation_error(const double *e, const double *y, double entry) {
    const double s = 2.0 * e[0] * e[0] - 1.0;
    const double R[3][3] = {
        {s + 2.0 * e[1] * e[1], 2.0 * (e[1] * e[2] - e[0] * e[3]), 2.0 * (e[0] * e[2] + e[1] * e[3])},
        {2.0 * (e[0] * e[3] + e[2] * e[1]), entry + 2.0 * e[2] * e[2], 2.0 * (e[2] * e[3] - e[0] * e[1])},
        {2.0 * (e[1] * e[3] - e[0] * e[2]), 2.0 * (e[0] * e[1] + e[3] * e[2]), s + 2.0 * e[3] * e[3]}};
    double truth[3], worst = 0.0;
    rotated(e, y, truth);
    for (int i = 0; i < 3; i++) {
        worst = fmax(worst, fabs(R[i][0] * y[0] + R[i][1] * y[1] + R[i][2] * y[2] - truth[i]));
    }
    return worst;
}

/* (2.2): the derivative of a quaternion from the angular velocity; rows as printed but for the last entry, or those of
 * the spatial map. */
static void rate(const double *e, const double *w, double last, bool spatial, double *out) {
    const double T[4][3] = {{-e[1], -e[2], -e[3]}, {e[0], -e[3], e[2]}, {e[3], e[0], -e[1]}, {-e[2], e[1], last}};
    const double S[4][3] = {{-e[1], -e[2], -e[3]}, {e[0], e[3], -e[2]}, {-e[3], e[0], e[1]}, {e[2], -e[1], e[0]}};
    for (int i = 0; i < 4; i++) {
        const double *const row = spatial ? S[i] : T[i];
        out[i] = 0.5 * (row[0] * w[0] + row[1] * w[1] + row[2] * w[2]);
    }
}

/* How far a fixed point y of the body moves otherwise than by w x y when e moves with the given rate: by central
 * differences, off by d^2 and round-off/d. */
static double spin_error(const double *e, const double *e_rate, const double *w, const double *y) {
    const double d = 1e-5;
    double at[3], up[3], down[3], moved[4], worst = 0.0;
    rotated(e, y, at);
    for (int i = 0; i < 4; i++) {
        moved[i] = e[i] + d * e_rate[i];
    }
    rotated(moved, y, up);
    for (int i = 0; i < 4; i++) {
        moved[i] = e[i] - d * e_rate[i];
    }
    rotated(moved, y, down);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        worst = fmax(worst, fabs((up[i] - down[i]) / (2.0 * d) - (w[j] * at[k] - w[k] * at[j])));
    }
    return worst;
}

static void quaternions(void) {
    double matrix[2] = {0.0}, body[2] = {0.0}, space[2] = {0.0};
    unsigned long seed = 3;
    for (int k = 0; k < 20; k++) {
        double e[4], y[3], w[3], in_space[3], e_rate[4];
        unit(&seed, e);
        for (int i = 0; i < 3; i++) {
            y[i] = scatter(&seed);
            w[i] = scatter(&seed);
        }
        matrix[0] = fmax(matrix[0], rotation_error(e, y, 2.0 * e[0] - 1.0));
        matrix[1] = fmax(matrix[1], rotation_error(e, y, 2.0 * e[0] * e[0] - 1.0));
        rotated(e, w, in_space); /* w in the frame of the body turns it about R w */
        for (int form = 0; form < 2; form++) {
            rate(e, w, form == 0 ? -e[0] : e[0], false, e_rate);
            body[form] = fmax(body[form], spin_error(e, e_rate, in_space, y));
            rate(e, w, e[0], form == 1, e_rate);
            space[form] = fmax(space[form], spin_error(e, e_rate, w, y));
        }
    }
    erratum("reg05 (2.1)", matrix[0], 0.1, matrix[1], 16.0 * DBL_EPSILON);
    erratum("reg05 (2.2), last entry: the body's angular velocity", body[0], 0.1, body[1], 1e-9);
    erratum("reg05 (2.2): the angular velocity in space, as its text has it", space[0], 0.1, space[1], 1e-9);
}

/* ---- 2.4-2.9: forces. ---- */

/* A weight m g at rest on the floor, Phi = y: the multiplier that makes L = -m g y - lambda Phi stationary, against
 * that of (2.6), m g - lambda = 0. */
static void multiplier_sign(void) {
    const double weight = 3.0, d = 0.5, printed = weight, corrected = -weight;
    erratum("reg05 (2.6)", ((-weight * d - printed * d) - (weight * d + printed * d)) / (2.0 * d), 0.1,
            ((-weight * d - corrected * d) - (weight * d + corrected * d)) / (2.0 * d), 4.0 * DBL_EPSILON);
}

/* (2.10) asks for lower <= beta <= upper: as named in the text nothing lies between. */
static void friction_bounds(void) {
    const double upper = 0.6, lower = -0.6;
    double printed = INFINITY, corrected = INFINITY;
    for (double beta = -1.0; beta <= 1.0; beta += 0.01) {
        printed = fmin(printed, fmax(0.0, fmax(upper - beta, beta - lower)));
        corrected = fmin(corrected, fmax(0.0, fmax(lower - beta, beta - upper)));
    }
    erratum("reg05 (2.10)", printed, 0.1, corrected, 0.0);
}

/* With q' = T(q) v the force F of a potential does the work F . v = -dU/dt. T a turn in the plane; U_q and v arbitrary.
 * (2.12)'s T L_q, and the sign of 4.1's F_e. */
static void force_of_potential(void) {
    const double c = cos(0.7), s = sin(0.7), v[2] = {0.4, -1.1}, Uq[2] = {1.3, 0.2};
    const double lost = -(Uq[0] * (c * v[0] - s * v[1]) + Uq[1] * (s * v[0] + c * v[1]));
    const double plain = -((c * Uq[0] - s * Uq[1]) * v[0] + (s * Uq[0] + c * Uq[1]) * v[1]);
    const double transposed = -((c * Uq[0] + s * Uq[1]) * v[0] + (c * Uq[1] - s * Uq[0]) * v[1]);
    erratum("reg05 (2.12)", plain - lost, 0.1, transposed - lost, 8.0 * DBL_EPSILON);
    erratum("reg05 4.1, F_e", -transposed - lost, 0.1, transposed - lost, 8.0 * DBL_EPSILON);
}

/* ---- 3: regularization. ---- */

/* A unit weight let go on y = 0 with the spring y^2/(2 c): lambda = 1 - cos(t/sqrt c), notes11 (49) corrected. */
static void weak_convergence(void) {
    double last = INFINITY;
    for (double c = 1e-2; c > 1e-9; c *= 0.01) {
        const double w = 1.0 / sqrt(c), pi = acos(-1.0);
        gsl_test(!(fabs((1.0 - cos(w * pi / w)) - 1.0) >= 1.0 - 4.0 * DBL_EPSILON),
                 "reg05 3.1: lambda does not converge uniformly, |lambda - 1| = 1 at t = pi sqrt(c), c = %.0e", c);
        /* the integral of (lambda - 1) t over [0, 1], in closed form: it vanishes with sqrt c */
        const double integral = fabs(sin(w) / w + (cos(w) - 1.0) / (w * w));
        gsl_test(!(integral <= 2.0 / w && integral < last), "reg05 3.1: it does weakly: %.2e at c = %.0e", integral, c);
        last = 2.0 / w;
    }
}

/* (3.3): rho against the force J' rho = -dR/dv of R = |J v - w|^2/(2 b), by differences, exact for a square. 3.3: whose
 * drag is 1/b. */
static void drag(void) {
    const double b = 0.3, J = 1.4, w = 0.2, v = 0.9, d = 0.5;
    const double up = J * (v + d) - w, down = J * (v - d) - w, force = -(up * up - down * down) / (2.0 * b) / (2.0 * d),
                 rho = (J * v - w) / b;
    erratum("reg05 (3.3)", J * rho - force, 0.1, -J * rho - force, 16.0 * DBL_EPSILON);
    const double u = w / J + 2.0 * d; /* where the force is that of the speed 2 d against w */
    const double more = J * (u + d) - w, less = J * (u - d) - w,
                 slope = -(more * more - less * less) / (2.0 * b) / (2.0 * d) / (2.0 * d);
    erratum("reg05 3.3, b", -b * J * J - slope, 0.1, -J * J / b - slope, 32.0 * DBL_EPSILON);
}

/* A weight on a stiff floor sinks by c times its force. */
static void violation(void) {
    const double c = 1e-3, weight = 98.1;
    double sunk = 0.0, lo = 0.0, hi = 1.0;
    while (hi - lo > 1e-15) { /* bisection on the balance of spring and weight */
        sunk = 0.5 * (lo + hi);
        *(sunk / c < weight ? &lo : &hi) = sunk;
    }
    erratum("reg05 3.3, |Phi|", c - sunk, 0.01, c * weight - sunk, 4e-15);
}

/* ---- 4, 5: the stepper and its linear system. ---- */

static const double h = 0.05;

/* (4.1), second line: v stays without a force, and gains h F/M with one. */
static void first_step(void) {
    const double m = 2.0, v0 = 0.7, F = 3.0, truth = v0 + h * F / m;
    erratum("reg05 (4.1)", F / m - truth, 0.1, (m * v0 + h * F) / m - truth, 2.0 * DBL_EPSILON);
}

/* A unit mass on a spring of compliance c beside a drag b, both at the end of the step: v1 = v0 - h ((x0 + h v1)/c + b
 * v1). Then (4.4) with either pair of coefficients. */
static void coefficients(void) {
    const double c = 0.3, b = 0.8, x0 = 0.4, v0 = -0.6;
    const double truth = (v0 - h * x0 / c) / (1.0 + h * h / c + h * b);
    const double C_printed = 1.0 / (c / (h * h) * (1.0 + c * b) / h), B_printed = 1.0 / ((1.0 + c * b / h) / h);
    const double psi = 1.0 / (1.0 + c * b / h), C = c / (h * h) * psi, B = psi / h;
    /* v1 - mu = v0, v1 + C mu = -B x0 */
    const double printed = (C_printed * v0 - B_printed * x0) / (1.0 + C_printed),
                 corrected = (C * v0 - B * x0) / (1.0 + C);
    erratum("reg05 before (4.4)", printed - truth, 0.1, corrected - truth, 16.0 * DBL_EPSILON);
}

/* (5.2), 3 + 2 unknowns, by LAPACK against (5.3), whose right-hand side 5 writes as g + h. */
static void right_hand_side(void) {
    enum { N = 3, M = 2, ALL = N + M };
    unsigned long seed = 5;
    double H[ALL * ALL] = {0}, x[ALL], mass[N], G[M][N], f[N], g[M], printed[M], corrected[M], S[2][M * M];
    for (int i = 0; i < N; i++) {
        mass[i] = 1.5 + scatter(&seed);
        x[i] = f[i] = scatter(&seed);
        H[i + i * ALL] = mass[i];
    }
    for (int a = 0; a < M; a++) {
        x[N + a] = g[a] = scatter(&seed);
        H[N + a + (N + a) * ALL] = 0.1;
        for (int i = 0; i < N; i++) {
            G[a][i] = scatter(&seed);
            H[N + a + i * ALL] = G[a][i];
            H[i + (N + a) * ALL] = -G[a][i];
        }
    }
    for (int a = 0; a < M; a++) {
        double product = 0.0;
        for (int i = 0; i < N; i++) {
            product += G[a][i] * f[i] / mass[i];
        }
        printed[a] = g[a] + product;
        corrected[a] = g[a] - product;
        for (int c = 0; c < M; c++) {
            S[0][a + c * M] = a == c ? 0.1 : 0.0;
            for (int i = 0; i < N; i++) {
                S[0][a + c * M] += G[a][i] * G[c][i] / mass[i];
            }
            S[1][a + c * M] = S[0][a + c * M];
        }
    }
    lapack_int pivot[ALL];
    gsl_test(LAPACKE_dgesv(LAPACK_COL_MAJOR, ALL, 1, H, ALL, pivot, x, ALL) != 0 ||
                 LAPACKE_dgesv(LAPACK_COL_MAJOR, M, 1, S[0], M, pivot, printed, M) != 0 ||
                 LAPACKE_dgesv(LAPACK_COL_MAJOR, M, 1, S[1], M, pivot, corrected, M) != 0,
             "LAPACK solves");
    erratum("reg05 5, h", printed[0] - x[N], 0.1, corrected[0] - x[N], 1e-13); /* condition number below 100 */
}

/* (5.5) with alpha > 1: alpha, beta >= 0 alone leave the compliance negative. */
static void compliance(void) {
    const double beta = 0.2, alpha[2] = {1.5, 0.5};
    gsl_test(!(h * h * beta / (1.0 - alpha[0]) < 0.0), "reg05 (5.5): alpha = 1.5 gives a negative compliance");
    gsl_test(!(h * h * beta / (1.0 - alpha[1]) > 0.0), "reg05 (5.5): alpha < 1 a positive one");
}

/* ---- 6: the pendulum, m = l = 1, g = 10, Phi = |x| - 1. ---- */

/* |f| of 6.1, f = f_g - G' Phi/c, at (x, y). */
static double unbalanced(double c, double x, double y) {
    const double r = hypot(x, y), pull = (r - 1.0) / c;
    return hypot(-x / r * pull, -10.0 - y / r * pull);
}

static void rest(void) {
    for (double c = 1e-2; c > 1e-7;
         c *= 0.1) { /* the forces at rest are 10 N; those of a round-off of the length eps/c */
        erratum("reg05 Fig. 6.1", unbalanced(c, -1.0, 0.0), 1.0, unbalanced(c, 0.0, -(1.0 + 10.0 * c)),
                4.0 * DBL_EPSILON / c);
    }
}

/* Energy that the regularized stepper of 6.1 loses in 10 s from (1, 0) at rest. */
static double lost(fixture *f, const char *stepper) {
    sb_system sys;
    sb_method method = {0};
    sb_state state[2];
    double v[2], V[2];
    const double step = 1.0 / 60.0;
    fixture_build(f, "pendulum:constraint=norm,m=1,l=1,g=10,theta0=1.5707963267948966", NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &sys, &method) |
                 sb_state_new(&method, &f->arena, &state[0]) | sb_state_new(&method, &f->arena, &state[1]);
    status |= sb_method_start(&method, 0.0, NULL, NULL, step, &state[0]);
    status |= sys.potential.value(sys.potential.self, state[0].q, &V[0]);
    for (int k = 0; k < 600 && status == SB_OK; k++) {
        status = sb_method_step(&method, &state[k & 1], step, &state[(k + 1) & 1]);
    }
    status |=
        sb_method_report(&method, &state[0], v, NULL) | sys.potential.value(sys.potential.self, state[0].q, &V[1]);
    gsl_test(status != SB_OK, "%s (%s)", stepper, f->ctx.message);
    return V[0] - V[1] - 0.5 * (v[0] * v[0] + v[1] * v[1]);
}

static void parameter_size(void) {
    fixture f;
    fixture_open(&f);
    const double large = lost(&f, "reg:c=1e-2,start=full"), small = lost(&f, "reg:c=1e-8,start=full");
    /* of the 10 J between the top and the bottom of the swing: more than a tenth, less than a hundredth */
    gsl_test(!(large > 1.0 && fabs(small) < 0.1),
             "reg05 Fig. 6.3: far too dissipative where c is too large, not too small: lost %.2f J at c = 1e-2, %.2f J "
             "at c = 1e-8",
             large, small);
    fixture_close(&f);
}

int main(void) {
    quaternions();
    multiplier_sign();
    friction_bounds();
    force_of_potential();
    weak_convergence();
    drag();
    violation();
    first_step();
    coefficients();
    right_hand_side();
    compliance();
    rest();
    parameter_size();
    return gsl_test_summary();
}
