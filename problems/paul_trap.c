/* An ion in the quadrupole trap of paul90, a potential that depends on time:
 *
 *   V = m/2 (U - W cos(Omega t)) (x^2 - y^2),   a = 4 U/Omega^2,   q = 2 W/Omega^2,
 *
 * so that with tau = Omega t/2 each coordinate satisfies Mathieu's equation, x'' + (a - 2 q cos 2 tau) x = 0, y'' - (a
 * - 2 q cos 2 tau) y = 0. For a = 0 it is stable for |q| < 0.908046. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar m, a, q, Omega, x0, y0, vx0, vy0;
} config;

/* Returns U - W cos(Omega t) in *k and its derivative by t. */
static sb_scalar stiffness_at(const config *p, sb_scalar t, sb_scalar *k) {
    const sb_scalar square = p->Omega * p->Omega, W = 0.5 * p->q * square;
    *k = 0.25 * p->a * square - W * cos(p->Omega * t);
    return W * p->Omega * sin(p->Omega * t);
}

static int value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const config *p = self;
    sb_scalar k;
    stiffness_at(p, t, &k);
    *V = 0.5 * p->m * k * (q[0] - q[1]) * (q[0] + q[1]);
    return SB_OK;
}

static int gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const config *p = self;
    sb_scalar k;
    stiffness_at(p, t, &k);
    Vq[0] = p->m * k * q[0];
    Vq[1] = -p->m * k * q[1];
    return SB_OK;
}

static int hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const config *p = self;
    sb_scalar k;
    stiffness_at(p, t, &k);
    Hx[0] += c * p->m * k;
    Hx[1] -= c * p->m * k;
    return SB_OK;
}

static int rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt) {
    const config *p = self;
    sb_scalar k;
    *Vt = 0.5 * p->m * stiffness_at(p, t, &k) * (q[0] - q[1]) * (q[0] + q[1]);
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *p = parameters;
    out->n = 2;
    out->time_scale = 1.0 / (p->Omega * fmax(1.0, sqrt(0.25 * fabs(p->a) + 0.5 * fabs(p->q))));
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->H));
    SB_TRY(set_masses(arena, 2, (sb_scalar[2]){p->m, p->m}, &out->inertia));
    out->potential =
        (sb_potential){.self = p, .degree = 2, .value = value, .gradient = gradient, .hessian = hessian, .rate = rate};
    return set_start(arena, (sb_scalar[2]){p->x0, p->y0}, (sb_scalar[2]){p->vx0, p->vy0}, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass"),
    SB_PARAM_ANY(config, a, "0.02", "", "constant part of the field"),
    SB_PARAM_ANY(config, q, "0.4", "", "alternating part of the field"),
    SB_PARAM_POSITIVE(config, Omega, "2", "rad/s", "angular frequency of the field"),
    SB_PARAM_ANY(config, x0, "1", "m", "initial x"),
    SB_PARAM_ANY(config, y0, "0.5", "m", "initial y"),
    SB_PARAM_ANY(config, vx0, "0", "m/s", "initial velocity in x"),
    SB_PARAM_ANY(config, vy0, "0.3", "m/s", "initial velocity in y"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(paul_trap) = {
    .entry = {"paul_trap", "ion in a quadrupole trap: a potential V(t,q) that depends on time", "paul90", params,
              sizeof(config)},
    .init = init,
};
