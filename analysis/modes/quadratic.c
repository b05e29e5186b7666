/* A system from matrices. */
#include <string.h>

#include <cblas.h>

#include "analysis/modes/quadratic.h"
#include "core/run/build.h"

static void copy(int count, const double *from, double *to) {
    if (from != NULL) {
        memcpy(to, from, (size_t)count * sizeof *to);
    } else {
        memset(to, 0, (size_t)count * sizeof *to);
    }
}

/* Adds c A x (transposed: c A' x) to y, A of n x m. */
static void add(int n, int m, double c, const double *A, bool transposed, const double *x, double *y) {
    if (A != NULL && m > 0) {
        cblas_dgemv(CblasColMajor, transposed ? CblasTrans : CblasNoTrans, n, m, c, A, n, x, 1, 1.0, y, 1);
    }
}

/* Adds c A to the values Hx. */
static void add_matrix(int n, double c, const double *A, double *Hx) {
    if (A != NULL) {
        cblas_daxpy(n * n, c, A, 1, Hx, 1);
    }
}

/* Returns x' A x. */
static double form(int n, const double *A, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < n && A != NULL; i++) {
        sum += x[i] * cblas_ddot(n, A + (size_t)i * (size_t)n, 1, x, 1);
    }
    return sum;
}

static int mass(const void *self, const double *q, double *Mx) {
    const sb_quadratic *p = self;
    copy(p->n * p->n, p->M, Mx);
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    const sb_quadratic *p = self;
    *V = 0.5 * form(p->n, p->K, q) + (p->b != NULL ? cblas_ddot(p->n, p->b, 1, q, 1) : 0.0);
    return SB_OK;
}

static int gradient(const void *self, double t, const double *q, double *Vq) {
    const sb_quadratic *p = self;
    copy(p->n, p->b, Vq);
    add(p->n, p->n, 1.0, p->K, false, q, Vq);
    return SB_OK;
}

static int hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const sb_quadratic *p = self;
    add_matrix(p->n, c, p->K, Hx);
    return SB_OK;
}

static int force(const void *self, double t, const double *q, const double *v, double *f) {
    const sb_quadratic *p = self;
    copy(p->n, NULL, f);
    add(p->n, p->n, -1.0, p->C, false, v, f);
    add(p->n, p->n, -1.0, p->N, false, q, f);
    return SB_OK;
}

static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    const sb_quadratic *p = self;
    add_matrix(p->n, -cv, p->C, Hx);
    add_matrix(p->n, -cq, p->N, Hx);
    return SB_OK;
}

static int rows(const void *self, double t, const double *q, double *g, double *Gx) {
    const sb_quadratic *p = self;
    if (g != NULL) {
        copy(p->m, p->c, g);
        add(p->n, p->m, 1.0, p->G, true, q, g);
        g[0] += 0.5 * form(p->n, p->W, q);
    }
    if (Gx != NULL) {
        copy(p->n * p->m, p->G, Gx);
        add(p->n, p->n, 1.0, p->W, false, q, Gx);
    }
    return SB_OK;
}

static int rows_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    const sb_quadratic *p = self;
    add_matrix(p->n, c * w[0], p->W, Hx);
    return SB_OK;
}

static int curvature(const void *self, double t, const double *q, const double *v, double *out) {
    const sb_quadratic *p = self;
    copy(p->m, NULL, out);
    out[0] = form(p->n, p->W, v);
    return SB_OK;
}

/* Adds the factors w to out, times c. */
static void drive(const sb_quadratic *p, double c, double *out) {
    for (int i = 0; i < p->r; i++) {
        out[i] = p->w != NULL ? c * p->w[i] : 0.0;
    }
}

static int velocity_rows(const void *self, double t, const double *q, double *Ax, double *w) {
    const sb_quadratic *p = self;
    if (Ax != NULL) {
        copy(p->n * p->r, p->A, Ax);
    }
    if (w != NULL) {
        drive(p, cos(t), w);
    }
    return SB_OK;
}

static int velocity_rows_rate(const void *self, double t, const double *q, const double *v, double *out) {
    drive(self, sin(t), out);
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    const sb_quadratic *p = self;
    *t = 0.0;
    copy(p->n, p->q, q);
    copy(p->n, NULL, v);
    return SB_OK;
}

int sb_quadratic_system(sb_context *ctx, sb_arena *arena, const char *name, const sb_quadratic *p, double time_scale,
                        sb_system *out) {
    *out = (sb_system){.n = p->n, .time_scale = time_scale, .self = p, .initial = initial};
    SB_TRY(sb_pattern_full(arena, p->n, p->n, &out->H));
    out->inertia = (sb_inertia){.self = p, .M = out->H, .mass = mass};
    if (p->K != NULL || p->b != NULL) {
        out->potential =
            (sb_potential){.self = p, .degree = 2, .value = potential, .gradient = gradient, .hessian = hessian};
    }
    if (p->C != NULL || p->N != NULL) {
        out->force = (sb_force){p, force, force_jacobian};
    }
    if (p->m > 0) {
        out->holonomic = (sb_holonomic){.self = p,
                                        .m = p->m,
                                        .degree = p->W != NULL ? 2 : 1,
                                        .value = rows,
                                        .hessian = rows_hessian,
                                        .curvature = curvature,
                                        .eps = p->eps,
                                        .tau = p->tau};
        SB_TRY(sb_pattern_full(arena, p->n, p->m, &out->holonomic.G));
    }
    if (p->r > 0) {
        out->nonholonomic = (sb_nonholonomic){.self = p, .m = p->r, .value = velocity_rows, .rate = velocity_rows_rate};
        SB_TRY(sb_pattern_full(arena, p->n, p->r, &out->nonholonomic.A));
    }
    return sb_system_finish(ctx, arena, name, out);
}
