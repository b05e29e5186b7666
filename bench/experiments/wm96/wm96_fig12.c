/* wm96 Fig. 12: energy and multipliers of the double spherical pendulum by DVP against time. */
#include <gsl/gsl_statistics_double.h>

#include "bench/experiments/wm96/wm96_runs.h"
#include "bench/runner/experiment_tools.h"

enum { STEPS = 4, USED = SB_WM96_SAMPLES - 1 }; /* the first sample has no multipliers */

typedef struct correlation {
    double value, rank;
    int multiplier;
} correlation;

/* Returns the correlation of x with y shifted circularly by `shift`. */
static double shifted(const double *x, const double *y, int shift, double *work) {
    for (int i = 0; i < USED; i++) {
        work[i] = y[(i + shift) % USED];
    }
    return gsl_stats_correlation(x, 1, work, 1, USED);
}

/* Finds the multiplier with the largest correlation, and the share of the shifts whose largest correlation is smaller.
 * Two series as slow as these also correlate by chance, equally with and without a shift. */
static correlation correlate(const sb_wm96_run *run) {
    correlation best = {0.0, 0.0, 0};
    double lambda[USED], work[USED];
    int smaller = 0;
    for (int s = 0; s < USED; s++) {
        double largest = 0.0;
        for (int j = 0; j < run->m; j++) {
            for (int i = 0; i < USED; i++) {
                lambda[i] = run->lambda[(i + 1) * run->m + j];
            }
            const double value = shifted(run->energy + 1, lambda, s, work);
            largest = fmax(largest, fabs(value));
            if (s == 0 && fabs(value) > fabs(best.value)) {
                best.value = value;
                best.multiplier = j;
            }
        }
        smaller += s > 0 && largest < fabs(best.value);
    }
    best.rank = (double)smaller / (USED - 1);
    return best;
}

/* Returns the distance of the means over the halves of the run. */
static double shift_of_mean(const double *x) {
    enum { HALF = USED / 2 };
    return fabs(gsl_stats_mean(x + USED - HALF, 1, HALF) - gsl_stats_mean(x, 1, HALF));
}

SB_DEFINE_EXPERIMENT(wm96_fig12) {
    static const double steps[STEPS] = {1e-1, 1e-2, 1e-3, 1e-4};
    sb_wm96 set;
    sb_wm96_run runs[STEPS];
    sb_table table, summary;
    SB_TRY(sb_wm96_dsp(bench, "printed", &set));
    SB_TRY(sb_bench_table(bench, "wm96_fig12_correlation", &summary));
    for (int k = 0; k < STEPS; k++) {
        SB_TRY(sb_wm96_run_stepper(&set, "shake", steps[k], &runs[k]));
        const correlation c = correlate(&runs[k]);
        const double *energy = runs[k].energy + 1, mean = gsl_stats_mean(energy, 1, USED),
                     amplitude = gsl_stats_sd_m(energy, 1, USED, mean);
        SB_TRY(SB_TABLE_ROW(&summary, sb_real(steps[k]), sb_real(mean), sb_real(fabs(mean - set.energy)),
                            sb_real(amplitude), sb_real(shift_of_mean(energy) / amplitude), sb_real(c.value),
                            sb_int(c.multiplier), sb_real(c.rank)));
    }
    SB_TRY(sb_bench_table(bench, "wm96_fig12", &table));
    for (int i = 0; i < SB_WM96_SAMPLES; i++) {
        const double *lambda = runs[1].lambda + i * runs[1].m;
        SB_TRY(SB_NUMBERS(&table, i * SB_WM96_T_END / (SB_WM96_SAMPLES - 1), runs[0].energy[i], runs[1].energy[i],
                          runs[2].energy[i], runs[3].energy[i], lambda[0], lambda[1]));
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "wm96_fig12.csv"));
    return sb_bench_save(bench, &summary, "wm96_fig12_correlation.csv");
}
