/* The linear system of a regularized step, M v - C lambda = r, C' v + Sigma lambda = s, in saddle or Schur form: spook07 (29), (30). */
#include <float.h>
#include <string.h>

#include <stepbench/kkt.h>

#include "core/elimination.h"

extern const sb_solver sb_solver_plan;

/* What the round-off of as many products as there are unknowns adds up to, like a random walk. */
static double roundoff(const sb_kkt *kkt) { return sqrt((double)(kkt->sys->n + kkt->C.cols)) * DBL_EPSILON; }

static sb_linear *linear_of(sb_kkt *kkt) { return kkt->form == SB_FORM_SCHUR ? &kkt->schur.linear : &kkt->saddle.linear; }

int sb_kkt_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_form form, const sb_solver *solver, sb_kkt *out) {
    const int n = sys->n, rows = sb_system_bilateral(sys);
    *out = (sb_kkt){.sys = sys, .form = form};
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    SB_NEW(arena, out->x, n + rows);
    SB_NEW(arena, out->y, n);
    SB_NEW(arena, out->residual, n + rows);
    SB_NEW(arena, out->correction, n + rows);
    SB_TRY(sb_system_constraints(arena, sys, &out->C));
    if (rows == 0) {
        return SB_OK;
    }
    SB_TRY(form == SB_FORM_SCHUR ? sb_schur_init_with(ctx, arena, sys, &out->mass, solver, &out->schur)
                                 : sb_saddle_init_with(ctx, arena, sys, &sys->inertia.M, solver, &out->saddle));
    out->refined = !linear_of(out)->type->symmetric;
    linear_of(out)->singular_below = roundoff(out); /* a pivot that small has no digit */
    return SB_OK;
}

void sb_kkt_fini(sb_kkt *kkt) {
    sb_saddle_fini(&kkt->saddle);
    sb_schur_fini(&kkt->schur);
}

/* [M C; C' -Sigma], symmetric in (v, -lambda). */
static void assemble(sb_kkt *kkt) {
    sb_saddle *const saddle = &kkt->saddle;
    const sb_pattern *const C = &kkt->C;
    const int n = kkt->sys->n, nnz_M = sb_pattern_nnz(&saddle->H), nnz_C = sb_pattern_nnz(C);
    for (int k = 0; k < nnz_M && !(kkt->mass.constant && kkt->mass_assembled); k++) {
        saddle->Ax[saddle->at_H[k]] = kkt->mass.Mx[k];
    }
    kkt->mass_assembled = true;
    if (saddle->at_C1 != NULL) {
        for (int k = 0; k < nnz_C; k++) {
            saddle->Ax[saddle->at_C0[k]] = saddle->Ax[saddle->at_C1[k]] = kkt->Cx[k];
        }
        for (int j = 0; j < C->cols; j++) {
            saddle->Ax[saddle->at_E[j]] = -kkt->Sigma[j];
        }
        return;
    }
    for (int j = 0; j < C->cols; j++) { /* a column of C, then its Sigma */
        const int begin = C->p[j], length = C->p[j + 1] - begin;
        double *const column = saddle->Ax + saddle->linear.A.p[n + j];
        for (int k = 0; k < length; k++) {
            column[k] = kkt->Cx[begin + k];
        }
        column[length] = -kkt->Sigma[j];
    }
}

/* The column in which an LU factorization with pivoting runs out of pivots need not be one of those that depend on each other. An LDL' in
 * a fixed order says which does; it is made for the message alone, and not where it would take more than DENSEST products to an entry of the matrix. */
enum { DENSEST = 10000 };

static int name_dependent(const sb_linear *failed, const double *Ax) {
    sb_arena scratch;
    sb_linear symmetric = {0};
    bool cheap = false;
    sb_arena_init(&scratch, failed->ctx);
    int status = sb_elimination_within(&scratch, &failed->A, failed->positive, (double)DENSEST * sb_pattern_nnz(&failed->A), &cheap);
    if (status == SB_OK && cheap) {
        status = sb_linear_init(failed->ctx, &scratch, &sb_solver_plan, &failed->A, failed->positive, failed->first_constraint, &symmetric);
        status = status == SB_OK ? symmetric.type->factor(&symmetric, Ax) : status;
    }
    sb_arena_free(&scratch);
    return status < 0 ? status : SB_SINGULAR;
}

int sb_kkt_factor(sb_kkt *kkt, const double *q, const double *Cx, const double *Sigma) {
    const int rows = kkt->C.cols;
    int status;
    kkt->Cx = Cx;
    kkt->Sigma = Sigma;
    if (rows == 0) {
        return sb_mass_update(&kkt->mass, q);
    }
    if (kkt->form == SB_FORM_SCHUR) {
        SB_TRY(sb_mass_update(&kkt->mass, q));
        status = sb_schur_factor(&kkt->schur, &kkt->mass, Cx, Cx, Sigma);
    } else {
        SB_TRY(sb_mass_evaluate(&kkt->mass, q));
        assemble(kkt);
        status = sb_saddle_factor(&kkt->saddle);
    }
    const sb_linear *const linear = linear_of(kkt);
    const bool renames = status == SB_SINGULAR && !linear->type->symmetric && !linear->type->full;
    return renames ? name_dependent(linear, kkt->form == SB_FORM_SCHUR ? kkt->schur.Sx : kkt->saddle.Ax) : status;
}

/* The symmetric system's unknowns are (v, -lambda). */
static void load(sb_kkt *kkt, const double *r, const double *s) {
    memcpy(kkt->x, r, (size_t)kkt->sys->n * sizeof(double));
    memcpy(kkt->x + kkt->sys->n, s, (size_t)kkt->C.cols * sizeof(double));
}

static void unload(const sb_kkt *kkt, double *v, double *lambda) {
    memcpy(v, kkt->x, (size_t)kkt->sys->n * sizeof(double));
    for (int i = 0; i < kkt->C.cols; i++) {
        lambda[i] = -kkt->x[kkt->sys->n + i];
    }
}

/* One pass of the factorization. */
static int solve_once(sb_kkt *kkt, const double *r, const double *s, double *v, double *lambda) {
    const int rows = kkt->C.cols;
    if (kkt->form == SB_FORM_SADDLE) {
        load(kkt, r, s);
        SB_TRY(sb_saddle_solve(&kkt->saddle, kkt->x));
        unload(kkt, v, lambda);
        return SB_OK;
    }
    sb_mass_solve(&kkt->mass, r, kkt->y);
    sb_csc_mult_t(&kkt->C, kkt->Cx, kkt->y, lambda);
    for (int i = 0; i < rows; i++) {
        lambda[i] = s[i] - lambda[i];
    }
    SB_TRY(sb_schur_solve(&kkt->schur, lambda));
    memcpy(kkt->x, r, (size_t)kkt->sys->n * sizeof(double));
    sb_csc_mult_add(&kkt->C, kkt->Cx, 1.0, lambda, kkt->x);
    sb_mass_solve(&kkt->mass, kkt->x, v);
    return SB_OK;
}

double sb_kkt_residual(sb_kkt *kkt, const double *r, const double *s, const double *v, const double *lambda) {
    const int n = kkt->sys->n, rows = kkt->C.cols;
    double *const upper = kkt->residual, *const lower = upper + n, *const product = kkt->y;
    sb_mass_mult(&kkt->mass, v, product);
    double size_upper = sb_norm_max(n, product), size_lower = 0.0;
    for (int i = 0; i < n; i++) {
        upper[i] = r[i] - product[i];
    }
    sb_csc_mult_add(&kkt->C, kkt->Cx, 1.0, lambda, upper);
    for (int j = 0; j < rows; j++) {
        double sum = s[j] - kkt->Sigma[j] * lambda[j], size = fabs(s[j]) + fabs(kkt->Sigma[j] * lambda[j]);
        for (int k = kkt->C.p[j]; k < kkt->C.p[j + 1]; k++) {
            const double term = kkt->Cx[k] * v[kkt->C.i[k]];
            sum -= term;
            size += fabs(term);
        }
        lower[j] = sum;
        size_lower = !(size <= size_lower) ? size : size_lower;
    }
    size_upper += sb_norm_max(n, r);
    /* a block of zeros is solved exactly */
    const double a = size_upper > 0.0 ? sb_norm_max(n, upper) / size_upper : 0.0, b = size_lower > 0.0 ? sb_norm_max(rows, lower) / size_lower : 0.0;
    return !(a <= b) ? a : b;
}

/* Iterative refinement: until the residual is round-off, or a correction no longer halves it. */
static int refine(sb_kkt *kkt, const double *r, const double *s, double *v, double *lambda) {
    const int n = kkt->sys->n, rows = kkt->C.cols;
    double last = (double)INFINITY;
    for (;;) {
        const double size = sb_kkt_residual(kkt, r, s, v, lambda);
        if (size <= roundoff(kkt) || !(size <= 0.5 * last)) {
            return SB_OK;
        }
        last = size;
        SB_TRY(solve_once(kkt, kkt->residual, kkt->residual + n, kkt->correction, kkt->correction + n));
        for (int i = 0; i < n; i++) {
            v[i] += kkt->correction[i];
        }
        for (int j = 0; j < rows; j++) {
            lambda[j] += kkt->correction[n + j];
        }
    }
}

int sb_kkt_solve(sb_kkt *kkt, const double *r, const double *s, double *v, double *lambda) {
    if (kkt->C.cols == 0) {
        sb_mass_solve(&kkt->mass, r, v);
        return SB_OK;
    }
    SB_TRY(solve_once(kkt, r, s, v, lambda));
    return kkt->refined ? refine(kkt, r, s, v, lambda) : SB_OK;
}

int sb_kkt_factor_solve(sb_kkt *kkt, const double *q, const double *Cx, const double *Sigma, const double *r, const double *s, double *v, double *lambda) {
    if (kkt->C.cols == 0 || kkt->form == SB_FORM_SCHUR || kkt->saddle.linear.type->factor_solve == NULL) {
        SB_TRY(sb_kkt_factor(kkt, q, Cx, Sigma));
        return sb_kkt_solve(kkt, r, s, v, lambda);
    }
    kkt->Cx = Cx;
    kkt->Sigma = Sigma;
    SB_TRY(sb_mass_evaluate(&kkt->mass, q));
    assemble(kkt);
    load(kkt, r, s);
    SB_TRY(sb_saddle_factor_solve(&kkt->saddle, kkt->x));
    unload(kkt, v, lambda);
    return SB_OK;
}
