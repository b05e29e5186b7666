/* A consistent start from guesses. */
#ifndef STEPBENCH_NUMERICS_START_H
#define STEPBENCH_NUMERICS_START_H

#include <stepbench/system.h>

/* Moves the guess q (n) until g(t, q) = 0. Only the coordinates marked in `moves` (n) change, in every iteration by
 * least squares of the changes over the sizes of the coordinates (n; NULL: 1), so that the rows may be fewer than they
 * are, or redundant. Of the system only the constraints are needed. SB_INCONSISTENT, with a sentence that begins with
 * `what`, where these coordinates cannot satisfy the rows or determine them to first order only. */
int sb_start_positions(sb_context *ctx, const char *what, const sb_system *sys, sb_scalar t, const bool *moves,
                       const sb_scalar *size, sb_scalar *q);
/* Moves v until G v + g_t = 0 and A v = w(t) at q, in the same way. SB_INCONSISTENT where the velocities that may
 * change cannot satisfy the rows. */
int sb_start_velocities(sb_context *ctx, const char *what, const sb_system *sys, sb_scalar t, const bool *moves,
                        const sb_scalar *size, const sb_scalar *q, sb_scalar *v);

#endif
