/* Modified Hamiltonians: their orders; that they are constant for a quadratic Hamiltonian; and the double spherical
 * pendulum of wm96, whose energy oscillates about one of them. skeel01. */
#include "bench/runner/experiment_tools.h"

/* Rows per run: the energy, then H_2k for k = 2 to 6. */
enum { HAMILTONIANS = 6 };

static int orders(sb_bench *bench, sb_table *out) {
    SB_TRY(sb_bench_analyse(bench, "modified_energy", "h=[0.1,0.05],t_end=100", SB_LIST("henon_heiles"),
                            SB_LIST("verlet"), out));
    for (int k = 2; k <= 4; k++) {
        const double coarse = sb_table_real(out, k - 1, "sd"), fine = sb_table_real(out, HAMILTONIANS + k - 1, "sd");
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "literature-modified/order-H%d", 2 * k),
                                log2(coarse / fine), 0.0));
    }
    return SB_OK;
}

static int quadratic(sb_bench *bench, sb_table *all) {
    sb_table table;
    double most = 0.0;
    SB_TRY(sb_bench_analyse(bench, "modified_energy", "h=0.5,t_end=500", SB_LIST("oscillator"),
                            SB_LIST("euler_symplectic", "verlet", "lobatto_iiia_b"), &table));
    for (int i = 0; i < table.nrows; i++) {
        if (i % HAMILTONIANS != 0) {
            most = sb_larger(most, sb_table_real(&table, i, "max_dev") / sb_table_real(&table, i, "rounding"));
        }
    }
    SB_TRY(sb_bench_measure(bench, "literature-modified-linear/deviation", most, 0.0));
    return sb_bench_append(all, &table);
}

/* The energy-momentum method em is not symplectic and serves for comparison. */
static int pendulum(sb_bench *bench, sb_table *all) {
    sb_table table;
    SB_TRY(sb_bench_analyse(bench, "modified_energy", "h=0.01,t_end=20", SB_LIST("dsp"), SB_LIST("del", "em"), &table));
    SB_TRY(sb_bench_measure(bench, "literature-modified/dsp-energy", sb_table_real(&table, 0, "max_dev"), 0.0));
    SB_TRY(sb_bench_measure(bench, "literature-modified/dsp-H8",
                            sb_table_real(&table, 3, "max_dev") / sb_table_real(&table, 0, "max_dev"), 0.0));
    SB_TRY(sb_bench_measure(
        bench, "literature-modified/em-H8",
        sb_table_real(&table, HAMILTONIANS + 3, "max_dev") / sb_table_real(&table, HAMILTONIANS + 1, "max_dev"), 0.0));
    return sb_bench_append(all, &table);
}

static int run(sb_bench *bench) {
    sb_table table;
    SB_TRY(orders(bench, &table));
    SB_TRY(quadratic(bench, &table));
    SB_TRY(pendulum(bench, &table));
    return sb_bench_save(bench, &table, "literature_modified.csv");
}

SB_DEFINE_EXPERIMENT(literature_modified) = {
    .entry = {"literature_modified",
              "Modified Hamiltonians: their orders, a quadratic Hamiltonian, the double spherical pendulum of wm96.",
              "skeel01", NULL, 0},
    .files = SB_LIST("literature_modified.csv"),
    .run = run,
};
