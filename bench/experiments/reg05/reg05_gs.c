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
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "reg05-gs/negative-%s", starts[i]),
                                s[i].negative / s[i].rows, 0.0));
    }
    SB_TRY(sb_bench_measure(bench, "reg05-gs/unstable", unstable / (s[0].steps + s[1].steps), 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-gs-sign/both", both / negative, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-gs-sign/without", unstable - both, 0.0));
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "reg05-gs-sign/root-%s", starts[i]), s[i].radius, 0.0));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(reg05_gs) = {
    .entry = {"reg05_gs",
              "Gauss-Seidel in place of a direct solver: rows of negative compliance, and the roots of the perturbed "
              "step and of the step itself.",
              "reg05 (5.5)", NULL, 0},
    .files = SB_LIST("reg05_gs.csv", SB_FIGURE("reg05_gs")),
    .run = run,
};
