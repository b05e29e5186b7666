/* An analysis: options and one (system, stepper) pair to rows. */
#ifndef STEPBENCH_ANALYSIS_ANALYSIS_H
#define STEPBENCH_ANALYSIS_ANALYSIS_H

#include <stepbench/stepper.h>

#include "core/base/spec.h"
#include "core/output/table.h"

/* What an analysis is run on. Names are what rows show: the specifications as written. */
typedef struct sb_pair {
    const char *problem, *stepper;
    const sb_system *sys;
    const sb_stepper *type;
    const void *config;
} sb_pair;

/* The pair of a system and a stepper's specification "name:k=v,...". Whether they fit is not asked. */
int sb_pair_build(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, sb_pair *out);

typedef struct sb_analysis {
    sb_entry entry;              /* its parameters are the options of the command: h -> --h, t_end -> --t-end */
    const char *default_problem; /* specification (or glob) used when no -p is given */
    const char *default_stepper; /* the same for -s; NULL: every stepper */
    unsigned needs;              /* SB_OFFERS_... or SB_HAS_... of the system */
    int ncolumns;
    const sb_column *columns;
    /* SB_BAD_USAGE for options that make no sense for the pair; asked of every pair before anything is run or written. NULL: nothing to ask. */
    int (*check)(sb_context *ctx, const void *config, const sb_pair *pair);
    /* Writes rows for one pair; begin and end are the caller's. A numerical failure is a row with a status, and returned when all rows are written. */
    int (*run)(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out);
} sb_analysis;

int sb_analyses_register(sb_registry *registry);

/* Runs the analysis named `analysis` with options "k=v,..." on every supported pair of problem and stepper specifications
 * (globs allowed in the name part), in order. A pair a glob brought in that does not fit gives a row whose `status` column
 * says why; a pair named outright that does not fit is SB_UNSUPPORTED. Calls begin and end of `out`. The numerical failure of a pair named outright
 * is returned once all rows are written. */
int sb_analysis_run(sb_context *ctx, const char *analysis, const char *options, int nproblems, const char *const *problems,
                    int nformulations, const char *const *formulations, int nsteppers, const char *const *steppers, sb_sink *out);

/* What an analysis is called on; no problems or no steppers: its defaults. */
typedef struct sb_call {
    sb_specs problems, formulations, steppers;
} sb_call;

/* Every pair of a call, named, built and checked before anything runs; they are run in any order, each by itself. `config` outlives it.
 * SB_BAD_USAGE for options that make no sense for one of them. */
typedef struct sb_product sb_product;
int sb_product_new(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const void *config, const sb_call *call, sb_product **out);
int sb_product_count(const sb_product *product);
sb_pair sb_product_pair(const sb_product *product, int k);
/* The rows of pair k, given as sb_product_pair gives it or as one that does what it does; begin and end are the caller's. The numerical failure of a pair
 * named outright is returned once its rows are written. */
int sb_product_run(sb_context *ctx, const sb_product *product, int k, const sb_pair *pair, sb_sink *out);

#endif
