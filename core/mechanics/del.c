/* Newton's method for one constrained discrete Euler-Lagrange step in momentum form: wm96 (4.5), (4.14)-(4.18). */
#include <string.h>

#include <stepbench/numerics/continuation.h>
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lagrangian.h>
#include <stepbench/numerics/norm.h>

#include "core/mechanics/internal.h"

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

/* Computes r = p_minus(y, x), and assembles the saddle matrix at (y, x) from G0x = G(x). Evaluates G1x = G(y), and g(y)
 * where g is not NULL. */
static inline __attribute__((always_inline)) int assemble(sb_del *del, scales s, sb_scalar t, sb_scalar h,
                                                          const sb_scalar *x, const sb_scalar *y, sb_scalar *r,
                                                          sb_scalar *g) {
    const sb_system *sys = del->L.sys;
    SB_TRY(sb_lagrangian_momenta(&del->L, t, h, x, y, r, NULL));
    SB_TRY(sb_lagrangian_jacobian(&del->L, del->work->saddle.Hx));
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(sys, t + h, y, g, del->work->G1x));
    }
    sb_saddle_assemble(&del->work->saddle, -s.row / h, s.row / s.multiplier, del->G0x, s.constraint, del->work->G1x);
    return SB_OK;
}

typedef struct newton_step {
    sb_del *del;
    sb_scalar t, h;
    const sb_scalar *x, *p;
    sb_scalar *y, *lambda;
    sb_scalar size;      /* of x */
    sb_scalar corrected; /* sum of the corrections of y */
} newton_step;

static int correct(void *arg, sb_scalar *change, sb_scalar *scale) {
    newton_step *step = arg;
    sb_del *del = step->del;
    const sb_system *sys = del->L.sys;
    const int n = sys->n, m = sys->holonomic.m;
    const sb_scalar h = step->h;
    const scales s = scales_of(del->work->scaling, h);
    sb_scalar *r = del->work->residual;
    SB_TRY(assemble(del, s, step->t, h, step->x, step->y, r, r + n));
    const sb_scalar c = s.row / h;
    for (int i = 0; i < n; i++) {
        r[i] = c * (r[i] - step->p[i]);
    }
    if (m > 0) {
        sb_csc_mult_add(&sys->holonomic.G, del->G0x, -s.row, step->lambda, r);
    }
    for (int i = 0; i < m; i++) {
        r[n + i] *= -s.constraint;
    }
    SB_TRY(sb_saddle_factor_solve(&del->work->saddle, r));
    *change = sb_norm_max(n, r);
    step->corrected += *change;
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
    step.h *= s;
    return correct(&step, change, scale);
}

int sb_del_solve(sb_del *del, const sb_newton *newton, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *p,
                 sb_scalar *y, sb_scalar *lambda, long *iters) {
    const sb_system *sys = del->L.sys;
    newton_step step = {del, t, h, x, p, y, lambda, sb_norm_max(sys->n, x), 0.0};
    sb_scalar expected = 0.0;
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, x, NULL, del->G0x));
    }
    for (int i = 0; i < sys->n; i++) {
        expected = sb_larger(expected, fabs(y[i] - x[i]));
    }
    SB_TRY(sb_newton_iterate(del->work->ctx, newton, SB_NEWTON_QUADRATIC, del->work->length, correct, &step, iters));
    if (sys->holonomic.m == 0 || sb_continues(step.corrected, expected, del->work->length)) {
        return SB_OK;
    }
    memcpy(y, x, (size_t)sys->n * sizeof *y);
    return sb_continue(del->work->ctx, sys->n, y, del->work->last, del->work->length, correct_fraction, &step);
}

int sb_del_matrix(sb_del *del, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y, sb_scalar *dense) {
    const sb_system *sys = del->L.sys;
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, x, NULL, del->G0x));
    }
    SB_TRY(assemble(del, scales_of(del->work->scaling, h), t, h, x, y, del->work->residual, NULL));
    const struct sb_saddle_work *saddle = del->work->saddle.work;
    const sb_pattern *A = &saddle->linear.A;
    memset(dense, 0, (size_t)A->rows * (size_t)A->cols * sizeof *dense);
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            dense[A->i[k] + j * A->rows] = saddle->Ax[saddle->linear.at != NULL ? saddle->linear.at[k] : k];
        }
    }
    return SB_OK;
}
