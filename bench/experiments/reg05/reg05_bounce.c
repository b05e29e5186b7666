/* reg05 4: what order a bouncing ball leaves to first-order and second-order steppers, in norms that make sense for
 * impacts and in one that does not. */
#include <math.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "bench/runner/trajectory.h"
#include "bench/runner/verdicts.h"

enum { STEPPERS = 3, JUDGED = 2, LEVELS = 9, NORMS = 4, FINE = 10, SHOWN = 56, COARSE_STEPS = 36 };

/* The first two are judged. SPOOK has its default compliance, eps = 1e-8 m/N. */
static const char *const steppers[] = {"reg", "moreau", "spook", NULL};
/* The largest step, s: no impact falls on a multiple of it or of its fractions. */
static const double coarsest = 0.05;
static const char *const slopes[NORMS] = {"slope_q", "slope_v", "slope_graph", "slope_impact"};
static const char *const errors[NORMS] = {"se_q", "se_v", "se_graph", "se_impact"};

static const sb_column sup_columns[] = {
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"sup_v", SB_COL_ERROR, "m/s", "largest error of the velocity at any step of 1.8 s"},
};
static const sb_column path_columns[] = {
    {"t", SB_COL_KEY, "s", "time"},
    {"exact", SB_COL_EXACT, "m", "height"},
    {"reg", SB_COL_EXACT, "m", "by the regularized stepper, h = 0.05 s"},
    {"moreau", SB_COL_EXACT, "m", "by Moreau-Jean time stepping, h = 0.05 s"},
};

static int sup_of(sb_bench *bench, const char *stepper, double h, double *out) {
    sb_path path;
    SB_TRY(sb_bench_path(bench, "bouncing_ball", stepper, h, lround(COARSE_STEPS * coarsest / h), 1, &path));
    *out = path.failure == NULL ? 0.0 : NAN;
    for (long k = 0; k < path.count; k++) {
        double q, v;
        SB_TRY(path.sys.exact(path.sys.self, path.t[k], &q, &v, NULL));
        *out = sb_larger(*out, fabs(path.v[k] - v));
    }
    return SB_OK;
}

/* The power of h of the largest error of the velocity, of each stepper. */
static int sup_norms(sb_bench *bench, double power[STEPPERS], double *se) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, 3, sup_columns, &table));
    *se = 0.0;
    for (int s = 0; s < STEPPERS; s++) {
        double h[LEVELS], sup[LEVELS];
        for (int k = 0; k < LEVELS; k++) {
            h[k] = ldexp(coarsest, -k);
            SB_TRY(sup_of(bench, steppers[s], h[k], &sup[k]));
            SB_TRY(SB_ROW(&table.sink, sb_text(steppers[s]), sb_real(h[k]), sb_real(sup[k])));
        }
        const sb_slope slope = sb_bench_slope(LEVELS, h, sup);
        power[s] = slope.value;
        *se = sb_larger(*se, slope.se);
    }
    return sb_bench_save(bench, &table, "reg05_bounce_sup.csv");
}

static int draw_paths(sb_bench *bench) {
    sb_path reg, moreau;
    sb_table table;
    const double h = coarsest;
    SB_TRY(sb_bench_table(bench, 4, path_columns, &table));
    SB_TRY(sb_bench_path(bench, "bouncing_ball", "reg", h, SHOWN, 1, &reg));
    SB_TRY(sb_bench_path(bench, "bouncing_ball", "moreau", h, SHOWN, 1, &moreau));
    for (long j = 0; j <= SHOWN * FINE; j++) {
        const double t = (double)j * h / FINE;
        const bool sampled = j % FINE == 0 && j / FINE < reg.count && j / FINE < moreau.count;
        double q, v;
        SB_TRY(reg.sys.exact(reg.sys.self, t, &q, &v, NULL));
        SB_TRY(SB_ROW(&table.sink, sb_real(t), sb_real(q), sampled ? sb_real(reg.q[j / FINE]) : sb_empty(),
                      sampled ? sb_real(moreau.q[j / FINE]) : sb_empty()));
    }
    return sb_bench_save(bench, &table, "reg05_bounce_path.csv");
}

static int run(sb_bench *bench) {
    static const char *const problems[] = {"bouncing_ball", NULL};
    /* Where in a step the impacts fall is a matter of chance: errors are h times a number between 0 and 1 or so, whose
     * scatter bends a fit over two and a half decades of h by less than this; a largest error that jumps with it is
     * flat to within the same. */
    const double bend = 0.15;
    double power[STEPPERS], se_sup, least = INFINITY, most = -INFINITY, se = 0.0;
    int fits = 0;
    sb_table rows;
    SB_TRY(sb_bench_analyse(
        bench, "order",
        "h=[0.05,0.025,0.0125,0.00625,0.003125,0.0015625,0.00078125,0.000390625,0.0001953125],t_end=1.8", problems,
        steppers, &rows));
    for (int i = 0; i < rows.nrows; i++) {
        const bool judged = strcmp(sb_table_text(&rows, i, "status"), "fit") == 0 &&
                            strcmp(sb_table_text(&rows, i, "stepper"), steppers[JUDGED]) != 0;
        for (int k = 0; k < NORMS && judged; k++, fits++) {
            const double slope = sb_table_real(&rows, i, slopes[k]);
            least = !(slope >= least) ? slope : least;
            most = !(slope <= most) ? slope : most;
            se = sb_larger(se, sb_table_real(&rows, i, errors[k]));
        }
    }
    SB_TRY(sb_bench_save(bench, &rows, "reg05_bounce.csv"));
    SB_TRY(sup_norms(bench, power, &se_sup));
    SB_TRY(draw_paths(bench));
    SB_TRY(sb_bench_plot(bench, "reg05_bounce"));
    bool holds = fits == JUDGED * NORMS && fabs(least - 1.0) <= bend && fabs(most - 1.0) <= bend;
    for (int s = 0; s < JUDGED; s++) {
        holds = holds && fabs(power[s]) <= bend;
    }
    return sb_bench_find(
        bench, &(sb_finding){"reg05-first", sb_verdict_of(holds, false),
                             sb_bench_format(bench,
                                             "bouncing ball by the regularized stepper and Moreau-Jean time stepping: "
                                             "mean errors of position and velocity, "
                                             "distance of the graphs "
                                             "and times of impacts go as h to the power of %.2f to %.2f (standard "
                                             "errors up to %.2f); the largest error of the "
                                             "velocity as %s (+- %.2f)",
                                             least, most, se, sb_bench_list(bench, "%.2f", JUDGED, power), se_sup),
                             "0.15 on the powers 1 and 0",
                             "the methods are of second order, Moreau's midpoint rule too, on smooth motions. An "
                             "impact found at the end of a step "
                             "is late by part of one: an error "
                             "of h in time, and of the whole jump in the velocity for as long, so that its largest "
                             "error does not fall at all. SPOOK is "
                             "drawn with its default compliance, 1e-8 m/N, and does as the regularized stepper does: "
                             "an impact is rigid whatever the compliance is"});
}

SB_DEFINE_EXPERIMENT(reg05_bounce) = {
    .entry = {"reg05_bounce",
              "Bouncing ball by three steppers: orders in the mean over time, of the graphs, of the times of impacts, "
              "and in the largest error.",
              "reg05 4", NULL, 0},
    .claims = (const char *const[]){"reg05-first", NULL},
    .files = (const char *const[]){"reg05_bounce.csv", "reg05_bounce_sup.csv", "reg05_bounce_path.csv",
                                   "reg05_bounce.svg", "reg05_bounce.png", NULL},
    .run = run,
};
