/* The energy-momentum method beside Kepler's closed form: bodies of very unequal mass each keep their own orbit, and
 * the energy stays at round-off over long runs. */
#include <float.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/systems.h"

/* ---- Two bodies in one central field, V = sum m_i V_i: each orbit is that of a body alone, whatever the masses. ----
 */

enum { BODIES = 2, N = 2 * BODIES };

typedef struct field {
    double m[BODIES];
    sb_system body[BODIES];
} field;

static int mass(const void *self, const double *q, double *Mx) {
    const field *p = self;
    (void)q;
    for (int i = 0; i < N; i++) {
        Mx[i] = p->m[i / 2];
    }
    return SB_OK;
}

static int value(const void *self, double t, const double *q, double *V) {
    const field *p = self;
    *V = 0.0;
    for (int b = 0; b < BODIES; b++) {
        double one;
        SB_TRY(sb_potential_value(&p->body[b], 0.0, q + 2 * b, &one));
        *V += p->m[b] * one;
    }
    return SB_OK;
}

static int gradient(const void *self, double t, const double *q, double *Vq) {
    const field *p = self;
    for (int b = 0; b < BODIES; b++) {
        SB_TRY(sb_potential_gradient(&p->body[b], 0.0, q + 2 * b, Vq + 2 * b));
        Vq[2 * b] *= p->m[b];
        Vq[2 * b + 1] *= p->m[b];
    }
    return SB_OK;
}

static int hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const field *p = self;
    for (int b = 0; b < BODIES; b++) {
        SB_TRY(sb_potential_hessian(&p->body[b], 0.0, q + 2 * b, c * p->m[b], Hx + 4 * b));
    }
    return SB_OK;
}

static int rotation(const void *self, int i, const double *q, double *xi) {
    (void)self;
    (void)i;
    for (int b = 0; b < BODIES; b++) {
        xi[2 * b] = -q[2 * b + 1];
        xi[2 * b + 1] = q[2 * b];
    }
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    const field *p = self;
    for (int b = 0; b < BODIES; b++) {
        SB_TRY(p->body[b].initial(p->body[b].self, t, q + 2 * b, v + 2 * b));
    }
    return SB_OK;
}

static const char *const momenta[] = {"Jz"};

static void field_build(fixture *f, const double m[BODIES], field *p, sb_system *sys) {
    static const char *const body[BODIES] = {"kepler:e=0.3", "kepler:e=0.2,a=1.7"};
    static const int row[] = {0, 1, 0, 1, 2, 3, 2, 3}, col[] = {0, 0, 1, 1, 2, 2, 3, 3};
    for (int b = 0; b < BODIES; b++) {
        p->m[b] = m[b];
        fixture_build(f, body[b], NULL, &p->body[b]);
    }
    *sys = (sb_system){.n = N, .time_scale = p->body[0].time_scale, .self = p, .initial = initial};
    sys->inertia = (sb_inertia){.self = p, .mass = mass};
    sys->potential = (sb_potential){.self = p, .degree = -1, .value = value, .gradient = gradient, .hessian = hessian};
    sys->symmetry = (sb_symmetry){p, 1, momenta, rotation};
    int status = sb_pattern_diagonal(&f->arena, N, &sys->inertia.M);
    status |= sb_pattern_from_pairs(&f->arena, N, N, 8, row, col, &sys->H);
    status |= sb_system_finish(&f->ctx, &f->arena, "two bodies", sys);
    gsl_test(status != SB_OK, "two bodies in a central field build (%s)", f->ctx.message);
}

/* Sets the distance of each body from its exact position after `steps` steps of T/steps. */
static void errors(fixture *f, const double m[BODIES], long steps, double error[BODIES]) {
    const double T = 20.0;
    field p;
    sb_system sys;
    sb_method method = {0};
    sb_state s[2];
    field_build(f, m, &p, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, "em", &sys, &method) | sb_state_new(&method, &f->arena, &s[0]) |
                 sb_state_new(&method, &f->arena, &s[1]);
    status |= sb_method_start(&method, 0.0, NULL, NULL, T / (double)steps, &s[0]);
    for (long k = 0; k < steps && status == SB_OK; k++) {
        status = sb_method_step(&method, &s[k & 1], T / (double)steps, &s[(k + 1) & 1]);
    }
    gsl_test(status != SB_OK, "masses %g and %g, %ld steps (%s)", m[0], m[1], steps, f->ctx.message);
    for (int b = 0; b < BODIES; b++) {
        double q[2] = {NAN, NAN};
        p.body[b].exact(p.body[b].self, T, q, NULL, NULL);
        error[b] = hypot(s[steps & 1].q[2 * b] - q[0], s[steps & 1].q[2 * b + 1] - q[1]);
    }
}

/* The method is of second order for each body. The quotient makes the bodies share one scalar, sigma = O(h), which
 * changes a body's acceleration by sigma D = O(h^2), in the metric M by the same multiple of its displacement for any
 * mass: the error of a body with a millionth of the mass is of the size that it has beside an equal one. In the
 * Euclidean metric it grows with the ratio of the masses. 100 is far above the change of sigma, which the heavy orbit
 * alone now decides, and far below a million. */
static void unequal_masses(fixture *f) {
    static const double equal[BODIES] = {1.0, 1.0}, unequal[BODIES] = {1.0, 1e-6}, other[BODIES] = {3e-5, 40.0};
    double same[BODIES], coarse[BODIES], fine[BODIES], reversed[BODIES];
    errors(f, equal, 800, same);
    errors(f, unequal, 800, coarse);
    errors(f, unequal, 1600, fine);
    errors(f, other, 800, reversed);
    for (int b = 0; b < BODIES; b++) {
        const double order = log2(coarse[b] / fine[b]);
        gsl_test(!(fabs(order - 2.0) < 0.1), "body %d of masses 1 and 1e-6: order %.3f", b, order);
        gsl_test(!(coarse[b] < 100.0 * same[b]), "body %d of masses 1 and 1e-6: error %.2g, with equal masses %.2g", b,
                 coarse[b], same[b]);
        gsl_test(!(reversed[b] < 100.0 * same[b]), "body %d of masses 3e-5 and 40: error %.2g, with equal masses %.2g",
                 b, reversed[b], same[b]);
    }
}

/* A step commits some four roundings of the terms of the energy. Independent ones add up to their root: 4 eps
 * sqrt(STEPS) is the standard deviation of the sum, and 4 of those are not exceeded by chance. An iteration that falls
 * short of the solution on one side loses energy in proportion to STEPS, hundreds of times as much. */
static void no_bias(fixture *f, const char *problem, double h) {
    enum { STEPS = 100000 };
    sb_system sys;
    sb_method method = {0};
    sb_state s[2];
    sb_dynamics dyn;
    double first = NAN, terms = NAN, kinetic, potential;
    long k = 0;
    fixture_build(f, problem, NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, "em", &sys, &method) | sb_state_new(&method, &f->arena, &s[0]) |
                 sb_state_new(&method, &f->arena, &s[1]) | sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn);
    status |= sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]);
    status |= sb_dynamics_energy(&dyn, 0.0, s[0].q, s[0].v, &kinetic, &potential);
    first = kinetic + potential;
    terms = fabs(kinetic) + fabs(potential);
    while (k < STEPS && status == SB_OK) {
        status = sb_method_step(&method, &s[k & 1], h, &s[(k + 1) & 1]);
        k += status == SB_OK;
    }
    gsl_test(k < STEPS, "%s, h = %g: %ld steps (%s)", problem, h, k, f->ctx.message);
    status |= sb_dynamics_energy(&dyn, 0.0, s[k & 1].q, s[k & 1].v, &kinetic, &potential);
    const double change = kinetic + potential - first;
    gsl_test(!(fabs(change) < 16.0 * DBL_EPSILON * sqrt(STEPS) * terms), "%s, h = %g: the energy changes by %.2g",
             problem, h, change);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    unequal_masses(&f);
    no_bias(&f, "kepler:e=0.1", 0.1);
    no_bias(&f, "kepler:e=0.5", 0.1);
    no_bias(&f, "kepler:e=0.3,a=2.5,mu=3", 0.15);
    fixture_close(&f);
    return gsl_test_summary();
}
