/* A linear system with random numbers, n = 3: M q'' = f + G' lambda under two constraints g = G q + c = 0. */
#ifndef STEPBENCH_TESTS_ERRATA_LINEAR_H
#define STEPBENCH_TESTS_ERRATA_LINEAR_H

#include "tests/errata/steps.h"

enum { LINEAR_N = 3, LINEAR_M = 2 };

typedef struct linear {
    double mass[LINEAR_N], G[LINEAR_M][LINEAR_N], c[LINEAR_M], f[LINEAR_N];
    double on[LINEAR_N];             /* a point with g = 0 */
    double q[LINEAR_N], v[LINEAR_N]; /* where the steps begin, off the constraints */
} linear;

static inline void linear_make(linear *s, unsigned long seed) {
    for (int i = 0; i < LINEAR_N; i++) {
        s->mass[i] = 1.5 + scatter(&seed);
        s->on[i] = scatter(&seed);
        s->q[i] = s->on[i] + 0.2 * scatter(&seed);
        s->v[i] = scatter(&seed);
        s->f[i] = scatter(&seed);
        for (int j = 0; j < LINEAR_M; j++) {
            s->G[j][i] = scatter(&seed);
        }
    }
    for (int j = 0; j < LINEAR_M; j++) {
        s->c[j] = 0.0;
        for (int i = 0; i < LINEAR_N; i++) {
            s->c[j] -= s->G[j][i] * s->on[i];
        }
    }
}

/* Row j of G v. */
static inline double linear_rate(const linear *s, int j, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < LINEAR_N; i++) {
        sum += s->G[j][i] * v[i];
    }
    return sum;
}

static inline double linear_g(const linear *s, int j, const double *q) { return s->c[j] + linear_rate(s, j, q); }

/* ---- The same as a system: f is the force of a potential. ---- */

static inline int linear_mass(const void *self, const double *q, double *Mx) {
    (void)q;
    memcpy(Mx, ((const linear *)self)->mass, LINEAR_N * sizeof *Mx);
    return SB_OK;
}

static inline int linear_potential(const void *self, double t, const double *q, double *V) {
    *V = 0.0;
    for (int i = 0; i < LINEAR_N; i++) {
        *V -= ((const linear *)self)->f[i] * q[i];
    }
    return SB_OK;
}

static inline int linear_gradient(const void *self, double t, const double *q, double *Vq) {
    (void)q;
    for (int i = 0; i < LINEAR_N; i++) {
        Vq[i] = -((const linear *)self)->f[i];
    }
    return SB_OK;
}

static inline int linear_value(const void *self, double t, const double *q, double *g, double *Gx) {
    const linear *s = self;
    for (int j = 0; j < LINEAR_M; j++) {
        if (g != NULL) {
            g[j] = linear_g(s, j, q);
        }
        if (Gx != NULL) {
            memcpy(Gx + LINEAR_N * j, s->G[j], sizeof s->G[j]);
        }
    }
    return SB_OK;
}

static inline int linear_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    (void)self;
    (void)q;
    (void)w;
    (void)c;
    (void)Hx;
    return SB_OK;
}

static inline int linear_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    (void)self;
    (void)q;
    (void)v;
    out[0] = out[1] = 0.0;
    return SB_OK;
}

static inline int linear_initial(const void *self, double *t, double *q, double *v) {
    *t = 0.0;
    memcpy(q, ((const linear *)self)->on, LINEAR_N * sizeof *q);
    memset(v, 0, LINEAR_N * sizeof *v);
    return SB_OK;
}

/* The system of `s`, which must stay where it is; with `penalty` under that formulation (NULL: constrained). */
static inline void linear_build(fixture *f, const linear *s, const char *penalty, sb_system *out) {
    sb_system *sys = sb_alloc(&f->arena, 1, sizeof *sys);
    *sys = (sb_system){.n = LINEAR_N, .time_scale = 1.0, .self = s, .initial = linear_initial};
    int status = sb_pattern_diagonal(&f->arena, LINEAR_N, &sys->H);
    sys->inertia = (sb_inertia){.self = s, .M = sys->H, .mass = linear_mass};
    sys->potential = (sb_potential){.self = s, .degree = 1, .value = linear_potential, .gradient = linear_gradient};
    sys->holonomic = (sb_holonomic){.self = s,
                                    .m = LINEAR_M,
                                    .degree = 1,
                                    .value = linear_value,
                                    .hessian = linear_hessian,
                                    .curvature = linear_curvature};
    status |= sb_pattern_full(&f->arena, LINEAR_N, LINEAR_M, &sys->holonomic.G);
    status |= sb_system_finish(&f->ctx, &f->arena, "linear", sys);
    *out = *sys;
    if (penalty != NULL) {
        const sb_formulation *type = (const sb_formulation *)sb_registry_find(&f->ctx, SB_KIND_FORMULATION, "penalty");
        void *config = sb_alloc(&f->arena, 1, type->entry.config_size);
        status |= sb_config_parse(&f->ctx, &f->arena, &type->entry, penalty, config) |
                  type->init(&f->ctx, &f->arena, config, sys, out) |
                  sb_system_finish(&f->ctx, &f->arena, "penalty(linear)", out);
    }
    gsl_test(status != SB_OK, "a linear system builds (%s)", status == SB_OK ? "it does" : f->ctx.message);
}

/* Takes one step of `stepper` from (s->q, s->v) on the system of `s`. */
static inline void linear_step(fixture *f, const linear *s, const char *penalty, const char *stepper, double h,
                               stepping *out) {
    sb_system sys;
    linear_build(f, s, penalty, &sys);
    stepping_bind(f, &sys, stepper, h, out);
    memcpy(out->now.q, s->q, sizeof s->q);
    memcpy(out->now.v, s->v, sizeof s->v);
    stepping_step(out, h);
}

#endif
