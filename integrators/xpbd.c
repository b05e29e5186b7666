/* XPBD: position-based dynamics with compliant constraints, macklin16 Algorithm 1. */
#include <string.h>

#include <stepbench/plugin.h>

#include "integrators/shared/multipliers.h"

/* From q~ = q + h v + h^2 M^-1 F and mu = 0, `sweeps` times for each constraint j in turn, with alpha~ = alpha/h^2,
 *
 *   dmu_j = (-g_j(q1) - alpha~ mu_j)/(G_j M^-1 G_j' + alpha~)     (18)
 *   q1 += M^-1 G_j(q1)' dmu_j,   mu_j += dmu_j                    (17)
 *
 * and v1 = (q1 - q)/h, lambda = mu/h^2. A system evaluates all rows together. At distances d from there a row follows
 * by
 *
 *   G_j + H_j d,   g_j + (G_j + H_j d/2) d
 *
 * where g is a polynomial of degree 2; otherwise all rows are evaluated again where coordinates of row j have moved. */
typedef struct config {
    sb_scalar alpha;
    long sweeps;
} config;

typedef struct work {
    multipliers motion;
    sb_mass mass;
    sb_scalar *F, *tmp;
    sb_scalar *at, *g, *Gx; /* the point of the last evaluation (n), and g and G there */
    sb_scalar *H;           /* the blocks H_j in the coordinates of row j, one after the other; NULL: degree above 2 */
    int *first;             /* where each of them begins (m) */
    sb_scalar *row, *d;     /* G_j at q1 and the distance from `at`, in the coordinates of a row (n) */
    sb_scalar *dq;          /* M^-1 G_j' in the rows of column j; else 0 (n) */
} work;

/* Computes the blocks H_j, the columns of which are differences of G between points with some coordinates 1 and 0: as
 * many at a time as have no row in common. */
static int set_curvatures(const sb_method *me, int size) {
    work *w = me->work;
    const sb_pattern *G = &me->sys->holonomic.G;
    sb_pattern rows; /* of every coordinate */
    sb_scalar *Gx, *unit = w->at;
    bool *done, *used;
    int *at, left = G->rows;
    SB_NEW(me->arena, w->H, size);
    SB_NEW(me->arena, Gx, sb_pattern_nnz(G));
    SB_NEW(me->arena, done, G->rows);
    SB_NEW(me->arena, used, G->cols);
    SB_TRY(sb_pattern_transpose(me->arena, G, &rows, &at));
    SB_TRY(sb_holonomic_value(me->sys, 0.0, unit, NULL, w->Gx));
    while (left > 0) {
        memset(used, 0, (size_t)G->cols * sizeof(bool));
        for (int i = 0; i < G->rows; i++) {
            bool apart = !done[i];
            for (int k = rows.p[i]; k < rows.p[i + 1]; k++) {
                apart &= !used[rows.i[k]];
            }
            for (int k = rows.p[i]; k < rows.p[i + 1] && apart; k++) {
                used[rows.i[k]] = true;
            }
            unit[i] = apart ? 1.0 : 0.0;
            done[i] |= apart;
            left -= apart;
        }
        SB_TRY(sb_holonomic_value(me->sys, 0.0, unit, NULL, Gx));
        for (int j = 0; j < G->cols; j++) {
            const int from = G->p[j], count = G->p[j + 1] - from;
            for (int k = 0; k < count * count; k++) {
                w->H[w->first[j] + k] +=
                    unit[G->i[from + k / count]] * (Gx[from + k % count] - w->Gx[from + k % count]);
            }
        }
    }
    return SB_OK;
}

static int init(sb_method *me) {
    const sb_system *sys = me->sys;
    const sb_pattern *G = &sys->holonomic.G;
    const int n = sys->n, m = sys->holonomic.m;
    int size = 0;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(me->arena, n, &w->F, &w->tmp, &w->at, &w->row, &w->d, &w->dq));
    SB_NEW(me->arena, w->g, m);
    SB_NEW(me->arena, w->Gx, sb_pattern_nnz(G));
    SB_NEW(me->arena, w->first, m);
    for (int j = 0; j < m; j++) {
        w->first[j] = size;
        size += (G->p[j + 1] - G->p[j]) * (G->p[j + 1] - G->p[j]);
    }
    if (m > 0 && sys->holonomic.degree >= 0 && sys->holonomic.rate == NULL) {
        SB_TRY(set_curvatures(me, size));
    }
    SB_TRY(sb_multipliers_init(me, &w->motion));
    SB_TRY(sb_mass_init(me->ctx, me->arena, sys, &w->mass));
    return sb_mass_form_inverse(me->arena, &w->mass);
}

static int evaluate(const sb_method *me, sb_scalar t, const sb_scalar *q1) {
    const work *w = me->work;
    memcpy(w->at, q1, (size_t)me->sys->n * sizeof(sb_scalar));
    return sb_holonomic_value(me->sys, t, q1, w->g, w->Gx);
}

/* Sets *g and w->row to g_j and G_j at q1. */
static int evaluate_row(const sb_method *me, int j, sb_scalar t, const sb_scalar *q1, sb_scalar *g) {
    const work *w = me->work;
    const sb_pattern *G = &me->sys->holonomic.G;
    const int *i = G->i + G->p[j], count = G->p[j + 1] - G->p[j];
    bool moved = false;
    for (int k = 0; k < count; k++) {
        w->d[k] = q1[i[k]] - w->at[i[k]];
        moved |= w->d[k] != 0.0;
    }
    if (moved && w->H == NULL) {
        SB_TRY(evaluate(me, t, q1));
    }
    *g = w->g[j];
    memcpy(w->row, w->Gx + G->p[j], (size_t)count * sizeof(sb_scalar));
    if (moved && w->H != NULL) {
        for (int k = 0; k < count; k++) {
            sb_scalar Hd = 0.0;
            for (int r = 0; r < count; r++) {
                Hd += w->H[w->first[j] + k + count * r] * w->d[r];
            }
            *g += (w->row[k] + 0.5 * Hd) * w->d[k];
            w->row[k] += Hd;
        }
    }
    return SB_OK;
}

/* Adds M^-1 G_j' to w->dq and returns G_j M^-1 G_j'. */
static sb_scalar apply_inverse_mass(const work *w, const sb_pattern *G, int j) {
    const sb_pattern *W = &w->mass.W;
    sb_scalar sum = 0.0;
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        for (int r = W->p[G->i[k]]; r < W->p[G->i[k] + 1]; r++) {
            w->dq[W->i[r]] += w->mass.Wx[r] * w->row[k - G->p[j]];
        }
    }
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        sum += w->row[k - G->p[j]] * w->dq[G->i[k]];
    }
    return sum;
}

/* Adds c w->dq to q1 in the rows of M^-1 G_j', and sets it to 0 there. */
static void move(const work *w, const sb_pattern *G, int j, sb_scalar c, sb_scalar *q1) {
    const sb_pattern *W = &w->mass.W;
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        for (int r = W->p[G->i[k]]; r < W->p[G->i[k] + 1]; r++) {
            q1[W->i[r]] += c * w->dq[W->i[r]];
            w->dq[W->i[r]] = 0.0;
        }
    }
}

/* Solves (18) and (17) for each constraint in turn, at the time t. */
static int sweep(const sb_method *me, sb_scalar t, sb_scalar h, sb_scalar *q1, sb_scalar *mu) {
    const work *w = me->work;
    const sb_holonomic *holonomic = &me->sys->holonomic;
    for (int j = 0; j < holonomic->m; j++) {
        sb_scalar g;
        SB_TRY(evaluate_row(me, j, t, q1, &g));
        const sb_scalar alpha =
            (holonomic->eps != NULL ? holonomic->eps[j] : ((const config *)me->config)->alpha) / (h * h);
        const sb_scalar diagonal = apply_inverse_mass(w, &holonomic->G, j) + alpha;
        const sb_scalar change = -(g + alpha * mu[j]) / diagonal;
        move(w, &holonomic->G, j, diagonal > 0.0 ? change : 0.0, q1);
        if (!(diagonal > 0.0)) {
            return sb_fail(me->ctx, SB_SINGULAR, "xpbd: the gradient of constraint %d vanishes; set alpha > 0", j);
        }
        mu[j] += change;
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    work *w = me->work;
    const int n = me->sys->n, m = me->sys->holonomic.m;
    SB_TRY(sb_system_force(me->sys, in->t, in->q, in->v, w->F, w->tmp));
    sb_mass_solve(&w->mass, w->F, w->motion.a);
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + h * (in->v[i] + h * w->motion.a[i]);
    }
    memset(out->lambda, 0, (size_t)m * sizeof(sb_scalar));
    SB_TRY(m > 0 ? evaluate(me, in->t + h, out->q) : SB_OK);
    for (long k = 0; k < c->sweeps && m > 0; k++) {
        SB_TRY(sweep(me, in->t + h, h, out->q, out->lambda));
    }
    for (int i = 0; i < n; i++) {
        out->v[i] = (out->q[i] - in->q[i]) / h;
    }
    for (int j = 0; j < m; j++) {
        out->lambda[j] /= h * h;
    }
    out->iters = m > 0 ? c->sweeps : 0;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_NOT_NEGATIVE(config, alpha, "0", "unit of g^2/(N m)", "compliance of a constraint, the inverse stiffness"),
    SB_PARAM_INT(config, sweeps, "10", 1.0, 1e6, "sweeps over the constraints per step"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(xpbd) = {
    .entry = {"xpbd", "XPBD: position-based dynamics, constraints one after the other", "macklin16", params,
              sizeof(config)},
    .order = 1,
    .supports = SB_HAS_REDUNDANT | SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC |
                SB_HAS_TIME_POTENTIAL,
    .compliance = "alpha",
    .init = init,
    .start = sb_multipliers_start,
    .step = step,
};
