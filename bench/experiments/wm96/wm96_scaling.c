/* wm96 4.4: condition number of Newton's matrix of the DEL equations (4.14), and of its rows and columns multiplied by
 * powers of h. */
#include <stepbench/numerics/lagrangian.h>

#include "bench/runner/experiment_tools.h"

enum { SCALINGS = 4, STEPS = 11, PROBLEMS = 2, LARGEST = 16 };

static const sb_del_scaling scalings[SCALINGS] = {SB_SCALE_NONE, SB_SCALE_EQ16, SB_SCALE_EQ18, SB_SCALE_H2};

static const char *const problems[PROBLEMS] = {"dsp:ic=printed", "rigid_body"};

/* Computes the condition numbers of the second step. */
static int measure(sb_bench *bench, const sb_system *sys, double h, double cond[SCALINGS]) {
    sb_arena *arena = &bench->arena;
    sb_method method;
    sb_orbit orbit;
    double A[LARGEST * LARGEST];
    SB_TRY(sb_bench_orbit(bench->ctx, arena, sys, "del", h, &method, &orbit));
    SB_TRY(sb_orbit_advance(&orbit, h, 1));
    for (int k = 0; k < SCALINGS; k++) {
        sb_del del;
        SB_TRY(sb_del_init(bench->ctx, arena, sys, 0.5, 0.5, scalings[k], &del));
        SB_TRY(sb_del_matrix(&del, 0.0, h, orbit.next.q, orbit.now.q, A));
        SB_TRY(sb_bench_condition(bench, sys->n + sys->holonomic.m, A, &cond[k]));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(wm96_scaling) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "wm96_scaling", &table));
    for (int p = 0; p < PROBLEMS; p++) {
        sb_system sys;
        SB_TRY(sb_system_build(bench->ctx, &bench->arena, problems[p], 0, NULL, &sys));
        if (sys.n + sys.holonomic.m > LARGEST) {
            return sb_fail(bench->ctx, SB_UNSUPPORTED, "%s has more than %d unknowns", problems[p], LARGEST);
        }
        for (int i = 0; i < STEPS; i++) {
            double c[SCALINGS];
            const double h = pow(10.0, -1.0 - 0.3 * i);
            SB_TRY(measure(bench, &sys, h, c));
            SB_TRY(SB_TABLE_ROW(&table, sb_text(problems[p]), sb_real(h), sb_real(c[0]), sb_real(c[1]), sb_real(c[2]),
                                sb_real(c[3])));
        }
    }
    return sb_bench_save(bench, &table, "wm96_scaling.csv");
}
