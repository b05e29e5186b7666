/* Runs that report every step and runs that report few take the same steps and fail at the same one. */
#include <math.h>
#include <signal.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/runner/registry.h"
#include "core/run/build.h"
#include "core/run/run.h"

enum { STEPS = 200 };

typedef struct samples {
    long step[STEPS + 1];
    double q[STEPS + 1], t[STEPS + 1];
    int count;
} samples;

static int keep(void *arg, const sb_sample *sample) {
    samples *s = arg;
    s->step[s->count] = sample->step;
    s->q[s->count] = sample->q[0];
    s->t[s->count++] = sample->t;
    return SB_OK;
}

static int run(sb_context *ctx, const char *stepper, double h, long steps, long every, samples *out, long *done) {
    sb_system sys;
    sb_method method;
    SB_SCRATCH(arena, ctx);
    SB_TRY(sb_system_build(ctx, &arena, "oscillator", 0, NULL, &sys));
    SB_TRY(sb_method_build(ctx, &arena, stepper, &sys, &method));
    sb_run r = {.h = h, .steps = steps, .every = every};
    *out = (samples){0};
    const int status = sb_run_method(&method, &r, keep, out);
    *done = r.done;
    return status;
}

/* spook reports the mean of the velocities before and after a state, and needs the next one for it. */
static void same_steps(sb_context *ctx, const char *stepper) {
    samples all, few;
    long done;
    gsl_test(run(ctx, stepper, 0.1, STEPS, 1, &all, &done) || run(ctx, stepper, 0.1, STEPS, 70, &few, &done), "%s: %s",
             stepper, ctx->message);
    gsl_test(all.count != STEPS + 1 || few.count != 4 || few.step[1] != 70 || few.step[2] != 140 ||
                 few.step[3] != STEPS,
             "%s: every step is reported, or steps 0, 70, 140 and the last", stepper);
    for (int i = 0; i < few.count; i++) {
        const long k = few.step[i];
        gsl_test(few.q[i] != all.q[k] || few.t[i] != all.t[k] || few.t[i] != (double)k * 0.1,
                 "%s: step %ld has the same bits", stepper, k);
    }
}

/* A step of h = 1000 multiplies the state by 1 + 1000 i, whose power of 103 is the first above the largest double. */
static void same_failure(sb_context *ctx, long every) {
    samples s;
    long done;
    gsl_test_int(run(ctx, "euler_explicit", 1000.0, STEPS, every, &s, &done), SB_NOT_FINITE, "the state overflows");
    gsl_test_int((int)done, 102, "after 102 steps, with a sample every %ld", every);
    gsl_test(strstr(ctx->message, "ended at step 103, t = 103000: ") == NULL, "the message names step 103: %s",
             ctx->message);
    gsl_test_int(s.count, (int)(102 / every) + 1, "the samples before it are reported");
}

/* Takes 50 steps by the instance for the size of the system, or by the function for all systems, to `out`. */
static int take(sb_method *method, sb_arena *arena, bool instance, sb_state *out) {
    sb_state next;
    const double h = 0.01 * method->sys->time_scale;
    method->plain = instance;
    SB_TRY(sb_state_new(method, arena, out));
    SB_TRY(sb_state_new(method, arena, &next));
    SB_TRY(sb_method_start(method, 0.0, NULL, NULL, h, out));
    for (int k = 0; k < 50; k++) {
        SB_TRY(sb_method_step(method, out, h, &next));
        sb_state_copy(method, &next, out);
    }
    return SB_OK;
}

static bool same(int n, const double *a, const double *b) { return memcmp(a, b, (size_t)n * sizeof *a) == 0; }

/* The instances compute the same bits. Returns how many steppers have one for the size of the problem. */
static int same_instances(sb_context *ctx, const char *problem) {
    const sb_entry *entry;
    int found = 0;
    for (int i = 0; (entry = sb_registry_match(ctx->registry, SB_KIND_STEPPER, "*", i)) != NULL; i++) {
        sb_system sys;
        sb_method method;
        sb_state a, b;
        SB_SCRATCH(arena, ctx);
        if (sb_system_build(ctx, &arena, problem, 0, NULL, &sys) != SB_OK ||
            sb_method_build(ctx, &arena, entry->name, &sys, &method) != SB_OK || method.steps == NULL ||
            !method.plain) {
            continue;
        }
        found++;
        gsl_test(take(&method, &arena, true, &a) || take(&method, &arena, false, &b), "%s on %s: %s", entry->name,
                 problem, ctx->message);
        gsl_test(!same(sys.n, a.q, b.q) || !same(sys.n, a.v, b.v) || !same(sys.holonomic.m, a.lambda, b.lambda) ||
                     !same(method.naux, a.aux, b.aux) || !(fabs(a.q[0]) + fabs(a.v[0]) > 0.0),
                 "%s on %s: the instance has the same bits", entry->name, problem);
    }
    return found;
}

/* The potential of a system that interrupts its run at the fifth evaluation. */
static volatile sig_atomic_t interrupt;
static sb_potential inner;
static int evaluations;

static int interrupting(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    interrupt = ++evaluations >= 5;
    return inner.gradient(self, t, q, Vq);
}

/* A block of slow steps ends with the step in which the interruption comes: an evaluation per step, one at the start.
 */
static void interrupted(sb_context *ctx, const char *stepper, bool steps) {
    sb_system sys;
    sb_method method;
    samples s = {0};
    SB_SCRATCH(arena, ctx);
    evaluations = 0;
    gsl_test(sb_system_build(ctx, &arena, "oscillator", 0, NULL, &sys), "the system");
    inner = sys.potential;
    sys.potential.gradient = interrupting;
    gsl_test(sb_method_build(ctx, &arena, stepper, &sys, &method), "the method");
    method.plain = false;
    method.steps = steps ? method.steps : NULL;
    sb_run r = {.h = 0.1, .steps = STEPS, .every = STEPS};
    ctx->interrupt = &interrupt;
    gsl_test_int(sb_run_method(&method, &r, keep, &s), SB_INTERRUPTED, "%s is interrupted", stepper);
    gsl_test_int(evaluations, 5, "%s takes no further step", stepper);
    ctx->interrupt = NULL;
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "built-ins register");
    same_steps(&ctx, "verlet");
    same_steps(&ctx, "spook");
    same_steps(&ctx, "gauss");
    same_failure(&ctx, 1);
    same_failure(&ctx, 40);
    same_failure(&ctx, 100000);
    interrupted(&ctx, "verlet", true);
    interrupted(&ctx, "verlet", false);
    static const char *const problems[] = {"oscillator", "kepler", "pendulum", "dsp"};
    for (int i = 0; i < 4; i++) {
        gsl_test(same_instances(&ctx, problems[i]) < 5, "steppers have instances for %s", problems[i]);
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
