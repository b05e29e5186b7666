/* Tools for experiments: runs, analyses, tables, exponents with standard errors, condition numbers. Includes the
 * functions that record quantities. */
#pragma once

#include <stepbench/numerics/norm.h>

#include "analysis/accuracy/fit.h"
#include "bench/runner/claims.h"
#include "bench/runner/trajectory.h"

/* Writes one row from its cells. */
#define SB_ROW(sink, ...) (sink)->row((sink), (const sb_cell[]){__VA_ARGS__})
/* Adds one row to a table from its cells, one for each column. */
#define SB_TABLE_ROW(table, ...)                                                                                       \
    sb_bench_cells((table), SB_COUNT(((const sb_cell[]){__VA_ARGS__})), (const sb_cell[]){__VA_ARGS__})
int sb_bench_cells(sb_table *table, int count, const sb_cell *cells);
/* Adds one row of numbers, one for each column; NaN leaves its cell empty. */
#define SB_NUMBERS(table, ...)                                                                                         \
    sb_bench_numbers((table), SB_COUNT(((const double[]){__VA_ARGS__})), (const double[]){__VA_ARGS__})
int sb_bench_numbers(sb_table *table, int count, const double *values);

/* Returns the exponent of y in x from n pairs (at most 64): NaN if there are fewer than three or any number is not
 * positive. */
sb_slope sb_bench_slope(int n, const double *x, const double *y);

/* Returns the effective number of independent members of n, n (1 - r)/(1 + r), where r is the correlation of the
 * numbers of members `lag` places apart, taken as 0 if it is negative. Members that agree are one. */
double sb_bench_effective(int n, int lag, const double *x);

/* Returns |measured - published| / |published|. */
double sb_relative(double measured, double published);

/* Computes the condition number sigma_max/sigma_min of a column-major n x n matrix, which is overwritten. Fails with
 * SB_NOT_CONVERGED. */
int sb_bench_condition(sb_bench *bench, int n, double *A, double *out);

/* Runs an analysis on problem and stepper specifications (each list ends with NULL) and keeps its rows in `out`. */
int sb_bench_analyse(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                     const char *const *steppers, sb_table *out);
/* Does the same for the members of each problem; NULL: none. It takes less time than the command, because the steppers
 * share the references of the members. */
int sb_bench_analyse_members(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                             const char *const *steppers, const sb_ensemble *ensemble, sb_table *out);
/* Does the same as sb_bench_analyse, but adds the rows to those of `out`; `out` is {0} if it has none. */
int sb_bench_analyse_more(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                          const char *const *steppers, sb_table *out);

/* Begins a table in memory, with the columns that the file columns.csv of a paper, or beside a plug-in, lists for the
 * table `name`. An experiment writes files only at its end, so that a failure leaves no incomplete file. Fails with
 * SB_BAD_USAGE without such columns. */
int sb_bench_table(sb_bench *bench, const char *name, sb_table *out);
/* Adds the rows of another table with the same columns. */
int sb_bench_append(sb_table *to, const sb_table *rows);
/* Writes the table to out/NAME as CSV with ten digits; the head lists the columns with trusted digits. */
int sb_bench_save(sb_bench *bench, const sb_table *table, const char *name);
/* The same for a table that is drawn and decides no claim: numbers have four digits, of the range of their column where
 * that is smaller than the number. The head of the file says so, and files are compared accordingly. */
int sb_bench_save_curves(sb_bench *bench, sb_table *table, const char *name);
