/* Constraints as strong springs: V + |g|^2/(2 eps), notes11 (41), with Rayleigh damping so that eps lambda + g + gamma
 * G v = 0, notes11 (51). */
#include <math.h>
#include <string.h>

#include <stepbench/numerics/mass.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

#include "core/run/scatter.h"
#include "problems/shared/pairs.h"

typedef struct config {
    sb_scalar eps, gamma;
} config;

/* A product of two entries of a column of G, and its position on H. */
typedef struct product {
    int column, a, b, at;
} product;

/* The arrays g, w, Gx and Hv are scratch. */
typedef struct penalized {
    config c;
    sb_scatter scatter;
    int nproducts;
    product *products;     /* the products of G G' */
    sb_scalar *g, *w, *Gx; /* m, m, nnz(G) */
    sb_scalar *Hv;         /* n: Hess g_i v */
} penalized;

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const penalized *p = self;
    const sb_system *inner = p->scatter.inner;
    *V = 0.0;
    if (inner->potential.value != NULL) {
        SB_TRY(sb_potential_value(inner, t, q, V));
    }
    SB_TRY(sb_holonomic_value(inner, t, q, p->g, NULL));
    for (int i = 0; i < inner->holonomic.m; i++) {
        *V += p->g[i] * p->g[i] / (2.0 * p->c.eps);
    }
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const penalized *p = self;
    const sb_system *inner = p->scatter.inner;
    memset(Vq, 0, (size_t)inner->n * sizeof *Vq);
    if (inner->potential.value != NULL) {
        SB_TRY(sb_potential_gradient(inner, t, q, Vq));
    }
    SB_TRY(sb_holonomic_value(inner, t, q, p->g, p->Gx));
    sb_csc_mult_add(&inner->holonomic.G, p->Gx, 1.0 / p->c.eps, p->g, Vq);
    return SB_OK;
}

/* Hx += c G G' for values Gx of G. */
static void add_square(const penalized *p, sb_scalar c, const sb_scalar *Gx, sb_scalar *Hx) {
    for (int k = 0; k < p->nproducts; k++) {
        const product *x = &p->products[k];
        Hx[x->at] += c * Gx[x->a] * Gx[x->b];
    }
}

static int stiffness(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const penalized *p = self;
    SB_TRY(sb_holonomic_value(p->scatter.inner, t, q, NULL, p->Gx));
    add_square(p, c / p->c.eps, p->Gx, Hx);
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const penalized *p = self;
    const sb_system *inner = p->scatter.inner;
    sb_scalar *Ax = sb_scatter_begin(&p->scatter);
    if (inner->potential.hessian != NULL) {
        SB_TRY(sb_potential_hessian(inner, t, q, c, Ax));
    }
    SB_TRY(sb_holonomic_value(inner, t, q, p->g, p->Gx));
    SB_TRY(sb_holonomic_hessian(inner, t, q, p->g, c / p->c.eps, Ax));
    sb_scatter_end(&p->scatter, Hx);
    add_square(p, c / p->c.eps, p->Gx, Hx);
    return SB_OK;
}

static int potential_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt) {
    const penalized *p = self;
    const sb_system *inner = p->scatter.inner;
    SB_TRY(sb_potential_rate(inner, t, q, Vt));
    SB_TRY(sb_holonomic_value(inner, t, q, p->g, NULL));
    SB_TRY(sb_holonomic_rate(inner, t, q, p->w));
    for (int i = 0; i < inner->holonomic.m; i++) {
        *Vt += p->g[i] * p->w[i] / p->c.eps;
    }
    return SB_OK;
}

/* Sets Gx and w = G' v. */
static int constraint_rates(const penalized *p, sb_scalar t, const sb_scalar *q, const sb_scalar *v) {
    const sb_system *inner = p->scatter.inner;
    SB_TRY(sb_holonomic_value(inner, t, q, NULL, p->Gx));
    sb_csc_mult_t(&inner->holonomic.G, p->Gx, v, p->w);
    return SB_OK;
}

static int force(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    const penalized *p = self;
    const sb_system *inner = p->scatter.inner;
    memset(f, 0, (size_t)inner->n * sizeof *f);
    if (inner->force.value != NULL) {
        SB_TRY(inner->force.value(inner->force.self, t, q, v, f));
    }
    SB_TRY(constraint_rates(p, t, q, v));
    sb_csc_mult_add(&inner->holonomic.G, p->Gx, -p->c.gamma / p->c.eps, p->w, f);
    return SB_OK;
}

/* Adds the part of the derivative of the damping in q without the Hessians weighted by G' v: c sum_i G_i (Hess g_i v)',
 * one constraint after the other. */
static int add_damping_term(const penalized *p, const sb_scalar *q, const sb_scalar *v, sb_scalar c, sb_scalar *Hx) {
    const sb_system *inner = p->scatter.inner;
    const sb_pattern *H = &inner->H;
    const int m = inner->holonomic.m;
    memset(p->w, 0, (size_t)m * sizeof(sb_scalar));
    for (int i = 0, k = 0; i < m; i++) {
        sb_scalar *Ax = sb_scatter_begin(&p->scatter);
        p->w[i] = 1.0;
        SB_TRY(sb_holonomic_hessian(inner, 0.0, q, p->w, 1.0, Ax));
        p->w[i] = 0.0;
        sb_csc_mult_t(H, Ax, v, p->Hv);
        for (; k < p->nproducts && p->products[k].column == i; k++) {
            const product *x = &p->products[k];
            Hx[x->at] += c * p->Gx[x->a] * p->Hv[inner->holonomic.G.i[x->b]];
        }
    }
    return SB_OK;
}

static int force_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                          sb_scalar cv, sb_scalar *Hx) {
    const penalized *p = self;
    const sb_system *inner = p->scatter.inner;
    const sb_scalar damping = -p->c.gamma / p->c.eps;
    sb_scalar *Ax = sb_scatter_begin(&p->scatter);
    if (inner->force.jacobian != NULL) {
        SB_TRY(inner->force.jacobian(inner->force.self, t, q, v, cq, cv, Ax));
    }
    SB_TRY(constraint_rates(p, t, q, v));
    if (cq != 0.0) {
        SB_TRY(sb_holonomic_hessian(inner, 0.0, q, p->w, cq * damping, Ax));
    }
    sb_scatter_end(&p->scatter, Hx);
    add_square(p, cv * damping, p->Gx, Hx);
    return cq != 0.0 ? add_damping_term(p, q, v, cq * damping, Hx) : SB_OK;
}

/* Sets H to the inner pattern extended by G G', and lists the products. */
static int set_pattern(sb_arena *arena, const sb_system *inner, penalized *p, sb_pattern *H) {
    const sb_pattern *G = &inner->holonomic.G;
    pairs entries;
    for (int i = 0; i < G->cols; i++) {
        const int length = G->p[i + 1] - G->p[i];
        p->nproducts += length * length;
    }
    SB_NEW(arena, p->products, p->nproducts);
    SB_TRY(pairs_new(arena, p->nproducts + sb_pattern_nnz(&inner->H), &entries));
    for (int i = 0; i < G->cols; i++) {
        for (int a = G->p[i]; a < G->p[i + 1]; a++) {
            for (int b = G->p[i]; b < G->p[i + 1]; b++) {
                p->products[entries.count] = (product){i, a, b, 0};
                pairs_add(&entries, G->i[a], G->i[b]);
            }
        }
    }
    pairs_add_pattern(&entries, &inner->H);
    SB_TRY(pairs_pattern(arena, &entries, inner->n, inner->n, H));
    for (int k = 0; k < p->nproducts; k++) {
        p->products[k].at = sb_pattern_find(H, entries.row[k], entries.col[k]);
    }
    return sb_scatter_init(arena, inner, H, &p->scatter);
}

/* Computes the largest eigenvalue of M^-1 G G' at the initial position by the power method, to a few per cent. It is
 * the square of the largest frequency of the springs times eps. */
static int largest_eigenvalue(sb_context *ctx, sb_arena *arena, const penalized *p, sb_scalar *out) {
    const sb_system *inner = p->scatter.inner;
    const int n = inner->n;
    sb_mass mass;
    sb_scalar t, *q, *x, *y, size = 1.0;
    SB_TRY(SB_VECTORS(arena, n, &q, &x, &y));
    SB_TRY(inner->initial(inner->self, &t, q, x));
    SB_TRY(sb_mass_init(ctx, arena, inner, &mass));
    SB_TRY(sb_mass_update(&mass, q));
    for (int i = 0; i < n; i++) {
        x[i] = 1.0 + 0.5 * sin((sb_scalar)i);
    }
    for (int k = 0; k < 30 && size > 0.0; k++) {
        SB_TRY(constraint_rates(p, t, q, x));
        memset(y, 0, (size_t)n * sizeof *y);
        sb_csc_mult_add(&inner->holonomic.G, p->Gx, 1.0, p->w, y);
        sb_mass_solve(&mass, y, x);
        size = sb_norm_max(n, x);
        for (int i = 0; i < n && size > 0.0; i++) {
            x[i] /= size;
        }
    }
    *out = size;
    return SB_OK;
}

/* Returns the largest modulus of the roots of y'' + (gamma/eps) k y' + (k/eps) y = 0. */
static sb_scalar fastest(const config *c, sb_scalar k) {
    const sb_scalar omega2 = k / c->eps, half = 0.5 * c->gamma * omega2, excess = half * half - omega2;
    return excess > 0.0 ? half + sqrt(excess) : sqrt(omega2);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, const sb_system *inner, sb_system *out) {
    penalized *p;
    sb_scalar k;
    if (inner->holonomic.m == 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "-w penalty has nothing to act on: %s has no holonomic constraints",
                       inner->name);
    }
    if ((inner->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0) {
        return sb_fail(
            ctx, SB_UNSUPPORTED,
            "-w penalty does not fit %s: without the constraints its mass matrix is singular, so they cannot be "
            "replaced by springs",
            inner->name);
    }
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    if (inner->holonomic.rate != NULL && p->c.gamma > 0.0) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "-w penalty:gamma=%g does not fit %s: its constraints depend on time, and their damping is not "
                       "defined here; take gamma=0",
                       (double)p->c.gamma, inner->name);
    }
    SB_TRY(set_pattern(arena, inner, p, &out->H));
    SB_TRY(SB_VECTORS(arena, inner->holonomic.m, &p->g, &p->w));
    SB_NEW(arena, p->Gx, sb_pattern_nnz(&inner->holonomic.G));
    SB_NEW(arena, p->Hv, inner->n);
    SB_TRY(largest_eigenvalue(ctx, arena, p, &k));
    out->time_scale = fmin(inner->time_scale, 1.0 / fastest(&p->c, k));
    out->period = 0.0; /* springs stretch */
    sb_scatter_inertia(&p->scatter, &out->inertia);
    const int degree =
        inner->holonomic.degree == 1 && (inner->potential.value == NULL || inner->potential.degree >= 0) ? 2 : -1;
    const bool in_time = inner->holonomic.rate != NULL || inner->potential.rate != NULL;
    out->potential = (sb_potential){.self = p,
                                    .degree = degree,
                                    .value = potential,
                                    .gradient = potential_gradient,
                                    .hessian = potential_hessian,
                                    .stiffness = stiffness,
                                    .rate = in_time ? potential_rate : NULL};
    if (p->c.gamma > 0.0) {
        out->force = (sb_force){p, force, force_jacobian};
    } else {
        sb_scatter_force(&p->scatter, &out->force);
    }
    SB_TRY(sb_scatter_outputs(arena, &p->scatter, &out->outputs));
    out->constrained = sb_system_constrained(inner);
    out->holonomic = (sb_holonomic){0};
    out->chart = NULL;
    out->rigid = NULL;
    out->attitudes = 0;
    out->exact = NULL;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, eps, "1e-2", "", "compliance: a constraint's spring constant is 1/eps"),
    SB_PARAM_NOT_NEGATIVE(config, gamma, "0", "s", "damping time: a constraint's damping constant is gamma/eps"),
    {.name = NULL},
};

SB_DEFINE_FORMULATION(penalty) = {
    .entry = {"penalty", "holonomic constraints as strong, damped springs: another problem, with its own solution",
              "notes11 (41)", params, sizeof(config)},
    .removes = SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_REDUNDANT,
    .refuses = SB_HAS_CONTACT | SB_HAS_FRICTION,
    .init = init,
};
