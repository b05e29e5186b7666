/* The hand-written elimination for the ladder is SPOOK itself: it follows the generic stepper, and every linear solver
 * follows it. */
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/perf/bare_ladder.h"
#include "bench/runner/registry.h"
#include "core/run/build.h"

static const struct {
    double m, l, g, eps, tau, h;
} cases[] = {{10.0, 1.0, 9.81, 1e-8, 2.0, 1.0 / 60.0}, {2.5, 0.4, 3.7, 1e-4, 0.5, 0.01}};

/* Steps of both from the ladder's start, which the first step leaves by g h^2: the largest difference of q, over the
 * length of a rod. Zero for a solver that the build leaves out. */
static double difference(sb_context *ctx, int which, long N, const char *options, int steps) {
    char problem[200], stepper[200];
    sb_arena arena;
    sb_system sys = {0};
    sb_method method = {0};
    sb_state state[2];
    sb_bare_ladder bare = {
        N, cases[which].m, cases[which].l, cases[which].g, cases[which].eps, cases[which].tau, cases[which].h, NULL};
    snprintf(problem, sizeof problem, "ladder:N=%ld,m=%.17g,l=%.17g,g=%.17g,rungs=%s", N, bare.m, bare.l, bare.g,
             which == 0 ? "up" : "down");
    snprintf(stepper, sizeof stepper, "spook:eps=%.17g,tau=%.17g,start=full%s", bare.eps, bare.tau_over_h, options);
    sb_arena_init(&arena, ctx);
    double worst = NAN, *q, *v;
    int status = sb_system_build(ctx, &arena, problem, 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &method) : status;
    status = status == SB_OK ? sb_bare_ladder_init(&arena, &bare) : status;
    for (int i = 0; i < 2 && status == SB_OK; i++) {
        status = sb_state_new(&method, &arena, &state[i]);
    }
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, bare.h, &state[0]) : status;
    if (status == SB_OK && (q = sb_alloc(&arena, (size_t)sys.n, sizeof *q)) != NULL &&
        (v = sb_alloc(&arena, (size_t)sys.n, sizeof *v)) != NULL) {
        for (int i = 0; i < sys.n; i++) {
            q[i] = state[0].q[i];
            v[i] = state[0].v[i];
        }
        for (int k = 0; k < steps && status == SB_OK; k++) {
            status = sb_method_step(&method, &state[k & 1], bare.h, &state[(k + 1) & 1]);
            status = status == SB_OK ? sb_bare_ladder_step(&bare, q, v) : status;
        }
        worst = 0.0;
        for (int i = 0; i < sys.n; i++) {
            const double d = fabs(q[i] - state[steps & 1].q[i]) / bare.l;
            worst = !(d <= worst) ? d : worst;
        }
    }
    const bool left_out = status == SB_BAD_USAGE && strstr(ctx->message, "not in this build") != NULL;
    gsl_test(status != SB_OK && !left_out, "%s by %s: %s", problem, stepper, ctx->message);
    sb_arena_free(&arena);
    return left_out ? 0.0 : worst;
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) || sb_register_builtins(&registry), "registry");
    static const char *const options[] = {"",
                                          ",form=schur",
                                          ",solver=dense",
                                          ",solver=umfpack",
                                          ",solver=klu",
                                          ",form=schur,solver=cholmod",
                                          ",form=schur,solver=umfpack"};
    for (int which = 0; which < 2; which++) {
        for (long N = 1; N <= 12; N = N < 3 ? N + 1 : 4 * N) {
            for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
                /* One step: round-off times the condition number, 1e4 to 1e7 here with Sigma down to 1e-5 of C M^-1 C',
                 * times the step's part of the motion. */
                const double one = difference(&ctx, which, N, options[k], 1),
                             many = difference(&ctx, which, N, options[k], 40);
                gsl_test(!(one <= 1e-12), "N=%ld%s: one step, difference %.3g", N, options[k], one);
                gsl_test(!(many <= 1e-9), "N=%ld%s: 40 steps, difference %.3g", N, options[k], many);
            }
        }
    }
    /* Before the motion gets chaotic round-off stays small for seconds: 5 s of 10 squares, 4 s of 100. */
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        const double ten = difference(&ctx, 0, 10, options[k], 300),
                     hundred = strstr(options[k], "dense") == NULL ? difference(&ctx, 0, 100, options[k], 240) : 0.0;
        gsl_test(!(ten <= 1e-9), "N=10%s: 5 s, difference %.3g", options[k], ten);
        gsl_test(!(hundred <= 1e-8), "N=100%s: 4 s, difference %.3g", options[k], hundred);
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
