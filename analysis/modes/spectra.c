/* The transversal modes of a system at a state: three spectra, by dense or by sparse matrices. */
#include "analysis/modes/spectra_dense.h"
#include "analysis/modes/spectra_sparse.h"

enum { SPARSE_FROM = 500 };

int sb_spectra_check(sb_context *ctx, const sb_system *sys) {
    if (sys->contact.m + sys->contact.k > 0) {
        return sb_fail(
            ctx, SB_UNSUPPORTED,
            "%s has contacts or dry friction: the active rows, and with them the stiffness, depend on the motion",
            sys->name);
    }
    if (sys->nonholonomic.m > 0) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s has nonholonomic constraints: their forces have no symmetric geometric stiffness%s",
                       sys->name,
                       sys->world != NULL ? "; a driver of a `rate` may be one of an `angle` with this rate" : "");
    }
    return SB_OK;
}

int sb_spectra_choose(sb_context *ctx, const sb_system *sys, sb_matrices matrices, int count, bool *sparse) {
    SB_TRY(sb_spectra_check(ctx, sys));
    *sparse = matrices == SB_MATRICES_SPARSE || (matrices == SB_MATRICES_AUTO && count > 0 && sys->n > SPARSE_FROM);
    return *sparse && count == 0
               ? sb_fail(ctx, SB_BAD_USAGE,
                         "%s: sparse matrices give the fastest modes, not all; use count=10, or dense matrices",
                         sys->name)
               : SB_OK;
}

int sb_spectra_at(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_matrices matrices, int count,
                  bool only_projected, double t, const double *q, const double *v, sb_spectra *out) {
    bool sparse;
    SB_TRY(sb_spectra_choose(ctx, sys, matrices, count, &sparse));
    SB_SCRATCH(scratch, ctx);
    if (sparse) {
        sb_fastest s;
        SB_TRY(sb_fastest_init(ctx, &scratch, sys, &s));
        SB_TRY(sb_fastest_evaluate(&s, t, q, v));
        return sb_fastest_spectra(&s, arena, count, only_projected, out);
    }
    sb_stiffness s;
    SB_TRY(sb_stiffness_init(ctx, &scratch, sys, &s));
    SB_TRY(sb_stiffness_evaluate(&s, t, q, v));
    return sb_stiffness_spectra(&s, arena, only_projected, out);
}
