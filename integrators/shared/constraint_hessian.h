/* Computes the derivative of dg/dt by q of every holonomic constraint, Hess g_i v + (G_i)_t, only from the curvature.
 */
#pragma once

#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

/* The curvature c_i(v) = v' Hess g_i v + 2 (G_i)_t v + (g_i)_tt is of second degree in v, so that
 *
 *   e' (Hess g_i v + (G_i)_t) = (c_i(v + e) - c_i(v - e))/4.
 *
 * Coordinates of one colour share no constraint. Therefore e may be the sum of their unit vectors, of which each
 * constraint contains at most one. */
typedef struct constraint_hessian {
    const sb_system *sys;
    int colours;
    const int *colour;             /* colour of each coordinate */
    sb_scalar *u, *ahead, *behind; /* scratch */
} constraint_hessian;

/* Colours the coordinates of the system. */
static inline int constraint_hessian_init(sb_arena *arena, const sb_system *sys, constraint_hessian *out) {
    const sb_pattern *G = &sys->holonomic.G;
    const int n = sys->n, m = sys->holonomic.m;
    int *colour, *taken, *at;
    sb_pattern rows; /* column i: the constraints that contain coordinate i */
    *out = (constraint_hessian){.sys = sys};
    if (m == 0) {
        return SB_OK;
    }
    SB_NEW(arena, colour, n);
    SB_NEW(arena, taken, n);
    SB_NEW(arena, out->u, n);
    SB_TRY(SB_VECTORS(arena, m, &out->ahead, &out->behind));
    SB_TRY(sb_pattern_transpose(arena, G, &rows, &at));
    for (int i = 0; i < n; i++) { /* greedy: taken[c] == i + 1 where a neighbour before i has colour c */
        for (int k = rows.p[i]; k < rows.p[i + 1]; k++) {
            for (int e = G->p[rows.i[k]]; e < G->p[rows.i[k] + 1]; e++) {
                if (G->i[e] < i) {
                    taken[colour[G->i[e]]] = i + 1;
                }
            }
        }
        while (taken[colour[i]] == i + 1) {
            colour[i]++;
        }
        out->colours = colour[i] >= out->colours ? colour[i] + 1 : out->colours;
    }
    out->colour = colour;
    return SB_OK;
}

/* Sets values on G's pattern to those of Hess g_i v + (G_i)_t at (t, q). */
static inline int constraint_hessian_mult(const constraint_hessian *w, sb_scalar t, const sb_scalar *q,
                                          const sb_scalar *v, sb_scalar *Dx) {
    const sb_holonomic *holonomic = &w->sys->holonomic;
    const sb_pattern *G = &holonomic->G;
    const int n = w->sys->n;
    const sb_scalar size = sb_norm_max(n, v),
                    e = size > 0.0 ? size : 1.0; /* the size of v, so that no digits are lost in the sums */
    if (holonomic->m == 0) {
        return SB_OK;
    }
    for (int k = 0; k < w->colours; k++) {
        for (int i = 0; i < n; i++) {
            w->u[i] = v[i] + (w->colour[i] == k ? e : 0.0);
        }
        SB_TRY(sb_holonomic_curvature(w->sys, t, q, w->u, w->ahead));
        for (int i = 0; i < n; i++) {
            w->u[i] = v[i] - (w->colour[i] == k ? e : 0.0);
        }
        SB_TRY(sb_holonomic_curvature(w->sys, t, q, w->u, w->behind));
        for (int j = 0; j < holonomic->m; j++) {
            for (int at = G->p[j]; at < G->p[j + 1]; at++) {
                if (w->colour[G->i[at]] == k) {
                    Dx[at] = 0.25 * (w->ahead[j] - w->behind[j]) / e;
                }
            }
        }
    }
    return SB_OK;
}
