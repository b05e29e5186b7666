/* wm96 Theorem 4.3.1: the constrained DEL equations and those in generalized coordinates give the same trajectory. */
#include <string.h>

#include "analysis/conservation/quantities.h"
#include "bench/runner/experiment_tools.h"

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken by both"},
    {"difference", SB_COL_ERROR, "m", "largest distance of a coordinate, del against psi(del on the chart)"},
    {"rounding", SB_COL_ERROR, "m", "what round-off may add up to"},
    {"error", SB_COL_ERROR, "m", "for comparison: distance from the same method with h/2 at the end"},
};

typedef struct pair_of_runs {
    sb_bench *bench;
    sb_system sys, charted;
    sb_method direct, coordinates;
    sb_orbit a, s;
} pair_of_runs;

static int open_runs(sb_bench *bench, const char *problem, pair_of_runs *r) {
    static const char *const chart[] = {"chart"};
    sb_context *ctx = bench->ctx;
    sb_arena *arena = &bench->arena;
    r->bench = bench;
    SB_TRY(sb_system_build(ctx, arena, problem, 0, NULL, &r->sys));
    SB_TRY(sb_system_build(ctx, arena, problem, 1, chart, &r->charted));
    SB_TRY(sb_method_build(ctx, arena, "del", &r->sys, &r->direct));
    SB_TRY(sb_method_build(ctx, arena, "del", &r->charted, &r->coordinates));
    SB_TRY(sb_orbit_init(&r->direct, arena, &r->a));
    return sb_orbit_init(&r->coordinates, arena, &r->s);
}

/* Computes the position after `steps` steps of size h of the constrained equations. */
static int end_point(pair_of_runs *r, double h, long steps, double *q) {
    SB_TRY(sb_orbit_start(&r->a, 0.0, NULL, NULL, h));
    SB_TRY(sb_orbit_advance(&r->a, h, steps));
    memcpy(q, r->a.now.q, (size_t)r->sys.n * sizeof *q);
    return SB_OK;
}

/* Starts both runs from the same two points. Round-off eps |q|/h in the velocity of each step adds up as a random walk,
 * and to h N^(3/2) eps |q|/h in the position. A factor of ten allows for the growth of differences by the motion. */
static int compare(pair_of_runs *r, double h, long steps, double *difference, double *rounding) {
    const int n = r->sys.n;
    const sb_chart *chart = r->charted.embedding->chart;
    double *s0, *s1, *q, largest = 0.0;
    SB_TRY(SB_VECTORS(&r->bench->arena, chart->n, &s0, &s1));
    SB_NEW(&r->bench->arena, q, n);
    SB_TRY(sb_orbit_start(&r->a, 0.0, NULL, NULL, h));
    SB_TRY(chart->inverse(chart->self, r->a.now.q, s0));
    SB_TRY(sb_orbit_advance(&r->a, h, 1));
    SB_TRY(chart->inverse(chart->self, r->a.now.q, s1));
    SB_TRY(sb_method_start_pair(&r->coordinates, 0.0, s0, s1, h, &r->s.now));
    *difference = 0.0;
    for (long k = 1; k < steps; k++) {
        SB_TRY(sb_orbit_advance(&r->a, h, 1));
        SB_TRY(sb_orbit_advance(&r->s, h, 1));
        SB_TRY(chart->point(chart->self, r->s.now.q, q, NULL));
        *difference = sb_larger(*difference, sb_distance_max(n, q, r->a.now.q));
        largest = sb_larger(largest, sb_norm_max(n, q));
    }
    *rounding = 10.0 * DBL_EPSILON * largest * pow((double)steps, 1.5);
    return SB_OK;
}

static int run(sb_bench *bench) {
    static const char *const problems[] = {"pendulum:constraint=norm", "pendulum:constraint=square", "dsp:ic=printed"};
    static const double steps[] = {0.05, 0.02, 0.01};
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int p = 0; p < SB_COUNT(problems); p++) {
        pair_of_runs r;
        double *coarse, *fine;
        SB_TRY(open_runs(bench, problems[p], &r));
        SB_TRY(SB_VECTORS(&bench->arena, r.sys.n, &coarse, &fine));
        for (int i = 0; i < SB_COUNT(steps); i++) {
            const double h = steps[i];
            const long count = lround(5.0 / h);
            double difference, rounding;
            SB_TRY(compare(&r, h, count, &difference, &rounding));
            SB_TRY(end_point(&r, h, count, coarse));
            SB_TRY(end_point(&r, h / 2.0, 2 * count, fine));
            SB_TRY(SB_ROW(&table.sink, sb_text(problems[p]), sb_real(h), sb_int(count), sb_real(difference),
                          sb_real(rounding), sb_real(sb_distance_max(r.sys.n, coarse, fine))));
        }
    }
    return sb_bench_save(bench, &table, "wm96_equivalence.csv");
}

SB_DEFINE_EXPERIMENT(wm96_equivalence) = {
    .entry = {"wm96_equivalence",
              "DEL with multipliers against DEL in generalized coordinates, from the same two points.",
              "wm96 Theorem 4.3.1", NULL, 0},
    .files = SB_LIST("wm96_equivalence.csv"),
    .run = run,
};
