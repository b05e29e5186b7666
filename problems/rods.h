/* Planar rods joined at their ends, spook07 6: rod r has its centre x and a direction u with (u.u - 1)/2 = 0; its tail is x - l u/2, its head
 * x + l u/2. Every term is linear or diagonal, so that a chain of any length costs the same per rod. */
#ifndef STEPBENCH_PROBLEMS_RODS_H
#define STEPBENCH_PROBLEMS_RODS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <stepbench/plugin.h>

/* An end of rod `second` at an end of rod `first` < second, or at the origin where first = -1. Ends: -1 the tail, +1 the head. */
typedef struct rods_joint {
    int first, second, first_end, second_end;
} rods_joint;

/* What row `row` of the constraints begins: a joint's x row (its y row follows), or a rod's unit row. */
typedef struct rods_rows {
    int *joint; /* a joint's x row */
    int *unit;  /* a rod's row */
} rods_rows;

/* q = (x, y, ux, uy) rod by rod. In the chart q = C e(s), e(s) = (sin s, -cos s) an angle from the downward vertical: entry k of the chart's D
 * holds C's coefficient times e'(s_j). */
typedef struct rods {
    int n, njoints; /* rods, joints */
    double l, g;
    double *m; /* n */
    rods_joint *joint;
    rods_rows row;
    double *Gx; /* G with the joints' constant entries; those of the unit rows at at_unit[r], at_unit[r] + 1 */
    int *at_unit;
    double *q0;
    int tip; /* the rod whose head is the tip */
    sb_chart chart;
    double *coefficient; /* C on the chart's D; NULL: no chart */
    int *lead;           /* a rod that turns by each angle of the chart */
} rods;

enum { RODS_X, RODS_Y, RODS_UX, RODS_UY, RODS_COORDINATES };

/* ---- Terms. ---- */

static int rods_mass(const void *self, const double *q, double *Mx) {
    const rods *p = self;
    (void)q;
    for (int r = 0; r < p->n; r++) {
        double *M = Mx + RODS_COORDINATES * r;
        M[RODS_X] = M[RODS_Y] = p->m[r];
        M[RODS_UX] = M[RODS_UY] = p->m[r] * p->l * p->l / 12.0;
    }
    return SB_OK;
}

static int rods_potential(const void *self, const double *q, double *V) {
    const rods *p = self;
    double sum = 0.0;
    for (int r = 0; r < p->n; r++) {
        sum += p->m[r] * q[RODS_COORDINATES * r + RODS_Y];
    }
    *V = p->g * sum;
    return SB_OK;
}

static int rods_potential_gradient(const void *self, const double *q, double *Vq) {
    const rods *p = self;
    (void)q;
    memset(Vq, 0, (size_t)(RODS_COORDINATES * p->n) * sizeof *Vq);
    for (int r = 0; r < p->n; r++) {
        Vq[RODS_COORDINATES * r + RODS_Y] = p->m[r] * p->g;
    }
    return SB_OK;
}

/* Component c of the end of a rod. */
static double rods_end(const rods *p, const double *q, int rod, int end, int c) {
    const double *x = q + RODS_COORDINATES * rod;
    return x[c] + 0.5 * end * p->l * x[RODS_UX + c];
}

static int rods_value(const void *self, const double *q, double *g, double *Gx) {
    const rods *p = self;
    for (int j = 0; j < p->njoints && g != NULL; j++) {
        const rods_joint *at = &p->joint[j];
        for (int c = 0; c < 2; c++) {
            g[p->row.joint[j] + c] = rods_end(p, q, at->second, at->second_end, c) - (at->first >= 0 ? rods_end(p, q, at->first, at->first_end, c) : 0.0);
        }
    }
    if (Gx != NULL) {
        memcpy(Gx, p->Gx, (size_t)sb_pattern_nnz(&p->chart.H) * 0 + (size_t)(p->at_unit[p->n]) * sizeof *Gx);
    }
    for (int r = 0; r < p->n; r++) {
        const double *u = q + RODS_COORDINATES * r + RODS_UX;
        if (g != NULL) {
            g[p->row.unit[r]] = 0.5 * (u[0] * u[0] + u[1] * u[1] - 1.0);
        }
        if (Gx != NULL) {
            Gx[p->at_unit[r]] = u[0];
            Gx[p->at_unit[r] + 1] = u[1];
        }
    }
    return SB_OK;
}

static int rods_hessian(const void *self, const double *q, const double *w, double c, double *Hx) {
    const rods *p = self;
    (void)q;
    for (int r = 0; r < p->n; r++) {
        Hx[RODS_COORDINATES * r + RODS_UX] += c * w[p->row.unit[r]];
        Hx[RODS_COORDINATES * r + RODS_UY] += c * w[p->row.unit[r]];
    }
    return SB_OK;
}
