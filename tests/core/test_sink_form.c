/* The form of rows: columns, digits, pivots and the best of each group, on rows whose table is known. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "core/output/table.h"

static const sb_column columns[] = {{"problem", SB_COL_KEY, "", "d"},
                                    {"stepper", SB_COL_KEY, "", "d"},
                                    {"h", SB_COL_KEY, "s", "d"},
                                    {"err_q", SB_COL_ERROR, "", "d"},
                                    {"order", SB_COL_SLOPE, "", "d"}};
enum { NCOLUMNS = 5 };

static sb_context ctx;

static int run(sb_arena *arena, const sb_row_form *form, sb_table *out) {
    static const char *const problems[] = {"a", "b"}, *const steppers[] = {"x", "y", "z"};
    static const double err[2][3][2] = {{{0.4, 0.1}, {0.2, 0.05}, {0.2, 0.07}}, {{1, 2}, {3, 4}, {NAN, 6}}};
    sb_sink *sink;
    sb_table_init(out, arena);
    SB_TRY(sb_sink_form(&ctx, arena, form, &out->sink, &sink));
    int status = sink->begin(sink, NCOLUMNS, columns);
    for (int s = 0; s < 3 && status == SB_OK; s++) {
        for (int p = 0; p < 2; p++) {
            for (int k = 0; k < 2; k++) {
                const sb_cell row[] = {sb_text(problems[p]), sb_text(steppers[s]), sb_real(k == 0 ? 0.1 : 0.05),
                                       isnan(err[p][s][k]) ? sb_empty() : sb_real(err[p][s][k]), sb_empty()};
                SB_TRY(sink->row(sink, row));
            }
            const sb_cell fit[] = {sb_text(problems[p]), sb_text(steppers[s]), sb_empty(), sb_empty(),
                                   sb_real(s + 1.25)};
            SB_TRY(sink->row(sink, fit));
        }
    }
    return status != SB_OK ? status : sink->end(sink);
}

static void selects(sb_arena *arena) {
    sb_table t;
    gsl_test(run(arena, &(sb_row_form){.columns = "err_q,problem"}, &t) != SB_OK, "columns: %s", ctx.message);
    gsl_test(t.ncolumns != 2 || strcmp(t.columns[0].name, "err_q") != 0 || t.nrows != 11,
             "two columns, in this order, and the rows with an error");
    gsl_test(sb_table_real(&t, 0, "err_q") != 0.4, "with their numbers");
    gsl_test(run(arena, &(sb_row_form){.columns = "err_q", .digits = 4}, &t) != SB_OK || t.cells[0].digits != 4,
             "digits");
    gsl_test(run(arena, &(sb_row_form){.columns = "er_q"}, &t) != SB_BAD_USAGE || strstr(ctx.message, "err_q") == NULL,
             "an unknown column: %s", ctx.message);
}

static void pivots(sb_arena *arena) {
    sb_table t;
    gsl_test(run(arena, &(sb_row_form){.pivot = "stepper", .columns = "problem,order"}, &t) != SB_OK, "pivot: %s",
             ctx.message);
    gsl_test(t.nrows != 2 || t.ncolumns != 4, "a row per problem, a column per stepper: %d x %d", t.nrows, t.ncolumns);
    gsl_test(strcmp(sb_table_text(&t, 1, "problem"), "b") != 0 || sb_table_real(&t, 1, "y") != 2.25,
             "in their order: %s %g", sb_table_text(&t, 1, "problem"), sb_table_real(&t, 1, "y"));
    /* Without a choice: a row per problem and step, and one for each column with a value. */
    gsl_test(run(arena, &(sb_row_form){.pivot = "stepper"}, &t) != SB_OK || t.nrows != 6, "%d rows", t.nrows);
    gsl_test(strcmp(sb_table_text(&t, 0, "column"), "err_q") != 0 || sb_table_real(&t, 1, "x") != 0.1 ||
                 !isnan(sb_table_real(&t, 3, "z")),
             "values of several columns");
    gsl_test(run(arena, &(sb_row_form){.pivot = "stepper", .columns = "problem,err_q"}, &t) != SB_BAD_USAGE,
             "two rows for one place are refused");
}

static bool best(const sb_table *t, int row) { return t->cells[row * t->ncolumns + sb_table_column(t, "err_q")].best; }

static void marks(sb_arena *arena) {
    sb_table t;
    /* Rows: stepper x on a (0.1, 0.05, fit), on b, then y, then z. On a at 0.1 y and z are equal; at 0.05 y leads. */
    gsl_test(run(arena, &(sb_row_form){.mark = true}, &t) != SB_OK || t.nrows != 18, "marked: %s", ctx.message);
    static const int expected[18] = {0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    for (int i = 0; i < 18; i++) {
        gsl_test(best(&t, i) != (expected[i] == 1), "row %d is%s the best", i, expected[i] ? "" : " not");
    }
}

int main(void) {
    sb_arena arena;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    selects(&arena);
    pivots(&arena);
    marks(&arena);
    sb_arena_free(&arena);
    return gsl_test_summary();
}
