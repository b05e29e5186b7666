/* The Schur complement S = C1' M^-1 C0 + E as two sparse products: B = C1' M^-1, then B C0. */
#include "core/mechanics/internal.h"

int sb_schur_layout(sb_arena *arena, const sb_pattern *C, sb_mass *mass, bool full, sb_schur *out) {
    struct sb_schur_work *w;
    int *at_E, *at;
    sb_pattern Ct;
    SB_NEW(arena, w, 1);
    SB_TRY(sb_mass_form_inverse(arena, mass));
    SB_TRY(sb_pattern_transpose(arena, C, &Ct, &at));
    SB_TRY(sb_sparse_product_init(arena, &Ct, at, &mass->W, SB_PRODUCT_SPARSE, &w->B));
    SB_TRY(sb_sparse_product_init(arena, &w->B.P, NULL, C, full ? SB_PRODUCT_FULL : SB_PRODUCT_WITH_DIAGONAL, &w->S));
    SB_NEW(arena, at_E, C->cols);
    SB_NEW(arena, w->Bx, sb_pattern_nnz(&w->B.P));
    SB_NEW(arena, w->Sx, sb_pattern_nnz(&w->S.P));
    for (int j = 0; j < C->cols; j++) {
        at_E[j] = sb_pattern_find(&w->S.P, j, j);
    }
    w->at_E = at_E;
    out->work = w;
    return SB_OK;
}

int sb_schur_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_mass *mass, const sb_solver *solver,
                       sb_schur *out) {
    const int rows = sb_system_bilateral(sys);
    *out = (sb_schur){0};
    if (rows == 0) {
        return SB_OK;
    }
    sb_pattern C;
    SB_TRY(sb_system_constraints(arena, sys, &C));
    SB_TRY(sb_schur_layout(arena, &C, mass, solver->full, out));
    SB_TRY(sb_linear_init(ctx, arena, solver, &out->work->S.P, rows, 0, &out->work->linear));
    out->work->linear.rows = sys;
    return SB_OK;
}

int sb_schur_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_mass *mass, sb_schur *out) {
    return sb_schur_init_with(ctx, arena, sys, mass,
                              sb_solver_choose(ctx, "auto", SB_FORM_GENERAL, sb_system_bilateral(sys)), out);
}

void sb_schur_assemble(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                       const sb_scalar *E) {
    const struct sb_schur_work *w = schur->work;
    sb_sparse_product_evaluate(&w->B, C1x, mass->Wx, w->Bx);
    sb_sparse_product_evaluate(&w->S, w->Bx, C0x, w->Sx);
    for (int j = 0; j < w->S.P.cols && E != NULL; j++) {
        w->Sx[w->at_E[j]] += E[j];
    }
}

int sb_schur_factor(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                    const sb_scalar *E) {
    sb_linear *linear = &schur->work->linear;
    sb_schur_assemble(schur, mass, C1x, C0x, E);
    linear->ctx->factorizations++;
    return linear->type->factor(linear, schur->work->Sx);
}

int sb_schur_solve(const sb_schur *schur, sb_scalar *b) {
    const sb_linear *linear = &schur->work->linear;
    return linear->type->solve(linear, b);
}

int sb_schur_bad_pivot(const sb_schur *schur, int row, sb_scalar pivot) {
    return sb_linear_bad_pivot(&schur->work->linear, row, pivot);
}
