/* restart(STEPPER): a force that has a kink, jumps in space, or jumps with the velocity leaves the order of the stepper
 * where steps end at the event, and lowers it where they do not. Closed forms of oscillators on either side. */
#include <math.h>
#include <stdio.h>

#include <stepbench/numerics/norm.h>

#include "core/run/run.h"
#include "tests/problems/systems.h"

/* q'' = -w^2 (q - c) with w and c by the side of q = 0, and -friction sign v. */
typedef struct law {
    double w[2], c[2], friction; /* [0]: q > 0 */
    double q0;
    double (*exact)(const struct law *p, double t);
} law;

/* A kink: the amplitudes are as 1/w, the sides take pi/w. w = 1 for q > 0. */
static double kink(const law *p, double t) {
    const double left = M_PI / p->w[1], tau = fmod(t, M_PI + left);
    return tau < M_PI_2          ? p->q0 * cos(tau)
           : tau < M_PI_2 + left ? -p->q0 / p->w[1] * sin(p->w[1] * (tau - M_PI_2))
                                 : p->q0 * sin(tau - M_PI_2 - left);
}

/* A jump of 2 at q = 0, c = -1 for q > 0 and 1 for q < 0, w = 1. */
static double jump(const law *p, double t) {
    const double quarter = acos(1.0 / (p->q0 + 1.0)), tau = fmod(t, 4.0 * quarter);
    const double r = p->q0 + 1.0;
    return tau < quarter         ? r * cos(tau) - 1.0
           : tau < 3.0 * quarter ? 1.0 - r * cos(tau - 2.0 * quarter)
                                 : r * cos(tau - 4.0 * quarter) - 1.0;
}

/* Sliding friction: every half swing takes pi and ends at 2 friction less. */
static double slide(const law *p, double t) {
    const double n = floor(t / M_PI), a = p->q0 - 2.0 * p->friction * n,
                 x = (a - p->friction) * cos(t - n * M_PI) + p->friction;
    return fmod(n, 2.0) == 0.0 ? x : -x;
}

static int mass(const void *self, const double *q, double *Mx) {
    Mx[0] = 1.0;
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    const law *p = self;
    const int side = q[0] < 0.0;
    const double w = p->w[side], c = p->c[side];
    *V = 0.5 * w * w * ((q[0] - c) * (q[0] - c) - c * c);
    return SB_OK;
}

static int gradient(const void *self, double t, const double *q, double *Vq) {
    const law *p = self;
    const int side = q[0] < 0.0;
    Vq[0] = p->w[side] * p->w[side] * (q[0] - p->c[side]);
    return SB_OK;
}

static int hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const law *p = self;
    Hx[0] += c * p->w[q[0] < 0.0] * p->w[q[0] < 0.0];
    return SB_OK;
}

static int friction(const void *self, double t, const double *q, const double *v, double *f) {
    const law *p = self;
    f[0] = v[0] > 0.0 ? -p->friction : p->friction;
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    *t = v[0] = 0.0;
    q[0] = ((const law *)self)->q0;
    return SB_OK;
}

static int build(fixture *f, const law *p, sb_system *sys) {
    *sys = (sb_system){.self = p, .n = 1, .time_scale = 1.0, .initial = initial};
    SB_TRY(sb_pattern_full(&f->arena, 1, 1, &sys->H));
    sys->inertia = (sb_inertia){.M = sys->H, .mass = mass};
    sys->potential =
        (sb_potential){.self = p, .degree = -1, .value = potential, .gradient = gradient, .hessian = hessian};
    if (p->friction > 0.0) {
        sys->force = (sb_force){.self = p, .value = friction};
    }
    return sb_system_finish(&f->ctx, &f->arena, "oscillator of two laws", sys);
}

typedef struct worst {
    const law *p;
    double error;
} worst;

static int observe(void *arg, const sb_sample *s) {
    worst *w = arg;
    const double error = fabs(s->q[0] - w->p->exact(w->p, s->t));
    w->error = !(error <= w->error) ? error : w->error;
    return SB_OK;
}

/* Returns the largest error up to T = 10, with some four events. */
static double error_of(fixture *f, const law *p, const char *stepper, long steps) {
    sb_system sys;
    sb_method me;
    worst w = {p, 0.0};
    sb_run run = {.h = 10.0 / (double)steps, .steps = steps, .every = 1};
    int status = build(f, p, &sys);
    status = status == SB_OK ? sb_method_build(&f->ctx, &f->arena, stepper, &sys, &me) : status;
    status = status == SB_OK ? sb_run_method(&me, &run, observe, &w) : status;
    gsl_test(status != SB_OK, "%s (%s)", stepper, status != SB_OK ? f->ctx.message : "done");
    return w.error;
}

/* Returns the slope between about T/60 and T/480 of the largest error of five steps, in which events fall on other
 * places. */
static double slope(fixture *f, const law *p, const char *stepper) {
    double coarse = 0.0, fine = 0.0;
    for (long k = 60; k < 65; k++) {
        coarse = sb_larger(coarse, error_of(f, p, stepper, k));
        fine = sb_larger(fine, error_of(f, p, stepper, 8 * k));
    }
    return log2(coarse / fine) / 3.0;
}

static const law laws[] = {{{1.0, 3.0}, {0.0, 0.0}, 0.0, 1.3, kink},
                           {{1.0, 1.0}, {-1.0, 1.0}, 0.0, 1.3, jump},
                           {{1.0, 1.0}, {0.0, 0.0}, 0.3, 5.0, slide}};

/* Claimed order, and the one without restart, at most: a kink lets errors of h^2 in, a jump those of h. 0: across a
 * jump an implicit step may have no solution, and restart has to get there nevertheless. The leading term gives slopes
 * over a factor of eight to a quarter. rk4 has a stage that only approximates the end of the step: before a jump it may
 * meet the other force. */
static const struct {
    const char *stepper, *event;
    int law;
    double order, without;
} cases[] = {{"rk4", "q0=0", 0, 4.0, 2.7},      {"gauss", "q0=0", 0, 4.0, 2.7}, {"verlet", "q0=0", 1, 2.0, 1.5},
             {"midpoint", "q0=0", 1, 2.0, 0.0}, {"gauss", "q0=0", 1, 4.0, 0.0}, {"midpoint", "v0=0", 2, 2.0, 0.0},
             {"gauss", "v0=0", 2, 4.0, 0.0}};

int main(void) {
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char stepper[80];
        const law *p = &laws[cases[i].law];
        const double without = cases[i].without > 0.0 ? slope(&f, p, cases[i].stepper) : -1.0;
        snprintf(stepper, sizeof stepper, "restart(%s):event=%s", cases[i].stepper, cases[i].event);
        const double with = slope(&f, p, stepper);
        gsl_test(!(without < cases[i].without), "%s, law %d: order %.2f", cases[i].stepper, cases[i].law, without);
        gsl_test(!(fabs(with - cases[i].order) < 0.25), "%s, law %d: order %.2f", stepper, cases[i].law, with);
    }
    fixture_close(&f);
    return gsl_test_summary();
}
