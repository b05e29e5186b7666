/* Trusted digits: what directed rounding leaves uncertain of quantities whose dependence on round-off is known in
 * closed form. */
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_test.h>

#include "bench/runner/bench.h"
#include "bench/runner/ensemble.h"
#include "bench/runner/experiment_tools.h"
#include "core/base/params.h"
#include "core/output/csv.h"
#include "tests/bench/bounds.h"

static const sb_column columns[] = {{"sum", SB_COL_EXACT, "", ""},     {"defect", SB_COL_ERROR, "", ""},
                                    {"parsed", SB_COL_EXACT, "", ""},  {"small", SB_COL_EXACT, "", ""},
                                    {"chaotic", SB_COL_EXACT, "", ""}, {"count", SB_COL_INFO, "", ""},
                                    {"text", SB_COL_INFO, "", ""}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* 1 + N 2^-54: to nearest and downward every addition gives 1, upward one of 2^-52 more. The spread is N 2^-52. */
enum { N = 1 << 24 };
static double add(double term) {
    volatile double sum = 1.0;
    for (int i = 0; i < N; i++) {
        sum += term;
    }
    return sum;
}

/* |49 (1/49) - 1|, which is 0: both operations are off by at most 2^-52. */
static double defect(void) {
    volatile double divisor = 49.0, quotient = 1.0 / divisor;
    return fabs(divisor * quotient - 1.0);
}

/* x -> 4 x (1 - x) doubles a difference per iteration on the average: after 52 iterations no digit is left. */
static double chaotic(void) {
    volatile double x = 0.3;
    for (int i = 0; i < 200; i++) {
        x = 4.0 * x * (1.0 - x);
    }
    return x;
}

/* 1 + 2^20 (sum - 1), of which the spread is 2^-8 = 0.0039. */
static double amplified(double sum) { return 1.0 + 0x1p20 * (sum - 1.0); }

static int run(sb_bench *bench) {
    sb_table table;
    double third, tenth;
    volatile double one = 1.0;
    /* The counts of gsl_test in a member are lost. */
    const char *text = sb_bench_format(bench, "it ended at %.17g", 0.1);
    if (!sb_parse_real("1/3", &third) || third != 1.0 / 3.0 || !sb_parse_real("0.1", &tenth) || tenth != 0.1 ||
        strcmp(text, "it ended at 0.10000000000000001") != 0) {
        return sb_fail(bench->ctx, SB_BAD_USAGE, "numbers are not read and written in rounding to nearest: %s", text);
    }
    const double sum = add(0x1p-54), x = chaotic();
    SB_TRY(sb_table_begin(&table, &bench->arena, COLUMNS, columns));
    SB_TRY(SB_ROW(&table.sink, sb_real(sum), sb_real(defect()), sb_real(third), sb_real(sum - 1.0), sb_real(x),
                  sb_int(sum > 1.0 ? 123 : 120), sb_text(sb_bench_format(bench, "it ended at %.3f", x))));
    SB_TRY(SB_ROW(&table.sink, sb_real(2.0), sb_real(0.0), sb_real(one / 3.0), sb_real(1.0), sb_empty(), sb_int(120),
                  sb_text("ok")));
    SB_TRY(sb_bench_measure(bench, "claim/sum", 3.0 * sum + 0.5, 0.0));
    SB_TRY(sb_bench_measure(bench, "claim/amplified", amplified(sum) + 0.25, 0.0));
    SB_TRY(sb_bench_measure(bench, "claim/mean", amplified(sum) + 0.25, 0.5));
    SB_TRY(sb_bench_measure(bench, "claim/chaotic", x, 0.0));
    return sb_bench_save(bench, &table, "ensemble.csv");
}

/* Curves have four digits, of the range of their column if that is smaller: ten of 24.94 if it changes by 9e-5. Their
 * keys have five. */
static void test_curves(sb_bench *bench, const char *out) {
    static const sb_column drawn[] = {
        {"t", SB_COL_KEY, "", ""}, {"x", SB_COL_EXACT, "", ""}, {"E", SB_COL_EXACT, "", ""}};
    char path[64];
    sb_table table, read;
    int status = sb_table_begin(&table, &bench->arena, 3, drawn);
    for (int i = 0; i < 2 && status == SB_OK; i++) {
        status = SB_ROW(&table.sink, sb_real(i / 60.0), sb_real(i == 0 ? 1.0 / 3.0 : -20.0 / 3.0),
                        sb_real(i == 0 ? 24.9444074901 : 24.9444989502));
    }
    status = status == SB_OK ? sb_bench_save_curves(bench, &table, "curves.csv") : status;
    snprintf(path, sizeof path, "%s/curves.csv", out);
    sb_table_init(&read, &bench->arena);
    status = status == SB_OK ? sb_table_read_csv_text(&read, bench->ctx, path) : status;
    gsl_test(status != SB_OK, "curves are saved and read: %s", bench->ctx->message);
    static const char *const expected[2][3] = {{"0", "0.3333", "24.94440749"}, {"0.016667", "-6.667", "24.94449895"}};
    for (int i = 0; i < 2 && status == SB_OK; i++) {
        for (int j = 0; j < 3; j++) {
            const char *text = sb_table_text(&read, i, drawn[j].name);
            gsl_test(strcmp(text, expected[i][j]) != 0, "%s of a curve is %s: %s", drawn[j].name, expected[i][j], text);
        }
    }
    remove(path);
}

static int fails_upward(sb_bench *bench) {
    return fegetround() == FE_UPWARD ? sb_fail(bench->ctx, SB_NOT_CONVERGED, "no solution") : run(bench);
}

static int crashes_downward(sb_bench *bench) {
    if (fegetround() == FE_DOWNWARD) {
        raise(SIGKILL);
    }
    return run(bench);
}

static const char *written(const sb_table *table, int row, const char *column) {
    return sb_table_text(table, row, column);
}

/* In the cells of the file: digits, bounds, spreads and texts. */
static void test_file(sb_context *ctx, sb_arena *arena, const char *path) {
    sb_table table;
    const char *trusted;
    char *end;
    sb_table_init(&table, arena);
    int status = sb_table_read_csv_text(&table, ctx, path);
    status = status == SB_OK ? sb_csv_comment(ctx, arena, path, SB_TRUSTED_COMMENT, &trusted) : status;
    gsl_test(status != SB_OK, "the file is read: %s", ctx->message);
    if (status != SB_OK) {
        return;
    }
    gsl_test(strcmp(trusted, "sum defect small chaotic count chaotic_spread") != 0, "trusted digits: %s", trusted);
    /* Twice the spread is 2^-27 = 7.5e-9: the unit is 1e-8. */
    gsl_test(strcmp(written(&table, 0, "sum"), "1.00000000") != 0, "1.00000000: %s", written(&table, 0, "sum"));
    gsl_test(strcmp(written(&table, 1, "sum"), "2.00000000000000") != 0, "a number beside it: %s",
             written(&table, 1, "sum"));
    gsl_test(strcmp(written(&table, 0, "small"), "0.00000000") != 0, "its difference from 1: %s",
             written(&table, 0, "small"));
    gsl_test(strcmp(written(&table, 0, "count"), "1.2e+02") != 0 || strcmp(written(&table, 1, "count"), "120") != 0,
             "120 or 123 is 1.2e+02, and what all agree on stays 120: %s %s", written(&table, 0, "count"),
             written(&table, 1, "count"));
    gsl_test(strcmp(written(&table, 0, "parsed"), "0.3333333333") != 0,
             "an agreed number is written with ten digits: %s", written(&table, 0, "parsed"));
    /* Two operations to 2^-52 each: members differ by at most 4 2^-52 = 8.9e-16, and 1e-14 > 2 * 8.9e-16 is the
     * largest unit; the smallest is 1e-16, for members that differ by 2^-54. */
    const double bound = strtod(written(&table, 0, "defect"), &end);
    gsl_test(!(bound >= defect() && bound <= 1e-14 && bound >= 1e-16) || written(&table, 0, "defect")[1] != 'e',
             "a defect that is 0 is an upper bound of one digit: %s", written(&table, 0, "defect"));
    gsl_test(strcmp(written(&table, 1, "defect"), "0") != 0, "0 in all members is 0: %s", written(&table, 1, "defect"));
    const double x = strtod(written(&table, 0, "chaotic"), &end);
    const double spread = strtod(written(&table, 0, "chaotic_spread"), &end);
    gsl_test(!(spread > 1e-3 && spread <= 1.0 && fabs(x - chaotic()) <= 0.1 * spread), "%s with spread %s",
             written(&table, 0, "chaotic"), written(&table, 0, "chaotic_spread"));
    gsl_test(strcmp(written(&table, 1, "chaotic_spread"), "") != 0, "no number, no spread");
    gsl_test(strcmp(written(&table, 0, "text"), "it ended at ...") != 0 ||
                 strcmp(written(&table, 1, "text"), "ok") != 0,
             "texts end where they differ: %s", written(&table, 0, "text"));
}

/* The digits of recorded quantities. */
static void test_quantities(sb_bench *bench) {
    static const struct {
        const char *name;
        int digits; /* significant ones; 0: as recorded */
    } expected[] = {{"sum", 6} /* 3 * 2^-28 is below its last digit */,
                    {"amplified", 3} /* 2 * 0.0039 < 0.01 */,
                    {"mean", 2} /* its own is larger */};
    enum { QUANTITIES = sizeof expected / sizeof *expected };
    const sb_table *table = &bench->quantities;
    const int measured = sb_table_column(table, "measured");
    const int status = sb_ensemble_quantities(bench);
    gsl_test(status != SB_OK || table->nrows != QUANTITIES + 1, "%d quantities: %d", QUANTITIES + 1, table->nrows);
    if (table->nrows != QUANTITIES + 1) {
        return;
    }
    for (int i = 0; i < QUANTITIES; i++) {
        const sb_cell *cell = &table->cells[i * table->ncolumns + measured];
        gsl_test(cell->digits != expected[i].digits, "%s has %d digits: %d", expected[i].name, expected[i].digits,
                 cell->digits);
    }
    const sb_cell *last = &table->cells[QUANTITIES * table->ncolumns + measured];
    gsl_test(last->digits > 2 || !(fabs(last->real - chaotic()) <= 0.1),
             "a chaotic number keeps its size: %g with %d digits", last->real, last->digits);
}

static void test_failures(sb_context *ctx, const sb_table *bounds, const char *out) {
    static const struct {
        int (*run)(sb_bench *bench);
        const char *message;
    } cases[] = {{fails_upward, "rounding upward: no solution"}, {crashes_downward, "rounding downward: it crashed: "}};
    for (int k = 0; k < 2; k++) {
        const sb_experiment experiment = {.entry = {"good", "", "", NULL, 0}, .directed = true, .run = cases[k].run};
        sb_bench bench;
        int status = sb_bench_begin(ctx, "bench", out, bounds, &bench);
        bench.experiment = &experiment;
        status = status == SB_OK ? sb_ensemble_run(&bench, &experiment) : status;
        gsl_test(status == SB_OK || strncmp(ctx->message, cases[k].message, strlen(cases[k].message)) != 0,
                 "a member that fails is an error: %s", ctx->message);
        sb_bench_finish(&bench);
    }
}

int main(void) {
    static const sb_experiment experiment = {.entry = {"good", "", "", NULL, 0}, .directed = true, .run = run};
    sb_context ctx;
    sb_bench bench;
    static const char *const ids[] = {"claim/sum", "claim/amplified", "claim/mean", "claim/chaotic"};
    sb_arena arena;
    sb_table bounds;
    char out[] = "/tmp/stepbench-ensemble-XXXXXX", path[64];
    sb_context_init(&ctx);
    if (mkdtemp(out) == NULL) {
        return 77;
    }
    sb_arena_init(&arena, &ctx);
    int status = make_bounds(&arena, &bounds);
    for (int k = 0; k < 4; k++) {
        status += add_bound(&bounds, ids[k], "good", "reported");
    }
    status += sb_bench_begin(&ctx, "bench", out, &bounds, &bench);
    bench.experiment = &experiment;
    status = status == SB_OK ? sb_ensemble_run(&bench, &experiment) : status;
    gsl_test(fegetround() != FE_TONEAREST, "the experiment itself rounds to nearest");
    status = status == SB_OK ? run(&bench) : status;
    gsl_test(status != SB_OK, "it runs: %s", ctx.message);
    snprintf(path, sizeof path, "%s/ensemble.csv", out);
    test_file(&ctx, &bench.arena, path);
    test_quantities(&bench);
    test_failures(&ctx, &bounds, out);
    bench.ensemble = NULL;
    test_curves(&bench, out);
    sb_bench_finish(&bench);
    remove(path);
    gsl_test(rmdir(out) != 0, "members leave no file");
    sb_arena_free(&arena);
    return gsl_test_summary();
}
