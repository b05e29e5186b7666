/* Whether an engine moves the same bodies under the same gravity as the exact motion does. */
#ifndef STEPBENCH_BENCH_PEERS_CHECK_H
#define STEPBENCH_BENCH_PEERS_CHECK_H

#include "bench/peers/contender.h"

/* Runs the contender for 0.1 s in steps of 20 us, in single precision of 100 us, on the problem with three squares or
 * loops. Fails with SB_INCONSISTENT, which names what differs, if the energy or a position of the start or of the end
 * is not that of the exact motion to the first order of the step. */
int check_physics(sb_context *ctx, const contender *who, const char *problem);

#endif
