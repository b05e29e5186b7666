/* wm96 4.5: order of the DEL map with the midpoint Lagrangian (4.1) and with the end-point one (4.20). */
#include "bench/runner/experiment_tools.h"

/* Records the fitted power for every problem of the table. */
static int record(sb_bench *bench, const char *claim, const sb_table *table) {
    for (int i = 0; i < table->nrows; i++) {
        if (sb_table_is(table, i, "status", "fit")) {
            SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s/%s", claim, sb_table_text(table, i, "problem")),
                                    sb_table_real(table, i, "slope_q"), sb_table_real(table, i, "se_q")));
        }
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    sb_table table, left;
    SB_TRY(sb_bench_analyse(bench, "order", "levels=6",
                            SB_LIST("oscillator", "kepler", "pendulum", "spherical_pendulum", "dsp", "rigid_body"),
                            SB_LIST("del"), &table));
    SB_TRY(sb_bench_analyse(bench, "order", "levels=6", SB_LIST("spherical_pendulum"), SB_LIST("del:quadrature=left"),
                            &left));
    SB_TRY(record(bench, "wm96-order", &table));
    SB_TRY(record(bench, "wm96-order1", &left));
    SB_TRY(sb_bench_append(&table, &left));
    SB_TRY(sb_bench_save(bench, &table, "wm96_order.csv"));
    return sb_bench_plot(bench, "wm96_order");
}

SB_DEFINE_EXPERIMENT(wm96_order) = {
    .entry = {"wm96_order", "Order of the DEL map with the midpoint and with the end-point Lagrangian.", "wm96 4.5",
              NULL, 0},
    .files = SB_LIST("wm96_order.csv", SB_FIGURE("wm96_order")),
    .run = run,
};
