/* The commands of stepbench_quad, a call of them, and trajectories in quadruple precision. */
#ifndef STEPBENCH_QUAD_QUAD_H
#define STEPBENCH_QUAD_QUAD_H

#include <stepbench/method.h>

#include "bench/cli/cli.h"
#include "core/run/run.h"
#include "core/run/solution.h"

/* A call of a command: of one problem by one stepper, if the command takes a stepper. */
typedef struct quad_call {
    cli *me;
    sb_context *ctx;
    sb_arena *arena;
    const void *config;
    const char *problem, *stepper; /* as specified */
    sb_spec spec;                  /* of the problem */
    sb_specs formulations;
    sb_system sys; /* with the formulations */
} quad_call;

extern const cli_command quad_run, quad_order;

/* Begins the call of a command. `doubles`: parameters are rounded to double, so that the system is the one that a run
 * in double precision integrates. */
int quad_begin(cli *me, bool doubles, quad_call *out);

/* Runs a method like sb_run_method, and reports its progress with --progress. */
int quad_run_method(const quad_call *call, const char *stepper, sb_method *method, sb_run *run, sb_observer observe,
                    void *arg);

/* Returns the cell of a number, empty if it is not finite. */
static inline sb_cell quad_cell(sb_scalar x) { return isfinite(x) ? sb_real((double)x) : sb_empty(); }

/* ---- Trajectories: the states of a run, with lambda from the equations of motion. The bound of their errors is set
 * for a reference alone. ---- */

/* Returns the square of the 2-norm of a - b, or of a if b is NULL. */
sb_scalar quad_distance2(int n, const sb_scalar *a, const sb_scalar *b);

/* Runs a stepper, with `around` formulations of its own around the system, `per` steps per sample. Fails like
 * sb_run_method. */
int quad_path_run(const quad_call *call, const char *stepper, const char *around, sb_scalar dt, long count, long per,
                  sb_solution *out);
/* Evaluates the exact solution. */
int quad_path_exact(const quad_call *call, sb_scalar dt, long count, sb_solution *out);
/* Sets error[k] to the largest 2-norm of the difference of q, v and lambda over the samples of `a`; NaN for no
 * multipliers in either. Sample j of `a` is compared with sample `every` j of `b`. */
void quad_path_difference(const sb_solution *a, const sb_solution *b, long every, sb_scalar error[SB_SOLUTION_PARTS]);
/* Returns the largest 2-norm of q, v or lambda. */
sb_scalar quad_path_size(const sb_solution *path, int part);

/* Sets q and v of *out to the states of a run in double precision, with the plug-ins in_double, one per line, with
 * `count` samples after every `every` steps of length h. Fails with SB_IO where the program cannot be started, and with
 * SB_NOT_CONVERGED where the run ends early.
 */
int quad_doubles(const quad_call *call, const char *in_double, double h, long count, long every, sb_solution *out);

#endif
