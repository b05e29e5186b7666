/* transv18 on the ladder of spook07 6: its transversal modes and the largest stable step when its tip is heavy. */
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/modes/spectra_sparse.h"
#include "analysis/row.h"
#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"

/* In every equilibrium of the ladder the squares are flat and the constraints are dependent. Therefore the modes are
 * computed along a motion, a fall and the swing back, in the angles of the chart, which are regular at flat squares. */
static const double fall = 4.5, reference = 1.0 / 200.0;
enum { EVERY = 6, TIPS = 6, ROOTS = 3, STEPS = 12 };
static const double tips[TIPS] = {1.0, 10.0, 30.0, 100.0, 300.0, 1000.0}, roots[ROOTS] = {10.0, 100.0, 1000.0};

/* The law was found on 20 squares. The ladder of 12, on which nothing was chosen, decides the claim. */
enum { SIZES = 2, FOUND = 0, TRIED = 1 };
static const int squares[SIZES] = {20, 12};

/* Steps of SPOOK, each for 20 s; a run fails by its energy, as for spook07-ratio. The motion is chaotic: every step is
 * tried from the first STARTS starts of the ensemble. */
static const double steps_per_s[STEPS] = {10.0, 15.0, 20.0, 30.0, 40.0, 60.0, 80.0, 120.0, 160.0, 240.0, 320.0, 480.0};
static const double duration = 20.0, margin = 0.02;
enum { STARTS = 4 };

/* The fastest mode is drawn for these ratios at the tip. */
static const double drawn[] = {1.0, 300.0};

typedef struct limits {
    double least, tenth, median, drift, stable, unstable;
    double limit[STARTS]; /* s, between the last step that does not fail and the first that does; infinity: none does */
    int inside;           /* starts whose limit lies between h_tenth and h_median */
} limits;

/* Computes 2/omega of the fastest mode at sample i of the run, infinite if no mode oscillates, and the mode (n; may be
 * NULL). */
static int limit_at(sb_bench *bench, sb_fastest *modes, const sb_rods_run *run, int i, double *h, double *mode) {
    sb_spectra spectra;
    const size_t at = (size_t)i * (size_t)run->n;
    SB_SCRATCH(scratch, bench->ctx);
    SB_TRY(sb_fastest_evaluate(modes, run->at[i].t, run->q + at, run->v + at));
    SB_TRY(sb_fastest_spectra(modes, &scratch, 1, true, &spectra));
    *h = spectra.projected[0] > spectra.rounding ? 2.0 / sqrt(spectra.projected[0]) : INFINITY;
    if (mode != NULL) {
        memcpy(mode, spectra.shape, (size_t)run->n * sizeof *mode);
    }
    return SB_OK;
}

/* Writes the mode at sample i, rod by rod: (x, y) of the centre, then the direction, of length 1. The largest
 * displacement points up. */
static int write_mode(sb_bench *bench, sb_fastest *modes, const sb_rods_run *run, int i, double ratio,
                      sb_table *table) {
    const double *q = run->q + (size_t)i * (size_t)run->n;
    double *x, h, largest = 0.0, up = 1.0;
    SB_NEW(&bench->arena, x, run->n);
    SB_TRY(limit_at(bench, modes, run, i, &h, x));
    for (int r = 0; r < run->n; r += 4) {
        const double size = hypot(x[r], x[r + 1]);
        up = size > largest ? copysign(1.0, x[r + 1]) : up;
        largest = fmax(largest, size);
    }
    for (int r = 0; r < run->n; r += 4) {
        const double ux = 0.5 * q[r + 2], uy = 0.5 * q[r + 3], scale = up / largest;
        SB_TRY(SB_TABLE_ROW(table, sb_real(ratio), sb_int(r / 4), sb_real(run->at[i].t), sb_real(q[r] - ux),
                            sb_real(q[r + 1] - uy), sb_real(q[r] + ux), sb_real(q[r + 1] + uy), sb_real(scale * x[r]),
                            sb_real(scale * x[r + 1])));
    }
    return SB_OK;
}

/* Computes the percentiles of 2/omega(t), and writes the mode at h_tenth for the ratios that are drawn. */
static int along_motion(sb_bench *bench, const char *problem, double ratio, sb_table *shapes, limits *out) {
    sb_rods_run run;
    sb_system sys;
    sb_fastest modes;
    double *h, *sorted;
    const sb_rods_task task = {.problem = problem,
                               .formulation = "chart",
                               .stepper = "rk4",
                               .h = reference,
                               .t_end = fall,
                               .every = EVERY,
                               .shape = true};
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_rods_follow(bench, &task, &run));
    SB_TRY(sb_fastest_init(bench->ctx, &bench->arena, &sys, &modes));
    SB_TRY(SB_VECTORS(&bench->arena, run.count, &h, &sorted));
    for (int i = 0; i < run.count; i++) {
        SB_TRY(limit_at(bench, &modes, &run, i, &h[i], NULL));
        out->drift = sb_larger(out->drift, fabs(run.at[i].energy - run.start) / (run.start - run.lowest));
    }
    memcpy(sorted, h, (size_t)run.count * sizeof *h);
    gsl_sort(sorted, 1, (size_t)run.count);
    out->least = sorted[0];
    out->tenth = sorted[run.count / 10];
    out->median = sorted[run.count / 2];
    for (int i = 0; i < run.count; i++) {
        if (h[i] == out->tenth && shapes != NULL && (ratio == drawn[0] || ratio == drawn[1])) {
            return write_mode(bench, &modes, &run, i, ratio, shapes);
        }
    }
    return SB_OK;
}

/* Tries steps from half of h_tenth up to the first that fails. eps is proportional to 1/ratio, so that the weight
 * stretches a joint no more than a light one does. */
static int measure_start(sb_bench *bench, const char *problem, double ratio, double tenth, double *stable,
                         double *unstable) {
    const char *stepper = sb_bench_format(bench, "spook:eps=%g", 1e-8 / ratio);
    int k = 0;
    while (k < STEPS - 1 && 1.0 / steps_per_s[k] > tenth / 2.0) {
        k++;
    }
    *stable = *unstable = NAN;
    for (; k >= 0 && isnan(*unstable); k--) {
        sb_rods_run run;
        const sb_rods_task task = {
            .problem = problem, .stepper = stepper, .h = 1.0 / steps_per_s[k], .t_end = duration, .every = 1};
        SB_TRY(sb_rods_follow(bench, &task, &run));
        *(isfinite(sb_rods_failure(&run, margin, NULL)) ? unstable : stable) = task.h;
    }
    return SB_OK;
}

static int measure(sb_bench *bench, const char *problem, double ratio, limits *out) {
    out->stable = INFINITY;
    out->unstable = 0.0;
    for (int i = 0; i < STARTS; i++) {
        double stable, unstable;
        SB_TRY(measure_start(bench, sb_rods_start(bench, problem, i), ratio, out->tenth, &stable, &unstable));
        out->limit[i] = isnan(unstable) ? INFINITY : sqrt(stable * unstable);
        out->inside += unstable > out->tenth && stable < out->median;
        out->stable = !(stable >= out->stable) ? stable : out->stable;
        out->unstable = sb_larger(out->unstable, unstable);
    }
    return SB_OK;
}

static int study(sb_bench *bench, int size, const char *place, int count, const double *ratios, sb_table *table,
                 sb_table *modes, limits *found) {
    for (int k = 0; k < count; k++) {
        limits *l = &found[k];
        const char *problem = sb_bench_format(bench, "ladder:N=%d,heavy=%s,mass_ratio=%g", size, place, ratios[k]);
        *l = (limits){0};
        SB_TRY(along_motion(bench, problem, ratios[k], modes, l));
        SB_TRY(measure(bench, problem, ratios[k], l));
        SB_TRY(SB_TABLE_ROW(table, sb_int(size), sb_text(place), sb_real(ratios[k]), sb_real(l->least),
                            sb_real(l->tenth), sb_real(l->median), sb_known(l->stable), sb_known(l->unstable),
                            sb_real(l->drift)));
    }
    return SB_OK;
}

/* From a ratio of 30 on the weight determines the motion. omega^2 is proportional to the load of the joints: at the
 * root the weight and the other rods, three per square. */
enum { FROM = 2, FIT = TIPS - FROM };

static int record_claims(sb_bench *bench, int size, const limits *tip, const limits *root) {
    double weight[FIT], predicted[FIT], measured[FIT], off = 0.0, independent = 0.0;
    int inside = 0;
    for (int k = FROM; k < TIPS; k++) {
        double logs[STARTS];
        for (int i = 0; i < STARTS; i++) {
            logs[i] = log(tip[k].limit[i]);
        }
        weight[k - FROM] = tips[k] + 3.0 * size;
        predicted[k - FROM] = tip[k].tenth;
        measured[k - FROM] = exp(gsl_stats_mean(logs, 1, STARTS));
        inside += tip[k].inside;
        independent += sb_bench_effective(STARTS, SB_RODS_SIDES, logs);
    }
    for (int k = 1; k < ROOTS; k++) {
        off = sb_larger(off, fabs(log(root[k].tenth / root[0].tenth)));
    }
    const sb_slope seen = sb_bench_slope(FIT, weight, measured), mode = sb_bench_slope(FIT, weight, predicted);
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "transv18-tip/inside-N=%d", size), inside, 0.0));
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "transv18-tip/effective-N=%d", size), independent, 0.0));
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "transv18-tip/power-N=%d", size), seen.value, seen.se));
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "transv18-tip/power-mode-N=%d", size), mode.value, mode.se));
    return sb_bench_measure(bench, sb_bench_format(bench, "transv18-tip/root-N=%d", size), exp(off), 0.0);
}

SB_DEFINE_EXPERIMENT(transv18_ladder) {
    sb_table table, modes;
    SB_TRY(sb_bench_table(bench, "transv18_ladder", &table));
    SB_TRY(sb_bench_table(bench, "transv18_ladder_mode", &modes));
    for (int i = 0; i < SIZES; i++) {
        limits tip[TIPS], root[ROOTS];
        SB_TRY(study(bench, squares[i], "tip", TIPS, tips, &table, i == FOUND ? &modes : NULL, tip));
        SB_TRY(study(bench, squares[i], "root", ROOTS, roots, &table, NULL, root));
        SB_TRY(record_claims(bench, squares[i], tip, root));
    }
    SB_TRY(sb_bench_save(bench, &table, "transv18_ladder.csv"));
    return sb_bench_save_curves(bench, &modes, "transv18_ladder_mode.csv");
}
