/* The errata of spook07: each printed equation fails where steppers and problems hold the corrected one. */
#include <stdio.h>

#include <lapacke.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/errata/linear.h"

static const double h = 0.1;

/* ---- 2: discrete mechanics, on L_d of (12) for a pendulum in its angle: M = 1, V = -cos q. ---- */

static double by_first(double a, double b) { return -(b - a) / h - h * sin(a); }
static double by_second(double a, double b) { return (b - a) / h; }

/* The point after 0.3 and 0.7 of the discrete Euler-Lagrange equations. */
static void stationary_action(fixture *f) {
    const double q0 = 0.3, q1 = 0.7;
    stepping x;
    stepping_begin(f, "pendulum:m=1,l=1,g=1", "chart:lagrangian=chart", "del:quadrature=left", h, &x);
    gsl_test(sb_method_start_pair(&x.method, 0.0, &q0, &q1, h, &x.now), "from two points");
    stepping_step(&x, h);
    const double q2 = x.now.q[0];
    erratum("spook07 (8)", by_first(q0, q1) + by_second(q1, q2), 0.05, by_second(q0, q1) + by_first(q1, q2), 1e-13);
}

/* The force of an oscillator acts for one step; f(+) of (12) is h F already. */
static void impulse_of_force(fixture *f) {
    const double m = 2.0, F = -m * 9.0 * 0.7, v0 = 0.4, f_plus = h * F;
    stepping x;
    stepping_begin(f, "oscillator:m=2,omega=3,x0=0.7,v0=0.4", NULL, "spook:start=full", h, &x);
    stepping_step(&x, h);
    erratum("spook07 (29), force", x.now.v[0] - v0 - h * f_plus / m, 0.1, x.now.v[0] - v0 - f_plus / m,
            8.0 * DBL_EPSILON);
}

/* M (v1 - v0) - h F of a step on a blade, against A' alpha of (24) and h A' alpha of (13): what is reported is a force.
 */
static void impulse_or_force(fixture *f) {
    stepping x;
    double F[3], tmp[3], Mx[3], Ax[3], printed = 0.0, corrected = 0.0;
    stepping_begin(f, "knife_edge:omega=2", NULL, "nonholonomic_variational:start=full", h, &x);
    for (int k = 0; k < 5; k++) {
        stepping_step(&x, h);
    }
    const sb_state *from = &x.next, *to = &x.now;
    gsl_test(sb_system_force(&x.sys, from->t, from->q, from->v, F, tmp) |
                 x.sys.inertia.mass(x.sys.inertia.self, from->q, Mx) |
                 x.sys.nonholonomic.value(x.sys.nonholonomic.self, from->t, from->q, Ax, NULL),
             "terms of the blade");
    for (int i = 0; i < 3; i++) {
        const double gained = Mx[i] * (to->v[i] - from->v[i]) - h * F[i];
        printed = fmax(printed, fabs(gained - Ax[i] * to->lambda[0]));
        corrected = fmax(corrected, fabs(gained - h * Ax[i] * to->lambda[0]));
    }
    erratum("spook07 (13), (24): alpha", printed, 1.0, corrected, 1e-13);
}

/* ---- 3: relaxed nonholonomic rows. ---- */

/* With gamma alpha' + A v = 0 the force has to be that of the drag |A v|^2/(2 gamma): its rate of work is -|A
 * v|^2/gamma. */
static void drag(fixture *f) {
    const double gamma = 0.3;
    stepping x;
    double Ax[3], slip;
    stepping_begin(f, "knife_edge:omega=2", NULL, "spook:gamma=0.3,start=full", h, &x);
    for (int k = 0; k < 5; k++) {
        stepping_step(&x, h);
    }
    gsl_test(x.sys.nonholonomic.value(x.sys.nonholonomic.self, x.next.t, x.next.q, Ax, NULL), "the blade's row");
    sb_csc_mult_t(&x.sys.nonholonomic.A, Ax, x.now.v, &slip);
    const double power = slip * x.now.lambda[0], truth = -slip * slip / gamma;
    erratum("spook07 (19)", (-power - truth) / truth, 1.0, (power - truth) / truth, 1e-13);
}

/* ---- 5: the linear stepper. ---- */

/* How many eigenvalues of the map of (q - q0, v) of a step lie inside the unit circle when the two rows of G are
 * multiples of one row, rank 1: two for each nonzero eigenvalue of S, the last one, i = r, included. */
static void rank(fixture *f) {
    enum { RANK = 1, SIZE = 2 * LINEAR_N };
    linear s;
    double A[SIZE * SIZE], re[SIZE], im[SIZE];
    linear_make(&s, 7UL);
    for (int i = 0; i < LINEAR_N; i++) {
        s.G[1][i] = -0.5 * s.G[0][i];
        s.f[i] = 0.0;
    }
    s.c[1] = -0.5 * s.c[0];
    for (int c = 0; c < SIZE; c++) { /* column c: the step from the c-th unit vector */
        stepping x;
        memcpy(s.q, s.on, sizeof s.q);
        memset(s.v, 0, sizeof s.v);
        (c < LINEAR_N ? s.q : s.v)[c % LINEAR_N] += 1.0;
        linear_step(f, &s, NULL, "spook:eps=1e-3,tau=0.4,start=full", 1.0, &x);
        for (int i = 0; i < LINEAR_N; i++) {
            A[i + c * SIZE] = x.now.q[i] - s.on[i];
            A[LINEAR_N + i + c * SIZE] = x.now.v[i];
        }
    }
    gsl_test(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', SIZE, A, SIZE, re, im, NULL, 1, NULL, 1) != 0, "eigenvalues");
    int inside = 0;
    for (int i = 0; i < SIZE; i++) { /* a double eigenvalue 1 splits by the square root of round-off */
        inside += hypot(re[i], im[i]) < 1.0 - 1e-3;
    }
    erratum("spook07 (35)", 2 * (RANK - 1) - inside, 0.5, 2 * RANK - inside, 0.0);
}

/* ---- 6: the ladder. ---- */

/* The kinetic energy of a rod of mass m, length l whose direction turns by u' about its centre: the integral of (m/l)
 * s^2 |u'|^2/2 over s in [-l/2, l/2], exact by Simpson's rule. */
static void inertia(fixture *f) {
    const double m = 10.0, l = 0.8, half = 0.5 * 1.7 * 1.7;
    const double energy = m / l * (l / 6.0) * (2.0 * 0.25 * l * l + 4.0 * 0.0) * half;
    sb_system sys;
    double q[64], v[64], Mx[64], t;
    fixture_build(f, "ladder:N=1,m=10,l=0.8", NULL, &sys);
    gsl_test(sys.initial(sys.self, &t, q, v) | sys.inertia.mass(sys.inertia.self, q, Mx), "the ladder's mass");
    erratum("spook07 6, inertia", l * l / 12.0 * half - energy, 0.1, Mx[2] * half - energy, 8.0 * DBL_EPSILON);
}

static void variables(fixture *f) {
    sb_system sys;
    fixture_build(f, "ladder:N=20", NULL, &sys);
    const int count = sys.n + sys.holonomic.m;
    erratum("spook07 6, variables", 427 - count, 0.5, 467 - count, 0.0);
    gsl_test(467 - 427 != 2 * 20, "the paper's number leaves out two rows for each of the 20 loops");
}

int main(void) {
    fixture f;
    fixture_open(&f);
    stationary_action(&f);
    impulse_of_force(&f);
    impulse_or_force(&f);
    drag(&f);
    rank(&f);
    inertia(&f);
    variables(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
