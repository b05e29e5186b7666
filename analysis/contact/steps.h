/* The steps of a run, each with the work of forces and multipliers. */
#pragma once

#include "analysis/analysis.h"

/* A step of length h from (q0, v0) to (q1, v1), the states of the method; `lambda` are the multipliers (forces) of the
 * step; of a stepper without them those of the motion (steps.c), NaN where it does not determine them. The rows are
 * those of lambda. */
typedef struct sb_step {
    const sb_system *sys;
    long number; /* 1, 2, ... */
    double t, h; /* at the end */
    const double *q0, *v0, *q1, *v1, *lambda;
    const double *work;  /* h lambda_i C_i' (v0 + v1)/2, the kinetic energy that row i adds (rows) */
    double force;        /* h f' (v0 + v1)/2 of the forces without a potential, and h V_t */
    const double *gap;   /* at the end (contact.m) */
    const double *slip;  /* D' v1 - w (contact.k) */
    const double *bound; /* limit + mu |lambda_of| of each friction row (contact.k) */
} sb_step;

typedef int (*sb_step_observer)(void *arg, const sb_step *step);

/* Runs the pair from the system's initial state and passes every step to `observe`. Rows and forces are evaluated at
 * q0 + at h v0. If the method evaluates them elsewhere, the error of the work is O(h). Fails like
 * sb_run_method. */
int sb_steps_observe(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, double at,
                     sb_step_observer observe, void *arg);
