/* Runs of a stepper on a problem: with all samples kept, observed, or step by step. A specification that is NULL is one
 * that sb_bench_format had no memory for. */
#ifndef STEPBENCH_BENCH_RUNNER_TRAJECTORY_H
#define STEPBENCH_BENCH_RUNNER_TRAJECTORY_H

#include "analysis/orbit.h"
#include "bench/runner/experiment.h"

/* Samples k = 0 ... count - 1 of the reported state, each in rows of n (q, v) and m (lambda). */
typedef struct sb_path {
    int n, m;
    long count;
    double *t, *q, *v, *lambda;
    long iters; /* iterations of the sampled steps, their sum */
    sb_system sys;
    const char *failure; /* why the run ended early; NULL: it did not */
} sb_path;

/* Runs `steps` steps of length h and keeps every `every`th. A numerical failure is kept in `failure`; other failures
 * are returned. */
int sb_bench_path(sb_bench *bench, const char *problem, const char *stepper, double h, long steps, long every,
                  sb_path *out);

/* The same for any run, on the problem rewritten by `formulation`, "" for none. lambda is NULL unless asked for. */
int sb_bench_path_of(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                     const sb_run *run, sb_path *out);

/* The same; a run that ends early fails with SB_NOT_CONVERGED. */
int sb_bench_whole_path(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                        const sb_run *run, sb_path *out);

/* Runs in memory that is freed and passes the samples to `observe`. Numerical failures are returned as others. */
int sb_bench_observe(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                     const sb_run *run, sb_observer observe, void *arg);

/* Builds a method on a system, and its orbit from the system's initial state with the step h. */
int sb_bench_orbit(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, double h,
                   sb_method *method, sb_orbit *out);

#endif
