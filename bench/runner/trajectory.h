/* Runs whose samples are all kept: what experiments draw. */
#ifndef STEPBENCH_BENCH_RUNNER_TRAJECTORY_H
#define STEPBENCH_BENCH_RUNNER_TRAJECTORY_H

#include "bench/runner/experiment.h"

/* Samples k = 0 ... count - 1 of the reported state, each in rows of n (q, v) and m (lambda). */
typedef struct sb_path {
    int n, m;
    long count;
    double *t, *q, *v, *lambda;
    sb_system sys;
    const char *failure; /* why the run ended early; NULL: it did not */
} sb_path;

/* `steps` steps of length h, every `every`th kept. A numerical failure is kept in `failure`; other failures are
 * returned. */
int sb_bench_path(sb_bench *bench, const char *problem, const char *stepper, double h, long steps, long every,
                  sb_path *out);

#endif
