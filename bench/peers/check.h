/* Checks that an engine moves the same bodies under the same gravity as the exact motion. */
#ifndef STEPBENCH_BENCH_PEERS_CHECK_H
#define STEPBENCH_BENCH_PEERS_CHECK_H

#include "bench/peers/contender.h"

/* Runs the contender for 0.1 s in steps of 20 us (100 us in single precision) on the problem with three squares or
 * loops. Fails with SB_INCONSISTENT if the energy or a position at the start or at the end differs from the
 * exact motion by more than the first order of the step; the message states the difference. */
int check_physics(sb_context *ctx, const contender *who, const char *problem);

#endif
