/* Geometric stiffness on the tangent space of the constraints. transv18, with its errata. */
#include <float.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "analysis/stiffness.h"

/* Three matrices of this size take 100 MB, their eigenvalues a minute. */
enum { COORDINATES_MAX = 2000 };

int sb_stiffness_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_stiffness *out) {
    const size_t n = (size_t)sys->n, m = (size_t)sys->holonomic.m;
    *out = (sb_stiffness){.ctx = ctx, .sys = sys, .n = sys->n, .m = sys->holonomic.m};
    if (m == 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s has no holonomic constraints: without multipliers there is no geometric stiffness", sys->name);
    }
    if (sys->contact.m + sys->contact.k > 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s has contacts or dry friction: which of its rows hold depends on the motion, and the stiffness with them", sys->name);
    }
    if (sys->nonholonomic.m > 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s has nonholonomic constraints: their forces have no geometric stiffness that is symmetric", sys->name);
    }
    if (sys->n > COORDINATES_MAX) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s has %d coordinates; its modes come from dense matrices, for at most %d", sys->name, sys->n, COORDINATES_MAX);
    }
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &out->dyn));
    SB_TRY(sb_saddle_init(ctx, arena, sys, &out->newton));
    SB_NEW(arena, out->lambda, m);
    SB_NEW(arena, out->M, n * n);
    SB_NEW(arena, out->K, n * n);
    SB_NEW(arena, out->Lt, n * n);
    SB_NEW(arena, out->G, n * m);
    SB_NEW(arena, out->Q, n * (n > m ? n : m));
    SB_NEW(arena, out->tau, n);
    SB_NEW(arena, out->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&sys->H));
    SB_NEW(arena, out->zero, n);
    SB_NEW(arena, out->a, n + m);
    SB_NEW(arena, out->b, n + m);
    SB_NEW(arena, out->S, n * n);
    SB_NEW(arena, out->pivots, m);
    return SB_OK;
}

void sb_stiffness_fini(sb_stiffness *s) {
    sb_dynamics_fini(&s->dyn);
    sb_saddle_fini(&s->newton);
}

static void scatter(const sb_pattern *A, const double *Ax, double *dense) {
    memset(dense, 0, (size_t)A->rows * (size_t)A->cols * sizeof *dense);
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            dense[(size_t)j * (size_t)A->rows + (size_t)A->i[k]] = Ax[k];
        }
    }
}

/* Lt: the columns of Q behind the rank in G P = Q R. */
static int tangent_space(sb_stiffness *s) {
    const int n = s->n, m = s->m, most = n < m ? n : m;
    memcpy(s->Q, s->G, (size_t)n * (size_t)m * sizeof(double));
    memset(s->pivots, 0, (size_t)m * sizeof(int));
    if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, m, s->Q, n, s->pivots, s->tau) != 0) {
        return sb_fail(s->ctx, SB_NOT_FINITE, "%s: the constraints' Jacobian is not finite", s->sys->name);
    }
    /* What Householder's reflections leave of a dependent column: round-off of the largest one. */
    const double least = (n > m ? n : m) * DBL_EPSILON * fabs(s->Q[0]);
    for (s->rank = 0; s->rank < most && fabs(s->Q[s->rank * n + s->rank]) > least; s->rank++) {
    }
    s->d = n - s->rank;
    s->independence = s->rank > 0 ? fabs(s->Q[(s->rank - 1) * n + s->rank - 1] / s->Q[0]) : 0.0;
    if (LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, most, s->Q, n, s->tau) != 0) {
        return SB_NO_MEMORY;
    }
    memcpy(s->Lt, s->Q + (size_t)n * (size_t)s->rank, (size_t)n * (size_t)s->d * sizeof(double));
    return SB_OK;
}

/* The shortest lambda with G' M^-1 (F + G lambda) = -curvature. B: n x (m + 1), then m x m. */
static int solve_multipliers(sb_stiffness *s, double t, const double *q, const double *v, double *B, int *columns) {
    const int n = s->n, m = s->m;
    double *MinvF = B + (size_t)n * (size_t)m, *S = MinvF + n;
    int rank;
    SB_TRY(sb_system_applied_force(s->sys, t, q, v, MinvF, s->b, s->Hx));
    SB_TRY(s->sys->holonomic.curvature(s->sys->holonomic.self, q, v, s->b));
    memcpy(B, s->G, (size_t)n * (size_t)m * sizeof *B);
    memcpy(s->S, s->M, (size_t)n * (size_t)n * sizeof *B);
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', n, m + 1, s->S, n, B, n) != 0) {
        return sb_fail(s->ctx, SB_SINGULAR, "%s: its mass matrix is singular and its constraints are dependent: there are no multipliers", s->sys->name);
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1.0, s->G, n, B, n, 0.0, S, m);
    cblas_dgemv(CblasColMajor, CblasTrans, n, m, -1.0, s->G, n, MinvF, 1, -1.0, s->b, 1);
    if (LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, m, 1, S, m, s->b, m, columns, (n > m ? n : m) * DBL_EPSILON, &rank) != 0) {
        return SB_NO_MEMORY;
    }
    memcpy(s->lambda, s->b, (size_t)m * sizeof *B);
    return SB_OK;
}

static int shortest_multipliers(sb_stiffness *s, double t, const double *q, const double *v) {
    const size_t n = (size_t)s->n, m = (size_t)s->m;
    sb_arena scratch;
    sb_arena_init(&scratch, s->ctx);
    double *B = sb_alloc(&scratch, n * (m + 1) + m * m, sizeof *B);
    int *columns = sb_alloc(&scratch, m, sizeof *columns);
    const int status = B != NULL && columns != NULL ? solve_multipliers(s, t, q, v, B, columns) : SB_NO_MEMORY;
    sb_arena_free(&scratch);
    return status;
}

/* values on H = c (sum lambda_i Hess g_i - V_qq) */
static int stiffness(const sb_stiffness *s, const double *q, const double *lambda, double c, double *Hx) {
    const sb_system *sys = s->sys;
    memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof *Hx);
    SB_TRY(sys->holonomic.hessian(sys->holonomic.self, q, lambda, c, Hx));
    return sys->potential.hessian == NULL ? SB_OK : sys->potential.hessian(sys->potential.self, q, -c, Hx);
}

int sb_stiffness_evaluate(sb_stiffness *s, double t, const double *q, const double *v) {
    const sb_system *sys = s->sys;
    SB_TRY(sys->holonomic.value(sys->holonomic.self, q, NULL, s->Gx));
    scatter(&sys->holonomic.G, s->Gx, s->G);
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, s->Mx));
    scatter(&sys->inertia.M, s->Mx, s->M);
    SB_TRY(tangent_space(s));
    SB_TRY(s->rank < s->m ? shortest_multipliers(s, t, q, v) : sb_dynamics_acceleration(&s->dyn, t, q, v, s->a, s->lambda));
    SB_TRY(stiffness(s, q, s->lambda, 1.0, s->Hx));
    scatter(&sys->H, s->Hx, s->K);
    return SB_OK;
}

/* out (d x d) = L A L' */
static void project(sb_stiffness *s, const double *A, double *out) {
    const int n = s->n, d = s->d;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, d, n, 1.0, A, n, s->Lt, n, 0.0, s->Q, n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, d, d, n, 1.0, s->Lt, n, s->Q, n, 0.0, out, d);
}

/* LAPACK's eigenvalues ascend: minus them descend. */
static void negate(int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = 0.0 - x[i];
    }
}

static int pencil(const sb_stiffness *s, int type, char vectors, int n, double *A, double *B, double *omega2) {
    if (LAPACKE_dsygv(LAPACK_COL_MAJOR, type, vectors, 'U', n, A, n, B, n, omega2) != 0) {
        return sb_fail(s->ctx, SB_SINGULAR, "%s: the pencil of stiffness and mass has no eigenvalues: the mass is not positive definite on the tangent space, or a number is not finite",
                       s->sys->name);
    }
    negate(n, omega2);
    return SB_OK;
}

/* omega^2 of the projected pencil; A (d x d) becomes its modes in the coordinates of the tangent space. */
static int projected(sb_stiffness *s, char vectors, double *A, double *omega2) {
    project(s, s->K, A);
    project(s, s->M, s->S);
    return pencil(s, 1, vectors, s->d, A, s->S, omega2);
}

/* The two spectra that need M^-1: K and M as they are, and K_theta beside E = L M^-1 L'. */
static int unprojected(sb_stiffness *s, double *A, double *B, sb_spectra *out) {
    const size_t nn = (size_t)s->n * (size_t)s->n;
    const int n = s->n, d = s->d;
    memcpy(A, s->K, nn * sizeof *A);
    memcpy(s->S, s->M, nn * sizeof *A);
    SB_TRY(pencil(s, 1, 'N', n, A, s->S, out->full));
    memcpy(s->S, s->M, nn * sizeof *A);
    memcpy(A, s->Lt, (size_t)n * (size_t)d * sizeof *A);
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', n, d, s->S, n, A, n) != 0) {
        return SB_SINGULAR;
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, d, d, n, 1.0, s->Lt, n, A, n, 0.0, B, d);
    project(s, s->K, A);
    return pencil(s, 2, 'N', d, A, B, out->text);
}

int sb_stiffness_spectra(sb_stiffness *s, sb_arena *arena, sb_spectra *out) {
    const size_t n = (size_t)s->n, d = (size_t)s->d;
    double *A, *B;
    *out = (sb_spectra){.n = s->n, .d = s->d};
    SB_NEW(arena, A, n * n);
    SB_NEW(arena, B, d * d);
    SB_NEW(arena, out->projected, d);
    SB_NEW(arena, out->shape, n * d);
    if (d > 0) {
        SB_TRY(projected(s, 'V', A, out->projected));
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, s->n, s->d, s->d, 1.0, s->Lt, s->n, A, s->d, 0.0, out->shape, s->n);
    }
    if ((s->sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) == 0) {
        SB_NEW(arena, out->full, n);
        SB_NEW(arena, out->text, d);
        SB_TRY(unprojected(s, A, B, out));
    }
    return SB_OK;
}

int sb_stiffness_top(sb_stiffness *s, double *omega2, double *mode) {
    const size_t d = (size_t)s->d;
    sb_arena scratch;
    if (d == 0) {
        return sb_fail(s->ctx, SB_UNSUPPORTED, "%s: its constraints leave no motion, and so no mode", s->sys->name);
    }
    sb_arena_init(&scratch, s->ctx);
    double *A = sb_alloc(&scratch, d * d + d, sizeof *A);
    int status = A == NULL ? SB_NO_MEMORY : projected(s, mode != NULL ? 'V' : 'N', A, A + d * d);
    if (status == SB_OK) {
        *omega2 = A[d * d];
    }
    if (status == SB_OK && mode != NULL) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, s->n, s->d, 1.0, s->Lt, s->n, A, 1, 0.0, mode, 1);
    }
    sb_arena_free(&scratch);
    return status;
}

int sb_stiffness_mismatch(sb_stiffness *s, double *relative) {
    const int n = s->n, d = s->d;
    const size_t nn = (size_t)n * (size_t)n;
    sb_arena scratch;
    sb_arena_init(&scratch, s->ctx);
    double *A = sb_alloc(&scratch, nn, sizeof *A);
    if (A == NULL) {
        return SB_NO_MEMORY;
    }
    project(s, s->K, A);
    memcpy(s->S, s->K, nn * sizeof *A);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, d, d, 1.0, s->Lt, n, A, d, 0.0, s->Q, n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, d, -1.0, s->Q, n, s->Lt, n, 1.0, s->S, n);
    *relative = cblas_dnrm2((int)nn, s->S, 1) / cblas_dnrm2((int)nn, s->K, 1);
    sb_arena_free(&scratch);
    return SB_OK;
}

/* ---- Equilibrium. ---- */

/* Solves [H, -G; G', 0] (x, mu) = (x, mu) with H on s->newton.Hx, G at q. */
static int solve(sb_stiffness *s, const double *q, double *x) {
    const sb_holonomic *hol = &s->sys->holonomic;
    SB_TRY(hol->value(hol->self, q, NULL, s->Gx));
    sb_saddle_assemble(&s->newton, 1.0, -1.0, s->Gx, 1.0, s->Gx);
    SB_TRY(sb_saddle_factor(&s->newton));
    return sb_saddle_solve(&s->newton, x);
}

/* q back onto the constraints by steps that are short in the metric of M. What a correction below 1e-9 of q leaves is of the order of its
 * square: round-off. */
static int retract(sb_stiffness *s, double *q) {
    const sb_system *sys = s->sys;
    for (int k = 0; k < 20; k++) {
        memset(s->b, 0, (size_t)s->n * sizeof(double));
        SB_TRY(sys->holonomic.value(sys->holonomic.self, q, s->b + s->n, NULL));
        negate(s->m, s->b + s->n);
        memset(s->newton.Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof(double));
        SB_TRY(sb_mass_evaluate(&s->dyn.mass, q));
        sb_mass_add(&s->dyn.mass, 1.0, s->newton.Hx);
        SB_TRY(solve(s, q, s->b));
        for (int i = 0; i < s->n; i++) {
            q[i] += s->b[i];
        }
        if (sb_norm_max(s->n, s->b) <= 1e-9 * sb_norm_max(s->n, q)) {
            return SB_OK;
        }
    }
    return sb_fail(s->ctx, SB_NOT_CONVERGED, "%s: a step towards the equilibrium left the constraints", sys->name);
}

/* x (n) = a correction of q, Newton's for shift = 0, a descent along the acceleration for a large one. */
static int correction(sb_stiffness *s, double t, const double *q, double shift, double *x) {
    SB_TRY(sb_dynamics_acceleration(&s->dyn, t, q, s->zero, s->a, s->lambda));
    SB_TRY(stiffness(s, q, s->lambda, -1.0, s->newton.Hx));
    sb_mass_add(&s->dyn.mass, shift, s->newton.Hx);
    sb_mass_mult(&s->dyn.mass, s->a, x);
    memset(x + s->n, 0, (size_t)s->m * sizeof *x);
    return solve(s, q, x);
}

/* One trial with the given shift; *fell says whether V did (or stood still, to round-off), and then q has moved. */
static int attempt(sb_stiffness *s, double t, double shift, double *q, double *trial, double *x, double *size, bool *fell) {
    double before, after;
    *fell = false;
    int status = correction(s, t, q, shift, x);
    if (status == SB_OK) {
        for (int i = 0; i < s->n; i++) {
            trial[i] = q[i] + x[i];
        }
        status = retract(s, trial);
    }
    if (status > 0) {
        return SB_OK;
    }
    SB_TRY(status);
    SB_TRY(sb_dynamics_energy(&s->dyn, q, s->zero, NULL, &before));
    SB_TRY(sb_dynamics_energy(&s->dyn, trial, s->zero, NULL, &after));
    /* V is a sum of at most some hundred terms that do not cancel by much. */
    if (after <= before + 1e3 * DBL_EPSILON * fmax(fabs(before), fabs(after))) {
        *fell = true;
        *size = 0.0;
        for (int i = 0; i < s->n; i++) {
            *size = sb_larger(*size, fabs(trial[i] - q[i]));
            q[i] = trial[i];
        }
        *size /= *size > 0.0 ? sb_norm_max(s->n, q) : 1.0;
    }
    return SB_OK;
}

static int search(sb_stiffness *s, sb_arena *scratch, double t, double *q) {
    const double unit = 1.0 / (s->sys->time_scale * s->sys->time_scale);
    double shift = unit, size = INFINITY, *trial, *x;
    SB_NEW(scratch, trial, s->n);
    SB_NEW(scratch, x, s->n + s->m);
    for (int k = 0; k < 500; k++) {
        bool fell;
        SB_TRY(attempt(s, t, shift, q, trial, x, &size, &fell));
        /* The shift falls with every step that is taken, so that the last ones are Newton's: after a correction of 1e-9 the next is round-off. */
        if (fell && shift <= 1e-6 * unit && size <= 1e-9) {
            return SB_OK;
        }
        shift = fell ? fmax(0.1 * shift, 1e-15 * unit) : 10.0 * shift;
        if (shift > 1e20 * unit) {
            break;
        }
    }
    return sb_fail(s->ctx, SB_NOT_CONVERGED, "%s: no equilibrium was found from its initial state; last correction %.2g of the size of q", s->sys->name, size);
}

/* The position is known to some 1e-9 (less than that where Newton's steps converge as they should), and multipliers to that over the independence
 * of the constraints: below 1e-6 less than three digits are left. */
static int determined(sb_stiffness *s, double t, const double *q) {
    SB_TRY(sb_stiffness_evaluate(s, t, q, s->zero));
    if (!(s->independence >= 1e-6)) {
        return sb_fail(s->ctx, SB_SINGULAR, "%s: at the equilibrium that was found the constraints are dependent but for %.1e: no multipliers can be told there", s->sys->name,
                       s->independence);
    }
    return SB_OK;
}

int sb_stiffness_equilibrium(sb_stiffness *s, double t, double *q) {
    sb_arena scratch;
    sb_arena_init(&scratch, s->ctx);
    const int status = search(s, &scratch, t, q);
    sb_arena_free(&scratch);
    return status == SB_OK ? determined(s, t, q) : status;
}
