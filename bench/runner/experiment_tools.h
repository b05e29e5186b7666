/* Tools for experiments: runs, analyses, tables, exponents with standard errors, condition numbers. Includes the
 * functions that record quantities. */
#ifndef STEPBENCH_BENCH_RUNNER_EXPERIMENT_TOOLS_H
#define STEPBENCH_BENCH_RUNNER_EXPERIMENT_TOOLS_H

#include <math.h>

#include <stepbench/numerics/norm.h>

#include "analysis/accuracy/fit.h"
#include "bench/runner/claims.h"
#include "bench/runner/trajectory.h"

/* Writes one row from its cells. */
#define SB_ROW(sink, ...) (sink)->row((sink), (const sb_cell[]){__VA_ARGS__})
/* Writes one row of numbers, one for each column of the table; NaN leaves its cell empty. */
#define SB_NUMBERS(table, ...) sb_bench_numbers((table), (const double[]){__VA_ARGS__})
int sb_bench_numbers(sb_table *table, const double *values);

/* Returns the exponent of y in x from n pairs (at most 64): NaN if there are fewer than three or any number is not
 * positive. */
sb_slope sb_bench_slope(int n, const double *x, const double *y);

/* Returns |measured - published| / |published|. */
double sb_relative(double measured, double published);

/* Computes the condition number sigma_max/sigma_min of a column-major n x n matrix, which is overwritten. Fails with
 * SB_NOT_CONVERGED. */
int sb_bench_condition(sb_bench *bench, int n, double *A, double *out);

/* Runs an analysis on problem and stepper specifications (each list ends with NULL) and keeps its rows in `out`. */
int sb_bench_analyse(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                     const char *const *steppers, sb_table *out);
/* The same, but adds the rows to those of `out`; `out` is {0} if it has none. */
int sb_bench_analyse_more(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                          const char *const *steppers, sb_table *out);

/* Begins a table in memory. An experiment writes files only at its end, so that a failure leaves no incomplete file. */
int sb_bench_table(sb_bench *bench, int ncolumns, const sb_column *columns, sb_table *out);
/* The same for an array of columns. */
#define SB_TABLE(bench, columns, out) sb_bench_table((bench), SB_COUNT(columns), (columns), (out))
/* Adds the rows of another table with the same columns. */
int sb_bench_append(sb_table *to, const sb_table *rows);
/* Writes the table to out/NAME as CSV with ten digits; the head lists the columns with trusted digits. */
int sb_bench_save(sb_bench *bench, const sb_table *table, const char *name);
/* The same for a table that is drawn and decides no claim: numbers have four digits, of the range of their column where
 * that is smaller than the number. The head of the file says so, and files are compared accordingly. */
int sb_bench_save_curves(sb_bench *bench, sb_table *table, const char *name);

#endif
