/* wm96 Fig. 4: the component q_y of the quaternion against time at the largest and the smallest step. */
#include <math.h>
#include <stdlib.h>

#include "bench/findings.h"
#include "bench/wm96_runs.h"

static const sb_column columns[] = {
    {"t", SB_COL_KEY, "s", "time"},
    {"qy_fine", SB_COL_EXACT, "", "q_y at h = 1e-4"},
    {"qy_coarse", SB_COL_EXACT, "", "q_y at h = 0.1"},
    {"deviation", SB_COL_ERROR, "", "distance of the two"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], QY = 2, THIRDS = 3 };

/* Sign changes of a component: what an eye counts as swings. */
static int swings(const sb_wm96_run *run, int component) {
    int count = 0;
    for (int i = 1; i < SB_WM96_SAMPLES; i++) {
        count += run->q[i * run->n + component] * run->q[(i - 1) * run->n + component] < 0.0;
    }
    return count;
}

static int run(sb_bench *bench) {
    sb_wm96 set;
    sb_wm96_run fine, coarse;
    sb_table table;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_run_stepper(&set, "dvp", SB_WM96_STANDARD_H, &fine));
    SB_TRY(sb_wm96_run_stepper(&set, "dvp", 0.1, &coarse));
    SB_TRY(sb_bench_table(bench, COLUMNS, columns, &table));
    double rms[THIRDS] = {0.0, 0.0, 0.0};
    const int third = (SB_WM96_SAMPLES - 1) / THIRDS;
    for (int i = 0; i < SB_WM96_SAMPLES; i++) {
        const double a = fine.q[i * fine.n + QY], b = coarse.q[i * coarse.n + QY];
        SB_TRY(SB_ROW(&table.sink, sb_real(i * SB_WM96_T_END / (SB_WM96_SAMPLES - 1)), sb_real(a), sb_real(b), sb_real(fabs(a - b))));
        if (i > 0) {
            rms[(i - 1) / third] += (a - b) * (a - b) / third;
        }
    }
    for (int k = 0; k < THIRDS; k++) {
        rms[k] = sqrt(rms[k]);
    }
    SB_TRY(sb_bench_save(bench, &table, "wm96_fig4.csv"));
    SB_TRY(sb_bench_plot(bench, "wm96_fig4"));
    const int a = swings(&fine, QY), b = swings(&coarse, QY);
    const bool holds = abs(a - b) <= 1 && rms[0] < rms[1] && rms[1] < rms[2];
    return sb_bench_find(bench, &(sb_finding){"wm96-f4", sb_verdict_of(holds, false),
                                              sb_bench_format(bench, "%d and %d sign changes; rms deviation %s in the three thirds", a, b, sb_bench_list(bench, "%.3f", THIRDS, rms)),
                                              "sign changes equal to within 1; deviation growing from third to third",
                                              "one swing may fall off the end of the window; a curve without printed numbers can be held to no more"});
}

extern const sb_experiment sb_experiment_wm96_fig4;
const sb_experiment sb_experiment_wm96_fig4 = {
    .entry = {"wm96_fig4", "Free rigid body: the component q_y against time at h = 0.1 and h = 1e-4.", "wm96 Fig. 4", NULL, 0},
    .claims = (const char *const[]){"wm96-f4", NULL},
    .files = (const char *const[]){"wm96_fig4.csv", "wm96_fig4.svg", "wm96_fig4.png", NULL},
    .run = run,
};
