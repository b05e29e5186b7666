/* wm96 4.5: order of the DEL map with the midpoint Lagrangian (4.1) and with the end-point one (4.20). */
#include <math.h>
#include <string.h>

#include "bench/runner/verdicts.h"

static const char *const options = "levels=6";
/* The next term of the error bends the fit over a factor of 32 in h by at most its own size at the largest step, a few
 * per cent. */
static const double bend = 0.1;

/* Least and largest fitted slope of the positions; false if a fit is missing. */
static bool slopes(const sb_table *table, int first, int rows, double *least, double *most, double *se) {
    bool complete = true;
    int fits = 0;
    *least = INFINITY;
    *most = -INFINITY;
    *se = 0.0;
    for (int i = first; i < first + rows; i++) {
        if (strcmp(sb_table_text(table, i, "status"), "fit") == 0) {
            const double slope = sb_table_real(table, i, "slope_q"), error = sb_table_real(table, i, "se_q");
            complete = complete && isfinite(slope) && isfinite(error);
            *least = !(slope >= *least) ? slope : *least;
            *most = !(slope <= *most) ? slope : *most;
            *se = !(error <= *se) ? error : *se;
            fits++;
        }
    }
    return complete && fits > 0;
}

static int run(sb_bench *bench) {
    static const char *const problems[] = {"oscillator", "kepler",     "pendulum", "spherical_pendulum",
                                           "dsp",        "rigid_body", NULL};
    static const char *const general[] = {"spherical_pendulum", NULL};
    static const char *const midpoint[] = {"del", NULL}, *const left[] = {"del:quadrature=left", NULL};
    sb_table table, by_left;
    double least, most, se, least_left, most_left, se_left;
    SB_TRY(sb_bench_analyse(bench, "order", options, problems, midpoint, &table));
    SB_TRY(sb_bench_analyse(bench, "order", options, general, left, &by_left));
    const bool second =
        slopes(&table, 0, table.nrows, &least, &most, &se) && fabs(least - 2.0) <= bend && fabs(most - 2.0) <= bend;
    const bool first = slopes(&by_left, 0, by_left.nrows, &least_left, &most_left, &se_left) &&
                       fabs(least_left - 1.0) <= bend && fabs(most_left - 1.0) <= bend;
    SB_TRY(sb_bench_append(&table, &by_left));
    SB_TRY(sb_bench_save(bench, &table, "wm96_order.csv"));
    SB_TRY(sb_bench_plot(bench, "wm96_order"));
    SB_TRY(sb_bench_find(
        bench,
        &(sb_finding){
            "wm96-order", sb_verdict_of(second, false),
            sb_bench_format(
                bench, "slopes of the position error on six problems between %.3f and %.3f, standard errors up to %.4f",
                least, most, se),
            "0.1 absolute, two-sided",
            "the next term of the error bends the fit by a few per cent at the largest step"}));
    return sb_bench_find(
        bench,
        &(sb_finding){"wm96-order1", sb_verdict_of(first, false),
                      sb_bench_format(bench, "slope %.3f, standard error %.4f, on the spherical pendulum in angles",
                                      least_left, se_left),
                      "0.1 absolute, two-sided",
                      "the next term of the error bends the fit by a few per cent at the largest step; the mass "
                      "matrix depends on the position, as it must for (4.20) to show its order"});
}

SB_DEFINE_EXPERIMENT(wm96_order) = {
    .entry = {"wm96_order", "Order of the DEL map with the midpoint and with the end-point Lagrangian.", "wm96 4.5",
              NULL, 0},
    .claims = (const char *const[]){"wm96-order", "wm96-order1", NULL},
    .files = (const char *const[]){"wm96_order.csv", "wm96_order.svg", "wm96_order.png", NULL},
    .run = run,
};
