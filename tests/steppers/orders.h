/* The orders of a stepper on a problem, two-sided: of q, of v and of the multipliers. */
#ifndef STEPBENCH_TESTS_STEPPERS_ORDERS_H
#define STEPBENCH_TESTS_STEPPERS_ORDERS_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "analysis/accuracy/reference.h"
#include "bench/runner/registry.h"
#include "core/run/build.h"

enum { LEVELS = 7 };

/* The orders of q, v and lambda; -1: without claim. */
typedef struct orders {
    int of[3];
} orders;

#define BOTH(order) ((orders){{(order), (order), -1}})

/* The slope between the two finest steps whose errors are 30 times the floor, which moves it by at most 0.05. The floor
 * is that of the reference and of round-off: on constraints a velocity is a difference of positions over h, a
 * multiplier a second one, with coefficients of size four. The limit is half a unit: where even and odd orders are
 * possible, an error of c h^p (1 + O(h)) has come near enough. */
static inline void check_order(sb_context *ctx, const char *problem, const char *formulation, const char *stepper,
                               orders claimed, double coarsest) {
    static const char *const variables[] = {"q", "v", "lambda"};
    sb_arena arena;
    sb_spec spec;
    sb_system sys;
    sb_method method;
    sb_reference ref, run;
    double errors[SB_ERR_COUNT], last[3] = {NAN, NAN, NAN}, slope[3] = {NAN, NAN, NAN};
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, problem, formulation != NULL, &formulation, &sys);
    status = status == SB_OK ? sb_spec_parse(ctx, &arena, SB_KIND_STEPPER, stepper, &spec) : status;
    const sb_stepper *type = (const sb_stepper *)spec.entry;
    status = status == SB_OK ? sb_method_init(ctx, &arena, type, spec.config, &sys, &method) : status;
    gsl_test(status != SB_OK, "%s on %s is built: %s", stepper, problem, status != SB_OK ? ctx->message : "done");
    if (status != SB_OK) {
        sb_arena_free(&arena);
        return;
    }
    const sb_pair pair = {sys.name, stepper, &sys, type, spec.config, NULL, NULL};
    const double h = coarsest * sys.time_scale;
    status = sb_reference_make(ctx, &arena, "auto", &pair, h, 4, h / 64.0, &ref);
    for (int i = 0; i < LEVELS && status == SB_OK; i++) {
        status = sb_reference_run(ctx, &arena, &method, ldexp(h, -i), &ref, &run);
        sb_reference_errors(&run, &ref, errors);
        const double scales = sys.time_scale / ldexp(h, -i), size[3] = {ref.size_q, ref.size_v, ref.size_lambda},
                     rounding[3] = {4.0, sys.holonomic.m > 0 ? 4.0 * (1.0 + scales) : 4.0,
                                    4.0 + 16.0 * scales * scales};
        for (int k = SB_ERR_Q; k <= SB_ERR_LAMBDA; k++) {
            if (errors[k] > 30.0 * (ref.floor[k] + rounding[k] * DBL_EPSILON * size[k])) {
                slope[k] = log2(last[k] / errors[k]);
            }
            last[k] = errors[k];
        }
    }
    gsl_test(status != SB_OK, "%s on %s runs: %s", stepper, problem, status != SB_OK ? ctx->message : "done");
    for (int k = SB_ERR_Q; k <= SB_ERR_LAMBDA; k++) {
        const int claim = sb_stepper_order_of(type, spec.config, sys.flags, (sb_variable)k);
        gsl_test(claimed.of[k] >= 0 && (claim != claimed.of[k] || !(fabs(slope[k] - claimed.of[k]) < 0.5)),
                 "%s on %s: order of %s is %.2f, it claims %d and %d is known", stepper, problem, variables[k],
                 slope[k], claim, claimed.of[k]);
    }
    sb_arena_free(&arena);
}

#endif
