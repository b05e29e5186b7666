/* Smaller SVG files. */
#ifndef STEPBENCH_BENCH_RUNNER_PLOT_H
#define STEPBENCH_BENCH_RUNNER_PLOT_H

#include <stdio.h>

#include <stepbench/context.h>

/* Writes gnuplot's SVG file `drawn` to the stream `smaller` with svg.awk. Fails with SB_IO if `drawn` was not written
 * whole or awk fails; what `smaller` refuses sets its error indicator. */
int sb_svg_shrink(sb_context *ctx, sb_arena *arena, FILE *drawn, FILE *smaller);

#endif
