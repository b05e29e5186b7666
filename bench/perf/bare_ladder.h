/* Hand-coded SPOOK for the ladder of spook07 6, with which the time per step of the stepper is compared. */
#pragma once

#include <stepbench/context.h>

typedef struct sb_bare_ladder {
    long N;                             /* squares */
    double m, l, g, eps, tau_over_h, h; /* of every rod and every constraint */
    struct sb_bare_square *squares;     /* factors, N + 1 */
} sb_bare_ladder;

/* Allocates `squares`; the caller has set the other members. */
int sb_bare_ladder_init(sb_arena *arena, sb_bare_ladder *ladder);
/* Replaces q and v of the problem `ladder`, four numbers per rod, by those after one step. Fails with SB_SINGULAR if a
 * pivot is not positive. */
int sb_bare_ladder_step(const sb_bare_ladder *ladder, double *q, double *v);
