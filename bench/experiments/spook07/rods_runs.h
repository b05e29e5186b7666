/* The runs behind spook07 6: ladders and chains of rods, followed sample by sample and evaluated by their energy. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_SPOOK07_RODS_RUNS_H
#define STEPBENCH_BENCH_EXPERIMENTS_SPOOK07_RODS_RUNS_H

#include <stepbench/system.h>

#include "bench/runner/experiment.h"

/* One moment of a run. Velocities are those the stepper reports: for SPOOK, from either start, the mean of the steps
 * before and after, with which the energy is known to second order. */
typedef struct sb_rods_sample {
    double t, energy;
    double g_all;   /* root mean square of all rows of g */
    double g_joint; /* of the joints' rows alone */
    double gap;     /* root mean square distance between joined ends of rods that have exactly their length */
    double tip_x, tip_y, whip; /* whip: speed of the tip */
    double spin;               /* fastest |u'| of a rod, rad/s */
} sb_rods_sample;

/* What to run. `formulation` may be NULL. */
typedef struct sb_rods_task {
    const char *problem, *formulation, *stepper;
    double h, t_end;
    long every; /* steps per sample */
    bool shape; /* positions and velocities as well */
    bool paper; /* SPOOK: the first step begins with the initial velocity as it is, as in the paper */
} sb_rods_task;

/* The ensemble over which the numbers of a chaotic motion are taken. Gravity differs in the sixth digit, and every
 * second ladder starts with its rungs down, which the paper leaves open. */
enum { SB_RODS_STARTS = 8 };

/* Returns the problem with the parameters of start i of the ensemble; NULL when out of memory. */
const char *sb_rods_start(sb_bench *bench, const char *problem, int i);

/* Median of the ensemble, and half the distance between its least and its largest member. */
typedef struct sb_rods_spread {
    double median, spread, least, largest;
} sb_rods_spread;
sb_rods_spread sb_rods_ensemble(const double x[SB_RODS_STARTS]);

typedef struct sb_rods_run {
    int count; /* samples, the initial state among them */
    sb_rods_sample *at;
    int n;         /* coordinates of the problem without formulation */
    double *q, *v; /* count x n each, if asked for; in the problem's own coordinates, with a chart too */
    double start,
        lowest; /* initial energy, and the least there is: every rod at rest as low as the joints let it hang */
    const char *failure;            /* why the run ended early; NULL: it did not */
    double end;                     /* time of the step it ended at, or t_end */
    struct rods_observer *observer; /* what measured it */
} sb_rods_run;

/* A stepper that fails is a result; other errors are passed on, and a specification that is NULL is SB_NO_MEMORY.
 * Everything is taken from the bench's arena. */
int sb_rods_follow(sb_bench *bench, const sb_rods_task *task, sb_rods_run *out);

/* Follows SPOOK, or another stepper that begins as in the paper, from start i of the ensemble; a sample each step. */
int sb_rods_follow_start(sb_bench *bench, const char *problem, int i, const char *stepper, double h, double t_end,
                         sb_rods_run *out);

/* The rungs of a ladder at some samples, for an animation. */
enum { SB_RODS_FRAME_COLUMNS = 6 };
extern const sb_column sb_rods_frame_columns[SB_RODS_FRAME_COLUMNS];
/* Adds the rungs of every `every`-th of the first `count` samples of a run with shapes. */
int sb_rods_add_frames(sb_sink *sink, const char *motion, const sb_rods_run *run, int count, int every);

/* Computes the smallest singular value of G at sample i of a run with shapes; NaN if it is not available. */
int sb_rods_sigma(const sb_rods_run *run, int i, double *sigma);

/* Returns the time of the first sample whose energy leaves the range of the motion, [lowest, start], by more than
 * `margin` of that range, or the end of a run that ended early; infinity if neither happens. Sets *above if the energy
 * leaves by the upper end (may be NULL). */
double sb_rods_failure(const sb_rods_run *run, double margin, bool *above);

#endif
