/* The linear system of a regularized step, M v - C lambda = r, C' v + Sigma lambda = s, in saddle or Schur form: spook07 (29), (30). */
#include <float.h>
#include <string.h>

#include <stepbench/kkt.h>

/* A pivot of an LU factorization is off by the round-off of as many products as there are unknowns; below that it has no digit. */
static void refuse_noise(sb_linear *linear) { linear->singular_below = linear->A.cols * DBL_EPSILON; }

int sb_kkt_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_form form, const sb_solver *solver, sb_kkt *out) {
    const int n = sys->n, rows = sb_system_multipliers(sys);
    *out = (sb_kkt){.sys = sys, .form = form};
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    SB_NEW(arena, out->E, rows);
    SB_NEW(arena, out->x, n + rows);
    SB_NEW(arena, out->y, n);
    SB_TRY(sb_system_constraints(arena, sys, &out->C));
    if (form == SB_FORM_SCHUR) {
        SB_TRY(sb_schur_init_with(ctx, arena, sys, &out->mass, solver, &out->schur));
        refuse_noise(&out->schur.linear);
        return SB_OK;
    }
    SB_TRY(sb_saddle_init_with(ctx, arena, sys, &sys->inertia.M, solver, &out->saddle));
    refuse_noise(&out->saddle.linear);
    return SB_OK;
}

void sb_kkt_fini(sb_kkt *kkt) {
    sb_saddle_fini(&kkt->saddle);
    sb_schur_fini(&kkt->schur);
}

int sb_kkt_factor(sb_kkt *kkt, const double *q, const double *Cx, const double *Sigma) {
    const int rows = kkt->C.cols;
    kkt->Cx = Cx;
    kkt->Sigma = Sigma;
    if (kkt->form == SB_FORM_SCHUR || rows == 0) {
        SB_TRY(sb_mass_update(&kkt->mass, q));
        return rows == 0 ? SB_OK : sb_schur_factor(&kkt->schur, &kkt->mass, Cx, Cx, Sigma);
    }
    SB_TRY(sb_mass_evaluate(&kkt->mass, q));
    memcpy(kkt->saddle.Hx, kkt->mass.Mx, (size_t)sb_pattern_nnz(&kkt->saddle.H) * sizeof(double));
    for (int i = 0; i < rows; i++) {
        kkt->E[i] = -Sigma[i];
    }
    sb_saddle_assemble(&kkt->saddle, 1.0, 1.0, Cx, 1.0, Cx); /* symmetric in (v, -lambda) */
    sb_saddle_set_diagonal(&kkt->saddle, kkt->E);
    return sb_saddle_factor(&kkt->saddle);
}

int sb_kkt_solve(sb_kkt *kkt, const double *r, const double *s, double *v, double *lambda) {
    const int n = kkt->sys->n, rows = kkt->C.cols;
    if (rows == 0) {
        sb_mass_solve(&kkt->mass, r, v);
        return SB_OK;
    }
    if (kkt->form == SB_FORM_SADDLE) {
        memcpy(kkt->x, r, (size_t)n * sizeof(double));
        memcpy(kkt->x + n, s, (size_t)rows * sizeof(double));
        SB_TRY(sb_saddle_solve(&kkt->saddle, kkt->x));
        memcpy(v, kkt->x, (size_t)n * sizeof(double));
        for (int i = 0; i < rows; i++) {
            lambda[i] = -kkt->x[n + i];
        }
        return SB_OK;
    }
    sb_mass_solve(&kkt->mass, r, kkt->y);
    sb_csc_mult_t(&kkt->C, kkt->Cx, kkt->y, lambda);
    for (int i = 0; i < rows; i++) {
        lambda[i] = s[i] - lambda[i];
    }
    SB_TRY(sb_schur_solve(&kkt->schur, lambda));
    memcpy(kkt->x, r, (size_t)n * sizeof(double));
    sb_csc_mult_add(&kkt->C, kkt->Cx, 1.0, lambda, kkt->x);
    sb_mass_solve(&kkt->mass, kkt->x, v);
    return SB_OK;
}
