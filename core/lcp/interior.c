/* Mehrotra's predictor-corrector method (mehrotra92) for the box problem: the sides of its solution, from a number of
 * factorizations that hardly depends on the number of rows. */
#include <stepbench/numerics/norm.h>

#include "core/lcp/interior.h"

/* With multipliers s, t >= 0 of the bounds, x = z - lo > 0 and y = hi - z > 0, the conditions are
 *
 *   A z + b = s - t,   s x = mu,   t y = mu   for every row,   mu -> 0.
 *
 * Newton's method eliminates ds = (mu - ds' dx')/x - s - (s/x) dz and dt = (mu - dt' dy')/y - t + (t/y) dz:
 *
 *   (A + s/x + t/y) dz = -(A z + b) + (mu - ds' dx')/x - (mu - dt' dy')/y.
 *
 * The predictor has mu = 0 and no products ds' dx' and dt' dy'; the corrector takes these from it, and mu from the
 * decrease that the predictor allows. */

enum { ITERATIONS = 60 };

int sb_lcp_interior_init(sb_arena *arena, int n, sb_lcp_interior *out) {
    return SB_VECTORS(arena, n, &out->x, &out->y, &out->s, &out->t, &out->w, &out->dz, &out->ds, &out->dt, &out->d2s,
                      &out->d2t);
}

static bool has_lo(const sb_lcp_problem *p, int i) { return isfinite(p->lo[i]) && p->lo[i] < p->hi[i]; }
static bool has_hi(const sb_lcp_problem *p, int i) { return isfinite(p->hi[i]) && p->lo[i] < p->hi[i]; }

/* Sets z between the bounds, and multipliers of the size of the terms of w. Returns the number of bounds. x and y are
 * kept beside z, because their differences from the bounds lose digits. */
static int begin(const sb_lcp *me, const sb_lcp_problem *p, const sb_lcp_interior *m, sb_scalar *z) {
    int bounds = 0;
    sb_scalar unit = 0.0;
    for (int i = 0; i < me->A.cols; i++) {
        unit = sb_larger(unit, fabs(p->b[i]) / p->Ax[m->diagonal[i]]);
    }
    unit = unit > 0.0 ? unit : 1.0;
    for (int i = 0; i < me->A.cols; i++) {
        const bool lo = has_lo(p, i), hi = has_hi(p, i);
        z[i] = p->lo[i] == p->hi[i] ? p->lo[i]
               : lo && hi           ? 0.5 * (p->lo[i] + p->hi[i])
               : lo                 ? p->lo[i] + unit
               : hi                 ? p->hi[i] - unit
                                    : 0.0;
        m->x[i] = z[i] - p->lo[i];
        m->y[i] = p->hi[i] - z[i];
        m->s[i] = lo ? p->Ax[m->diagonal[i]] * unit : 0.0;
        m->t[i] = hi ? p->Ax[m->diagonal[i]] * unit : 0.0;
        m->ds[i] = m->dt[i] = m->dz[i] = 0.0;
        bounds += lo + hi;
    }
    return bounds;
}

/* Returns the mean of s x and t y after a part of the step. */
static sb_scalar mean_product(const sb_lcp *me, const sb_lcp_problem *p, const sb_lcp_interior *m, sb_scalar part,
                              int bounds) {
    sb_scalar sum = 0.0;
    for (int i = 0; i < me->A.cols; i++) {
        const sb_scalar d = part * m->dz[i];
        sum += has_lo(p, i) ? (m->s[i] + part * m->ds[i]) * (m->x[i] + d) : 0.0;
        sum += has_hi(p, i) ? (m->t[i] + part * m->dt[i]) * (m->y[i] - d) : 0.0;
    }
    return sum / bounds;
}

/* Returns the part of the step after which the first of x, y, s and t is zero, at most 1. */
static sb_scalar room(const sb_lcp *me, const sb_lcp_problem *p, const sb_lcp_interior *m) {
    sb_scalar most = 1.0;
    for (int i = 0; i < me->A.cols; i++) {
        const sb_scalar d = m->dz[i];
        most = has_lo(p, i) && d < 0.0 ? fmin(most, -m->x[i] / d) : most;
        most = has_hi(p, i) && d > 0.0 ? fmin(most, m->y[i] / d) : most;
        most = m->ds[i] < 0.0 ? fmin(most, -m->s[i] / m->ds[i]) : most;
        most = m->dt[i] < 0.0 ? fmin(most, -m->t[i] / m->dt[i]) : most;
    }
    return most;
}

static int factor(const sb_lcp *me, const sb_lcp_problem *p, sb_lcp_interior *m) {
    for (int j = 0; j < me->A.cols; j++) {
        for (int k = me->A.p[j]; k < me->A.p[j + 1]; k++) {
            const int i = me->A.i[k];
            const bool fixed = p->lo[i] == p->hi[i] || p->lo[j] == p->hi[j];
            m->Fx[m->at[k]] = fixed ? (i == j ? 1.0 : 0.0) : p->Ax[k];
        }
        m->Fx[m->at[m->diagonal[j]]] += has_lo(p, j) ? m->s[j] / m->x[j] : 0.0;
        m->Fx[m->at[m->diagonal[j]]] += has_hi(p, j) ? m->t[j] / m->y[j] : 0.0;
    }
    return m->linear->type->factor(m->linear, m->Fx);
}

/* Sets (dz, ds, dt) for mu; `corrects`: with the products of the last ones. */
static int direction(const sb_lcp *me, const sb_lcp_problem *p, sb_lcp_interior *m, sb_scalar mu, bool corrects) {
    const int n = me->A.cols;
    for (int i = 0; i < n; i++) {
        const sb_scalar product_s = corrects ? m->ds[i] * m->dz[i] : 0.0,
                        product_t = corrects ? -m->dt[i] * m->dz[i] : 0.0;
        m->d2s[i] = has_lo(p, i) ? (mu - product_s) / m->x[i] : 0.0;
        m->d2t[i] = has_hi(p, i) ? (mu - product_t) / m->y[i] : 0.0;
    }
    for (int i = 0; i < n; i++) {
        m->dz[i] = p->lo[i] == p->hi[i] ? 0.0 : -m->w[i] + m->d2s[i] - m->d2t[i];
    }
    SB_TRY(m->linear->type->solve(m->linear, m->dz));
    for (int i = 0; i < n; i++) {
        m->ds[i] = has_lo(p, i) ? m->d2s[i] - m->s[i] - m->s[i] / m->x[i] * m->dz[i] : 0.0;
        m->dt[i] = has_hi(p, i) ? m->d2t[i] - m->t[i] + m->t[i] / m->y[i] * m->dz[i] : 0.0;
    }
    return SB_OK;
}

int sb_lcp_interior_sides(const sb_lcp *me, const sb_lcp_problem *p, sb_lcp_interior *m, sb_scalar *z,
                          signed char *side, sb_lcp_report *report) {
    const int n = me->A.cols, bounds = begin(me, p, m, z);
    const sb_scalar first = bounds > 0 ? mean_product(me, p, m, 0.0, bounds) : 0.0;
    sb_scalar mu = first;
    /* x = round-off of its size where s is not small: the sides are then clear. */
    for (int k = 0; k < ITERATIONS && mu > SB_EPSILON * first; k++) {
        sb_scalar size;
        SB_TRY(sb_poll(me->ctx));
        for (int i = 0; i < n; i++) {
            m->w[i] = sb_lcp_row(&me->A, p->Ax, p->b, z, i, &size);
        }
        report->factorizations++;
        report->iterations++;
        const int status = factor(me, p, m);
        if (status == SB_SINGULAR) { /* by round-off: A + s/x + t/y is definite */
            break;
        }
        SB_TRY(status);
        SB_TRY(direction(me, p, m, 0.0, false));
        const sb_scalar left = mean_product(me, p, m, room(me, p, m), bounds) / mu;
        SB_TRY(direction(me, p, m, left * left * left * mu, true));
        const sb_scalar part = 0.995 * room(me, p, m);
        if (!isfinite(sb_norm_max(n, m->dz)) || part < 1e-6) {
            break;
        }
        sb_axpy(n, part, m->dz, z);
        sb_axpy(n, part, m->dz, m->x);
        sb_axpy(n, -part, m->dz, m->y);
        sb_axpy(n, part, m->ds, m->s);
        sb_axpy(n, part, m->dt, m->t);
        mu = mean_product(me, p, m, 0.0, bounds);
    }
    for (int i = 0; i < n; i++) {
        const sb_scalar a = p->Ax[m->diagonal[i]];
        side[i] = p->lo[i] == p->hi[i]                    ? SB_LCP_LO
                  : has_lo(p, i) && a * m->x[i] < m->s[i] ? SB_LCP_LO
                  : has_hi(p, i) && a * m->y[i] < m->t[i] ? SB_LCP_HI
                                                          : SB_LCP_FREE;
    }
    return SB_OK;
}
