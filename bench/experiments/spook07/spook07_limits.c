/* spook07 6: the largest step and the largest mass ratio of the falling ladder. */
#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"

enum { STEPS = 10, RATIOS = 6, PLACES = 3 };

static const double steps_per_s[STEPS] = {60.0, 40.0, 30.0, 25.0, 22.0, 20.0, 18.0, 16.0, 15.0, 12.0};
static const double steps_end = 60.0, masses_end = 20.0; /* s */
static const char *const places[PLACES] = {"alternate", "root", "tip"};
static const double ratios[RATIOS] = {100.0, 300.0, 500.0, 1000.0, 3000.0, 1e4};
enum { TIP = PLACES - 1 };

static const double margin = 0.02;

/* The runs of an ensemble: how many fail, and the effective number of independent ones, from their largest gaps. */
typedef struct outcome {
    int failed;
    double effective;
} outcome;

/* Runs the ladder from every start and writes a row for each. */
static int follow(sb_bench *bench, const char *study, const char *heavy, double ratio, double eps, double h,
                  double t_end, sb_table *table, outcome *out) {
    const char *problem =
        ratio == 1.0 ? "ladder:N=20" : sb_bench_format(bench, "ladder:N=20,heavy=%s,mass_ratio=%g", heavy, ratio);
    const char *stepper = sb_bench_format(bench, "spook:eps=%g", eps);
    double gaps[SB_RODS_STARTS] = {0.0};
    out->failed = 0;
    for (int i = 0; i < SB_RODS_STARTS; i++) {
        sb_rods_run run;
        double lowest = (double)INFINITY;
        SB_TRY(sb_rods_follow_start(bench, problem, i, stepper, h, t_end, &run));
        const double fails = sb_rods_failure(&run, margin, NULL);
        for (int k = 0; k < run.count; k++) {
            gaps[i] = sb_larger(gaps[i], run.at[k].gap);
            lowest = fmin(lowest, run.at[k].energy);
        }
        out->failed += isfinite(fails);
        SB_TRY(SB_TABLE_ROW(table, sb_text(study), sb_int(i), sb_text(heavy), sb_real(ratio), sb_real(round(1.0 / h)),
                            sb_real(eps), isfinite(fails) ? sb_real(fails) : sb_empty(),
                            sb_real((lowest - run.lowest) / (run.start - run.lowest)), sb_real(gaps[i])));
    }
    out->effective = sb_bench_effective(SB_RODS_STARTS, SB_RODS_SIDES, gaps);
    return SB_OK;
}

/* Sets the outcome for each place and ratio; with eps = 1e-8 as in the paper, or with eps =
 * 1e-8/ratio. */
static int study_masses(sb_bench *bench, bool scaled, sb_table *table, outcome out[PLACES][RATIOS]) {
    for (int i = 0; i < PLACES * RATIOS; i++) {
        const int p = i / RATIOS, k = i % RATIOS;
        SB_TRY(follow(bench, "mass_ratio", places[p], ratios[k], scaled ? 1e-8 / ratios[k] : 1e-8, 1.0 / 60.0,
                      masses_end, table, &out[p][k]));
    }
    return SB_OK;
}

/* Returns the largest ratio up to which at most half of the starts fail. */
static double largest(const outcome at[RATIOS]) {
    double ratio = 0.0;
    for (int k = 0; k < RATIOS && 2 * at[k].failed <= SB_RODS_STARTS; k++) {
        ratio = ratios[k];
    }
    return ratio;
}

/* omega^2 of the transversal modes is the load of the joints, the heavy tip and three rods per square, over the mass of
 * a rod (transv18): if h omega = 2 is the limit, (ratio + 60) h^2 has one value at every step. Predicts from the ratios
 * that hold and fail at 1/60 s those at 1/30 s and 1/120 s, and measures the number of starts that confirm. */
static int predict(sb_bench *bench, const outcome tip[RATIOS], sb_table *table) {
    double effective = 0.0;
    int k = 0, right = 0;
    while (k < RATIOS - 1 && 2 * tip[k].failed <= SB_RODS_STARTS) {
        k++;
    }
    for (int i = 0; i < 4 && k > 0; i++) { /* no ratio holds: nothing is predicted */
        const bool fails = i % 2 == 1;
        const double h = i < 2 ? 1.0 / 30.0 : 1.0 / 120.0, load = 60.0,
                     ratio = (ratios[fails ? k : k - 1] + load) / (3600.0 * h * h) - load;
        outcome runs;
        if (!(ratio > 0.0)) {
            continue;
        }
        SB_TRY(follow(bench, "mass_ratio", "tip", ratio, 1e-8, h, masses_end, table, &runs));
        right += fails ? runs.failed : SB_RODS_STARTS - runs.failed;
        effective += runs.effective;
    }
    SB_TRY(sb_bench_measure(bench, "spook07-ratio/law", right, 0.0));
    return sb_bench_measure(bench, "spook07-ratio/effective", effective, 0.0);
}

static int record_ratio(sb_bench *bench, outcome plain[PLACES][RATIOS], outcome scaled[PLACES][RATIOS]) {
    for (int p = 0; p < PLACES; p++) {
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-ratio/%s", places[p]), largest(plain[p]), 0.0));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-eps/%s", places[p]),
                                largest(scaled[p]) / largest(plain[p]), 0.0));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(spook07_limits) {
    sb_table table;
    outcome runs, plain[PLACES][RATIOS], scaled[PLACES][RATIOS];
    double effective = 0.0;
    SB_TRY(sb_bench_table(bench, "spook07_limits", &table));
    for (int k = 0; k < STEPS; k++) {
        SB_TRY(follow(bench, "step", "none", 1.0, 1e-8, 1.0 / steps_per_s[k], steps_end, &table, &runs));
        effective += steps_per_s[k] >= 20.0 ? runs.effective : 0.0;
    }
    SB_TRY(study_masses(bench, false, &table, plain));
    SB_TRY(study_masses(bench, true, &table, scaled));
    SB_TRY(predict(bench, plain[TIP], &table));
    SB_TRY(sb_bench_save(bench, &table, "spook07_limits.csv"));
    SB_TRY(sb_bench_measure(bench, "spook07-h20/effective", effective, 0.0));
    return record_ratio(bench, plain, scaled);
}
