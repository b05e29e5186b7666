/* The Schur complement S = C1' M^-1 C0 + E as two sparse products: B = C1' M^-1, then B C0. */
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>

int sb_schur_layout(sb_arena *arena, const sb_pattern *C, const sb_mass *mass, bool full, sb_schur *out) {
    int *at_E, *at;
    sb_pattern Ct;
    *out = (sb_schur){.m = C->cols};
    SB_TRY(sb_pattern_transpose(arena, C, &Ct, &at));
    SB_TRY(sb_sparse_product_init(arena, &Ct, at, &mass->W, SB_PRODUCT_SPARSE, &out->B));
    SB_TRY(
        sb_sparse_product_init(arena, &out->B.P, NULL, C, full ? SB_PRODUCT_FULL : SB_PRODUCT_WITH_DIAGONAL, &out->BC));
    SB_NEW(arena, at_E, out->m);
    SB_NEW(arena, out->Bx, sb_pattern_nnz(&out->B.P));
    SB_NEW(arena, out->Sx, sb_pattern_nnz(&out->BC.P));
    for (int j = 0; j < out->m; j++) {
        at_E[j] = sb_pattern_find(&out->BC.P, j, j);
    }
    out->S = out->BC.P;
    out->at_E = at_E;
    return SB_OK;
}

int sb_schur_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass,
                       const sb_solver *solver, sb_schur *out) {
    *out = (sb_schur){0};
    if (sb_system_bilateral(sys) == 0) {
        return SB_OK;
    }
    sb_pattern C;
    SB_TRY(sb_system_constraints(arena, sys, &C));
    SB_TRY(sb_schur_layout(arena, &C, mass, solver->full, out));
    return sb_linear_init(ctx, arena, solver, &out->S, out->m, 0, &out->linear);
}

int sb_schur_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass, sb_schur *out) {
    return sb_schur_init_with(ctx, arena, sys, mass,
                              sb_solver_choose(ctx, "auto", SB_FORM_GENERAL, sb_system_bilateral(sys)), out);
}

void sb_schur_assemble(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                       const sb_scalar *E) {
    sb_sparse_product_evaluate(&schur->B, C1x, mass->Wx, schur->Bx);
    sb_sparse_product_evaluate(&schur->BC, schur->Bx, C0x, schur->Sx);
    for (int j = 0; j < schur->m && E != NULL; j++) {
        schur->Sx[schur->at_E[j]] += E[j];
    }
}

int sb_schur_factor(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                    const sb_scalar *E) {
    sb_schur_assemble(schur, mass, C1x, C0x, E);
    schur->linear.ctx->factorizations++;
    return schur->linear.type->factor(&schur->linear, schur->Sx);
}

int sb_schur_solve(const sb_schur *schur, sb_scalar *b) { return schur->linear.type->solve(&schur->linear, b); }
