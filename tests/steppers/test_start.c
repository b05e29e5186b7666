/* What a run may start from: a finite state on the constraints, and a pair of positions where a method takes one. */
#include "tests/analysis/fixture.h"

static void expect(fixture *f, int status, int wanted, const char *part) {
    gsl_test(status != wanted || (part != NULL && strstr(f->ctx.message, part) == NULL), "status %d, wanted %d: %s",
             status, wanted, status != SB_OK ? f->ctx.message : "it starts");
}

static sb_method method_of(fixture *f, const char *problem, const char *stepper, sb_system *sys, sb_state *state) {
    sb_method me = {0};
    int status = sb_system_build(&f->ctx, &f->arena, problem, 0, NULL, sys);
    status = status == SB_OK ? sb_method_build(&f->ctx, &f->arena, stepper, sys, &me) : status;
    status = status == SB_OK ? sb_state_new(&me, &f->arena, state) : status;
    expect(f, status, SB_OK, NULL);
    return me;
}

/* The pendulum of length 1 that hangs down may move to the side; it may neither leave the circle nor fall. The bounds
 * are round-off (core/run/consistency.c), far below 1e-3. */
static void on_the_constraint(fixture *f) {
    sb_system sys;
    sb_state state;
    const sb_method me = method_of(f, "pendulum:l=1", "rattle", &sys, &state);
    const double down[2] = {0.0, -1.0}, below[2] = {0.0, -1.001}, aside[2] = {0.3, 0.0}, falling[2] = {0.3, -1e-3};
    const double lost[2] = {(double)NAN, -1.0}, fast[2] = {0.0, (double)INFINITY};
    expect(f, sb_method_start(&me, 0.0, down, aside, 0.1, &state), SB_OK, NULL);
    expect(f, sb_method_start(&me, 0.0, below, aside, 0.1, &state), SB_INCONSISTENT, "is off constraint 0");
    expect(f, sb_method_start(&me, 0.0, down, falling, 0.1, &state), SB_INCONSISTENT, "violates constraint 0");
    expect(f, sb_method_start(&me, 0.0, lost, aside, 0.1, &state), SB_INCONSISTENT, "is not finite: q0 = nan");
    expect(f, sb_method_start(&me, 0.0, down, fast, 0.1, &state), SB_INCONSISTENT, "v1 = inf");
}

/* A method of one step has no use for a second position. */
static void from_two_points(fixture *f) {
    sb_system sys;
    sb_state state;
    const double before[1] = {1.0}, now[1] = {0.9};
    const sb_method two = method_of(f, "oscillator", "shake", &sys, &state);
    expect(f, sb_method_start_pair(&two, 0.0, before, now, 0.1, &state), SB_OK, NULL);
    near(state.t, 0.1, 0.0, "the state is that of the second position");
    const sb_method one = method_of(f, "oscillator", "rk4", &sys, &state);
    expect(f, sb_method_start_pair(&one, 0.0, before, now, 0.1, &state), SB_UNSUPPORTED,
           "rk4 is a one-step method and cannot start from two points");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    on_the_constraint(&f);
    from_two_points(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
