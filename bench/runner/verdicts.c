/* What experiments share: exponents with standard errors, analyses, and tables that are saved as a whole. */
#include "bench/runner/verdicts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

double sb_relative(double measured, double published) { return fabs(measured - published) / fabs(published); }

int sb_bench_table(sb_bench *bench, int ncolumns, const sb_column *columns, sb_table *out) {
    sb_table_init(out, &bench->arena);
    return out->sink.begin(&out->sink, ncolumns, columns);
}

static int length(const char *const *list) {
    int n = 0;
    while (list[n] != NULL) {
        n++;
    }
    return n;
}

int sb_bench_analyse(sb_bench *bench, const char *analysis, const char *options, const char *const *problems,
                     const char *const *steppers, sb_table *out) {
    sb_table_init(out, &bench->arena);
    const int status = sb_analysis_run(bench->ctx, analysis, options, length(problems), problems, 0, NULL,
                                       length(steppers), steppers, &out->sink);
    return status > 0 ? SB_OK : status; /* a numerical failure is in the rows */
}

int sb_bench_append(sb_table *to, const sb_table *rows) { return sb_table_write_rows(rows, &to->sink); }

static bool has_trusted(const sb_table *table, int column) {
    for (int i = 0; i < table->nrows; i++) {
        if (table->cells[i * table->ncolumns + column].digits > 0) {
            return true;
        }
    }
    return false;
}

/* The line that lists the columns with trusted digits; NULL if there are none. */
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

/* Rounds the real numbers to ten digits. */
static void round_cells(sb_table *table) {
    for (int i = 0; i < table->nrows * table->ncolumns; i++) {
        sb_cell *cell = &table->cells[i];
        if (cell->type == SB_CELL_REAL && isfinite(cell->real)) {
            char text[32];
            snprintf(text, sizeof text, "%.9e", cell->real);
            cell->real = strtod(text, NULL);
            cell->digits = cell->digits < 10 ? cell->digits : 10;
        }
    }
}

static int save(sb_bench *bench, const sb_table *table, const char *name, bool drawn) {
    const char *comment;
    sb_sink *file;
    sb_table written;
    if (bench->member != NULL) {
        return sb_ensemble_send(bench, table, name);
    }
    SB_TRY(sb_ensemble_digits(bench, table, name, &written));
    SB_TRY(trusted_columns(bench, &written, &comment));
    if (drawn) {
        round_cells(&written);
    }
    SB_TRY(sb_bench_csv(bench, name, comment, &file));
    const int status = sb_table_write(&written, file);
    if (status != SB_OK) {
        file->abandon(file);
    }
    return status;
}

int sb_bench_save(sb_bench *bench, const sb_table *table, const char *name) { return save(bench, table, name, false); }

int sb_bench_save_curves(sb_bench *bench, sb_table *table, const char *name) { return save(bench, table, name, true); }
