/* The errata of reg05 2-6: each printed equation fails where problems and steppers hold the corrected one. */
#include <stdio.h>

#include <stepbench/numerics/dynamics.h>

#include "problems/shared/bodies.h"
#include "tests/errata/linear.h"

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

/* (2.2): the derivative of a quaternion from the angular velocity, rows as printed but for the last entry. */
static void printed_rate(const double *e, const double *w, double last, double *out) {
    const double T[4][3] = {{-e[1], -e[2], -e[3]}, {e[0], -e[3], e[2]}, {e[3], e[0], -e[1]}, {-e[2], e[1], last}};
    for (int i = 0; i < 4; i++) {
        out[i] = 0.5 * (T[i][0] * w[0] + T[i][1] * w[1] + T[i][2] * w[2]);
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

/* The rates that rigid_body reports, in the body, against w. */
static double body_rate_error(const sb_system *rigid, const double *e, const double *e_rate, const double *w) {
    double out[4];
    gsl_test(rigid->outputs.value(rigid->outputs.self, 0.0, e, e_rate, out), "body rates");
    return fmax(fmax(fabs(out[0] - w[0]), fabs(out[1] - w[1])), fabs(out[2] - w[2]));
}

static void quaternions(fixture *f) {
    double frame[2] = {0.0}, space[2] = {0.0};
    unsigned long seed = 3;
    sb_system rigid;
    fixture_build(f, "rigid_body", NULL, &rigid);
    gsl_test(strcmp(rigid.outputs.list[0].name, "w1") != 0, "the first output is w1, not %s",
             rigid.outputs.list[0].name);
    for (int k = 0; k < 20; k++) {
        double q[BODY_COORDINATES] = {0.0}, v[BODY_COORDINATES] = {0.0}, y[3], w[3], e_rate[4];
        const double *e = q + BODY_E;
        unit(&seed, q + BODY_E);
        for (int i = 0; i < 3; i++) {
            y[i] = scatter(&seed);
            w[i] = scatter(&seed);
        }
        printed_rate(e, w, -e[0], e_rate);
        frame[0] = fmax(frame[0], body_rate_error(&rigid, e, e_rate, w));
        printed_rate(e, w, e[0], e_rate);
        frame[1] = fmax(frame[1], body_rate_error(&rigid, e, e_rate, w));
        space[0] = fmax(space[0], spin_error(e, e_rate, w, y));
        body_set_turning(q, w, v);
        space[1] = fmax(space[1], spin_error(e, v + BODY_E, w, y));
    }
    erratum("reg05 (2.2), last entry: the body's angular velocity", frame[0], 0.1, frame[1], 16.0 * DBL_EPSILON);
    erratum("reg05 (2.2): the angular velocity in space, as its text has it", space[0], 0.1, space[1], 1e-9);
}

/* ---- 2.4: the sign of a multiplier. ---- */

/* A weight m g on the line y = 0: the derivative of L = -m g y - lambda y by y with the multiplier of (2.6), m g -
 * lambda = 0, and the force F + G' lambda with the project's. */
static void multiplier_sign(fixture *f) {
    const double weight = 3.0 * 9.81;
    sb_system sys;
    double lambda;
    fixture_build(f, "plane:m=3,g=9.81", NULL, &sys);
    gsl_test(sys.exact(sys.self, 0.0, NULL, NULL, &lambda), "the multiplier");
    erratum("reg05 (2.6)", -weight - weight, 0.1, -weight + lambda, 8.0 * DBL_EPSILON * weight);
}

/* ---- 3: regularization. ---- */

/* A blade's row under reg after a step: (3.3) has rho = (A v - w) / b, 3.3 calls b the drag. */
static void drag(fixture *f) {
    const double b = 0.3;
    stepping x;
    double Ax[3], slip;
    stepping_begin(f, "knife_edge:omega=2", NULL, "reg:gamma=0.3,start=full", 0.1, &x);
    for (int k = 0; k < 5; k++) {
        stepping_step(&x, 0.1);
    }
    gsl_test(x.sys.nonholonomic.value(x.sys.nonholonomic.self, x.next.t, x.next.q, Ax, NULL), "the blade's row");
    sb_csc_mult_t(&x.sys.nonholonomic.A, Ax, x.now.v, &slip);
    const double rho = x.now.lambda[0], size = fabs(slip / b);
    erratum("reg05 (3.3)", (rho - slip / b) / size, 1.0, (rho + slip / b) / size, 1e-12);
    erratum("reg05 3.3, b", (rho + b * slip) / size, 0.5, (rho + slip / b) / size, 1e-12);
}

/* A weight of 98.1 N on a floor of compliance c sinks by c times the weight. */
static void violation(fixture *f) {
    const double c = 1e-3;
    stepping x;
    stepping_begin(f, "plane:m=10,g=9.81", NULL, "reg:c=1e-3,start=full", 0.05, &x);
    for (int k = 0; k < 400; k++) {
        stepping_step(&x, 0.05);
    }
    erratum("reg05 3.3, |Phi|", c + x.now.q[1], 0.01, c * 98.1 + x.now.q[1], 1e-14);
}

/* ---- 4, 5: the stepper and its linear system. ---- */

static const double h = 0.05;

/* (4.1), second line: a free mass gains h F/M. */
static void first_step(fixture *f) {
    const double m = 2.0, v0 = 0.7, F = -m * 9.0 * 0.5;
    stepping x;
    stepping_begin(f, "oscillator:m=2,omega=3,x0=0.5,v0=0.7", NULL, "reg:start=full", h, &x);
    stepping_step(&x, h);
    erratum("reg05 (4.1)", F / m - x.now.v[0], 0.1, (m * v0 + h * F) / m - x.now.v[0], 8.0 * DBL_EPSILON);
}

/* A unit mass on a spring of compliance c beside a drag b, both at the end of the step: v1 = v0 - h ((x0 + h v1)/c + b
 * v1). Printed: v1 - mu = v0, v1 + C mu = -B x0 with the coefficients before (4.4). */
static void coefficients(fixture *f) {
    const double c = 0.3, b = 0.8, x0 = 0.4, v0 = -0.6, truth = (v0 - h * x0 / c) / (1.0 + h * h / c + h * b);
    const double C = 1.0 / (c / (h * h) * (1.0 + c * b) / h), B = 1.0 / ((1.0 + c * b / h) / h);
    stepping x;
    stepping_begin(f, "plane:m=1,g=0,vx0=0", NULL, "reg:c=0.3,b=0.8,start=full", h, &x);
    x.now.q[1] = x0;
    x.now.v[1] = v0;
    stepping_step(&x, h);
    erratum("reg05 before (4.4)", (C * v0 - B * x0) / (1.0 + C) - truth, 0.1, x.now.v[1] - truth, 16.0 * DBL_EPSILON);
}

/* (5.3), S lambda = g + h with h = G M^-1 f as printed or minus that, for the impulses of a step: f = M v0 + h F and g
 * = -B g(q0) of (5.2). */
static void right_hand_side(fixture *f) {
    const double c = 0.02, B = 1.0 / h;
    linear s;
    stepping x;
    double printed = 0.0, corrected = 0.0;
    linear_make(&s, 5UL);
    linear_step(f, &s, NULL, "reg:c=0.02,start=full", h, &x);
    for (int a = 0; a < LINEAR_M; a++) {
        double S = c / (h * h) * h * x.now.lambda[a], Wf = 0.0;
        for (int i = 0; i < LINEAR_N; i++) {
            S += s.G[a][i] / s.mass[i] * h * (s.G[0][i] * x.now.lambda[0] + s.G[1][i] * x.now.lambda[1]);
            Wf += s.G[a][i] * (s.v[i] + h * s.f[i] / s.mass[i]);
        }
        const double g = -B * linear_g(&s, a, s.q);
        printed = fmax(printed, fabs(S - (g + Wf)));
        corrected = fmax(corrected, fabs(S - (g - Wf)));
    }
    erratum("reg05 5, h", printed, 0.1, corrected, 1e-12);
}

/* ---- 6: the pendulum, m = l = 1, g = 10, Phi = |x| - 1. ---- */

/* |f| of 6.1, f = f_g - G' Phi/c, at (x, y). */
static double unbalanced(fixture *f, double c, double x, double y) {
    char penalty[64];
    const double q[2] = {x, y};
    double Vq[2] = {NAN, NAN};
    sb_system sys;
    snprintf(penalty, sizeof penalty, "penalty:eps=%.17g", c);
    fixture_build(f, "pendulum:constraint=norm,m=1,l=1,g=10", penalty, &sys);
    gsl_test(sb_potential_gradient(&sys, 0.0, q, Vq), "the force of spring and weight");
    return hypot(Vq[0], Vq[1]);
}

static void rest(fixture *f) {
    for (double c = 1e-2; c > 1e-7;
         c *= 0.1) { /* the forces at rest are 10 N; those of a round-off of the length eps/c */
        erratum("reg05 Fig. 6.1", unbalanced(f, c, -1.0, 0.0), 1.0, unbalanced(f, c, 0.0, -(1.0 + 10.0 * c)),
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
    status |= sb_potential_value(&sys, 0.0, state[0].q, &V[0]);
    for (int k = 0; k < 600 && status == SB_OK; k++) {
        status = sb_method_step(&method, &state[k & 1], step, &state[(k + 1) & 1]);
    }
    status |= sb_method_report(&method, &state[0], v, NULL) | sb_potential_value(&sys, 0.0, state[0].q, &V[1]);
    gsl_test(status != SB_OK, "%s (%s)", stepper, f->ctx.message);
    return V[0] - V[1] - 0.5 * (v[0] * v[0] + v[1] * v[1]);
}

static void parameter_size(fixture *f) {
    const double large = lost(f, "reg:c=1e-2,start=full"), small = lost(f, "reg:c=1e-8,start=full");
    /* of the 10 J between the top and the bottom of the swing: more than a tenth, less than a hundredth */
    gsl_test(!(large > 1.0 && fabs(small) < 0.1),
             "reg05 Fig. 6.3: far too dissipative where c is too large, not too small: lost %.2f J at c = 1e-2, %.2f J "
             "at c = 1e-8",
             large, small);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    quaternions(&f);
    multiplier_sign(&f);
    drag(&f);
    violation(&f);
    first_step(&f);
    coefficients(&f);
    right_hand_side(&f);
    rest(&f);
    parameter_size(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
