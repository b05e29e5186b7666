/* Small saddle matrices [H, B; C', E], H (n x n) of connected blocks, E (m x m) diagonal, by the Schur complement of H:
 *
 *   H = L U block by block,   Y = H^-1 B,   S = E - C' Y = L U,
 *   S z = c - C' H^-1 b,      x = H^-1 b - Y z.
 *
 * No rows are exchanged. small_lu takes the factors if every diagonal entry, of H while it is eliminated and of S, is
 * at least a 64th of the sum of the sizes of its terms, so that six bits of it are lost at most; the test does not
 * depend on the units of the coordinates and constraints. Else it factors the full matrix with partial pivoting. A
 * solution is refined once after partial pivoting, and where H^-1 b and Y z cancel by more than six bits: its residual
 * is then round-off (higham02 12.4). The matrices of small_ldl are quasi-definite, and their factors are stable in any
 * order (vanderbei95); a pivot of the wrong sign or dominated by round-off is an error. */
#include <string.h>

#include <stepbench/plugin.h>

#include "core/linear/choose.h"
#include "core/linear/lu.h"

enum { COORDINATES = SB_SMALL_COORDINATES, ROWS = SB_SMALL_ROWS, SIZE = COORDINATES + ROWS };

static const sb_scalar least_share = 1.0 / (sb_scalar)64.0;

/* The test of pivots: of small_ldl, or of small_lu with least_share. */
typedef struct test {
    bool ldl;
    sb_scalar share;
} test;

struct small_work;

/* The functions for a test of pivots, numbers of coordinates and constraints, and a form of H. The first computes the
 * factors and returns the row of a pivot that is not acceptable, and the pivot; -1: none. The second sets x to the
 * solution for b and returns whether H^-1 b and Y z cancel by more than six bits. The third does both and solves in
 * place. */
typedef struct kernels {
    int (*eliminate)(struct small_work *w, const sb_scalar *Ax, sb_scalar share, sb_scalar *pivot);
    bool (*substitute)(const struct small_work *w, const sb_scalar *b, sb_scalar *x);
    int (*factor_solve)(sb_linear *me, const sb_scalar *Ax, sb_scalar *b);
} kernels;

/* The values given are in the order in which the kernels read them: the blocks of H, full and by columns; B, and C
 * where it is another matrix, full and by rows, in `order`; the diagonal of E. */
typedef struct small_work {
    kernels kernels;
    int n, m, blocks, block;    /* block: the size that all blocks have; 0: they have several */
    int order[COORDINATES];     /* the coordinates, block by block */
    int start[COORDINATES + 1]; /* of each block in `order` */
    int at[COORDINATES];        /* of each block in H */
    int B, C, E;                /* begins of the values given; those of H begin at 0 */
    const sb_scalar *Ax;        /* the values given */
    /* Factors: those of blocks, Y like B, and S, on whose diagonal are the inverses of the pivots. */
    sb_scalar H[COORDINATES * COORDINATES], Y[COORDINATES * ROWS], S[ROWS * ROWS];
    /* Of small_lu. */
    bool pivoted;
    sb_scalar LU[SIZE * SIZE];
    lapack_int pivot[SIZE];
} small_work;

/* ---- Kernels. ---- */

#define BY_BLOCK(function, size, ...)                                                                                  \
    ((size) == 1   ? function(__VA_ARGS__, 1)                                                                          \
     : (size) == 2 ? function(__VA_ARGS__, 2)                                                                          \
     : (size) == 3 ? function(__VA_ARGS__, 3)                                                                          \
                   : function(__VA_ARGS__, size))

/* Returns whether a pivot is acceptable that is the sum of terms of this size. */
SB_INLINED bool takes(test t, sb_scalar pivot, sb_scalar terms) {
    return t.ldl ? pivot > t.share * terms : fabs(pivot) >= t.share * terms && terms > 0.0;
}

/* Solves with the factors of a block for y (size x m, by rows), in place. Quotients by the pivots are rounded
 * correctly: the product of a mass and its rounded inverse would change a velocity by the same share in every step. */
SB_INLINED void solve_block(const sb_scalar *a, sb_scalar *y, const int m, const int size) {
    for (int k = 0; k < size; k++) {
        for (int i = k + 1; i < size; i++) {
            for (int j = 0; j < m; j++) {
                y[i * m + j] -= a[i + size * k] * y[k * m + j];
            }
        }
    }
    for (int k = size - 1; k >= 0; k--) {
        for (int j = 0; j < m; j++) {
            y[k * m + j] /= a[k + size * k];
        }
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < m; j++) {
                y[i * m + j] -= a[i + size * k] * y[k * m + j];
            }
        }
    }
}

/* Factors a block of H. Returns the coordinate of a pivot that is not acceptable, with the pivot in a[0]; -1: none. */
SB_INLINED int factor_block(test t, sb_scalar *a, const int size) {
    sb_scalar terms[COORDINATES], own[COORDINATES];
    if (size == 1) { /* the entry is its only term */
        return (t.ldl ? a[0] : fabs(a[0])) > 0.0 ? -1 : 0;
    }
    for (int i = 0; i < size; i++) {
        terms[i] = own[i] = fabs(a[i + size * i]);
    }
    for (int k = 0; k < size; k++) {
        const sb_scalar pivot = a[k + size * k];
        if (!takes(t, pivot, terms[k]) || (!t.ldl && !(own[k] >= t.share * terms[k]))) {
            a[0] = pivot;
            return k;
        }
        for (int i = k + 1; i < size; i++) {
            a[i + size * k] /= pivot;
            terms[i] += fabs(a[i + size * k] * a[k + size * i]);
        }
        for (int j = k + 1; j < size; j++) {
            for (int i = k + 1; i < size; i++) {
                a[i + size * j] -= a[i + size * k] * a[k + size * j];
            }
        }
    }
    return -1;
}

/* Factors S, whose diagonal entries are the sums of terms of these sizes; the rest as for a block. */
SB_INLINED int factor_complement(test t, sb_scalar *S, sb_scalar *terms, const int m) {
    for (int k = 0; k < m; k++) {
        const sb_scalar pivot = S[k * m + k], inverse = 1.0 / pivot;
        if (!takes(t, t.ldl ? -pivot : pivot, terms[k])) {
            S[0] = pivot;
            return k;
        }
        S[k * m + k] = inverse;
        for (int i = k + 1; i < m; i++) {
            S[i * m + k] *= inverse;
            terms[i] += fabs(S[i * m + k] * S[k * m + i]);
            for (int j = k + 1; j < m; j++) {
                S[i * m + j] -= S[i * m + k] * S[k * m + j];
            }
        }
    }
    return -1;
}

/* Factors a block, sets its rows of Y, and subtracts its part of C' Y from S, with the sizes of the terms. Returns as
 * factor_block does. */
SB_INLINED int eliminate_block(const sb_scalar *H, const sb_scalar *B, const sb_scalar *C, test t, sb_scalar *a,
                               sb_scalar *Y, sb_scalar *S, sb_scalar *terms, const int m, const int size) {
    for (int k = 0; k < size * size; k++) {
        a[k] = H[k];
    }
    for (int k = 0; k < size * m; k++) {
        Y[k] = B[k];
    }
    const int bad = factor_block(t, a, size);
    if (bad >= 0) {
        return bad;
    }
    solve_block(a, Y, m, size);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < m; j++) {
            const sb_scalar c = C[i * m + j];
            terms[j] += fabs(c * Y[i * m + j]);
            for (int k = 0; k < m; k++) {
                S[j * m + k] -= c * Y[i * m + k];
            }
        }
    }
    return -1;
}

/* Computes the factors. Returns the row of a pivot that is not acceptable, and the pivot; -1: none. */
SB_INLINED int eliminate(small_work *w, const sb_scalar *Ax, test t, sb_scalar *pivot, const int n, const int m,
                         const int block) {
    const int blocks = block > 0 ? n / block : w->blocks;
    const sb_scalar *const B = Ax + w->B, *const C = Ax + w->C;
    sb_scalar terms[ROWS], S[ROWS * ROWS];
    w->Ax = Ax;
    for (int j = 0; j < m; j++) {
        terms[j] = fabs(Ax[w->E + j]);
        for (int k = 0; k < m; k++) {
            S[j * m + k] = j == k ? Ax[w->E + j] : 0.0;
        }
    }
    for (int b = 0; b < blocks; b++) {
        const int from = block > 0 ? block * b : w->start[b], at = block > 0 ? block * block * b : w->at[b];
        const int size = block > 0 ? block : w->start[b + 1] - from;
        const int bad = BY_BLOCK(eliminate_block, size, Ax + at, B + from * m, C + from * m, t, w->H + at,
                                 w->Y + from * m, S, terms, m);
        if (bad >= 0) {
            *pivot = w->H[at];
            return w->order[from + bad];
        }
    }
    const int bad = factor_complement(t, S, terms, m);
    if (bad >= 0) {
        *pivot = S[0];
        return n + bad;
    }
    for (int k = 0; k < m * m; k++) {
        w->S[k] = S[k];
    }
    return -1;
}

/* Sets `solution` to the solution for b; the two may be one. */
SB_INLINED bool substitute(const small_work *w, const sb_scalar *b, sb_scalar *solution, const bool ldl, const int n,
                           const int m, const int block) {
    const sb_scalar *const C = w->Ax + w->C;
    sb_scalar x[COORDINATES], z[ROWS];
    for (int i = 0; i < n; i++) {
        x[i] = block == 1 ? b[i] / w->H[i] : b[w->order[i]];
    }
    for (int k = 0, blocks = block > 0 ? n / block : w->blocks; k < blocks && block != 1; k++) {
        const int from = block > 0 ? block * k : w->start[k], at = block > 0 ? block * block * k : w->at[k];
        const int size = block > 0 ? block : w->start[k + 1] - from;
        BY_BLOCK(solve_block, size, w->H + at, x + from, 1);
    }
    for (int j = 0; j < m; j++) {
        z[j] = b[n + j];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            z[j] -= C[i * m + j] * x[i];
        }
    }
    for (int k = 0; k < m; k++) {
        for (int i = k + 1; i < m; i++) {
            z[i] -= w->S[i * m + k] * z[k];
        }
    }
    for (int k = m - 1; k >= 0; k--) {
        z[k] *= w->S[k * m + k];
        for (int i = 0; i < k; i++) {
            z[i] -= w->S[i * m + k] * z[k];
        }
    }
    bool cancels = false;
    for (int i = 0; i < n; i++) {
        sb_scalar sum = x[i];
        for (int j = 0; j < m; j++) {
            sum -= w->Y[i * m + j] * z[j];
        }
        solution[block == 1 ? i : w->order[i]] = sum;
        cancels |= !ldl && !(least_share * fabs(x[i]) <= fabs(sum));
    }
    for (int j = 0; j < m; j++) {
        solution[n + j] = z[j];
    }
    return cancels;
}

/* Factors the full matrix. */
static __attribute__((noinline, cold)) int factor_pivoted(sb_linear *me, const sb_scalar *Ax) {
    small_work *w = me->work;
    const sb_pattern *A = &me->A;
    const int size = A->cols;
    memset(w->LU, 0, (size_t)(size * size) * sizeof(sb_scalar));
    for (int j = 0; j < size; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            w->LU[A->i[k] + size * j] = Ax[me->at[k]];
        }
    }
    const int done = sb_lu_factor(size, w->LU, w->pivot);
    w->pivoted = true;
    return done == size ? SB_OK : sb_linear_bad_pivot(me, done, w->LU[done * (size + 1)]);
}

/* Sets x to the solution by the factors of either kind. */
static bool solve_once(const sb_linear *me, const sb_scalar *b, sb_scalar *x) {
    const small_work *w = me->work;
    if (w->pivoted) {
        memcpy(x, b, (size_t)me->A.cols * sizeof *x);
        sb_lu_solve(me->A.cols, w->LU, w->pivot, x);
    }
    return w->pivoted || w->kernels.substitute(w, b, x);
}

/* Replaces the right-hand side b by its solution x, refined once. */
static __attribute__((noinline, cold)) void refine(const sb_linear *me, sb_scalar *b, const sb_scalar *x) {
    const small_work *w = me->work;
    const sb_pattern *A = &me->A;
    sb_scalar correction[SIZE];
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            b[A->i[k]] -= w->Ax[me->at[k]] * x[j];
        }
    }
    solve_once(me, b, correction);
    for (int i = 0; i < A->cols; i++) {
        b[i] = x[i] + correction[i];
    }
}

static int solve_lu(const sb_linear *me, sb_scalar *b) {
    sb_scalar x[SIZE];
    if (solve_once(me, b, x)) {
        refine(me, b, x);
    } else {
        memcpy(b, x, (size_t)me->A.cols * sizeof *b);
    }
    return SB_OK;
}

/* Factors and solves in place, by functions that are inlined where n, m and the size of the blocks are constants; 0:
 * they are not. */
SB_INLINED int factor_solve(sb_linear *me, const sb_scalar *Ax, sb_scalar *b, const bool ldl, const int n, const int m,
                            const int block) {
    small_work *w = me->work;
    const sb_scalar share = ldl ? me->singular_below : least_share;
    sb_scalar pivot = 0.0, x[SIZE];
    const int bad = block > 0 ? eliminate(w, Ax, (test){ldl, share}, &pivot, n, m, block)
                              : w->kernels.eliminate(w, Ax, share, &pivot);
    w->pivoted = false;
    if (bad >= 0) {
        SB_TRY(ldl ? sb_linear_bad_pivot(me, bad, pivot) : factor_pivoted(me, Ax));
        return solve_lu(me, b);
    }
    if (block > 0 ? substitute(w, b, x, ldl, n, m, block) : w->kernels.substitute(w, b, x)) {
        refine(me, b, x);
        return SB_OK;
    }
    for (int i = 0; i < n + m; i++) {
        b[i] = x[i];
    }
    return SB_OK;
}

static int factor_solve_lu(sb_linear *me, const sb_scalar *Ax, sb_scalar *b) {
    return factor_solve(me, Ax, b, false, me->A.cols, 0, 0);
}

static int factor_solve_ldl(sb_linear *me, const sb_scalar *Ax, sb_scalar *b) {
    return factor_solve(me, Ax, b, true, me->A.cols, 0, 0);
}

/* X(name, m, block): the instances beside those of SB_SIZES, which are for blocks of one coordinate and of two.
 * Instructions per step without and with the latter: midpoint on kepler 1976 and 1656, em on dsp 4808 and 4110. */
#ifdef SB_ONE_SIZE
#define OTHERS(X) X(diagonal_m, w->m, 1) X(blocks_m, w->m, 0)
#else
#define OTHERS(X)                                                                                                      \
    X(diagonal_0, 0, 1)                                                                                                \
    X(diagonal_1, 1, 1)                                                                                                \
    X(diagonal_2, 2, 1)                                                                                                \
    X(diagonal_m, w->m, 1)                                                                                             \
    X(blocks_0, 0, 0)                                                                                                  \
    X(blocks_1, 1, 0)                                                                                                  \
    X(blocks_2, 2, 0)                                                                                                  \
    X(blocks_m, w->m, 0)
#endif

#define FUNCTIONS(name, ldl, n, m, block)                                                                              \
    static int eliminate_##name(small_work *w, const sb_scalar *Ax, sb_scalar share, sb_scalar *pivot) {               \
        return eliminate(w, Ax, (test){ldl, share}, pivot, n, m, block);                                               \
    }                                                                                                                  \
    static bool substitute_##name(const small_work *w, const sb_scalar *b, sb_scalar *x) {                             \
        return substitute(w, b, x, ldl, n, m, block);                                                                  \
    }
#define CONSTANT_FUNCTIONS(name, ldl, n, m, block)                                                                     \
    FUNCTIONS(name, ldl, n, m, block)                                                                                  \
    static int factor_solve_##name(sb_linear *me, const sb_scalar *Ax, sb_scalar *b) {                                 \
        return factor_solve(me, Ax, b, ldl, n, m, block);                                                              \
    }
#define CONSTANT(name, n, m)                                                                                           \
    CONSTANT_FUNCTIONS(lu_##name##_1, false, n, m, 1)                                                                  \
    CONSTANT_FUNCTIONS(lu_##name##_2, false, n, m, 2)                                                                  \
    CONSTANT_FUNCTIONS(ldl_##name##_1, true, n, m, 1)                                                                  \
    CONSTANT_FUNCTIONS(ldl_##name##_2, true, n, m, 2)
#define OTHER(name, m, block) FUNCTIONS(lu_##name, false, w->n, m, block) FUNCTIONS(ldl_##name, true, w->n, m, block)
SB_SIZES(CONSTANT)
OTHERS(OTHER)

/* Returns the functions of the first instance that fits. */
static kernels choose(const small_work *w, bool ldl) {
#define CHOOSE(name, fits, lu, ldl_)                                                                                   \
    if (fits) {                                                                                                        \
        return ldl ? (kernels){eliminate_ldl_##name, substitute_ldl_##name, ldl_}                                      \
                   : (kernels){eliminate_lu_##name, substitute_lu_##name, lu};                                         \
    }
#define CHOOSE_BLOCK(name, n_, m_, block_)                                                                             \
    CHOOSE(name, w->n == (n_) && w->m == (m_) && w->block == (block_), factor_solve_lu_##name, factor_solve_ldl_##name)
#define CHOOSE_CONSTANT(name, n_, m_) CHOOSE_BLOCK(name##_1, n_, m_, 1) CHOOSE_BLOCK(name##_2, n_, m_, 2)
#define CHOOSE_OTHER(name, m_, block_)                                                                                 \
    CHOOSE(name, w->m == (m_) && (w->block == 1) == ((block_) == 1), factor_solve_lu, factor_solve_ldl)
    SB_SIZES(CHOOSE_CONSTANT)
    OTHERS(CHOOSE_OTHER)
    return (kernels){0};
}

/* ---- The operations of the solvers. ---- */

static int factor_ldl(sb_linear *me, const sb_scalar *Ax) {
    small_work *w = me->work;
    sb_scalar pivot = 0.0;
    const int bad = w->kernels.eliminate(w, Ax, me->singular_below, &pivot);
    return bad < 0 ? SB_OK : sb_linear_bad_pivot(me, bad, pivot);
}

static int factor_lu(sb_linear *me, const sb_scalar *Ax) {
    small_work *w = me->work;
    sb_scalar pivot = 0.0;
    w->pivoted = false;
    return w->kernels.eliminate(w, Ax, least_share, &pivot) < 0 ? SB_OK : factor_pivoted(me, Ax);
}

static int solve_ldl(const sb_linear *me, sb_scalar *b) {
    const small_work *w = me->work;
    w->kernels.substitute(w, b, b);
    return SB_OK;
}

static int factor_solve_chosen(sb_linear *me, const sb_scalar *Ax, sb_scalar *b) {
    return ((const small_work *)me->work)->kernels.factor_solve(me, Ax, b);
}

/* ---- Analysis. ---- */

/* Sets the label of every coordinate to the first one of its connected block. */
static void find_blocks(const sb_pattern *A, int n, int *label) {
    for (int j = 0; j < n; j++) {
        label[j] = j;
    }
    for (int j = 0; j < n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            if (A->i[k] < n && label[A->i[k]] != label[j]) {
                const int a = label[A->i[k]], b = label[j];
                for (int i = 0; i < n; i++) {
                    label[i] = label[i] == a || label[i] == b ? (a < b ? a : b) : label[i];
                }
            }
        }
    }
}

static int analyse(sb_linear *me, sb_arena *arena) {
    const sb_pattern *A = &me->A;
    const int n = me->positive, m = A->cols - n;
    int label[COORDINATES], place[COORDINATES], size[COORDINATES] = {0}, block[COORDINATES], done = 0, *at;
    small_work *w;
    SB_NEW(arena, w, 1);
    SB_NEW(arena, at, sb_pattern_nnz(A));
    me->work = w;
    me->at = at;
    w->n = n;
    w->m = m;
    find_blocks(A, n, label);
    for (int j = 0; j < n; j++) {
        if (label[j] == j) {
            w->at[w->blocks] = w->B;
            for (int i = j; i < n; i++) {
                if (label[i] == j) {
                    block[i] = w->blocks;
                    place[i] = done;
                    w->order[done++] = i;
                    size[j]++;
                }
            }
            w->block = w->blocks == 0 || w->block == size[j] ? size[j] : 0;
            w->B += size[j] * size[j];
            w->start[++w->blocks] = done;
        }
    }
    w->kernels = choose(w, me->type->symmetric);
    w->C = w->B + (me->type->symmetric ? 0 : n * m);
    w->E = w->C + n * m;
    me->values = w->E + m;
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const int i = A->i[k];
            if (i < n && j < n) {
                const int of = w->start[block[j]], length = w->start[block[j] + 1] - of;
                at[k] = w->at[block[j]] + place[i] - of + length * (place[j] - of);
            } else {
                at[k] = i < n ? w->B + place[i] * m + j - n : j < n ? w->C + place[j] * m + i - n : w->E + j - n;
            }
        }
    }
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const small_work *w = me->work;
    out->nnz_factor = w->B + 2 * w->n * w->m + w->m * w->m;
}

const sb_solver sb_solver_small_lu = {
    .entry = {"small_lu", "Schur complement of a small matrix, and partial pivoting where it would lose digits",
              "higham02", NULL, 0},
    .analyse = analyse,
    .factor = factor_lu,
    .solve = solve_lu,
    .factor_solve = factor_solve_chosen,
    .stats = stats,
};

const sb_solver sb_solver_small_ldl = {
    .entry = {"small_ldl", "Schur complement of a small quasi-definite matrix", "vanderbei95", NULL, 0},
    .symmetric = true,
    .analyse = analyse,
    .factor = factor_ldl,
    .solve = solve_ldl,
    .factor_solve = factor_solve_chosen,
    .stats = stats,
};
