/* Newton's method for the nonlinear SPOOK equations converges quadratically, and to a solution of spook07 (26). */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/problems/systems.h"

enum { MOST = 7, BIG = 200 };

/* q1 of one step from a moving state, after K corrections. */
static int step_with(fixture *f, const sb_system *sys, const char *options, int K, const double *q, const double *v, double h, sb_state *out) {
    sb_method me = {0};
    sb_state in;
    char spec[80];
    snprintf(spec, sizeof spec, "spook:start=full,newton=%d,%s", K, options);
    int status = sb_method_build(&f->ctx, &f->arena, spec, sys, &me);
    status = status == SB_OK ? sb_state_new(&me, &f->arena, &in) : status;
    status = status == SB_OK ? sb_state_new(&me, &f->arena, out) : status;
    in.t = 0.0;
    in.h = h;
    if (status == SB_OK) {
        memcpy(in.q, q, (size_t)sys->n * sizeof(double));
        memcpy(in.v, v, (size_t)sys->n * sizeof(double));
        status = sb_method_step(&me, &in, h, out);
    }
    sb_method_fini(&me);
    return status;
}

/* The error after a correction is C times the square of that before. C is found where the error is largest; ten of it hold as far down as round-off. */
static void quadratic(fixture *f, const char *problem, const char *options, double h) {
    sb_system sys;
    sb_state best, other;
    double q[BIG], v[BIG], t, e[MOST];
    fixture_build(f, problem, NULL, &sys);
    int status = sys.initial(sys.self, &t, q, v) | step_with(f, &sys, options, 20, q, v, h, &best);
    for (int K = 0; K < MOST && status == SB_OK; K++) {
        status = step_with(f, &sys, options, K, q, v, h, &other);
        e[K] = 0.0;
        for (int i = 0; i < sys.n; i++) {
            e[K] = sb_larger(e[K], fabs(other.q[i] - best.q[i]));
        }
    }
    gsl_test(status != SB_OK, "%s, %s takes the steps: %s", problem, options, f->ctx.message);
    if (status != SB_OK) {
        return;
    }
    const double round_off = 100.0 * DBL_EPSILON * sb_norm_max(sys.n, best.q), C = e[1] / (e[0] * e[0]);
    gsl_test(!(e[1] > 1e3 * round_off), "%s, %s: there is something to correct (%g, then %g)", problem, options, e[0], e[1]);
    for (int K = 2; K < MOST; K++) {
        const double bound = 10.0 * C * e[K - 1] * e[K - 1] + round_off;
        gsl_test(!(e[K] <= bound), "%s, %s: error %.2g after %d corrections, of %.2g before (at most %.2g)", problem, options, e[K], K, e[K - 1], bound);
    }
}

/* (26) as it is printed, in forces: with t = q1 + 2 q0 + q_-1 summed by row, eps lambda + (g(q1) + 2 g(q0) + g(q_-1))/4 + (tau/h)(g's rate along v1 by h) = 0. */
static void solves(fixture *f, const char *problem, double h) {
    const double eps = 1e-4, theta = 1.5;
    sb_system sys;
    sb_state out;
    double q[BIG], v[BIG], before[BIG], g0[BIG], g1[BIG], gb[BIG], Gx[8 * BIG], t, worst = 0.0, size = 0.0;
    fixture_build(f, problem, NULL, &sys);
    int status = sys.initial(sys.self, &t, q, v) | step_with(f, &sys, "eps=1e-4,tau=1.5", 20, q, v, h, &out);
    gsl_test(status != SB_OK, "%s takes a step: %s", problem, f->ctx.message);
    if (status != SB_OK) {
        return;
    }
    const sb_holonomic *holonomic = &sys.holonomic;
    for (int i = 0; i < sys.n; i++) {
        before[i] = q[i] - h * v[i];
    }
    status = holonomic->value(holonomic->self, q, g0, NULL) | holonomic->value(holonomic->self, before, gb, NULL) | holonomic->value(holonomic->self, out.q, g1, Gx);
    gsl_test(status != SB_OK, "%s has values", problem);
    for (int j = 0; j < holonomic->m; j++) {
        double rate = 0.0;
        for (int k = holonomic->G.p[j]; k < holonomic->G.p[j + 1]; k++) {
            rate += Gx[k] * out.v[holonomic->G.i[k]];
        }
        worst = sb_larger(worst, fabs(eps * out.lambda[j] + 0.25 * (g1[j] + 2.0 * g0[j] + gb[j]) + theta * h * rate));
        size = sb_larger(size, fabs(eps * out.lambda[j]));
    }
    gsl_test(!(worst <= 1e-10 * size), "%s: spook07 (26) is off by %.2g of %.2g", problem, worst, size);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    quadratic(&f, "pendulum:theta0=1,omega0=6", "eps=1e-6", 0.05);
    quadratic(&f, "pendulum:constraint=norm,theta0=1,omega0=6", "eps=0,tau=1", 0.08);
    quadratic(&f, "dsp", "eps=1e-4,tau=3", 0.1);
    quadratic(&f, "slider_crank", "eps=1e-5", 0.02);
    quadratic(&f, "thread:n=6,angle=0.7,kick=0.3", "eps=1e-5,tau=4", 0.02);
    quadratic(&f, "heavy_top", "eps=1e-5", 0.02);
    solves(&f, "dsp", 0.1);
    solves(&f, "heavy_top", 0.01);
    solves(&f, "pendulum:constraint=norm,theta0=1,omega0=6", 0.05);
    fixture_close(&f);
    return gsl_test_summary();
}
