/* LU factorization of a sparse matrix of small dense blocks in a fixed order. */
#include "integrators/shared/block_lu.h"

#include <string.h>

#include "core/linear/ordering.h"

/* Returns the place of block (a, b), numbered by elimination. */
static int find_block(const block_lu *lu, int a, int b) {
    const int column = a < b ? a : b, row = a < b ? b : a;
    if (a == b) {
        return lu->at_D[a];
    }
    for (int e = lu->p[column]; e < lu->p[column + 1]; e++) {
        if (lu->i[e] == row) {
            return a < b ? lu->at_U[e] : lu->at_L[e];
        }
    }
    return -1;
}

static int find_targets(sb_arena *arena, block_lu *lu) {
    int products = 0, *target;
    for (int k = 0; k < lu->n; k++) {
        const int count = lu->p[k + 1] - lu->p[k];
        products += count * count;
    }
    SB_NEW(arena, target, products);
    lu->target = target;
    for (int k = 0; k < lu->n; k++) {
        for (int a = lu->p[k]; a < lu->p[k + 1]; a++) {
            for (int b = lu->p[k]; b < lu->p[k + 1]; b++) {
                *target++ = find_block(lu, lu->i[a], lu->i[b]);
            }
        }
    }
    return SB_OK;
}

static int find_places(sb_arena *arena, const int *order, const int *width_of, block_lu *lu) {
    const int nnz = lu->p[lu->n];
    int *width, *first, *at_D, *at_L, *at_U, end = 0, size = 0;
    SB_NEW(arena, width, lu->n);
    SB_NEW(arena, first, lu->n);
    SB_NEW(arena, at_D, lu->n);
    SB_NEW(arena, at_L, nnz);
    SB_NEW(arena, at_U, nnz);
    for (int k = 0; k < lu->n; k++) {
        width[k] = width_of[order[k]];
        first[k] = size;
        size += width[k];
    }
    for (int k = 0; k < lu->n; k++) {
        at_D[k] = end;
        end += width[k] * width[k];
        for (int e = lu->p[k]; e < lu->p[k + 1]; e++) {
            at_L[e] = end;
            at_U[e] = end + width[k] * width[lu->i[e]];
            end += 2 * width[k] * width[lu->i[e]];
        }
    }
    lu->width = width;
    lu->first = first;
    lu->at_D = at_D;
    lu->at_L = at_L;
    lu->at_U = at_U;
    lu->values = end;
    SB_NEW(arena, lu->x, end);
    return SB_OK;
}

int sb_block_lu_init(sb_arena *arena, const sb_pattern *pattern, int positive, const int *width, block_lu *out) {
    sb_elimination L;
    int *order;
    SB_NEW(arena, order, pattern->cols);
    SB_TRY(sb_elimination_order(arena, pattern, positive, order));
    SB_TRY(sb_elimination_pattern(arena, pattern, order, &L));
    *out = (block_lu){.n = pattern->cols, .number = L.number, .p = L.Lp, .i = L.Li};
    SB_TRY(find_places(arena, order, width, out));
    return find_targets(arena, out);
}

int sb_block_lu_place(const block_lu *lu, int row, int col, int a, int b) {
    return find_block(lu, lu->number[row], lu->number[col]) + a * lu->width[lu->number[col]] + b;
}

/* Inverts in place by Gauss-Jordan elimination with row pivoting. Returns false for a singular matrix. */
static bool invert(int n, sb_scalar *a) {
    int pivot[BLOCK_MAX];
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
        }
        pivot[k] = best;
        if (!(fabs(a[best * n + k]) > 0.0)) {
            return false;
        }
        for (int j = 0; j < n && best != k; j++) {
            const sb_scalar swap = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = swap;
        }
        const sb_scalar inverse = 1.0 / a[k * n + k];
        a[k * n + k] = 1.0;
        for (int j = 0; j < n; j++) {
            a[k * n + j] *= inverse;
        }
        for (int i = 0; i < n; i++) {
            const sb_scalar c = a[i * n + k];
            if (i == k) {
                continue;
            }
            a[i * n + k] = 0.0;
            for (int j = 0; j < n; j++) {
                a[i * n + j] -= c * a[k * n + j];
            }
        }
    }
    for (int k = n - 1; k >= 0; k--) { /* undoes the row exchanges */
        for (int i = 0; i < n && pivot[k] != k; i++) {
            const sb_scalar swap = a[i * n + k];
            a[i * n + k] = a[i * n + pivot[k]];
            a[i * n + pivot[k]] = swap;
        }
    }
    return true;
}

/* Subtracts the product of a (l x m) and b (m x n) from c, or sets c to it if `set`. */
static inline void multiply_columns(int l, int m, int n, const sb_scalar *a, const sb_scalar *b, bool set,
                                    sb_scalar *c) {
    for (int i = 0; i < l; i++) {
        sb_scalar sum[BLOCK_MAX] = {0.0};
        for (int k = 0; k < m; k++) {
            for (int j = 0; j < n; j++) {
                sum[j] += a[i * m + k] * b[k * n + j];
            }
        }
        for (int j = 0; j < n; j++) {
            c[i * n + j] = set ? sum[j] : c[i * n + j] - sum[j];
        }
    }
}

/* Does the same with a constant n, so that a row of c stays in registers. The loop over k is not vectorized
 * (CMakeLists.txt). Both together reduce the time of runs on bricard to 0.65 with radau_iia, 0.74 with lobatto_iiia_b.
 */
static inline void multiply(int l, int m, int n, const sb_scalar *a, const sb_scalar *b, bool set, sb_scalar *c) {
    switch (n) {
    case 1: multiply_columns(l, m, 1, a, b, set, c); break;
    case 2: multiply_columns(l, m, 2, a, b, set, c); break;
    case 3: multiply_columns(l, m, 3, a, b, set, c); break;
    case 4: multiply_columns(l, m, 4, a, b, set, c); break;
    case 6: multiply_columns(l, m, 6, a, b, set, c); break;
    default: multiply_columns(l, m, n, a, b, set, c);
    }
}

int sb_block_lu_factor(block_lu *lu) {
    const int *target = lu->target;
    for (int k = 0; k < lu->n; k++) {
        const int w = lu->width[k];
        sb_scalar scaled[BLOCK_MAX * BLOCK_MAX];
        if (!invert(w, lu->x + lu->at_D[k])) {
            return k;
        }
        for (int a = lu->p[k]; a < lu->p[k + 1]; a++) {
            const int wa = lu->width[lu->i[a]];
            multiply(wa, w, w, lu->x + lu->at_L[a], lu->x + lu->at_D[k], true, scaled);
            memcpy(lu->x + lu->at_L[a], scaled, (size_t)(wa * w) * sizeof *scaled);
            for (int b = lu->p[k]; b < lu->p[k + 1]; b++) {
                multiply(wa, w, lu->width[lu->i[b]], scaled, lu->x + lu->at_U[b], false, lu->x + *target++);
            }
        }
    }
    return -1;
}

void sb_block_lu_solve(const block_lu *lu, sb_scalar *b) {
    for (int k = 0; k < lu->n; k++) {
        for (int e = lu->p[k]; e < lu->p[k + 1]; e++) {
            multiply(lu->width[lu->i[e]], lu->width[k], 1, lu->x + lu->at_L[e], b + lu->first[k], false,
                     b + lu->first[lu->i[e]]);
        }
    }
    for (int k = lu->n - 1; k >= 0; k--) {
        sb_scalar *y = b + lu->first[k], solution[BLOCK_MAX];
        for (int e = lu->p[k]; e < lu->p[k + 1]; e++) {
            multiply(lu->width[k], lu->width[lu->i[e]], 1, lu->x + lu->at_U[e], b + lu->first[lu->i[e]], false, y);
        }
        multiply(lu->width[k], lu->width[k], 1, lu->x + lu->at_D[k], y, true, solution);
        memcpy(y, solution, (size_t)lu->width[k] * sizeof *y);
    }
}
