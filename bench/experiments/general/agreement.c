/* Compares numbers that other codes print with solutions in binary128: the digits that are right, of theirs and of a
 * run in double precision, and whose the error is where they differ.
 *
 * The solutions are files in the format of `stepbench reference`; where there are constraints, of the index-1
 * equations. published.csv has the printed values. They are from
 *
 * - ivptest08, for andrews and pleiades computed with tolerances of 1e-14 and below;
 * - the output that is shipped with the example idaSlCrank_dns of sundials05, by IDA with tolerances of 1e-6;
 * - the results of the example program of D02LAF in nag17, by a Runge-Kutta-Nystrom pair with TOL = 1e-5;
 * - the file with which siconos24 compares its example SimplePendulumED_Lsodar;
 * - two tests of kynema26: the expected numbers of one with steps of 2 ms, at 0.8 s, and the benchmark of the other, of
 *   another code with steps of 2 us, at 2 s. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench/data/data.h"
#include "bench/runner/experiment_tools.h"
#include "bench/runner/registry.h"
#include "core/run/solution.h"

/* A row of published.csv. */
typedef struct published {
    const char *problem, *file, *source, *check, *reference;
    long steps;
    int n, samples;
    const char *const *values; /* a dash: not published */
    double *sign, *shift;      /* 2n */
} published;

enum { QUANTITY_SIZE = 24 };

/* Returns the number of significant digits of a number as printed. */
static int digits_printed(const char *text) {
    int digits = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        digits += isdigit((unsigned char)*text) && (digits > 0 || *text != '0');
    }
    return digits;
}

/* Returns the number of leading digits that agree to a unit of the last of them, at most those printed. */
static int digits_right(double value, double exact, int printed) {
    const double relative = fabs(value - exact) / pow(10.0, floor(log10(fabs(exact))) + 1.0);
    return relative > 0.0 ? (int)fmin(printed, fmax(0.0, floor(-log10(relative)))) : printed;
}

/* Sets a text to the name of a quantity as the source prints it: "q1", "-q1" or "-q1-1". */
static void name_quantity(const published *p, int i, char out[QUANTITY_SIZE]) {
    const int length =
        snprintf(out, QUANTITY_SIZE, "%s%c%d", p->sign[i] < 0.0 ? "-" : "", i < p->n ? 'q' : 'v', i % p->n);
    if (p->shift[i] != 0.0) {
        snprintf(out + length, QUANTITY_SIZE - (size_t)length, "%+g", p->shift[i]);
    }
}

/* Writes the row of number i of sample j. */
static int write_value(const published *p, const sb_solution *s, const sb_path *check, long j, int i, const char *text,
                       sb_table *table) {
    char quantity[QUANTITY_SIZE], verdict[40];
    const bool velocity = i >= p->n;
    const long at = j * s->n + i % p->n;
    const double sign = p->sign[i], shift = p->shift[i], exact = sign * (velocity ? s->v : s->q)[at] + shift,
                 bound = s->bound[velocity], value = strtod(text, NULL),
                 other = sign * (velocity ? check->v : check->q)[at] + shift, run = fabs(other / exact - 1.0);
    /* Rounding both to double leaves an error of one unit of 2^-53 each: the sixteenth digit counts to two units. */
    const int printed = digits_printed(text), digits = digits_right(value, exact, printed);
    const bool right = digits >= (printed < 15 ? printed : 15);
    const char *whose = right ? "" : fabs(value - exact) > bound ? "published" : "open";
    name_quantity(p, i, quantity);
    snprintf(verdict, sizeof verdict, right ? "right" : "%d of %d digits", digits, printed);
    return SB_TABLE_ROW(table, sb_text(p->problem), sb_text(quantity), sb_real(s->t0 + (double)j * s->dt),
                        sb_text(text), sb_trusted(other, fmax(DBL_EPSILON, run) * fabs(exact)),
                        sb_trusted(exact, fmax(bound, DBL_EPSILON * fabs(exact))), sb_real(bound),
                        sb_trusted(value / exact - 1.0, DBL_EPSILON), sb_residual(run, fmax(DBL_EPSILON, run)),
                        sb_int(digits), sb_text(verdict), sb_text(whose), sb_text(p->source));
}

/* Writes the commands of both runs. */
static int write_runs(const published *p, const sb_solution *s, sb_table *runs) {
    char command[300];
    const double t_end = (double)s->count * s->dt;
    snprintf(command, sizeof command, "stepbench run -p %s -s %s --h %.9g --t-end %.9g --every %ld", p->problem,
             p->check, t_end / (double)p->steps, t_end, p->steps / s->count);
    return SB_TABLE_ROW(runs, sb_text(p->problem), sb_text(command), sb_text(p->reference));
}

/* Sets 2n numbers to a list of a row, to `without` if it is empty. */
static int read_list(sb_bench *bench, const sb_table *rows, int row, const char *column, int n, double without,
                     double **out) {
    const char *const *words;
    SB_TRY(sb_names_list(&bench->arena, sb_table_text(rows, row, column), &words));
    SB_NEW(&bench->arena, *out, 2 * n);
    for (int i = 0; i < 2 * n; i++) {
        (*out)[i] = *words != NULL ? strtod(*words++, NULL) : without;
    }
    return SB_OK;
}

static int read_published(sb_bench *bench, const sb_table *rows, int row, published *out) {
    int count = 0;
    *out = (published){.problem = sb_table_text(rows, row, "problem"),
                       .file = sb_table_text(rows, row, "file"),
                       .source = sb_table_text(rows, row, "source"),
                       .check = sb_table_text(rows, row, "check"),
                       .reference = sb_table_text(rows, row, "reference"),
                       .steps = strtol(sb_table_text(rows, row, "steps"), NULL, 10),
                       .n = (int)strtol(sb_table_text(rows, row, "n"), NULL, 10)};
    SB_TRY(read_list(bench, rows, row, "sign", out->n, 1.0, &out->sign));
    SB_TRY(read_list(bench, rows, row, "shift", out->n, 0.0, &out->shift));
    SB_TRY(sb_names_list(&bench->arena, sb_table_text(rows, row, "values"), &out->values));
    while (out->values[count] != NULL) {
        count++;
    }
    out->samples = count / (2 * out->n);
    return SB_OK;
}

static int compare(sb_bench *bench, const published *p, sb_table *table, sb_table *runs) {
    const char *path;
    sb_system sys;
    sb_solution s;
    sb_path check;
    SB_TRY(sb_data_find(bench->ctx, &bench->arena, "experiments", p->file, &path));
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, p->problem, 0, NULL, &sys));
    SB_TRY(sb_solution_read(bench->ctx, &bench->arena, p->problem, &sys, path, &s));
    const sb_run run = {.h = (double)s.count * s.dt / (double)p->steps, .steps = p->steps, .every = p->steps / s.count};
    SB_TRY(sb_bench_whole_path(bench, p->problem, "", p->check, &run, &check));
    SB_TRY(write_runs(p, &s, runs));
    for (int k = 0; k < p->samples; k++) {
        for (int i = 0; i < 2 * p->n; i++) {
            const char *text = p->values[2 * p->n * k + i];
            SB_TRY(strcmp(text, "-") != 0 ? write_value(p, &s, &check, s.count - p->samples + 1 + k, i, text, table)
                                          : SB_OK);
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(agreement) {
    sb_table rows, table, runs;
    SB_TRY(sb_data_table(bench->ctx, &bench->arena, "experiments/general/published.csv", &rows));
    SB_TRY(sb_bench_table(bench, "agreement", &table));
    SB_TRY(sb_bench_table(bench, "agreement_runs", &runs));
    for (int i = 0; i < rows.nrows; i++) {
        published p;
        SB_TRY(read_published(bench, &rows, i, &p));
        SB_TRY(compare(bench, &p, &table, &runs));
    }
    SB_TRY(sb_bench_save(bench, &table, "agreement.csv"));
    return sb_bench_save(bench, &runs, "agreement_runs.csv");
}
