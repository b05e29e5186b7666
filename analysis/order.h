/* Order of convergence: errors of a stepper against a reference over a list of steps, and their slopes. */
#ifndef STEPBENCH_ANALYSIS_ORDER_H
#define STEPBENCH_ANALYSIS_ORDER_H

#include "analysis/fit.h"
#include "analysis/reference.h"

/* The options of the analysis. */
typedef struct sb_order_config {
    sb_reals h; /* s; empty: time_scale/10 and `levels` - 1 smaller ones */
    long levels;
    double ratio; /* of one derived step to the next: a whole number */
    double t_end; /* s; 0: about 4 time scales */
    const char *reference;
    double reference_h; /* s; 0: 1/32 of the smallest step */
} sb_order_config;

typedef struct sb_order_level {
    double h;
    long steps;
    double error[SB_ERR_COUNT]; /* NaN where there is none */
    double floor[SB_ERR_COUNT]; /* round-off and the reference's own error */
    double slope[SB_ERR_COUNT]; /* against the next larger step; NaN where masked */
    const char *failure;        /* NULL: the run went through */
} sb_order_level;

typedef struct sb_order {
    int n;
    sb_order_level *levels; /* from the largest step to the smallest */
    sb_slope fit[SB_ERR_COUNT];
} sb_order;

/* Measures one pair. A status for which sb_failure_is_result holds means there is no reference (sentence in ctx). */
int sb_order_measure(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair, sb_order *out);

#endif
