/* reg05 (5.5): the error of Gauss-Seidel as a compliance: how often it is negative, and whether a negative compliance
 * means an unstable step. */
#include "bench/runner/verdicts.h"

/* Sixty steps are a second, in which the chain falls past its lowest point and the ladder reaches its end. */
#define OPTIONS "h=1/60,steps=60,sweeps=[1,2,5,10,20,50,100,200]"

/* Sums over the rows of one kind of start; `radius` is the largest. */
typedef struct sums {
    double rows, negative, steps, steps_negative, steps_unstable, steps_both, radius;
} sums;

static sums add_up(const sb_table *t, const char *start) {
    sums s = {0};
    for (int i = 0; i < t->nrows; i++) {
        if (!sb_table_is(t, i, "start", start)) {
            continue;
        }
        s.rows += sb_table_real(t, i, "rows");
        s.negative += sb_table_real(t, i, "negative") * sb_table_real(t, i, "rows");
        s.steps += sb_table_real(t, i, "steps");
        s.steps_negative += sb_table_real(t, i, "steps_negative");
        s.steps_unstable += sb_table_real(t, i, "steps_unstable");
        s.steps_both += sb_table_real(t, i, "steps_both");
        s.radius = sb_larger(s.radius, sb_table_real(t, i, "radius_step"));
    }
    return s;
}

static int run(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_analyse(bench, "backward_error", OPTIONS, SB_LIST("rod_chain:n=6", "ladder:N=2", "stack:n=4"),
                            SB_LIST("reg"), &table));
    SB_TRY(sb_bench_save(bench, &table, "reg05_gs.csv"));
    SB_TRY(sb_bench_plot(bench, "reg05_gs"));
    const sums cold = add_up(&table, "cold"), warm = add_up(&table, "warm");
    const double negative = cold.steps_negative + warm.steps_negative, both = cold.steps_both + warm.steps_both;
    const double alone = cold.steps_unstable + warm.steps_unstable - both;
    static const char *const some = "any share above zero: negative coefficients occur";
    SB_TRY(SB_RECORD(bench, "reg05-gs", SB_PRINTED, "share of rows with a negative coefficient, cold start",
                     SB_AT_LEAST, .measured = cold.negative / cold.rows, .expected = 0.01, .round_off = 1e-3,
                     .from = some));
    SB_TRY(SB_RECORD(bench, "reg05-gs", SB_PRINTED, "share of rows with a negative coefficient, warm start",
                     SB_AT_LEAST, .measured = warm.negative / warm.rows, .expected = 0.01, .round_off = 1e-3,
                     .from = some));
    SB_TRY(SB_RECORD(bench, "reg05-gs", SB_PRINTED, "share of steps whose perturbed system is unstable", SB_AT_LEAST,
                     .measured = (both + alone) / (cold.steps + warm.steps), .expected = 0.01, .round_off = 1e-3,
                     .from = "some cases: any share above zero"));
    SB_TRY(SB_RECORD(bench, "reg05-gs-sign", SB_PRINTED, "unstable steps among those with a negative coefficient",
                     .measured = both / negative, .expected = 1.0, .tolerance = 0.0, .round_off = 1e-3,
                     .published = "all"));
    SB_TRY(SB_RECORD(bench, "reg05-gs-sign", SB_CORRECTED_FORM, "unstable steps without a negative coefficient",
                     SB_AT_MOST, .measured = alone, .expected = 0.0));
    SB_TRY(SB_RECORD(bench, "reg05-gs-sign", SB_REPORTED, "largest root of the Gauss-Seidel step, cold start",
                     .measured = cold.radius, .round_off = 1e-3));
    return SB_RECORD(bench, "reg05-gs-sign", SB_REPORTED, "largest root of the Gauss-Seidel step, warm start",
                     .measured = warm.radius, .round_off = 1e-3);
}

SB_DEFINE_EXPERIMENT(reg05_gs) = {
    .entry = {"reg05_gs",
              "Gauss-Seidel in place of a direct solver: rows of negative compliance, and the roots of the perturbed "
              "step and of the step itself.",
              "reg05 (5.5)", NULL, 0},
    .claims = SB_LIST("reg05-gs", "reg05-gs-sign"),
    .files = SB_LIST("reg05_gs.csv", SB_FIGURE("reg05_gs")),
    .run = run,
};
