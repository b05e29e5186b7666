/* A chain of particles on links of equal length. A link is a constraint, written as a difference of lengths or of their
 * squares. */
#pragma once

#include <stepbench/system.h>

#include "problems/shared/pairs.h"

enum { LINKS_DIM_MAX = 3 };

typedef enum links_form { LINKS_NORM, LINKS_SQUARE } links_form;

/* The coordinates are ordered by particles. Link k joins the particles k - 1 and k; particle -1 is the origin and
 * particle n the far end. With x the vector along a link, g = |x| - l, or (x.x - l^2)/2, which is quadratic. */
typedef struct links {
    int n, dim, count;
    sb_scalar l;
    links_form form;
    sb_scalar far[LINKS_DIM_MAX]; /* the far fixed end; unused when there is none */
    sb_pattern H;
    int *at_G; /* position on G of the first entry of each link */
} links;

/* Returns component c of the vector along link k; for velocities `ends` is false, since the ends are at rest. */
static inline sb_scalar links_along(const links *p, const sb_scalar *q, int k, int c, bool ends) {
    const sb_scalar from = k > 0 ? q[p->dim * (k - 1) + c] : 0.0, to = k < p->n ? q[p->dim * k + c]
                                                                       : ends   ? p->far[c]
                                                                                : 0.0;
    return to - from;
}

/* Computes the unit vector along link k and returns its length, 0 where the ends meet. */
static inline sb_scalar links_direction(const links *p, const sb_scalar *q, int k, sb_scalar e[LINKS_DIM_MAX]) {
    sb_scalar square = 0.0;
    for (int c = 0; c < p->dim; c++) {
        e[c] = links_along(p, q, k, c, true);
        square += e[c] * e[c];
    }
    const sb_scalar r = sqrt(square);
    for (int c = 0; c < p->dim; c++) {
        e[c] /= r;
    }
    return r;
}

static int links_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const links *p = self;
    sb_scalar e[LINKS_DIM_MAX];
    for (int k = 0; k < p->count; k++) {
        const sb_scalar r = links_direction(p, q, k, e), slope = p->form == LINKS_SQUARE ? r : 1.0;
        if (!(r > 0.0)) {
            return SB_DOMAIN;
        }
        if (g != NULL) {
            g[k] = p->form == LINKS_SQUARE ? 0.5 * (r - p->l) * (r + p->l) : r - p->l;
        }
        for (int c = 0; c < p->dim && Gx != NULL; c++) {
            sb_scalar *G = Gx + p->at_G[k] + c;
            if (k > 0) {
                *G = -slope * e[c];
                G += p->dim;
            }
            if (k < p->n) {
                *G = slope * e[c];
            }
        }
    }
    return SB_OK;
}

/* Returns the position on H of (particle a component 0, particle b component c), for |a - b| <= 1. */
static inline int links_at_H(const links *p, int a, int b, int c) {
    return p->H.p[p->dim * b + c] + p->dim * (b > 0 ? a - b + 1 : a);
}

/* In the difference x of two positions, Hess |x| = (1 - e e')/|x| and Hess x.x/2 = 1. */
static int links_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                         sb_scalar *Hx) {
    const links *p = self;
    sb_scalar e[LINKS_DIM_MAX];
    for (int k = 0; k < p->count; k++) {
        const sb_scalar r = links_direction(p, q, k, e);
        const sb_scalar scale = p->form == LINKS_SQUARE ? c * w[k] : c * w[k] / r,
                        along = p->form == LINKS_SQUARE ? 0.0 : 1.0;
        if (!(r > 0.0)) {
            return SB_DOMAIN;
        }
        for (int j = 0; j < p->dim; j++) {
            for (int i = 0; i < p->dim; i++) {
                const sb_scalar x = scale * ((i == j ? 1.0 : 0.0) - along * e[i] * e[j]);
                if (k > 0) {
                    Hx[links_at_H(p, k - 1, k - 1, j) + i] += x;
                }
                if (k < p->n) {
                    Hx[links_at_H(p, k, k, j) + i] += x;
                }
                if (k > 0 && k < p->n) {
                    Hx[links_at_H(p, k - 1, k, j) + i] -= x;
                    Hx[links_at_H(p, k, k - 1, j) + i] -= x;
                }
            }
        }
    }
    return SB_OK;
}

static int links_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const links *p = self;
    sb_scalar e[LINKS_DIM_MAX];
    for (int k = 0; k < p->count; k++) {
        const sb_scalar r = links_direction(p, q, k, e);
        sb_scalar square = 0.0, radial = 0.0;
        for (int c = 0; c < p->dim; c++) {
            const sb_scalar u = links_along(p, v, k, c, false);
            square += u * u;
            radial += e[c] * u;
        }
        if (!(r > 0.0)) {
            return SB_DOMAIN;
        }
        out[k] = p->form == LINKS_SQUARE ? square : (square - radial * radial) / r;
    }
    return SB_OK;
}

/* Sets H (of neighbouring particles) and at_G, and the pattern of G. */
static inline int links_patterns(sb_arena *arena, sb_arena *scratch, links *p, sb_pattern *G) {
    const int d = p->dim;
    pairs entries;
    SB_NEW(arena, p->at_G, p->count);
    SB_TRY(pairs_new(scratch, 3 * d * d * p->n, &entries));
    for (int b = 0; b < p->n; b++) {
        for (int a = b > 0 ? b - 1 : 0; a <= b + 1 && a < p->n; a++) {
            pairs_add_block(&entries, d * a, d * b, d, d);
        }
    }
    SB_TRY(pairs_pattern(arena, &entries, d * p->n, d * p->n, &p->H));
    entries.count = 0;
    for (int k = 0; k < p->count; k++) {
        p->at_G[k] = entries.count;
        for (int a = k > 0 ? k - 1 : 0; a <= k && a < p->n; a++) {
            pairs_add_block(&entries, d * a, k, d, 1);
        }
    }
    return pairs_pattern(arena, &entries, d * p->n, p->count, G);
}

/* Returns the constraints with the pattern G of links_patterns. */
static inline sb_holonomic links_holonomic(const links *p, sb_pattern G) {
    return (sb_holonomic){.self = p,
                          .m = p->count,
                          .degree = p->form == LINKS_SQUARE ? 2 : -1,
                          .G = G,
                          .value = links_value,
                          .hessian = links_hessian,
                          .curvature = links_curvature};
}
