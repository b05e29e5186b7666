/* The reverse Cuthill-McKee numbering of a symmetric pattern (cuthill69), from an end of each component found by George and Liu's search. */
#include <stdlib.h>

#include <stepbench/status.h>

#include "core/linear/ordering.h"

typedef struct search {
    const sb_pattern *A;
    int *level; /* of a row in the last search; -1: not met */
    int *queue;
} search;

static int degree(const sb_pattern *A, int row) { return A->p[row + 1] - A->p[row]; }

/* Breadth first from `root`: rows of its component in queue[0 ... count), lowest degrees first among the neighbours of a row. Returns count. */
static int breadth_first(const search *s, int root) {
    int count = 0;
    s->level[root] = 0;
    s->queue[count++] = root;
    for (int k = 0; k < count; k++) {
        const int row = s->queue[k], first = count;
        for (int e = s->A->p[row]; e < s->A->p[row + 1]; e++) {
            const int next = s->A->i[e];
            if (s->level[next] >= 0) {
                continue;
            }
            s->level[next] = s->level[row] + 1;
            int at = count++;
            for (; at > first && degree(s->A, s->queue[at - 1]) > degree(s->A, next); at--) {
                s->queue[at] = s->queue[at - 1];
            }
            s->queue[at] = next;
        }
    }
    return count;
}

static void forget(const search *s, int count) {
    for (int k = 0; k < count; k++) {
        s->level[s->queue[k]] = -1;
    }
}

/* Numbers the component of `root` from an end of it: of the last level's rows the one of least degree, as long as that makes more levels. */
static int number_component(const search *s, int root) {
    int count = breadth_first(s, root);
    for (int depth = -1;;) {
        const int deepest = s->level[s->queue[count - 1]];
        if (deepest <= depth) {
            return count;
        }
        depth = deepest;
        int end = s->queue[count - 1];
        for (int k = count - 1; k >= 0 && s->level[s->queue[k]] == deepest; k--) {
            end = degree(s->A, s->queue[k]) < degree(s->A, end) ? s->queue[k] : end;
        }
        forget(s, count);
        count = breadth_first(s, end);
    }
}

static int width(const sb_pattern *A, const int *number) {
    int most = 0;
    for (int j = 0; j < A->cols; j++) {
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            const int distance = abs(number[A->i[e]] - number[j]);
            most = distance > most ? distance : most;
        }
    }
    return most;
}

int sb_band_order(sb_arena *scratch, const sb_pattern *A, int *order, int *bandwidth) {
    const int n = A->cols;
    search s = {.A = A};
    int *number;
    SB_NEW(scratch, s.level, n);
    SB_NEW(scratch, s.queue, n);
    SB_NEW(scratch, number, n);
    for (int i = 0; i < n; i++) {
        s.level[i] = -1;
        number[i] = i;
    }
    const int natural = width(A, number);
    int *queue = s.queue, done = 0;
    for (int i = 0; i < n; i++) {
        if (s.level[i] < 0) {
            s.queue = queue + done;
            done += number_component(&s, i);
        }
    }
    for (int k = 0; k < n; k++) { /* in reverse */
        order[k] = queue[n - 1 - k];
        number[order[k]] = k;
    }
    *bandwidth = width(A, number);
    if (natural <= *bandwidth) {
        *bandwidth = natural;
        for (int k = 0; k < n; k++) {
            order[k] = k;
        }
    }
    return SB_OK;
}
