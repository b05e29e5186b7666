/* The verdict on a claim follows from its quantities: what passes, what decides, and that NaN never passes; runs that
 * fail have no distance. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/runner/bench.h"
#include "bench/runner/experiment_tools.h"
#include "bench/runner/registry.h"

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
    static const char forms[] = "PpCcBbRr";
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        sb_bench bench;
        gsl_test(sb_bench_begin(ctx, "bench", ".", &bench) != SB_OK, "%s", ctx->message);
        int status = SB_RECORD(&bench, "another", SB_PRINTED, "a failure of another claim", SB_HOLDS, .measured = 0.0);
        for (const char *row = cases[k].rows; *row != '\0'; row++) {
            const bool pass = strchr("PCBR", *row) != NULL;
            const sb_claim_form form = (sb_claim_form)((strchr(forms, *row) - forms) / 2);
            status = status == SB_OK
                         ? SB_RECORD(&bench, "one", form, "x", .measured = pass ? 1.0 : (double)NAN, .expected = 1.0)
                         : status;
        }
        gsl_test(status != SB_OK, "%s", ctx->message);
        const sb_verdict found = sb_claim_verdict(&bench.quantities, "one");
        gsl_test(found != cases[k].verdict, "the rows %s are %s: %s", cases[k].rows, sb_verdict_name[cases[k].verdict],
                 sb_verdict_name[found]);
        sb_bench_finish(&bench);
    }
}

/* SHAKE and RATTLE have the same positions, leimkuhler94; neither takes the driver of the slider crank. */
static void distances(sb_context *ctx) {
    static const char *const problems[2] = {"dsp", "slider_crank"};
    double distance[2] = {0.0, 0.0};
    sb_bench bench;
    sb_path shake, rattle;
    gsl_test(sb_bench_begin(ctx, "bench", ".", &bench) != SB_OK, "%s", ctx->message);
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
    distances(&ctx);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
