/* The motion of a system, computed with small steps: its fastest mode and its range; and whether a run with another
 * step stays within the range. */
#ifndef STEPBENCH_ANALYSIS_MODES_MOTION_H
#define STEPBENCH_ANALYSIS_MODES_MOTION_H

#include "analysis/analysis.h"

typedef struct sb_motion {
    double omega2, t;    /* the largest omega^2 of the states (1/s^2), and its time (s) */
    int coordinate;      /* the coordinate with the largest share of the kinetic energy of that mode */
    double range;        /* largest |q - q(0)| of a coordinate up to `ranged` */
    double kinetic;      /* largest kinetic energy up to `ranged`, J */
    double t_end, end;   /* time up to which modes were to be computed, and up to which they were, s */
    double ranged, h;    /* time up to which the motion was followed, and the step, s */
    const char *stepper; /* that followed it */
    const char *cause;   /* message of the failure that ended it before t_end, or the run of a trial, else NULL */
} sb_motion;

/* Follows the motion from the initial state to t_end (s) and computes the modes (spectra.h) at `samples` states: with
 * rattle, or rk4 without constraints, with about twenty steps per time scale. If these do not support the system, the
 * stepper of the pair is used, with a step of at most h/4. A step that fails ends the motion; the function does not
 * fail then. */
int sb_motion_follow(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, double t_end, long samples,
                     sb_motion *out);

/* A run of the pair with one step. */
typedef struct sb_trial {
    bool passed;
    long steps;        /* number of steps taken */
    double end;        /* time of its last step, or of the one that fails or leaves, s */
    double energy;     /* largest |E - E(0)| over the largest kinetic energy of the motion; NaN if E is not conserved */
    const char *cause; /* why it did not pass, a clause after "a run with h = ...", else NULL */
} sb_trial;

/* Runs the pair with step h over the time of the motion, and for at least 1000 steps. The run passes if no step fails
 * and no coordinate moves from its start by more than three times the range of the motion and a tenth of the largest
 * coordinate: an oscillation at 0.94 of Verlet's limit has three times its amplitude, 1/sqrt(1 - (h omega/2)^2). If
 * the run fails or leaves this range after the time up to which the motion was followed, the motion is followed to the
 * end of the run: it may continue in one direction, or fail as well, which sets its cause and t_end. */
int sb_motion_try(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_motion *motion, sb_trial *out);

#endif
