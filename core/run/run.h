/* The run loop: start, step, report, observe. */
#ifndef STEPBENCH_CORE_RUN_RUN_H
#define STEPBENCH_CORE_RUN_RUN_H

#include <stepbench/stepper.h>

typedef struct sb_sample {
    long step;
    sb_scalar t;
    const sb_scalar *q, *v, *lambda; /* reported; lambda is NULL unless asked for */
    const sb_state *state;
} sb_sample;

typedef int (*sb_observer)(void *arg, const sb_sample *sample);

typedef struct sb_run {
    sb_scalar h;
    long steps;
    long every;               /* sample every so many steps, the initial state (step 0) and the last step included */
    bool multipliers;         /* report lambda as well */
    const sb_scalar *q0, *v0; /* start here at t0 instead of the system's initial state; NULL: the latter */
    sb_scalar t0;
    const sb_scalar
        *q1;   /* second point for two-step methods (then the first sample is step 1); NULL: the method's own start */
    long done; /* out: steps taken */
} sb_run;

/* Observers that return non-zero end the run with that status; one that sets run->steps to the step of its sample
 * completes the run there. A failed step ends it with the step's status and a sentence that names stepper, problem,
 * step, time and cause; every sample before it has been observed. */
int sb_run_method(sb_method *me, sb_run *run, sb_observer observe, void *arg);

/* The largest number of steps of a run. It is exact in a double, and eight times as many samples fit into a long. */
#define SB_STEPS_MAX 1e15

typedef enum sb_rounding {
    SB_STEPS_EXACT, /* t is a multiple of h to 1e-9: h may be the rounded decimal of a fraction */
    SB_STEPS_UP     /* the least number of steps that covers t to 1e-9, at least 1 */
} sb_rounding;

/* Computes the number of steps of length h that cover the time t. Every number of steps is computed here. Fails with
 * SB_BAD_USAGE when the number is not between 1 and SB_STEPS_MAX or, with SB_STEPS_EXACT, when t is not a multiple of
 * h. */
int sb_steps(sb_context *ctx, sb_scalar t, sb_scalar h, sb_rounding rounding, long *steps);

#endif
