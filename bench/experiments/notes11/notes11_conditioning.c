/* notes11 10, 11: the equations (59)-(63) of SPOOK, the condition numbers of their two linear systems as eps -> 0, and
 * which of the matrices are definite. */
#include <string.h>

#include <lapacke.h>

#include <stepbench/numerics/dynamics.h>

#include "bench/runner/experiment_tools.h"

enum { PROBLEMS = 4, LARGEST = 64, LEVELS = 9, RUN = 120, POSE = 30 };
enum { WHOLE = 6 }; /* the level 1e-10, below h^4, where h^2/eps sqrt(eps) exceeds a mass of 1 kg */

static const char *const problems[PROBLEMS] = {"pendulum", "dsp:ic=printed", "rod_chain:n=3", "ladder:N=2"};
static const double h = 1.0 / 60.0, tau = 2.0 / 60.0;

/* A state with its matrices, dense and column-major: M is n x n; G is n x m, and its columns are the gradients; C is
 * the sum of the second derivatives of the constraints. */
typedef struct pose {
    int n, m;
    double M[LARGEST * LARGEST], G[LARGEST * LARGEST], C[LARGEST * LARGEST];
    double g[LARGEST], q[LARGEST], v[LARGEST], F[LARGEST];
} pose;

/* Turns the return value of LAPACK into a status. */
static int lapack(sb_bench *bench, lapack_int info) {
    return info == 0 ? SB_OK : sb_fail(bench->ctx, SB_SINGULAR, "LAPACK ended with info = %d", (int)info);
}

static void densify(const sb_pattern *A, const double *Ax, double *out) {
    memset(out, 0, (size_t)A->rows * (size_t)A->cols * sizeof *out);
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            out[A->i[k] + j * A->rows] = Ax[k];
        }
    }
}

/* Evaluates the pose of a state. */
static int evaluate(sb_bench *bench, const sb_system *sys, const sb_state *at, pose *out) {
    double *Mx, *Gx, *Hx, *tmp, ones[LARGEST];
    SB_NEW(&bench->arena, Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_NEW(&bench->arena, Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(&bench->arena, Hx, sb_pattern_nnz(&sys->H));
    SB_NEW(&bench->arena, tmp, sys->n);
    out->n = sys->n;
    out->m = sys->holonomic.m;
    if (out->n + out->m + 1 > LARGEST) {
        return sb_fail(bench->ctx, SB_UNSUPPORTED, "%s has more than %d unknowns", sys->name, LARGEST - 1);
    }
    memcpy(out->q, at->q, (size_t)sys->n * sizeof(double));
    memcpy(out->v, at->v, (size_t)sys->n * sizeof(double));
    SB_TRY(sys->inertia.mass(sys->inertia.self, at->q, Mx));
    SB_TRY(sb_holonomic_value(sys, 0.0, at->q, out->g, Gx));
    SB_TRY(sb_system_force(sys, at->t, at->q, at->v, out->F, tmp));
    for (int i = 0; i < out->m; i++) {
        ones[i] = 1.0;
    }
    SB_TRY(sb_holonomic_hessian(sys, 0.0, at->q, ones, 1.0, Hx));
    densify(&sys->H, Hx, out->C);
    densify(&sys->inertia.M, Mx, out->M);
    densify(&sys->holonomic.G, Gx, out->G);
    return SB_OK;
}

/* Computes the pose after POSE steps, and velocity and multiplier of the next step. */
static int make_pose(sb_bench *bench, const char *problem, pose *out, double *v1, double *lambda) {
    sb_system sys;
    sb_method me;
    sb_orbit orbit;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_bench_orbit(bench->ctx, &bench->arena, &sys, "spook:eps=1e-4,tau=2,start=full", h, &me, &orbit));
    SB_TRY(sb_orbit_advance(&orbit, h, POSE));
    SB_TRY(evaluate(bench, &sys, &orbit.now, out));
    SB_TRY(sb_orbit_advance(&orbit, h, 1));
    memcpy(v1, orbit.now.v, (size_t)sys.n * sizeof(double));
    memcpy(lambda, orbit.now.lambda, (size_t)sys.holonomic.m * sizeof(double));
    return SB_OK;
}

/* Returns 4 eps/(h^2 (1 + 4 gamma/h)), where gamma of the notes is tau. */
static double sigma_of(double eps) { return 4.0 * eps / (h * h * (1.0 + 4.0 * tau / h)); }

/* Sets H to [M, -G; G', sigma], with the first constraint taken twice if `redundant`. Returns its dimension. */
static int saddle(const pose *p, double eps, bool redundant, double *H) {
    const int n = p->n, m = p->m + redundant, N = n + m;
    memset(H, 0, (size_t)N * (size_t)N * sizeof *H);
    for (int j = 0; j < n; j++) {
        memcpy(H + j * N, p->M + j * n, (size_t)n * sizeof(double));
    }
    for (int i = 0; i < m; i++) {
        const double *column = p->G + (i < p->m ? i : 0) * n;
        for (int j = 0; j < n; j++) {
            H[j + (n + i) * N] = -column[j];
            H[n + i + j * N] = column[j];
        }
        H[(n + i) * (N + 1)] = sigma_of(eps);
    }
    return N;
}

/* Computes S = G' M^-1 G + sigma and W = M^-1 G. */
static int schur(sb_bench *bench, const pose *p, double eps, double *S, double *W) {
    const int n = p->n, m = p->m;
    double L[LARGEST * LARGEST];
    memcpy(L, p->M, (size_t)n * (size_t)n * sizeof *L);
    memcpy(W, p->G, (size_t)n * (size_t)m * sizeof *W);
    SB_TRY(lapack(bench, LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, m, L, n, W, n)));
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            S[i + j * m] = i == j ? sigma_of(eps) : 0.0;
            for (int k = 0; k < n; k++) {
                S[i + j * m] += p->G[k + i * n] * W[k + j * n];
            }
        }
    }
    return SB_OK;
}

/* Sets A to M + h^2/eps (G'G + g C), the matrix of (54) for g = 0; with the derivative of G where all violations are
 * g. */
static void pseudo_mass(const pose *p, double eps, double g, double *A) {
    for (int a = 0; a < p->n * p->n; a++) {
        A[a] = p->M[a] + h * h / eps * g * p->C[a];
        for (int c = 0; c < p->m; c++) {
            A[a] += h * h / eps * p->G[a % p->n + c * p->n] * p->G[a / p->n + c * p->n];
        }
    }
}

/* Records the powers of eps in the condition numbers; of all problems, those farthest from the expected powers. */
static int measure_limit(sb_bench *bench, const pose *poses) {
    static const char *const names[4] = {"saddle", "schur", "pseudo", "redundant"};
    static const double expected[4] = {0.0, 0.0, -1.0, -1.0};
    const int from = 4; /* eps up to 1e-8 */
    double eps[LEVELS], cond[4][LEVELS];
    sb_slope worst[4];
    sb_table table;
    SB_TRY(sb_bench_table(bench, "notes11_conditioning", &table));
    for (int i = 0; i < PROBLEMS; i++) {
        const pose *p = &poses[i];
        for (int k = 0; k < LEVELS; k++) {
            double A[LARGEST * LARGEST], W[LARGEST * LARGEST];
            eps[k] = pow(10.0, -4.0 - k);
            SB_TRY(sb_bench_condition(bench, saddle(p, eps[k], false, A), A, &cond[0][k]));
            SB_TRY(schur(bench, p, eps[k], A, W));
            SB_TRY(sb_bench_condition(bench, p->m, A, &cond[1][k]));
            pseudo_mass(p, eps[k], 0.0, A);
            SB_TRY(sb_bench_condition(bench, p->n, A, &cond[2][k]));
            SB_TRY(sb_bench_condition(bench, saddle(p, eps[k], true, A), A, &cond[3][k]));
            SB_TRY(SB_TABLE_ROW(&table, sb_text(problems[i]), sb_real(eps[k]), sb_real(cond[0][k]), sb_real(cond[1][k]),
                                sb_real(cond[2][k]), sb_real(cond[3][k])));
        }
        for (int k = 0; k < 4; k++) {
            const sb_slope s = sb_bench_slope(LEVELS - from, eps + from, cond[k] + from);
            worst[k] = i == 0 || !(fabs(s.value - expected[k]) <= fabs(worst[k].value - expected[k])) ? s : worst[k];
        }
    }
    for (int k = 0; k < 4; k++) {
        SB_TRY(
            sb_bench_measure(bench, sb_bench_format(bench, "notes11-limit/%s", names[k]), worst[k].value, worst[k].se));
    }
    return sb_bench_save(bench, &table, "notes11_conditioning.csv");
}

/* Computes the spectral radius of Gauss-Seidel on A (N x N), the largest modulus of an eigenvalue of -(D + L)^-1 U.
 * Overwrites A. */
static int gauss_seidel(sb_bench *bench, int N, double *A, double *radius) {
    double U[LARGEST * LARGEST] = {0.0}, re[LARGEST], im[LARGEST];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < j; i++) {
            U[i + j * N] = -A[i + j * N];
        }
    }
    SB_TRY(lapack(bench, LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', N, N, A, N, U, N)));
    SB_TRY(lapack(bench, LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', N, U, N, re, im, NULL, 1, NULL, 1)));
    *radius = 0.0;
    for (int i = 0; i < N; i++) {
        *radius = sb_larger(*radius, hypot(re[i], im[i]));
    }
    return SB_OK;
}

/* Computes the eigenvalues of the symmetric part of A (N x N), in ascending order. Overwrites A. */
static int eigenvalues(sb_bench *bench, int N, double *A, double w[LARGEST]) {
    for (int i = 0; i < N * N; i++) {
        A[i] = i % N >= i / N ? 0.5 * (A[i] + A[i / N + i % N * N]) : A[i];
    }
    return lapack(bench, LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', N, A, N, w));
}

/* Changes the signs of the constraint rows of (61), which makes it symmetric. */
static void make_symmetric(const pose *p, int N, double *A) {
    for (int k = 0; k < N * N; k++) {
        A[k] *= k % N >= p->n ? -1.0 : 1.0;
    }
}

/* Records the least eigenvalue of the symmetric part of (61) over sigma, the number of negative ones of (61) made
 * symmetric less that of the constraints, and the least eigenvalues of (54) and of (54) with the derivative of G at a
 * violation of -sqrt(eps), which (48) allows, over the least mass. */
static int measure_definite(sb_bench *bench, const pose *poses) {
    double least = INFINITY, inertia = 0.0, plain = INFINITY, whole = -INFINITY;
    for (int i = 0; i < PROBLEMS * LEVELS; i++) {
        const pose *p = &poses[i / LEVELS];
        double A[LARGEST * LARGEST], w[LARGEST], mass[LARGEST];
        const double eps = pow(10.0, -4.0 - i % LEVELS);
        int N = saddle(p, eps, false, A), negative = 0;
        SB_TRY(eigenvalues(bench, N, A, w));
        least = fmin(least, w[0] / sigma_of(eps));
        N = saddle(p, eps, false, A);
        make_symmetric(p, N, A);
        SB_TRY(eigenvalues(bench, N, A, w));
        for (int k = 0; k < N; k++) {
            negative += w[k] < 0.0;
        }
        inertia = sb_larger(inertia, abs(negative - p->m));
        memcpy(A, p->M, sizeof A);
        SB_TRY(eigenvalues(bench, p->n, A, mass));
        pseudo_mass(p, eps, 0.0, A);
        SB_TRY(eigenvalues(bench, p->n, A, w));
        plain = fmin(plain, w[0] / mass[0]);
        pseudo_mass(p, eps, -sqrt(eps), A);
        SB_TRY(eigenvalues(bench, p->n, A, w));
        whole = i % LEVELS == WHOLE ? sb_larger(whole, w[0] / mass[0]) : whole;
    }
    SB_TRY(sb_bench_measure(bench, "notes11-definite/part", least, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-definite/part", least, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-definite/inertia", inertia, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-pseudo/eq54", plain, 0.0));
    return sb_bench_measure(bench, "notes11-pseudo/derivative", whole, 0.0);
}

/* Records the spectral radius of Gauss-Seidel on (63), on (61), on (61) made symmetric, and its distance on (61) from
 * the largest eigenvalue of G M^-1 G' over sigma: where M is diagonal a sweep takes the multiplier y to
 * -G M^-1 G' y/sigma. */
static int measure_gauss_seidel(sb_bench *bench, const pose *poses) {
    double reduced = 0.0, plain = INFINITY, symmetric = INFINITY, off = 0.0;
    for (int i = 0; i < PROBLEMS; i++) {
        const pose *p = &poses[i];
        double A[LARGEST * LARGEST], W[LARGEST * LARGEST], w[LARGEST], radius;
        SB_TRY(schur(bench, p, 1e-4, A, W));
        SB_TRY(eigenvalues(bench, p->m, A, w));
        SB_TRY(schur(bench, p, 1e-4, A, W));
        SB_TRY(gauss_seidel(bench, p->m, A, &radius));
        reduced = sb_larger(reduced, radius);
        int N = saddle(p, 1e-4, false, A);
        SB_TRY(gauss_seidel(bench, N, A, &radius));
        plain = fmin(plain, radius);
        off = sb_larger(off, sb_relative(radius, w[p->m - 1] / sigma_of(1e-4) - 1.0));
        N = saddle(p, 1e-4, false, A);
        make_symmetric(p, N, A);
        SB_TRY(gauss_seidel(bench, N, A, &radius));
        symmetric = fmin(symmetric, radius);
    }
    SB_TRY(sb_bench_measure(bench, "notes11-gs/schur", reduced, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-gs/saddle", plain, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-gs/symmetric", symmetric, 0.0));
    return sb_bench_measure(bench, "notes11-gs/predicted", off, 0.0);
}

/* Adds a term of an equation to its residual and keeps the size of the largest term. */
static void add(double term, double *residual, double *largest) {
    *residual += term;
    *largest = fmax(*largest, fabs(term));
}

/* Returns the largest residual of the step from the pose to v1 and lambda over the largest term, of the equations (57),
 * M (v1 - v) = h F + h G lambda, and (58), eps lambda + g + tau G' v1 + h G' (v1 - v)/4 = 0. */
static double residual(const pose *p, double eps, const double *v1, const double *lambda) {
    double worst[2] = {0.0, 0.0}, size[2] = {0.0, 0.0};
    for (int i = 0; i < p->n; i++) {
        double r = 0.0;
        add(-h * p->F[i], &r, &size[0]);
        for (int j = 0; j < p->n; j++) {
            add(p->M[i + j * p->n] * v1[j], &r, &size[0]);
            add(-p->M[i + j * p->n] * p->v[j], &r, &size[0]);
        }
        for (int c = 0; c < p->m; c++) {
            add(-h * p->G[i + c * p->n] * lambda[c], &r, &size[0]);
        }
        worst[0] = sb_larger(worst[0], fabs(r));
    }
    for (int c = 0; c < p->m; c++) {
        double r = 0.0;
        add(eps * lambda[c], &r, &size[1]);
        add(p->g[c], &r, &size[1]);
        for (int i = 0; i < p->n; i++) {
            add((0.25 * h + tau) * p->G[i + c * p->n] * v1[i], &r, &size[1]);
            add(-0.25 * h * p->G[i + c * p->n] * p->v[i], &r, &size[1]);
        }
        worst[1] = sb_larger(worst[1], fabs(r));
    }
    return sb_larger(worst[0] / size[0], worst[1] / size[1]);
}

/* Computes the multiplier by (62), corrected or as printed. Sets its relative distance from `lambda`, and the smallest
 * eigenvalue of S over sigma. */
static int by_schur(sb_bench *bench, const pose *p, double eps, bool printed, const double *lambda, double *distance,
                    double *smallest) {
    double S[LARGEST * LARGEST], W[LARGEST * LARGEST], L[LARGEST * LARGEST], b[LARGEST], w[LARGEST], off = 0.0,
                                                                                                     size = 0.0;
    const int n = p->n, m = p->m;
    const double psi = 1.0 / (1.0 + 4.0 * tau / h);
    SB_TRY(schur(bench, p, eps, S, W));
    for (int c = 0; c < m; c++) {
        b[c] = -4.0 * psi / h * p->g[c];
        for (int i = 0; i < n; i++) {
            b[c] += (psi - 1.0) * p->G[i + c * n] * p->v[i] + (printed ? h : -h) * W[i + c * n] * p->F[i];
        }
    }
    memcpy(L, S, sizeof L);
    SB_TRY(lapack(bench, LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', m, 1, L, m, b, m)));
    for (int c = 0; c < m; c++) {
        off = sb_larger(off, fabs(b[c] / h - lambda[c]));
        size = fmax(size, fabs(lambda[c]));
    }
    *distance = off / size;
    SB_TRY(eigenvalues(bench, m, S, w));
    *smallest = w[0] / sigma_of(eps);
    return SB_OK;
}

/* Measures the largest distance of two runs over the largest coordinate. */
static int distance_of(sb_bench *bench, const char *problem, const char *const steppers[2], double *out) {
    sb_path path[2];
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_bench_path(bench, problem, steppers[i], h, RUN, 1, &path[i]));
    }
    const int n = path[0].n;
    *out = sb_path_distance(&path[0], &path[1]) / sb_norm_max(RUN * n, path[0].q + n);
    return SB_OK;
}

static int measure_spook(sb_bench *bench, const pose *poses, double v1[][LARGEST], double lambda[][LARGEST]) {
    static const char *const forms[2] = {"spook:eps=1e-4,tau=2,start=full,form=saddle",
                                         "spook:eps=1e-4,tau=2,start=full,form=schur"};
    double left = 0.0, corrected = 0.0, printed = INFINITY, positive = INFINITY, difference = 0.0;
    for (int i = 0; i < PROBLEMS; i++) {
        double with, wrong, eigenvalue, distance;
        left = sb_larger(left, residual(&poses[i], 1e-4, v1[i], lambda[i]));
        SB_TRY(by_schur(bench, &poses[i], 1e-4, false, lambda[i], &with, &eigenvalue));
        SB_TRY(by_schur(bench, &poses[i], 1e-4, true, lambda[i], &wrong, &eigenvalue));
        SB_TRY(distance_of(bench, problems[i], forms, &distance));
        corrected = sb_larger(corrected, with);
        printed = fmin(printed, wrong);
        positive = fmin(positive, eigenvalue);
        difference = sb_larger(difference, distance);
    }
    SB_TRY(sb_bench_measure(bench, "notes11-spook/eq57", left, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-spook/eq62-printed", printed, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-spook/eq62-corrected", corrected, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-spook/forms", difference, 0.0));
    return sb_bench_measure(bench, "notes11-spook/eigenvalue", positive, 0.0);
}

SB_DEFINE_EXPERIMENT(notes11_conditioning) {
    pose *poses;
    double v1[PROBLEMS][LARGEST], lambda[PROBLEMS][LARGEST];
    SB_NEW(&bench->arena, poses, PROBLEMS);
    for (int i = 0; i < PROBLEMS; i++) {
        SB_TRY(make_pose(bench, problems[i], &poses[i], v1[i], lambda[i]));
    }
    SB_TRY(measure_spook(bench, poses, v1, lambda));
    SB_TRY(measure_limit(bench, poses));
    SB_TRY(measure_gauss_seidel(bench, poses));
    return measure_definite(bench, poses);
}
