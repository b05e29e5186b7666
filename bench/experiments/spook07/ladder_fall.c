/* The falling ladder by three methods, frame by frame, for the animation of the results page. */
#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"

enum {
    EVERY = 6 /* steps per frame: 10 per second */
};

static const char problem[] = "ladder:N=10";
static const double h = 1.0 / 60.0, t_end = 6.0;
/* The energy of mean velocities has an error of second order, far below 1 % of the range. */
static const double margin = 0.01;

typedef struct motion {
    const char *method, *title, *formulation, *stepper;
} motion;

static const motion motions[] = {
    {"shake", "SHAKE", NULL, "shake"},
    {"rk4-baumgarte", "RK4 with Baumgarte, alpha = beta = 10 1/s", "baumgarte:alpha=10,beta=10,jacobian=none", "rk4"},
    {"spook", "SPOOK", NULL, "spook"},
};

static double millimetres(double x) { return round(1e3 * x) / 1e3 + 0.0; }

/* Returns the number of samples up to the first frame whose energy is wrong. */
static int count_shown(const sb_rods_run *run, double wrong) {
    int count = 0;
    while (count < run->count && run->at[count].t < wrong + EVERY * h) {
        count++;
    }
    return count;
}

static int add_run(sb_bench *bench, sb_table *runs, const motion *m, const sb_rods_run *run, double wrong, bool above) {
    const bool ended = run->failure != NULL && wrong >= run->at[run->count - 1].t;
    const char *cause = "";
    if (isfinite(wrong)) {
        cause = ended ? sb_bench_format(bench, "ended at t = %.3f s: no solution was found for the next step", run->end)
                      : sb_bench_format(bench,
                                        "from t = %.3f s on its energy is %s than any motion from this start can have",
                                        wrong, above ? "higher" : "lower");
    }
    return SB_TABLE_ROW(runs, sb_text(m->method), sb_text(m->title), sb_real(millimetres(fmin(wrong, t_end))),
                        isfinite(wrong) ? sb_real(millimetres(wrong)) : sb_empty(), sb_text(cause));
}

SB_DEFINE_EXPERIMENT(ladder_fall) {
    sb_table frames, runs;
    SB_TRY(sb_bench_table(bench, "ladder_frames", &frames));
    SB_TRY(sb_bench_table(bench, "ladder_fall_runs", &runs));
    for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++) {
        const motion *m = &motions[i];
        sb_rods_run out;
        SB_TRY(sb_rods_follow(bench, &(sb_rods_task){problem, m->formulation, m->stepper, h, t_end, 1, true, false},
                              &out));
        bool above;
        const double wrong = sb_rods_failure(&out, margin, &above);
        SB_TRY(sb_rods_add_frames(&frames, m->method, &out, count_shown(&out, wrong), EVERY));
        SB_TRY(add_run(bench, &runs, m, &out, wrong, above));
    }
    SB_TRY(sb_bench_save(bench, &frames, "ladder_fall.csv"));
    return sb_bench_save(bench, &runs, "ladder_fall_runs.csv");
}
