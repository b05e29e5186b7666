/* Energy or momentum of the runs of wm96 5 for all steps of the figures: error, and range in time. */
#include "bench/experiments/wm96/wm96_invariant.h"

#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"h", SB_COL_KEY, "s", "step"},
    {"error", SB_COL_ERROR, "", "(5.10) against the standard, outputs rounded to 9 decimals"},
    {"published", SB_COL_EXACT, "", "the paper's table"},
    {"lowest", SB_COL_EXACT, "", "smallest sample of the largest component"},
    {"second_lowest", SB_COL_EXACT, "", "second-smallest sample of it"},
    {"highest", SB_COL_EXACT, "", "largest sample of it"},
    {"spread", SB_COL_ERROR, "", "largest range of a component"},
};

/* Sets the range in time of the component that is largest at the start, and the largest range of any component. */
static void ranges(int m, const double *series, double *lo, double *second, double *hi, double *widest) {
    double one[SB_WM96_SAMPLES];
    int largest = 0;
    *widest = 0.0;
    for (int j = 0; j < m; j++) {
        double l, s, u;
        for (int i = 0; i < SB_WM96_SAMPLES; i++) {
            one[i] = series[i * m + j];
        }
        sb_wm96_range(one, &l, &s, &u);
        *widest = sb_larger(*widest, u - l);
        largest = fabs(series[j]) > fabs(series[largest]) ? j : largest;
        if (j == largest) {
            *lo = l;
            *second = s;
            *hi = u;
        }
    }
}

int sb_wm96_invariant_run(sb_wm96 *set, const sb_wm96_column *column, const char *name, sb_wm96_invariant *out) {
    const bool energy = column->kind == SB_WM96_ENERGY;
    sb_table table;
    SB_TRY(SB_TABLE(set->bench, columns, &table));
    for (int i = 0; i < SB_WM96_FIGURE_STEPS; i++) {
        sb_wm96_run run;
        const double h = sb_wm96_figure_steps[i];
        SB_TRY(sb_wm96_run_stepper(set, column->method, h, &run));
        out->error[i] = sb_wm96_error_of(set, column->kind, &run, NULL, true);
        ranges(energy ? 1 : run.momenta, energy ? run.energy : run.momentum, &out->lo[i], &out->second[i], &out->hi[i],
               &out->spread[i]);
        SB_TRY(SB_NUMBERS(&table, h, out->error[i], sb_wm96_published(column->published, h), out->lo[i], out->second[i],
                          out->hi[i], out->spread[i]));
    }
    return sb_bench_save(set->bench, &table, name);
}

int sb_wm96_figure_step(double h) {
    int best = 0;
    for (int i = 1; i < SB_WM96_FIGURE_STEPS; i++) {
        if (fabs(log(sb_wm96_figure_steps[i] / h)) < fabs(log(sb_wm96_figure_steps[best] / h))) {
            best = i;
        }
    }
    return best;
}

sb_slope sb_wm96_invariant_slope(const sb_wm96_invariant *invariant) {
    const int from = sb_wm96_figure_step(1e-3);
    return sb_bench_slope(SB_WM96_FIGURE_STEPS - from, sb_wm96_figure_steps + from, invariant->error + from);
}
