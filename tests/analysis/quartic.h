/* A problem of tests: unit mass in the plane, V = (x^2 + y^2)/2 + a (x^2 y - y^3/3) + b x^2 y^2. With a = 1 it is that
 * of Henon and Heiles (1964), with b = 1 that of Pullen and Edmonds (1981); both are chaotic at high energy. */
#ifndef STEPBENCH_TESTS_ANALYSIS_QUARTIC_H
#define STEPBENCH_TESTS_ANALYSIS_QUARTIC_H

#include <math.h>

#include <stepbench/plugin.h>

typedef struct quartic {
    double a, b, y0, E; /* the motion starts at (0, y0) with a velocity along x and total energy E */
} quartic;

static int quartic_mass(const void *self, const double *q, double *Mx) {
    (void)self;
    (void)q;
    Mx[0] = Mx[1] = 1.0;
    return SB_OK;
}

static int quartic_potential(const void *self, double t, const double *q, double *V) {
    const quartic *p = self;
    const double x = q[0], y = q[1];
    *V = 0.5 * (x * x + y * y) + p->a * (x * x * y - y * y * y / 3.0) + p->b * x * x * y * y;
    return SB_OK;
}

static int quartic_gradient(const void *self, double t, const double *q, double *Vq) {
    const quartic *p = self;
    const double x = q[0], y = q[1];
    Vq[0] = x + 2.0 * p->a * x * y + 2.0 * p->b * x * y * y;
    Vq[1] = y + p->a * (x * x - y * y) + 2.0 * p->b * x * x * y;
    return SB_OK;
}

static int quartic_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const quartic *p = self;
    const double x = q[0], y = q[1], mixed = 2.0 * p->a * x + 4.0 * p->b * x * y;
    Hx[0] += c * (1.0 + 2.0 * p->a * y + 2.0 * p->b * y * y);
    Hx[1] += c * mixed;
    Hx[2] += c * mixed;
    Hx[3] += c * (1.0 - 2.0 * p->a * y + 2.0 * p->b * x * x);
    return SB_OK;
}

static int quartic_initial(const void *self, double *t, double *q, double *v) {
    const quartic *p = self;
    double V;
    *t = 0.0;
    q[0] = 0.0;
    q[1] = p->y0;
    SB_TRY(quartic_potential(self, *t, q, &V));
    v[0] = sqrt(2.0 * (p->E - V));
    v[1] = 0.0;
    return SB_OK;
}

static int quartic_init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    quartic *p;
    (void)ctx;
    SB_NEW(arena, p, 1);
    *p = *(const quartic *)parameters;
    out->n = 2;
    out->time_scale = 1.0;
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    out->inertia = (sb_inertia){.self = p, .mass = quartic_mass};
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->inertia.M));
    out->potential = (sb_potential){
        .self = p, .degree = -1, .value = quartic_potential, .gradient = quartic_gradient, .hessian = quartic_hessian};
    out->self = p;
    out->initial = quartic_initial;
    return SB_OK;
}

static const sb_param quartic_params[] = {SB_PARAM_ANY(quartic, a, "0", "", "weight of the cubic terms"),
                                          SB_PARAM_ANY(quartic, b, "0", "", "weight of the quartic term"),
                                          SB_PARAM_ANY(quartic, y0, "0.1", "", "start"),
                                          SB_PARAM_POSITIVE(quartic, E, "0.1", "", "energy"),
                                          {.name = NULL}};

static const sb_problem quartic_problem = {
    .entry = {"quartic", "two coupled oscillators of a test", "goldstein02", quartic_params, sizeof(quartic)},
    .init = quartic_init};

#endif
