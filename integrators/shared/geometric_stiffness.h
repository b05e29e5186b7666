/* Geometric stiffness as added mass: the mass matrix of a step is M - h^2 K~, K~ = sum lambda_i Hess g_i with the last
 * multipliers; transv18. */
#pragma once

#include <string.h>

#include <stepbench/numerics/mass.h>
#include <stepbench/plugin.h>

/* A force of stiffness -K~, taut links under lambda < 0, turns the velocity by h M^-1 (-K~) d. With (M - h^2 K~)(v1 -
 * v0) = h (F + G' lambda) a mode of frequency omega has x_+ - 2 x + x_- = -h^2 omega^2/(1 + h^2 omega^2) x instead of
 * -h^2 omega^2 x: bounded for every h, and changed by a term of order h^2 of its own. (In andrews17 the stiffness acts
 * only on v1, which damps.) GEOMETRIC_DIAGONAL uses only the positive diagonal entries of -K~: mass is only added, and
 * a diagonal M stays diagonal. */
enum { GEOMETRIC_NONE, GEOMETRIC_FULL, GEOMETRIC_DIAGONAL };

#define GEOMETRIC_PARAM(offset)                                                                                        \
    SB_PARAM("geometric", SB_CHOICE, offset, "0", 0.0, 0.0, SB_CLOSED, "0|1|diag", "",                                 \
             "1: adds -h^2 sum lambda_i Hess g_i of the last multipliers to the mass; diag: adds the positive "        \
             "entries of its diagonal. 1 and diag do not conserve momenta and are not reversible")

/* Returns the SB_KEEPS_... that a method loses. The mass depends on the multipliers of the previous step, so
 * reversibility is lost. */
static inline unsigned geometric_loses(int kind) {
    return kind == GEOMETRIC_NONE ? 0 : SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY;
}

typedef struct geometric {
    const sb_system *sys;
    int kind;
    sb_added_mass mass;           /* -h^2 K~ on H, or the positive entries of its diagonal on M */
    sb_scalar *Hx;                /* -h^2 K~ on H */
    sb_scalar *positive;          /* DIAGONAL: the positive entries, on M */
    int *diagonal_H, *diagonal_M; /* DIAGONAL: where entry (i, i) is on H and on M */
} geometric;

/* Initializes `out`, which must not move in memory. */
static inline int geometric_init(sb_arena *arena, const sb_system *sys, int kind, geometric *out) {
    *out = (geometric){.sys = sys, .kind = sys->holonomic.m > 0 ? kind : GEOMETRIC_NONE};
    if (out->kind == GEOMETRIC_NONE) {
        return SB_OK;
    }
    out->mass.pattern = kind == GEOMETRIC_FULL ? sys->H : sys->inertia.M;
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&sys->H));
    SB_NEW(arena, out->positive, sb_pattern_nnz(&out->mass.pattern));
    SB_NEW(arena, out->diagonal_H, sys->n);
    SB_NEW(arena, out->diagonal_M, sys->n);
    for (int j = 0; j < sys->n; j++) {
        out->diagonal_H[j] = sb_pattern_find(&sys->H, j, j);
        out->diagonal_M[j] = sb_pattern_find(&sys->inertia.M, j, j);
    }
    return SB_OK;
}

/* Returns the mass that geometric_evaluate sets, for the functions that take an sb_added_mass; NULL: none. */
static inline const sb_added_mass *geometric_mass(const geometric *g) {
    return g->kind == GEOMETRIC_NONE ? NULL : &g->mass;
}

/* Evaluates the added mass at (t, q) for a step of length h and the multipliers lambda, the holonomic ones first; NULL:
 * zero. */
static inline int geometric_evaluate(geometric *g, sb_scalar t, sb_scalar h, const sb_scalar *q,
                                     const sb_scalar *lambda) {
    g->mass.values = NULL;
    if (g->kind == GEOMETRIC_NONE || lambda == NULL) {
        return SB_OK;
    }
    memset(g->Hx, 0, (size_t)sb_pattern_nnz(&g->sys->H) * sizeof(sb_scalar));
    SB_TRY(sb_holonomic_hessian(g->sys, t, q, lambda, -h * h, g->Hx));
    for (int j = 0; j < g->sys->n && g->kind == GEOMETRIC_DIAGONAL; j++) {
        const sb_scalar entry = g->Hx[g->diagonal_H[j]];
        g->positive[g->diagonal_M[j]] = entry <= 0.0 ? 0.0 : entry;
    }
    g->mass.values = g->kind == GEOMETRIC_FULL ? g->Hx : g->positive;
    return SB_OK;
}

/* Returns the status of a factorization; adds geometric stiffness to the message as a possible cause where it may
 * reduce the mass. */
static inline int geometric_explain(const geometric *g, sb_context *ctx, int status) {
    if (status == SB_SINGULAR && g->kind == GEOMETRIC_FULL && g->mass.values != NULL) {
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

/* Adds the added mass times v to p. */
static inline void geometric_add(const geometric *g, const sb_scalar *v, sb_scalar *p) {
    if (g->mass.values != NULL) {
        sb_csc_mult_add(&g->mass.pattern, g->mass.values, 1.0, v, p);
    }
}
