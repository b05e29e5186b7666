/* Runs of ladders and chains of rods for spook07 6: their samples, and the time at which the energy fails. */
#pragma once

#include "bench/runner/experiment.h"

/* A sample of a run. Velocities are those the stepper reports: for SPOOK the mean of the steps before and after, with
 * which the energy has an error of second order. */
typedef struct sb_rods_sample {
    double t, energy;
    double g_all;              /* root mean square of all rows of g */
    double g_joint;            /* root mean square of the rows of the joints */
    double gap;                /* root mean square distance of joined ends of rods that have exactly their length, m */
    double tip_x, tip_y, whip; /* position and speed of the tip */
    double spin;               /* largest |u'| of a rod, rad/s */
} sb_rods_sample;

/* A run. `formulation` may be NULL. */
typedef struct sb_rods_task {
    const char *problem, *formulation, *stepper;
    double h, t_end;
    long every; /* steps per sample */
    bool shape; /* keeps positions and velocities */
    bool paper; /* without the start of the stepper: SPOOK's first step begins with the initial velocity, as printed */
} sb_rods_task;

/* The ensemble of starts of a chaotic motion. Start 0 is the paper's; start i is turned upwards by i hundredths of a
 * right angle, and every second ladder starts with its rungs down, which the paper leaves open. */
enum { SB_RODS_STARTS = 8, SB_RODS_SIDES = 2 }; /* starts on the same side are two places apart */

/* Returns the problem with the parameters of start i of the ensemble; NULL when out of memory. */
const char *sb_rods_start(sb_bench *bench, const char *problem, int i);

/* The median of an ensemble, half of its range, its least and its largest member. */
typedef struct sb_rods_spread {
    double median, spread, least, largest;
} sb_rods_spread;
sb_rods_spread sb_rods_ensemble(const double x[SB_RODS_STARTS]);

typedef struct sb_rods_run {
    int count; /* samples, with the initial state */
    sb_rods_sample *at;
    int n;                          /* coordinates of the problem without formulation */
    double *q, *v;                  /* count x n each, in these coordinates; NULL without `shape` */
    double start, lowest;           /* initial energy; least energy: all rods hang straight down at rest */
    const char *failure;            /* the message of a run that ended early; else NULL */
    double end;                     /* time of the step that failed, or t_end */
    struct rods_observer *observer; /* for sb_rods_sigma */
} sb_rods_run;

/* Runs a task, with memory from the bench's arena. A failure of the stepper is kept in out->failure; other failures are
 * returned. A specification that is NULL is SB_NO_MEMORY. */
int sb_rods_follow(sb_bench *bench, const sb_rods_task *task, sb_rods_run *out);

/* Runs a stepper without its start (`paper`) from start i of the ensemble; every step is a sample. */
int sb_rods_follow_start(sb_bench *bench, const char *problem, int i, const char *stepper, double h, double t_end,
                         sb_rods_run *out);

/* Adds the rungs of every `every`-th of the first `count` samples of a run with shapes to a table `ladder_frames`. */
int sb_rods_add_frames(sb_table *table, const char *motion, const sb_rods_run *run, int count, int every);

/* Returns the smallest singular value of G at sample i of a run with shapes; NaN if it cannot be computed. */
double sb_rods_sigma(const sb_rods_run *run, int i);

/* Returns the time of the first sample whose energy is outside of the range of the motion, [lowest, start], by more
 * than `margin` of that range, or the end of a run that ended early; infinity if neither happens. Sets *above to
 * whether the energy is too large (may be NULL). */
double sb_rods_failure(const sb_rods_run *run, double margin, bool *above);
