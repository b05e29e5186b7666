/* Constraints as a force: the multipliers of the index-1 equations with g'' + 2 alpha g' + beta^2 g = 0 and (A v - w)'
 * + alpha (A v - w) = 0 in place of g'' = 0 and (A v - w)' = 0: baumgarte72. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "core/run/scatter.h"

enum { DIFFERENCES, NONE };

typedef struct config {
    sb_scalar alpha, beta;
    int jacobian;
} config;

/* Largest number of coordinates for a full Jacobian; a larger one would need gigabytes. */
enum { JACOBIAN_MAX = 4096 };

/* `feedback` is the inner system with the feedback added to its curvature and rate, so that its accelerations are the
 * stabilized ones. The arrays are scratch. */
typedef struct stabilized {
    config c;
    sb_context *ctx;
    sb_scatter scatter;
    sb_system feedback;
    sb_dynamics *dyn;
    sb_scalar *a, *lambda;                /* n, m + r */
    sb_scalar *g, *gt, *Gx, *Ax, *Av, *w; /* of the feedback */
    sb_scalar *q, *v, *plus, *minus;      /* n: of the differences */
} stabilized;

/* ---- Feedback. ---- */

static int curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const stabilized *p = self;
    const sb_system *inner = p->scatter.inner;
    SB_TRY(sb_holonomic_curvature(inner, t, q, v, out));
    SB_TRY(sb_holonomic_value(inner, t, q, p->g, p->Gx));
    SB_TRY(sb_holonomic_rate(inner, t, q, p->gt));
    sb_csc_mult_t(&inner->holonomic.G, p->Gx, v, p->Av);
    for (int i = 0; i < inner->holonomic.m; i++) {
        out[i] += 2.0 * p->c.alpha * (p->Av[i] + p->gt[i]) + p->c.beta * p->c.beta * p->g[i];
    }
    return SB_OK;
}

static int holonomic_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    return sb_holonomic_value(((const stabilized *)self)->scatter.inner, t, q, g, Gx);
}

static int rate(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const stabilized *p = self;
    const sb_nonholonomic *inner = &p->scatter.inner->nonholonomic;
    SB_TRY(inner->rate(inner->self, t, q, v, out));
    SB_TRY(inner->value(inner->self, t, q, p->Ax, p->w));
    sb_csc_mult_t(&inner->A, p->Ax, v, p->Av);
    for (int i = 0; i < inner->m; i++) {
        out[i] += p->c.alpha * (p->Av[i] - p->w[i]);
    }
    return SB_OK;
}

static int nonholonomic_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w) {
    const sb_nonholonomic *inner = &((const stabilized *)self)->scatter.inner->nonholonomic;
    return inner->value(inner->self, t, q, Ax, w);
}

/* ---- The force. ---- */

/* Sets f to the force of the inner system plus C' lambda of the stabilized one; dyn->Cx holds the values of C. */
static int force(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    const stabilized *p = self;
    const sb_system *inner = p->scatter.inner;
    memset(f, 0, (size_t)inner->n * sizeof *f);
    SB_TRY(sb_dynamics_acceleration(p->dyn, t, q, v, p->a, p->lambda));
    if (inner->force.value != NULL) {
        SB_TRY(inner->force.value(inner->force.self, t, q, v, f));
    }
    sb_csc_mult_add(&p->dyn->C, p->dyn->Cx, 1.0, p->lambda, f);
    return SB_OK;
}

/* Adds c times column j of the derivative of f in x, which is q or v of p. The exact derivative would need the third
 * derivatives of g and T, which a system does not have. Central differences of sixth order with the step size/2000 have
 * a rounding error of 4e3 eps, and a smaller truncation error if f changes over size/50 or more. */
static int add_difference_column(const stabilized *p, sb_scalar t, sb_scalar *x, int j, sb_scalar size, sb_scalar c,
                                 sb_scalar *Hx) {
    static const sb_scalar weight[3] = {3.0 / 4.0, -3.0 / (sb_scalar)20.0, 1.0 / (sb_scalar)60.0};
    const int n = p->scatter.inner->n;
    const sb_scalar at = x[j], h = (at + 5e-4 * size) - at; /* the step as it is represented */
    for (int k = 1; k <= 3; k++) {
        x[j] = at + k * h;
        SB_TRY(force(p, t, p->q, p->v, p->plus));
        x[j] = at - k * h;
        SB_TRY(force(p, t, p->q, p->v, p->minus));
        for (int i = 0; i < n; i++) {
            Hx[i + n * j] += c * weight[k - 1] * (p->plus[i] - p->minus[i]) / h;
        }
    }
    x[j] = at;
    return SB_OK;
}

static int force_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                          sb_scalar cv, sb_scalar *Hx) {
    const stabilized *p = self;
    const int n = p->scatter.inner->n;
    const sb_scalar scale = p->feedback.time_scale, at_q = sb_norm_max(n, q), at_v = sb_norm_max(n, v),
                    size = fmax(at_q, at_v * scale);
    if (p->c.jacobian == NONE) {
        return sb_fail(p->ctx, SB_UNSUPPORTED,
                       "baumgarte:jacobian=none leaves a stepper that solves by Newton's method without a Jacobian; "
                       "take jacobian=differences");
    }
    memcpy(p->q, q, (size_t)n * sizeof *q);
    memcpy(p->v, v, (size_t)n * sizeof *v);
    for (int j = 0; j < n && cq != 0.0; j++) {
        SB_TRY(add_difference_column(p, t, p->q, j, size > 0.0 ? size : 1.0, cq, Hx));
    }
    for (int j = 0; j < n && cv != 0.0; j++) {
        SB_TRY(add_difference_column(p, t, p->v, j, size > 0.0 ? size / scale : 1.0 / scale, cv, Hx));
    }
    return SB_OK;
}

/* ---- Building. ---- */

static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const sb_system *inner = ((const stabilized *)self)->scatter.inner;
    return inner->exact(inner->self, t, q, v, NULL);
}

static int initial(const void *self, sb_scalar *t, sb_scalar *q, sb_scalar *v) {
    const sb_system *inner = ((const stabilized *)self)->scatter.inner;
    return inner->initial(inner->self, t, q, v);
}

static void set_feedback(stabilized *p, const sb_system *inner) {
    p->feedback = *inner;
    p->feedback.time_scale = fmin(inner->time_scale, 1.0 / fmax(2.0 * p->c.alpha, p->c.beta));
    if (inner->holonomic.m > 0) {
        p->feedback.holonomic.self = p;
        p->feedback.holonomic.value = holonomic_value;
        p->feedback.holonomic.curvature = curvature;
        p->feedback.holonomic.rate = NULL;
    }
    if (inner->nonholonomic.m > 0) {
        p->feedback.nonholonomic.self = p;
        p->feedback.nonholonomic.value = nonholonomic_value;
        p->feedback.nonholonomic.rate = rate;
    }
}

static int allocate(sb_arena *arena, const sb_system *inner, stabilized *p) {
    const int n = inner->n, m = inner->holonomic.m, r = inner->nonholonomic.m;
    SB_TRY(SB_VECTORS(arena, n, &p->a, &p->q, &p->v, &p->plus, &p->minus));
    SB_TRY(SB_VECTORS(arena, m + r, &p->lambda, &p->Av));
    SB_TRY(SB_VECTORS(arena, m, &p->g, &p->gt));
    SB_NEW(arena, p->w, r);
    SB_NEW(arena, p->Gx, sb_pattern_nnz(&inner->holonomic.G));
    SB_NEW(arena, p->Ax, sb_pattern_nnz(&inner->nonholonomic.A));
    return SB_OK;
}

/* Sets the pattern H, which is full if there is a Jacobian: a multiplier depends on all coordinates that are connected
 * by constraints. */
static int set_pattern(sb_arena *arena, const sb_system *inner, stabilized *p, sb_system *out) {
    if (p->c.jacobian == DIFFERENCES) {
        SB_TRY(sb_pattern_full(arena, inner->n, inner->n, &out->H));
    }
    SB_TRY(sb_scatter_init(arena, inner, &out->H, &p->scatter));
    sb_scatter_inertia(&p->scatter, &out->inertia);
    sb_scatter_potential(&p->scatter, &out->potential);
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, const sb_system *inner, sb_system *out) {
    stabilized *p;
    if (sb_system_bilateral(inner) == 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "-w baumgarte has nothing to act on: %s has no constraints", inner->name);
    }
    if ((inner->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "-w baumgarte does not fit %s: without its constraints its mass matrix is singular",
                       inner->name);
    }
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    p->ctx = ctx;
    if (p->c.jacobian == DIFFERENCES && inner->n > JACOBIAN_MAX) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "-w baumgarte: the Jacobian for %d coordinates would be a full matrix; add jacobian=none and "
                       "take an explicit stepper",
                       inner->n);
    }
    set_feedback(p, inner);
    SB_TRY(allocate(arena, inner, p));
    SB_NEW(arena, p->dyn, 1);
    SB_TRY(sb_dynamics_init(ctx, arena, &p->feedback, p->dyn));
    SB_TRY(set_pattern(arena, inner, p, out));
    out->time_scale = p->feedback.time_scale;
    out->force = (sb_force){p, force, force_jacobian};
    SB_TRY(sb_scatter_outputs(arena, &p->scatter, &out->outputs));
    out->constrained = sb_system_constrained(inner);
    out->holonomic = (sb_holonomic){0};
    out->nonholonomic = (sb_nonholonomic){0};
    out->chart = NULL;
    out->rigid = NULL;
    out->attitudes = 0;
    out->self = p;
    out->initial = initial;
    out->exact = inner->exact != NULL ? exact : NULL;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_NOT_NEGATIVE(config, alpha, "10", "1/s",
                          "damping rate of the violation; of g' twice that, of A v - w once"),
    SB_PARAM_NOT_NEGATIVE(config, beta, "10", "1/s",
                          "frequency of the violation g; critically damped for beta = alpha"),
    SB_PARAM_CHOICE(config, jacobian, "differences", "differences|none",
                    "of the force, for steppers with Newton's method: a full matrix by differences; none keeps large "
                    "systems sparse"),
    {.name = NULL},
};

SB_DEFINE_FORMULATION(baumgarte) = {
    .entry = {"baumgarte", "constraints as the forces of the index-1 equations, with feedback of the violation",
              "baumgarte72", params, sizeof(config)},
    .removes = SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_NONHOLONOMIC | SB_HAS_REDUNDANT,
    .adds = SB_HAS_FORCE,
    .refuses = SB_HAS_CONTACT | SB_HAS_FRICTION,
    .init = init,
};
