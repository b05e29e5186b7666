/* What a system may offer besides its terms: a chart, the form of a rigid body, unit quaternions. */
#ifndef STEPBENCH_TERMS_CHART_H
#define STEPBENCH_TERMS_CHART_H

#include <stepbench/pattern.h>

/* A parametrisation q = psi(s) of the constraint manifold, and back. */
typedef struct sb_chart {
    const void *self;
    int n;        /* length of s */
    sb_pattern D; /* rows q, columns s */
    sb_pattern H; /* n x n, of sum_i w_i Hess psi_i */
    /* Sets q and the values of D; each may be NULL. */
    int (*point)(const void *self, const sb_scalar *s, sb_scalar *q, sb_scalar *Dx);
    /* Sets q, the values of D, and D2 psi(u, u) (rows of q), with one evaluation of what they share. NULL: by point and
     * hessian. */
    int (*motion)(const void *self, const sb_scalar *s, const sb_scalar *u, sb_scalar *q, sb_scalar *Dx, sb_scalar *c);
    /* Adds c sum_i w_i Hess psi_i. */
    int (*hessian)(const void *self, const sb_scalar *s, const sb_scalar *w, sb_scalar c, sb_scalar *Hx);
    /* Adds c sum_i w_i D3 psi_i[u], the derivative of the above along u, on H: for the second derivatives of T in s. */
    int (*third)(const void *self, const sb_scalar *s, const sb_scalar *w, const sb_scalar *u, sb_scalar c,
                 sb_scalar *Hx);
    /* Sets s; SB_DOMAIN where the chart is singular. */
    int (*inverse)(const void *self, const sb_scalar *q, sb_scalar *s);
    /* Sets s along the system's exact solution, continuous in t where `inverse` would jump by a turn. NULL: inverse of
     * the exact q. */
    int (*exact)(const void *self, sb_scalar t, sb_scalar *s);
    /* The number of momenta of the system whose generator on s is given, and that generator of momentum i. */
    int symmetries;
    int (*generator)(const void *self, int i, const sb_scalar *s, sb_scalar *xi);
} sb_chart;

/* The system is a free rigid body: q is a unit quaternion (scalar first, body to space), g = q.q - 1. */
typedef struct sb_rigid {
    sb_scalar inertia[3]; /* principal, body frame, kg m^2 */
} sb_rigid;

/* Coordinates at, ..., at + 3 are a unit quaternion, scalar first, and row `row` of g keeps its length: it depends on
 * only these four, and its gradient is along the quaternion. Steppers on Lie groups move it by products instead. */
typedef struct sb_attitude {
    int at, row;
} sb_attitude;

struct sb_system;

/* Set by a chart formulation: discrete Lagrangians average in the embedding space, wm96 (4.9)-(4.13). */
typedef struct sb_embedding {
    const struct sb_system *ambient;
    const sb_chart *chart;
} sb_embedding;

#endif
