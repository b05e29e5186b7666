/* wm96 Fig. 7: CPU time of the runs of the double spherical pendulum against the step, by DVP and by EM. */
#include "bench/experiments/wm96/wm96_times.h"
#include "bench/runner/experiment_tools.h"

enum { EM, DEL, SHAKE, STEPPERS };

static const double em_published[SB_WM96_TABLE_STEPS] = {103.871, 13.250, 1.549, 0.263};
static const double dvp_published[SB_WM96_TABLE_STEPS] = {73.648, 9.065, 1.152, 0.211};

SB_DEFINE_EXPERIMENT(wm96_fig7) {
    static const char *const steppers[STEPPERS] = {"em", "del", "shake"};
    sb_wm96 set;
    sb_wm96_times times;
    sb_quartiles displayed[SB_WM96_TABLE_STEPS];
    double distance;
    sb_table table;
    SB_TRY(sb_wm96_dsp(bench, "recovered", &set));
    SB_TRY(sb_wm96_times_measure(&set, STEPPERS, steppers, SB_WM96_TABLE_STEPS, sb_wm96_table_steps, &times));
    SB_TRY(sb_wm96_displayed(&set, SB_WM96_TABLE_STEPS, sb_wm96_table_steps, displayed, &distance));
    SB_TRY(sb_bench_table(bench, "wm96_fig7_times", &table));
    for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
        sb_quartiles ratio[STEPPERS];
        double median[STEPPERS];
        for (int k = 0; k < STEPPERS; k++) {
            median[k] = sb_wm96_times_of(&times, k, i).median;
            ratio[k] = sb_wm96_times_ratio(&times, k, EM, i);
        }
        const sb_quartiles *d = &ratio[DEL], *r = &ratio[SHAKE], *x = &displayed[i];
        SB_TRY(SB_NUMBERS(&table, sb_wm96_table_steps[i], median[EM], median[DEL], median[SHAKE], d->median, d->lo,
                          d->hi, 0.5 * (d->hi - d->lo), r->median, r->lo, r->hi, 0.5 * (r->hi - r->lo), x->median,
                          x->lo, x->hi, 0.5 * (x->hi - x->lo), em_published[i], dvp_published[i]));
    }
    SB_TRY(sb_bench_save(bench, &table, "wm96_fig7_times.csv"));
    return sb_bench_measure(bench, "wm96-f7/distance", distance, 0.0);
}
