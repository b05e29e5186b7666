/* The run loop: starts a method, takes `steps` steps of length h, and passes the reported states to an observer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/run.h"
#include "core/run/steps.h"

typedef struct loop {
    sb_method *me;
    sb_run *run;
    sb_observer observe;
    void *arg;
    sb_scalar *v, *lambda;
    char cause[SB_MESSAGE_MAX]; /* message of a failed step to the state that a report needs */
} loop;

/* Passes a state to the observer. `next` is the state after it if the report needs that one and the step succeeded,
 * otherwise NULL. */
static int sample(const loop *l, long step, const sb_state *state, const sb_state *next) {
    SB_TRY(sb_method_report_between(l->me, state, next, l->v, l->lambda));
    const sb_sample s = {step, state->t, state->q, l->v, l->lambda, state};
    return l->observe(l->arg, &s);
}

/* Puts stepper, problem, step and time before the message of a failure. */
static int locate_failure(const sb_method *me, int status, long step, sb_scalar t) {
    char cause[SB_MESSAGE_MAX];
    memcpy(cause, me->ctx->message, sizeof cause);
    if (cause[0] == '\0') {
        snprintf(cause, sizeof cause, "%s (status %d, without a sentence from the stepper or the problem)",
                 sb_status_text(status), status);
    }
    return sb_fail(me->ctx, status, "%s on %s ended at step %ld, t = %.9g: %.*s", me->type->entry.name, me->sys->name,
                   step, (double)t, SB_MESSAGE_MAX / 2, cause);
}

/* Takes the steps up to the number `last`, or one step that leaves the run at the state before it. Clears the message
 * first, so that one found afterwards is of these steps. */
static int advance(const loop *l, sb_steps_at *at, long last, bool ahead) {
    sb_context *ctx = l->me->ctx;
    ctx->message[0] = '\0';
    const int status = ahead ? sb_method_step(l->me, at->now, at->h, at->next) : sb_method_steps(l->me, at, last);
    return status != SB_INTERRUPTED ? status
                                    : sb_fail(ctx, status, "interrupted at step %ld of %ld, t = %.9g", at->step,
                                              l->run->steps, (double)at->now->t);
}

/* Returns the number of the step at which the next sample is due. */
static long next_due(const sb_run *run, long step) {
    const long rest = run->every - step % run->every;
    return rest < run->steps - step ? step + rest : run->steps;
}

static int run_loop(loop *l, sb_steps_at *at) {
    sb_method *me = l->me;
    sb_run *run = l->run;
    sb_context *ctx = me->ctx;
    int status;
    run->done = 0;
    ctx->message[0] = '\0';
    if (run->q1 != NULL) {
        status = sb_method_start_pair(me, run->t0, run->q0, run->q1, run->h, at->now);
        at->step = 1;
    } else {
        status = sb_method_start(me, run->t0, run->q0, run->v0, run->h, at->now);
    }
    if (status != SB_OK) {
        return status < 0 ? status : locate_failure(me, status, at->step, run->t0);
    }
    at->h = run->h;
    at->t0 = at->now->t - (sb_scalar)at->step * run->h;
    for (;;) {
        const bool ahead = sb_method_needs_next(me, l->v, l->lambda);
        run->done = at->step;
        status = ahead ? advance(l, at, at->step + 1, true) : SB_OK;
        if (status < 0) {
            return status;
        }
        if (status != SB_OK) { /* the observer may write another message */
            memcpy(l->cause, ctx->message, sizeof l->cause);
        }
        SB_TRY(sample(l, at->step, at->now, ahead && status == SB_OK ? at->next : NULL));
        if (at->step >= run->steps) {
            return SB_OK;
        }
        if (status != SB_OK) {
            memcpy(ctx->message, l->cause, sizeof l->cause);
        } else {
            const long due = next_due(run, at->step);
            if (ahead) {
                sb_steps_follow(at);
            }
            status = at->step < due ? advance(l, at, due, false) : SB_OK;
            run->done = at->step;
        }
        if (status != SB_OK) {
            return status < 0 ? status
                              : locate_failure(me, status, at->step + 1, at->t0 + (sb_scalar)(at->step + 1) * run->h);
        }
    }
}

int sb_run_method(sb_method *me, sb_run *run, sb_observer observe, void *arg) {
    loop l = {.me = me, .run = run, .observe = observe, .arg = arg};
    sb_state state[3];
    SB_SCRATCH(arena, me->ctx);
    for (int i = 0; i < 3; i++) {
        SB_TRY(sb_state_new(me, &arena, &state[i]));
    }
    SB_NEW(&arena, l.v, me->sys->n);
    if (run->multipliers) {
        SB_NEW(&arena, l.lambda, sb_system_multipliers(me->sys));
    }
    return run_loop(&l, &(sb_steps_at){.now = &state[0], .next = &state[1], .first = &state[2]});
}

int sb_steps(sb_context *ctx, sb_scalar t, sb_scalar h, sb_rounding rounding, long *steps) {
    const sb_scalar tol = SB_GIVEN_TOL, ratio = t / h,
                    count = rounding == SB_STEPS_UP ? fmax(1.0, ceil(ratio * (1.0 - tol))) : round(ratio);
    if (!(ratio > 0.0) || !(count >= 1.0) || !(count <= SB_STEPS_MAX)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "a run of %g s takes %g steps of h = %g s; the number of steps must be between 1 and %g",
                       (double)t, (double)ratio, (double)h, SB_STEPS_MAX);
    }
    if (rounding == SB_STEPS_EXACT && !(fabs(ratio - count) <= tol * count)) {
        return sb_fail(ctx, SB_BAD_USAGE, "a run of %.9g s is not a multiple of h = %.9g s; %.9g s is", (double)t,
                       (double)h, (double)(count * h));
    }
    *steps = (long)count;
    return SB_OK;
}
