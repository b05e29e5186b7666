/* A problem of tests: unit mass in the plane, V = (k x^2 + l y^2)/2 - mu/r, and the force f = (b y' - c x' - s y, -b x'
 * + s x). M lambda^2 + C lambda + K = 0 is solved by hand. */
#ifndef STEPBENCH_TESTS_ANALYSIS_PLANAR_H
#define STEPBENCH_TESTS_ANALYSIS_PLANAR_H

#include <math.h>

#include <stepbench/plugin.h>

typedef struct planar {
    double k, l, b, c, s, mu, x0, w0; /* the motion starts at (x0, 0) with the velocity (0, w0) */
    int jacobian;
} planar;

static int planar_mass(const void *self, const double *q, double *Mx) {
    (void)self;
    (void)q;
    Mx[0] = Mx[1] = 1.0;
    return SB_OK;
}

static int planar_potential(const void *self, double t, const double *q, double *V) {
    const planar *p = self;
    (void)t;
    *V = 0.5 * (p->k * q[0] * q[0] + p->l * q[1] * q[1]) - (p->mu > 0.0 ? p->mu / hypot(q[0], q[1]) : 0.0);
    return SB_OK;
}

static int planar_gradient(const void *self, double t, const double *q, double *Vq) {
    const planar *p = self;
    (void)t;
    const double pull = p->mu > 0.0 ? p->mu * pow(hypot(q[0], q[1]), -3.0) : 0.0;
    Vq[0] = (p->k + pull) * q[0];
    Vq[1] = (p->l + pull) * q[1];
    return SB_OK;
}

static int planar_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const planar *p = self;
    (void)t;
    const double pull = p->mu > 0.0 ? p->mu * pow(hypot(q[0], q[1]), -3.0) : 0.0,
                 turn = p->mu > 0.0 ? 3.0 * p->mu * pow(hypot(q[0], q[1]), -5.0) : 0.0;
    Hx[0] += c * (p->k + pull - turn * q[0] * q[0]);
    Hx[1] -= c * turn * q[0] * q[1];
    Hx[2] -= c * turn * q[0] * q[1];
    Hx[3] += c * (p->l + pull - turn * q[1] * q[1]);
    return SB_OK;
}

static int planar_force(const void *self, double t, const double *q, const double *v, double *f) {
    const planar *p = self;
    (void)t;
    f[0] = p->b * v[1] - p->c * v[0] - p->s * q[1];
    f[1] = -p->b * v[0] + p->s * q[0];
    return SB_OK;
}

static int planar_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                           double *Hx) {
    const planar *p = self;
    (void)t;
    (void)q;
    (void)v;
    Hx[0] -= cv * p->c;
    Hx[1] += -cv * p->b + cq * p->s;
    Hx[2] += cv * p->b - cq * p->s;
    return SB_OK;
}

static int planar_initial(const void *self, double *t, double *q, double *v) {
    const planar *p = self;
    *t = q[1] = v[0] = 0.0;
    q[0] = p->x0;
    v[1] = p->w0;
    return SB_OK;
}

static int planar_init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    planar *p;
    (void)ctx;
    SB_NEW(arena, p, 1);
    *p = *(const planar *)parameters;
    out->n = 2;
    out->time_scale = 0.5;
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    out->inertia = (sb_inertia){.self = p, .mass = planar_mass};
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->inertia.M));
    out->potential = (sb_potential){.self = p,
                                    .degree = p->mu > 0.0 ? -1 : 2,
                                    .value = planar_potential,
                                    .gradient = planar_gradient,
                                    .hessian = planar_hessian};
    if (p->b != 0.0 || p->c != 0.0 || p->s != 0.0) {
        out->force = (sb_force){p, planar_force, p->jacobian ? planar_jacobian : NULL};
    }
    out->self = p;
    out->initial = planar_initial;
    return SB_OK;
}

static const sb_param planar_params[] = {SB_PARAM_ANY(planar, k, "1", "", "stiffness along x"),
                                         SB_PARAM_ANY(planar, l, "1", "", "stiffness along y"),
                                         SB_PARAM_ANY(planar, b, "0", "", "gyroscopic force"),
                                         SB_PARAM_ANY(planar, c, "0", "", "drag along x"),
                                         SB_PARAM_ANY(planar, s, "0", "", "circulatory force"),
                                         SB_PARAM_ANY(planar, mu, "0", "", "attraction by the origin"),
                                         SB_PARAM_ANY(planar, x0, "1", "", "start"),
                                         SB_PARAM_ANY(planar, w0, "0", "", "velocity of the start"),
                                         SB_PARAM_CHOICE(planar, jacobian, "yes", "no|yes", "the force has one"),
                                         {.name = NULL}};

static const sb_problem planar_problem = {
    .entry = {"planar", "a linear system of a test", "goldstein02", planar_params, sizeof(planar)},
    .init = planar_init};

#endif
