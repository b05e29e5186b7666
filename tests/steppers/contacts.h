/* A system with contacts under one stepper, step by step, with its rows evaluated anew from the terms. */
#ifndef STEPBENCH_TESTS_STEPPERS_CONTACTS_H
#define STEPBENCH_TESTS_STEPPERS_CONTACTS_H

#include "tests/problems/systems.h"

enum { MOST = 64, ENTRIES = MOST * MOST };

/* Those that take contacts, rigid. The share of a penetration each takes back in a step, in 1/h; moreau has none, and
 * its rows at its midpoint. */
typedef struct contact_stepper {
    const char *spec;
    double share;
    bool midpoint;
} contact_stepper;

static const contact_stepper contact_steppers[] = {
    {"reg", 1.0, false}, {"spook:eps=0", 4.0 / 9.0, false}, {"vts", 0.0, false}, {"moreau", 0.0, true}};
enum { CONTACT_STEPPERS = sizeof contact_steppers / sizeof *contact_steppers };

typedef struct contact_run {
    fixture *f;
    const char *spec;
    sb_system sys;
    sb_method method;
    sb_state before, now; /* of the last step */
    double h;
} contact_run;

/* Binds a stepper to r->sys and starts it. */
static inline void contact_bind(contact_run *r, fixture *f, const char *stepper, double h) {
    r->f = f;
    r->spec = stepper;
    r->h = h;
    r->method = (sb_method){0};
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &r->sys, &r->method);
    status = status == SB_OK ? sb_state_new(&r->method, &f->arena, &r->before) : status;
    status = status == SB_OK ? sb_state_new(&r->method, &f->arena, &r->now) : status;
    status = status == SB_OK ? sb_method_start(&r->method, 0.0, NULL, NULL, h, &r->now) : status;
    gsl_test(status != SB_OK, "%s on %s starts (%s)", stepper, r->sys.name,
             status == SB_OK ? "it does" : f->ctx.message);
    if (status != SB_OK) {
        exit(gsl_test_summary());
    }
}

static inline void contact_open(contact_run *r, fixture *f, const char *problem, const char *stepper, double h) {
    fixture_build(f, problem, NULL, &r->sys);
    contact_bind(r, f, stepper, h);
}

static inline bool contact_step(contact_run *r) {
    sb_state_copy(&r->method, &r->now, &r->before);
    const int status = sb_method_step(&r->method, &r->before, r->h, &r->now);
    gsl_test(status != SB_OK, "%s on %s takes a step from t = %g (%s)", r->spec, r->sys.name, r->before.t,
             status == SB_OK ? "it does" : r->f->ctx.message);
    return status == SB_OK;
}

/* The rows of the last step where the stepper takes them: at the start of it, or at the midpoint. Velocities of all
 * rows, v0 and v1, bilateral ones first. */
typedef struct contact_rows {
    int bilateral, rows;
    double q[MOST], xi[MOST], w[MOST], u0[MOST], u1[MOST], size[MOST]; /* size: of the terms of a row's velocity */
    double impulse[MOST], terms[MOST]; /* n: h C lambda, and the sum of its terms' sizes */
} contact_rows;

static inline void contact_columns(const sb_pattern *P, const double *x, const contact_run *r, int first,
                                   contact_rows *out) {
    sb_csc_mult_t(P, x, r->before.v, out->u0 + first);
    sb_csc_mult_t(P, x, r->now.v, out->u1 + first);
    for (int j = 0; j < P->cols; j++) {
        out->size[first + j] = 0.0;
        for (int k = P->p[j]; k < P->p[j + 1]; k++) {
            out->size[first + j] += fabs(x[k]) * (fabs(r->before.v[P->i[k]]) + fabs(r->now.v[P->i[k]]));
            out->terms[P->i[k]] += r->h * fabs(x[k] * r->now.lambda[first + j]);
        }
    }
    sb_csc_mult_add(P, x, r->h, r->now.lambda + first, out->impulse);
}

static inline void contact_evaluate(const contact_run *r, bool midpoint, contact_rows *out) {
    const sb_system *sys = &r->sys;
    double x[ENTRIES];
    int status = SB_OK, first = 0;
    memset(out, 0, sizeof *out);
    out->bilateral = sb_system_bilateral(sys);
    out->rows = sb_system_multipliers(sys);
    for (int i = 0; i < sys->n; i++) {
        out->q[i] = r->before.q[i] + (midpoint ? 0.5 * r->h * r->before.v[i] : 0.0);
    }
    if (sys->holonomic.m > 0) {
        status |= sb_holonomic_value(sys, 0.0, out->q, NULL, x);
        contact_columns(&sys->holonomic.G, x, r, 0, out);
        first += sys->holonomic.m;
    }
    if (sys->nonholonomic.m > 0) {
        status |= sys->nonholonomic.value(sys->nonholonomic.self, r->before.t, out->q, x, NULL);
        contact_columns(&sys->nonholonomic.A, x, r, first, out);
        first += sys->nonholonomic.m;
    }
    if (sys->contact.m > 0) {
        status |= sys->contact.gap(sys->contact.self, out->q, out->xi, x);
        contact_columns(&sys->contact.N, x, r, first, out);
        first += sys->contact.m;
    }
    if (sys->contact.k > 0) {
        status |= sys->contact.slip(sys->contact.self, r->before.t, out->q, x, out->w);
        contact_columns(&sys->contact.D, x, r, first, out);
    }
    gsl_test(status != SB_OK, "%s: rows", sys->name);
}

#endif
