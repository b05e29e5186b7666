/* The bare loops compute what the steppers compute: otherwise the ratio of their times says nothing. */
#include <float.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/perf/bare.h"
#include "bench/runner/registry.h"
#include "core/run/build.h"

enum { STEPS = 200 };

/* Two recurrences that round differently part by up to N^2/2 times what one step commits: a few roundings of a
 * displacement and of the sum, of size eps max|q|. The motions here are regular over the 200 steps, two time scales. */
static double tolerance_for(double size) { return 8.0 * DBL_EPSILON * 0.5 * STEPS * STEPS * size; }

static int compare(sb_context *ctx, sb_arena *arena, const sb_bare *bare) {
    sb_system sys;
    sb_method method;
    sb_state s0, s[2];
    double *v1, c[SB_BARE_CONSTANTS], hand[SB_BARE_STATE] = {0};
    SB_TRY(sb_system_build(ctx, arena, bare->problem, bare->formulation != NULL, &bare->formulation, &sys));
    SB_TRY(sb_method_build(ctx, arena, bare->stepper, &sys, &method));
    SB_TRY(sb_state_new(&method, arena, &s0));
    SB_TRY(sb_state_new(&method, arena, &s[0]));
    SB_TRY(sb_state_new(&method, arena, &s[1]));
    SB_NEW(arena, v1, sys.n);
    const double h = 0.01 * sys.time_scale;
    SB_TRY(sb_method_start(&method, 0.0, NULL, NULL, h, &s0));
    SB_TRY(sb_method_step(&method, &s0, h, &s[0]));
    SB_TRY(sb_method_report(&method, &s[0], v1, NULL));
    SB_TRY(sb_bare_constants(ctx, arena, bare, c));
    bare->start(bare, c, h, s0.q, &s[0], v1, hand);
    double difference = 0.0, size = 0.0, path = 0.0;
    for (int k = 0; k < STEPS; k++) {
        SB_TRY(sb_method_step(&method, &s[k & 1], h, &s[(k + 1) & 1]));
        bare->run(c, h, 1, hand);
        for (int i = 0; i < sys.n; i++) {
            const double q = s[(k + 1) & 1].q[i], d = fabs(q - hand[i]);
            difference = d <= difference ? difference : d;
            size = fmax(size, fabs(q));
            path = fmax(path, fabs(q - s0.q[i]));
        }
    }
    gsl_test(!(difference <= tolerance_for(size)),
             "bare %s on %s: |difference| %.2g after %d steps, round-off may give %.2g", bare->stepper, sys.name,
             difference, STEPS, tolerance_for(size));
    gsl_test(!(path > 0.05 * size), "bare %s on %s: the motion is one", bare->stepper, sys.name);
    return SB_OK;
}

int main(void) {
    sb_context ctx;
    sb_arena arena;
    sb_registry registry;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "built-ins register");
    for (int i = 0; i < sb_bare_count; i++) {
        const sb_bare *bare = &sb_bare_list[i];
        const int status = compare(&ctx, &arena, bare);
        gsl_test(status != SB_OK, "bare %s on %s runs: %s", bare->stepper, bare->problem,
                 status != SB_OK ? ctx.message : "done");
        gsl_test(sb_bare_find(bare->stepper, bare->problem, bare->formulation) != bare, "bare %s on %s is found",
                 bare->stepper, bare->problem);
    }
    sb_arena_free(&arena);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
