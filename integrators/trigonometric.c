/* Trigonometric integrators, exact on the linear part of the force: hlw06 XIII.2, garcia99, hairer00.
 *
 * With the normal modes x of K, of unit mass, x'' = -Omega^2 x + g(x), where Omega holds the frequencies of the fast
 * modes and is zero for the others. K is the matrix of the linear springs that the problem offers, V = q'K q/2 + U;
 * without such an offer it is V_qq at the initial position. hlw06 (XIII.2.7), (XIII.2.8), with xi = h Omega:
 *
 *   x1 = cos(xi) x + h sinc(xi) v + h^2/2 Psi g(Phi x)
 *   v1 = -Omega sin(xi) x + cos(xi) v + h/2 (cos(xi) Psi1 g(Phi x) + Psi1 g(Phi x1)),   Psi = sinc(xi) Psi1.
 *
 * The filters are, by Psi1 and Phi,
 *
 *   impulse         1, 1                            Strang splitting into g and the linear flow; symplectic
 *   mollified       sinc(xi), sinc(xi)              garcia99; symplectic
 *   gautschi        sinc(xi/2)/cos(xi/2), 1
 *   hairer_lubich   sinc(xi), 1                     hairer00                                                  */
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/mass.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

/* The modes are computed with dense matrices by about 50 n^3 operations: one second at this size. */
enum { COORDINATES_MAX = 256 };

enum { IMPULSE, MOLLIFIED, GAUTSCHI, HAIRER_LUBICH };

typedef struct config {
    int filter;
    sb_scalar share;
} config;

/* State: aux is g(Phi x) in modes, for steps of the length that led there; then what rounding has taken from x and v in
 * modes. Without these, X times the rounded inverse of X would change every step's state by the same share. */
typedef struct work {
    sb_scalar *omega;                         /* 1/s; 0: a slow mode */
    sb_scalar *X, *MX;                        /* n x n: column i of X is mode i; x = (M X)' q */
    sb_scalar *q, *Vq, *x, *v, *g, *filtered; /* n: scratch */
} work;

static sb_scalar sinc(sb_scalar x) { return x == 0.0 ? 1.0 : sin(x) / x; }

static sb_scalar phi(int filter, sb_scalar xi) { return filter == MOLLIFIED ? sinc(xi) : 1.0; }

static sb_scalar psi1(int filter, sb_scalar xi) {
    return filter == IMPULSE ? 1.0 : filter == GAUTSCHI ? sinc(0.5 * xi) / cos(0.5 * xi) : sinc(xi);
}

/* ---- The modes. ---- */

/* Applies a plane rotation to rows or columns a and b of length n, whose entries have the distance `stride`. */
static void rotate(int n, int stride, sb_scalar c, sb_scalar s, sb_scalar *a, sb_scalar *b) {
    for (int k = 0; k < n * stride; k += stride) {
        const sb_scalar p = a[k], r = b[k];
        a[k] = c * p - s * r;
        b[k] = s * p + c * r;
    }
}

/* Makes the symmetric A diagonal by Jacobi's rotations, and applies them to the columns of U. Entries below the
 * round-off of the largest one are not eliminated. A sweep squares the off-diagonal part once that is small, so that
 * six or seven sweeps are enough. */
static void diagonalize(int n, sb_scalar *A, sb_scalar *U) {
    const sb_scalar zero = SB_EPSILON * sb_norm_max(n * n, A);
    bool rotated = true;
    for (int sweep = 0; sweep < 30 && rotated; sweep++) {
        rotated = false;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                if (!(fabs(A[i * n + j]) > zero)) {
                    continue;
                }
                const sb_scalar theta = 0.5 * (A[j * n + j] - A[i * n + i]) / A[i * n + j],
                                t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0)),
                                c = 1.0 / sqrt(t * t + 1.0);
                rotated = true;
                rotate(n, n, c, t * c, A + i, A + j);
                rotate(n, 1, c, t * c, A + i * n, A + j * n);
                rotate(n, 1, c, t * c, U + i * n, U + j * n);
            }
        }
    }
}

/* Sets the column-major full matrix B to A, given by values on a pattern. */
static void fill(const sb_pattern *A, const sb_scalar *Ax, sb_scalar *B) {
    memset(B, 0, (size_t)A->rows * (size_t)A->cols * sizeof *B);
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            B[j * A->rows + A->i[k]] = Ax[k];
        }
    }
}

/* Computes C = A B, or A' B, for A (n x n) and B (n x cols). */
static void multiply(int n, int cols, bool transposed, const sb_scalar *A, const sb_scalar *B, sb_scalar *C) {
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < n; i++) {
            sb_scalar sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[transposed ? i * n + k : k * n + i] * B[j * n + k];
            }
            C[j * n + i] = sum;
        }
    }
}

/* Adds K to values on H. */
static int add_springs(const sb_method *me, work *w, sb_scalar *Hx) {
    const sb_potential *V = &me->sys->potential;
    sb_scalar t;
    if (V->springs != NULL) {
        return V->springs(V->self, 1.0, Hx);
    }
    SB_TRY(me->sys->initial(me->sys->self, &t, w->q, w->v));
    return V->hessian != NULL ? V->hessian(V->self, t, w->q, 1.0, Hx) : SB_OK;
}

/* Sets the sentence about the modes. */
static int set_note(sb_method *me, const work *w) {
    enum { SIZE = 200 };
    int fast = 0;
    char *note;
    sb_scalar fastest = 0.0;
    for (int i = 0; i < me->sys->n; i++) {
        fast += w->omega[i] > 0.0;
        fastest = sb_larger(fastest, w->omega[i]);
    }
    SB_NEW(me->arena, note, SIZE);
    snprintf(note, SIZE, "%d of %d modes are fast, up to omega = %.6g: of %s", fast, me->sys->n, (double)fastest,
             me->sys->potential.springs != NULL
                 ? "the springs that the problem offers"
                 : "V_qq at the initial position, because the problem offers no springs");
    me->note = note;
    return SB_OK;
}

/* Computes the modes. With M = U D U' and S = U D^-1/2, S' K S = Y Omega^2 Y' gives X = S Y. */
static int set_modes(sb_method *me, work *w) {
    const sb_system *sys = me->sys;
    const int n = sys->n;
    const size_t size = (size_t)n * (size_t)n;
    sb_scalar fastest = 0.0, *Hx, *M, *A, *B;
    sb_mass mass;
    SB_TRY(sb_mass_init(me->ctx, me->arena, sys, &mass));
    SB_TRY(SB_VECTORS(me->arena, size, &M, &A, &B));
    SB_TRY(SB_VECTORS(me->arena, sb_pattern_nnz(&sys->H), &Hx));
    fill(&sys->inertia.M, mass.Mx, M);
    memcpy(A, M, size * sizeof *A);
    for (int i = 0; i < n; i++) {
        w->X[i * n + i] = 1.0;
    }
    diagonalize(n, A, w->X);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            w->X[i * n + k] /= sqrt(A[i * n + i]);
        }
    }
    SB_TRY(add_springs(me, w, Hx));
    fill(&sys->H, Hx, A);
    multiply(n, n, false, A, w->X, B);
    multiply(n, n, true, w->X, B, A);
    diagonalize(n, A, w->X);
    multiply(n, n, false, M, w->X, w->MX);
    for (int i = 0; i < n; i++) {
        fastest = sb_larger(fastest, A[i * n + i]);
    }
    const sb_scalar least = ((const config *)me->config)->share * sqrt(fastest);
    for (int i = 0; i < n; i++) {
        const sb_scalar omega = A[i * n + i] > 0.0 ? sqrt(A[i * n + i]) : 0.0;
        w->omega[i] = omega >= least ? omega : 0.0;
    }
    return set_note(me, w);
}

/* ---- The step. ---- */

/* Computes g(Phi x) at time t. */
static int force(const sb_method *me, sb_scalar t, sb_scalar h, const sb_scalar *x, sb_scalar *g) {
    work *w = me->work;
    const int n = me->sys->n, filter = ((const config *)me->config)->filter;
    for (int i = 0; i < n; i++) {
        w->filtered[i] = phi(filter, h * w->omega[i]) * x[i];
    }
    multiply(n, 1, false, w->X, w->filtered, w->q);
    memset(w->Vq, 0, (size_t)n * sizeof *w->Vq);
    SB_TRY(me->sys->potential.value != NULL ? sb_potential_gradient(me->sys, t, w->q, w->Vq) : SB_OK);
    multiply(n, 1, true, w->X, w->Vq, g);
    for (int i = 0; i < n; i++) {
        g[i] = w->omega[i] * w->omega[i] * w->filtered[i] - g[i];
    }
    return SB_OK;
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    multiply(me->sys->n, 1, true, w->MX, q, w->x);
    return force(me, t, h, w->x, out->aux);
}

/* Computes x = (M X)' q + lost. */
static void set_modal(const work *w, int n, const sb_scalar *q, const sb_scalar *lost, sb_scalar *x) {
    multiply(n, 1, true, w->MX, q, x);
    sb_axpy(n, 1.0, lost, x);
}

/* Computes q = X x, and what set_modal lacks to give x again. */
static void set_physical(const work *w, int n, const sb_scalar *x, sb_scalar *q, sb_scalar *lost) {
    multiply(n, 1, false, w->X, x, q);
    multiply(n, 1, true, w->MX, q, lost);
    for (int i = 0; i < n; i++) {
        lost[i] = x[i] - lost[i];
    }
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n, filter = ((const config *)me->config)->filter;
    set_modal(w, n, in->q, in->aux + n, w->x);
    set_modal(w, n, in->v, in->aux + 2 * n, w->v);
    memcpy(w->g, in->aux, (size_t)n * sizeof *w->g);
    SB_TRY(fabs(h) != fabs(in->h) ? force(me, in->t, h, w->x, w->g) : SB_OK); /* Phi depends on |h| */
    for (int i = 0; i < n; i++) {
        const sb_scalar xi = h * w->omega[i], v = w->v[i] + 0.5 * h * psi1(filter, xi) * w->g[i];
        w->v[i] = cos(xi) * v - w->omega[i] * sin(xi) * w->x[i];
        w->x[i] = cos(xi) * w->x[i] + h * sinc(xi) * v;
    }
    SB_TRY(force(me, in->t + h, h, w->x, out->aux));
    for (int i = 0; i < n; i++) {
        w->v[i] += 0.5 * h * psi1(filter, h * w->omega[i]) * out->aux[i];
    }
    set_physical(w, n, w->x, out->q, out->aux + n);
    set_physical(w, n, w->v, out->v, out->aux + 2 * n);
    return SB_OK;
}

static int init(sb_method *me) {
    const int n = me->sys->n;
    work *w;
    if (n > COORDINATES_MAX) {
        return sb_fail(me->ctx, SB_UNSUPPORTED,
                       "it has %d coordinates; the modes are computed by dense matrices, for up to %d", n,
                       COORDINATES_MAX);
    }
    SB_NEW(me->arena, w, 1);
    me->work = w;
    me->naux = 3 * n;
    SB_TRY(SB_VECTORS(me->arena, n, &w->omega, &w->q, &w->Vq, &w->x, &w->v, &w->g, &w->filtered));
    SB_TRY(SB_VECTORS(me->arena, (size_t)n * (size_t)n, &w->X, &w->MX));
    return set_modes(me, w);
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, filter, "impulse", "impulse|mollified|gautschi|hairer_lubich",
                    "the functions psi and phi of h omega"),
    SB_PARAM_REAL(config, share, "0.1", 0.0, 1.0, SB_CLOSED, "",
                  "modes slower than this share of the fastest belong to the nonlinear force"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(trigonometric) = {
    .entry = {"trigonometric", "trigonometric integrators: impulse, mollified impulse, Gautschi, Hairer and Lubich",
              "hlw06 XIII.2; garcia99; hairer00", params, sizeof(config)},
    .order = 2,
    .keeps = SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = start,
    .step = step,
};
