/* The numbers of wm96 Tables 1 and 2, and errors and ranges of the invariants. */
#include "bench/experiments/wm96/wm96_published.h"

const sb_wm96_column sb_wm96_table1[SB_WM96_TABLE1_COLUMNS] = {
    {"dvp", "quaternion", SB_WM96_POSITION, {0.0, 3.95996880e-6, 3.9966872027e-4, 0.03647626533327}, 2.8e-9, 0.0},
    {"dvp", "energy", SB_WM96_ENERGY, {6.2559469e-7, 6.274300332e-5, 6.274406e-3, 0.621679596}, 2e-9, 1e-8},
    {"dvp",
     "momentum",
     SB_WM96_MOMENTUM,
     {1.6714624e-7, 1.686683194e-5, 1.68665680795e-3, 0.16652140510229},
     2e-9,
     2e-9},
};

const sb_wm96_column sb_wm96_table2[SB_WM96_TABLE2_COLUMNS] = {
    {"shake",
     "position",
     SB_WM96_POSITION,
     {2.3292428e-7, 1.146362264e-5, 1.13498458508e-3, 0.09575837631416},
     1.3e-8,
     1.3e-8},
    {"shake",
     "energy",
     SB_WM96_ENERGY,
     {6.47521262e-6, 3.2685721927e-4, 0.03223741607973, 2.66479215701329},
     2e-9,
     9.7e-8},
    {"shake", "Jz", SB_WM96_MOMENTUM, {2.54701662e-6, 1.7074600001e-4, 0.016961753, 1.55996134500002}, 2e-9, 1.4e-8},
    {"em", "position", SB_WM96_POSITION, {0.0, 1.214070733e-5, 1.22489163701e-3, 0.11843736345452}, 1.3e-8, 0.0},
    {"em", "energy", SB_WM96_ENERGY, {0.0, 0.0, 0.0, 0.0}, 1e-9, 1e-9},
    {"em", "Jz", SB_WM96_MOMENTUM, {0.0, 0.0, 0.0, 0.0}, 1e-9, 1e-9},
};

double sb_wm96_tolerance(const sb_wm96_column *column, int step) {
    return (sb_wm96_table_steps[step] < 5e-4 ? column->smallest : column->noise) / column->published[step];
}

double sb_wm96_published(const double published[SB_WM96_TABLE_STEPS], double h) {
    for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
        if (fabs(sb_wm96_table_steps[i] / h - 1.0) < 1e-9 && published[i] > 0.0) {
            return published[i];
        }
    }
    return NAN;
}

/* ---- Energy or momentum for all steps of the figures. ---- */

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

int sb_wm96_invariant_run(sb_wm96 *set, const sb_wm96_column *column, const char *name) {
    const bool energy = column->kind == SB_WM96_ENERGY;
    sb_table table;
    SB_TRY(sb_bench_table(set->bench, "wm96_invariants", &table));
    for (int i = 0; i < SB_WM96_FIGURE_STEPS; i++) {
        sb_wm96_run run;
        const double h = sb_wm96_figure_steps[i];
        double lo, second, hi, spread;
        SB_TRY(sb_wm96_run_stepper(set, column->method, h, &run));
        ranges(energy ? 1 : run.momenta, energy ? run.energy : run.momentum, &lo, &second, &hi, &spread);
        SB_TRY(SB_NUMBERS(&table, h, sb_wm96_error_of(set, column->kind, &run, NULL, true),
                          sb_wm96_published(column->published, h), lo, second, hi, spread));
    }
    return sb_bench_save(set->bench, &table, name);
}
