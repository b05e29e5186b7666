/* The defaults of --h and of the end of a run. */
#pragma once

#include <stepbench/context.h>

/* Sets *steps to the number of steps of a run, and *h (s) if it is 0.
 *
 * Default of h: sb_default_step of the time scale (s); with t_end > 0 the largest step that is not longer and that
 * takes sb_round_number steps. The number of steps is `count` if that is positive; otherwise t_end / h, where h has to
 * divide t_end (s); if t_end is 0 as well, the next sb_round_number that covers 40 time scales and `period` (s). Fails
 * like sb_steps, and with SB_BAD_USAGE if the default end takes more than 1e5 steps. */
int cli_horizon(sb_context *ctx, double time_scale, double period, double t_end, long count, double *h, long *steps);
