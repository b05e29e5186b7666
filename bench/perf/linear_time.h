/* Times of the parts of solving the linear system of a regularized step, spook07 (29) or (30). */
#pragma once

#include <stepbench/numerics/kkt.h>

#include "core/output/table.h"

/* A linear solver by name, the form of the matrix, and the parameters of Sigma = 4 eps/(h^2 (1 + 4 tau)). */
typedef struct sb_linear_setting {
    const char *solver;
    sb_form form;
    double h, eps, tau;
} sb_linear_setting;

/* Processor times in s; numbers in the factors; memory in bytes (NaN if the C library does not report it). */
typedef struct sb_linear_time {
    double analysis, assembly, factor, solve, fill, memory;
} sb_linear_time;

/* Measures the times for the matrix at q: medians of interleaved measurements for about `budget` seconds. */
int sb_time_linear(sb_context *ctx, const sb_system *sys, const double *q, const sb_linear_setting *what, double budget,
                   sb_linear_time *out);

/* Returns the sum of assembly, factorization and solution, s. */
double sb_linear_time_step(const sb_linear_time *t);

/* Adds these times per body to a table `linear_times`. */
int sb_linear_time_row(sb_table *table, const char *system, long N, int bodies, const sb_linear_setting *what,
                       const sb_linear_time *t);
