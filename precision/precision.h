/* The commands of the programs of other precisions, a call of them, and trajectories in the precision. */
#pragma once

#include "bench/cli/cli.h"
#include "core/run/run.h"
#include "core/run/solution.h"

/* The name of the precision, and its words in messages. */
#ifdef SB_QUAD
#define PRECISION_NAME "quad"
#define PRECISION_WORDS "quadruple precision"
#else
#define PRECISION_NAME "single"
#define PRECISION_WORDS "single precision"
#endif

/* A call of a command: of one problem by one stepper, if the command takes a stepper. */
typedef struct precision_call {
    cli *me;
    sb_context *ctx;
    sb_arena *arena;
    const void *config;
    const char *problem, *stepper; /* as specified */
    sb_spec spec;                  /* of the problem */
    sb_specs formulations;
    sb_system sys; /* with the formulations */
} precision_call;

extern const cli_command precision_run, precision_order;

/* Returns x rounded to a precision. */
typedef sb_scalar (*precision_rounding)(sb_scalar x);

/* Begins the call of a command. Parameters of the problem and of the formulations are rounded by `rounding`, if given,
 * so that the system is the one that a run in a lower precision integrates. */
int precision_begin(cli *me, precision_rounding rounding, precision_call *out);

/* Runs a method like sb_run_method, and reports its progress with --progress. */
int precision_run_method(const precision_call *call, const char *stepper, sb_method *method, sb_run *run,
                         sb_observer observe, void *arg);

/* Returns the cell of a number: the double next to its shortest text; empty if it is not finite. */
sb_cell precision_cell(sb_scalar x);

/* ---- Trajectories: the states of a run, with lambda from the equations of motion. The bound of their errors is set
 * for a reference alone. ---- */

/* Returns the square of the 2-norm of a - b, or of a if b is NULL. */
sb_scalar precision_distance2(int n, const sb_scalar *a, const sb_scalar *b);

/* Runs a stepper, with `around` formulations of its own around the system, `per` steps per sample; with
 * `to_breaks` steps also end at the breaks of the system. Fails like sb_run_method. */
int precision_path_run(const precision_call *call, const char *stepper, const char *around, sb_scalar dt, long count,
                       long per, bool to_breaks, sb_solution *out);
/* Evaluates the exact solution. */
int precision_path_exact(const precision_call *call, sb_scalar dt, long count, sb_solution *out);
/* Sets error[k] to the largest 2-norm of the difference of q, v and lambda over the samples of `a`; NaN for no
 * multipliers in either. Sample j of `a` is compared with sample `every` j of `b`. */
void precision_path_difference(const sb_solution *a, const sb_solution *b, long every,
                               sb_scalar error[SB_SOLUTION_PARTS]);
/* Returns the largest 2-norm of q, v or lambda. */
sb_scalar precision_path_size(const sb_solution *path, int part);

/* Sets q and v of *out to the states of a run in double precision, or in single precision if `single`, with the
 * plug-ins of these files, one per line, and `count` samples after every `every` steps of length h. Fails with SB_IO
 * where the program cannot be started, and with SB_NOT_CONVERGED where the run ends early. */
int precision_run_lower(const precision_call *call, bool single, const char *plugins, double h, long count, long every,
                        sb_solution *out);
