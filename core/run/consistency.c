/* Checks that a state satisfies the constraints, at position and velocity level, and penetrates no gap. */
#include <string.h>

#include "core/run/consistency.h"
#include <stepbench/numerics/csc.h>
#include <stepbench/numerics/norm.h>

int sb_consistency_init(sb_arena *arena, const sb_system *sys, sb_consistency *out) {
    *out = (sb_consistency){.sys = sys};
    SB_TRY(SB_VECTORS(arena, sys->n, &out->q, &out->v));
    SB_TRY(SB_VECTORS(arena, sys->holonomic.m, &out->g, &out->gt));
    SB_NEW(arena, out->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->xi, sys->contact.m);
    SB_NEW(arena, out->Nx, sb_pattern_nnz(&sys->contact.N));
    SB_NEW(arena, out->Mx, sb_pattern_nnz(&sys->inertia.M));
    return SB_OK;
}

/* A penetration of the size of rounding is accepted. A velocity into a closed gap is an impact and no error. */
static int check_gaps(const sb_consistency *c, sb_context *ctx, const sb_scalar *q) {
    const sb_contact *contact = &c->sys->contact;
    const sb_scalar at_q = sb_norm_max(c->sys->n, q);
    if (contact->m == 0) {
        return SB_OK;
    }
    SB_TRY(contact->gap(contact->self, q, c->xi, c->Nx));
    for (int i = 0; i < contact->m; i++) {
        sb_scalar weight = 0.0;
        for (int k = contact->N.p[i]; k < contact->N.p[i + 1]; k++) {
            weight += fabs(c->Nx[k]);
        }
        const sb_scalar allow = fmax(SB_CONSISTENCY_TOL, 100.0 * c->roundoff) * weight * at_q;
        if (!(c->xi[i] >= -allow)) {
            return sb_fail(ctx, SB_INCONSISTENT,
                           "the initial position of %s penetrates gap %d: xi = %.3g where at least %.1e is allowed; "
                           "give a position with xi >= 0",
                           c->sys->name, i, (double)c->xi[i], (double)-allow);
        }
    }
    return SB_OK;
}

int sb_consistency_check(const sb_consistency *c, sb_context *ctx, sb_scalar t, const sb_scalar *q,
                         const sb_scalar *v) {
    const sb_system *sys = c->sys;
    const sb_pattern *G = &sys->holonomic.G;
    for (int i = 0; i < sys->n; i++) {
        if (!isfinite(q[i]) || !isfinite(v[i])) {
            return sb_fail(ctx, SB_INCONSISTENT, "the initial state of %s is not finite: q%d = %g, v%d = %g", sys->name,
                           i, (double)q[i], i, (double)v[i]);
        }
    }
    SB_TRY(check_gaps(c, ctx, q));
    if (sys->holonomic.m == 0) {
        return SB_OK;
    }
    SB_TRY(sb_holonomic_value(sys, t, q, c->g, c->Gx));
    SB_TRY(sb_holonomic_rate(sys, t, q, c->gt));
    const sb_scalar at_q = sb_norm_max(sys->n, q), at_v = sb_norm_max(sys->n, v);
    for (int i = 0; i < sys->holonomic.m; i++) {
        const char *const named = sb_bilateral_name(sys, i), *const name = named != NULL ? named : "";
        const char *const comma = named != NULL ? ", " : "";
        const sb_scalar driven = SB_CONSISTENCY_TOL * fabs(c->gt[i]);
        sb_scalar weight = 0.0, rate = c->gt[i];
        for (int k = G->p[i]; k < G->p[i + 1]; k++) {
            weight += fabs(c->Gx[k]);
            rate += c->Gx[k] * v[G->i[k]];
        }
        const sb_scalar allow_g = SB_CONSISTENCY_TOL * weight * at_q + sys->time_scale * driven,
                        allow_v = SB_CONSISTENCY_TOL * weight * at_v + driven;
        if (!(fabs(c->g[i]) <= allow_g)) {
            return sb_fail(
                ctx, SB_INCONSISTENT,
                "the initial position of %s is off constraint %d%s%s: g = %.3g where at most %.1e is allowed; "
                "give a position on it",
                sys->name, i, comma, name, (double)c->g[i], (double)allow_g);
        }
        if (!(fabs(rate) <= allow_v)) {
            return sb_fail(ctx, SB_INCONSISTENT,
                           "the initial velocity of %s violates constraint %d%s%s: dg/dt = %.3g where at most %.1e is "
                           "allowed; give a tangent velocity",
                           sys->name, i, comma, name, (double)rate, (double)allow_v);
        }
    }
    return SB_OK;
}

int sb_consistency_momentum(const sb_consistency *c, const sb_scalar *q, const sb_scalar *v, sb_scalar *p) {
    const sb_system *sys = c->sys;
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, c->Mx));
    memset(p, 0, (size_t)sys->n * sizeof *p);
    sb_csc_mult_add(&sys->inertia.M, c->Mx, 1.0, v, p);
    return SB_OK;
}
