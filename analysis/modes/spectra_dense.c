/* Geometric stiffness on the tangent space of the constraints. transv18, with its errata. */
#include <string.h>

#include <cblas.h>

#include <stepbench/numerics/lapack.h>

#include "analysis/equilibrium.h"
#include "analysis/modes/spectra_dense.h"

/* Three matrices of this size take 100 MB, their eigenvalues a minute. */
enum { COORDINATES_MAX = 2000 };

int sb_stiffness_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_stiffness *out) {
    const size_t n = (size_t)sys->n, m = (size_t)sys->holonomic.m;
    *out = (sb_stiffness){.ctx = ctx, .sys = sys, .n = sys->n, .m = sys->holonomic.m};
    if (sys->n > COORDINATES_MAX) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s has %d coordinates, more than the %d of dense matrices; use sparse ones for its fastest "
                       "modes, count=10",
                       sys->name, sys->n, COORDINATES_MAX);
    }
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &out->dyn));
    SB_NEW(arena, out->lambda, m);
    SB_TRY(SB_VECTORS(arena, n * n, &out->M, &out->K, &out->Lt, &out->S, &out->Q));
    SB_NEW(arena, out->G, n * m);
    SB_NEW(arena, out->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&sys->H));
    SB_TRY(SB_VECTORS(arena, n + m, &out->a, &out->b));
    return SB_OK;
}

/* Sets the dense matrix with the values Ax on the pattern A. */
static void scatter(const sb_pattern *A, const double *Ax, double *dense) {
    memset(dense, 0, (size_t)A->rows * (size_t)A->cols * sizeof *dense);
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            dense[(size_t)j * (size_t)A->rows + (size_t)A->i[k]] = Ax[k];
        }
    }
}

/* The basis: the columns of Q after the first `rank` in G P = Q R. Without constraints Q is the identity. Redundant
 * rows depend on each other on the constraints only: beside them the rank is at most that of the start. */
int sb_tangent_basis(sb_context *ctx, const sb_system *sys, double t, const double *q, double *Lt, int *rank) {
    const bool redundant = sys->redundant != NULL && sys->nonholonomic.m == 0;
    const int n = sys->n, m = sys->holonomic.m, most = n < m ? n : m, highest = redundant ? sys->rank : most;
    double *Q, *tau, *Gx;
    int *pivots;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, Q, (size_t)n * (size_t)(n > m ? n : m));
    SB_NEW(&scratch, tau, n);
    SB_NEW(&scratch, Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(&scratch, pivots, m);
    if (m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, q, NULL, Gx));
        scatter(&sys->holonomic.G, Gx, Q);
    }
    lapack_int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, m, Q, n, pivots, tau);
    /* Householder reflections reduce a dependent column to round-off of the largest one. */
    const double least = (n > m ? n : m) * DBL_EPSILON * fabs(Q[0]);
    for (*rank = 0; *rank < highest && fabs(Q[*rank * n + *rank]) > least; ++*rank) {
    }
    info = info == 0 ? LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, most, Q, n, tau) : info;
    if (info != 0) {
        return sb_lapack_fail(ctx, info, SB_NOT_FINITE, "%s: the constraints' Jacobian is not finite", sys->name);
    }
    memcpy(Lt, Q + (size_t)n * (size_t)*rank, (size_t)n * (size_t)(n - *rank) * sizeof *Lt);
    return SB_OK;
}

/* Sets s->lambda to the multipliers of least norm with G' M^-1 (F + G lambda) = -curvature, and s->a to M^-1 (F + G
 * lambda). */
static int shortest_multipliers(sb_stiffness *s, double t, const double *q, const double *v) {
    const int n = s->n, m = s->m;
    double *B, *S;
    int rank, *columns;
    SB_SCRATCH(scratch, s->ctx);
    SB_NEW(&scratch, B, (size_t)n * (size_t)(m + 1));
    SB_NEW(&scratch, S, (size_t)m * (size_t)m);
    SB_NEW(&scratch, columns, m);
    double *MinvF = B + (size_t)n * (size_t)m;
    SB_TRY(sb_system_applied_force(s->sys, t, q, v, MinvF, s->b, s->Hx));
    SB_TRY(sb_holonomic_curvature(s->sys, t, q, v, s->b));
    memcpy(B, s->G, (size_t)n * (size_t)m * sizeof *B);
    memcpy(s->S, s->M, (size_t)n * (size_t)n * sizeof *B);
    lapack_int info = LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', n, m + 1, s->S, n, B, n);
    if (info != 0) {
        return sb_lapack_fail(
            s->ctx, info, SB_SINGULAR,
            "%s: its mass matrix is singular and its constraints are dependent: the multipliers are not defined",
            s->sys->name);
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1.0, s->G, n, B, n, 0.0, S, m);
    cblas_dgemv(CblasColMajor, CblasTrans, n, m, -1.0, s->G, n, MinvF, 1, -1.0, s->b, 1);
    info = LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, m, 1, S, m, s->b, m, columns, (n > m ? n : m) * DBL_EPSILON, &rank);
    if (info != 0) {
        return sb_lapack_fail(s->ctx, info, SB_NOT_FINITE, "%s: the forces of the constraints are not finite",
                              s->sys->name);
    }
    memcpy(s->lambda, s->b, (size_t)m * sizeof *B);
    memcpy(s->a, MinvF, (size_t)n * sizeof *B);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, m, 1.0, B, n, s->lambda, 1, 1.0, s->a, 1);
    return SB_OK;
}

int sb_stiffness_evaluate(sb_stiffness *s, double t, const double *q, const double *v) {
    const sb_system *sys = s->sys;
    if (s->m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, q, NULL, s->Gx));
        scatter(&sys->holonomic.G, s->Gx, s->G);
    }
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, s->Mx));
    scatter(&sys->inertia.M, s->Mx, s->M);
    SB_TRY(sb_tangent_basis(s->ctx, sys, t, q, s->Lt, &s->rank));
    s->d = s->n - s->rank;
    if (s->d == 0) {
        return sb_fail(s->ctx, SB_UNSUPPORTED, "%s: the constraints leave no degree of freedom, so it has no modes",
                       sys->name);
    }
    SB_TRY(s->rank < s->m ? shortest_multipliers(s, t, q, v)
                          : sb_dynamics_acceleration(&s->dyn, t, q, v, s->a, s->lambda));
    SB_TRY(sb_equilibrium_bound(sys, t, q, s->lambda, s->Mx, s->Hx, s->b, &s->largest));
    SB_TRY(sb_equilibrium_stiffness(sys, t, q, s->lambda, 1.0, s->Hx));
    scatter(&sys->H, s->Hx, s->K);
    return SB_OK;
}

/* Sets out (d x d) to L A L'. */
static void project(sb_stiffness *s, const double *A, double *out) {
    const int n = s->n, d = s->d;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, d, n, 1.0, A, n, s->Lt, n, 0.0, s->Q, n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, d, d, n, 1.0, s->Lt, n, s->Q, n, 0.0, out, d);
}

/* Computes omega^2, the negatives of the eigenvalues of a pencil; LAPACK's eigenvalues ascend, so that these descend.
 */
static int pencil(const sb_stiffness *s, int type, char vectors, int n, double *A, double *B, double *omega2) {
    const lapack_int info = LAPACKE_dsygv(LAPACK_COL_MAJOR, type, vectors, 'U', n, A, n, B, n, omega2);
    if (info != 0) {
        return sb_lapack_fail(s->ctx, info, SB_SINGULAR,
                              "%s: the eigenvalues of stiffness and mass cannot be computed: the mass matrix is not "
                              "positive definite on the tangent space, or a number is not finite",
                              s->sys->name);
    }
    for (int i = 0; i < n; i++) {
        omega2[i] = 0.0 - omega2[i];
    }
    return SB_OK;
}

/* Computes omega^2 of the projected pencil; A (d x d) receives the modes in coordinates of the tangent space. */
static int projected(sb_stiffness *s, char vectors, double *A, double *omega2) {
    project(s, s->K, A);
    project(s, s->M, s->S);
    return pencil(s, 1, vectors, s->d, A, s->S, omega2);
}

/* Computes the two spectra that need M^-1: of K and M, and of K_theta and E = L M^-1 L'. */
static int unprojected(sb_stiffness *s, double *A, double *B, sb_spectra *out) {
    const size_t nn = (size_t)s->n * (size_t)s->n;
    const int n = s->n, d = s->d;
    memcpy(A, s->K, nn * sizeof *A);
    memcpy(s->S, s->M, nn * sizeof *A);
    SB_TRY(pencil(s, 1, 'N', n, A, s->S, out->full));
    memcpy(s->S, s->M, nn * sizeof *A);
    memcpy(A, s->Lt, (size_t)n * (size_t)d * sizeof *A);
    const lapack_int info = LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', n, d, s->S, n, A, n);
    if (info != 0) {
        return sb_lapack_fail(s->ctx, info, SB_SINGULAR, "%s: its mass matrix is not positive definite at this state",
                              s->sys->name);
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, d, d, n, 1.0, s->Lt, n, A, n, 0.0, B, d);
    project(s, s->K, A);
    return pencil(s, 2, 'N', d, A, B, out->as_printed);
}

/* Returns the round-off of an omega^2, from the stiffness or the larger end of a spectrum. */
static double rounding(const sb_stiffness *s, int count, const double *omega2) {
    return s->n * DBL_EPSILON * fmax(s->largest, fmax(fabs(omega2[0]), fabs(omega2[count - 1])));
}

int sb_stiffness_spectra(sb_stiffness *s, sb_arena *arena, bool only_projected, sb_spectra *out) {
    const size_t n = (size_t)s->n, d = (size_t)s->d;
    double *A, *B;
    *out = (sb_spectra){.n = s->n, .d = s->d};
    SB_NEW(arena, A, n * n);
    SB_NEW(arena, B, d * d);
    SB_NEW(arena, out->projected, d);
    SB_NEW(arena, out->shape, n * d);
    SB_TRY(projected(s, 'V', A, out->projected));
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, s->n, s->d, s->d, 1.0, s->Lt, s->n, A, s->d, 0.0, out->shape,
                s->n);
    out->rounding = rounding(s, s->d, out->projected);
    if (!only_projected && (s->sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) == 0) {
        SB_NEW(arena, out->full, n);
        SB_NEW(arena, out->as_printed, d);
        SB_TRY(unprojected(s, A, B, out));
        out->rounding = fmax(out->rounding, rounding(s, s->n, out->full));
    }
    return SB_OK;
}

int sb_stiffness_top(sb_stiffness *s, double *omega2) {
    const size_t d = (size_t)s->d;
    double *A;
    SB_SCRATCH(scratch, s->ctx);
    SB_NEW(&scratch, A, d * d + d);
    SB_TRY(projected(s, 'N', A, A + d * d));
    *omega2 = A[d * d];
    return SB_OK;
}

int sb_stiffness_mismatch(sb_stiffness *s, double *relative) {
    const int n = s->n, d = s->d;
    const size_t nn = (size_t)n * (size_t)n;
    double *A;
    SB_SCRATCH(scratch, s->ctx);
    SB_NEW(&scratch, A, nn);
    project(s, s->K, A);
    memcpy(s->S, s->K, nn * sizeof *A);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, d, d, 1.0, s->Lt, n, A, d, 0.0, s->Q, n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, d, -1.0, s->Q, n, s->Lt, n, 1.0, s->S, n);
    *relative = cblas_dnrm2((int)nn, s->S, 1) / cblas_dnrm2((int)nn, s->K, 1);
    return SB_OK;
}
