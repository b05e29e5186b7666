/* Options of the commands in quadruple precision, which stepbench shows and stepbench_quad runs. */
#pragma once

#include <stepbench/entry.h>

struct cli;
int precision_reference_run(struct cli *me);
int precision_roundoff_run(struct cli *me);

typedef struct sb_reference_options {
    sb_scalar t_end, h, goal;
    long samples, halvings;
    const char *second;
} sb_reference_options;

#define SB_REFERENCE_PARAMS                                                                                            \
    SB_PARAM_POSITIVE(sb_reference_options, t_end, NULL, "s", "end of the motion"),                                    \
        SB_PARAM_INT(sb_reference_options, samples, "1", 1.0, 1e6, "equidistant times at which the solution is kept"), \
        SB_PARAM_NOT_NEGATIVE(sb_reference_options, h, "0", "s",                                                       \
                              "largest step that is tried; 0: 0.4 of the problem's time scale"),                       \
        SB_PARAM_REAL(sb_reference_options, goal, "1e-22", 0.0, 1.0, SB_OPEN, "",                                      \
                      "steps are halved until halving changes the solution by less than this share of its size"),      \
        SB_PARAM_INT(sb_reference_options, halvings, "10", 1.0, 30.0, "halvings of the step at most"), {               \
        "second", SB_TEXT, offsetof(sb_reference_options, second), "auto", 0.0, 0.0, SB_CLOSED, NULL, "",              \
            "the second method: a stepper that is given the formulation of the first; auto: by the terms of the "      \
            "problem"                                                                                                  \
    }

typedef struct sb_roundoff_options {
    sb_scalar h, lost;
    long steps, runs;
    const char *lower_plugins;
    int of;
} sb_roundoff_options;

#define SB_ROUNDOFF_PARAMS                                                                                             \
    SB_PARAM_POSITIVE(sb_roundoff_options, h, NULL, "s", "length of a step, rounded to the precision"),                \
        SB_PARAM_INT(sb_roundoff_options, steps, "32768", 64.0, 1e9, "number of steps"),                               \
        SB_PARAM_INT(sb_roundoff_options, runs, "8", 1.0, 1000.0,                                                      \
                     "runs, each with its own round-off: their steps are h (1 + k 2^-20), k = 0, 1, ..."),             \
        SB_PARAM_REAL(sb_roundoff_options, lost, "0.01", 0.0, 1.0, SB_OPEN, "",                                        \
                      "a trajectory is lost when its error exceeds this share of the largest |q|"),                    \
        SB_PARAM_CHOICE(sb_roundoff_options, of, "double", "double|single",                                            \
                        "the precision whose round-off is measured"),                                                  \
        SB_PARAM_TEXT(sb_roundoff_options, lower_plugins, "",                                                          \
                      "the files of --plugin, one per line, for the runs in that precision")
