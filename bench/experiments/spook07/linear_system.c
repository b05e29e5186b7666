/* A linear system made of matrices: constant M, potential q'Kq/2, g = Gq, A v = w(t); for checks on random matrices. */
#include "bench/experiments/spook07/linear_system.h"

#include <math.h>
#include <string.h>

static size_t bytes(int count) { return (size_t)count * sizeof(double); }

/* Column i of C times x. */
static double row_times(const double *C, int n, int i, const double *x) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += C[k + n * i] * x[k];
    }
    return sum;
}

static int mass(const void *self, const double *q, double *Mx) {
    const sb_matrices *p = self;
    memcpy(Mx, p->M, bytes(p->n * p->n));
    return SB_OK;
}

static int potential_gradient(const void *self, const double *q, double *Vq) {
    const sb_matrices *p = self;
    for (int i = 0; i < p->n; i++) {
        Vq[i] = row_times(p->K, p->n, i, q);
    }
    return SB_OK;
}

static int potential(const void *self, const double *q, double *V) {
    const sb_matrices *p = self;
    *V = 0.0;
    for (int i = 0; i < p->n; i++) {
        *V += 0.5 * q[i] * row_times(p->K, p->n, i, q);
    }
    return SB_OK;
}

static int potential_hessian(const void *self, const double *q, double c, double *Hx) {
    const sb_matrices *p = self;
    for (int i = 0; i < p->n * p->n; i++) {
        Hx[i] += c * p->K[i];
    }
    return SB_OK;
}

static int holonomic(const void *self, const double *q, double *g, double *Gx) {
    const sb_matrices *p = self;
    for (int i = 0; i < p->m && g != NULL; i++) {
        g[i] = row_times(p->G, p->n, i, q);
    }
    if (Gx != NULL) {
        memcpy(Gx, p->G, bytes(p->n * p->m));
    }
    return SB_OK;
}

static int no_hessian(const void *self, const double *q, const double *w, double c, double *Hx) { return SB_OK; }

static int no_curvature(const void *self, const double *q, const double *v, double *out) {
    const sb_matrices *p = self;
    memset(out, 0, bytes(p->m));
    return SB_OK;
}

static int nonholonomic(const void *self, double t, const double *q, double *Ax, double *w) {
    const sb_matrices *p = self;
    for (int i = 0; i < p->r && w != NULL; i++) {
        w[i] = p->w[i] * cos(t);
    }
    if (Ax != NULL) {
        memcpy(Ax, p->A, bytes(p->n * p->r));
    }
    return SB_OK;
}

static int nonholonomic_rate(const void *self, double t, const double *q, const double *v, double *out) {
    const sb_matrices *p = self;
    for (int i = 0; i < p->r; i++) {
        out[i] = p->w[i] * sin(t);
    }
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    const sb_matrices *p = self;
    *t = 0.0;
    memset(q, 0, bytes(p->n));
    memset(v, 0, bytes(p->n));
    return SB_OK;
}

int sb_linear_system(sb_context *ctx, sb_arena *arena, const sb_matrices *data, sb_system *out) {
    *out = (sb_system){.n = data->n, .time_scale = 1.0, .self = data, .initial = initial};
    SB_TRY(sb_pattern_full(arena, data->n, data->n, &out->H));
    out->inertia = (sb_inertia){.self = data, .M = out->H, .mass = mass};
    if (data->K != NULL) {
        out->potential = (sb_potential){.self = data,
                                        .degree = 2,
                                        .value = potential,
                                        .gradient = potential_gradient,
                                        .hessian = potential_hessian};
    }
    if (data->m > 0) {
        out->holonomic = (sb_holonomic){.self = data,
                                        .m = data->m,
                                        .degree = 1,
                                        .value = holonomic,
                                        .hessian = no_hessian,
                                        .curvature = no_curvature,
                                        .eps = data->eps,
                                        .tau = data->tau};
        SB_TRY(sb_pattern_full(arena, data->n, data->m, &out->holonomic.G));
    }
    if (data->r > 0) {
        out->nonholonomic =
            (sb_nonholonomic){.self = data, .m = data->r, .value = nonholonomic, .rate = nonholonomic_rate};
        SB_TRY(sb_pattern_full(arena, data->n, data->r, &out->nonholonomic.A));
    }
    return sb_system_finish(ctx, arena, "linear", out);
}
