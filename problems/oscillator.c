/* The linear oscillator m x'' = -m omega^2 x - m gamma x', the test equation of notes11 (1)-(6). */
#include <math.h>

#include <stepbench/plugin.h>

#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar m, omega, gamma, x0, v0;
} config;

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const config *p = self;
    *V = 0.5 * p->m * p->omega * p->omega * q[0] * q[0];
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const config *p = self;
    Vq[0] = p->m * p->omega * p->omega * q[0];
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const config *p = self;
    Hx[0] += c * p->m * p->omega * p->omega;
    return SB_OK;
}

static int springs(const void *self, sb_scalar c, sb_scalar *Hx) { return potential_hessian(self, 0.0, NULL, c, Hx); }

static int drag(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    const config *p = self;
    f[0] = -p->m * p->gamma * v[0];
    return SB_OK;
}

static int drag_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                         sb_scalar cv, sb_scalar *Hx) {
    const config *p = self;
    Hx[0] -= cv * p->m * p->gamma;
    return SB_OK;
}

/* With b = gamma/2 and w^2 = omega^2 - b^2: C = e^(-bt) cos wt and S = e^(-bt) sin(wt)/w, which become hyperbolic
 * functions for w^2 < 0. */
static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const config *p = self;
    const sb_scalar b = 0.5 * p->gamma, w2 = (p->omega - b) * (p->omega + b), w = sqrt(fabs(w2));
    sb_scalar C, S;
    if (w2 > 0.0) {
        const sb_scalar decay = exp(-b * t);
        C = decay * cos(w * t);
        S = decay * sin(w * t) / w;
    } else {
        /* The slow rate b - w is computed without cancellation, and no large number is multiplied by a small one. */
        const sb_scalar slow = exp(-p->omega * p->omega / (b + w) * t), fast = exp(-(b + w) * t);
        C = 0.5 * (slow + fast);
        S = w > 0.0 ? -slow * expm1(-2.0 * w * t) / (2.0 * w) : t * slow;
    }
    if (q != NULL) {
        q[0] = p->x0 * C + (p->v0 + b * p->x0) * S;
    }
    if (v != NULL) {
        v[0] = p->v0 * C - (b * p->v0 + p->omega * p->omega * p->x0) * S;
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *p = parameters;
    out->n = 1;
    out->time_scale = 1.0 / fmax(p->omega, p->gamma);
    out->period = p->gamma == 0.0 ? 2.0 * SB_PI / p->omega : 0.0;
    SB_TRY(sb_pattern_full(arena, 1, 1, &out->H));
    SB_TRY(set_masses(arena, 1, &p->m, &out->inertia));
    out->potential = (sb_potential){.self = p,
                                    .degree = 2,
                                    .value = potential,
                                    .gradient = potential_gradient,
                                    .hessian = potential_hessian,
                                    .springs = springs};
    if (p->gamma > 0.0) {
        out->force = (sb_force){p, drag, drag_jacobian};
    }
    return set_start_and_exact(arena, &p->x0, &p->v0, p, exact, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass"),
    SB_PARAM_POSITIVE(config, omega, "1", "1/s", "angular frequency without drag"),
    SB_PARAM_NOT_NEGATIVE(config, gamma, "0", "1/s", "drag: the force is -m gamma v"),
    SB_PARAM_ANY(config, x0, "1", "m", "initial position"),
    SB_PARAM_ANY(config, v0, "0", "m/s", "initial velocity"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(oscillator) = {
    .entry = {"oscillator", "linear oscillator, optionally with linear drag", "notes11 (1)", params, sizeof(config)},
    .init = init,
};
