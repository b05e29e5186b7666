/* The discrete Lagrangian in momentum form: wm96 (4.1), (4.20), and in a chart wm96 (4.9)-(4.13); Newton's method for
 * one constrained discrete Euler-Lagrange step: wm96 (4.5), (4.14)-(4.18). */
#include <string.h>

#include <stepbench/numerics/continuation.h>
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lagrangian.h>

#include "core/mechanics/internal.h"

struct sb_lagrangian_work {
    const sb_system *ambient; /* the system on which L is defined: sys, or its embedding */
    const sb_chart *chart;    /* NULL without an embedding */
    sb_scalar theta, weight;  /* theta and w of lagrangian.h */
    bool mass_only;           /* the derivative of p_minus has only the term M/h, with a constant M */
    bool plain;               /* a constant diagonal M and a potential, and nothing else, without a chart: the instances
                                 of constant sizes. Instructions per step without and with it: midpoint on oscillator
                                 1169 and 1028, on kepler 1656 and 1480; del on pendulum 2256 and 1835, on dsp 5023
                                 and 4452 */
    sb_scalar t, h;           /* of the last momenta: the time of a, and the length of the step */
    sb_mass mass;
    sb_scalar *a, *d, *F, *Tv, *tmp;                               /* ambient */
    sb_scalar *point0, *point1, *D0x, *D1x, *ambient_Hx, *product; /* only with an embedding */
};

int sb_lagrangian_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_scalar theta, sb_scalar w,
                       sb_lagrangian *out) {
    struct sb_lagrangian_work *work;
    SB_NEW(arena, work, 1);
    *out = (sb_lagrangian){.sys = sys, .work = work};
    *work = (struct sb_lagrangian_work){.ambient = sys, .theta = theta, .weight = w};
    if (sys->embedding != NULL) {
        work->ambient = sys->embedding->ambient;
        work->chart = sys->embedding->chart;
        const size_t n = (size_t)work->ambient->n;
        SB_TRY(SB_VECTORS(arena, n, &work->point0, &work->point1));
        SB_TRY(SB_VECTORS(arena, sb_pattern_nnz(&work->chart->D), &work->D0x, &work->D1x));
        SB_NEW(arena, work->ambient_Hx, sb_pattern_nnz(&work->ambient->H));
        SB_NEW(arena, work->product, n);
    }
    const size_t n = (size_t)work->ambient->n;
    SB_TRY(SB_VECTORS(arena, n, &work->a, &work->d, &work->F, &work->Tv, &work->tmp));
    SB_TRY(sb_mass_init(ctx, arena, work->ambient, &work->mass));
    work->plain = work->chart == NULL && work->mass.constant && work->mass.diagonal && sys->inertia.gradient == NULL &&
                  sys->force.value == NULL && sys->potential.value != NULL;
    work->mass_only = work->chart == NULL && work->mass.constant && sys->inertia.hessian == NULL &&
                      sys->potential.hessian == NULL && sys->force.jacobian == NULL;
    return SB_OK;
}

/* Computes a and d of wm96 (4.13), in the embedding space if there is a chart, and M(a) and M(a) d. */
SB_INLINED int set_midpoint(struct sb_lagrangian_work *w, sb_scalar t, sb_scalar h, const sb_scalar *x,
                            const sb_scalar *y, const int n, const bool plain) {
    const sb_scalar theta = w->theta;
    w->t = t + theta * h;
    w->h = h;
    if (!plain && w->chart != NULL) {
        SB_TRY(w->chart->point(w->chart->self, x, w->point0, w->D0x));
        SB_TRY(w->chart->point(w->chart->self, y, w->point1, w->D1x));
        x = w->point0;
        y = w->point1;
    }
    for (int i = 0; i < n; i++) {
        const sb_scalar from = x[i], to = y[i];
        w->a[i] = (1.0 - theta) * from + theta * to;
        w->d[i] = (to - from) / h;
        if (plain) {
            w->Tv[i] = w->mass.Mx[i] * w->d[i];
        }
    }
    if (!plain) {
        SB_TRY(sb_mass_evaluate(&w->mass, w->a));
        sb_mass_mult_sized(&w->mass, w->d, w->Tv, n);
    }
    return SB_OK;
}

/* Computes p = T_v + c F, pulled back by D where there is a chart. `plain`: F is still V_q. */
SB_INLINED void momentum(const struct sb_lagrangian_work *w, sb_scalar c, const sb_scalar *Dx, sb_scalar *p,
                         const int n, const bool plain) {
    sb_scalar *ambient = !plain && w->chart != NULL ? w->product : p;
    for (int i = 0; i < n; i++) {
        ambient[i] = w->Tv[i] + c * (plain ? -w->F[i] : w->F[i]);
    }
    if (!plain && w->chart != NULL) {
        sb_csc_mult_t(&w->chart->D, Dx, ambient, p);
    }
}

/* Computes sb_lagrangian_momenta in an ambient space of n dimensions. */
SB_INLINED int momenta(const sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                       sb_scalar *p_minus, sb_scalar *p_plus, const int n, const bool plain) {
    struct sb_lagrangian_work *w = L->work;
    SB_TRY(set_midpoint(w, t, h, x, y, n, plain));
    SB_TRY(plain ? sb_potential_gradient(w->ambient, w->t, w->a, w->F)
                 : sb_system_force_sized(w->ambient, w->t, w->a, w->d, w->F, w->tmp, n));
    if (p_minus != NULL) {
        momentum(w, -w->weight * h, w->D0x, p_minus, n, plain);
    }
    if (p_plus != NULL) {
        momentum(w, (1.0 - w->weight) * h, w->D1x, p_plus, n, plain);
    }
    return SB_OK;
}

SB_INLINED int momenta_plain(const sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                             sb_scalar *p_minus, sb_scalar *p_plus, const int n, const int m) {
    return momenta(L, t, h, x, y, p_minus, p_plus, n, true);
}

int sb_lagrangian_momenta(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                          sb_scalar *p_minus, sb_scalar *p_plus) {
    return L->work->plain ? SB_BY_SIZE(L->sys->n, 0, momenta_plain, L, t, h, x, y, p_minus, p_plus)
                          : momenta(L, t, h, x, y, p_minus, p_plus, L->work->ambient->n, false);
}

const sb_pattern *sb_lagrangian_pattern(const sb_lagrangian *L) {
    return L->work->mass_only ? &L->sys->inertia.M : &L->sys->H;
}

/* Computes M/h + theta T_vq - w h [theta (T_qq - V_qq + f_q) + (T_qv + f_v)/h] at (a, d), on the ambient pattern. */
SB_INLINED int ambient_jacobian(const struct sb_lagrangian_work *w, sb_scalar *Hx, const bool plain) {
    const sb_system *sys = w->ambient;
    const sb_scalar h = w->h, cq = -w->weight * w->theta * h;
    for (int k = 0, count = sb_pattern_nnz(&sys->H); k < count; k++) {
        Hx[k] = 0.0;
    }
    sb_mass_add(&w->mass, 1.0 / h, Hx);
    if (!plain && sys->inertia.hessian != NULL) {
        SB_TRY(sys->inertia.hessian(sys->inertia.self, w->a, w->d, cq, -w->weight, w->theta, Hx));
    }
    if (sys->potential.hessian != NULL) {
        SB_TRY(sb_potential_hessian(sys, w->t, w->a, -cq, Hx));
    }
    if (!plain && sys->force.jacobian != NULL) {
        SB_TRY(sys->force.jacobian(sys->force.self, w->t, w->a, w->d, cq, -w->weight, Hx));
    }
    return SB_OK;
}

/* Computes Hx = D0' A D1, column by column. */
static void pull_back(const struct sb_lagrangian_work *w, const sb_pattern *H, const sb_scalar *Ax, sb_scalar *Hx) {
    const sb_pattern *D = &w->chart->D;
    for (int j = 0; j < H->cols; j++) {
        memset(w->tmp, 0, (size_t)w->ambient->n * sizeof(sb_scalar));
        memset(w->product, 0, (size_t)w->ambient->n * sizeof(sb_scalar));
        for (int k = D->p[j]; k < D->p[j + 1]; k++) {
            w->tmp[D->i[k]] = w->D1x[k];
        }
        sb_csc_mult_add(&w->ambient->H, Ax, 1.0, w->tmp, w->product);
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            const int i = H->i[k];
            sb_scalar sum = 0.0;
            for (int r = D->p[i]; r < D->p[i + 1]; r++) {
                sum += w->D0x[r] * w->product[D->i[r]];
            }
            Hx[k] = sum;
        }
    }
}

static __attribute__((noinline)) int full_jacobian(const sb_lagrangian *L, sb_scalar *Hx) {
    const struct sb_lagrangian_work *w = L->work;
    SB_TRY(ambient_jacobian(w, w->chart == NULL ? Hx : w->ambient_Hx, false));
    if (w->chart != NULL) {
        pull_back(w, &L->sys->H, w->ambient_Hx, Hx);
    }
    return SB_OK;
}

/* Computes M/h. */
SB_INLINED void mass_jacobian(const sb_lagrangian *L, sb_scalar *Hx) {
    const struct sb_lagrangian_work *w = L->work;
    for (int k = 0, count = sb_pattern_nnz(&w->mass.M); k < count; k++) {
        Hx[k] = w->mass.Mx[k] / w->h;
    }
}

int sb_lagrangian_jacobian(sb_lagrangian *L, sb_scalar *Hx) {
    if (!L->work->mass_only) {
        return full_jacobian(L, Hx);
    }
    mass_jacobian(L, Hx);
    return SB_OK;
}

int sb_lagrangian_value(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                        sb_scalar *value) {
    struct sb_lagrangian_work *w = L->work;
    SB_TRY(set_midpoint(w, t, h, x, y, w->ambient->n, false));
    sb_scalar kinetic = 0.0, potential = 0.0;
    for (int i = 0; i < w->ambient->n; i++) {
        kinetic += 0.5 * w->d[i] * w->Tv[i];
    }
    if (w->ambient->potential.value != NULL) {
        SB_TRY(sb_potential_value(w->ambient, w->t, w->a, &potential));
    }
    *value = kinetic - potential;
    return SB_OK;
}

/* ---- A discrete Euler-Lagrange step. ---- */

struct sb_del_work {
    sb_context *ctx;
    sb_saddle saddle;
    sb_del_scaling scaling;
    sb_scalar length; /* sb_system_length */
    sb_scalar *G1x, *residual;
    sb_scalar *last; /* scratch of sb_continue (n) */
};

int sb_del_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_scalar theta, sb_scalar w,
                sb_del_scaling scaling, sb_del *out) {
    struct sb_del_work *work;
    SB_NEW(arena, work, 1);
    work->ctx = ctx;
    work->scaling = scaling;
    *out = (sb_del){.work = work};
    SB_TRY(sb_lagrangian_init(ctx, arena, sys, theta, w, &out->L));
    SB_TRY(sb_saddle_init_on(ctx, arena, sys, sb_lagrangian_pattern(&out->L), &work->saddle));
    if (sys->holonomic.m > 0) {
        SB_TRY(SB_VECTORS(arena, sb_pattern_nnz(&sys->holonomic.G), &out->G0x, &work->G1x));
        SB_NEW(arena, work->last, sys->n);
    }
    SB_NEW(arena, work->residual, sys->n + work->saddle.rows);
    return sb_system_length(ctx, sys, &work->length);
}

/* Factors of Newton's matrix: the DEL rows -(p_minus - p)/h + G0 lambda = 0 are multiplied by `row` and the constraint
 * rows by `constraint`; the unknown is mu = `multiplier` lambda. */
typedef struct scales {
    sb_scalar row, constraint, multiplier;
} scales;

static scales scales_of(sb_del_scaling scaling, sb_scalar h) {
    switch (scaling) {
    case SB_SCALE_NONE: return (scales){1.0, 1.0, 1.0};
    case SB_SCALE_EQ16: return (scales){h * h, h, h};
    case SB_SCALE_EQ18: return (scales){h, 1.0, h};
    case SB_SCALE_H2:
    default: return (scales){h * h, 1.0, h * h};
    }
}

/* Sets the blocks of the saddle matrix that are the same for every y: that of G0x = G(x), and a constant M/h. */
SB_INLINED void assemble_constant(sb_del *del, scales s, sb_scalar h) {
    struct sb_del_work *work = del->work;
    del->L.work->h = h;
    if (del->L.work->mass_only) {
        mass_jacobian(&del->L, work->saddle.Hx);
        sb_saddle_set_H(&work->saddle, -s.row / h);
    }
    sb_saddle_set_C0(&work->saddle, s.row / s.multiplier, del->G0x);
}

/* Sets the other blocks at (y, x) of the last momenta. Evaluates G1x = G(y), and g(y) where g is not NULL. */
SB_INLINED int assemble(sb_del *del, scales s, sb_scalar t, sb_scalar h, const sb_scalar *y, sb_scalar *g, const int m,
                        const bool plain) {
    struct sb_del_work *work = del->work;
    if (!del->L.work->mass_only) {
        SB_TRY(plain ? ambient_jacobian(del->L.work, work->saddle.Hx, true) : full_jacobian(&del->L, work->saddle.Hx));
        sb_saddle_set_H(&work->saddle, -s.row / h);
    }
    if (m > 0) {
        SB_TRY(sb_holonomic_value(del->L.sys, t + h, y, g, work->G1x));
        sb_saddle_set_C1(&work->saddle, s.constraint, work->G1x);
    }
    return SB_OK;
}

/* A step of length h from x, for y and lambda. */
typedef struct newton_step {
    sb_del *del;
    sb_scalar t, h;
    const sb_scalar *x, *p;
    sb_scalar *y, *lambda;
    sb_scalar size; /* of x */
} newton_step;

SB_INLINED int correct(const newton_step *step, scales s, sb_scalar *change, sb_scalar *scale, const int ambient,
                       const int n, const int m, const bool plain) {
    sb_del *del = step->del;
    const sb_scalar h = step->h, c = s.row / h;
    sb_scalar *r = del->work->residual;
    SB_TRY(momenta(&del->L, step->t, h, step->x, step->y, r, NULL, ambient, plain));
    for (int i = 0; i < n; i++) {
        r[i] = c * (r[i] - step->p[i]);
    }
    SB_TRY(assemble(del, s, step->t, h, step->y, r + n, m, plain));
    if (m > 0) {
        sb_csc_mult_add_sized(&del->L.sys->holonomic.G, del->G0x, -s.row, step->lambda, r, m);
    }
    for (int i = 0; i < m; i++) {
        r[n + i] *= -s.constraint;
    }
    SB_TRY(sb_saddle_factor_solve(&del->work->saddle, r));
    *change = sb_norm_max(n, r);
    sb_axpy(n, 1.0, r, step->y);
    for (int i = 0; i < m; i++) {
        step->lambda[i] += r[n + i] / s.multiplier;
    }
    *scale = sb_larger(sb_norm_max(n, step->y), step->size);
    return SB_OK;
}

/* Takes a Newton step for a step of the fraction s of the length. */
static int correct_fraction(void *arg, sb_scalar s, sb_scalar *change, sb_scalar *scale) {
    newton_step step = *(const newton_step *)arg;
    const sb_system *sys = step.del->L.sys;
    step.h *= s;
    const scales of = scales_of(step.del->work->scaling, step.h);
    assemble_constant(step.del, of, step.h);
    return correct(&step, of, change, scale, step.del->L.work->ambient->n, sys->n, sys->holonomic.m, false);
}

/* Finds the solution that continues the motion from x. */
static __attribute__((noinline, cold)) int follow(newton_step step) {
    const struct sb_del_work *work = step.del->work;
    const int n = step.del->L.sys->n;
    memcpy(step.y, step.x, (size_t)n * sizeof *step.y);
    return sb_continue(work->ctx, n, step.y, work->last, work->length, correct_fraction, &step);
}

SB_INLINED int solve_sized(const newton_step *step, const sb_newton *newton, long *iters, const int ambient,
                           const int n, const int m, const bool plain) {
    sb_del *del = step->del;
    const struct sb_del_work *work = del->work;
    const scales s = scales_of(work->scaling, step->h);
    sb_newton_loop loop = {0};
    sb_scalar corrected = 0.0;
    if (m > 0) {
        SB_TRY(sb_holonomic_value(del->L.sys, step->t, step->x, NULL, del->G0x));
    }
    assemble_constant(del, s, step->h);
    const sb_scalar expected = sb_distance_max(n, step->y, step->x);
    while (sb_newton_again(work->ctx, newton, SB_NEWTON_QUADRATIC, work->length, &loop)) {
        loop.status = correct(step, s, &loop.change, &loop.scale, ambient, n, m, plain);
        corrected += loop.change;
    }
    *iters = loop.iters;
    SB_TRY(loop.status);
    return m == 0 || sb_continues(corrected, expected, work->length) ? SB_OK : follow(*step);
}

SB_INLINED int solve_plain(const newton_step *step, const sb_newton *newton, long *iters, const int n, const int m) {
    return solve_sized(step, newton, iters, n, n, m, true);
}

int sb_del_solve(sb_del *del, const sb_newton *newton, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *p,
                 sb_scalar *y, sb_scalar *lambda, long *iters) {
    const sb_system *sys = del->L.sys;
    const newton_step step = {del, t, h, x, p, y, lambda, sb_norm_max(sys->n, x)};
    return del->L.work->plain
               ? SB_BY_SIZE(sys->n, sys->holonomic.m, solve_plain, &step, newton, iters)
               : solve_sized(&step, newton, iters, del->L.work->ambient->n, sys->n, sys->holonomic.m, false);
}

int sb_del_matrix(sb_del *del, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y, sb_scalar *dense) {
    const sb_system *sys = del->L.sys;
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, x, NULL, del->G0x));
    }
    const scales s = scales_of(del->work->scaling, h);
    assemble_constant(del, s, h);
    SB_TRY(sb_lagrangian_momenta(&del->L, t, h, x, y, del->work->residual, NULL));
    SB_TRY(assemble(del, s, t, h, y, NULL, sys->holonomic.m, false));
    const sb_saddle *saddle = &del->work->saddle;
    const sb_pattern *A = &saddle->linear.A;
    memset(dense, 0, (size_t)A->rows * (size_t)A->cols * sizeof *dense);
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            dense[A->i[k] + j * A->rows] = saddle->Ax[saddle->linear.at != NULL ? saddle->linear.at[k] : k];
        }
    }
    return SB_OK;
}
