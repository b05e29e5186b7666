/* A consistent start of a mechanism of shared/joints.h: coordinates and velocities that are free move by least squares
 * onto the constraints. Redundant rows are skipped. */
#ifndef STEPBENCH_PROBLEMS_SHARED_JOINTS_START_H
#define STEPBENCH_PROBLEMS_SHARED_JOINTS_START_H

#include <stepbench/numerics/norm.h>

#include "problems/shared/joints.h"

typedef struct joints_start {
    int m;            /* rows: constraints, then drivers */
    sb_scalar *C;     /* n x m, by columns: gradients of the rows */
    sb_scalar *S;     /* m x m: C'WC, W = 1 for free coordinates and 0 for the others */
    sb_scalar *r, *w; /* m; right-hand side and solution; n: W */
    int *order;
} joints_start;

static inline int joints_start_new(sb_arena *arena, int n, int m, joints_start *out) {
    out->m = m;
    SB_NEW(arena, out->C, n * m);
    SB_NEW(arena, out->S, m * m);
    SB_NEW(arena, out->r, m);
    SB_NEW(arena, out->w, n);
    SB_NEW(arena, out->order, m);
    return SB_OK;
}

/* Solves S x = r in place by Cholesky's method with pivoting; x = 0 for redundant rows. These are linearly dependent
 * only where g = 0; the defect grows with the distance from there. Therefore a row counts as redundant if its component
 * orthogonal to the others, whose square is the pivot, is below the fourth root of round-off. */
static inline void joints_solve(joints_start *s) {
    const int m = s->m;
    sb_scalar *S = s->S, largest = 0.0;
    int rank = 0;
    for (int k = 0; k < m; k++) {
        s->order[k] = k;
        largest = fmax(largest, S[k + m * k]);
    }
    for (; rank < m; rank++) {
        int pivot = rank;
        for (int k = rank; k < m; k++) {
            pivot = S[s->order[k] * (m + 1)] > S[s->order[pivot] * (m + 1)] ? k : pivot;
        }
        const int p = s->order[pivot];
        if (!(S[p * (m + 1)] > sqrt(SB_EPSILON) * largest)) {
            break;
        }
        s->order[pivot] = s->order[rank];
        s->order[rank] = p;
        for (int k = rank + 1; k < m; k++) {
            const int i = s->order[k];
            const sb_scalar factor = S[i + m * p] / S[p * (m + 1)];
            for (int l = rank + 1; l < m; l++) {
                S[i + m * s->order[l]] -= factor * S[p + m * s->order[l]];
            }
            s->r[i] -= factor * s->r[p];
        }
    }
    for (int k = rank; k < m; k++) {
        s->r[s->order[k]] = 0.0;
    }
    for (int k = rank - 1; k >= 0; k--) {
        const int p = s->order[k];
        for (int l = k + 1; l < rank; l++) {
            s->r[p] -= S[p + m * s->order[l]] * s->r[s->order[l]];
        }
        s->r[p] /= S[p * (m + 1)];
    }
}

/* Sets C from the values of G (n x mg) and A (n x ma). */
static inline void joints_start_rows(joints_start *s, int n, const sb_pattern *G, const sb_scalar *Gx,
                                     const sb_pattern *A, const sb_scalar *Ax) {
    memset(s->C, 0, (size_t)(n * s->m) * sizeof *s->C);
    for (int j = 0; j < s->m; j++) {
        const sb_pattern *P = j < G->cols ? G : A;
        const sb_scalar *x = j < G->cols ? Gx : Ax;
        const int col = j < G->cols ? j : j - G->cols;
        for (int k = P->p[col]; k < P->p[col + 1]; k++) {
            s->C[P->i[k] + n * j] = x[k];
        }
    }
}

/* Moves x by W C y, with C'W C y = r. */
static inline void joints_move(joints_start *s, int n, sb_scalar *x) {
    for (int j = 0; j < s->m; j++) {
        for (int i = 0; i < s->m; i++) {
            sb_scalar sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += s->w[k] * s->C[k + n * i] * s->C[k + n * j];
            }
            s->S[i + s->m * j] = sum;
        }
    }
    joints_solve(s);
    for (int j = 0; j < s->m; j++) {
        for (int k = 0; k < n; k++) {
            x[k] += s->w[k] * s->C[k + n * j] * s->r[j];
        }
    }
}

/* Makes q and v consistent with the system's constraints and drivers at t = 0; `left` is what remains of g and of the
 * rows of velocities. Newton's method on q; one linear system for v, and one more against the round-off of redundant
 * rows. */
static inline int joints_consistent(sb_arena *arena, const sb_system *sys, joints_start *s, sb_scalar *q, sb_scalar *v,
                                    sb_scalar left[2]) {
    enum { ITERATIONS = 50 };
    const sb_pattern *G = &sys->holonomic.G, *A = &sys->nonholonomic.A;
    const int n = sys->n, mg = sys->holonomic.m, ma = sys->nonholonomic.m;
    sb_scalar *Gx, *Ax, *rate, *gt;
    SB_NEW(arena, Gx, sb_pattern_nnz(G));
    SB_NEW(arena, Ax, sb_pattern_nnz(A));
    SB_NEW(arena, rate, ma);
    SB_NEW(arena, gt, mg);
    s->m = mg;
    left[0] = mg > 0 ? INFINITY : 0.0;
    for (int k = 0; k < ITERATIONS && mg > 0; k++) {
        SB_TRY(sb_holonomic_value(sys, 0.0, q, s->r, Gx));
        const sb_scalar size = sb_norm_max(mg, s->r);
        if (!(size < left[0]) && k > 4) {
            break;
        }
        left[0] = size;
        for (int i = 0; i < mg; i++) {
            s->r[i] = -s->r[i];
        }
        joints_start_rows(s, n, G, Gx, A, Ax);
        joints_move(s, n, q);
    }
    if (mg > 0) {
        SB_TRY(sb_holonomic_value(sys, 0.0, q, s->r, Gx));
        left[0] = sb_norm_max(mg, s->r);
    }
    SB_TRY(sb_holonomic_rate(sys, 0.0, q, gt));
    if (ma > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, 0.0, q, Ax, rate));
    }
    s->m = mg + ma;
    joints_start_rows(s, n, G, Gx, A, Ax);
    for (int pass = 0; pass < 3; pass++) {
        for (int j = 0; j < s->m; j++) {
            s->r[j] = j < mg ? -gt[j] : rate[j - mg];
            for (int k = 0; k < n; k++) {
                s->r[j] -= s->C[k + n * j] * v[k];
            }
        }
        left[1] = sb_norm_max(s->m, s->r);
        if (pass < 2) {
            joints_move(s, n, v);
        }
    }
    return SB_OK;
}

#endif
