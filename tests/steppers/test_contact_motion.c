/* Steppers with contacts and dry friction against closed forms: rest, sticking, creep, sliding, stopping,
 * bounces, collisions. */
#include <float.h>
#include <stdio.h>

#include <stepbench/numerics/norm.h>

#include "tests/steppers/contacts.h"

/* What a complementarity solver leaves of a row's terms (its tol), the share by which a change of an impulse is off
 * (SB_BOX_FLOOR), and some roundings. */
static const double solved = 4e-12;

/* ---- Rest. ---- */

/* Speeds stay at what is left of g h, step for step, and do not add up. */
static void rest(fixture *f, const char *problem, const char *stepper) {
    enum { STEPS = 1000 };
    contact_run r;
    double q0[MOST], speed = 0.0, moved = 0.0;
    contact_open(&r, f, problem, stepper, 0.01);
    memcpy(q0, r.now.q, (size_t)r.sys.n * sizeof *q0);
    for (int k = 0; k < STEPS && contact_step(&r); k++) {
        speed = sb_larger(speed, sb_norm_max(r.sys.n, r.now.v));
        for (int i = 0; i < r.sys.n; i++) {
            moved = sb_larger(moved, fabs(r.now.q[i] - q0[i]));
        }
    }
    const double fall = 9.81 * r.h;
    gsl_test(!(speed <= solved * fall) || !(moved <= STEPS * r.h * solved * fall),
             "%s on %s rests: speeds to %.2g, %.2g moved in %d steps", stepper, problem, speed, moved, STEPS);
}

/* A tall stack of which nothing is remembered: it stands as before, in rounds that are fewer than its boxes by far. */
static void cold(fixture *f, const char *stepper) {
    enum { BOXES = 400 };
    char problem[32];
    contact_run r;
    snprintf(problem, sizeof problem, "stack:n=%d", BOXES);
    contact_open(&r, f, problem, stepper, 0.01);
    for (int k = 0; k < 3 && contact_step(&r);) {
        k++;
    }
    memset(r.now.lambda, 0, (size_t)sb_system_multipliers(&r.sys) * sizeof(double));
    gsl_test(!contact_step(&r), "%s: a stack of %d from no forces", stepper, BOXES);
    /* a contact's speed is right to solved of its terms, BOXES weights at the lowest; the highest box has the errors of
     * all below it */
    const double speed = sb_norm_max(r.sys.n, r.now.v), allowed = solved * BOXES * BOXES * 9.81 * r.h;
    gsl_test(!(speed <= allowed), "%s: a stack of %d from no forces stands, speeds to %.2g (%.2g)", stepper, BOXES,
             speed, allowed);
    gsl_test(!(r.now.iters < BOXES / 4), "%s: which takes %ld rounds", stepper, r.now.iters);
}

/* ---- Regularization: what sticks creeps by gamma beta, what rests sinks by c nu. ---- */

static void creep(fixture *f) {
    contact_run r;
    const double gamma = 1e-3, c = 1e-6, pull = 9.81 * sin(0.3);
    contact_open(&r, f, "block_incline:angle=0.3", "reg:gamma=1e-3", 0.01);
    for (int k = 0; k < 50 && contact_step(&r);) {
        k++;
    }
    /* both corners slip by the same v = gamma beta_j, and carry m g sin(angle) together */
    gsl_test(!(fabs(r.now.v[0] - 0.5 * gamma * pull) <= 1e-9 * gamma * pull),
             "reg: a block held by gamma=%g creeps at gamma m g sin(angle)/2 (%g, %g)", gamma, r.now.v[0],
             0.5 * gamma * pull);
    contact_open(&r, f, "block_incline:angle=0.3", "reg:c=1e-6,b=1e4", 0.01);
    for (int k = 0; k < 400 && contact_step(&r);) {
        k++;
    }
    double xi[MOST];
    gsl_test(r.sys.contact.gap(r.sys.contact.self, r.now.q, xi, NULL) != SB_OK, "gaps of the block");
    for (int i = 0; i < 2; i++) {
        gsl_test(!(fabs(xi[i] + c * r.now.lambda[i]) <= 1e-9 * c * 9.81), "reg: corner %d rests at xi = -c nu (%g, %g)",
                 i, xi[i], -c * r.now.lambda[i]);
    }
}

/* At rest nu = -xi/eps whatever share of a penetration a step takes back, also where the whole share is cut at 1/h (tau
 * = 0: four times that). */
static void sinking(fixture *f) {
    static const char *const steppers[] = {"spook:eps=1e-6", "spook:eps=1e-6,tau=0", "spook:eps=1e-6,tau=0.4",
                                           "reg:c=1e-6", "reg:c=1e-6,b=3e3"};
    for (size_t s = 0; s < sizeof steppers / sizeof *steppers; s++) {
        contact_run r;
        contact_open(&r, f, "bouncing_ball:y0=0,e=0", steppers[s], 0.01);
        for (int k = 0; k < 300 && contact_step(&r);) {
            k++;
        }
        gsl_test(!(fabs(r.now.q[0] + 1e-6 * 9.81) <= 1e-9 * 1e-6), "%s: a ball of 1 kg sinks by eps m g (%.12g)",
                 steppers[s], r.now.q[0]);
    }
}

/* What a problem says of its own rows goes before what the stepper says of all: the ball sinks by eps m g and comes up
 * by the share that belongs to tau, the block creeps at gamma m g sin/2, with steppers that know of none of it. */
static void own_regularization(fixture *f) {
    static const double eps = 1e-6, tau = 1.0, gamma[2] = {1e-3, 1e-3};
    static const struct {
        const char *spec;
        double share; /* reg: 1/(1 + tau), SPOOK: 4/(1 + 4 tau) */
    } cases[] = {{"reg", 0.5}, {"spook:eps=0", 0.8}};
    for (size_t s = 0; s < sizeof cases / sizeof *cases; s++) {
        contact_run r;
        fixture_build(f, "bouncing_ball:y0=0,e=0", NULL, &r.sys);
        r.sys.contact.eps = &eps;
        contact_bind(&r, f, cases[s].spec, 0.01);
        for (int k = 0; k < 300 && contact_step(&r);) {
            k++;
        }
        gsl_test(!(fabs(r.now.q[0] + eps * 9.81) <= 1e-9 * eps),
                 "%s: a ball on ground of compliance %g sinks by eps m g (%.12g)", cases[s].spec, eps, r.now.q[0]);
        fixture_build(f, "bouncing_ball:y0=0,e=0", NULL, &r.sys);
        r.sys.contact.tau = &tau;
        contact_bind(&r, f, cases[s].spec, 0.001);
        r.now.q[0] = -0.01;
        contact_step(&r);
        gsl_test(!(fabs(r.now.q[0] + 0.01 * (1.0 - cases[s].share)) <= 1e-12),
                 "%s: with the ground's own tau %g of 0.01 m are left after a step", cases[s].spec, -r.now.q[0]);
        fixture_build(f, "block_incline:angle=0.3", NULL, &r.sys);
        r.sys.contact.gamma = gamma;
        contact_bind(&r, f, cases[s].spec, 0.01);
        for (int k = 0; k < 50 && contact_step(&r);) {
            k++;
        }
        const double speed = gamma[0] * 9.81 * sin(0.3) / 2.0;
        gsl_test(!(fabs(r.now.v[0] - speed) <= 1e-9 * gamma[0] * 9.81),
                 "%s: a block on a slope with a gamma of its own creeps (%g, %g)", cases[s].spec, r.now.v[0], speed);
    }
}

/* A ball found at rest below the ground comes up by the method's share of its depth in a step, never by more than all
 * of it. */
static void coming_up(fixture *f) {
    static const struct {
        const char *spec;
        double share;
    } cases[] = {
        {"reg", 1.0},   {"spook:eps=0", 4.0 / 9.0}, {"spook:eps=0,tau=0", 1.0}, {"vts:beta=0.25", 0.25}, {"vts", 0.0},
        {"moreau", 0.0}};
    for (size_t s = 0; s < sizeof cases / sizeof *cases; s++) {
        contact_run r;
        contact_open(&r, f, "bouncing_ball:y0=0,e=0", cases[s].spec, 0.001);
        r.now.q[0] = -0.01;
        contact_step(&r);
        gsl_test(!(fabs(r.now.q[0] + 0.01 * (1.0 - cases[s].share)) <= 1e-12),
                 "%s: of 0.01 m below the ground %g are left after a step", cases[s].spec, -r.now.q[0]);
    }
}

/* ---- The block on its slope. ---- */

/* v = v0 + n h a while it slides, with a = g (sin - mu cos) downwards (mu's sign turns with v0 < 0, which no problem
 * has); 0 once it stopped where it can stick. */
static void slope(fixture *f, const char *stepper, double angle, double mu, double v0) {
    enum { STEPS = 150 };
    char problem[160];
    contact_run r;
    const double g = 9.81, a = g * (sin(angle) - mu * cos(angle)), h = 0.005;
    double worst = 0.0;
    snprintf(problem, sizeof problem, "block_incline:angle=%.17g,mu=%.17g,v0=%.17g", angle, mu, v0);
    contact_open(&r, f, problem, stepper, h);
    for (int k = 1; k <= STEPS && contact_step(&r); k++) {
        const double v = fmax(0.0, v0 + k * h * a);
        worst = sb_larger(worst, fabs(r.now.v[0] - v));
    }
    /* each step's friction is off by friction_tol of itself at most */
    const double allowed = STEPS * h * g * (1e-10 * mu + solved);
    gsl_test(!(worst <= allowed), "%s on %s: v along the slope is off by %.2g (%.2g allowed)", stepper, problem, worst,
             allowed);
}

/* Positions of a constant acceleration: exact at the midpoint, ahead by h a t/2 where the new velocity moves all of a
 * step. */
static void sliding_order(fixture *f) {
    const double a = 9.81 * (sin(0.5) - 0.4 * cos(0.5));
    for (int s = 0; s < CONTACT_STEPPERS; s++) {
        for (int steps = 10; steps <= 160; steps *= 4) {
            contact_run r;
            contact_open(&r, f, "block_incline", contact_steppers[s].spec, 1.0 / steps);
            for (int k = 0; k < steps && contact_step(&r);) {
                k++;
            }
            const double ahead = contact_steppers[s].midpoint ? 0.0 : 0.5 * a / steps;
            gsl_test(!(fabs(r.now.q[0] - 0.5 * a - ahead) <= 1e-9),
                     "%s: after %d steps the block is %.3g ahead of a t^2/2 (%.3g)", contact_steppers[s].spec, steps,
                     r.now.q[0] - 0.5 * a, ahead);
        }
    }
}

/* moreau's share of the step that moves with the new velocity: q1 - q = h ((1 - theta) v + theta v1), which is ahead of
 * a t^2/2 by (theta - 1/2) h a t. */
static void shares(fixture *f) {
    const double a = 9.81 * (sin(0.5) - 0.4 * cos(0.5)), h = 0.02, t = 1.0;
    static const double theta[] = {0.5, 0.75, 1.0};
    for (size_t i = 0; i < sizeof theta / sizeof *theta; i++) {
        char stepper[32];
        contact_run r;
        snprintf(stepper, sizeof stepper, "moreau:theta=%g", theta[i]);
        contact_open(&r, f, "block_incline", stepper, h);
        for (int k = 0; k < lround(t / h) && contact_step(&r);) {
            k++;
        }
        gsl_test(!(fabs(r.now.q[0] - 0.5 * a * t * t - (theta[i] - 0.5) * h * a * t) <= 1e-9),
                 "%s: the block is ahead by (theta - 1/2) h a t (%.3g)", stepper, r.now.q[0] - 0.5 * a * t * t);
    }
}

/* A ball far above the ground pushed by the force t: moreau takes it within the step, at t + (1 - theta) h, and so adds
 * up t^2/2 + (1/2 - theta) h t exactly. */
static int push(const void *self, double t, const double *q, const double *v, double *out) {
    *out = t;
    return SB_OK;
}

static void pushed(fixture *f) {
    static const double theta[] = {0.5, 1.0};
    for (size_t i = 0; i < sizeof theta / sizeof *theta; i++) {
        char stepper[32];
        contact_run r;
        const double h = 0.01;
        snprintf(stepper, sizeof stepper, "moreau:theta=%g", theta[i]);
        fixture_build(f, "bouncing_ball:y0=100", NULL, &r.sys);
        r.sys.force.value = push;
        contact_bind(&r, f, stepper, h);
        for (int k = 0; k < 100 && contact_step(&r);) {
            k++;
        }
        gsl_test(!(fabs(r.now.v[0] + 9.81 - 0.5 - (0.5 - theta[i]) * h) <= 1e-12),
                 "%s: the sum of a force t over 1 s (%.15g)", stepper, r.now.v[0] + 9.81);
    }
}

/* ---- The ball. ---- */

/* A step is v1 = v - g h, q1 = q + h v1 in flight and v1 = -v, q1 = q + h v1 at an impact: both keep v^2/2 + g q - g h
 * v/2 as it is. At the midpoint q1 = q + h (v + v1)/2, and both keep v^2/2 + g q. Roundings of each step. */
static void elastic(fixture *f, const contact_stepper *stepper) {
    enum { STEPS = 2000, HEIGHTS = 60 };
    const double h = 0.03, g = 9.81, shift = stepper->midpoint ? 0.0 : 0.5 * g * h;
    double worst = 0.0;
    int impacts = 0;
    for (int k = 0; k < HEIGHTS; k++) { /* a motion without loss meets the ground at the same point of a step over and
                                           over: a few where gravity alone closes the gap */
        char problem[64];
        contact_run r;
        snprintf(problem, sizeof problem, "bouncing_ball:e=1,y0=%.17g", 1.0 + 0.0171 * k);
        contact_open(&r, f, problem, stepper->spec, h);
        const double first = 0.5 * r.now.v[0] * r.now.v[0] + g * r.now.q[0] - shift * r.now.v[0];
        for (int i = 0; i < STEPS && contact_step(&r); i++) {
            impacts += r.now.lambda[0] > 0.0;
            worst = sb_larger(worst, fabs(0.5 * r.now.v[0] * r.now.v[0] + g * r.now.q[0] - shift * r.now.v[0] - first) /
                                         first);
        }
    }
    gsl_test(!(worst <= 16.0 * STEPS * DBL_EPSILON) || impacts < 50 * HEIGHTS,
             "%s: %d elastic bounces leave %.2g of the energy open", stepper->spec, impacts, worst);
}

/* Newton's law at every impact; positions with the first order that an impact somewhere within a step leaves: at most
 * the flight of a step, V h, for each of them, and what a step's own order adds, g h t. */
static void bounces(fixture *f, const contact_stepper *stepper) {
    for (int steps = 100; steps <= 6400; steps *= 4) {
        contact_run r;
        double worst = 0.0, off = 0.0;
        int impacts = 0;
        contact_open(&r, f, "bouncing_ball:e=0.6", stepper->spec, 1.5 / steps);
        for (int k = 0; k < steps && contact_step(&r); k++) {
            double q;
            gsl_test(r.sys.exact(r.sys.self, r.now.t, &q, NULL, NULL) != SB_OK, "the exact ball");
            off = sb_larger(off, fabs(r.now.q[0] - q));
            if (r.now.lambda[0] > 0.0 && r.before.v[0] < -1.0) {
                impacts++;
                worst = sb_larger(worst, fabs(r.now.v[0] + 0.6 * r.before.v[0]));
            }
        }
        gsl_test(!(worst <= 1e-11) || impacts != 3,
                 "%s: the ball leaves %d impacts with 0.6 of its speed (off by %.2g)", stepper->spec, impacts, worst);
        gsl_test(!(off <= 3.0 * 4.43 * r.h + 9.81 * 1.5 * r.h), "%s: with h = %g the ball is off by %.3g at most",
                 stepper->spec, r.h, off);
    }
}

/* ---- Collisions of free bodies. ---- */

static void collision(fixture *f, const char *stepper, const char *problem, double e) {
    contact_run r;
    double off = 0.0, law = 0.0;
    int impacts = 0;
    contact_open(&r, f, problem, stepper, 0.01);
    for (int k = 0; k < 100 && contact_step(&r); k++) {
        double momentum = 0.0;
        for (int i = 0; i < r.sys.n; i++) {
            momentum += r.now.v[i];
        }
        off = sb_larger(off, fabs(momentum - 1.0));
        for (int i = 0; i + 1 < r.sys.n; i++) {
            const double closing = r.before.v[i] - r.before.v[i + 1];
            if (r.now.lambda[i] > 0.0 && closing > 0.0) {
                impacts++;
                law = sb_larger(law, fabs(r.now.v[i + 1] - r.now.v[i] - e * closing));
            }
        }
    }
    gsl_test(!(off <= 100.0 * r.sys.n * DBL_EPSILON), "%s on %s: the momentum is off by %.2g", stepper, problem, off);
    gsl_test(!(law <= solved) || impacts == 0, "%s on %s: %d impacts follow Newton's law to %.2g", stepper, problem,
             impacts, law);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    for (int s = 0; s < CONTACT_STEPPERS; s++) {
        const char *stepper = contact_steppers[s].spec;
        rest(&f, "block_incline:angle=0.3", stepper);
        rest(&f, "block_incline:angle=0", stepper);
        rest(&f, "stack:n=5,tilt=0.15", stepper);
        cold(&f, stepper);
        rest(&f, "bouncing_ball:y0=0,e=0.5", stepper);
        slope(&f, stepper, 0.5, 0.4, 0.0);
        slope(&f, stepper, atan(0.4) * (1.0 + 1e-6), 0.4, 0.0);
        slope(&f, stepper, atan(0.4) * (1.0 - 1e-6), 0.4, 0.0);
        slope(&f, stepper, 0.2, 0.4, 0.7);
        slope(&f, stepper, 0.3, 0.0, 0.2);
        elastic(&f, &contact_steppers[s]);
        bounces(&f, &contact_steppers[s]);
        collision(&f, stepper, "newtons_cradle:n=2,e=0.3", 0.3);
        collision(&f, stepper, "newtons_cradle:n=2", 1.0);
        collision(&f, stepper, "newtons_cradle:n=4,spacing=0.07", 1.0);
    }
    bounces(&f, &(contact_stepper){"spook", 4.0 / 9.0, false}); /* an impact is rigid whatever eps is */
    creep(&f);
    sinking(&f);
    own_regularization(&f);
    coming_up(&f);
    sliding_order(&f);
    shares(&f);
    pushed(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
