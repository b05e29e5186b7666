/* The work that forces, drivers and terms that depend on time do along a run, and their impulse along the symmetries.
 * hlw06 I.1 (Hermite interpolation: hnw93 II.6). */
#include <string.h>

#include <stepbench/numerics/lapack.h>

#include "analysis/conservation/applied_work.h"

enum { POINTS = 3, DERIVATIVES = 3, TERMS = POINTS * DERIVATIVES, NODES = 5 };

/* Gauss's points and weights on [0, 1]. */
static const double node[NODES] = {0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155,
                                   0.953089922969332};
static const double weight[NODES] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                     0.11846344252809454};

/* Weights of (q, h v, h^2 a) of successive states in q and h v at the nodes of one of the steps between them. */
typedef struct rule {
    int points;
    double q[NODES][TERMS], v[NODES][TERMS];
} rule;

struct sb_applied_work_scratch {
    rule first, before, last;   /* between two states; the earlier and the later of the two steps between three */
    double *state[POINTS];      /* q, v, a of the last states, the latest first */
    double *q, *v, *f, *a, *xi; /* at a node */
    double *lambda, *w, *gt, *Ax;
};

bool sb_applied_work_exists(const sb_system *sys) {
    return (sys->flags & (unsigned)(SB_HAS_FORCE | SB_HAS_NONHOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) !=
           0;
}

const char *sb_applied_work_excluded(const sb_system *sys) {
    return sys->contact.m + sys->contact.k > 0
               ? "impacts and dry friction change energy and momenta, too: the analysis balance compares them"
               : NULL;
}

/* Sets derivative d of the monomials 1, s, s^2, ... at s. */
static void monomials(double s, int d, int count, double *out) {
    for (int j = 0; j < count; j++) {
        double factor = 1.0;
        for (int k = 0; k < d; k++) {
            factor *= j - k;
        }
        out[j] = j < d ? 0.0 : factor * pow(s, j - d);
    }
}

/* Sets the rule of `points` states at s = 0, -1, ..., whose step ends at s = end. The weights x of a value at a node
 * reproduce every monomial: sum_i x_i (monomial at state i) = monomial at the node. */
static int make_rule(sb_context *ctx, int points, double end, rule *out) {
    const int terms = points * DERIVATIVES;
    double A[TERMS * TERMS], x[2 * NODES * TERMS];
    lapack_int pivots[TERMS];
    out->points = points;
    for (int i = 0; i < terms; i++) {
        const int state = i / DERIVATIVES;
        monomials(-(double)state, i % DERIVATIVES, terms, A + (size_t)(i * terms));
    }
    for (int k = 0; k < NODES; k++) {
        monomials(end - 1.0 + node[k], 0, terms, x + (size_t)(2 * k * terms));
        monomials(end - 1.0 + node[k], 1, terms, x + (size_t)((2 * k + 1) * terms));
    }
    const lapack_int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, terms, 2 * NODES, A, terms, pivots, x, terms);
    if (info != 0) {
        return sb_lapack_fail(ctx, info, SB_SINGULAR, "the weights of the interpolation are singular");
    }
    for (int k = 0; k < NODES; k++) {
        memcpy(out->q[k], x + (size_t)(2 * k * terms), (size_t)terms * sizeof *x);
        memcpy(out->v[k], x + (size_t)((2 * k + 1) * terms), (size_t)terms * sizeof *x);
    }
    return SB_OK;
}

int sb_applied_work_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, double h, sb_applied_work *out) {
    struct sb_applied_work_scratch *s;
    *out = (sb_applied_work){.sys = sys, .h = h};
    SB_TRY(SB_VECTORS(arena, sys->symmetry.count, &out->impulse, &out->magnitude));
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &out->dyn));
    SB_NEW(arena, s, 1);
    out->scratch = s;
    SB_TRY(SB_VECTORS(arena, 3 * (size_t)sys->n, &s->state[0], &s->state[1], &s->state[2]));
    SB_TRY(SB_VECTORS(arena, sys->n, &s->q, &s->v, &s->f, &s->a, &s->xi));
    SB_NEW(arena, s->lambda, sb_system_multipliers(sys));
    SB_NEW(arena, s->w, sys->nonholonomic.m);
    SB_NEW(arena, s->gt, sys->holonomic.m);
    SB_NEW(arena, s->Ax, sb_pattern_nnz(&sys->nonholonomic.A));
    SB_TRY(make_rule(ctx, 2, 0.0, &s->first));
    SB_TRY(make_rule(ctx, 3, -1.0, &s->before));
    return make_rule(ctx, 3, 0.0, &s->last);
}

/* Sets q and v at a node. */
static void interpolate(const sb_applied_work *work, const rule *r, int k) {
    struct sb_applied_work_scratch *s = work->scratch;
    const double unit[DERIVATIVES] = {1.0, work->h, work->h * work->h};
    const int n = work->sys->n;
    for (int i = 0; i < n; i++) {
        s->q[i] = s->v[i] = 0.0;
        for (int j = 0; j < r->points * DERIVATIVES; j++) {
            const double y = unit[j % DERIVATIVES] * s->state[j / DERIVATIVES][(j % DERIVATIVES) * n + i];
            s->q[i] += r->q[k][j] * y;
            s->v[i] += r->v[k][j] * y;
        }
        s->v[i] /= work->h;
    }
}

/* Sets s->f to f, plus A' alpha where the rows may do work or have an impulse, and *power to the power of both. */
static int forces(sb_applied_work *work, double t, double *power) {
    struct sb_applied_work_scratch *s = work->scratch;
    const sb_system *sys = work->sys;
    const sb_nonholonomic *rows = &sys->nonholonomic;
    const double *alpha = s->lambda + sys->holonomic.m;
    bool driven = sys->holonomic.rate != NULL;
    SB_TRY(sb_potential_rate(sys, t, s->q, power));
    memset(s->f, 0, (size_t)sys->n * sizeof *s->f);
    if (sys->force.value != NULL) {
        SB_TRY(sys->force.value(sys->force.self, t, s->q, s->v, s->f));
    }
    for (int i = 0; i < sys->n; i++) {
        *power += s->f[i] * s->v[i];
    }
    if (rows->m == 0 && !driven) {
        return SB_OK;
    }
    SB_TRY(rows->m > 0 ? rows->value(rows->self, t, s->q, s->Ax, s->w) : SB_OK);
    SB_TRY(sb_holonomic_rate(sys, t, s->q, s->gt));
    for (int i = 0; i < rows->m; i++) {
        driven = driven || s->w[i] != 0.0;
    }
    if (!driven && sys->symmetry.count == 0) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_acceleration(&work->dyn, t, s->q, s->v, s->a, s->lambda));
    for (int i = 0; i < sys->holonomic.m; i++) {
        *power -= s->lambda[i] * s->gt[i];
    }
    for (int i = 0; i < rows->m; i++) {
        *power += alpha[i] * s->w[i];
    }
    if (rows->m > 0) {
        sb_csc_mult_add(&rows->A, s->Ax, 1.0, alpha, s->f);
    }
    return SB_OK;
}

/* Adds the integrals over the step of the rule that ends at t. */
static int integrate(sb_applied_work *work, const rule *r, double t) {
    struct sb_applied_work_scratch *s = work->scratch;
    const sb_symmetry *symmetry = &work->sys->symmetry;
    for (int k = 0; k < NODES; k++) {
        const double share = weight[k] * work->h;
        double power;
        interpolate(work, r, k);
        SB_TRY(forces(work, t - (1.0 - node[k]) * work->h, &power));
        work->value += share * power;
        work->size += share * fabs(power);
        for (int i = 0; i < symmetry->count; i++) {
            SB_TRY(symmetry->generator(symmetry->self, i, s->q, s->xi));
            for (int j = 0; j < work->sys->n; j++) {
                work->impulse[i] += share * s->f[j] * s->xi[j];
                work->magnitude[i] += share * fabs(s->f[j] * s->xi[j]);
            }
        }
    }
    return SB_OK;
}

static void set_all(sb_applied_work *work, double x) {
    work->value = work->size = x;
    for (int i = 0; i < work->sys->symmetry.count; i++) {
        work->impulse[i] = work->magnitude[i] = x;
    }
}

static int add(sb_applied_work *work, double t, const double *q, const double *v) {
    struct sb_applied_work_scratch *s = work->scratch;
    const size_t n = (size_t)work->sys->n;
    double *now = s->state[2];
    s->state[2] = s->state[1];
    s->state[1] = s->state[0];
    s->state[0] = now;
    memcpy(now, q, n * sizeof *q);
    memcpy(now + n, v, n * sizeof *v);
    SB_TRY(sb_dynamics_acceleration(&work->dyn, t, q, v, now + 2 * n, NULL));
    work->seen++;
    if (work->seen == 2) {
        return integrate(work, &s->first, t);
    }
    if (work->seen == 3) {
        set_all(work, 0.0);
        SB_TRY(integrate(work, &s->before, t - work->h));
    }
    return work->seen > 2 ? integrate(work, &s->last, t) : SB_OK;
}

int sb_applied_work_add(sb_applied_work *work, double t, const double *q, const double *v) {
    if (isnan(work->value)) {
        return SB_OK;
    }
    const int status = add(work, t, q, v);
    if (status > 0) {
        set_all(work, NAN);
        return SB_OK;
    }
    return status;
}
