/* LDL' of a symmetric quasi-definite matrix along a static elimination plan (vanderbei95): the order, the pattern of L and the target of
 * every update are found once; a factorization is then one pass over them, without searches, sorting or pivoting. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <stepbench/solve.h>

#include "core/elimination.h"

/* What the elimination of one pivot does, in numbers relative to the pivot, so that like bodies of a mechanism share it:
 * the number of entries below the diagonal, the number of entries of L in the pivot's row, and the rows below minus the pivot's; then, up to
 * PLANNED entries, for every product of two of them (column by column of the lower triangle) the place of its target in X minus the place of
 * the pivot. Longer columns find their targets as they go, or the plan would be larger than the factor. */
typedef int shape;

enum { ENTRIES, ROW_ENTRIES, HEAD }; /* of a shape: what comes before the rows */

enum {
    UNROLLED = 8, /* columns up to this length are eliminated by code of their own: most of a mechanism's */
    PLANNED = 24, /* half a column of targets to an entry of L at this length */
    BLOCK = 64    /* pivots between two fillings of X: few enough to stay in the nearest cache */
};

typedef struct plan_work {
    int n;
    int *order;           /* order[k]: the row eliminated k-th */
    int *number;          /* the inverse of it */
    int *which;           /* which of the shapes pivot k has */
    const shape **shapes;
    size_t *begin;        /* where column k of X begins */
    int *from, *to;       /* X[to] = A[from]: the upper triangle of A in elimination order is the lower one of L */
    int *copies;          /* how many of these have to be made before the pivots of block b */
    size_t *filled;       /* which makes X valid up to here, */
    int *reached;         /* and y */
    size_t size;
    double *X;            /* column by column: 1/D, then L's values */
    double *y;
    int *diagonal;        /* where the diagonal of coordinate i is in A */
} plan_work;

static int compare_ints(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Entries of A above the diagonal in elimination order, by their row: rows of L below pivot k are row[p[k]] ..., in no order, at entry[...] of A. */
typedef struct upper {
    int *p, *row, *entry;
} upper;

static int find_upper(sb_arena *scratch, const sb_pattern *A, const int *inverse, upper *out) {
    const int n = A->cols;
    int *next;
    SB_NEW(scratch, out->p, n + 1);
    SB_NEW(scratch, next, n);
    for (int pass = 0; pass < 2; pass++) { /* counts, then entries */
        for (int j = 0; j < n; j++) {
            for (int e = A->p[j]; e < A->p[j + 1]; e++) {
                const int k = inverse[A->i[e]];
                if (k < inverse[j] && pass == 0) {
                    out->p[k + 1]++;
                } else if (k < inverse[j]) {
                    out->row[next[k]] = inverse[j];
                    out->entry[next[k]++] = e;
                }
            }
        }
        if (pass == 0) {
            for (int k = 0; k < n; k++) {
                next[k] = out->p[k];
                out->p[k + 1] += out->p[k];
            }
            SB_NEW(scratch, out->row, out->p[n]);
            SB_NEW(scratch, out->entry, out->p[n]);
        }
    }
    return SB_OK;
}

/* L's pattern: column k is A's, joined with the columns whose first row below the diagonal is k. */
static int find_factor(sb_arena *scratch, int n, const upper *U, const int *counts, int **Lp_out, int **Li_out) {
    int *mark, *head, *next, *Lp, *Li;
    SB_NEW(scratch, Lp, n + 1);
    for (int k = 0; k < n; k++) {
        Lp[k + 1] = Lp[k] + counts[k];
    }
    SB_NEW(scratch, Li, Lp[n]);
    SB_NEW(scratch, mark, n);
    SB_NEW(scratch, head, n);
    SB_NEW(scratch, next, n);
    for (int k = 0; k < n; k++) {
        mark[k] = head[k] = -1;
    }
    for (int k = 0; k < n; k++) {
        int end = Lp[k];
        mark[k] = k;
        for (int e = U->p[k]; e < U->p[k + 1]; e++) {
            mark[U->row[e]] = k;
            Li[end++] = U->row[e];
        }
        for (int child = head[k]; child >= 0; child = next[child]) {
            for (int e = Lp[child]; e < Lp[child + 1]; e++) {
                const int i = Li[e];
                if (mark[i] != k) {
                    mark[i] = k;
                    Li[end++] = i;
                }
            }
        }
        qsort(Li + Lp[k], (size_t)counts[k], sizeof(int), compare_ints);
        if (counts[k] > 0) {
            const int up = Li[Lp[k]];
            next[k] = head[up];
            head[up] = k;
        }
    }
    *Lp_out = Lp;
    *Li_out = Li;
    return SB_OK;
}

/* Where entry (i, j), i >= j in elimination numbers, sits in X: column j begins at Lp[j] + j with its pivot. */
static int slot(const int *Lp, const int *Li, int i, int j) {
    if (i == j) {
        return Lp[j] + j;
    }
    int lo = Lp[j], hi = Lp[j + 1] - 1;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (Li[mid] < i) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo + j + 1;
}

static size_t shape_length(int entries) {
    const size_t n = (size_t)entries;
    return HEAD + n + (entries <= PLANNED ? n * (n + 1) / 2 : 0);
}

static void describe(const int *Lp, const int *Li, int k, int row_entries, shape *out) {
    const int begin = Lp[k], end = Lp[k + 1];
    *out++ = end - begin;
    *out++ = row_entries;
    for (int a = begin; a < end; a++) {
        *out++ = Li[a] - k;
    }
    for (int a = begin; a < end && end - begin <= PLANNED; a++) {
        for (int b = a; b < end; b++) {
            *out++ = slot(Lp, Li, Li[b], Li[a]) - (begin + k);
        }
    }
}

static size_t hash_of(const shape *s, size_t length) {
    size_t hash = 14695981039346656037u; /* FNV-1a, a word at a time */
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (size_t)(unsigned)s[i]) * 1099511628211u;
    }
    return hash ^ (hash >> 29);
}

/* Every pivot's shape, equal ones once. */
static int find_shapes(sb_arena *arena, sb_arena *scratch, const int *Lp, const int *Li, const int *row_counts, plan_work *w) {
    const int n = w->n;
    int count = 0;
    size_t most = 0; /* of the longest shape, which need not be that of the longest column */
    for (int k = 0; k < n; k++) {
        const size_t length = shape_length(Lp[k + 1] - Lp[k]);
        most = length > most ? length : most;
    }
    size_t room = 64;
    while (room < 2 * (size_t)n) {
        room *= 2;
    }
    shape *candidate;
    const shape **found;
    int *table; /* 1 + the number of a shape, at its hash */
    SB_NEW(scratch, candidate, most);
    SB_NEW(scratch, table, room);
    SB_NEW(scratch, found, n);
    SB_NEW(arena, w->which, n);
    for (int k = 0; k < n; k++) {
        const size_t length = shape_length(Lp[k + 1] - Lp[k]);
        describe(Lp, Li, k, row_counts[k], candidate);
        size_t at = hash_of(candidate, length) & (room - 1);
        while (table[at] != 0 && (found[table[at] - 1][ENTRIES] != candidate[ENTRIES] || memcmp(found[table[at] - 1], candidate, length * sizeof(shape)) != 0)) {
            at = (at + 1) & (room - 1);
        }
        if (table[at] == 0) {
            shape *kept;
            SB_NEW(arena, kept, length);
            memcpy(kept, candidate, length * sizeof(shape));
            found[count] = kept;
            table[at] = ++count;
        }
        w->which[k] = table[at] - 1;
    }
    SB_NEW(arena, w->shapes, count);
    memcpy(w->shapes, found, (size_t)count * sizeof *found);
    return SB_OK;
}

/* The copies from A to X column by column, and how far they have to be before each block of pivots. */
static int find_copies(sb_arena *arena, const sb_pattern *A, const upper *U, const int *Lp, const int *Li, plan_work *w) {
    const int blocks = w->n / BLOCK + 1;
    SB_NEW(arena, w->from, U->p[w->n] + w->n);
    SB_NEW(arena, w->to, U->p[w->n] + w->n);
    SB_NEW(arena, w->copies, blocks);
    SB_NEW(arena, w->filled, blocks);
    SB_NEW(arena, w->reached, blocks);
    int reach = 0, copies = 0, column = 0; /* `column` is the next to be copied */
    for (int k = 0; k < w->n; k++) {
        const int last = Lp[k + 1] > Lp[k] ? Li[Lp[k + 1] - 1] : k;
        reach = last > reach ? last : reach;
        for (; column <= reach; column++) {
            const int diagonal = sb_pattern_find(A, w->order[column], w->order[column]);
            if (diagonal >= 0) {
                w->from[copies] = diagonal;
                w->to[copies++] = slot(Lp, Li, column, column);
            }
            for (int e = U->p[column]; e < U->p[column + 1]; e++) {
                w->from[copies] = U->entry[e];
                w->to[copies++] = slot(Lp, Li, U->row[e], column);
            }
        }
        w->copies[k / BLOCK] = copies;
        w->reached[k / BLOCK] = reach + 1;
        w->filled[k / BLOCK] = (size_t)Lp[reach + 1] + (size_t)reach + 1;
    }
    return SB_OK;
}

static int analyse_with(sb_linear *me, sb_arena *arena, sb_arena *scratch) {
    const sb_pattern *A = &me->A;
    const int n = A->cols;
    plan_work *w = me->work;
    int *counts, *row_counts, *Lp, *Li;
    double products;
    w->n = n;
    SB_NEW(arena, w->order, n);
    SB_NEW(scratch, counts, n);
    SB_NEW(scratch, row_counts, n);
    SB_NEW(arena, w->number, n);
    SB_TRY(sb_elimination_order(scratch, A, me->positive, w->order));
    SB_TRY(sb_elimination_counts(scratch, A, w->order, (double)INFINITY, counts, row_counts, &products));
    for (int k = 0; k < n; k++) {
        w->number[w->order[k]] = k;
    }
    upper U;
    SB_TRY(find_upper(scratch, A, w->number, &U));
    SB_TRY(find_factor(scratch, n, &U, counts, &Lp, &Li));
    SB_TRY(find_shapes(arena, scratch, Lp, Li, row_counts, w));
    SB_TRY(find_copies(arena, A, &U, Lp, Li, w));
    SB_NEW(arena, w->diagonal, me->positive);
    for (int j = 0; j < me->positive; j++) {
        w->diagonal[j] = sb_pattern_find(A, j, j);
    }
    SB_NEW(arena, w->begin, n);
    for (int k = 0; k < n; k++) {
        w->begin[k] = (size_t)Lp[k] + (size_t)k;
    }
    w->size = (size_t)n + (size_t)Lp[n];
    SB_NEW(arena, w->X, w->size);
    SB_NEW(arena, w->y, n);
    return SB_OK;
}

static int analyse(sb_linear *me, sb_arena *arena) {
    plan_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    sb_arena scratch;
    sb_arena_init(&scratch, me->ctx);
    const int status = analyse_with(me, arena, &scratch);
    sb_arena_free(&scratch);
    return status;
}

/* Forward substitution by one pivot. */
static inline void substitute(const double *column, double *y, const shape *rows, int length) {
    const double y0 = y[0];
    for (int a = 0; a < length; a++) {
        y[rows[a]] -= column[1 + a] * y0;
    }
}

/* The updates by one pivot, of the right-hand side y (from the pivot's row on) too; `length`, of the column below it, is a constant where this is inlined
 * for a short one: its entries stay in registers. Returns the largest of them in magnitude. */
static inline __attribute__((always_inline)) double eliminate_short(double *column, double *y, const shape *rows, double inverse, int length) {
    const shape *target = rows + length;
    const double y0 = y[0];
    double entry[UNROLLED], most = 0.0;
    for (int a = 0; a < length; a++) {
        entry[a] = column[1 + a];
        most = fabs(entry[a]) > most ? fabs(entry[a]) : most;
    }
    for (int a = 0; a < length; a++) {
        const double l = entry[a] * inverse;
        for (int b = a; b < length; b++) {
            column[*target++] -= entry[b] * l;
        }
        column[1 + a] = l;
        y[rows[a]] -= l * y0;
    }
    return most;
}

static double eliminate_long(double *column, const shape *target, double inverse, int length) {
    const double most = sb_norm_max(length, column + 1);
    for (int a = 1; a <= length; a++) {
        const double l = column[a] * inverse;
        for (int b = a; b <= length; b++) {
            column[*target++] -= column[b] * l;
        }
        column[a] = l;
    }
    return most;
}

/* Without targets: the rows of the column are found among those of each column they are taken from, both in ascending order. */
static double eliminate_unplanned(const plan_work *w, int k, double inverse) {
    const shape *rows = w->shapes[w->which[k]] + HEAD;
    const int length = rows[ENTRIES - HEAD];
    double *column = w->X + w->begin[k];
    const double most = sb_norm_max(length, column + 1);
    for (int a = 0; a < length; a++) {
        const int j = k + rows[a];
        const shape *other = w->shapes[w->which[j]] + HEAD;
        double *to = w->X + w->begin[j];
        const double l = column[1 + a] * inverse;
        to[0] -= column[1 + a] * l;
        for (int b = a + 1, at = 0; b < length; b++, at++) {
            while (j + other[at] < k + rows[b]) {
                at++;
            }
            to[1 + at] -= column[1 + b] * l;
        }
        column[1 + a] = l;
    }
    return most;
}

static inline double eliminate(const plan_work *w, int k, const shape *s, double *column, double inverse) {
    const int length = s[ENTRIES];
    const shape *rows = s + HEAD;
    double *const y = w->y + k;
#define SHORT(constant)                                                                            \
    case constant:                                                                                 \
        return eliminate_short(column, y, rows, inverse, constant);
    switch (length) {
        SHORT(0) SHORT(1) SHORT(2) SHORT(3) SHORT(4) SHORT(5) SHORT(6) SHORT(7) SHORT(8)
    default:
        break;
    }
#undef SHORT
    const double most = length <= PLANNED ? eliminate_long(column, rows + length, inverse, length) : eliminate_unplanned(w, k, inverse);
    substitute(column, y, rows, length);
    return most;
}

/* Brings A's entries into X, and the right-hand side x (NULL: zero) into y, as far as the pivots of block b reach. */
static void fill(const plan_work *w, int b, const double *Ax, const double *x) {
    const size_t begin = b > 0 ? w->filled[b - 1] : 0;
    memset(w->X + begin, 0, (w->filled[b] - begin) * sizeof(double));
    for (int e = b > 0 ? w->copies[b - 1] : 0; e < w->copies[b]; e++) {
        w->X[w->to[e]] = Ax[w->from[e]];
    }
    for (int k = b > 0 ? w->reached[b - 1] : 0; k < w->reached[b]; k++) {
        w->y[k] = x != NULL ? x[w->order[k]] : 0.0;
    }
}

/* Round-off of pivot k: twice that of a sum of as many terms as its row has entries, of the size of the diagonal entry, or for a constraint of what
 * its coordinates add; what other constraints take away again is no larger when little is left. */
static double noise_of_pivot(const sb_linear *me, const plan_work *w, const double *Ax, int k, int row) {
    double size = 0.0;
    if (row < me->positive) {
        size = fabs(Ax[w->diagonal[row]]);
    } else {
        const int end = me->A.p[row + 1];
        for (int e = me->A.p[row]; e < end && me->A.i[e] < me->positive; e++) {
            size += Ax[e] * Ax[e] * w->X[w->begin[w->number[me->A.i[e]]]]; /* where 1/D is */
        }
    }
    return 2.0 * DBL_EPSILON * w->shapes[w->which[k]][ROW_ENTRIES] * size;
}

/* The factorization, and with it the forward substitution of x (NULL: zero, which costs less than to ask for it at every pivot). */
static int eliminate_all(sb_linear *me, const double *Ax, const double *x) {
    const plan_work *w = me->work;
    double *column = w->X, most = 0.0; /* the largest term that any coordinate has added to any pivot */
    for (int k = 0; k < w->n; k++) {
        if (k % BLOCK == 0) {
            fill(w, k / BLOCK, Ax, x);
        }
        const shape *s = w->shapes[w->which[k]];
        const double pivot = column[0];
        const int row = w->order[k];
        const bool primal = row < me->positive;
        /* No noise in an entry of A as it stands; a bound of it, `most` a term, is enough to let nearly every pivot of a constraint pass. */
        const double size = primal ? pivot : -pivot, entries = s[ROW_ENTRIES];
        const bool clear = primal ? entries == 0.0 && size > 0.0 : size > 2.0 * DBL_EPSILON * entries * entries * most && size > 0.0;
        if (!clear && !(size > noise_of_pivot(me, w, Ax, k, row))) {
            return sb_linear_bad_pivot(me, row, pivot);
        }
        const double inverse = 1.0 / pivot;
        column[0] = inverse;
        const double largest = eliminate(w, k, s, column, inverse), term = largest * largest * inverse;
        most = primal && !(term <= most) ? term : most;
        column += 1 + s[ENTRIES];
    }
    return SB_OK;
}

/* From y after the forward substitution to the solution in x. */
static void substitute_back(const plan_work *w, double *x) {
    double *const y = w->y;
    const double *column = w->X + w->size;
    for (int k = w->n - 1; k >= 0; k--) {
        const shape *s = w->shapes[w->which[k]], *rows = s + HEAD;
        column -= 1 + s[ENTRIES];
        double sum = y[k] * column[0];
        for (int a = s[ENTRIES] - 1; a >= 0; a--) { /* last the row found last, which is not waited for until then */
            sum -= column[1 + a] * y[k + rows[a]];
        }
        y[k] = x[w->order[k]] = sum;
    }
}

static int factor(sb_linear *me, const double *Ax) { return eliminate_all(me, Ax, NULL); }

static int solve(const sb_linear *me, double *b) {
    const plan_work *w = me->work;
    for (int k = 0; k < w->n; k++) {
        w->y[k] = b[w->order[k]];
    }
    const double *column = w->X;
    for (int k = 0; k < w->n; k++) {
        const shape *s = w->shapes[w->which[k]];
        substitute(column, w->y + k, s + HEAD, s[ENTRIES]);
        column += 1 + s[ENTRIES];
    }
    substitute_back(w, b);
    return SB_OK;
}

static int factor_solve(sb_linear *me, const double *Ax, double *b) {
    SB_TRY(eliminate_all(me, Ax, b));
    substitute_back(me->work, b);
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const plan_work *w = me->work;
    out->nnz_factor = (long)w->size;
}

extern const sb_solver sb_solver_plan;
const sb_solver sb_solver_plan = {
    .entry = {"plan", "LDL' of a symmetric quasi-definite matrix along a static elimination plan", "vanderbei95", NULL, 0},
    .symmetric = true,
    .analyse = analyse,
    .factor = factor,
    .factor_solve = factor_solve,
    .solve = solve,
    .stats = stats,
};
