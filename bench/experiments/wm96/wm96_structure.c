/* wm96 3.2 and 3.3: the DEL map preserves the discrete symplectic form and the discrete momentum map; others are
 * measured beside it. */
#include <math.h>
#include <string.h>

#include "bench/runner/verdicts.h"

static const char *const problems[] = {"oscillator", "kepler",     "pendulum", "spherical_pendulum",
                                       "dsp",        "rigid_body", NULL};
static const char *const del[] = {"del", "del:quadrature=left", NULL};
/* Methods that are known not to preserve the form, to show that the measurement tells: where they can run at all. */
static const char *const constrained[] = {"dsp", "pendulum:constraint=square", NULL}, *const em[] = {"em", NULL};
static const char *const free_problems[] = {"oscillator", "kepler", NULL}, *const rk4[] = {"rk4", NULL};

/* Rows of `table` whose column `name` says yes, of all that ran. */
static bool all_yes(const sb_table *table, const char *name, int *rows) {
    bool all = true;
    *rows = 0;
    for (int i = 0; i < table->nrows; i++) {
        if (strcmp(sb_table_text(table, i, "status"), "ok") == 0) {
            ++*rows;
            all = all && strcmp(sb_table_text(table, i, name), "yes") == 0;
        } else {
            all = false;
        }
    }
    return all && *rows > 0;
}

static double largest(const sb_table *table, const char *name) {
    double most = 0.0;
    for (int i = 0; i < table->nrows; i++) {
        const double x = sb_table_real(table, i, name);
        most = !(x <= most) ? x : most;
    }
    return most;
}

static double smallest(const sb_table *table, const char *name) {
    double least = INFINITY;
    for (int i = 0; i < table->nrows; i++) {
        const double x = sb_table_real(table, i, name);
        least = !(x >= least) ? x : least;
    }
    return least;
}

static int symplectic(sb_bench *bench) {
    sb_table table, by_em, by_rk4;
    int rows, control;
    SB_TRY(sb_bench_analyse(bench, "symplecticity", "", problems, del, &table));
    SB_TRY(sb_bench_analyse(bench, "symplecticity", "", constrained, em, &by_em));
    SB_TRY(sb_bench_analyse(bench, "symplecticity", "", free_problems, rk4, &by_rk4));
    const bool holds = all_yes(&table, "symplectic", &rows);
    const bool blind = all_yes(&by_em, "symplectic", &control) || all_yes(&by_rk4, "symplectic", &control);
    const double defect = largest(&table, "defect"),
                 others = fmin(smallest(&by_em, "defect"), smallest(&by_rk4, "defect"));
    SB_TRY(sb_bench_append(&table, &by_em));
    SB_TRY(sb_bench_append(&table, &by_rk4));
    SB_TRY(sb_bench_save(bench, &table, "wm96_symplectic.csv"));
    return sb_bench_find(
        bench,
        &(sb_finding){
            "wm96-symplectic", blind ? SB_UNDECIDABLE : sb_verdict_of(holds, false),
            sb_bench_format(bench,
                            "relative defect below 1e-%d on %d pairs of problem and quadrature; em and rk4, measured "
                            "alike, 1e-%d or more",
                            sb_decimals(defect), rows, sb_decimals(others) + 1),
            "10 times the noise of the differences",
            "central differences of eighth order with two spacings; em and rk4 show that the measurement can fail"});
}

static int noether(sb_bench *bench) {
    static const char *const with_symmetry[] = {"kepler", "spherical_pendulum", "dsp", "rigid_body", NULL};
    sb_table table, control;
    int rows, others;
    SB_TRY(sb_bench_analyse(bench, "momentum", "", with_symmetry, del, &table));
    static const char *const kepler[] = {"kepler", NULL};
    SB_TRY(sb_bench_analyse(bench, "momentum", "", kepler, rk4, &control));
    const bool holds = all_yes(&table, "conserved", &rows), blind = all_yes(&control, "conserved", &others);
    const double deviation = largest(&table, "dev_discrete"), of_rk4 = smallest(&control, "dev_discrete");
    SB_TRY(sb_bench_append(&table, &control));
    SB_TRY(sb_bench_save(bench, &table, "wm96_noether.csv"));
    return sb_bench_find(
        bench,
        &(sb_finding){
            "wm96-noether", blind ? SB_UNDECIDABLE : sb_verdict_of(holds, false),
            sb_bench_format(
                bench,
                "discrete momenta within 1e-%d of their start in %d runs; rk4, measured alike, moves by 1e-%d or more",
                sb_decimals(deviation), rows, sb_decimals(of_rk4) + 1),
            "what round-off may add up to, in the table",
            "a random walk of the rounding of each step's momentum; rk4 shows that the measurement can fail"});
}

static int run(sb_bench *bench) {
    SB_TRY(symplectic(bench));
    return noether(bench);
}

SB_DEFINE_EXPERIMENT(wm96_structure) = {
    .entry = {"wm96_structure", "The discrete symplectic form and the discrete momentum map along the DEL map.",
              "wm96 3.2, 3.3", NULL, 0},
    .claims = (const char *const[]){"wm96-symplectic", "wm96-noether", NULL},
    .files = (const char *const[]){"wm96_symplectic.csv", "wm96_noether.csv", NULL},
    .run = run,
};
