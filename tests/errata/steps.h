/* A problem with a stepper bound to it and its state: what the corrected form of an equation is compared with. */
#ifndef STEPBENCH_TESTS_ERRATA_STEPS_H
#define STEPBENCH_TESTS_ERRATA_STEPS_H

#include "tests/errata/erratum.h"
#include "tests/problems/systems.h"

typedef struct stepping {
    sb_system sys;
    sb_method method;
    sb_state now, next;
} stepping;

/* Binds a stepper to `sys`, a copy of which is kept, and starts it from the initial state of the system. */
static inline void stepping_bind(fixture *f, const sb_system *sys, const char *stepper, double h, stepping *out) {
    out->sys = *sys;
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &out->sys, &out->method);
    status = status == SB_OK ? sb_state_new(&out->method, &f->arena, &out->now) : status;
    status = status == SB_OK ? sb_state_new(&out->method, &f->arena, &out->next) : status;
    status = status == SB_OK ? sb_method_start(&out->method, 0.0, NULL, NULL, h, &out->now) : status;
    gsl_test(status != SB_OK, "%s on %s starts (%s)", stepper, sys->name, status == SB_OK ? "it does" : f->ctx.message);
}

static inline void stepping_begin(fixture *f, const char *problem, const char *formulation, const char *stepper,
                                  double h, stepping *out) {
    sb_system sys;
    fixture_build(f, problem, formulation, &sys);
    stepping_bind(f, &sys, stepper, h, out);
}

/* Takes one step: `now` is its end and `next` its beginning. */
static inline void stepping_step(stepping *s, double h) {
    const int status = sb_method_step(&s->method, &s->now, h, &s->next);
    const sb_state end = s->next;
    s->next = s->now;
    s->now = end;
    gsl_test(status != SB_OK, "%s on %s steps (%s)", s->method.type->entry.name, s->sys.name,
             status == SB_OK ? "it does" : s->method.ctx->message);
}

#endif
