/* Stability maps: the largest root of a step as a function of h and a parameter. notes11 5, transv18. */
#include "analysis/row.h"
#include "analysis/stability/amplification.h"
#include "analysis/stability/blowup.h"
#include "bench/runner/experiment_tools.h"

enum { GRID = 24 };

/* Computes the roots of a step, and 2/omega of the problem. */
static int measure_cell(sb_bench *bench, const char *problem, const char *stepper, double h, sb_amplification *a,
                        double *limit) {
    sb_system sys;
    sb_limits limits;
    sb_pair pair;
    SB_SCRATCH(arena, bench->ctx);
    SB_TRY(sb_system_build(bench->ctx, &arena, problem, 0, NULL, &sys));
    SB_TRY(sb_pair_build(bench->ctx, &arena, &sys, stepper, &pair));
    SB_TRY(sb_blowup_predict(bench->ctx, &arena, &sys, &limits));
    *limit = limits.projected;
    SB_TRY(sb_amplification_measure(bench->ctx, &arena, &pair, h, a));
    a->roots = NULL; /* freed with the arena */
    return SB_OK;
}

static int write_cell(sb_table *table, const char *map, double h, double parameter, const sb_amplification *a,
                      double boundary) {
    return SB_TABLE_ROW(table, sb_text(map), sb_real(h), sb_real(parameter), sb_real(a->radius), sb_known(boundary));
}

static int damping(sb_bench *bench, sb_table *table) {
    for (int i = 0; i < GRID; i++) {
        for (int j = 0; j < GRID; j++) {
            const double tau = 2.5 * (i + 0.5) / GRID, g = 5.0 * (j + 0.5) / GRID;
            sb_amplification a;
            double none;
            SB_TRY(measure_cell(bench, sb_bench_format(bench, "oscillator:omega=1,gamma=%.17g", g / tau),
                                "euler_explicit", tau, &a, &none));
            SB_TRY(write_cell(table, "damping", tau, g, &a, NAN));
        }
    }
    return SB_OK;
}

static int end_mass(sb_bench *bench, double unit, sb_table *table) {
    for (int j = 0; j < GRID; j++) {
        for (int i = 0; i < GRID; i++) {
            const double h = 1.5 * (i + 0.5) / GRID, mass = pow(10.0, 3.0 * (j + 0.5) / GRID);
            sb_amplification a;
            double limit;
            SB_TRY(measure_cell(bench, sb_bench_format(bench, "thread:n=3,end_mass=%.17g", mass), "shake", h * unit, &a,
                                &limit));
            SB_TRY(write_cell(table, "end_mass", h, mass, &a, limit / unit));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(transv18_maps) {
    sb_table table;
    sb_amplification a;
    double unit;
    SB_TRY(sb_bench_table(bench, "transv18_maps", &table));
    SB_TRY(measure_cell(bench, "thread:n=3,end_mass=10", "shake", 0.01, &a, &unit));
    SB_TRY(damping(bench, &table));
    SB_TRY(end_mass(bench, unit, &table));
    return sb_bench_save_curves(bench, &table, "transv18_maps.csv");
}
