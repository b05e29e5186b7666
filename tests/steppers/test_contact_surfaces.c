/* Dry friction on moving surfaces, and with bounds that are forces, against closed forms. */
#include "tests/steppers/contacts.h"

#include <stepbench/numerics/norm.h>

/* The block's own terms with a slip against w = 0.3 m/s, and against one that gains speed. */

typedef struct belt {
    sb_contact inner;
    double speed, gain; /* w = speed + gain t */
} belt;

static int belt_gap(const void *self, const double *q, double *xi, double *Nx) {
    const sb_contact *c = &((const belt *)self)->inner;
    return c->gap(c->self, q, xi, Nx);
}

static int belt_slip(const void *self, double t, const double *q, double *Dx, double *w) {
    const sb_contact *c = &((const belt *)self)->inner;
    SB_TRY(c->slip(c->self, t, q, Dx, w));
    for (int j = 0; j < c->k && w != NULL; j++) {
        w[j] = ((const belt *)self)->speed + ((const belt *)self)->gain * t;
    }
    return SB_OK;
}

static void belt_build(fixture *f, belt *b, sb_system *sys) {
    fixture_build(f, "block_incline:angle=0,mu=0.2", NULL, sys);
    b->inner = sys->contact;
    sys->contact.self = b;
    sys->contact.gap = belt_gap;
    sys->contact.slip = belt_slip;
}

/* A belt that gains 1 m/s^2, less than mu g, carries the block along: moreau's rows hold the new velocity at the end of
 * a step, the others' where it starts. */
static void faster_belts(fixture *f) {
    for (int s = 0; s < CONTACT_STEPPERS; s++) {
        contact_run r;
        belt b = {.speed = 0.0, .gain = 1.0};
        double worst = 0.0;
        belt_build(f, &b, &r.sys);
        contact_bind(&r, f, contact_steppers[s].spec, 0.01);
        for (int k = 1; k <= 60 && contact_step(&r); k++) {
            worst = sb_larger(worst, fabs(r.now.v[0] - (contact_steppers[s].midpoint ? r.now.t : r.before.t)));
        }
        gsl_test(!(worst <= 1e-9), "%s: a belt that gains speed takes a block along (off by %.2g)",
                 contact_steppers[s].spec, worst);
    }
}

static void belts(fixture *f) {
    for (int s = 0; s < CONTACT_STEPPERS; s++) {
        contact_run r;
        belt b = {.speed = 0.3, .gain = 0.0};
        double worst = 0.0;
        belt_build(f, &b, &r.sys);
        contact_bind(&r, f, contact_steppers[s].spec, 0.01);
        for (int k = 1; k <= 60 && contact_step(&r); k++) {
            worst = sb_larger(worst, fabs(r.now.v[0] - fmin(0.3, k * 0.01 * 0.2 * 9.81)));
        }
        gsl_test(!(worst <= 1e-9), "%s: a belt takes a block along by mu g until it is as fast (off by %.2g)",
                 contact_steppers[s].spec, worst);
    }
}

/* A bound that is a force by itself, the estimate m g/2 of a corner's load: v = g (sin - mu) t. And a direction that
 * vanishes holds nothing: v = g sin t. */
static int no_direction(const void *self, double t, const double *q, double *Dx, double *w) {
    const sb_contact *c = &((const belt *)self)->inner;
    SB_TRY(c->slip(c->self, t, q, Dx, w));
    for (int k = 0; k < sb_pattern_nnz(&c->D) && Dx != NULL; k++) {
        Dx[k] = 0.0;
    }
    return SB_OK;
}

static void other_bounds(fixture *f) {
    for (int s = 0; s < CONTACT_STEPPERS; s++) {
        for (int free = 0; free < 2; free++) {
            contact_run r;
            belt b = {.speed = 0.0};
            fixture_build(f, free ? "block_incline:angle=0.6" : "block_incline:angle=0.6,mu=0.4,bound=weight", NULL,
                          &r.sys);
            b.inner = r.sys.contact;
            if (free) {
                r.sys.contact.self = &b;
                r.sys.contact.gap = belt_gap;
                r.sys.contact.slip = no_direction;
            }
            contact_bind(&r, f, contact_steppers[s].spec, 0.01);
            for (int k = 0; k < 50 && contact_step(&r);) {
                k++;
            }
            const double v = 0.5 * 9.81 * (sin(0.6) - (free ? 0.0 : 0.4));
            gsl_test(!(fabs(r.now.v[0] - v) <= 1e-9), "%s: a block %s has the speed %.12g (%.12g)",
                     contact_steppers[s].spec, free ? "whose friction has no direction" : "held by an estimate",
                     r.now.v[0], v);
        }
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    belts(&f);
    faster_belts(&f);
    other_bounds(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
