/* What experiments share when they judge: exponents with standard errors, comparison with published numbers, verdicts.
 */
#include "bench/runner/verdicts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

bool sb_bench_slope_is(sb_slope slope, double expected, double bend) {
    return fabs(slope.value - expected) <= bend;
}

double sb_relative(double measured, double published) {
    return fabs(measured - published) / fabs(published);
}

sb_verdict sb_verdict_of(bool printed, bool corrected) {
    return printed ? SB_REPRODUCED : corrected ? SB_CORRECTED : SB_REFUTED;
}

int sb_bench_find(sb_bench *bench, const sb_finding *f) {
    if (f->measured == NULL || f->tolerance == NULL || f->reason == NULL) {
        return SB_NO_MEMORY;
    }
    const char *from = sb_bench_format(bench, "%s: %s", f->tolerance, f->reason);
    if (f->verdict == SB_UNDECIDABLE) {
        return SB_RECORD(bench, f->claim, SB_REPORTED, f->measured, SB_HOLDS, .measured = 1.0, .from = from);
    }
    if (f->verdict == SB_CORRECTED) {
        SB_TRY(SB_RECORD(bench, f->claim, SB_CORRECTED_FORM, f->measured, SB_HOLDS, .measured = 1.0, .from = from));
        return SB_RECORD(bench, f->claim, SB_PRINTED, "the claim as printed", SB_HOLDS, .measured = 0.0);
    }
    return SB_RECORD(bench, f->claim, SB_PRINTED, f->measured, SB_HOLDS,
                     .measured = f->verdict == SB_REPRODUCED ? 1.0 : 0.0, .from = from);
}

int sb_decimals(double x) {
    int k = 0;
    for (double unit = 0.1; k < 16 && x <= unit; unit /= 10.0) {
        k++;
    }
    return k;
}

const char *sb_bench_list(sb_bench *bench, const char *format, int n, const double *x) {
    char text[512] = "";
    size_t used = 0;
    for (int i = 0; i < n && used + 40 < sizeof text; i++) {
        char number[40];
/* The format is one of the experiments' own constants. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(number, sizeof number, format, x[i]);
#pragma GCC diagnostic pop
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : ", ", number);
    }
    return sb_strdup(&bench->arena, text);
}

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

int sb_bench_append(sb_table *to, const sb_table *rows) {
    return sb_table_write_rows(rows, &to->sink);
}

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

int sb_bench_save(sb_bench *bench, const sb_table *table, const char *name) {
    const char *comment;
    sb_sink *file;
    sb_table written;
    if (bench->member != NULL) {
        return sb_ensemble_send(bench, table, name);
    }
    SB_TRY(sb_ensemble_digits(bench, table, name, &written));
    SB_TRY(trusted_columns(bench, &written, &comment));
    SB_TRY(sb_bench_csv(bench, name, comment, &file));
    const int status = sb_table_write(&written, file);
    if (status != SB_OK) {
        file->abandon(file);
    }
    return status;
}
