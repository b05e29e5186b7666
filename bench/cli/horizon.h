/* The step and the end of a run that the command line leaves out. */
#ifndef STEPBENCH_BENCH_CLI_HORIZON_H
#define STEPBENCH_BENCH_CLI_HORIZON_H

#include <stepbench/context.h>

/* Sets *steps, and *h (s) where it is 0. Without h: at most a tenth of the time scale (s). The end is t_end (s), which
 * h has to divide, or with 0 `count` steps, or with 0 again 40 time scales or a little more: two orbits of Kepler's
 * problem with e = 0.5. Numbers that are chosen here are 1, 2 or 5 times a power of ten; with t_end that is the number
 * of steps, otherwise h. Fails like sb_steps, and with
 * SB_BAD_USAGE if h is so short that 40 time scales take more than 1e5 steps. */
int cli_horizon(sb_context *ctx, double time_scale, double t_end, long count, double *h, long *steps);

#endif
