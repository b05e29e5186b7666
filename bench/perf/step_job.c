/* Measures the time of the steps of a method from its initial state. */
#include "bench/perf/step_job.h"

#include "bench/process/meter.h"
#include "core/run/steps.h"

int sb_step_job_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_step_job *out) {
    *out = (sb_step_job){.h = h, .steps = steps};
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &out->method));
    SB_TRY(sb_state_new(&out->method, arena, &out->first));
    for (int i = 0; i < 3; i++) {
        SB_TRY(sb_state_new(&out->method, arena, &out->state[i]));
    }
    return sb_method_start(&out->method, 0.0, NULL, NULL, h, &out->first);
}

/* A stepper with a history repeats it from the point where it began: the same start would find it complete. */
int sb_step_job_run(void *arg) {
    sb_step_job *job = arg;
    job->first.t = job->first.t > 0.0 ? 0.0 : DBL_MIN;
    sb_state_copy(&job->method, &job->first, &job->state[0]);
    sb_steps_at at = {job->first.t, job->h, 0, &job->state[0], &job->state[1], &job->state[2]};
    return sb_method_steps(&job->method, &at, job->steps);
}

/* Measures the time of a job by the clock, at least two runs of it, of which the first one starts a program. */
static int clock_job(sb_step_job *job, double budget, double *seconds) {
    SB_TRY(sb_step_job_run(job));
    const double begin = sb_clock();
    int runs = 0;
    do {
        SB_TRY(sb_step_job_run(job));
        *seconds = (sb_clock() - begin) / ++runs;
    } while (*seconds * runs < budget);
    return SB_OK;
}

int sb_step_time(sb_context *ctx, const sb_pair *pair, double h, long steps, double budget, double *seconds) {
    sb_step_job job;
    SB_SCRATCH(arena, ctx);
    SB_TRY(sb_step_job_init(ctx, &arena, pair, h, steps, &job));
    SB_TRY(pair->type->uncounted ? clock_job(&job, budget, seconds)
                                 : sb_time_jobs(budget, 1, &(sb_job){sb_step_job_run, &job}, seconds, NULL));
    *seconds /= (double)steps;
    return SB_OK;
}
