/* The steps of a run as changes from one state to the next: what forces and multipliers do over each. */
#ifndef STEPBENCH_ANALYSIS_CONTACT_STEPS_H
#define STEPBENCH_ANALYSIS_CONTACT_STEPS_H

#include "analysis/analysis.h"

/* A step of length h from (q0, v0) to (q1, v1), the method's own states; `lambda` are the forces that led there. Rows are all those of
 * lambda. */
typedef struct sb_step {
    long number; /* 1, 2, ... */
    double t, h; /* at the end */
    const double *q0, *v0, *q1, *v1, *lambda;
    const double *work;  /* h lambda_i C_i' (v0 + v1)/2 of each row: what it adds to the kinetic energy (rows) */
    double force;        /* h f' (v0 + v1)/2 of forces that are no potential's */
    const double *gap;   /* at the end (contact.m) */
    const double *slip;  /* D' v1 - w (contact.k) */
    const double *bound; /* limit + mu |lambda_of| of each friction row (contact.k) */
} sb_step;

typedef int (*sb_step_observer)(void *arg, const sb_step *step);

/* Runs the pair from the system's initial state. Rows and forces are taken at q0 + at h v0: where the method takes them, or the work is off
 * by O(h). Statuses as sb_run_method's. */
int sb_steps_observe(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, double at, sb_step_observer observe,
                     void *arg);

#endif
