/* A consistent start from guesses. */
#ifndef STEPBENCH_NUMERICS_START_H
#define STEPBENCH_NUMERICS_START_H

#include <stepbench/system.h>

/* Moves the guesses q and v (n each) until g(t, q) = 0, G v + g_t = 0 and A v = w(t). Only the coordinates marked in
 * moves_q and the velocities marked in moves_v (n each) change, in every iteration by least squares, so that the rows
 * may be fewer than they are, or redundant. Of the system only the constraints are needed. SB_INCONSISTENT, with a
 * sentence that begins with `what`, where these coordinates cannot satisfy the rows or determine them to first order
 * only. */
int sb_start_solve(sb_context *ctx, const char *what, const sb_system *sys, sb_scalar t, const bool *moves_q,
                   const bool *moves_v, sb_scalar *q, sb_scalar *v);

#endif
