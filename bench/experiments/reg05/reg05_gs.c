/* reg05 (5.5): the error of Gauss-Seidel as a compliance: how often it is negative, and whether a negative compliance
 * means an unstable step. */
#include "bench/runner/experiment_tools.h"

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
    static const char *const starts[2] = {"cold", "warm"};
    const sums s[2] = {add_up(&table, starts[0]), add_up(&table, starts[1])};
    const double negative = s[0].steps_negative + s[1].steps_negative, both = s[0].steps_both + s[1].steps_both,
                 unstable = s[0].steps_unstable + s[1].steps_unstable;
    for (int i = 0; i < 2; i++) {
        SB_TRY(SB_RECORD(bench, "reg05-gs", SB_PRINTED,
                         sb_bench_format(bench, "share of rows with a negative coefficient, %s start", starts[i]),
                         SB_AT_LEAST, .measured = s[i].negative / s[i].rows, .expected = 0.01, .round_off = 1e-3,
                         .from = "any share above zero: negative coefficients occur"));
    }
    SB_TRY(SB_RECORD(bench, "reg05-gs", SB_PRINTED, "share of steps whose perturbed system is unstable", SB_AT_LEAST,
                     .measured = unstable / (s[0].steps + s[1].steps), .expected = 0.01, .round_off = 1e-3,
                     .from = "some cases: any share above zero"));
    SB_TRY(SB_RECORD(bench, "reg05-gs-sign", SB_PRINTED, "unstable steps among those with a negative coefficient",
                     .measured = both / negative, .expected = 1.0, .tolerance = 0.0, .round_off = 1e-3,
                     .published = "all"));
    SB_TRY(SB_RECORD(bench, "reg05-gs-sign", SB_CORRECTED_FORM, "unstable steps without a negative coefficient",
                     SB_AT_MOST, .measured = unstable - both, .expected = 0.0));
    for (int i = 0; i < 2; i++) {
        SB_TRY(SB_RECORD(bench, "reg05-gs-sign", SB_REPORTED,
                         sb_bench_format(bench, "largest root of the Gauss-Seidel step, %s start", starts[i]),
                         .measured = s[i].radius, .round_off = 1e-3));
    }
    return SB_OK;
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
