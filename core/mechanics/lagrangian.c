/* The discrete Lagrangian in momentum form: wm96 (4.1), (4.20), and in a chart wm96 (4.9)-(4.13). */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lagrangian.h>

/* The functions that every Newton iteration calls are inlined: del takes 0.94 of the instructions on the pendulum. */
#define INLINED static inline __attribute__((always_inline))

struct sb_lagrangian_work {
    const sb_system *ambient; /* the system on which L is defined: sys, or its embedding */
    const sb_chart *chart;    /* NULL without an embedding */
    sb_scalar theta, weight;  /* theta and w of lagrangian.h */
    bool mass_only;           /* the derivative of p_minus has only the term M/h */
    sb_scalar t, h;           /* of the last momenta: the time of a, and the length of the step */
    sb_mass mass;
    sb_scalar *a, *d, *F, *Tv, *tmp;                               /* ambient */
    sb_scalar *point0, *point1, *D0x, *D1x, *ambient_Hx, *product; /* only with an embedding */
};

int sb_lagrangian_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_scalar theta, sb_scalar w,
                       sb_lagrangian *out) {
    struct sb_lagrangian_work *work;
    SB_NEW(arena, work, 1);
    *out = (sb_lagrangian){.sys = sys, .work = work};
    *work = (struct sb_lagrangian_work){.ambient = sys, .theta = theta, .weight = w};
    if (sys->embedding != NULL) {
        work->ambient = sys->embedding->ambient;
        work->chart = sys->embedding->chart;
        const size_t n = (size_t)work->ambient->n;
        SB_TRY(SB_VECTORS(arena, n, &work->point0, &work->point1));
        SB_TRY(SB_VECTORS(arena, sb_pattern_nnz(&work->chart->D), &work->D0x, &work->D1x));
        SB_NEW(arena, work->ambient_Hx, sb_pattern_nnz(&work->ambient->H));
        SB_NEW(arena, work->product, n);
    }
    work->mass_only = sys->embedding == NULL && sys->inertia.hessian == NULL && sys->potential.hessian == NULL &&
                      sys->force.jacobian == NULL;
    const size_t n = (size_t)work->ambient->n;
    SB_TRY(SB_VECTORS(arena, n, &work->a, &work->d, &work->F, &work->Tv, &work->tmp));
    return sb_mass_init(ctx, arena, work->ambient, &work->mass);
}

/* Computes a and d of wm96 (4.13), in the embedding space if there is a chart, and M(a) and M(a) d. */
INLINED int set_midpoint(struct sb_lagrangian_work *w, sb_scalar t, sb_scalar h, const sb_scalar *x,
                         const sb_scalar *y) {
    const int n = w->ambient->n;
    const sb_scalar theta = w->theta;
    w->t = t + theta * h;
    w->h = h;
    if (w->chart != NULL) {
        SB_TRY(w->chart->point(w->chart->self, x, w->point0, w->D0x));
        SB_TRY(w->chart->point(w->chart->self, y, w->point1, w->D1x));
        x = w->point0;
        y = w->point1;
    }
    for (int i = 0; i < n; i++) {
        const sb_scalar from = x[i], to = y[i];
        w->a[i] = (1.0 - theta) * from + theta * to;
        w->d[i] = (to - from) / h;
    }
    SB_TRY(sb_mass_evaluate(&w->mass, w->a));
    sb_mass_mult(&w->mass, w->d, w->Tv);
    return SB_OK;
}

/* Computes p = T_v + c F, pulled back by D where there is a chart. */
INLINED void momentum(const struct sb_lagrangian_work *w, sb_scalar c, const sb_scalar *Dx, sb_scalar *p) {
    const int n = w->ambient->n;
    sb_scalar *ambient = w->chart != NULL ? w->product : p;
    for (int i = 0; i < n; i++) {
        ambient[i] = w->Tv[i] + c * w->F[i];
    }
    if (w->chart != NULL) {
        sb_csc_mult_t(&w->chart->D, Dx, ambient, p);
    }
}

int sb_lagrangian_momenta(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                          sb_scalar *p_minus, sb_scalar *p_plus) {
    struct sb_lagrangian_work *w = L->work;
    SB_TRY(set_midpoint(w, t, h, x, y));
    SB_TRY(sb_system_force(w->ambient, w->t, w->a, w->d, w->F, w->tmp));
    if (p_minus != NULL) {
        momentum(w, -w->weight * h, w->D0x, p_minus);
    }
    if (p_plus != NULL) {
        momentum(w, (1.0 - w->weight) * h, w->D1x, p_plus);
    }
    return SB_OK;
}

const sb_pattern *sb_lagrangian_pattern(const sb_lagrangian *L) {
    return L->work->mass_only ? &L->sys->inertia.M : &L->sys->H;
}

/* Computes M/h + theta T_vq - w h [theta (T_qq - V_qq + f_q) + (T_qv + f_v)/h] at (a, d), on the ambient pattern. */
static int ambient_jacobian(struct sb_lagrangian_work *w, sb_scalar *Hx) {
    const sb_system *sys = w->ambient;
    const sb_scalar h = w->h, cq = -w->weight * w->theta * h;
    memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof *Hx);
    sb_mass_add(&w->mass, 1.0 / h, Hx);
    if (sys->inertia.hessian != NULL) {
        SB_TRY(sys->inertia.hessian(sys->inertia.self, w->a, w->d, cq, -w->weight, w->theta, Hx));
    }
    if (sys->potential.hessian != NULL) {
        SB_TRY(sb_potential_hessian(sys, w->t, w->a, -cq, Hx));
    }
    if (sys->force.jacobian != NULL) {
        SB_TRY(sys->force.jacobian(sys->force.self, w->t, w->a, w->d, cq, -w->weight, Hx));
    }
    return SB_OK;
}

/* Computes Hx = D0' A D1, column by column. */
static void pull_back(const struct sb_lagrangian_work *w, const sb_pattern *H, const sb_scalar *Ax, sb_scalar *Hx) {
    const sb_pattern *D = &w->chart->D;
    for (int j = 0; j < H->cols; j++) {
        memset(w->tmp, 0, (size_t)w->ambient->n * sizeof(sb_scalar));
        memset(w->product, 0, (size_t)w->ambient->n * sizeof(sb_scalar));
        for (int k = D->p[j]; k < D->p[j + 1]; k++) {
            w->tmp[D->i[k]] = w->D1x[k];
        }
        sb_csc_mult_add(&w->ambient->H, Ax, 1.0, w->tmp, w->product);
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            const int i = H->i[k];
            sb_scalar sum = 0.0;
            for (int r = D->p[i]; r < D->p[i + 1]; r++) {
                sum += w->D0x[r] * w->product[D->i[r]];
            }
            Hx[k] = sum;
        }
    }
}

int sb_lagrangian_jacobian(sb_lagrangian *L, sb_scalar *Hx) {
    struct sb_lagrangian_work *w = L->work;
    if (w->mass_only) {
        for (int k = 0, count = sb_pattern_nnz(&w->mass.M); k < count; k++) {
            Hx[k] = w->mass.Mx[k] / w->h;
        }
        return SB_OK;
    }
    if (w->chart == NULL) {
        return ambient_jacobian(w, Hx);
    }
    SB_TRY(ambient_jacobian(w, w->ambient_Hx));
    pull_back(w, &L->sys->H, w->ambient_Hx, Hx);
    return SB_OK;
}

int sb_lagrangian_value(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                        sb_scalar *value) {
    struct sb_lagrangian_work *w = L->work;
    SB_TRY(set_midpoint(w, t, h, x, y));
    sb_scalar kinetic = 0.0, potential = 0.0;
    for (int i = 0; i < w->ambient->n; i++) {
        kinetic += 0.5 * w->d[i] * w->Tv[i];
    }
    if (w->ambient->potential.value != NULL) {
        SB_TRY(sb_potential_value(w->ambient, w->t, w->a, &potential));
    }
    *value = kinetic - potential;
    return SB_OK;
}
