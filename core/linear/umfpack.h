/* UMFPACK's phases, shared by the entries for its two strategies. */
#ifndef STEPBENCH_CORE_LINEAR_UMFPACK_H
#define STEPBENCH_CORE_LINEAR_UMFPACK_H

#include <stepbench/numerics/linear.h>

/* `strategy`: UMFPACK_STRATEGY_UNSYMMETRIC or UMFPACK_STRATEGY_SYMMETRIC. */
int sb_umfpack_analyse(sb_linear *me, sb_arena *arena, int strategy);
int sb_umfpack_factor(sb_linear *me, const double *Ax);
int sb_umfpack_solve(const sb_linear *me, double *b);
void sb_umfpack_stats(const sb_linear *me, sb_linear_stats *out);

#endif
