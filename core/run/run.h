/* The run loop: starts a method, takes steps of length h, and passes the reported states to an observer. */
#pragma once

#include <stepbench/method.h>

typedef struct sb_sample {
    long step;
    sb_scalar t;
    const sb_scalar *q, *v, *lambda; /* reported; lambda is NULL without sb_run.multipliers */
    const sb_state *state;
} sb_sample;

typedef int (*sb_observer)(void *arg, const sb_sample *sample);

typedef struct sb_run {
    sb_scalar h; /* length of a step, s */
    long steps;
    long every;               /* sample every so many steps, the initial state (step 0) and the last step included */
    bool multipliers;         /* also report lambda */
    const sb_scalar *q0, *v0; /* the state at t0; NULL: the initial state of the system */
    sb_scalar t0;
    const sb_scalar
        *q1;   /* second point of a two-step method, whose first sample is step 1; NULL: the start of the method */
    long done; /* out: steps taken */
} sb_run;

/* Runs the method and passes its samples to `observe`. A status of the observer other than 0 ends the run and is
 * returned; an observer that sets run->steps to the step of its sample ends the run there with success. A step that
 * fails ends the run with its status and a message with stepper, problem, step, time and cause, after all samples
 * before it were observed. */
int sb_run_method(sb_method *me, sb_run *run, sb_observer observe, void *arg);

/* The largest number of steps of a run. It is exact in a double, and eight times as many samples fit into a long. */
#define SB_STEPS_MAX 1e15

typedef enum sb_rounding {
    SB_STEPS_EXACT, /* t is a multiple of h to 1e-9: h may be the rounded decimal of a fraction */
    SB_STEPS_UP     /* the least number of steps that covers t to 1e-9, at least 1 */
} sb_rounding;

/* Computes the number of steps of length h that cover the time t. All code uses this function for it. Fails with
 * SB_BAD_USAGE when the number is not between 1 and SB_STEPS_MAX or, with SB_STEPS_EXACT, when t is not a multiple of
 * h. */
int sb_steps(sb_context *ctx, sb_scalar t, sb_scalar h, sb_rounding rounding, long *steps);
