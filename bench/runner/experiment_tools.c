/* Tools for experiments: exponents with standard errors, condition numbers, analyses, and tables that are written as a
 * whole. */
#include "bench/runner/experiment_tools.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>
#include <lapacke.h>

#include "analysis/row.h"
#include "bench/data/data.h"
#include "bench/runner/ensemble.h"
#include "core/output/csv.h"

sb_slope sb_bench_slope(int n, const double *x, const double *y) {
    enum { MOST = 64 };
    static const double no_floor[MOST] = {0.0};
    double work[2 * MOST];
    if (n < 3 || n > MOST) {
        return (sb_slope){(double)NAN, (double)NAN, 0};
    }
    const sb_slope slope = sb_slope_power(n, x, y, no_floor, work);
    return slope.used == n ? slope : (sb_slope){(double)NAN, (double)NAN, slope.used};
}

double sb_bench_effective(int n, int lag, const double *x) {
    const double mean = gsl_stats_mean(x, 1, (size_t)n);
    double all = 0.0, neighbours = 0.0;
    for (int i = 0; i < n; i++) {
        all += (x[i] - mean) * (x[i] - mean) / n;
        neighbours += i >= lag ? (x[i] - mean) * (x[i - lag] - mean) / (n - lag) : 0.0;
    }
    const double r = all > 0.0 ? fmin(fmax(neighbours / all, 0.0), 1.0) : 1.0;
    return fmax(n * (1.0 - r) / (1.0 + r), 1.0);
}

int sb_bench_cells(sb_table *table, int count, const sb_cell *cells) {
    return count == table->ncolumns
               ? table->sink.row(&table->sink, cells)
               : sb_fail(table->arena->ctx, SB_BAD_USAGE,
                         "a row has %d cells, and its table %d columns, %s and so on, in columns.csv", count,
                         table->ncolumns, table->columns[0].name);
}

int sb_bench_numbers(sb_table *table, int count, const double *values) {
    sb_cell *row;
    SB_NEW(table->arena, row, count);
    for (int j = 0; j < count; j++) {
        row[j] = sb_known(values[j]);
    }
    return sb_bench_cells(table, count, row);
}

double sb_relative(double measured, double published) { return fabs(measured - published) / fabs(published); }

int sb_bench_condition(sb_bench *bench, int n, double *A, double *out) {
    double *sigma, *work;
    SB_TRY(SB_VECTORS(&bench->arena, n, &sigma, &work));
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', n, n, A, n, sigma, NULL, 1, NULL, 1, work) != 0) {
        return sb_fail(bench->ctx, SB_NOT_CONVERGED, "the singular values of a matrix did not converge");
    }
    *out = sigma[0] / sigma[n - 1];
    return SB_OK;
}

int sb_bench_table(sb_bench *bench, const char *name, sb_table *out) {
    static const char *const kinds[] = {"key", "exact", "error", "slope", "time", "info"}; /* as sb_column_kind */
    SB_SCRATCH(scratch, bench->ctx);
    sb_table all;
    sb_column *columns;
    int count = 0;
    SB_TRY(sb_columns_read(bench->ctx, &scratch, &all));
    SB_NEW(&scratch, columns, all.nrows);
    for (int i = sb_table_find(&all, "table", name, 0); i >= 0; i = sb_table_find(&all, "table", name, i + 1)) {
        const char *column = sb_table_text(&all, i, "column"), *kind = sb_table_text(&all, i, "kind");
        int k = 0;
        while (k < SB_COUNT(kinds) && strcmp(kinds[k], kind) != 0) {
            k++;
        }
        if (k == SB_COUNT(kinds)) {
            return sb_fail(bench->ctx, SB_BAD_USAGE,
                           "columns.csv, %s,%s: the kind is key, exact, error, slope, time or info, not \"%s\"", name,
                           column, kind);
        }
        columns[count++] =
            (sb_column){column, (sb_column_kind)k, sb_table_text(&all, i, "unit"), sb_table_text(&all, i, "meaning")};
    }
    return count > 0 ? sb_table_begin(out, &bench->arena, count, columns)
                     : sb_fail(bench->ctx, SB_BAD_USAGE, "no columns.csv has rows of the table %s", name);
}

static int length(const char *const *list) {
    int n = 0;
    while (list[n] != NULL) {
        n++;
    }
    return n;
}

int sb_bench_analyse_members(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                             const char *const *steppers, const sb_ensemble *ensemble, sb_table *out) {
    sb_table_init(out, &bench->arena);
    const int status = sb_analysis_run(bench->ctx, analysis, options, length(problems), problems, 0, NULL,
                                       length(steppers), steppers, ensemble, &out->sink);
    return status > 0 ? SB_OK : status; /* a numerical failure is in the rows */
}

int sb_bench_analyse(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                     const char *const *steppers, sb_table *out) {
    return sb_bench_analyse_members(bench, analysis, options, problems, steppers, NULL, out);
}

int sb_bench_analyse_more(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                          const char *const *steppers, sb_table *out) {
    sb_table rows;
    SB_TRY(sb_bench_analyse(bench, analysis, options, problems, steppers, &rows));
    if (out->ncolumns == 0) {
        *out = rows;
        return SB_OK;
    }
    return sb_bench_append(out, &rows);
}

int sb_bench_append(sb_table *to, const sb_table *rows) { return sb_table_write_rows(rows, &to->sink); }

/* Returns whether a column has a number with trusted digits. */
static bool has_trusted(const sb_table *table, int column) {
    for (int i = 0; i < table->nrows; i++) {
        if (table->cells[i * table->ncolumns + column].digits > 0) {
            return true;
        }
    }
    return false;
}

/* Sets the comment that lists the columns with trusted digits; NULL if there are none. */
static int trusted_columns(sb_bench *bench, const sb_table *table, const char **comment) {
    *comment = NULL;
    for (int j = 0; j < table->ncolumns; j++) {
        if (has_trusted(table, j)) {
            *comment = *comment == NULL ? sb_bench_format(bench, SB_TRUSTED_COMMENT "%s", table->columns[j].name)
                                        : sb_bench_format(bench, "%s %s", *comment, table->columns[j].name);
            SB_TRY(*comment != NULL ? SB_OK : SB_NO_MEMORY);
        }
    }
    return SB_OK;
}

/* Significant digits. A figure shows three digits, on an axis that may begin far from 0; its keys, such as times,
 * differ between neighbours among some thousand points. Other numbers have the digits of sb_undeclared_tolerance. */
enum { CURVE_DIGITS = 4, KEY_DIGITS = 5, MOST_DIGITS = 10 };

/* Returns the difference of the largest and the least number of a column. */
static double range(const sb_table *table, int j) {
    double least = INFINITY, largest = -INFINITY;
    for (int i = 0; i < table->nrows; i++) {
        const sb_cell *cell = &table->cells[i * table->ncolumns + j];
        if (cell->type == SB_CELL_REAL && isfinite(cell->real)) {
            least = fmin(least, cell->real);
            largest = fmax(largest, cell->real);
        }
    }
    return largest - least;
}

/* Rounds a real number to `digits` digits if it has more. */
static void round_cell(sb_cell *cell, int digits) {
    if (cell->type == SB_CELL_REAL && isfinite(cell->real) && (cell->digits == 0 || cell->digits > digits)) {
        char text[32];
        snprintf(text, sizeof text, "%.*e", digits - 1, cell->real);
        *cell = sb_real(strtod(text, NULL));
    }
}

/* Returns the digits of a number of a curve: CURVE_DIGITS or KEY_DIGITS, of the number or of a smaller `span`. */
static int digits_of(const sb_cell *cell, sb_column_kind kind, double span) {
    const double size = cell->type == SB_CELL_REAL && isfinite(cell->real) ? fabs(cell->real) : 0.0,
                 more = size > span ? floor(log10(size)) - floor(log10(span)) : 0.0;
    return (int)fmin((kind == SB_COL_KEY ? KEY_DIGITS : CURVE_DIGITS) + more, MOST_DIGITS);
}

/* Rounds the numbers of a column, for a figure also those with trusted digits. Leaves out its spreads where the
 * rounding exceeds them. */
static void round_column(sb_bench *bench, sb_table *table, int j, bool drawn) {
    const char *name = sb_bench_format(bench, "%s" SB_SPREAD_SUFFIX, table->columns[j].name);
    const sb_column_kind kind = table->columns[j].kind;
    const int spreads = name != NULL ? sb_table_column(table, name) : -1;
    const double span = range(table, j);
    const bool published = strcmp(table->columns[j].name, "published") == 0; /* as the paper prints it */
    for (int i = 0; i < table->nrows && !published; i++) {
        sb_cell *row = &table->cells[i * table->ncolumns];
        if (drawn || row[j].digits == 0) {
            round_cell(&row[j], drawn ? digits_of(&row[j], kind, span) : MOST_DIGITS);
        }
        if (drawn && spreads >= 0 && row[j].digits == 0) {
            row[spreads] = sb_empty();
        }
    }
}

/* Copies the table with its cells. */
static int copy_table(sb_bench *bench, const sb_table *table, sb_table *out) {
    const size_t cells = (size_t)table->nrows * (size_t)table->ncolumns;
    sb_cell *copy;
    *out = *table;
    SB_NEW(&bench->arena, copy, cells);
    if (cells > 0) {
        memcpy(copy, table->cells, cells * sizeof *copy);
    }
    out->cells = copy;
    return SB_OK;
}

static int save(sb_bench *bench, const sb_table *table, const char *name, bool drawn) {
    const char *comments[SB_CSV_COMMENTS + 1] = {NULL};
    sb_sink *file;
    sb_table exact, written;
    sb_saved *saved;
    SB_NEW(&bench->arena, saved, 1);
    *saved = (sb_saved){.file = name, .before = bench->saved};
    SB_TRY(copy_table(bench, table, &saved->rows));
    bench->saved = saved;
    if (bench->member != NULL) {
        return sb_ensemble_send(bench, table, name);
    }
    SB_TRY(sb_ensemble_digits(bench, table, name, drawn, &exact));
    SB_TRY(copy_table(bench, &exact, &written));
    for (int j = 0; j < written.ncolumns; j++) {
        round_column(bench, &written, j, drawn);
    }
    comments[0] = sb_bench_format(bench, SB_DIGITS_COMMENT "%d", drawn ? CURVE_DIGITS : MOST_DIGITS);
    SB_TRY(comments[0] != NULL ? SB_OK : SB_NO_MEMORY);
    SB_TRY(trusted_columns(bench, &written, &comments[1]));
    SB_TRY(sb_bench_csv(bench, name, comments, &file));
    const int status = sb_table_write(&written, file);
    if (status != SB_OK) {
        file->abandon(file);
    }
    return status;
}

int sb_bench_save(sb_bench *bench, const sb_table *table, const char *name) { return save(bench, table, name, false); }

int sb_bench_save_curves(sb_bench *bench, sb_table *table, const char *name) { return save(bench, table, name, true); }
