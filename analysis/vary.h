/* A pair with one parameter of its problem or its stepper set to another number. */
#pragma once

#include "analysis/analysis.h"

/* A parameter of a pair. */
typedef struct sb_pair_param {
    const char *name;  /* "problem.gamma" or "stepper.gamma", as rows show it */
    const char *param; /* "gamma" */
    bool of_stepper;
} sb_pair_param;

/* The columns of the parameter that is varied. */
#define SB_COLUMNS_VARIED                                                                                              \
    {"parameter", SB_COL_KEY, "", "name of the parameter that is varied; empty if none"}, {                            \
        "value", SB_COL_KEY, "", "its value"                                                                           \
    }

/* Finds the parameter `name` of a pair: "problem.gamma", "stepper.gamma", or "gamma" if only one of the two has it.
 * Fails with SB_BAD_USAGE if none has it, or both have an unqualified one. */
int sb_pair_find_param(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *name, sb_pair_param *out);

/* Returns whether the specification of the pair's problem sets the parameter. */
bool sb_pair_sets(const sb_pair *pair, const char *param);

/* Sets `out` to the pair with the parameter set to x. A problem is built anew in the arena. The names shown in rows do
 * not change. Fails with SB_BAD_USAGE if x is out of the range of the parameter or the problem is under a formulation,
 * with SB_UNSUPPORTED if the stepper does not take the new problem. */
int sb_pair_vary(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const sb_pair_param *param, double x,
                 sb_pair *out);

/* Sets *out to a copy of the configuration of `entry` with the parameter set to x. Fails with SB_BAD_USAGE if x is out
 * of range. */
int sb_config_vary(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const void *config, const char *param,
                   double x, const void **out);

/* Checks that the pair has the parameter `name` and takes each of the values. Fails with SB_BAD_USAGE. */
int sb_pair_check_vary(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *name, const sb_reals *values);
