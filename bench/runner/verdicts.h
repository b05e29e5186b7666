/* What experiments share when they judge: exponents with standard errors, comparison with published numbers, verdicts.
 */
#ifndef STEPBENCH_BENCH_RUNNER_VERDICTS_H
#define STEPBENCH_BENCH_RUNNER_VERDICTS_H

#include "analysis/accuracy/fit.h"
#include "bench/runner/claims.h"

/* Writes one row from its cells. */
#define SB_ROW(sink, ...) (sink)->row((sink), (const sb_cell[]){__VA_ARGS__})

/* The exponent of y in x from n pairs (at most 64): NaN if there are fewer than three or any number is not positive. */
sb_slope sb_bench_slope(int n, const double *x, const double *y);

/* Whether the exponent is `expected` to within `bend`, what higher-order terms may do to it over the range of the fit.
 * NaN fails. */
bool sb_bench_slope_is(sb_slope slope, double expected, double bend);

/* |measured - published| / |published|. */
double sb_relative(double measured, double published);

/* A verdict with its texts, of the experiments that do not record their quantities yet: sb_bench_find records one fact
 * from which the verdict follows. */
typedef struct sb_finding {
    const char *claim; /* an id of bench/claims.csv */
    sb_verdict verdict;
    const char *measured;
    const char *tolerance;
    const char *reason;
} sb_finding;
int sb_bench_find(sb_bench *bench, const sb_finding *finding);

/* What the paper says holds as printed; else holds once its erratum is applied; else does not hold. */
sb_verdict sb_verdict_of(bool printed, bool corrected);

/* The largest k with x <= 10^-k (0 for x > 1, at most 16): magnitudes of round-off, told coarsely enough to be the same
 * on every machine.
 */
int sb_decimals(double x);

/* "a, b, c" with `format` for each number, in the experiment's arena. */
const char *sb_bench_list(sb_bench *bench, const char *format, int n, const double *x);

/* An analysis on problem and stepper specifications (each list ends with NULL), its rows kept in `out`. */
int sb_bench_analyse(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                     const char *const *steppers, sb_table *out);

/* Rows are kept in memory until an experiment is through, so that a failure leaves no file half-written. */
int sb_bench_table(sb_bench *bench, int ncolumns, const sb_column *columns, sb_table *out);
/* Adds the rows of another table with the same columns. */
int sb_bench_append(sb_table *to, const sb_table *rows);
/* Writes the table to out/NAME as CSV; the head lists the columns with trusted digits. */
int sb_bench_save(sb_bench *bench, const sb_table *table, const char *name);

#endif
