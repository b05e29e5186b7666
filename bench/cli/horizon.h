/* The step and the end of a run that the command line leaves out. */
#ifndef STEPBENCH_BENCH_CLI_HORIZON_H
#define STEPBENCH_BENCH_CLI_HORIZON_H

#include <stepbench/context.h>

/* Sets *steps, and *h (s) where it is 0. Without h: the default step of the time scale (s), or with t_end the largest
 * that is at most that and takes sb_round_number steps. The end is t_end (s), which h has to divide, or with 0 `count`
 * steps, or with 0 again 40 time scales or, if that is longer, `period` (s); then the number of steps is the next
 * sb_round_number. Fails like sb_steps, and with SB_BAD_USAGE if h is so short that this end takes more than 1e5 steps.
 */
int cli_horizon(sb_context *ctx, double time_scale, double period, double t_end, long count, double *h, long *steps);

#endif
