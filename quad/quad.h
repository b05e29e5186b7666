/* The commands of stepbench_quad, and what they share: a call and trajectories in quadruple precision. */
#ifndef STEPBENCH_QUAD_QUAD_H
#define STEPBENCH_QUAD_QUAD_H

#include <stepbench/stepper.h>

#include "core/base/spec.h"
#include "core/output/rows.h"
#include "core/run/run.h"
#include "core/run/solution.h"

/* A call as parsed from the command line. */
typedef struct quad_call {
    sb_context *ctx;
    sb_arena *arena;
    const struct quad_command *command;
    const char *problem, *stepper, *output; /* of -p, -s and -o; NULL: not given */
    sb_spec spec;                           /* of the problem */
    sb_specs formulations;                  /* of -w */
    sb_system sys;                          /* with the formulations */
    void *config;                           /* filled from command->entry.params */
    sb_row_options rows;                    /* of --format, --columns, --pivot and --digits */
    bool format_given;
    bool progress; /* lines `progress STEPS-DONE STEPS WHAT` go to standard error */
} quad_call;

typedef struct quad_command {
    sb_entry entry; /* params are the options */
    bool stepper;   /* needs -s */
    bool rows;      /* takes --format, --columns, --pivot and --digits */
    bool doubles;   /* parameters are rounded to double, so that the system is the one that a double run integrates */
    int (*run)(quad_call *call);
} quad_command;

extern const quad_command quad_run, quad_order, quad_reference, quad_roundoff;

/* Runs a method like sb_run_method, and reports how far it is if call->progress. */
int quad_run_method(const quad_call *call, const char *stepper, sb_method *method, sb_run *run, sb_observer observe,
                    void *arg);

/* ---- Trajectories. ---- */

/* States of a run; the bound of their errors is set for a reference alone. lambda follows from the equations of
 * motion. */
typedef sb_solution quad_path;

/* Runs a stepper, with `around` formulations of its own around the system, `per` steps per sample. Fails like
 * sb_run_method. */
int quad_path_run(const quad_call *call, const char *stepper, const char *around, sb_scalar dt, long count, long per,
                  quad_path *out);
/* Evaluates the exact solution. */
int quad_path_exact(const quad_call *call, sb_scalar dt, long count, quad_path *out);
/* Sets error[k] to the largest 2-norm of the difference of q, v and lambda over the samples of `a`; NaN for no
 * multipliers. Sample j of `a` is sample `every` j of `b`. */
void quad_path_difference(const quad_path *a, const quad_path *b, long every, sb_scalar error[SB_SOLUTION_PARTS]);
/* Returns the largest 2-norm of q, v or lambda. */
sb_scalar quad_path_size(const quad_path *path, int what);

/* Sets q and v of *out to the states of a run in double precision with `count` samples after every `every` steps of
 * length h. Fails with SB_IO where the program cannot be started, and with SB_NOT_CONVERGED where the run ends early.
 */
int quad_doubles(const quad_call *call, double h, long count, long every, quad_path *out);

/* Opens the sink of -o, or standard output, in the requested form. */
int quad_sink(quad_call *call, sb_sink **out);

#endif
