/* One step against its formula where a mass is not 1, a run's clock from two points, and what a start refuses. */
#include "core/run/run.h"
#include "tests/steppers/pairs.h"

static sb_registry registry;
static sb_context ctx;

/* hlw06 I.1.2: Verlet on m x'' = -m omega^2 x is q1 = q + h v - (h omega)^2/2 q, v1 = v - h omega^2 (q + q1)/2. */
static void verlet_with_mass(sb_arena *arena) {
    const double h = 0.1, omega = 2.0, q = 0.7, v = 0.3, q1 = q + h * v - 0.5 * h * h * omega * omega * q;
    sb_system sys;
    sb_method me;
    sb_state s[2];
    int status = sb_system_build(&ctx, arena, "oscillator:m=3,omega=2,x0=0.7,v0=0.3", 0, NULL, &sys);
    status = status != SB_OK ? status : sb_method_build(&ctx, arena, "verlet", &sys, &me);
    status = status != SB_OK ? status : sb_state_new(&me, arena, &s[0]);
    status = status != SB_OK ? status : sb_state_new(&me, arena, &s[1]);
    status = status != SB_OK ? status : sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]);
    status = status != SB_OK ? status : sb_method_step(&me, &s[0], h, &s[1]);
    gsl_test(status != SB_OK, "verlet steps (%s)", ctx.message);
    gsl_test_rel(s[1].q[0], q1, 1e-15, "verlet: q1");
    gsl_test_abs(s[1].v[0], v - 0.5 * h * omega * omega * (q + q1), 1e-15, "verlet: v1");
}

typedef struct clock {
    double h, t0;
    int samples, wrong;
} clock;

static int watch(void *arg, const sb_sample *sample) {
    clock *c = arg;
    c->samples++;
    c->wrong += !(fabs(sample->t - (c->t0 + (double)sample->step * c->h)) <= 1e-15 * (c->t0 + 1.0));
    return SB_OK;
}

/* Sample k of a run is at t0 + k h; from two points the first sample is k = 1. */
static void clock_of_runs(sb_arena *arena) {
    static const double q0[2] = {1.0, 0.0}, q1[2] = {0.998, 0.0499}, v0[2] = {0.0, 1.0};
    sb_system sys;
    sb_method me;
    for (int two = 0; two < 2; two++) {
        clock c = {.h = 0.05, .t0 = 0.25};
        sb_run run = {
            .h = 0.05, .steps = 5, .every = 1, .t0 = 0.25, .q0 = q0, .v0 = two ? NULL : v0, .q1 = two ? q1 : NULL};
        int status = sb_system_build(&ctx, arena, "kepler", 0, NULL, &sys);
        status = status != SB_OK ? status : sb_method_build(&ctx, arena, "del", &sys, &me);
        status = status != SB_OK ? status : sb_run_method(&me, &run, watch, &c);
        gsl_test(status != SB_OK, "a run from %s (%s)", two ? "two points" : "a state", ctx.message);
        gsl_test_int(c.samples, two ? 5 : 6, "its samples");
        gsl_test_int(c.wrong, 0, "samples away from t0 + k h");
    }
}

/* A start off the constraint is refused where it is off by more than round-off. */
static void start_off_the_constraint(sb_arena *arena) {
    static const double off[] = {0.0, 1e-14, 1e-6, 1e-2};
    sb_system sys;
    sb_method me;
    sb_state s;
    int status = sb_system_build(&ctx, arena, "pendulum:l=1", 0, NULL, &sys);
    status = status != SB_OK ? status : sb_method_build(&ctx, arena, "shake", &sys, &me);
    status = status != SB_OK ? status : sb_state_new(&me, arena, &s);
    gsl_test(status != SB_OK, "shake on a pendulum (%s)", ctx.message);
    for (int i = 0; i < 4; i++) {
        const double q[2] = {0.6 * (1.0 + off[i]), -0.8 * (1.0 + off[i])}, v[2] = {0.0, 0.0};
        status = sb_method_start(&me, 0.0, q, v, 0.01, &s);
        gsl_test_int(status, i < 2 ? SB_OK : SB_INCONSISTENT, "a start that is off by %g", off[i]);
    }
}

int main(void) {
    sb_arena arena;
    open_registry(&ctx, &registry);
    sb_arena_init(&arena, &ctx);
    verlet_with_mass(&arena);
    clock_of_runs(&arena);
    start_off_the_constraint(&arena);
    sb_arena_free(&arena);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
