/* Newmark's method and its successors on the oscillator: stability limits, and damping at steps much longer than the
 * period. newmark59, hilber77, chung93, bathe12. */
#include "bench/runner/experiment_tools.h"

static const sb_column columns[] = {
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"quantity", SB_COL_KEY, "", "limit: largest stable h omega; radius: spectral radius at h omega = 1000"},
    {"measured", SB_COL_INFO, "", "its value; empty: no limit up to h omega = 1000"},
    {"formula", SB_COL_INFO, "", "2/sqrt(1 - 4 beta); (1 - alpha)/(1 + alpha); rho; 0"},
};

static const char *const rest[] = {"oscillator:x0=0,v0=0", NULL};
static const double longest = 1000.0;

/* Measures the largest stable h omega, which is 2/sqrt(1 - 4 beta), newmark59. */
static int limits(sb_bench *bench, sb_table *table) {
    static const int denominator[] = {12, 8, 6};
    for (int i = 0; i < 3; i++) {
        const double formula = 2.0 / sqrt(1.0 - 4.0 / denominator[i]);
        const char *stepper = sb_bench_format(bench, "newmark:beta=1/%d", denominator[i]);
        sb_table rows;
        SB_TRY(sb_bench_analyse(bench, "stability", "vary=problem.gamma,values=[0],cells=8", rest, SB_LIST(stepper),
                                &rows));
        const double limit = sb_table_real(&rows, 0, "h_limit"), error = sb_table_real(&rows, 0, "h_error");
        SB_TRY(SB_ROW(&table->sink, sb_text(stepper), sb_text("limit"), sb_trusted(limit, error), sb_real(formula)));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "literature-newmark/%s", stepper), limit, error));
    }
    return SB_OK;
}

/* Measures the spectral radius at h omega = 1000. */
static int damping(sb_bench *bench, const char *claim, const char *stepper, double formula, sb_table *table) {
    sb_table rows;
    SB_TRY(sb_bench_analyse(bench, "amplification", sb_bench_format(bench, "h=[%g]", longest), rest, SB_LIST(stepper),
                            &rows));
    const double radius = sb_table_real(&rows, 0, "radius");
    SB_TRY(SB_ROW(&table->sink, sb_text(stepper), sb_text("radius"), sb_trusted(radius, 1e-7), sb_real(formula)));
    return sb_bench_measure(bench, sb_bench_format(bench, "%s/%s", claim, stepper), radius, 0.0);
}

static int run(sb_bench *bench) {
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    SB_TRY(limits(bench, &table));
    SB_TRY(damping(bench, "literature-average", "newmark:beta=1/4", 1.0, &table));
    for (int i = 1; i <= 3; i++) {
        const double alpha = 0.1 * i;
        SB_TRY(damping(bench, "literature-hht", sb_bench_format(bench, "hht:alpha=%g", alpha),
                       (1.0 - alpha) / (1.0 + alpha), &table));
    }
    for (int i = 0; i <= 4; i++) {
        const double rho = 0.2 * i;
        SB_TRY(
            damping(bench, "literature-chung", sb_bench_format(bench, "generalized_alpha:rho=%g", rho), rho, &table));
    }
    SB_TRY(damping(bench, "literature-bathe", "bathe", 0.0, &table));
    return sb_bench_save(bench, &table, "literature_alpha.csv");
}

SB_DEFINE_EXPERIMENT(literature_alpha) = {
    .entry = {"literature_alpha",
              "Newmark, HHT, generalized-alpha, Bathe: stability limits and damping at high frequency.",
              "newmark59; hilber77; chung93; bathe12", NULL, 0},
    .files = SB_LIST("literature_alpha.csv"),
    .run = run,
};
