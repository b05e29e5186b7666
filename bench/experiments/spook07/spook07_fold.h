/* Where Newton's iteration on spook07 (26) fails: does the solution end, or only the iteration? */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_SPOOK07_SPOOK07_FOLD_H
#define STEPBENCH_BENCH_EXPERIMENTS_SPOOK07_SPOOK07_FOLD_H

#include "bench/runner/verdicts.h"

/* The solution of a step shortened to s h, followed from small s. */
typedef struct sb_fold {
    double t;        /* of the state whose step fails */
    double s;        /* the end of the branch; 1: it reaches the whole step */
    double singular; /* smallest singular value of the Jacobian there, over its value at the start */
    double exponent; /* of that value in the distance from the end: 1/2 at a fold */
} sb_fold;

/* Takes steps of variational_regularized with its default parameters until one fails, and follows the solution of that
 * one. For a constant mass and holonomic constraints. SB_UNSUPPORTED if none fails within `steps`. */
int sb_spook07_fold(sb_bench *bench, const char *problem, double h, long steps, sb_fold *out);

#endif
