/* wm96 3.2 and 3.3: the DEL map preserves the discrete symplectic form and the discrete momentum map; other methods for
 * comparison; 4.3: the equations can be solved for small steps. */
#include "bench/runner/experiment_tools.h"

static const char *const problems[] = {"oscillator", "kepler",     "pendulum", "spherical_pendulum",
                                       "dsp",        "rigid_body", NULL};
static const char *const del[] = {"del", "del:quadrature=left", NULL};

static double largest(const sb_table *table, const char *column) {
    double x = 0.0;
    for (int i = 0; i < table->nrows; i++) {
        x = sb_larger(x, sb_table_real(table, i, column));
    }
    return x;
}

static double smallest(const sb_table *table, const char *column) {
    double x = INFINITY;
    for (int i = 0; i < table->nrows; i++) {
        x = fmin(x, sb_table_real(table, i, column));
    }
    return x;
}

static int symplectic(sb_bench *bench) {
    sb_table table, control = {0};
    SB_TRY(sb_bench_analyse(bench, "symplecticity", "", problems, del, &table));
    /* Methods that do not preserve the form show that the measurement can fail. */
    SB_TRY(sb_bench_analyse_more(bench, "symplecticity", "", SB_LIST("dsp", "pendulum:constraint=square"),
                                 SB_LIST("em"), &control));
    SB_TRY(
        sb_bench_analyse_more(bench, "symplecticity", "", SB_LIST("oscillator", "kepler"), SB_LIST("rk4"), &control));
    SB_TRY(sb_bench_measure(bench, "wm96-symplectic/runs", table.nrows - sb_table_count(&table, "symplectic", "yes"),
                            0.0));
    SB_TRY(sb_bench_measure(bench, "wm96-symplectic/largest", largest(&table, "defect"), 0.0));
    SB_TRY(sb_bench_measure(bench, "wm96-symplectic/control", smallest(&control, "defect"), 0.0));
    SB_TRY(sb_bench_append(&table, &control));
    return sb_bench_save(bench, &table, "wm96_symplectic.csv");
}

static int noether(sb_bench *bench) {
    sb_table table, control;
    SB_TRY(sb_bench_analyse(bench, "momentum", "", SB_LIST("kepler", "spherical_pendulum", "dsp", "rigid_body"), del,
                            &table));
    SB_TRY(sb_bench_analyse(bench, "momentum", "", SB_LIST("kepler"), SB_LIST("rk4"), &control));
    SB_TRY(sb_bench_measure(bench, "wm96-noether/runs", table.nrows - sb_table_count(&table, "conserved", "yes"), 0.0));
    SB_TRY(sb_bench_measure(bench, "wm96-noether/largest", largest(&table, "dev_discrete"), 0.0));
    SB_TRY(sb_bench_measure(bench, "wm96-noether/control", smallest(&control, "dev_discrete"), 0.0));
    SB_TRY(sb_bench_append(&table, &control));
    return sb_bench_save(bench, &table, "wm96_noether.csv");
}

/* wm96 4.3: where D_22 L is regular and the constraints have full rank, sufficiently short steps can be solved. */
static int solvable(sb_bench *bench) {
    enum { STEPS = 20, LEVELS = 8 };
    int failed = 0;
    for (const char *const *problem = problems; *problem != NULL; problem++) {
        sb_system sys;
        SB_TRY(sb_system_build(bench->ctx, &bench->arena, *problem, 0, NULL, &sys));
        double longest = NAN;
        for (int k = 0; k < LEVELS; k++) {
            sb_path path;
            const double part = ldexp(4.0, -k);
            SB_TRY(sb_bench_path(bench, *problem, "del", part * sys.time_scale, STEPS, STEPS, &path));
            failed += path.failure != NULL && !isnan(longest);
            longest = isnan(longest) && path.failure == NULL ? part : longest;
        }
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-solvable/%s", *problem), longest, 0.0));
    }
    return sb_bench_measure(bench, "wm96-solvable/shorter", failed, 0.0);
}

static int run(sb_bench *bench) {
    SB_TRY(symplectic(bench));
    SB_TRY(noether(bench));
    return solvable(bench);
}

SB_DEFINE_EXPERIMENT(wm96_structure) = {
    .entry = {"wm96_structure", "The discrete symplectic form and the discrete momentum map along the DEL map.",
              "wm96 3.2, 3.3", NULL, 0},
    .files = SB_LIST("wm96_symplectic.csv", "wm96_noether.csv"),
    .directed = true,
    .run = run,
};
