/* Orders of elimination for quasi-definite matrices (vanderbei95): fill counted by Liu's algorithm, constraints behind their coordinates. */
#include <math.h>
#include <string.h>

#include <stepbench/status.h>

#include "core/elimination.h"

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

int sb_elimination_counts(sb_arena *scratch, const sb_pattern *A, const int *order, int *column_counts, int *row_counts) {
    const int n = A->cols;
    int *inverse, *parent, *mark;
    SB_TRY(inverse_of(scratch, n, order, &inverse));
    SB_NEW(scratch, parent, n);
    SB_NEW(scratch, mark, n);
    for (int k = 0; k < n; k++) {
        int entries = 0;
        parent[k] = -1;
        mark[k] = k;
        column_counts[k] = 0;
        for (int e = A->p[order[k]]; e < A->p[order[k] + 1]; e++) {
            /* up the elimination tree: row k of L */
            for (int i = inverse[A->i[e]]; i < k && mark[i] != k; i = parent[i]) {
                if (parent[i] < 0) {
                    parent[i] = k;
                }
                column_counts[i]++;
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

/* Products of a factorization in this order. */
static int cost_of(sb_arena *scratch, const sb_pattern *A, const int *order, double *cost) {
    int *counts;
    SB_NEW(scratch, counts, A->cols);
    SB_TRY(sb_elimination_counts(scratch, A, order, counts, NULL));
    *cost = 0.0;
    for (int k = 0; k < A->cols; k++) {
        *cost += 0.5 * counts[k] * (counts[k] + 3.0);
    }
    return SB_OK;
}

/* The coordinates in the given order, each constraint right behind the last of them that it touches. */
static int place_constraints(sb_arena *scratch, const sb_pattern *A, int positive, const int *coordinates, int *order) {
    const int constraints = A->cols - positive;
    int *rank, *head, *next;
    SB_TRY(inverse_of(scratch, positive, coordinates, &rank));
    SB_NEW(scratch, head, positive + 1);
    SB_NEW(scratch, next, constraints);
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
/* Approximate minimum degree on the graph of M and C C'. */
static int amd_of_coordinates(sb_arena *scratch, const sb_pattern *A, int positive, int *coordinates) {
    int pairs = 0;
    for (int j = 0; j < A->cols; j++) {
        const int length = A->p[j + 1] - A->p[j];
        pairs += j < positive ? length : length * length;
    }
    int *row, *col;
    SB_NEW(scratch, row, pairs);
    SB_NEW(scratch, col, pairs);
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
    SB_TRY(sb_pattern_from_pairs(scratch, positive, positive, count, row, col, &graph));
    return amd_order(positive, graph.p, graph.i, coordinates, NULL, NULL) >= AMD_OK ? SB_OK : SB_NO_MEMORY;
}
#endif

/* Keeps the candidate if it is cheaper than the best so far: the natural order of a chain of bodies has no equal, but not every mechanism is one. */
static int try_order(sb_arena *scratch, const sb_pattern *A, int positive, const int *coordinates, int *candidate, double *best, int *order) {
    double cost;
    SB_TRY(place_constraints(scratch, A, positive, coordinates, candidate));
    SB_TRY(cost_of(scratch, A, candidate, &cost));
    if (cost < *best) {
        *best = cost;
        memcpy(order, candidate, (size_t)A->cols * sizeof *order);
    }
    return SB_OK;
}

int sb_elimination_order(sb_arena *scratch, const sb_pattern *A, int positive, int *order) {
    int *coordinates, *candidate;
    double best = (double)INFINITY;
    SB_NEW(scratch, coordinates, positive);
    SB_NEW(scratch, candidate, A->cols);
    for (int k = 0; k < positive; k++) {
        coordinates[k] = k;
    }
    SB_TRY(try_order(scratch, A, positive, coordinates, candidate, &best, order));
#ifdef SB_HAVE_SUITESPARSE
    SB_TRY(amd_of_coordinates(scratch, A, positive, coordinates));
    SB_TRY(try_order(scratch, A, positive, coordinates, candidate, &best, order));
#endif
    return SB_OK;
}
