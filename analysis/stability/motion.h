/* The motion of a system, computed with small steps: its fastest exponent and its range; and whether a run with another
 * step stays within the range and keeps the energy. */
#pragma once

#include "analysis/analysis.h"

/* Number of modes of a system that is examined with sparse matrices, or as a frozen system. */
enum { SB_ADVISED_MODES = 8 };

/* Returns the system without contacts and dry friction, whose modes are defined. */
sb_system sb_motion_smooth(const sb_system *sys);

typedef struct sb_motion {
    double speed;     /* largest |lambda| of the settled motion (linear_motion.h) over the states, 1/s; if nothing is
                         left of it, minus the growth; 0 if it turns by less than 1e-3 in this time: it is round-off, or
                         a compliance, of a motion without modes */
    double t, *q, *v; /* that state */
    double *kick;     /* added to the initial velocity (deviation.h): of 1e-6 of the size per time scale at rest in an
                         equilibrium, else 0 */
    bool fixed;       /* the constraints leave no freedom, and there are no modes */
    bool kicked, bounded; /* it starts at rest in an equilibrium; and nothing grows there */
    int coordinate;       /* the coordinate with the largest share of the kinetic energy of that mode; -1: none */
    double range;         /* largest |q - q(0)| of a coordinate */
    double kinetic;       /* largest kinetic energy, J */
    double scale;         /* its mean and the round-off of the energy, J */
    double low, high;     /* range of the energy, J */
    double energy; /* largest |E - E(0) - work of the forces| of the run with small steps, J; NaN: unknown, or it is
                      fixed */
    double t_end, reach; /* time up to which modes were to be computed, and the motion to be followed, s */
    double end, h;       /* time up to which it was followed, and the step, s */
    long steps_min;
    const char *stepper; /* that followed it */
    const char *cause;   /* message of the failure that ended it, else NULL */
} sb_motion;

/* Follows the motion from the initial state to t_end (s), and over steps_min steps h: with rattle, or rk4 without
 * constraints, with about twenty steps per time scale. If these do not support the system, the stepper of the pair is
 * used, with a step of at most h/4. The step is halved up to eight times if it fails, or if the energy is off by more
 * than 5 % of the mean kinetic energy: a close encounter. The exponents, without contacts and dry friction, are
 * computed at the initial state and at `samples` others, in equal parts of the time each the one with the largest
 * |da|/|dq| of a step, a, q acceleration and position. At an equilibrium that is kicked and does not grow, only the
 * first. A step that fails ends the motion; the function does not fail then. */
int sb_motion_follow(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, double t_end, long steps_min,
                     long samples, sb_motion *out);

/* A run of the pair with one step. */
typedef struct sb_trial {
    bool passed;
    long steps;        /* number of steps taken */
    double end;        /* time of its last step, or of the one that fails or leaves, s */
    double energy;     /* largest |E - E(0)| over the largest kinetic energy of the motion; NaN if E is not conserved */
    const char *cause; /* why it did not pass, a clause after "a run with h = ...", else NULL */
} sb_trial;

/* Runs the pair with step h over the time of the motion, and for at least motion->steps_min steps. The run passes if
 *
 * - no step fails,
 * - no coordinate moves from its start by more than three times the range of the motion and a tenth of the largest
 *   coordinate: an oscillation at 0.94 of Verlet's limit has three times its amplitude, 1/sqrt(1 - (h omega/2)^2),
 * - the energy does not stay away from the energies of the motion: in 95 % of the last third of the steps by a quarter
 *   of the mean kinetic energy. The energy of an oscillation at 0.94 of Verlet's limit rises up to fifteen times that,
 * but is closer in 8 % of the steps; that of a planet on another orbit returns only near its sun. A loss does not count
 * if the stepper `dissipates`; nor does the energy of a kick at a bounded equilibrium.
 *
 * What comes after the end of a motion that could not be followed does not count. */
int sb_motion_try(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, bool dissipates, sb_motion *motion,
                  sb_trial *out);
