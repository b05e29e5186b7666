/* The verdict on a claim follows from its quantities: what passes, what decides, and that NaN never passes; runs that
 * fail have no distance. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/runner/bench.h"
#include "bench/runner/experiment_tools.h"
#include "bench/runner/registry.h"
#include "tests/bench/bounds.h"

static const double half_ulp = 1.1102230246251565e-16; /* of 1 */

static bool passes(sb_comparison comparison, double measured, double expected, double tolerance) {
    return sb_quantity_passes(
        &(sb_quantity){.comparison = comparison, .measured = measured, .expected = expected, .tolerance = tolerance});
}

static void comparisons(void) {
    gsl_test(!passes(SB_WITHIN, 1.5, 1.0, 0.5), "a deviation as large as the tolerance passes");
    gsl_test(!passes(SB_WITHIN, 0.5, 1.0, 0.5), "below the published number as well");
    gsl_test(passes(SB_WITHIN, 1.5 + 4.0 * half_ulp, 1.0, 0.5), "a larger one fails");
    gsl_test(!passes(SB_AT_MOST, -3.0, -3.0, 0.0) || passes(SB_AT_MOST, 1.0 + 2.0 * half_ulp, 1.0, 9.0), "at most");
    gsl_test(!passes(SB_AT_LEAST, 3.0, 3.0, 0.0) || passes(SB_AT_LEAST, 1.0 - half_ulp, 1.0, 9.0), "at least");
    gsl_test(!passes(SB_HOLDS, 1.0, 0.0, 0.0) || passes(SB_HOLDS, 0.0, 0.0, 0.0), "a fact holds or not");
    static const struct {
        double measured, se;
        bool passes;
    } orders[] = {{2.05, 0.0, true}, {2.06, 0.0, false}, {2.19, 0.05, true}, {2.21, 0.05, false}, {2.0, 0.07, false}};
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        const sb_quantity order = {.comparison = SB_ORDER,
                                   .measured = orders[k].measured,
                                   .uncertainty = orders[k].se,
                                   .expected = 2.0,
                                   .tolerance = 0.05 + 4.0 * half_ulp};
        gsl_test(sb_quantity_passes(&order) != orders[k].passes, "order %g +- %g is 2", orders[k].measured,
                 orders[k].se);
    }
    for (sb_comparison c = SB_WITHIN; c <= SB_HOLDS; c++) {
        gsl_test(passes(c, (double)NAN, 1.0, (double)INFINITY), "NaN fails comparison %d", (int)c);
    }
    gsl_test(passes(SB_WITHIN, 1.0, (double)NAN, 1.0) || passes(SB_WITHIN, 1.0, 1.0, (double)NAN),
             "and so does NaN as the published number or as the tolerance");
}

/* The forms of a claim's rows, capitals where the row passes: P printed, C corrected, B both, R reported. */
static const struct {
    const char *rows;
    sb_verdict verdict;
} cases[] = {
    {"P", SB_REPRODUCED},   {"PP", SB_REPRODUCED},  {"Pc", SB_REPRODUCED}, {"PBR", SB_REPRODUCED},
    {"pC", SB_CORRECTED},   {"PpCB", SB_CORRECTED}, {"C", SB_CORRECTED},   {"pCr", SB_CORRECTED},
    {"p", SB_REFUTED},      {"Pp", SB_REFUTED},     {"pCc", SB_REFUTED},   {"pCb", SB_REFUTED},
    {"Pb", SB_REFUTED},     {"c", SB_REFUTED},      {"", SB_UNDECIDABLE},  {"R", SB_UNDECIDABLE},
    {"rr", SB_UNDECIDABLE}, {"pR", SB_REFUTED},     {"PCb", SB_REFUTED},   {"PC", SB_REPRODUCED},
};

static void verdicts(sb_context *ctx) {
    static const char forms[] = "PpCcBbRr", *const names[] = {"printed", "corrected", "both", "reported"};
    static const sb_column columns[] = {
        {"claim", SB_COL_KEY, "", ""}, {"form", SB_COL_KEY, "", ""}, {"passed", SB_COL_INFO, "", ""}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        sb_table rows;
        SB_SCRATCH(arena, ctx);
        int status = sb_table_begin(&rows, &arena, 3, columns);
        status += SB_ROW(&rows.sink, sb_text("another"), sb_text("printed"), sb_text("no"));
        for (const char *row = cases[k].rows; *row != '\0'; row++) {
            const char *pass = strchr("PCBR", *row) != NULL ? "yes" : "no";
            status +=
                SB_ROW(&rows.sink, sb_text("one"), sb_text(names[(strchr(forms, *row) - forms) / 2]), sb_text(pass));
        }
        gsl_test(status != SB_OK, "%s", ctx->message);
        const sb_verdict found = sb_claim_verdict(&rows, "one");
        gsl_test(found != cases[k].verdict, "the rows %s are %s: %s", cases[k].rows, sb_verdict_name[cases[k].verdict],
                 sb_verdict_name[found]);
    }
}

/* One number decides the rows of both forms. A row that is not measured, a number without a row, a second number for a
 * row and a row of another experiment are errors; each message names the quantity. */
static void measures(sb_context *ctx) {
    static const sb_experiment experiment = {.entry = {"mine", "", "", NULL, 0}};
    static const struct {
        const char *id, *message;
    } wrong[] = {{"claim/unknown", "it measured claim/unknown, which is no id in a quantities.csv"},
                 {"claim/x", "it measured claim/x twice"},
                 {"claim/theirs", "it measured claim/theirs, which quantities.csv gives to another experiment"}};
    sb_table bounds;
    sb_bench bench;
    SB_SCRATCH(arena, ctx);
    int status = make_bounds(&arena, &bounds) + add_bound(&bounds, "claim/x", "mine", "printed") +
                 add_bound(&bounds, "claim/x", "mine", "corrected") +
                 add_bound(&bounds, "claim/y", "mine", "reported") +
                 add_bound(&bounds, "claim/theirs", "another", "printed");
    status += sb_bench_begin(ctx, "bench", ".", &bounds, &bench);
    bench.experiment = &experiment;
    status += sb_bench_measure(&bench, "claim/x", 2.0, 0.0);
    const sb_table *rows = &bench.quantities;
    gsl_test(status != SB_OK || rows->nrows != 2 || !sb_table_is(rows, 0, "form", "printed") ||
                 !sb_table_is(rows, 1, "form", "corrected") || !sb_table_is(rows, 1, "passed", "no"),
             "one number decides two rows: %s", ctx->message);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        gsl_test(sb_bench_measure(&bench, wrong[k].id, 1.0, 0.0) != SB_BAD_USAGE ||
                     strcmp(ctx->message, wrong[k].message) != 0,
                 "%s: %s", wrong[k].id, ctx->message);
    }
    gsl_test(sb_check_measured(&bench) != SB_BAD_USAGE || strstr(ctx->message, "it did not measure claim/y") == NULL,
             "a row that is not measured: %s", ctx->message);
    gsl_test(sb_bench_measure(&bench, "claim/y", 1.0, 0.0) != SB_OK || sb_check_measured(&bench) != SB_OK,
             "then all are measured: %s", ctx->message);
    sb_bench_finish(&bench);
}

/* SHAKE and RATTLE have the same positions, leimkuhler94; neither takes the driver of the slider crank. */
static void distances(sb_context *ctx) {
    static const char *const problems[2] = {"dsp", "slider_crank"};
    double distance[2] = {0.0, 0.0};
    sb_bench bench;
    sb_path shake, rattle;
    gsl_test(sb_bench_begin(ctx, "bench", ".", NULL, &bench) != SB_OK, "%s", ctx->message);
    for (int i = 0; i < 2; i++) {
        const int status = sb_bench_path(&bench, problems[i], "shake", 0.01, 20, 1, &shake) +
                           sb_bench_path(&bench, problems[i], "rattle", 0.01, 20, 1, &rattle);
        gsl_test(status != SB_OK, "%s", ctx->message);
        distance[i] = sb_path_distance(&shake, &rattle);
    }
    gsl_test(!(distance[0] <= 1e-9), "two runs of equal methods are %g m apart", distance[0]);
    gsl_test(!isnan(distance[1]), "two runs that fail at the start have the distance %g", distance[1]);
    sb_bench_finish(&bench);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK, "%s", ctx.message);
    ctx.registry = &registry;
    comparisons();
    verdicts(&ctx);
    measures(&ctx);
    distances(&ctx);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
