/* wm96 Table 2: errors of the double spherical pendulum by DVP and EM, beside the printed digits, for the printed
 * initial conditions and for the unrounded ones recovered from the paper's numbers. */
#include <math.h>
#include <stdio.h>

#include <stepbench/numerics/norm.h>

#include "bench/experiments/wm96/wm96_published.h"
#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"ic", SB_COL_KEY, "",
     "initial conditions: as printed (three decimals), or recovered by a fit to the paper's numbers"},
    {"method", SB_COL_KEY, "", "stepper: shake is the paper's DVP"},
    {"quantity", SB_COL_KEY, "", "what the error is of"},
    {"h", SB_COL_KEY, "s", "step"},
    {"published", SB_COL_EXACT, "", "as printed in wm96 Table 2"},
    {"rounded9", SB_COL_EXACT, "", "ours, outputs rounded to 9 decimals as the paper's were"},
    {"unrounded", SB_COL_EXACT, "", "ours, outputs as computed"},
    {"relative_difference", SB_COL_ERROR, "", "of rounded9 from published; empty where published is 0"},
    {"tolerance", SB_COL_ERROR, "", "what relative_difference may be; empty where published is 0"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], SETS = 2 };

static const char *const initial[SETS] = {"recovered", "printed"};

static double measure(const sb_wm96 *set, const sb_wm96_run *run, const sb_wm96_run *standard, int column,
                      bool rounded) {
    switch (column) {
    case SB_WM96_DVP_POSITION:
    case SB_WM96_EM_POSITION:
        return sb_wm96_error(6, run->q, standard->q, false, rounded);
    case SB_WM96_DVP_ENERGY:
    case SB_WM96_EM_ENERGY:
        return sb_wm96_error(1, run->energy, &set->energy, true, rounded);
    default:
        return sb_wm96_error(1, run->momentum, set->momentum, true, rounded);
    }
}

/* rounded[set][column][step], and whether every step of the column is within its tolerance. */
typedef struct results {
    double rounded[SETS][SB_WM96_TABLE2_COLUMNS][SB_WM96_TABLE_STEPS];
    bool within[SETS][SB_WM96_TABLE2_COLUMNS];
    double worst[SETS][SB_WM96_TABLE2_COLUMNS]; /* relative difference at h >= 1e-3 */
} results;

static int fill(sb_bench *bench, int s, results *all, sb_table *table) {
    sb_wm96 set;
    sb_wm96_run dvp[SB_WM96_TABLE_STEPS], em[SB_WM96_TABLE_STEPS];
    SB_TRY(sb_wm96_dsp(bench, initial[s], &set));
    for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
        SB_TRY(sb_wm96_run_stepper(&set, "shake", sb_wm96_table_steps[i], &dvp[i]));
        SB_TRY(sb_wm96_run_stepper(&set, "em", sb_wm96_table_steps[i], &em[i]));
    }
    for (int c = 0; c < SB_WM96_TABLE2_COLUMNS; c++) {
        const sb_wm96_column *column = &sb_wm96_table2[c];
        all->within[s][c] = true;
        all->worst[s][c] = 0.0;
        for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
            const double h = sb_wm96_table_steps[i], published = column->published[i];
            const sb_wm96_run *run = c < SB_WM96_EM_POSITION ? &dvp[i] : &em[i];
            const double rounded = measure(&set, run, &em[0], c, true);
            const bool zero = published == 0.0;
            const double difference = zero ? rounded : sb_relative(rounded, published);
            const double tolerance = zero ? column->noise : sb_wm96_tolerance(column, i);
            all->rounded[s][c][i] = rounded;
            all->within[s][c] = all->within[s][c] && difference <= tolerance;
            if (h >= 5e-4 && !(difference <= all->worst[s][c])) {
                all->worst[s][c] = difference;
            }
            SB_TRY(SB_ROW(&table->sink, sb_text(initial[s]), sb_text(column->method), sb_text(column->quantity),
                          sb_real(h), sb_real(published), sb_real(rounded),
                          sb_real(measure(&set, run, &em[0], c, false)), zero ? sb_empty() : sb_real(difference),
                          zero ? sb_empty() : sb_real(tolerance)));
        }
    }
    return SB_OK;
}

static int judge(sb_bench *bench, const char *claim, const results *all, int c) {
    const int first = c == SB_WM96_EM_POSITION ? 1 : 0;
    const sb_verdict verdict = sb_verdict_of(all->within[1][c], all->within[0][c]);
    const char *tolerance = sb_bench_format(bench, "%s%.2g absolute", first == 0 ? "1.5 % at h = 1e-4, else " : "",
                                            sb_wm96_table2[c].noise);
    const char *reason = sb_bench_format(
        bench,
        "the printed numbers carry the original's rounding to 9 decimals and the round-off of its runs at h = 1e-4. "
        "The "
        "independent evidence are the printed initial conditions, of three decimals, with which the worst relative "
        "difference at h >= 1e-3 is %.1e. With the recovered ones it is %.1e, but they were fitted to 17 numbers of "
        "the "
        "paper, these among them: 7 free parameters (8 less the rotation about z) leave 10 degrees of freedom",
        all->worst[1][c], all->worst[0][c]);
    const char *measured = sb_bench_list(bench, "%.10g", SB_WM96_TABLE_STEPS - first, all->rounded[0][c] + first);
    return sb_bench_find(bench, &(sb_finding){claim, verdict, measured, tolerance, reason});
}

static int run(sb_bench *bench) {
    sb_table table;
    results all;
    SB_TRY(sb_bench_table(bench, COLUMNS, columns, &table));
    for (int s = 0; s < SETS; s++) {
        SB_TRY(fill(bench, s, &all, &table));
    }
    SB_TRY(sb_bench_save(bench, &table, "wm96_table2.csv"));
    SB_TRY(judge(bench, "wm96-t2-dvp-x", &all, SB_WM96_DVP_POSITION));
    SB_TRY(judge(bench, "wm96-t2-dvp-e", &all, SB_WM96_DVP_ENERGY));
    SB_TRY(judge(bench, "wm96-t2-dvp-j", &all, SB_WM96_DVP_JZ));
    SB_TRY(judge(bench, "wm96-t2-em-x", &all, SB_WM96_EM_POSITION));
    double worst = 0.0;
    bool kept = true;
    for (int s = 0; s < SETS; s++) {
        kept = kept && all.within[s][SB_WM96_EM_ENERGY] && all.within[s][SB_WM96_EM_JZ];
        for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
            for (int c = SB_WM96_EM_ENERGY; c <= SB_WM96_EM_JZ; c++) {
                worst = sb_larger(worst, all.rounded[s][c][i]);
            }
        }
    }
    return sb_bench_find(bench,
                         &(sb_finding){"wm96-t2-em-inv", sb_verdict_of(kept, false),
                                       sb_bench_format(bench, "largest error %.0e", worst), "1e-9 absolute",
                                       "a printed 0 says that no sample differs in the ninth decimal; one unit there"});
}

SB_DEFINE_EXPERIMENT(wm96_table2) = {
    .entry = {"wm96_table2",
              "Errors of the double spherical pendulum over 30 s by DVP and EM, published beside measured.",
              "wm96 Table 2", NULL, 0},
    .claims = (const char *const[]){"wm96-t2-dvp-x", "wm96-t2-dvp-e", "wm96-t2-dvp-j", "wm96-t2-em-x", "wm96-t2-em-inv",
                                    NULL},
    .files = (const char *const[]){"wm96_table2.csv", NULL},
    .run = run,
};
