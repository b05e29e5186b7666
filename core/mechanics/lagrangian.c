/* The discrete Lagrangian in momentum form: wm96 (4.1), (4.20), and in a chart wm96 (4.9)-(4.13). */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lagrangian.h>

struct sb_lagrangian_work {
    const sb_system *ambient; /* the system L lives on: sys, or its embedding */
    const sb_chart *chart;    /* NULL without an embedding */
    sb_scalar theta, w;
    sb_mass mass;
    sb_scalar *a, *d, *F, *Tv, *tmp;                               /* ambient */
    sb_scalar *point0, *point1, *D0x, *D1x, *ambient_Hx, *product; /* of an embedding */
};

int sb_lagrangian_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_scalar theta, sb_scalar w,
                       sb_lagrangian *out) {
    *out = (sb_lagrangian){.sys = sys};
    SB_NEW(arena, out->work, 1);
    *out->work = (struct sb_lagrangian_work){.ambient = sys, .theta = theta, .w = w};
    if (sys->embedding != NULL) {
        out->work->ambient = sys->embedding->ambient;
        out->work->chart = sys->embedding->chart;
        const size_t n = (size_t)out->work->ambient->n;
        SB_TRY(SB_VECTORS(arena, n, &out->work->point0, &out->work->point1));
        SB_TRY(SB_VECTORS(arena, sb_pattern_nnz(&out->work->chart->D), &out->work->D0x, &out->work->D1x));
        SB_NEW(arena, out->work->ambient_Hx, sb_pattern_nnz(&out->work->ambient->H));
        SB_NEW(arena, out->work->product, n);
    }
    const size_t n = (size_t)out->work->ambient->n;
    SB_TRY(SB_VECTORS(arena, n, &out->work->a, &out->work->d, &out->work->F, &out->work->Tv, &out->work->tmp));
    return sb_mass_init(ctx, arena, out->work->ambient, &out->work->mass);
}

/* Computes a and d of wm96 (4.13), in the embedding space if there is a chart, and M(a). */
static int set_midpoint(sb_lagrangian *L, sb_scalar h, const sb_scalar *x, const sb_scalar *y) {
    const int n = L->work->ambient->n;
    if (L->work->chart != NULL) {
        SB_TRY(L->work->chart->point(L->work->chart->self, x, L->work->point0, L->work->D0x));
        SB_TRY(L->work->chart->point(L->work->chart->self, y, L->work->point1, L->work->D1x));
        x = L->work->point0;
        y = L->work->point1;
    }
    for (int i = 0; i < n; i++) {
        L->work->a[i] = (1.0 - L->work->theta) * x[i] + L->work->theta * y[i];
        L->work->d[i] = (y[i] - x[i]) / h;
    }
    return sb_mass_evaluate(&L->work->mass, L->work->a);
}

/* Computes p = T_v + c F, pulled back by D where there is a chart. */
static void momentum(const sb_lagrangian *L, sb_scalar c, const sb_scalar *Dx, sb_scalar *p) {
    const int n = L->work->ambient->n;
    sb_scalar *ambient = L->work->chart != NULL ? L->work->product : p;
    for (int i = 0; i < n; i++) {
        ambient[i] = L->work->Tv[i] + c * L->work->F[i];
    }
    if (L->work->chart != NULL) {
        sb_csc_mult_t(&L->work->chart->D, Dx, ambient, p);
    }
}

int sb_lagrangian_momenta(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                          sb_scalar *p_minus, sb_scalar *p_plus) {
    SB_TRY(set_midpoint(L, h, x, y));
    sb_mass_mult(&L->work->mass, L->work->d, L->work->Tv);
    SB_TRY(sb_system_force(L->work->ambient, t + L->work->theta * h, L->work->a, L->work->d, L->work->F, L->work->tmp));
    if (p_minus != NULL) {
        momentum(L, -L->work->w * h, L->work->D0x, p_minus);
    }
    if (p_plus != NULL) {
        momentum(L, (1.0 - L->work->w) * h, L->work->D1x, p_plus);
    }
    return SB_OK;
}

/* Computes M/h + theta T_vq - w h [theta (T_qq - V_qq + f_q) + (T_qv + f_v)/h] at (a, d), on the ambient pattern. */
static int ambient_jacobian(sb_lagrangian *L, sb_scalar t, sb_scalar h, sb_scalar *Hx) {
    const sb_system *sys = L->work->ambient;
    const sb_scalar cq = -L->work->w * L->work->theta * h;
    memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof *Hx);
    sb_mass_add(&L->work->mass, 1.0 / h, Hx);
    if (sys->inertia.hessian != NULL) {
        SB_TRY(sys->inertia.hessian(sys->inertia.self, L->work->a, L->work->d, cq, -L->work->w, L->work->theta, Hx));
    }
    if (sb_has_potential_hessian(sys)) {
        SB_TRY(sb_potential_hessian(sys, t + L->work->theta * h, L->work->a, -cq, Hx));
    }
    if (sys->force.jacobian != NULL) {
        SB_TRY(
            sys->force.jacobian(sys->force.self, t + L->work->theta * h, L->work->a, L->work->d, cq, -L->work->w, Hx));
    }
    return SB_OK;
}

/* Computes Hx = D0' A D1, column by column. */
static void pull_back(const sb_lagrangian *L, const sb_scalar *Ax, sb_scalar *Hx) {
    const sb_pattern *D = &L->work->chart->D, *H = &L->sys->H;
    for (int j = 0; j < H->cols; j++) {
        memset(L->work->tmp, 0, (size_t)L->work->ambient->n * sizeof(sb_scalar));
        memset(L->work->product, 0, (size_t)L->work->ambient->n * sizeof(sb_scalar));
        for (int k = D->p[j]; k < D->p[j + 1]; k++) {
            L->work->tmp[D->i[k]] = L->work->D1x[k];
        }
        sb_csc_mult_add(&L->work->ambient->H, Ax, 1.0, L->work->tmp, L->work->product);
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            const int i = H->i[k];
            sb_scalar sum = 0.0;
            for (int r = D->p[i]; r < D->p[i + 1]; r++) {
                sum += L->work->D0x[r] * L->work->product[D->i[r]];
            }
            Hx[k] = sum;
        }
    }
}

int sb_lagrangian_jacobian(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                           sb_scalar *Hx) {
    SB_TRY(set_midpoint(L, h, x, y));
    if (L->work->chart == NULL) {
        return ambient_jacobian(L, t, h, Hx);
    }
    SB_TRY(ambient_jacobian(L, t, h, L->work->ambient_Hx));
    pull_back(L, L->work->ambient_Hx, Hx);
    return SB_OK;
}

int sb_lagrangian_value(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                        sb_scalar *value) {
    SB_TRY(set_midpoint(L, h, x, y));
    sb_mass_mult(&L->work->mass, L->work->d, L->work->Tv);
    sb_scalar kinetic = 0.0, potential = 0.0;
    for (int i = 0; i < L->work->ambient->n; i++) {
        kinetic += 0.5 * L->work->d[i] * L->work->Tv[i];
    }
    if (sb_has_potential(L->work->ambient)) {
        SB_TRY(sb_potential_value(L->work->ambient, t + L->work->theta * h, L->work->a, &potential));
    }
    *value = kinetic - potential;
    return SB_OK;
}
