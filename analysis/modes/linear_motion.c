/* The motion linearized at a state: matrices, exponents, and the frozen motion as a system. tisseur01. */
#include <float.h>
#include <string.h>

#include <cblas.h>

#include <stepbench/numerics/lapack.h>
#include <stepbench/numerics/norm.h>

#include "analysis/equilibrium.h"
#include "analysis/modes/linear_motion.h"
#include "analysis/modes/quadratic.h"
#include "analysis/modes/spectra_dense.h"
#include "analysis/modes/spectra_sparse.h"
#include "core/base/text.h"

/* Smaller parts of the matrices are round-off: of differences, which have about 1e-12, or of K in an antisymmetric
 * part.
 */
static const double negligible = 1e-10;

/* ---- Terms without derivatives. ---- */

/* What is differentiated: T_q - T_vq v - M a, and f if it has no Jacobian. */
typedef struct terms {
    sb_system sys; /* with these terms only */
    double t, length, speed;
    const double *q, *v, *a; /* a: NULL without the terms of T */
    double *x, *N, *Mx, *Hx, *work;
} terms;

static int open_terms(sb_context *ctx, sb_arena *arena, const sb_system *sys, bool inertial, double t, const double *q,
                      const double *v, const double *a, terms *out) {
    *out = (terms){.sys = *sys, .t = t, .q = q, .v = v, .a = inertial && sys->inertia.gradient != NULL ? a : NULL};
    out->sys.potential = (sb_potential){0};
    if (sys->force.jacobian != NULL) {
        out->sys.force = (sb_force){0};
    }
    if (out->a == NULL) {
        out->sys.inertia.gradient = NULL;
        out->sys.inertia.hessian = NULL;
    }
    SB_TRY(sb_system_length(ctx, sys, &out->length));
    out->length = out->length > 0.0 ? out->length : 1.0;
    out->speed = out->length / sys->time_scale;
    SB_NEW(arena, out->Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&sys->H));
    return SB_VECTORS(arena, sys->n, &out->x, &out->N, &out->work);
}

static bool has_terms(const terms *w) { return w->a != NULL || w->sys.force.value != NULL; }

/* Adds c times these terms at (q, v) to y. */
static int add_terms(terms *w, const double *q, const double *v, double c, double *y) {
    const sb_system *sys = &w->sys;
    SB_TRY(sb_system_applied_force(sys, w->t, q, v, w->N, w->work, w->Hx));
    if (w->a != NULL) {
        SB_TRY(sys->inertia.mass(sys->inertia.self, q, w->Mx));
        sb_csc_mult_add(&sys->inertia.M, w->Mx, -1.0, w->a, w->N);
    }
    cblas_daxpy(sys->n, c, w->N, 1, y, 1);
    return SB_OK;
}

/* Adds minus the derivative of the terms along dq or dv = u to y: central differences of sixth order over 1/2000 of the
 * motion, with a rounding error of 4e3 eps, and a smaller truncation error if they change over a fiftieth of it or
 * more.
 */
static int add_derivative(terms *w, bool of_velocity, const double *u, double *y) {
    static const double weight[3] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    const int n = w->sys.n;
    const double *at = of_velocity ? w->v : w->q;
    const double d = 5e-4 * (of_velocity ? w->speed : w->length) / sb_norm_max(n, u);
    for (int k = 1; k <= 3 && has_terms(w); k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            memcpy(w->x, at, (size_t)n * sizeof *at);
            cblas_daxpy(n, sign * k * d, u, 1, w->x, 1);
            SB_TRY(add_terms(w, of_velocity ? w->q : w->x, of_velocity ? w->x : w->v, -sign * weight[k - 1] / d, y));
        }
    }
    return SB_OK;
}

/* ---- The matrices. ---- */

/* Values on H and M at the state; multipliers and acceleration. */
typedef struct values {
    const double *lambda, *a;
    double *Mx, *Kx, *Cx, *geometric;
} values;

static int evaluate(sb_arena *arena, const sb_system *sys, double t, const double *q, const double *v, values *w) {
    const int nnz = sb_pattern_nnz(&sys->H);
    const sb_force *force = &sys->force;
    SB_TRY(SB_VECTORS(arena, nnz, &w->Kx, &w->Cx, &w->geometric));
    SB_NEW(arena, w->Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, w->Mx));
    SB_TRY(sb_equilibrium_stiffness(sys, t, q, w->lambda, -1.0, w->Kx));
    SB_TRY(sys->holonomic.m > 0 ? sb_holonomic_hessian(sys, t, q, w->lambda, -1.0, w->geometric) : SB_OK);
    if (force->jacobian != NULL) {
        SB_TRY(force->jacobian(force->self, t, q, v, -1.0, 0.0, w->Kx));
        SB_TRY(force->jacobian(force->self, t, q, v, 0.0, -1.0, w->Cx));
    }
    return SB_OK;
}

/* Sets column j of A to X' (y + Ax x_j), y the content of `column`. */
static void project(const sb_linear_motion *m, const sb_pattern *pattern, const double *Ax, int j, double *column,
                    double *A) {
    const int n = m->sys->n;
    sb_csc_mult_add(pattern, Ax, 1.0, m->X + (size_t)j * (size_t)n, column);
    cblas_dgemv(CblasColMajor, CblasTrans, n, m->k, 1.0, m->X, n, column, 1, 0.0, A + (size_t)j * (size_t)m->k, 1);
    memset(column, 0, (size_t)n * sizeof *column);
}

static int set_matrices(sb_context *ctx, sb_arena *arena, bool inertial, double t, const double *q, const double *v,
                        values *w, sb_linear_motion *m) {
    const sb_system *sys = m->sys;
    const size_t kk = (size_t)m->k * (size_t)m->k;
    double *column;
    terms rest;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(SB_VECTORS(arena, kk, &m->M, &m->C, &m->K, &m->geometric));
    SB_NEW(&scratch, column, sys->n);
    SB_TRY(evaluate(&scratch, sys, t, q, v, w));
    SB_TRY(open_terms(ctx, &scratch, sys, inertial, t, q, v, w->a, &rest));
    m->by_differences = has_terms(&rest);
    for (int j = 0; j < m->k; j++) {
        const double *x = m->X + (size_t)j * (size_t)sys->n;
        project(m, &sys->inertia.M, w->Mx, j, column, m->M);
        project(m, &sys->H, w->geometric, j, column, m->geometric);
        SB_TRY(add_derivative(&rest, false, x, column));
        project(m, &sys->H, w->Kx, j, column, m->K);
        SB_TRY(add_derivative(&rest, true, x, column));
        project(m, &sys->H, w->Cx, j, column, m->C);
    }
    return SB_OK;
}

/* Sets X, the matrices and, unless it is NULL, *spectra. */
static int linearize(sb_context *ctx, sb_arena *arena, sb_matrices matrices, int count, bool inertial, double t,
                     const double *q, const double *v, sb_linear_motion *m, sb_spectra *spectra) {
    const sb_system *sys = m->sys;
    bool is_sparse;
    sb_fastest sparse;
    sb_stiffness dense;
    sb_spectra own;
    values w = {0};
    SB_SCRATCH(scratch, ctx);
    SB_TRY(sb_spectra_choose(ctx, sys, matrices, count, &is_sparse));
    if (is_sparse) {
        SB_TRY(sb_fastest_init(ctx, &scratch, sys, &sparse));
        SB_TRY(sb_fastest_evaluate(&sparse, t, q, v));
        SB_TRY(sb_fastest_spectra(&sparse, arena, count, spectra == NULL, spectra != NULL ? spectra : &own));
        m->k = count;
        m->X = spectra != NULL ? spectra->shape : own.shape;
        m->largest = sparse.largest;
        w = (values){.lambda = sparse.lambda, .a = sparse.a};
        return set_matrices(ctx, arena, inertial, t, q, v, &w, m);
    }
    SB_TRY(sb_stiffness_init(ctx, &scratch, sys, &dense));
    SB_TRY(sb_stiffness_evaluate(&dense, t, q, v));
    SB_TRY(spectra != NULL ? sb_stiffness_spectra(&dense, arena, false, spectra) : SB_OK);
    m->k = dense.d;
    m->largest = dense.largest;
    SB_NEW(arena, m->X, (size_t)sys->n * (size_t)dense.d);
    memcpy(m->X, dense.Lt, (size_t)sys->n * (size_t)dense.d * sizeof *m->X);
    w = (values){.lambda = dense.lambda, .a = dense.a};
    return set_matrices(ctx, arena, inertial, t, q, v, &w, m);
}

/* ---- Exponents. ---- */

/* Sets out to the symmetric (sign = 1) or the antisymmetric part (sign = -1) of A, and returns its largest entry. */
static double part_of(int k, const double *A, double sign, double *out) {
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            out[j * k + i] = 0.5 * (A[j * k + i] + sign * A[i * k + j]);
        }
    }
    return sb_norm_max(k * k, out);
}

static int lapack_failed(const sb_linear_motion *m, sb_context *ctx, lapack_int info) {
    return sb_lapack_fail(ctx, info, SB_SINGULAR,
                          "%s: the exponents of the linearized motion cannot be computed: the mass matrix is not "
                          "positive definite on the tangent space, or a number is not finite",
                          m->sys->name);
}

/* Computes A y = w M y of a symmetric A, w ascending: the vectors y replace A, with Y' M Y = 1. */
static int pencil(const sb_linear_motion *m, sb_context *ctx, double *A, double *w) {
    double *B;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, B, (size_t)m->k * (size_t)m->k);
    memcpy(B, m->M, (size_t)m->k * (size_t)m->k * sizeof *B);
    const lapack_int info = LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'U', m->k, A, m->k, B, m->k, w);
    return info == 0 ? SB_OK : lapack_failed(m, ctx, info);
}

/* Returns the round-off of lambda^2. */
static double rounding(const sb_linear_motion *m, double most) {
    return m->sys->n * DBL_EPSILON * fmax(m->largest, most);
}

/* Of K y = omega^2 M y; undamped motions have the exponents +-sqrt(-omega^2). */
static int undamped(sb_context *ctx, sb_linear_motion *m) {
    const int k = m->k;
    double *Y, *w;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, Y, (size_t)k * (size_t)k);
    SB_NEW(&scratch, w, k);
    part_of(k, m->K, 1.0, Y);
    SB_TRY(pencil(m, ctx, Y, w));
    m->count = k;
    const double zero = rounding(m, fmax(fabs(w[0]), fabs(w[k - 1])));
    for (int i = 0; i < k; i++) {
        const int from = k - 1 - i;
        const double root = fabs(w[from]) <= zero ? 0.0 : sqrt(fabs(w[from]));
        m->lambda[i] = w[from] > 0.0 ? CMPLX(0.0, root) : CMPLX(root, 0.0);
        for (int j = 0; j < k; j++) {
            m->modes[(size_t)i * (size_t)k + (size_t)j] = Y[(size_t)from * (size_t)k + (size_t)j];
        }
    }
    return SB_OK;
}

/* Sorts the exponents and their modes, the fastest first. */
static void sort(sb_linear_motion *m) {
    for (int i = 0; i < m->count; i++) {
        int first = i;
        for (int j = i + 1; j < m->count; j++) {
            first = cabs(m->lambda[j]) > cabs(m->lambda[first]) ? j : first;
        }
        const double complex swap = m->lambda[i];
        m->lambda[i] = m->lambda[first];
        m->lambda[first] = swap;
        cblas_zswap(first > i ? m->k : 0, m->modes + (size_t)i * (size_t)m->k, 1,
                    m->modes + (size_t)first * (size_t)m->k, 1);
    }
}

/* Of the matrix [0, 1; -M^-1 K, -M^-1 C] of (y, y'). Round-off splits the double exponent 0 of a free motion into two
 * of the size of its square root, so that some digits of lambda^2 are left out. */
static int damped(sb_context *ctx, sb_linear_motion *m) {
    const int k = m->k, size = 2 * k;
    double *A, *B, *L, *V, *re, *im;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(SB_VECTORS(&scratch, (size_t)size * (size_t)size, &A, &V));
    SB_TRY(SB_VECTORS(&scratch, (size_t)k * (size_t)size, &B, &L));
    SB_TRY(SB_VECTORS(&scratch, size, &re, &im));
    memcpy(B, m->K, (size_t)k * (size_t)k * sizeof *B);
    memcpy(B + (size_t)k * (size_t)k, m->C, (size_t)k * (size_t)k * sizeof *B);
    memcpy(L, m->M, (size_t)k * (size_t)k * sizeof *B);
    lapack_int info = LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', k, size, L, k, B, k);
    for (int j = 0; j < size; j++) {
        for (int i = 0; i < k; i++) {
            A[j * size + i] = j == k + i;
            A[j * size + k + i] = -B[j * k + i];
        }
    }
    info = info == 0 ? LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', size, A, size, re, im, NULL, 1, V, size) : info;
    if (info != 0) {
        return lapack_failed(m, ctx, info);
    }
    double most = 0.0;
    for (int i = 0; i < size; i++) {
        most = fmax(most, re[i] * re[i] + im[i] * im[i]);
    }
    for (int i = 0; i < size; i++) {
        const double speed2 = re[i] * re[i] + im[i] * im[i];
        if (im[i] < 0.0) {
            continue;
        }
        m->lambda[m->count] = speed2 <= 16.0 * rounding(m, most) ? 0.0 : CMPLX(re[i], im[i]);
        for (int j = 0; j < k; j++) {
            m->modes[m->count * k + j] = CMPLX(V[i * size + j], im[i] > 0.0 ? V[(i + 1) * size + j] : 0.0);
        }
        m->count++;
    }
    sort(m);
    return SB_OK;
}

static int exponents(sb_context *ctx, sb_arena *arena, sb_linear_motion *m) {
    double *odd;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, odd, (size_t)m->k * (size_t)m->k);
    SB_NEW(arena, m->lambda, 2 * m->k);
    SB_NEW(arena, m->modes, 2 * (size_t)m->k * (size_t)m->k);
    m->count = 0;
    const double odd_max = part_of(m->k, m->K, -1.0, odd), K_max = sb_norm_max(m->k * m->k, m->K),
                 C_max = sb_norm_max(m->k * m->k, m->C), M_max = sb_norm_max(m->k * m->k, m->M);
    m->undamped = odd_max <= negligible * K_max &&
                  C_max <= (m->by_differences ? negligible * sqrt(M_max * fmax(K_max, m->largest * M_max)) : 0.0);
    return m->undamped ? undamped(ctx, m) : damped(ctx, m);
}

int sb_linear_motion_at(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_matrices matrices, int count,
                        bool inertial, double t, const double *q, const double *v, sb_linear_motion *out,
                        sb_spectra *spectra) {
    *out = (sb_linear_motion){.sys = sys};
    SB_TRY(linearize(ctx, arena, matrices, count, inertial, t, q, v, out, spectra));
    SB_TRY(exponents(ctx, arena, out));
    for (int i = 0; i < out->count; i++) {
        const double rate = creal(out->lambda[i]);
        out->growth = rate > 1e-6 * cabs(out->lambda[0]) ? fmax(out->growth, rate) : out->growth;
    }
    return SB_OK;
}

void sb_linear_motion_shape(const sb_linear_motion *m, int i, double *shape) {
    const double complex *y = m->modes + (size_t)i * (size_t)m->k;
    for (int a = 0; a < m->sys->n; a++) {
        double complex sum = 0.0;
        for (int j = 0; j < m->k; j++) {
            sum += m->X[(size_t)j * (size_t)m->sys->n + (size_t)a] * y[j];
        }
        shape[a] = cabs(sum);
    }
}

/* ---- The settled motion. ---- */

/* Replaces A by its symmetric part without the part that is negative in the metric of M, plus `odd` times its
 * antisymmetric part: A + sum |w| M y (M y)' over the eigenvalues w < 0 of A y = w M y. */
static int remove_negative(sb_context *ctx, const sb_linear_motion *m, double odd, double *A) {
    const int k = m->k;
    double *Y, *w, *My;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, Y, (size_t)k * (size_t)k);
    SB_TRY(SB_VECTORS(&scratch, k, &w, &My));
    part_of(k, A, -1.0, Y);
    cblas_daxpy(k * k, odd - 1.0, Y, 1, A, 1);
    part_of(k, A, 1.0, Y);
    SB_TRY(pencil(m, ctx, Y, w));
    for (int i = 0; i < k && w[i] < 0.0; i++) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, k, k, 1.0, m->M, k, Y + (size_t)i * (size_t)k, 1, 0.0, My, 1);
        cblas_dger(CblasColMajor, k, k, -w[i], My, 1, My, 1, A, k);
    }
    return SB_OK;
}

int sb_linear_motion_settle(sb_context *ctx, sb_arena *arena, sb_linear_motion *m) {
    if (!(m->growth > 0.0)) {
        return SB_OK;
    }
    SB_TRY(remove_negative(ctx, m, 0.0, m->K));
    SB_TRY(remove_negative(ctx, m, 1.0, m->C));
    return exponents(ctx, arena, m);
}

/* ---- The frozen motion as a system. ---- */

/* Returns x' M y; Mx is scratch. */
static double product(const sb_linear_motion *m, const double *x, const double *y, double *Mx) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, m->k, m->k, 1.0, m->M, m->k, x, 1, 0.0, Mx, 1);
    return cblas_ddot(m->k, Mx, 1, y, 1);
}

/* Adds x to the columns of Z (k x *count), which are orthonormal in the metric of M, if it is not a combination of
 * them. In such coordinates the mass is 1 for every choice of units. */
static void add_direction(const sb_linear_motion *m, double *x, double *Z, int *count, double *Mx) {
    const double size = sqrt(product(m, x, x, Mx));
    for (int pass = 0; pass < 2; pass++) { /* the second one removes the round-off of the first */
        for (int j = 0; j < *count; j++) {
            const double *z = Z + (size_t)j * (size_t)m->k;
            cblas_daxpy(m->k, -product(m, z, x, Mx), z, 1, x, 1);
        }
    }
    const double left = sqrt(product(m, x, x, Mx));
    if (left > 1e-5 * size) {
        cblas_dscal(m->k, 1.0 / left, x, 1);
        memcpy(Z + (size_t)(*count)++ * (size_t)m->k, x, (size_t)m->k * sizeof *x);
    }
}

/* Sets Z to a basis of the fastest modes, of *count <= most columns. */
static int fastest(sb_context *ctx, const sb_linear_motion *m, int most, double *Z, int *count) {
    const int k = m->k;
    double *x, *Mx;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(SB_VECTORS(&scratch, k, &x, &Mx));
    *count = 0;
    for (int i = 0; i < 2 * m->count && *count < most; i++) {
        const double complex *y = m->modes + (size_t)(i / 2) * (size_t)k;
        for (int j = 0; j < k; j++) {
            x[j] = i % 2 == 0 ? creal(y[j]) : cimag(y[j]);
        }
        add_direction(m, x, Z, count, Mx);
    }
    return SB_OK;
}

/* Sets the block of y of `out` (n x n) to Z' A Z, Z of k x count numbers. */
static void reduce(int k, int count, const double *Z, const double *A, double *AZ, int n, double *out) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k, count, k, 1.0, A, k, Z, k, 0.0, AZ, k);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count, count, k, 1.0, Z, k, AZ, k, 0.0, out, n);
}

/* Of n coordinates: y and, with constraints that have a stiffness, z, the last one, of unit length and mass. */
int sb_linear_motion_system(sb_context *ctx, sb_arena *arena, const sb_linear_motion *m, int most, bool forces,
                            sb_system *out) {
    sb_quadratic *f;
    double *Z, *AZ, *odd, *M, *K, *C, *N, *W, *b, *G, *c, *q;
    int count;
    SB_NEW(arena, f, 1);
    SB_TRY(SB_VECTORS(arena, (size_t)m->k * (size_t)m->k, &Z, &AZ, &odd));
    SB_TRY(fastest(ctx, m, most, Z, &count));
    const bool curved = sb_norm_max(m->k * m->k, m->geometric) > negligible * sb_norm_max(m->k * m->k, m->K);
    const int n = count + curved, z = n - 1;
    SB_TRY(SB_VECTORS(arena, (size_t)n * (size_t)n, &M, &K, &C, &N, &W));
    SB_TRY(SB_VECTORS(arena, n, &b, &G, &c, &q));
    part_of(m->k, m->K, -1.0, odd);
    for (int i = 0; i < count; i++) {
        M[i * n + i] = 1.0; /* Z' M Z; computed, it has the round-off of coordinates of very different sizes */
    }
    reduce(m->k, count, Z, m->K, AZ, n, K);
    reduce(m->k, count, Z, m->C, AZ, n, C);
    reduce(m->k, count, Z, odd, AZ, n, N);
    cblas_daxpy(n * n, -1.0, N, 1, K, 1);
    *f = (sb_quadratic){.n = n, .M = M, .K = K};
    if (forces && !m->undamped) {
        f->C = C;
        f->N = N;
    }
    if (curved) {
        reduce(m->k, count, Z, m->geometric, AZ, n, W);
        b[z] = sb_norm_max(n * n, W);
        cblas_daxpy(n * n, -1.0, W, 1, K, 1);
        cblas_dscal(n * n, -1.0 / b[z], W, 1);
        M[n * n - 1] = G[z] = q[z] = 1.0;
        c[0] = -1.0;
        f->m = 1;
        f->W = W;
        f->b = b;
        f->G = G;
        f->c = c;
        f->q = q;
    }
    char *name;
    SB_PRINT(arena, name, "the linearized motion of %s", m->sys->name);
    return sb_quadratic_system(ctx, arena, name, f, 1.0 / cabs(m->lambda[0]), out);
}
