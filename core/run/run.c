/* The run loop: starts a method, takes `steps` steps of length h, and passes the reported states to an observer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/run.h"

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

/* Takes a step of length h. Clears the message first, so that one found afterwards is of this step. */
static int advance(const loop *l, long step, const sb_state *now, sb_state *next) {
    sb_context *ctx = l->me->ctx;
    ctx->message[0] = '\0';
    const int status = sb_method_step(l->me, now, l->run->h, next);
    return status != SB_INTERRUPTED
               ? status
               : sb_fail(ctx, status, "interrupted at step %ld of %ld, t = %.9g", step, l->run->steps, (double)now->t);
}

static int run_loop(loop *l, sb_state *now, sb_state *next) {
    sb_method *me = l->me;
    sb_run *run = l->run;
    sb_context *ctx = me->ctx;
    long step = 0;
    int status;
    run->done = 0;
    ctx->message[0] = '\0';
    if (run->q1 != NULL) {
        status = sb_method_start_pair(me, run->t0, run->q0, run->q1, run->h, now);
        step = 1;
    } else {
        status = sb_method_start(me, run->t0, run->q0, run->v0, run->h, now);
    }
    if (status != SB_OK) {
        return status < 0 ? status : locate_failure(me, status, step, run->t0);
    }
    const sb_scalar t0 = now->t - (sb_scalar)step * run->h;
    for (const long first = step;; step++) {
        const bool due = step == first || step % run->every == 0 || step >= run->steps,
                   between = due && sb_method_needs_next(me, l->v, l->lambda);
        run->done = step;
        status = between ? advance(l, step, now, next) : SB_OK;
        if (status < 0) {
            return status;
        }
        if (status != SB_OK) { /* the observer may write another message */
            memcpy(l->cause, ctx->message, sizeof l->cause);
        }
        if (due) {
            SB_TRY(sample(l, step, now, between && status == SB_OK ? next : NULL));
        }
        if (step >= run->steps) {
            return SB_OK;
        }
        if (!between) {
            status = advance(l, step, now, next);
        } else if (status != SB_OK) {
            memcpy(ctx->message, l->cause, sizeof l->cause);
        }
        if (status != SB_OK) {
            return status < 0 ? status : locate_failure(me, status, step + 1, t0 + (sb_scalar)(step + 1) * run->h);
        }
        next->t = t0 + (sb_scalar)(step + 1) * run->h; /* round-off does not accumulate in t */
        sb_state *swap = now;
        now = next;
        next = swap;
    }
}

int sb_run_method(sb_method *me, sb_run *run, sb_observer observe, void *arg) {
    loop l = {.me = me, .run = run, .observe = observe, .arg = arg};
    sb_state now, next;
    SB_SCRATCH(arena, me->ctx);
    SB_TRY(sb_state_new(me, &arena, &now));
    SB_TRY(sb_state_new(me, &arena, &next));
    SB_NEW(&arena, l.v, me->sys->n);
    if (run->multipliers) {
        SB_NEW(&arena, l.lambda, sb_system_multipliers(me->sys));
    }
    return run_loop(&l, &now, &next);
}

int sb_steps(sb_context *ctx, sb_scalar t, sb_scalar h, sb_rounding rounding, long *steps) {
    const sb_scalar tol = 1e-9, ratio = t / h,
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
