/* The linear system of a regularized step, M v - C' z = r, C v + Sigma z = s, in saddle or Schur form: spook07 (29),
 * (30). */
#include <string.h>

#include <stepbench/numerics/kkt.h>

#include "core/mechanics/internal.h"

struct sb_kkt_work {
    sb_form form;
    sb_saddle saddle;
    sb_schur schur;
    sb_linear *linear; /* linear solver of saddle or schur; NULL without rows */
    sb_scalar *Ax;     /* the values that it factors */
    sb_scalar *values; /* values of M, C and -Sigma; some linear solvers of the saddle form read them in place */
    sb_scalar *Sigma;
    /* Solutions are refined until the residual is round-off. Set by init for LU solvers, whose residual can be larger
     * because of pivoting and row scaling. The residual of LDL' and Cholesky is round-off for every Sigma: with
     * constraints after their coordinates, |L||D||L'| is no larger than the matrix of M and C M^-1 C' up to the
     * condition of M's blocks. */
    bool refined;
    sb_scalar *x, *shifted, *residual, *correction; /* n + r */
    sb_scalar *y;                                   /* n */
};

/* Returns the round-off of a sum of as many products as there are unknowns, whose errors add up to their root. */
static sb_scalar roundoff(const sb_kkt *kkt) { return sqrt((sb_scalar)(kkt->sys->n + kkt->C.cols)) * SB_EPSILON; }

/* Finds the position of each entry of the matrix in the array `values`. */
static int find_values(sb_arena *arena, const sb_kkt *kkt, const sb_pattern *A, const int **at_out) {
    const sb_saddle *saddle = &kkt->work->saddle;
    const int nnz_M = sb_pattern_nnz(&kkt->mass.M), nnz_C = sb_pattern_nnz(&kkt->C);
    int *at;
    SB_NEW(arena, at, sb_pattern_nnz(A));
    for (int k = 0; k < nnz_M; k++) {
        at[saddle->at_H[k]] = k;
    }
    for (int k = 0; k < nnz_C; k++) {
        at[saddle->at_C0[k]] = nnz_M + k;
    }
    for (int j = 0; j < kkt->C.cols; j++) {
        at[saddle->at_E[j]] = nnz_M + nnz_C + j;
    }
    *at_out = at;
    return SB_OK;
}

/* Sets the values of M in the saddle matrix. */
static void assemble_mass(sb_kkt *kkt) {
    const sb_saddle *saddle = &kkt->work->saddle;
    for (int k = 0, count = sb_pattern_nnz(&kkt->mass.M); k < count; k++) {
        saddle->Ax[saddle->at_H[k]] = kkt->mass.Mx[k];
    }
}

static int init_saddle(sb_context *ctx, sb_arena *arena, const sb_solver *solver, sb_kkt *kkt) {
    const sb_system *sys = kkt->sys;
    struct sb_kkt_work *w = kkt->work;
    const int *at = NULL;
    sb_pattern A;
    SB_TRY(sb_saddle_layout(ctx, arena, sys, &kkt->mass.M, &solver, &A, &w->saddle));
    SB_TRY(solver->in_place ? find_values(arena, kkt, &A, &at) : SB_OK);
    SB_TRY(sb_saddle_bind(ctx, arena, sys, solver, &A, at, solver->in_place ? w->values : NULL, &w->saddle));
    w->Ax = w->saddle.Ax;
    w->linear = &w->saddle.linear;
    assemble_mass(kkt);
    return SB_OK;
}

static int init_schur(sb_context *ctx, sb_arena *arena, const sb_solver *solver, sb_kkt *kkt) {
    struct sb_kkt_work *w = kkt->work;
    SB_TRY(sb_schur_init_with(ctx, arena, kkt->sys, &kkt->mass, solver, &w->schur));
    w->Ax = w->schur.work->Sx;
    w->linear = &w->schur.work->linear;
    return SB_OK;
}

int sb_kkt_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_added_mass *added, sb_form form,
                const sb_solver *solver, sb_kkt *out) {
    const int n = sys->n, rows = sb_system_bilateral(sys);
    struct sb_kkt_work *w;
    SB_NEW(arena, w, 1);
    w->form = form;
    *out = (sb_kkt){.sys = sys, .work = w};
    SB_TRY(sb_mass_init_with(ctx, arena, sys, added, &out->mass));
    const int nnz_M = sb_pattern_nnz(&out->mass.M);
    SB_TRY(sb_system_constraints(arena, sys, &out->C));
    SB_NEW(arena, w->values, nnz_M + sb_pattern_nnz(&out->C) + rows);
    memcpy(w->values, out->mass.Mx, (size_t)nnz_M * sizeof(sb_scalar));
    out->mass.Mx = w->values;
    out->Cx = w->values + nnz_M;
    SB_NEW(arena, w->Sigma, rows);
    SB_NEW(arena, w->y, n);
    SB_TRY(SB_VECTORS(arena, n + rows, &w->x, &w->shifted, &w->residual, &w->correction));
    if (rows == 0) {
        return SB_OK;
    }
    SB_TRY(form == SB_FORM_SCHUR ? init_schur(ctx, arena, solver, out) : init_saddle(ctx, arena, solver, out));
    w->refined = !w->linear->type->symmetric;
    w->linear->singular_below = roundoff(out); /* a pivot below this is dominated by round-off */
    return SB_OK;
}

void sb_kkt_set_sigma(sb_kkt *kkt, const sb_scalar *Sigma) {
    sb_scalar *const E = kkt->Cx + sb_pattern_nnz(&kkt->C);
    for (int j = 0; j < kkt->C.cols; j++) {
        kkt->work->Sigma[j] = Sigma[j];
        E[j] = -Sigma[j];
    }
    if (kkt->work->form == SB_FORM_SADDLE && kkt->work->linear != NULL) {
        sb_saddle_set_diagonal(&kkt->work->saddle, E);
    }
}

/* Assembles [M C; C' -Sigma], symmetric in (v, -z), unless the linear solver reads the values in place. A constant M
 * and Sigma are there already. */
SB_INLINED void assemble(sb_kkt *kkt) {
    const sb_saddle *saddle = &kkt->work->saddle;
    const int nnz_C = sb_pattern_nnz(&kkt->C);
    if (saddle->linear.type->in_place) {
        return;
    }
    if (!kkt->mass.constant) {
        assemble_mass(kkt);
    }
    for (int k = 0; k < nnz_C; k++) {
        saddle->Ax[saddle->at_C0[k]] = kkt->Cx[k];
    }
    for (int k = 0; k < nnz_C && saddle->at_C1 != NULL; k++) {
        saddle->Ax[saddle->at_C1[k]] = kkt->Cx[k];
    }
}

int sb_kkt_factor(sb_kkt *kkt, const sb_scalar *q) {
    struct sb_kkt_work *w = kkt->work;
    if (w->linear == NULL || w->form == SB_FORM_SCHUR) {
        SB_TRY(sb_mass_update(&kkt->mass, q));
        return w->linear == NULL ? SB_OK : sb_schur_factor(&w->schur, &kkt->mass, kkt->Cx, kkt->Cx, w->Sigma);
    }
    SB_TRY(sb_mass_evaluate(&kkt->mass, q));
    assemble(kkt);
    return sb_saddle_factor(&w->saddle);
}

/* Sets v and z from x = (v - c v0, -z). */
SB_INLINED void unload(const sb_kkt *kkt, sb_scalar c, const sb_scalar *v0, sb_scalar *v, sb_scalar *z, const int n,
                       const int rows) {
    const sb_scalar *const x = kkt->work->x;
    for (int i = 0; i < n; i++) {
        v[i] = x[i] + c * v0[i];
    }
    for (int i = 0; i < rows; i++) {
        z[i] = -x[n + i];
    }
}

/* Solves once, without refinement. */
static int solve_once(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, sb_scalar *v, sb_scalar *z) {
    struct sb_kkt_work *w = kkt->work;
    if (w->form == SB_FORM_SADDLE) {
        memcpy(w->x, r, (size_t)kkt->sys->n * sizeof(sb_scalar));
        memcpy(w->x + kkt->sys->n, s, (size_t)kkt->C.cols * sizeof(sb_scalar));
        SB_TRY(sb_saddle_solve(&w->saddle, w->x));
        unload(kkt, 0.0, r, v, z, kkt->sys->n, kkt->C.cols);
        return SB_OK;
    }
    sb_mass_solve(&kkt->mass, r, w->y);
    sb_csc_mult_t(&kkt->C, kkt->Cx, w->y, z);
    for (int i = 0; i < kkt->C.cols; i++) {
        z[i] = s[i] - z[i];
    }
    SB_TRY(sb_schur_solve(&w->schur, z));
    memcpy(w->x, r, (size_t)kkt->sys->n * sizeof(sb_scalar));
    sb_csc_mult_add(&kkt->C, kkt->Cx, 1.0, z, w->x);
    sb_mass_solve(&kkt->mass, w->x, v);
    return SB_OK;
}

sb_scalar sb_kkt_residual(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, const sb_scalar *v, const sb_scalar *z) {
    const int n = kkt->sys->n, rows = kkt->C.cols;
    const sb_scalar *const Sigma = kkt->work->Sigma;
    sb_scalar *const upper = kkt->work->residual, *const lower = upper + n, *const product = kkt->work->y;
    sb_mass_mult(&kkt->mass, v, product);
    sb_scalar size_upper = sb_norm_max(n, product), size_lower = 0.0;
    for (int i = 0; i < n; i++) {
        upper[i] = r[i] - product[i];
    }
    sb_csc_mult_add(&kkt->C, kkt->Cx, 1.0, z, upper);
    for (int j = 0; j < rows; j++) {
        sb_scalar sum = s[j] - Sigma[j] * z[j], size = fabs(s[j]) + fabs(Sigma[j] * z[j]);
        for (int k = kkt->C.p[j]; k < kkt->C.p[j + 1]; k++) {
            const sb_scalar term = kkt->Cx[k] * v[kkt->C.i[k]];
            sum -= term;
            size += fabs(term);
        }
        lower[j] = sum;
        size_lower = !(size <= size_lower) ? size : size_lower;
    }
    size_upper += sb_norm_max(n, r);
    /* a block of zeros is solved exactly */
    const sb_scalar a = size_upper > 0.0 ? sb_norm_max(n, upper) / size_upper : 0.0,
                    b = size_lower > 0.0 ? sb_norm_max(rows, lower) / size_lower : 0.0;
    return !(a <= b) ? a : b;
}

/* Refines the solution until the residual is round-off, or a correction no longer halves it. */
static int refine(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, sb_scalar *v, sb_scalar *z) {
    const int n = kkt->sys->n, rows = kkt->C.cols;
    sb_scalar *const residual = kkt->work->residual, *const correction = kkt->work->correction;
    sb_scalar last = (sb_scalar)INFINITY;
    for (;;) {
        const sb_scalar size = sb_kkt_residual(kkt, r, s, v, z);
        if (size <= roundoff(kkt) || !(size <= 0.5 * last)) {
            return SB_OK;
        }
        last = size;
        SB_TRY(solve_once(kkt, residual, residual + n, correction, correction + n));
        sb_axpy(n, 1.0, correction, v);
        for (int j = 0; j < rows; j++) {
            z[j] += correction[n + j];
        }
    }
}

int sb_kkt_solve(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, sb_scalar *v, sb_scalar *z) {
    if (kkt->work->linear == NULL) {
        sb_mass_solve(&kkt->mass, r, v);
        return SB_OK;
    }
    SB_TRY(solve_once(kkt, r, s, v, z));
    return kkt->work->refined ? refine(kkt, r, s, v, z) : SB_OK;
}

/* Sets b = (r - c M v0, s + (Upsilon - c) C v0). */
SB_INLINED void shift(const sb_kkt *kkt, sb_scalar c, const sb_scalar *r, const sb_scalar *s, const sb_scalar *Upsilon,
                      const sb_scalar *v0, sb_scalar *b, const int n, const int rows) {
    const sb_pattern *C = &kkt->C;
    sb_mass_blend(&kkt->mass, -c, v0, 1.0, r, b, n);
    for (int j = 0; j < rows; j++) {
        const sb_scalar weight = Upsilon[j] - c;
        b[n + j] = s[j];
        if (weight != 0.0) {
            for (int k = C->p[j]; k < C->p[j + 1]; k++) {
                b[n + j] += weight * kkt->Cx[k] * v0[C->i[k]];
            }
        }
    }
}

SB_INLINED int factor_solve_shifted(sb_kkt *kkt, const sb_scalar *q, const sb_scalar *r, const sb_scalar *s,
                                    const sb_scalar *Upsilon, const sb_scalar *v0, sb_scalar *v, sb_scalar *z,
                                    const int n, const int rows) {
    struct sb_kkt_work *w = kkt->work;
    if (rows == 0) {
        SB_TRY(sb_mass_update(&kkt->mass, q));
        sb_mass_solve_sized(&kkt->mass, r, v, n);
        return SB_OK;
    }
    const sb_scalar c = Upsilon[0];
    if (w->form == SB_FORM_SADDLE && !w->refined) {
        SB_TRY(sb_mass_evaluate(&kkt->mass, q));
        assemble(kkt);
        shift(kkt, c, r, s, Upsilon, v0, w->x, n, rows);
        SB_TRY(sb_saddle_factor_solve(&w->saddle, w->x));
        unload(kkt, c, v0, v, z, n, rows);
        return SB_OK;
    }
    SB_TRY(sb_kkt_factor(kkt, q));
    shift(kkt, c, r, s, Upsilon, v0, w->shifted, n, rows);
    SB_TRY(sb_kkt_solve(kkt, w->shifted, w->shifted + n, v, z));
    sb_axpy(n, c, v0, v);
    return SB_OK;
}

int sb_kkt_factor_solve_shifted(sb_kkt *kkt, const sb_scalar *q, const sb_scalar *r, const sb_scalar *s,
                                const sb_scalar *Upsilon, const sb_scalar *v0, sb_scalar *v, sb_scalar *z) {
    return SB_BY_SIZE(kkt->sys->n, kkt->C.cols, factor_solve_shifted, kkt, q, r, s, Upsilon, v0, v, z);
}

sb_linear *sb_kkt_linear(sb_kkt *kkt, const sb_scalar **Ax) {
    *Ax = kkt->work->Ax;
    return kkt->work->linear;
}
