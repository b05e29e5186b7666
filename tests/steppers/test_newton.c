/* What the iterations of implicit steppers leave: equations that are linear are solved by one correction, the rounding
 * of positions in small steps is not lost from the momentum, and numbers that underflow end them. */
#include <float.h>

#include "core/run/run.h"
#include "tests/errata/steps.h"

/* The second correction of linear equations is round-off, which ends the iteration. */
static void linear_equations(fixture *f) {
    static const char *const steppers[] = {"euler_implicit", "midpoint", "em", "del", "del:quadrature=left"};
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        stepping x;
        stepping_begin(f, "oscillator:m=2.5,omega=3,v0=1", NULL, steppers[i], 0.3, &x);
        for (int k = 0; k < 10; k++) {
            stepping_step(&x, 0.3);
            gsl_test(x.now.iters > 2, "%s on a linear force: %ld corrections", steppers[i], x.now.iters);
        }
    }
}

/* A position is known to eps |q|, a momentum from two positions to eps |q|/h: 1e-10 at h = 1e-6. The momentum of a step
 * is that of the step before but for what Newton's method has missed, so that the angular momentum, of size one, stays
 * at a few roundings per step, which add up like a random walk. */
static void small_steps(fixture *f) {
    static const char *const steppers[] = {"midpoint", "del"};
    enum { STEPS = 1000 };
    const double h = 1e-6;
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        stepping x;
        double p[2], first = NAN, most = 0.0;
        stepping_begin(f, "kepler:e=0.3", NULL, steppers[i], h, &x);
        for (int k = 0; k <= STEPS; k++) {
            gsl_test(sb_method_momentum(&x.method, &x.now, p), "momentum");
            const double L = x.now.q[0] * p[1] - x.now.q[1] * p[0];
            first = k == 0 ? L : first;
            most = fmax(most, fabs(L - first));
            stepping_step(&x, h);
        }
        gsl_test(!(most <= 4.0 * DBL_EPSILON * sqrt(STEPS)), "%s in steps of 1e-6 s: angular momentum kept to %.2g",
                 steppers[i], most);
    }
}

static int ignore(void *arg, const sb_sample *sample) { return SB_OK; }

/* Beyond its largest step the iteration for the heavy top diverges, until numbers overflow. */
static void divergence(fixture *f) {
    static const char *const steppers[] = {"lie_generalized_alpha:rho=0.9", "lie_generalized_alpha:start=exact"};
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        sb_system sys;
        sb_method method;
        sb_run run = {.h = 0.04, .steps = 100, .every = 100};
        int status = sb_system_build(&f->ctx, &f->arena, "heavy_top", 0, NULL, &sys);
        status = status == SB_OK ? sb_method_build(&f->ctx, &f->arena, steppers[i], &sys, &method) : status;
        status = status == SB_OK ? sb_run_method(&method, &run, ignore, NULL) : status;
        gsl_test(status != SB_NOT_CONVERGED || strstr(f->ctx.message, "Newton's iteration d") == NULL ||
                     strstr(f->ctx.message, "nan") != NULL,
                 "%s diverges: %s", steppers[i], f->ctx.message);
    }
}

/* A damped oscillator, exp(-t/2), is below the smallest number from t = 1490 on: the iterations end where their changes
 * are units of that number. */
static void decay(fixture *f) {
    static const char *const steppers[] = {"euler_implicit", "midpoint",       "gauss", "gauss:stages=3",
                                           "radau_iia",      "lobatto_iiia_b", "avf",   "bdf",
                                           "newmark",        "bathe",          "del",   "lie_rk"};
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        stepping x;
        stepping_begin(f, "oscillator:gamma=1", NULL, steppers[i], 1.0, &x);
        for (int k = 0; k < 3000; k++) {
            stepping_step(&x, 1.0);
        }
        gsl_test(!(fabs(x.now.q[0]) < 1e-300), "%s rests at %g", steppers[i], x.now.q[0]);
    }
}

/* The fixed-point iteration for the stage of the midpoint rule contracts for h omega < 2: below, the step is the
 * rotation by R(z) = (1 + z/2)/(1 - z/2), z = i h omega, and beyond it is refused, also next to the equilibrium, where
 * the changes are small beside the motion from the start of the problem. */
static void next_to_the_equilibrium(fixture *f) {
    static const double h_omega[2] = {1.9, 2.1}, q = 1e-13, v = 0.0;
    for (int k = 0; k < 2; k++) {
        sb_system sys;
        sb_method method;
        sb_state s[2];
        const double h = h_omega[k] / 3.0;
        int status = sb_system_build(&f->ctx, &f->arena, "oscillator:omega=3", 0, NULL, &sys);
        status =
            status == SB_OK ? sb_method_build(&f->ctx, &f->arena, "gauss:stages=1,maxit=1000", &sys, &method) : status;
        status = status == SB_OK ? sb_state_new(&method, &f->arena, &s[0]) | sb_state_new(&method, &f->arena, &s[1])
                                 : status;
        status = status == SB_OK ? sb_method_start(&method, 0.0, &q, &v, h, &s[0]) : status;
        status = status == SB_OK ? sb_method_step(&method, &s[0], h, &s[1]) : status;
        const double half = 0.25 * h_omega[k] * h_omega[k];
        gsl_test(status != (k == 0 ? SB_OK : SB_NOT_CONVERGED) ||
                     (k == 0 && !(fabs(s[1].q[0] - q * (1.0 - half) / (1.0 + half)) <= 64.0 * DBL_EPSILON * q)),
                 "gauss next to an equilibrium, h omega = %g: status %d", h_omega[k], status);
        /* Changes that grow by 1.05^2 from the first one on are seen to diverge after ten, and not after 1000. */
        gsl_test(k == 1 && strstr(f->ctx.message, "did not converge in 11 iterations") == NULL, "gauss diverges: %s",
                 f->ctx.message);
    }
}

/* The stages of gauss continue those of the last step: at the same 40 states of an orbit 6 stages take at most three
 * quarters of the iterations that they take from V = v, the guess of a start, whose four and more contractions of the
 * error by (h omega)^2 it replaces by at least one. */
static void continued_stages(fixture *f) {
    long continued = 0, anew = 0;
    sb_system sys;
    sb_method method;
    sb_state s[3];
    int status = sb_system_build(&f->ctx, &f->arena, "kepler:e=0.6", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(&f->ctx, &f->arena, "gauss:stages=6", &sys, &method) : status;
    for (int k = 0; k < 3 && status == SB_OK; k++) {
        status = sb_state_new(&method, &f->arena, &s[k]);
    }
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, 0.05, &s[0]) : status;
    for (int k = 0; k < 40 && status == SB_OK; k++) {
        status = sb_method_step(&method, &s[0], 0.05, &s[1]);
        continued += s[1].iters;
        status = status == SB_OK ? sb_method_start(&method, s[0].t, s[0].q, s[0].v, 0.05, &s[2]) : status;
        status = status == SB_OK ? sb_method_step(&method, &s[2], 0.05, &s[0]) : status;
        anew += s[0].iters;
        sb_state_copy(&method, &s[1], &s[0]);
    }
    gsl_test(status != SB_OK || 4 * continued > 3 * anew, "gauss takes %ld iterations in place of %ld: status %d",
             continued, anew, status);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    decay(&f);
    linear_equations(&f);
    small_steps(&f);
    divergence(&f);
    next_to_the_equilibrium(&f);
    continued_stages(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
