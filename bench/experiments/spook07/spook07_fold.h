/* Finds whether the solution of spook07 (26) ends where Newton's iteration fails. */
#pragma once

#include "bench/runner/experiment_tools.h"

/* The solution of a step of length s h, followed from small s. */
typedef struct sb_fold {
    double t;        /* of the state whose step fails */
    double s;        /* the end of the branch; 1: the whole step has a solution */
    double singular; /* smallest singular value of the Jacobian there, over its value at the start */
    double exponent; /* power of the distance from the end in that value: 1/2 at a fold */
} sb_fold;

/* Takes steps of variational_regularized with its default parameters until one fails, and follows the solution of that
 * step. For a constant mass and holonomic constraints. Fails with SB_UNSUPPORTED if no step fails within `steps`. */
int sb_spook07_fold(sb_bench *bench, const char *problem, double h, long steps, sb_fold *out);
