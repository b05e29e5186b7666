/* Runs of a stepper on a problem: with all samples in arrays, with an observer, or step by step. Specifications are
 * texts; NULL stands for a text for which sb_bench_format had no memory, and fails with SB_NO_MEMORY. */
#pragma once

#include "analysis/orbit.h"
#include "bench/runner/experiment.h"

/* Samples k = 0 ... count - 1 of the reported state; a sample is a row of q and v (n numbers each) and lambda (m). */
typedef struct sb_path {
    int n, m;
    long count;
    double *t, *q, *v, *lambda;
    long iters; /* sum of the iterations of the sampled steps */
    sb_system sys;
    const char *failure; /* message of the failure that ended the run early; NULL: none */
} sb_path;

/* Runs `steps` steps of length h and keeps every `every`th state. Returns SB_OK after a numerical failure, which
 * out->failure describes; returns the status of other failures. */
int sb_bench_path(sb_bench *bench, const char *problem, const char *stepper, double h, long steps, long every,
                  sb_path *out);
/* The same for any run, on the problem rewritten by `formulation`, "" for none. Sets out->lambda to NULL unless
 * run->multipliers is set. */
int sb_bench_path_of(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                     const sb_run *run, sb_path *out);
/* The same, but fails with SB_NOT_CONVERGED if the run ends early. */
int sb_bench_whole_path(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                        const sb_run *run, sb_path *out);

/* Returns the largest distance of a coordinate of two runs at the same sample; NaN if one of them ended early. */
double sb_path_distance(const sb_path *a, const sb_path *b);

/* Runs without keeping samples and passes each to `observe`. Returns the status of every failure. */
int sb_bench_observe(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                     const sb_run *run, sb_observer observe, void *arg);

/* Builds a method on a system, and its orbit from the system's initial state with the step h. */
int sb_bench_orbit(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, double h,
                   sb_method *method, sb_orbit *out);
