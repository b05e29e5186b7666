/* LDL' of a symmetric quasi-definite matrix along a static elimination plan: the order, the pattern of L and the target of every
 * update are found once; a factorization is then one pass over an index list, without searches, sorting or pivoting.
 *
 * Vanderbei, SIAM J. Optim. 5 (1995) 100: such a matrix has an LDL' factorization in every order; D is positive on the first
 * `positive` rows and negative on the rest. The order keeps each constraint behind all its coordinates, so that its pivot is
 * -(E + c M^-1 c' - ...) and never the bare, perhaps vanishing, E. */
#include <stdlib.h>
#include <string.h>

#include <suitesparse/amd.h>

#include <stepbench/solve.h>

typedef struct plan_work {
    int n;
    int *order;     /* order[k]: the row eliminated k-th */
    int *Lp, *Li;   /* columns of L below the diagonal, rows ascending in elimination numbers */
    int *target;    /* for pivot k: where the products of its column go, column by column of the lower triangle */
    int nnz_A;
    int *from, *to; /* X[to] = A[from], the lower triangle in elimination order */
    double *X;      /* D, then L's values */
    double *inverse, *y;
} plan_work;

/* Elimination numbers: coordinates in the order `coordinates` (a permutation of the first `primal` rows), each constraint right
 * behind the last coordinate it touches. */
static int place_constraints(sb_arena *arena, const sb_pattern *A, int primal, const int *coordinates, int *order) {
    const int n = A->cols, constraints = n - primal;
    int *rank, *head, *next;
    SB_NEW(arena, rank, primal);
    SB_NEW(arena, head, primal + 1);
    SB_NEW(arena, next, constraints);
    for (int k = 0; k < primal; k++) {
        rank[coordinates[k]] = k;
        head[k] = -1;
    }
    head[primal] = -1;
    for (int c = n - 1; c >= primal; c--) { /* backwards: the lists come out ascending */
        int last = primal;                  /* a constraint without coordinates goes to the end */
        for (int k = A->p[c]; k < A->p[c + 1]; k++) {
            if (A->i[k] < primal && (last == primal || rank[A->i[k]] > last)) {
                last = rank[A->i[k]];
            }
        }
        next[c - primal] = head[last];
        head[last] = c;
    }
    int end = 0;
    for (int k = 0; k <= primal; k++) {
        if (k < primal) {
            order[end++] = coordinates[k];
        }
        for (int c = head[k]; c >= 0; c = next[c - primal]) {
            order[end++] = c;
        }
    }
    return SB_OK;
}

/* The elimination tree and column counts of L for an order: Liu's algorithm on the lower triangle, row by row. */
static int count_fill(sb_arena *arena, const sb_pattern *A, const int *order, int *counts, long *fill) {
    const int n = A->cols;
    int *inverse, *parent, *mark;
    SB_NEW(arena, inverse, n);
    SB_NEW(arena, parent, n);
    SB_NEW(arena, mark, n);
    for (int k = 0; k < n; k++) {
        inverse[order[k]] = k;
    }
    *fill = 0;
    for (int k = 0; k < n; k++) {
        parent[k] = -1;
        mark[k] = k;
        counts[k] = 0;
        for (int e = A->p[order[k]]; e < A->p[order[k] + 1]; e++) {
            for (int i = inverse[A->i[e]]; i < k && mark[i] != k; i = parent[i]) {
                if (parent[i] < 0) {
                    parent[i] = k;
                }
                counts[i]++;
                mark[i] = k;
            }
        }
    }
    for (int k = 0; k < n; k++) {
        *fill += (long)counts[k] * (counts[k] + 3) / 2; /* products of a factorization: what the time goes with */
    }
    return SB_OK;
}

/* Fill-reducing order of the coordinates: approximate minimum degree on M and C C'. */
static int amd_of_coordinates(sb_arena *arena, const sb_pattern *A, int primal, int *coordinates) {
    int pairs = 0;
    for (int j = 0; j < A->cols; j++) {
        const int length = A->p[j + 1] - A->p[j];
        pairs += j < primal ? length : length * length;
    }
    int *row, *col;
    SB_NEW(arena, row, pairs);
    SB_NEW(arena, col, pairs);
    int k = 0;
    for (int j = 0; j < A->cols; j++) {
        for (int a = A->p[j]; a < A->p[j + 1]; a++) {
            if (j < primal) {
                if (A->i[a] < primal) {
                    row[k] = A->i[a];
                    col[k++] = j;
                }
                continue;
            }
            for (int b = A->p[j]; b < A->p[j + 1]; b++) {
                if (A->i[a] < primal && A->i[b] < primal) {
                    row[k] = A->i[a];
                    col[k++] = A->i[b];
                }
            }
        }
    }
    sb_pattern graph;
    SB_TRY(sb_pattern_from_pairs(arena, primal, primal, k, row, col, &graph));
    return amd_order(primal, graph.p, graph.i, coordinates, NULL, NULL) >= AMD_OK ? SB_OK : SB_NO_MEMORY;
}

/* The cheaper of the natural order and AMD's. */
static int choose_order(sb_arena *arena, const sb_pattern *A, int primal, int *order, int *counts) {
    const int n = A->cols;
    int *coordinates, *other_order, *other_counts;
    long fill, other_fill;
    SB_NEW(arena, coordinates, primal);
    SB_NEW(arena, other_order, n);
    SB_NEW(arena, other_counts, n);
    for (int k = 0; k < primal; k++) {
        coordinates[k] = k;
    }
    SB_TRY(place_constraints(arena, A, primal, coordinates, order));
    SB_TRY(count_fill(arena, A, order, counts, &fill));
    SB_TRY(amd_of_coordinates(arena, A, primal, coordinates));
    SB_TRY(place_constraints(arena, A, primal, coordinates, other_order));
    SB_TRY(count_fill(arena, A, other_order, other_counts, &other_fill));
    if (other_fill < fill) {
        memcpy(order, other_order, (size_t)n * sizeof *order);
        memcpy(counts, other_counts, (size_t)n * sizeof *counts);
    }
    return SB_OK;
}

static int compare_ints(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* L's pattern: column k is A's, joined with the columns whose first row below the diagonal is k. */
static int find_pattern(sb_arena *arena, const sb_pattern *A, const int *inverse, const int *counts, plan_work *w) {
    const int n = w->n;
    int *mark, *head, *next;
    SB_NEW(arena, w->Lp, n + 1);
    for (int k = 0; k < n; k++) {
        w->Lp[k + 1] = w->Lp[k] + counts[k];
    }
    SB_NEW(arena, w->Li, w->Lp[n]);
    SB_NEW(arena, mark, n);
    SB_NEW(arena, head, n);
    SB_NEW(arena, next, n);
    for (int k = 0; k < n; k++) {
        mark[k] = head[k] = -1;
    }
    for (int k = 0; k < n; k++) {
        int end = w->Lp[k];
        mark[k] = k;
        for (int e = A->p[w->order[k]]; e < A->p[w->order[k] + 1]; e++) {
            const int i = inverse[A->i[e]];
            if (i > k && mark[i] != k) {
                mark[i] = k;
                w->Li[end++] = i;
            }
        }
        for (int child = head[k]; child >= 0; child = next[child]) {
            for (int e = w->Lp[child]; e < w->Lp[child + 1]; e++) {
                const int i = w->Li[e];
                if (mark[i] != k && i > k) {
                    mark[i] = k;
                    w->Li[end++] = i;
                }
            }
        }
        qsort(w->Li + w->Lp[k], (size_t)counts[k], sizeof(int), compare_ints);
        if (counts[k] > 0) {
            const int up = w->Li[w->Lp[k]];
            next[k] = head[up];
            head[up] = k;
        }
    }
    return SB_OK;
}

/* Where entry (i, j), i >= j in elimination numbers, sits in X. */
static int slot(const plan_work *w, int i, int j) {
    if (i == j) {
        return j;
    }
    int lo = w->Lp[j], hi = w->Lp[j + 1] - 1;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (w->Li[mid] < i) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return w->n + lo;
}

static int analyse(sb_linear *me, sb_arena *arena) {
    const sb_pattern *A = &me->A;
    const int n = A->cols;
    plan_work *w;
    int *counts, *inverse;
    SB_NEW(arena, w, 1);
    SB_NEW(arena, w->order, n);
    SB_NEW(arena, counts, n);
    SB_NEW(arena, inverse, n);
    me->work = w;
    w->n = n;
    SB_TRY(choose_order(arena, A, me->positive, w->order, counts));
    for (int k = 0; k < n; k++) {
        inverse[w->order[k]] = k;
    }
    SB_TRY(find_pattern(arena, A, inverse, counts, w));
    size_t updates = 0;
    for (int k = 0; k < n; k++) {
        updates += (size_t)counts[k] * ((size_t)counts[k] + 1) / 2;
    }
    SB_NEW(arena, w->target, updates);
    int *target = w->target;
    for (int k = 0; k < n; k++) {
        for (int a = w->Lp[k]; a < w->Lp[k + 1]; a++) {
            for (int b = a; b < w->Lp[k + 1]; b++) {
                *target++ = slot(w, w->Li[b], w->Li[a]);
            }
        }
    }
    SB_NEW(arena, w->from, sb_pattern_nnz(A));
    SB_NEW(arena, w->to, sb_pattern_nnz(A));
    for (int j = 0; j < n; j++) {
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            if (inverse[A->i[e]] >= inverse[j]) {
                w->from[w->nnz_A] = e;
                w->to[w->nnz_A++] = slot(w, inverse[A->i[e]], inverse[j]);
            }
        }
    }
    SB_NEW(arena, w->X, n + w->Lp[n]);
    SB_NEW(arena, w->inverse, n);
    SB_NEW(arena, w->y, n);
    return SB_OK;
}

static int factor(sb_linear *me, const double *Ax) {
    const plan_work *w = me->work;
    const int n = w->n, nnz = w->nnz_A;
    double *restrict X = w->X;
    memset(X, 0, (size_t)(n + w->Lp[n]) * sizeof *X);
    for (int e = 0; e < nnz; e++) {
        X[w->to[e]] = Ax[w->from[e]];
    }
    const int *target = w->target;
    for (int k = 0; k < n; k++) {
        const double pivot = X[k];
        const bool primal = w->order[k] < me->positive;
        if (!(primal ? pivot > 0.0 : pivot < 0.0)) {
            return sb_linear_bad_pivot(me, w->order[k], pivot);
        }
        const double inverse = 1.0 / pivot;
        const int length = w->Lp[k + 1] - w->Lp[k];
        double *column = X + n + w->Lp[k];
        w->inverse[k] = inverse;
        for (int a = 0; a < length; a++) {
            const double l = column[a] * inverse;
            for (int b = a; b < length; b++) {
                X[*target++] -= column[b] * l;
            }
            column[a] = l;
        }
    }
    return SB_OK;
}

static int solve(const sb_linear *me, double *b) {
    const plan_work *w = me->work;
    const int n = w->n;
    const double *L = w->X + n;
    double *restrict y = w->y;
    for (int k = 0; k < n; k++) {
        y[k] = b[w->order[k]];
    }
    for (int k = 0; k < n; k++) {
        const double yk = y[k];
        for (int e = w->Lp[k]; e < w->Lp[k + 1]; e++) {
            y[w->Li[e]] -= L[e] * yk;
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double sum = y[k] * w->inverse[k];
        for (int e = w->Lp[k]; e < w->Lp[k + 1]; e++) {
            sum -= L[e] * y[w->Li[e]];
        }
        y[k] = sum;
        b[w->order[k]] = sum;
    }
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const plan_work *w = me->work;
    out->nnz_factor = w->n + (long)w->Lp[w->n];
}

extern const sb_solver sb_solver_plan;
const sb_solver sb_solver_plan = {
    .entry = {"plan", "LDL' of a symmetric quasi-definite matrix along a static elimination plan", "vanderbei95", NULL, 0},
    .symmetric = true,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .stats = stats,
};
