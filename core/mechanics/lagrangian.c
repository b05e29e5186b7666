/* The discrete Lagrangian in momentum form: wm96 (4.1), (4.20), and in a chart wm96 (4.9)-(4.13). */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lagrangian.h>

int sb_lagrangian_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, double theta, double w,
                       sb_lagrangian *out) {
    *out = (sb_lagrangian){.sys = sys, .ambient = sys, .theta = theta, .w = w};
    if (sys->embedding != NULL) {
        out->ambient = sys->embedding->ambient;
        out->chart = sys->embedding->chart;
        const size_t n = (size_t)out->ambient->n;
        SB_NEW(arena, out->point0, n);
        SB_NEW(arena, out->point1, n);
        SB_NEW(arena, out->D0x, sb_pattern_nnz(&out->chart->D));
        SB_NEW(arena, out->D1x, sb_pattern_nnz(&out->chart->D));
        SB_NEW(arena, out->ambient_Hx, sb_pattern_nnz(&out->ambient->H));
        SB_NEW(arena, out->product, n);
    }
    const size_t n = (size_t)out->ambient->n;
    SB_NEW(arena, out->a, n);
    SB_NEW(arena, out->d, n);
    SB_NEW(arena, out->F, n);
    SB_NEW(arena, out->Tv, n);
    SB_NEW(arena, out->tmp, n);
    return sb_mass_init(ctx, arena, out->ambient, &out->mass);
}

/* Sets a and d of wm96 (4.13), by way of the chart if there is one. */
static int set_midpoint(sb_lagrangian *L, double h, const double *x, const double *y) {
    const int n = L->ambient->n;
    if (L->chart != NULL) {
        SB_TRY(L->chart->point(L->chart->self, x, L->point0, L->D0x));
        SB_TRY(L->chart->point(L->chart->self, y, L->point1, L->D1x));
        x = L->point0;
        y = L->point1;
    }
    for (int i = 0; i < n; i++) {
        L->a[i] = (1.0 - L->theta) * x[i] + L->theta * y[i];
        L->d[i] = (y[i] - x[i]) / h;
    }
    return sb_mass_evaluate(&L->mass, L->a);
}

/* p = T_v + c F, pulled back by D where there is a chart. */
static void momentum(const sb_lagrangian *L, double c, const double *Dx, double *p) {
    const int n = L->ambient->n;
    double *ambient = L->chart != NULL ? L->product : p;
    for (int i = 0; i < n; i++) {
        ambient[i] = L->Tv[i] + c * L->F[i];
    }
    if (L->chart != NULL) {
        sb_csc_mult_t(&L->chart->D, Dx, ambient, p);
    }
}

int sb_lagrangian_momenta(sb_lagrangian *L, double t, double h, const double *x, const double *y, double *p_minus,
                          double *p_plus) {
    SB_TRY(set_midpoint(L, h, x, y));
    sb_mass_mult(&L->mass, L->d, L->Tv);
    SB_TRY(sb_system_force(L->ambient, t + L->theta * h, L->a, L->d, L->F, L->tmp));
    if (p_minus != NULL) {
        momentum(L, -L->w * h, L->D0x, p_minus);
    }
    if (p_plus != NULL) {
        momentum(L, (1.0 - L->w) * h, L->D1x, p_plus);
    }
    return SB_OK;
}

/* M/h + theta T_vq - w h [theta (T_qq - V_qq + f_q) + (T_qv + f_v)/h] at (a, d), on the ambient pattern. */
static int ambient_jacobian(sb_lagrangian *L, double t, double h, double *Hx) {
    const sb_system *sys = L->ambient;
    const double cq = -L->w * L->theta * h;
    memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof *Hx);
    sb_mass_add(&L->mass, 1.0 / h, Hx);
    if (sys->inertia.hessian != NULL) {
        SB_TRY(sys->inertia.hessian(sys->inertia.self, L->a, L->d, cq, -L->w, L->theta, Hx));
    }
    if (sys->potential.hessian != NULL) {
        SB_TRY(sys->potential.hessian(sys->potential.self, L->a, -cq, Hx));
    }
    if (sys->force.jacobian != NULL) {
        SB_TRY(sys->force.jacobian(sys->force.self, t + L->theta * h, L->a, L->d, cq, -L->w, Hx));
    }
    return SB_OK;
}

/* Hx = D0' A D1, column by column. */
static void pull_back(const sb_lagrangian *L, const double *Ax, double *Hx) {
    const sb_pattern *D = &L->chart->D, *H = &L->sys->H;
    for (int j = 0; j < H->cols; j++) {
        memset(L->tmp, 0, (size_t)L->ambient->n * sizeof(double));
        memset(L->product, 0, (size_t)L->ambient->n * sizeof(double));
        for (int k = D->p[j]; k < D->p[j + 1]; k++) {
            L->tmp[D->i[k]] = L->D1x[k];
        }
        sb_csc_mult_add(&L->ambient->H, Ax, 1.0, L->tmp, L->product);
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            const int i = H->i[k];
            double sum = 0.0;
            for (int r = D->p[i]; r < D->p[i + 1]; r++) {
                sum += L->D0x[r] * L->product[D->i[r]];
            }
            Hx[k] = sum;
        }
    }
}

int sb_lagrangian_jacobian(sb_lagrangian *L, double t, double h, const double *x, const double *y, double *Hx) {
    SB_TRY(set_midpoint(L, h, x, y));
    if (L->chart == NULL) {
        return ambient_jacobian(L, t, h, Hx);
    }
    SB_TRY(ambient_jacobian(L, t, h, L->ambient_Hx));
    pull_back(L, L->ambient_Hx, Hx);
    return SB_OK;
}

int sb_lagrangian_value(sb_lagrangian *L, double h, const double *x, const double *y, double *value) {
    SB_TRY(set_midpoint(L, h, x, y));
    sb_mass_mult(&L->mass, L->d, L->Tv);
    double kinetic = 0.0, potential = 0.0;
    for (int i = 0; i < L->ambient->n; i++) {
        kinetic += 0.5 * L->d[i] * L->Tv[i];
    }
    if (L->ambient->potential.value != NULL) {
        SB_TRY(L->ambient->potential.value(L->ambient->potential.self, L->a, &potential));
    }
    *value = kinetic - potential;
    return SB_OK;
}
