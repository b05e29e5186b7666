/* The linear system of a regularized step, M v - C lambda = r, C' v + Sigma lambda = s, in saddle or Schur form:
 * spook07 (29), (30). */
#include <string.h>

#include <stepbench/numerics/kkt.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>

#include "core/linear/ordering.h"

extern const sb_solver sb_solver_static_ldl;

struct sb_kkt_work {
    sb_saddle saddle;
    sb_schur schur;
    sb_scalar *values; /* of M, of C, and -Sigma: where the linear solver of the saddle form may read them in place */
    /* Solutions are refined until the residual is round-off. Set by init for LU solvers, whose residual can be larger
     * because of pivoting and row scaling. That of LDL' and Cholesky is round-off for every Sigma: with constraints
     * behind their coordinates, |L||D||L'| is no larger than the matrix of M and C M^-1 C' up to the condition of M's
     * blocks. */
    bool refined;
    sb_scalar *x, *residual, *correction; /* n + r */
    sb_scalar *y;                         /* n */
};

/* Returns the round-off of a sum of as many products as there are unknowns, whose errors add up to their root. */
static sb_scalar roundoff(const sb_kkt *kkt) { return sqrt((sb_scalar)(kkt->sys->n + kkt->C.cols)) * SB_EPSILON; }

static sb_linear *linear_of(const sb_kkt *kkt) {
    return kkt->form == SB_FORM_SCHUR ? &kkt->work->schur.linear : &kkt->work->saddle.linear;
}

static const sb_scalar *matrix_of(const sb_kkt *kkt) {
    return kkt->form == SB_FORM_SCHUR ? kkt->work->schur.Sx : kkt->work->saddle.Ax;
}

/* Finds the position of each entry of the matrix in kkt->work->values. */
static int find_values(sb_arena *arena, const sb_kkt *kkt, const sb_pattern *A, const int **at_out) {
    const sb_saddle *const saddle = &kkt->work->saddle;
    const int nnz_M = sb_pattern_nnz(&saddle->H), nnz_C = sb_pattern_nnz(&kkt->C);
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

static int init_saddle(sb_context *ctx, sb_arena *arena, const sb_solver *solver, sb_kkt *out) {
    const sb_system *sys = out->sys;
    const int *at = NULL;
    sb_pattern A;
    SB_TRY(sb_saddle_layout(ctx, arena, sys, &sys->inertia.M, &solver, &A, &out->work->saddle));
    if (solver->in_place) {
        SB_TRY(find_values(arena, out, &A, &at));
        out->work->saddle.Ax = out->work->values;
    } else {
        SB_NEW(arena, out->work->saddle.Ax, sb_pattern_nnz(&A));
    }
    return sb_linear_init_at(ctx, arena, solver, &A, at, sys->n, sys->n, &out->work->saddle.linear);
}

int sb_kkt_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_form form, const sb_solver *solver,
                sb_kkt *out) {
    const int n = sys->n, rows = sb_system_bilateral(sys), nnz_M = sb_pattern_nnz(&sys->inertia.M);
    *out = (sb_kkt){.sys = sys, .form = form};
    SB_NEW(arena, out->work, 1);
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    SB_TRY(sb_system_constraints(arena, sys, &out->C));
    SB_NEW(arena, out->work->values, nnz_M + sb_pattern_nnz(&out->C) + rows);
    memcpy(out->work->values, out->mass.Mx, (size_t)nnz_M * sizeof(sb_scalar));
    out->mass.Mx = out->work->values;
    out->Cx = out->work->values + nnz_M;
    SB_NEW(arena, out->Sigma, rows);
    SB_NEW(arena, out->work->y, n);
    SB_TRY(SB_VECTORS(arena, n + rows, &out->work->x, &out->work->residual, &out->work->correction));
    if (rows == 0) {
        return SB_OK;
    }
    SB_TRY(form == SB_FORM_SCHUR ? sb_schur_init_with(ctx, arena, sys, &out->mass, solver, &out->work->schur)
                                 : init_saddle(ctx, arena, solver, out));
    out->work->refined = !linear_of(out)->type->symmetric;
    linear_of(out)->singular_below = roundoff(out); /* a pivot below this is dominated by round-off */
    return SB_OK;
}

void sb_kkt_set_sigma(sb_kkt *kkt, const sb_scalar *Sigma) {
    sb_scalar *const E = kkt->Cx + sb_pattern_nnz(&kkt->C);
    for (int j = 0; j < kkt->C.cols; j++) {
        kkt->Sigma[j] = Sigma[j];
        E[j] = -Sigma[j];
    }
}

/* [M C; C' -Sigma], symmetric in (v, -lambda), unless the linear solver takes the values in place. */
static void assemble(sb_kkt *kkt) {
    sb_saddle *const saddle = &kkt->work->saddle;
    const int nnz_M = sb_pattern_nnz(&saddle->H), nnz_C = sb_pattern_nnz(&kkt->C);
    if (saddle->linear.at != NULL) {
        return;
    }
    for (int k = 0; k < nnz_M; k++) {
        saddle->Ax[saddle->at_H[k]] = kkt->mass.Mx[k];
    }
    for (int k = 0; k < nnz_C; k++) {
        saddle->Ax[saddle->at_C0[k]] = kkt->Cx[k];
    }
    for (int k = 0; k < nnz_C && saddle->at_C1 != NULL; k++) {
        saddle->Ax[saddle->at_C1[k]] = kkt->Cx[k];
    }
    sb_saddle_set_diagonal(saddle, kkt->Cx + nnz_C);
}

/* The column in which an LU factorization with pivoting finds no pivot need not belong to the dependent rows. An LDL'
 * in a fixed order finds one that does; it is computed for the message only, and not where it would take more than
 * DENSEST products per entry of the matrix. Returns SB_SINGULAR with the sentence, or a negative status. */
enum { DENSEST = 10000 };

static int name_dependent(const sb_linear *failed, const sb_scalar *Ax) {
    sb_linear symmetric = {0};
    bool cheap = false;
    SB_SCRATCH(scratch, failed->ctx);
    int status = sb_elimination_within(&scratch, &failed->A, failed->positive,
                                       (double)DENSEST * sb_pattern_nnz(&failed->A), &cheap);
    if (status == SB_OK && cheap) {
        status = sb_linear_init(failed->ctx, &scratch, &sb_solver_static_ldl, &failed->A, failed->positive,
                                failed->first_constraint, &symmetric);
        status = status == SB_OK ? symmetric.type->factor(&symmetric, Ax) : status;
    }
    return status < 0 ? status : SB_SINGULAR;
}

int sb_kkt_factor(sb_kkt *kkt, const sb_scalar *q) {
    const int rows = kkt->C.cols;
    int status;
    if (rows == 0) {
        return sb_mass_update(&kkt->mass, q);
    }
    if (kkt->form == SB_FORM_SCHUR) {
        SB_TRY(sb_mass_update(&kkt->mass, q));
        status = sb_schur_factor(&kkt->work->schur, &kkt->mass, kkt->Cx, kkt->Cx, kkt->Sigma);
    } else {
        SB_TRY(sb_mass_evaluate(&kkt->mass, q));
        assemble(kkt);
        status = sb_saddle_factor(&kkt->work->saddle);
    }
    const sb_linear *const linear = linear_of(kkt);
    const bool renames = status == SB_SINGULAR && !linear->type->symmetric && !linear->type->full;
    return renames ? name_dependent(linear, matrix_of(kkt)) : status;
}

/* The symmetric system's unknowns are (v, -lambda). */
static void load(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s) {
    memcpy(kkt->work->x, r, (size_t)kkt->sys->n * sizeof(sb_scalar));
    memcpy(kkt->work->x + kkt->sys->n, s, (size_t)kkt->C.cols * sizeof(sb_scalar));
}

static void unload(const sb_kkt *kkt, sb_scalar *v, sb_scalar *lambda) {
    memcpy(v, kkt->work->x, (size_t)kkt->sys->n * sizeof(sb_scalar));
    for (int i = 0; i < kkt->C.cols; i++) {
        lambda[i] = -kkt->work->x[kkt->sys->n + i];
    }
}

/* Solves once, without refinement. */
static int solve_once(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, sb_scalar *v, sb_scalar *lambda) {
    const int rows = kkt->C.cols;
    if (kkt->form == SB_FORM_SADDLE) {
        load(kkt, r, s);
        SB_TRY(sb_saddle_solve(&kkt->work->saddle, kkt->work->x));
        unload(kkt, v, lambda);
        return SB_OK;
    }
    sb_mass_solve(&kkt->mass, r, kkt->work->y);
    sb_csc_mult_t(&kkt->C, kkt->Cx, kkt->work->y, lambda);
    for (int i = 0; i < rows; i++) {
        lambda[i] = s[i] - lambda[i];
    }
    SB_TRY(sb_schur_solve(&kkt->work->schur, lambda));
    memcpy(kkt->work->x, r, (size_t)kkt->sys->n * sizeof(sb_scalar));
    sb_csc_mult_add(&kkt->C, kkt->Cx, 1.0, lambda, kkt->work->x);
    sb_mass_solve(&kkt->mass, kkt->work->x, v);
    return SB_OK;
}

sb_scalar sb_kkt_residual(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, const sb_scalar *v,
                          const sb_scalar *lambda) {
    const int n = kkt->sys->n, rows = kkt->C.cols;
    sb_scalar *const upper = kkt->work->residual, *const lower = upper + n, *const product = kkt->work->y;
    sb_mass_mult(&kkt->mass, v, product);
    sb_scalar size_upper = sb_norm_max(n, product), size_lower = 0.0;
    for (int i = 0; i < n; i++) {
        upper[i] = r[i] - product[i];
    }
    sb_csc_mult_add(&kkt->C, kkt->Cx, 1.0, lambda, upper);
    for (int j = 0; j < rows; j++) {
        sb_scalar sum = s[j] - kkt->Sigma[j] * lambda[j], size = fabs(s[j]) + fabs(kkt->Sigma[j] * lambda[j]);
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

/* Iterative refinement: until the residual is round-off, or a correction no longer halves it. */
static int refine(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, sb_scalar *v, sb_scalar *lambda) {
    const int n = kkt->sys->n, rows = kkt->C.cols;
    sb_scalar last = (sb_scalar)INFINITY;
    for (;;) {
        const sb_scalar size = sb_kkt_residual(kkt, r, s, v, lambda);
        if (size <= roundoff(kkt) || !(size <= 0.5 * last)) {
            return SB_OK;
        }
        last = size;
        SB_TRY(solve_once(kkt, kkt->work->residual, kkt->work->residual + n, kkt->work->correction,
                          kkt->work->correction + n));
        for (int i = 0; i < n; i++) {
            v[i] += kkt->work->correction[i];
        }
        for (int j = 0; j < rows; j++) {
            lambda[j] += kkt->work->correction[n + j];
        }
    }
}

int sb_kkt_solve(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, sb_scalar *v, sb_scalar *lambda) {
    if (kkt->C.cols == 0) {
        sb_mass_solve(&kkt->mass, r, v);
        return SB_OK;
    }
    SB_TRY(solve_once(kkt, r, s, v, lambda));
    return kkt->work->refined ? refine(kkt, r, s, v, lambda) : SB_OK;
}

int sb_kkt_factor_solve(sb_kkt *kkt, const sb_scalar *q, const sb_scalar *r, const sb_scalar *s, sb_scalar *v,
                        sb_scalar *lambda) {
    if (kkt->C.cols == 0 || kkt->form == SB_FORM_SCHUR || kkt->work->saddle.linear.type->factor_solve == NULL) {
        SB_TRY(sb_kkt_factor(kkt, q));
        return sb_kkt_solve(kkt, r, s, v, lambda);
    }
    SB_TRY(sb_mass_evaluate(&kkt->mass, q));
    assemble(kkt);
    load(kkt, r, s);
    SB_TRY(sb_saddle_factor_solve(&kkt->work->saddle, kkt->work->x));
    unload(kkt, v, lambda);
    return SB_OK;
}

sb_linear *sb_kkt_linear(sb_kkt *kkt, const sb_scalar **Ax) {
    *Ax = kkt->C.cols > 0 ? matrix_of(kkt) : NULL;
    return kkt->C.cols > 0 ? linear_of(kkt) : NULL;
}
