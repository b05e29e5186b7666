/* What experiments share: exponents with standard errors, analyses, and tables that are saved as a whole. */
#ifndef STEPBENCH_BENCH_RUNNER_VERDICTS_H
#define STEPBENCH_BENCH_RUNNER_VERDICTS_H

#include "analysis/accuracy/fit.h"
#include "bench/runner/claims.h"

/* Writes one row from its cells. */
#define SB_ROW(sink, ...) (sink)->row((sink), (const sb_cell[]){__VA_ARGS__})

/* The exponent of y in x from n pairs (at most 64): NaN if there are fewer than three or any number is not positive. */
sb_slope sb_bench_slope(int n, const double *x, const double *y);

/* |measured - published| / |published|. */
double sb_relative(double measured, double published);

/* An analysis on problem and stepper specifications (each list ends with NULL), its rows kept in `out`. */
int sb_bench_analyse(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                     const char *const *steppers, sb_table *out);
/* The same, its rows added to those that `out` has: none if it is {0}. */
int sb_bench_analyse_more(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                          const char *const *steppers, sb_table *out);

/* Rows are kept in memory until an experiment is through, so that a failure leaves no file half-written. */
int sb_bench_table(sb_bench *bench, int ncolumns, const sb_column *columns, sb_table *out);
/* The same for an array of columns. */
#define SB_TABLE(bench, columns, out)                                                                                  \
    sb_bench_table((bench), (int)(sizeof(columns) / sizeof *(columns)), (columns), (out))
/* Adds the rows of another table with the same columns. */
int sb_bench_append(sb_table *to, const sb_table *rows);
/* Writes the table to out/NAME as CSV, with ten digits; the head lists the columns with trusted digits. */
int sb_bench_save(sb_bench *bench, const sb_table *table, const char *name);
/* The same for a table that is drawn and by which no claim is settled: numbers are rounded to four digits, of the range
 * of their column where that is smaller than the number. The head of the file states this, and files are compared
 * accordingly. */
int sb_bench_save_curves(sb_bench *bench, sb_table *table, const char *name);

#endif
