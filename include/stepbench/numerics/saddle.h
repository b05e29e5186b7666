/* The saddle system [a H, b C0; d C1', E]: H n x n on a pattern of its own; C0, C1 n x r on the pattern C = [G A] of
 * all constraints, holonomic ones first; E diagonal, zero unless set. */
#ifndef STEPBENCH_NUMERICS_SADDLE_H
#define STEPBENCH_NUMERICS_SADDLE_H

#include <stepbench/numerics/linear.h>
#include <stepbench/system.h>

/* Builds the pattern C = [G A] (n x r); its values are the values of G, then of A. */
int sb_system_constraints(sb_arena *arena, const sb_system *sys, sb_pattern *C);

typedef struct sb_saddle {
    int rows; /* r */
    sb_pattern H, C;
    sb_scalar *Hx; /* values on H, for the caller to set */
    sb_linear linear;
    sb_scalar *Ax;                    /* the values that it factors */
    int *at_H, *at_C0, *at_C1, *at_E; /* position of each entry in Ax; at_C1: NULL for a symmetric solver */
} sb_saddle;

/* Initialize with the pattern sys->H and the general solver for the size of the system, or with the caller's choices.
 */
int sb_saddle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_saddle *out);
int sb_saddle_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H,
                        const sb_solver *solver, sb_saddle *out);
/* Assembles from saddle->Hx. C0x and C1x hold the values of G, then those of A; unused when r = 0. */
static inline void sb_saddle_assemble(sb_saddle *saddle, sb_scalar a, sb_scalar b, const sb_scalar *C0x, sb_scalar d,
                                      const sb_scalar *C1x);
/* The blocks one by one, for those that several matrices share. */
static inline void sb_saddle_set_H(sb_saddle *saddle, sb_scalar a);
static inline void sb_saddle_set_C0(sb_saddle *saddle, sb_scalar b, const sb_scalar *C0x);
static inline void sb_saddle_set_C1(sb_saddle *saddle, sb_scalar d, const sb_scalar *C1x);
/* Sets E (r), which sb_saddle_assemble leaves as it is. */
void sb_saddle_set_diagonal(sb_saddle *saddle, const sb_scalar *E);
int sb_saddle_factor(sb_saddle *saddle);
/* Solves in place: x (n + r) holds the right-hand side and becomes the solution. */
int sb_saddle_solve(const sb_saddle *saddle, sb_scalar *x);
/* Factors and solves, in one pass where the solver can. */
static inline int sb_saddle_factor_solve(sb_saddle *saddle, sb_scalar *x);

/* ---- Definitions: with a few coordinates their calls cost as much as the arithmetic. ---- */

/* Sets values to c times those of a part of the matrix. */
static inline void sb_saddle_set_part(sb_scalar *Ax, const int *at, int count, sb_scalar c, const sb_scalar *from) {
    for (int k = 0; k < count; k++) {
        Ax[at[k]] = c * from[k];
    }
}

static inline void sb_saddle_set_H(sb_saddle *saddle, sb_scalar a) {
    sb_saddle_set_part(saddle->Ax, saddle->at_H, saddle->H.p[saddle->H.cols], a, saddle->Hx);
}

static inline void sb_saddle_set_C0(sb_saddle *saddle, sb_scalar b, const sb_scalar *C0x) {
    sb_saddle_set_part(saddle->Ax, saddle->at_C0, saddle->rows > 0 ? saddle->C.p[saddle->rows] : 0, b, C0x);
}

static inline void sb_saddle_set_C1(sb_saddle *saddle, sb_scalar d, const sb_scalar *C1x) {
    const bool apart = saddle->rows > 0 && saddle->at_C1 != NULL;
    sb_saddle_set_part(saddle->Ax, saddle->at_C1, apart ? saddle->C.p[saddle->rows] : 0, d, C1x);
}

static inline void sb_saddle_assemble(sb_saddle *saddle, sb_scalar a, sb_scalar b, const sb_scalar *C0x, sb_scalar d,
                                      const sb_scalar *C1x) {
    sb_saddle_set_H(saddle, a);
    sb_saddle_set_C0(saddle, b, C0x);
    sb_saddle_set_C1(saddle, d, C1x);
}

static inline int sb_saddle_factor_solve(sb_saddle *saddle, sb_scalar *x) {
    sb_linear *linear = &saddle->linear;
    if (linear->type->factor_solve == NULL) {
        SB_TRY(sb_saddle_factor(saddle));
        return sb_saddle_solve(saddle, x);
    }
    linear->ctx->factorizations++;
    return linear->type->factor_solve(linear, saddle->Ax, x);
}

#endif
