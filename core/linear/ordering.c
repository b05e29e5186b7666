/* Orders of elimination for quasi-definite matrices (vanderbei95), each constraint after its coordinates. The fill is
 * counted by Liu's algorithm. */
#include <stdint.h>
#include <string.h>

#include "core/linear/ordering.h"

#ifdef SB_HAVE_SUITESPARSE
#include <suitesparse/amd.h>
#endif

static int inverse_of(sb_arena *scratch, int n, const int *order, int **inverse) {
    SB_NEW(scratch, *inverse, n);
    for (int k = 0; k < n; k++) {
        (*inverse)[order[k]] = k;
    }
    return SB_OK;
}

int sb_elimination_counts(sb_context *ctx, const sb_pattern *A, const int *order, double most, int *column_counts,
                          int *row_counts, int *parent, double *products) {
    const int n = A->cols;
    int *inverse, *mark;
    SB_SCRATCH(scratch, ctx);
    *products = 0.0;
    SB_TRY(inverse_of(&scratch, n, order, &inverse));
    if (parent == NULL) {
        SB_NEW(&scratch, parent, n);
    }
    SB_NEW(&scratch, mark, n);
    for (int k = 0; k < n && *products <= most; k++) {
        int entries = 0;
        SB_TRY(sb_poll(ctx));
        parent[k] = -1;
        mark[k] = k;
        column_counts[k] = 0;
        for (int e = A->p[order[k]]; e < A->p[order[k] + 1]; e++) {
            /* row k of L: from the entry up the elimination tree */
            for (int i = inverse[A->i[e]]; i < k && mark[i] != k; i = parent[i]) {
                if (parent[i] < 0) {
                    parent[i] = k;
                }
                *products += column_counts[i]++ + 2.0; /* of c (c + 3)/2 for a column of c */
                entries++;
                mark[i] = k;
            }
        }
        if (row_counts != NULL) {
            row_counts[k] = entries;
        }
    }
    return SB_OK;
}

/* Sets column k of A, in the order of elimination, below the diagonal. */
static int permute(sb_arena *arena, const sb_pattern *A, sb_elimination *out) {
    const int n = A->cols;
    int *p, *i, *entry, *next;
    SB_NEW(arena, p, n + 1);
    SB_NEW(arena, next, n);
    for (int pass = 0; pass < 2; pass++) { /* counts, then entries */
        for (int j = 0; j < n; j++) {
            for (int e = A->p[j]; e < A->p[j + 1]; e++) {
                const int k = out->number[A->i[e]];
                if (k < out->number[j] && pass == 0) {
                    p[k + 1]++;
                } else if (k < out->number[j]) {
                    i[next[k]] = out->number[j];
                    entry[next[k]++] = e;
                }
            }
        }
        if (pass == 0) {
            for (int k = 0; k < n; k++) {
                next[k] = p[k];
                p[k + 1] += p[k];
            }
            SB_NEW(arena, i, p[n]);
            SB_NEW(arena, entry, p[n]);
        }
    }
    out->Ap = p;
    out->Ai = i;
    out->entry = entry;
    return SB_OK;
}

int sb_elimination_pattern(sb_arena *arena, const sb_pattern *A, const int *order, sb_elimination *out) {
    const int n = A->cols;
    int *number, *counts, *row_counts, *mark, *child_of, *sibling, *Lp;
    double products;
    SB_TRY(inverse_of(arena, n, order, &number));
    SB_NEW(arena, counts, n);
    SB_NEW(arena, row_counts, n);
    SB_TRY(sb_elimination_counts(arena->ctx, A, order, (double)INFINITY, counts, row_counts, NULL, &products));
    *out = (sb_elimination){.number = number, .row_counts = row_counts};
    SB_TRY(permute(arena, A, out));
    SB_NEW(arena, Lp, n + 1);
    for (int k = 0; k < n; k++) {
        Lp[k + 1] = Lp[k] + counts[k];
    }
    out->Lp = Lp;
    SB_NEW(arena, out->Li, Lp[n]);
    SB_NEW(arena, mark, n);
    SB_NEW(arena, child_of, n);
    SB_NEW(arena, sibling, n);
    for (int k = 0; k < n; k++) {
        mark[k] = child_of[k] = -1;
    }
    /* Column k of L is that of A, joined with the columns of the children of k in the elimination tree. The parent of k
     * is the first row below its diagonal. */
    for (int k = 0; k < n; k++) {
        int end = Lp[k], parent = n;
        mark[k] = k;
        for (int e = out->Ap[k]; e < out->Ap[k + 1]; e++) {
            mark[out->Ai[e]] = k;
            out->Li[end++] = out->Ai[e];
        }
        for (int child = child_of[k]; child >= 0; child = sibling[child]) {
            for (int e = Lp[child]; e < Lp[child + 1]; e++) {
                const int i = out->Li[e];
                if (mark[i] != k) {
                    mark[i] = k;
                    out->Li[end++] = i;
                }
            }
        }
        for (int e = Lp[k]; e < end; e++) {
            parent = out->Li[e] < parent ? out->Li[e] : parent;
        }
        if (parent < n) {
            sibling[k] = child_of[parent];
            child_of[parent] = k;
        }
    }
    return SB_OK;
}

/* Orders the coordinates as given, and each constraint directly after the last coordinate that it touches. */
static int place_constraints(sb_context *ctx, const sb_pattern *A, int positive, const int *coordinates, int *order) {
    const int constraints = A->cols - positive;
    int *rank, *head, *next;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(inverse_of(&scratch, positive, coordinates, &rank));
    SB_NEW(&scratch, head, positive + 1);
    SB_NEW(&scratch, next, constraints);
    for (int k = 0; k <= positive; k++) {
        head[k] = -1;
    }
    for (int c = A->cols - 1; c >= positive; c--) { /* backwards, so that the lists come out ascending */
        int last = -1;
        for (int e = A->p[c]; e < A->p[c + 1]; e++) {
            if (A->i[e] < positive && rank[A->i[e]] > last) {
                last = rank[A->i[e]];
            }
        }
        const int place = last < 0 ? positive : last; /* one without coordinates goes to the end */
        next[c - positive] = head[place];
        head[place] = c;
    }
    int end = 0;
    for (int k = 0; k <= positive; k++) {
        if (k < positive) {
            order[end++] = coordinates[k];
        }
        for (int c = head[k]; c >= 0; c = next[c - positive]) {
            order[end++] = c;
        }
    }
    return SB_OK;
}

#ifdef SB_HAVE_SUITESPARSE
/* Computes an approximate minimum degree order on the graph of M and C C'. */
static int amd_of_coordinates(sb_context *ctx, const sb_pattern *A, int positive, int *coordinates) {
    int pairs = 0;
    for (int j = 0; j < A->cols; j++) {
        const int length = A->p[j + 1] - A->p[j];
        pairs += j < positive ? length : length * length;
    }
    int *row, *col;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, row, pairs);
    SB_NEW(&scratch, col, pairs);
    int count = 0;
    for (int j = 0; j < A->cols; j++) {
        for (int a = A->p[j]; a < A->p[j + 1] && A->i[a] < positive; a++) {
            if (j < positive) {
                row[count] = A->i[a];
                col[count++] = j;
                continue;
            }
            for (int b = A->p[j]; b < A->p[j + 1] && A->i[b] < positive; b++) {
                row[count] = A->i[a];
                col[count++] = A->i[b];
            }
        }
    }
    sb_pattern graph;
    SB_TRY(sb_pattern_from_pairs(&scratch, positive, positive, count, row, col, &graph));
    return amd_order(positive, graph.p, graph.i, coordinates, NULL, NULL) >= AMD_OK ? SB_OK : SB_NO_MEMORY;
}
#endif

/* Candidates for the order: the natural order is the best on a chain of bodies, but not on every mechanism. */
enum {
    NATURAL,
    MINIMUM_DEGREE,
#ifdef SB_HAVE_SUITESPARSE
    CANDIDATES
#else
    CANDIDATES = MINIMUM_DEGREE
#endif
};

static int candidate_order(sb_context *ctx, const sb_pattern *A, int positive, int which, int *order) {
    int *coordinates;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(sb_poll(ctx));
    SB_NEW(&scratch, coordinates, positive);
    for (int k = 0; k < positive; k++) {
        coordinates[k] = k;
    }
#ifdef SB_HAVE_SUITESPARSE
    if (which == MINIMUM_DEGREE) {
        SB_TRY(amd_of_coordinates(ctx, A, positive, coordinates));
    }
#endif
    return place_constraints(ctx, A, positive, coordinates, order);
}

/* Largest number of products per factorization: about ten minutes. */
static const double max_products = 1e12;

int sb_elimination_order(sb_arena *scratch, const sb_pattern *A, int positive, int *order) {
    int *candidate, *counts;
    double best = max_products;
    bool found = false;
    SB_NEW(scratch, candidate, A->cols);
    SB_NEW(scratch, counts, A->cols);
    for (int which = CANDIDATES - 1; which >= NATURAL; which--) { /* the natural order if it costs no more */
        double products, entries = 0.0;
        SB_TRY(candidate_order(scratch->ctx, A, positive, which, candidate));
        SB_TRY(sb_elimination_counts(scratch->ctx, A, candidate, best, counts, NULL, NULL, &products));
        for (int k = 0; k < A->cols && products <= best; k++) {
            entries += counts[k] + 1.0;
        }
        if (products <= best && entries <= (double)INT32_MAX) { /* places in the factor are ints */
            best = products;
            found = true;
            memcpy(order, candidate, (size_t)A->cols * sizeof *order);
        }
    }
    return found
               ? SB_OK
               : sb_fail(scratch->ctx, SB_NO_MEMORY,
                         "the linear solver static_ldl eliminates each constraint after its coordinates, and "
                         "the factor of these %d unknowns is too dense (some body has too many joints); use umfpack or "
                         "klu (of libsuitesparse-dev)",
                         A->cols);
}

int sb_elimination_within(sb_arena *scratch, const sb_pattern *A, int positive, double most, bool *within) {
    int *order, *counts;
    *within = false;
    SB_NEW(scratch, order, A->cols);
    SB_NEW(scratch, counts, A->cols);
    for (int which = 0; which < CANDIDATES && !*within; which++) {
        double products;
        SB_TRY(candidate_order(scratch->ctx, A, positive, which, order));
        SB_TRY(sb_elimination_counts(scratch->ctx, A, order, most, counts, NULL, NULL, &products));
        *within = products <= most;
    }
    return SB_OK;
}
