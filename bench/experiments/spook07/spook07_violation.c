/* spook07 Fig. 6 and abstract: constraint violation of the falling ladder against the step; energy and symplectic form
 * of SPOOK. */
#include <string.h>

#include "bench/experiments/spook07/linear_system.h"
#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"

enum { COLUMNS = 12, SQUARES = 2, SERIES = 2, LENGTHS = 3, STEPS = 11, LINEAR = 4 };

static const int squares[SQUARES] = {10, 20};
static const double steps_per_s[STEPS] = {30.0, 40.0, 60.0, 80.0, 120.0, 160.0, 240.0, 320.0, 640.0, 1280.0, 2560.0};

/* Runs of 10 s at the steps [from, to), measured over these lengths of time (0: none). At the paper's eps they end at
 * 1/320 s, below which the springs' own stretch eps lambda shows; at 1e-12, where it does not, they begin there. */
static const double t_end = 10.0;
static const struct {
    double eps, length[LENGTHS];
    int from, to;
} plan[SERIES] = {{1e-8, {0.7, 2.0, 10.0}, 0, 8}, {1e-12, {10.0}, 7, STEPS}};

/* Means and maxima over time of a run. */
enum { MEAN_JOINT, MEAN_ALL, MEAN_GAP, MAX_JOINT, MAX_ALL, MAX_GAP, VIOLATIONS };

/* Sets those of the first `most` samples, or of as many as a run has that ended early. */
static void measure(const sb_rods_run *run, long most, int start, double v[VIOLATIONS][SB_RODS_STARTS]) {
    const int count = most < run->count ? (int)most : run->count;
    double x[VIOLATIONS] = {0.0};
    for (int i = 0; i < count; i++) {
        const double now[3] = {run->at[i].g_joint, run->at[i].g_all, run->at[i].gap};
        for (int k = 0; k < 3; k++) {
            x[MEAN_JOINT + k] += now[k] / count;
            x[MAX_JOINT + k] = sb_larger(x[MAX_JOINT + k], now[k]);
        }
    }
    for (int k = 0; k < VIOLATIONS; k++) {
        v[k][start] = x[k];
    }
}

static int add_row(sb_table *table, int N, double eps, double length, double h, double v[VIOLATIONS][SB_RODS_STARTS]) {
    sb_cell row[COLUMNS] = {sb_int(N), sb_real(eps), sb_real(length), sb_real(h)};
    for (int i = 0; i < VIOLATIONS; i++) {
        double logs = 0.0;
        for (int j = 0; j < SB_RODS_STARTS; j++) {
            logs += log(v[i][j]) / SB_RODS_STARTS;
        }
        row[4 + i] = sb_real(exp(logs));
    }
    row[4 + VIOLATIONS] = sb_real(sb_rods_ensemble(v[MEAN_ALL]).least);
    row[5 + VIOLATIONS] = sb_real(sb_rods_ensemble(v[MEAN_ALL]).largest);
    return sb_bench_cells(table, SB_COUNT(row), row);
}

/* Runs one series. */
static int study(sb_bench *bench, int N, int series, sb_table *table) {
    const char *stepper = sb_bench_format(bench, "spook:eps=%g", plan[series].eps);
    const char *ladder = sb_bench_format(bench, "ladder:N=%d", N);
    double v[STEPS][LENGTHS][VIOLATIONS][SB_RODS_STARTS];
    for (int k = plan[series].from; k < plan[series].to; k++) {
        for (int i = 0; i < SB_RODS_STARTS; i++) {
            sb_rods_run run;
            SB_TRY(sb_rods_follow_start(bench, ladder, i, stepper, 1.0 / steps_per_s[k], t_end, &run));
            for (int l = 0; l < LENGTHS; l++) {
                measure(&run, lround(plan[series].length[l] * steps_per_s[k]) + 1, i, v[k][l]);
            }
        }
    }
    for (int l = 0; l < LENGTHS; l++) {
        for (int k = plan[series].from; k < plan[series].to && plan[series].length[l] > 0.0; k++) {
            SB_TRY(add_row(table, N, plan[series].eps, plan[series].length[l], 1.0 / steps_per_s[k], v[k][l]));
        }
    }
    return SB_OK;
}

/* ---- Energy and symplectic form. ---- */

/* Computes the largest change of the symplectic form on the plane of a linear constraint in one step of SPOOK at eps =
 * 0, for masses on springs. */
static int study_linear(sb_bench *bench, double *defect) {
    static const double M[LINEAR * LINEAR] = {2.0, 0.5, 0.0, 0.0, 0.5, 1.0, 0.2, 0.0,
                                              0.0, 0.2, 1.5, 0.0, 0.0, 0.0, 0.0, 1.0};
    static const double K[LINEAR * LINEAR] = {9.0, -2.0, 1.0, 0.0, -2.0, 5.0, -2.0, 0.0,
                                              1.0, -2.0, 7.0, 1.0, 0.0,  0.0, 1.0,  4.0};
    static const double G[LINEAR] = {1.0, 1.0, 0.0, 1.0};
    /* a basis of the plane G x = 0 */
    static const double plane[3][LINEAR] = {{1.0, -1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {1.0, 0.0, 0.0, -1.0}};
    const sb_linear_case c = {.data = {.n = LINEAR, .m = 1, .M = M, .K = K, .G = G}};
    const double h = 0.1;
    double before[6][2 * LINEAR], after[6][2 * LINEAR];
    sb_linear_stepper w;
    SB_TRY(sb_linear_stepper_open(bench, &bench->arena, &c, 0.0, 2.0, h, &w));
    w.in.h = h;
    for (int a = 0; a < 6; a++) {
        memset(before[a], 0, sizeof before[a]);
        memcpy(before[a] + (a < 3 ? 0 : LINEAR), plane[a % 3], sizeof plane[0]);
        memcpy(w.in.q, before[a], LINEAR * sizeof(double));
        memcpy(w.in.v, before[a] + LINEAR, LINEAR * sizeof(double));
        SB_TRY(sb_method_step(&w.method, &w.in, h, &w.out));
        memcpy(after[a], w.out.q, LINEAR * sizeof(double));
        memcpy(after[a] + LINEAR, w.out.v, LINEAR * sizeof(double));
    }
    *defect = 0.0;
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < a; b++) {
            double change = 0.0;
            for (int i = 0; i < LINEAR; i++) {
                for (int j = 0; j < LINEAR; j++) {
                    const double m = M[i + LINEAR * j];
                    change += m * (after[a][i] * after[b][LINEAR + j] - after[b][i] * after[a][LINEAR + j]);
                    change -= m * (before[a][i] * before[b][LINEAR + j] - before[b][i] * before[a][LINEAR + j]);
                }
            }
            *defect = sb_larger(*defect, fabs(change));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(spook07_violation) {
    sb_table table, pendulum;
    double defect;
    SB_TRY(sb_bench_table(bench, "spook07_violation", &table));
    for (int i = 0; i < SQUARES * SERIES; i++) {
        SB_TRY(study(bench, squares[i / SERIES], i % SERIES, &table));
    }
    SB_TRY(sb_bench_analyse(bench, "drift", "h=[1/60,1/120,1/240,1/480],t_end=20,batches=16",
                            SB_LIST("pendulum:theta0=1.57,constraint=square"),
                            SB_LIST("spook:eps=1e-12", "variational_regularized:eps=1e-12", "shake"), &pendulum));
    SB_TRY(study_linear(bench, &defect));
    SB_TRY(sb_bench_save(bench, &table, "spook07_violation.csv"));
    SB_TRY(sb_bench_save(bench, &pendulum, "spook07_violation_pendulum.csv"));
    return sb_bench_measure(bench, "spook07-symplectic/linear", defect, 0.0);
}
