/* Smaller SVG files. */
#ifndef STEPBENCH_BENCH_RUNNER_PLOT_H
#define STEPBENCH_BENCH_RUNNER_PLOT_H

#include <stepbench/context.h>

/* Rewrites gnuplot's SVG file `drawn` as `smaller` with svg.awk. SB_IO if awk fails. */
int sb_svg_shrink(sb_context *ctx, sb_arena *arena, const char *drawn, const char *smaller);

#endif
