/* Four-bars in a row: joint j turns on a crank of length 1 about (j, 0), and couplers of length 1 join neighbours, all
 * in one plane under gravity. The masses are points at the joints, or uniform rods of mass 1, whose mass matrix couples
 * neighbours. Where the bars lie in one line the rows depend on each other. */
#ifndef TESTS_PROBLEMS_FOURBARS_H
#define TESTS_PROBLEMS_FOURBARS_H

#include "tests/problems/systems.h"

typedef struct fourbars {
    int joints;
    bool rods;
    double g, omega0; /* upright at first */
    sb_pattern H;
} fourbars;

/* Half of the number of couplers at joint j. */
static inline double fourbars_couplers(const fourbars *p, int j) { return 0.5 * ((j > 0) + (j < p->joints - 1)); }

/* A rod has m/3 at the coordinates of either end, and m/6 between them. */
static int fourbars_mass(const void *self, const double *q, double *Mx) {
    const fourbars *p = self;
    (void)q;
    for (int i = 0; i < 2 * p->joints; i++) {
        const double rods = (1.0 + 2.0 * fourbars_couplers(p, i / 2)) / 3.0;
        if (p->rods && i > 1) {
            *Mx++ = 1.0 / 6.0;
        }
        *Mx++ = p->rods ? rods : 1.0;
        if (p->rods && i < 2 * p->joints - 2) {
            *Mx++ = 1.0 / 6.0;
        }
    }
    return SB_OK;
}

static int fourbars_gradient(const void *self, double t, const double *q, double *Vq) {
    const fourbars *p = self;
    (void)q;
    for (int j = 0; j < p->joints; j++) {
        Vq[2 * j] = 0.0;
        Vq[2 * j + 1] = p->g * (p->rods ? 0.5 + fourbars_couplers(p, j) : 1.0);
    }
    return SB_OK;
}

static int fourbars_value(const void *self, double t, const double *q, double *V) {
    const fourbars *p = self;
    *V = 0.0;
    for (int j = 0; j < p->joints; j++) {
        *V += p->g * (p->rods ? 0.5 + fourbars_couplers(p, j) : 1.0) * q[2 * j + 1];
    }
    return SB_OK;
}

/* Row j: crank of joint j; row joints + j: coupler of joints j and j + 1. */
static int fourbars_rows(const void *self, double t, const double *q, double *g, double *Gx) {
    const fourbars *p = self;
    for (int r = 0; r < 2 * p->joints - 1; r++) {
        const bool crank = r < p->joints;
        const double *a = q + 2 * (crank ? r : r - p->joints), *b = a + 2;
        const double x = crank ? a[0] - r : b[0] - a[0], y = crank ? a[1] : b[1] - a[1];
        if (g != NULL) {
            g[r] = 0.5 * (x * x + y * y - 1.0);
        }
        for (int end = crank ? 1 : 0; end < 2 && Gx != NULL; end++) {
            *Gx++ = end == 1 ? x : -x;
            *Gx++ = end == 1 ? y : -y;
        }
    }
    return SB_OK;
}

static int fourbars_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    const fourbars *p = self;
    (void)q;
    for (int r = 0; r < 2 * p->joints - 1; r++) {
        const int first = r < p->joints ? r : r - p->joints, ends = r < p->joints ? 1 : 2;
        for (int d = 0; d < 2; d++) {
            for (int a = 0; a < ends; a++) {
                for (int b = 0; b < ends; b++) {
                    Hx[sb_pattern_find(&p->H, 2 * (first + a) + d, 2 * (first + b) + d)] +=
                        a == b ? c * w[r] : -c * w[r];
                }
            }
        }
    }
    return SB_OK;
}

static int fourbars_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    const fourbars *p = self;
    (void)q;
    for (int r = 0; r < 2 * p->joints - 1; r++) {
        const bool crank = r < p->joints;
        const double *a = v + 2 * (crank ? r : r - p->joints), *b = a + 2;
        const double x = crank ? a[0] : b[0] - a[0], y = crank ? a[1] : b[1] - a[1];
        out[r] = x * x + y * y;
    }
    return SB_OK;
}

static int fourbars_initial(const void *self, double *t, double *q, double *v) {
    const fourbars *p = self;
    *t = 0.0;
    for (int j = 0; j < p->joints; j++) {
        q[2 * j] = j;
        q[2 * j + 1] = 1.0;
        v[2 * j] = -p->omega0;
        v[2 * j + 1] = 0.0;
    }
    return SB_OK;
}

static inline int fourbars_patterns(sb_arena *arena, const fourbars *p, sb_system *sys) {
    const int n = 2 * p->joints, m = n - 1;
    int *row, *col, k = 0;
    SB_NEW(arena, row, 3 * n);
    SB_NEW(arena, col, 3 * n);
    for (int i = 0; i < n; i++) {
        for (int j = i - 2; j <= i + 2; j += 2) {
            if (j >= 0 && j < n) {
                row[k] = j;
                col[k++] = i;
            }
        }
    }
    SB_TRY(sb_pattern_from_pairs(arena, n, n, k, row, col, &sys->H));
    SB_TRY(p->rods ? SB_OK : sb_pattern_diagonal(arena, n, &sys->inertia.M));
    k = 0;
    for (int r = 0; r < m; r++) {
        const int first = 2 * (r < p->joints ? r : r - p->joints), entries = r < p->joints ? 2 : 4;
        for (int e = 0; e < entries; e++) {
            row[k] = first + e;
            col[k++] = r;
        }
    }
    sys->inertia.M = p->rods ? sys->H : sys->inertia.M;
    return sb_pattern_from_pairs(arena, n, m, k, row, col, &sys->holonomic.G);
}

static inline int fourbars_build(sb_context *ctx, sb_arena *arena, int cells, bool rods, double omega0,
                                 sb_system *sys) {
    fourbars *p;
    SB_NEW(arena, p, 1);
    *p = (fourbars){.joints = cells + 1, .rods = rods, .g = 9.81, .omega0 = omega0};
    *sys = (sb_system){.n = 2 * p->joints, .time_scale = 0.3, .self = p, .initial = fourbars_initial};
    sys->inertia = (sb_inertia){.self = p, .mass = fourbars_mass};
    sys->potential = (sb_potential){.self = p, .degree = 1, .value = fourbars_value, .gradient = fourbars_gradient};
    sys->holonomic = (sb_holonomic){.self = p,
                                    .m = 2 * p->joints - 1,
                                    .degree = 2,
                                    .value = fourbars_rows,
                                    .hessian = fourbars_hessian,
                                    .curvature = fourbars_curvature};
    SB_TRY(fourbars_patterns(arena, p, sys));
    p->H = sys->H;
    return sb_system_finish(ctx, arena, "four-bars", sys);
}

#endif
