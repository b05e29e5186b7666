/* The ranges of a system's contact data: coefficients of friction, constant bounds, restitution, rows that bound. */
#include "core/run/build.h"

/* Returns whether all `count` numbers (NULL: none given) are in [lo, hi]; false for NaN. */
static int check_range(sb_context *ctx, const sb_system *sys, int count, const sb_scalar *x, sb_scalar lo, sb_scalar hi,
                       const char *what, const char *range) {
    for (int i = 0; i < count && x != NULL; i++) {
        if (!(x[i] >= lo && x[i] <= hi)) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s: %s %d is %g; it has to be %s", sys->name, what, i, (double)x[i],
                           range);
        }
    }
    return SB_OK;
}

int sb_contact_check(sb_context *ctx, const sb_system *sys) {
    const sb_contact *c = &sys->contact;
    const int normals = sb_system_bilateral(sys) + c->m;
    if ((c->m > 0 && (c->gap == NULL || c->N.rows != sys->n || c->N.cols != c->m)) ||
        (c->k > 0 && (c->slip == NULL || c->of == NULL || c->D.rows != sys->n || c->D.cols != c->k))) {
        return sb_fail(
            ctx, SB_BAD_USAGE,
            "%s is incomplete: contacts set gap and N (n x m) where m > 0; slip, D (n x k) and `of` where k > 0",
            sys->name);
    }
    SB_TRY(check_range(ctx, sys, c->k, c->mu, 0.0, (sb_scalar)INFINITY, "the coefficient of friction of row",
                       "0 or more"));
    SB_TRY(check_range(ctx, sys, c->k, c->limit, 0.0, (sb_scalar)INFINITY, "the bound of friction row",
                       "0 or more: else its lower bound lies above its upper one"));
    SB_TRY(check_range(ctx, sys, c->m, c->restitution, 0.0, 1.0, "the restitution of gap", "in [0, 1]"));
    SB_TRY(check_range(ctx, sys, c->m, c->eps, 0.0, (sb_scalar)INFINITY, "the compliance of gap", "0 or more"));
    SB_TRY(check_range(ctx, sys, c->m, c->tau, 0.0, (sb_scalar)INFINITY, "the relaxation time of gap", "0 or more"));
    SB_TRY(check_range(ctx, sys, c->k, c->gamma, 0.0, (sb_scalar)INFINITY, "the inverse drag of friction row",
                       "0 or more"));
    for (int j = 0; j < c->k; j++) {
        if (c->of[j] < -1 || c->of[j] >= normals) {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "%s: friction row %d is bounded by multiplier %d; the multipliers that bound friction are 0 "
                           "to %d, and -1 for none",
                           sys->name, j, c->of[j], normals - 1);
        }
    }
    return SB_OK;
}
