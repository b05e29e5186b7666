/* The Schur complement S = C1' M^-1 C0 + E (r x r) on the pattern C = [G A] of all constraints, for Newton's method on
 * the multipliers only and for the Schur form of SPOOK. */
#ifndef STEPBENCH_NUMERICS_SCHUR_H
#define STEPBENCH_NUMERICS_SCHUR_H

#include <stepbench/numerics/mass.h>

struct sb_schur_work;

typedef struct sb_schur {
    struct sb_schur_work *work; /* NULL without constraints */
} sb_schur;

int sb_schur_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_mass *mass, sb_schur *out);
/* Evaluates and factors S. E (r) may be NULL for zero. Row numbers in messages are constraints. */
int sb_schur_factor(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                    const sb_scalar *E);
/* Solves in place: b (r) becomes S^-1 b. */
int sb_schur_solve(const sb_schur *schur, sb_scalar *b);
/* Returns the status, and records the message, of a factorization by the caller with this pivot in `row`. */
int sb_schur_bad_pivot(const sb_schur *schur, int row, sb_scalar pivot);

#endif
