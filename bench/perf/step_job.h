/* The steps of a method from its initial state, as a job of timing.h. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/timing.h"

typedef struct sb_step_job {
    sb_method method;
    sb_state first, state[3];
    double h;
    long steps; /* per run */
} sb_step_job;

/* Prepares `steps` steps of length h of a pair. */
int sb_step_job_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_step_job *out);
/* Takes the steps, from t = 0 and from t = DBL_MIN in turn, so that each run integrates anew; for sb_job. */
int sb_step_job_run(void *job);

/* Measures the processor time per step of the pair, in s, for about `budget` s. */
int sb_step_time(sb_context *ctx, const sb_pair *pair, double h, long steps, double budget, double *seconds);
