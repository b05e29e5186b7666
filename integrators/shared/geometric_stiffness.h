/* Geometric stiffness as added mass: the mass matrix of a step is M - h^2 K~, K~ = sum lambda_i Hess g_i with the last
 * multipliers; transv18. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_GEOMETRIC_STIFFNESS_H
#define STEPBENCH_INTEGRATORS_SHARED_GEOMETRIC_STIFFNESS_H

#include <string.h>

#include <stepbench/plugin.h>
#include <stepbench/system.h>

/* A force of stiffness -K~, taut links under lambda < 0, turns the velocity by h M^-1 (-K~) d. With (M - h^2 K~)(v1 -
 * v0) = h (F + G' lambda) a mode of frequency omega has x_+ - 2 x + x_- = -h^2 omega^2/(1 + h^2 omega^2) x instead of
 * -h^2 omega^2 x: bounded for every h, and changed by a term of order h^2 of its own. (In andrews17 the stiffness acts
 * only on v1, which damps.) GEOMETRIC_DIAGONAL uses only the positive diagonal entries of -K~: mass is only added, and
 * a diagonal M stays diagonal. */
enum { GEOMETRIC_NONE, GEOMETRIC_FULL, GEOMETRIC_DIAGONAL };

#define GEOMETRIC_PARAM(offset)                                                                                        \
    SB_PARAM("geometric", SB_CHOICE, offset, "0", 0.0, 0.0, SB_CLOSED, "0|1|diag", "",                                 \
             "1: -h^2 sum lambda_i Hess g_i of the last multipliers is added to the mass; diag: what is positive of "  \
             "its diagonal. Either gives up momenta and reversibility")

/* Returns the SB_KEEPS_... that a method loses. The mass depends on the multipliers of the previous step, so
 * reversibility is lost. */
static inline unsigned geometric_loses(int kind) {
    return kind == GEOMETRIC_NONE ? 0 : SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY;
}

/* The system with the mass of a step, for factorizations: its inertia, which has no derivatives, replaces that of the
 * inner system; everything else is unchanged. */
typedef struct geometric {
    sb_system sys;
    const sb_system *inner;
    int kind;
    sb_scalar t, weight;     /* time of the Hessians; h^2, or 0: M is unchanged */
    const sb_scalar *lambda; /* multipliers, the holonomic ones first */
    sb_scalar *added;        /* added values on H, of the last evaluation */
    sb_scalar *Mx;           /* mass of the inner system */
    const int *at;       /* FULL: where an entry of the inner M is on H; DIAGONAL: where entry (i, i) of H is in M */
    const int *diagonal; /* where entry (i, i) is on H */
} geometric;

static inline int geometric_mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const geometric *g = self;
    const sb_inertia *inertia = &g->inner->inertia;
    const sb_pattern *H = &g->inner->H;
    const int nnz = sb_pattern_nnz(H), n = g->inner->n;
    memset(g->added, 0, (size_t)nnz * sizeof(sb_scalar));
    if (g->weight > 0.0) {
        SB_TRY(sb_holonomic_hessian(g->inner, g->t, q, g->lambda, -g->weight, g->added));
    }
    if (g->kind == GEOMETRIC_FULL) {
        SB_TRY(inertia->mass(inertia->self, q, g->Mx));
        memcpy(Mx, g->added, (size_t)nnz * sizeof(sb_scalar));
        for (int k = 0; k < sb_pattern_nnz(&inertia->M); k++) {
            Mx[g->at[k]] += g->Mx[k];
        }
        return SB_OK;
    }
    SB_TRY(inertia->mass(inertia->self, q, Mx));
    for (int j = 0; j < n; j++) {
        const sb_scalar entry = g->added[g->diagonal[j]];
        memset(g->added + H->p[j], 0, (size_t)(H->p[j + 1] - H->p[j]) * sizeof(sb_scalar));
        g->added[g->diagonal[j]] = entry <= 0.0 ? 0.0 : entry;
        Mx[g->at[j]] += g->added[g->diagonal[j]];
    }
    return SB_OK;
}

/* Initializes `out`, which must not move in memory, and sets *use to the system whose mass a step uses. */
static inline int geometric_init(sb_arena *arena, const sb_system *sys, int kind, geometric *out,
                                 const sb_system **use) {
    const sb_inertia *inertia = &sys->inertia;
    const int nnz = sb_pattern_nnz(&inertia->M);
    *out = (geometric){.inner = sys, .kind = sys->holonomic.m > 0 ? kind : GEOMETRIC_NONE};
    *use = sys;
    if (out->kind == GEOMETRIC_NONE) {
        return SB_OK;
    }
    int *at, *diagonal;
    SB_NEW(arena, at, nnz);
    SB_NEW(arena, diagonal, sys->n);
    SB_NEW(arena, out->added, sb_pattern_nnz(&sys->H));
    SB_NEW(arena, out->Mx, nnz);
    for (int j = 0; j < sys->n; j++) {
        diagonal[j] = sb_pattern_find(&sys->H, j, j);
        for (int k = inertia->M.p[j]; k < inertia->M.p[j + 1]; k++) {
            at[k] = sb_pattern_find(&sys->H, inertia->M.i[k], j);
        }
    }
    for (int j = 0; j < sys->n && kind == GEOMETRIC_DIAGONAL; j++) {
        at[j] = sb_pattern_find(&inertia->M, j, j);
    }
    out->at = at;
    out->diagonal = diagonal;
    out->sys = *sys;
    out->sys.flags |= (unsigned)SB_HAS_VARIABLE_MASS;
    out->sys.inertia =
        (sb_inertia){.self = out, .M = kind == GEOMETRIC_FULL ? sys->H : inertia->M, .mass = geometric_mass};
    *use = &out->sys;
    return SB_OK;
}

/* Sets the time t, the step length h and the multipliers of the following evaluations of the mass; NULL: M itself. */
static inline void geometric_set(geometric *g, sb_scalar t, sb_scalar h, const sb_scalar *lambda) {
    g->t = t;
    g->weight = lambda != NULL ? h * h : 0.0;
    g->lambda = lambda;
}

/* Returns the status of a factorization; adds geometric stiffness to the message as a possible cause where it may
 * reduce the mass. */
static inline int geometric_explain(const geometric *g, sb_context *ctx, int status) {
    if (status == SB_SINGULAR && g->kind == GEOMETRIC_FULL && g->weight > 0.0) {
        char why[SB_MESSAGE_MAX];
        memcpy(why, ctx->message, sizeof why);
        return sb_fail(
            ctx, status,
            "%.300s; with geometric=1, a constraint under compression may make the effective mass indefinite; "
            "reduce the step or use geometric=diag",
            why);
    }
    return status;
}

/* Adds (the mass last evaluated - M) v to p. */
static inline void geometric_add(const geometric *g, const sb_scalar *v, sb_scalar *p) {
    if (g->kind != GEOMETRIC_NONE && g->weight > 0.0) {
        sb_csc_mult_add(&g->inner->H, g->added, 1.0, v, p);
    }
}

#endif
