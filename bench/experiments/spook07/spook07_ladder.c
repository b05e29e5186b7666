/* spook07 Figs. 3, 4 and 5: the falling ladder: its size, its motion, its energy and three measures of its constraint
 * violation. */

#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"

enum {
    LADDERS = 2,
    FRAMES_EVERY = 6, /* steps */
    DRAWN_EVERY = 8   /* samples of the histories */
};

static const double h = 1.0 / 60.0, t_end = 20.0, frames_end = 6.0, known = 2.0;
static const char *const ladders[LADDERS] = {"ladder:N=10", "ladder:N=100"};
static const int squares[LADDERS] = {10, 100};

/* The ladder passes the vertical while the angle of its tip is below this, a third of the half circle. */
static const double passing = 30.0;

/* ---- Size. ---- */

static int record_size(sb_bench *bench) {
    sb_system sys;
    sb_table table;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, "ladder:N=20", 0, NULL, &sys));
    const int rods = sys.n / 4, joints = sys.holonomic.m - rods, all = sys.n + sys.holonomic.m,
              closures = 2 * 20; /* two rows per loop */
    SB_TRY(sb_bench_table(bench, "spook07_ladder_size", &table));
    SB_TRY(SB_TABLE_ROW(&table, sb_text("coordinates"), sb_int(sys.n)));
    SB_TRY(SB_TABLE_ROW(&table, sb_text("joint rows"), sb_int(joints)));
    SB_TRY(SB_TABLE_ROW(&table, sb_text("of them loop closures"), sb_int(closures)));
    SB_TRY(SB_TABLE_ROW(&table, sb_text("unit rows"), sb_int(rods)));
    SB_TRY(SB_TABLE_ROW(&table, sb_text("all"), sb_int(all)));
    SB_TRY(sb_bench_save(bench, &table, "spook07_ladder_size.csv"));
    SB_TRY(sb_bench_measure(bench, "spook07-size/all", all, 0.0));
    return sb_bench_measure(bench, "spook07-size/open", all - closures, 0.0);
}

/* ---- Fig. 3. ---- */

static int record_frames(sb_bench *bench) {
    sb_table table;
    sb_rods_run spook, exact;
    double gap[SB_RODS_STARTS] = {0.0};
    SB_TRY(sb_bench_table(bench, "ladder_frames", &table));
    for (int k = SB_RODS_STARTS - 1; k >= 0; k--) { /* the last one is the first start, which is drawn */
        const char *problem = sb_rods_start(bench, "ladder:N=20", k);
        SB_TRY(sb_rods_follow(bench, &(sb_rods_task){problem, NULL, "spook", h, frames_end, FRAMES_EVERY, true, true},
                              &spook));
        for (int i = 0; i < spook.count; i++) {
            gap[k] = sb_larger(gap[k], spook.at[i].gap);
        }
    }
    /* every 0.5 s; the error of its energy is below 1e-6 of the range */
    SB_TRY(sb_rods_follow(bench, &(sb_rods_task){"ladder:N=20", "chart", "rk4", 1.0 / 600.0, known, 300, true, false},
                          &exact));
    SB_TRY(sb_rods_add_frames(&table, "spook", &spook, spook.count, 1));
    SB_TRY(sb_rods_add_frames(&table, "exact", &exact, exact.count, 1));
    SB_TRY(sb_bench_save(bench, &table, "spook07_ladder_frames.csv"));
    const sb_rods_spread gaps = sb_rods_ensemble(gap);
    return sb_bench_measure(bench, "spook07-f3/gap", gaps.median, gaps.spread);
}

/* ---- Figs. 4 and 5. ---- */

/* Numbers per start; energies over their range, violations the largest in time but for the mean. */
enum { LOSS, SHARE, RISE, DIP, JOINT, ALL, GAP, MEAN, MEASURES };
typedef double measures[MEASURES][SB_RODS_STARTS];

/* Returns the energy of sample i in the range from the lowest (0) to the initial one (1). */
static double energy_of(const sb_rods_run *run, int i) {
    return (run->at[i].energy - run->lowest) / (run->start - run->lowest);
}

static double angle_of(const sb_rods_sample *s) { return 180.0 / M_PI * atan2(s->tip_x, -s->tip_y); }

/* Sets the numbers of start k. */
static void measure(const sb_rods_run *run, int k, measures out) {
    double lost_there = 0.0, time_there = 0.0, least = (double)INFINITY, most[MEASURES] = {0.0};
    for (int i = 0; i < run->count; i++) {
        const sb_rods_sample *s = &run->at[i];
        if (i > 0 && fabs(angle_of(s)) <= passing) {
            lost_there += energy_of(run, i - 1) - energy_of(run, i);
            time_there += h;
        }
        least = fmin(least, energy_of(run, i));
        most[DIP] = sb_larger(most[DIP], energy_of(run, i) - least);
        most[RISE] = sb_larger(most[RISE], energy_of(run, i) - 1.0);
        most[JOINT] = sb_larger(most[JOINT], s->g_joint);
        most[ALL] = sb_larger(most[ALL], s->g_all);
        most[GAP] = sb_larger(most[GAP], s->gap);
        most[MEAN] += s->g_all / run->count;
    }
    most[LOSS] = energy_of(run, 0) - energy_of(run, run->count - 1);
    most[SHARE] = lost_there / most[LOSS] / (time_there / t_end);
    for (int i = 0; i < MEASURES; i++) {
        out[i][k] = most[i];
    }
}

static int add_samples(sb_table *table, int N, const sb_rods_run runs[SB_RODS_STARTS]) {
    for (int i = 0; i < runs[0].count; i += DRAWN_EVERY) {
        double energy[SB_RODS_STARTS], joint[SB_RODS_STARTS], all[SB_RODS_STARTS], gap[SB_RODS_STARTS];
        for (int k = 0; k < SB_RODS_STARTS; k++) {
            const sb_rods_sample *s = &runs[k].at[i];
            energy[k] = energy_of(&runs[k], i);
            joint[k] = s->g_joint;
            all[k] = s->g_all;
            gap[k] = s->gap;
        }
        const sb_rods_spread e = sb_rods_ensemble(energy), a = sb_rods_ensemble(all);
        SB_TRY(SB_TABLE_ROW(table, sb_int(N), sb_real(runs[0].at[i].t), sb_real(angle_of(&runs[0].at[i])),
                            sb_real(e.median), sb_real(e.least), sb_real(e.largest),
                            sb_real(sb_rods_ensemble(joint).median), sb_real(a.median), sb_real(a.least),
                            sb_real(a.largest), sb_real(sb_rods_ensemble(gap).median)));
    }
    return SB_OK;
}

/* Measures the median of one number of both ladders. */
static int measure_both(sb_bench *bench, const char *id, measures all[LADDERS], int which) {
    for (int n = 0; n < LADDERS; n++) {
        const sb_rods_spread s = sb_rods_ensemble(all[n][which]);
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s-N=%d", id, squares[n]), s.median, s.spread));
    }
    return SB_OK;
}

static int record_histories(sb_bench *bench) {
    sb_table table;
    measures all[LADDERS];
    SB_TRY(sb_bench_table(bench, "spook07_ladder", &table));
    for (int n = 0; n < LADDERS; n++) {
        sb_rods_run runs[SB_RODS_STARTS];
        for (int k = 0; k < SB_RODS_STARTS; k++) {
            SB_TRY(sb_rods_follow_start(bench, ladders[n], k, "spook", h, t_end, &runs[k]));
            measure(&runs[k], k, all[n]);
        }
        SB_TRY(add_samples(&table, squares[n], runs));
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "spook07_ladder.csv"));
    SB_TRY(measure_both(bench, "spook07-f4/lost", all, LOSS));
    for (int n = 0; n < LADDERS; n++) {
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-f4/effective-N=%d", squares[n]),
                                sb_bench_effective(SB_RODS_STARTS, SB_RODS_SIDES, all[n][LOSS]), 0.0));
    }
    SB_TRY(measure_both(bench, "spook07-f4/gained", all, RISE));
    SB_TRY(measure_both(bench, "spook07-f4/vertical", all, SHARE));
    SB_TRY(measure_both(bench, "spook07-f4/returned", all, DIP));
    SB_TRY(measure_both(bench, "spook07-f5/all", all, ALL));
    SB_TRY(measure_both(bench, "spook07-f5/all-mean", all, MEAN));
    SB_TRY(measure_both(bench, "spook07-f5/joints", all, JOINT));
    return measure_both(bench, "spook07-f5/gap", all, GAP);
}

SB_DEFINE_EXPERIMENT(spook07_ladder) {
    SB_TRY(record_size(bench));
    SB_TRY(record_frames(bench));
    return record_histories(bench);
}
