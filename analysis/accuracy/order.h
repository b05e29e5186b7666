/* Order of convergence: errors of a stepper against a reference for a list of steps or tolerances, and their slopes. */
#pragma once

#include "analysis/accuracy/fit.h"
#include "analysis/accuracy/reference.h"

/* The options of the analysis. */
typedef struct sb_order_config {
    sb_reals h;   /* s; empty: the default step and `levels` - 1 smaller ones */
    sb_reals tol; /* tolerances of steppers with error control; empty: 1e-3 and `levels` - 1 smaller ones */
    long levels;
    double ratio;  /* ratio of successive steps if h is empty: a whole number */
    double t_end;  /* s; 0: the end of a reference from a file, else the default end, sb_default_end */
    double scales; /* time scales of the problem up to the default end */
    const char *reference;
    double reference_h; /* s; 0: 1/32 of the smallest step */
} sb_order_config;

/* The rows of a parameter table for a configuration that is, or begins with, an sb_order_config. */
#define SB_ORDER_PARAMS(type, default_levels, default_scales)                                                          \
    SB_PARAM("h", SB_REALS, offsetof(type, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",                                  \
             "steps, each a whole fraction of the largest; empty: a tenth of the problem's time scale in two digits "  \
             "and levels - 1 smaller ones"),                                                                           \
        SB_PARAM("tol", SB_REALS, offsetof(type, tol), "", 0.0, 1.0, SB_OPEN, NULL, "",                                \
                 "tolerances of steppers with error control, which take them in place of the steps; the largest h is " \
                 "the interval of output; empty: 1e-3 and levels - 1 smaller ones by factors of 10"),                  \
        SB_PARAM_INT(type, levels, default_levels, 2.0, 30.0,                                                          \
                     "number of steps, or of tolerances, when h or tol is empty"),                                     \
        SB_PARAM_REAL(type, ratio, "2", 2.0, 100.0, SB_CLOSED, "",                                                     \
                      "ratio of successive steps when h is empty; a whole number"),                                    \
        SB_PARAM_NOT_NEGATIVE(                                                                                         \
            type, t_end, "0", "s",                                                                                     \
            "end of the runs, a multiple of the largest h; 0: that of a reference from a file, else see scales"),      \
        SB_PARAM_REAL(type, scales, default_scales, 0.0, 1e6, SB_OPEN_LO, "",                                          \
                      "duration of the runs when t_end is 0, in time scales of the problem, rounded; or, if longer, "  \
                      "one period"),                                                                                   \
        SB_PARAM_TEXT(                                                                                                 \
            type, reference, "auto",                                                                                   \
            "exact, gsl (rk8pd on the index-1 equations, tolerance 1e-13), finest (the same stepper at "               \
            "reference_h), the name of a stepper (at reference_h), FILE.json of `stepbench reference`, or "            \
            "auto: exact where there is one, else gsl, or finest with contacts; for a stepper with compliant "         \
            "constraints that the steps resolve, the motion with them"),                                               \
        SB_PARAM_NOT_NEGATIVE(type, reference_h, "0", "s",                                                             \
                              "step of a stepper as reference; 0: 1/32 of the smallest h")

typedef struct sb_order_level {
    double h;
    double tolerance;                 /* tolerance of a stepper with error control, else NaN */
    double size;                      /* the tolerance or h: errors are powers of it */
    long steps;                       /* with error control: accepted steps, those to the outputs included */
    double error[SB_ERR_COUNT];       /* NaN: none */
    double floor[SB_ERR_COUNT];       /* round-off and the reference's own error */
    double change_q, change_v;        /* largest distance from the run of the level before; NaN: none */
    double slope[SB_ERR_COUNT];       /* from the next larger size to this; NaN where an error is below its floor */
    double slope_floor[SB_ERR_COUNT]; /* bound of the change of the slope by the floors; NaN without a slope */
    int why;                          /* status of the run */
    const char *failure;              /* message of a run that failed, else NULL */
} sb_order_level;

typedef struct sb_order {
    int n;
    long samples;           /* multiples of the largest step at which the errors are taken */
    sb_order_level *levels; /* the largest step first */
    sb_slope fit[SB_ERR_COUNT], fit_floor[SB_ERR_COUNT]; /* slopes; bounds of their changes by the floors */
    double size_q, size_v, size_lambda;                  /* largest |q|, |v| and |lambda| of the reference */
    double reference[SB_ERR_COUNT];                      /* estimates of its error */
    bool compliant;              /* the reference has the compliant constraints of the stepper */
    double effect[SB_ERR_COUNT]; /* of the compliance of the stepper, part of the floors; 0 if there is none */
} sb_order;

/* Returns the cell of the estimated error k of the reference, with the digits that round-off leaves certain. */
sb_cell sb_order_reference_cell(const sb_order *order, int k);

/* Sets `out` to the pair with the tolerance of a level. */
int sb_order_pair(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const sb_order_level *level, sb_pair *out);

/* Checks the list of steps: sb_analysis.check of an analysis whose configuration begins with sb_order_config. */
int sb_order_check(const sb_task *task);

/* Computes the errors and slopes of one pair. A failure that is a result (sb_failure_is_result) means that there is no
 * reference. */
int sb_order_measure(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair,
                     sb_order *out);
