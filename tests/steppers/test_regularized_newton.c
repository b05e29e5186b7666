/* Newton's method for the nonlinear SPOOK equations converges quadratically, and to a solution of spook07 (26), or (24)
 * with nonholonomic rows. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/problems/systems.h"

enum { MOST = 7, BIG = 200, ENTRIES = 8 * BIG };

/* One step from a moving state. */
static int one_step(fixture *f, const sb_system *sys, const char *spec, const double *q, const double *v, double h,
                    sb_state *out) {
    sb_method me = {0};
    sb_state in;
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
    return status;
}

/* The same with K corrections. */
static int step_with(fixture *f, const sb_system *sys, const char *options, int K, const double *q, const double *v,
                     double h, sb_state *out) {
    char spec[80];
    snprintf(spec, sizeof spec, "spook:start=full,newton=%d,%s", K, options);
    return one_step(f, sys, spec, q, v, h, out);
}

/* The error after a correction is C times the square of that before. C is found where the error is largest; ten of it
 * hold as far down as round-off. */
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
    gsl_test(!(e[1] > 1e3 * round_off), "%s, %s: there is something to correct (%g, then %g)", problem, options, e[0],
             e[1]);
    for (int K = 2; K < MOST; K++) {
        const double bound = 10.0 * C * e[K - 1] * e[K - 1] + round_off;
        gsl_test(!(e[K] <= bound), "%s, %s: error %.2g after %d corrections, of %.2g before (at most %.2g)", problem,
                 options, e[K], K, e[K - 1], bound);
    }
}

/* (26) as it is printed, in forces: with t = q1 + 2 q0 + q_-1 summed by row, eps lambda + (g(q1) + 2 g(q0) + g(q_-1))/4
 * + (tau/h)(g's rate along v1 by h) = 0. */
static void solves(fixture *f, const char *problem, double h) {
    const double eps = 1e-4, theta = 1.5;
    sb_system sys;
    sb_state out;
    double q[BIG], v[BIG], before[BIG], g0[BIG], g1[BIG], gb[BIG], Gx[ENTRIES], t, worst = 0.0, size = 0.0;
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
    status = holonomic->value(holonomic->self, 0.0, q, g0, NULL) |
             holonomic->value(holonomic->self, 0.0, before, gb, NULL) |
             holonomic->value(holonomic->self, 0.0, out.q, g1, Gx);
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

/* ---- Nonholonomic rows at the end of the step. ---- */

/* Each correction is C times the square of the one before: log d_k/d_(k-1) doubles. Looked at where d_k is the last
 * above round-off; a C that is half as large again there as a correction before is worth log 1.5/log 1e3 = 0.06.
 * Stopped after K corrections, a step leaves what it has in `out`. */
static void ahead_is_quadratic(fixture *f, const char *problem, const char *stepper, double h) {
    sb_system sys;
    sb_state now, last = {0};
    double q[BIG], v[BIG], d[MOST], t, power = NAN;
    fixture_build(f, problem, NULL, &sys);
    gsl_test(sys.initial(sys.self, &t, q, v) != SB_OK, "%s starts", problem);
    for (int K = 1; K <= MOST; K++) {
        char spec[120];
        snprintf(spec, sizeof spec, "%s,start=full,tol=1e-300,maxit=%d", stepper, K);
        const int status = one_step(f, &sys, spec, q, v, h, &now);
        gsl_test(status != SB_NOT_CONVERGED && status != SB_OK, "%s by %s: %s", problem, stepper, f->ctx.message);
        if (status < 0) {
            return;
        }
        for (int i = 0; i < sys.n && K > 1; i++) {
            d[K - 2] = sb_larger(i == 0 ? 0.0 : d[K - 2], fabs(now.q[i] - last.q[i]));
        }
        last = now;
    }
    const double round_off = 100.0 * DBL_EPSILON * sb_norm_max(sys.n, now.q);
    for (int k = 2; k < MOST - 1 && d[k] > round_off; k++) {
        power = log(d[k] / d[k - 1]) / log(d[k - 1] / d[k - 2]);
    }
    gsl_test(!(fabs(power - 2.0) <= 0.06),
             "%s by %s, h = %g: corrections %.2g, %.2g, %.2g, %.2g go down with the power %.3f", problem, stepper, h,
             d[0], d[1], d[2], d[3], power);
}

/* With C of order one a first correction of 1e-2 at most is followed by ones of 1e-4, 1e-8 and 1e-16: four to a step at
 * tol = 1e-10. */
static void four_do(fixture *f, const char *problem, const char *stepper, double h, double end) {
    sb_system sys;
    sb_method me;
    sb_state s[2];
    long most = 0;
    fixture_build(f, problem, NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &sys, &me);
    gsl_test(status != SB_OK, "%s takes %s", stepper, problem);
    status |= sb_state_new(&me, &f->arena, &s[0]) | sb_state_new(&me, &f->arena, &s[1]) |
              sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]);
    for (int k = 0; k < (int)lround(end / h) && status == SB_OK; k++) {
        status = sb_method_step(&me, &s[k % 2], h, &s[1 - k % 2]);
        most = s[1 - k % 2].iters > most ? s[1 - k % 2].iters : most;
    }
    gsl_test(status != SB_OK, "%s runs %s: %s", stepper, problem, f->ctx.message);
    gsl_test(!(most > 1 && most <= 4), "%s by %s, h = %g: at most four corrections a step, %ld were made", problem,
             stepper, h, most);
}

/* The rows of a problem, and the same with a driver that varies: w + sin(3 t)/2. */
static sb_nonholonomic undriven;

static int driven_value(const void *self, double t, const double *q, double *Ax, double *w) {
    SB_TRY(undriven.value(self, t, q, Ax, w));
    for (int i = 0; w != NULL && i < undriven.m; i++) {
        w[i] += 0.5 * sin(3.0 * t);
    }
    return SB_OK;
}

/* (24) with gamma, in forces: M(q0) v1 - M(q0 - h v0) v0 = h (F(q0, v1) + A(q0)' lambda) and A(q1) v1 - w(t1) + gamma
 * lambda = 0, to the round-off of some tens of terms. No problem here has forces beside its potential. */
static void solves_24(fixture *f, const char *problem, const char *stepper, double gamma, double h) {
    sb_system sys;
    sb_dynamics dyn;
    sb_state out;
    double q[BIG], v[BIG], before[BIG], p0[BIG], p1[BIG], F[BIG], tmp[BIG], w[BIG], row[BIG], Ax[ENTRIES], t;
    char spec[120];
    fixture_build(f, problem, NULL, &sys);
    const sb_nonholonomic *rows = &sys.nonholonomic;
    undriven = *rows;
    sys.nonholonomic.value = driven_value;
    snprintf(spec, sizeof spec, "%s:start=full,gamma=%g", stepper, gamma);
    int status = sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn);
    status |= sys.initial(sys.self, &t, q, v) | one_step(f, &sys, spec, q, v, h, &out);
    for (int i = 0; i < sys.n; i++) {
        before[i] = q[i] - h * v[i];
    }
    status |= sb_dynamics_momentum(&dyn, before, v, p0) | sb_dynamics_momentum(&dyn, q, out.v, p1) |
              sb_system_force(&sys, t, q, out.v, F, tmp);
    status |= rows->value(rows->self, t, q, Ax, NULL);
    gsl_test(status != SB_OK, "%s takes a step: %s", problem, f->ctx.message);
    sb_csc_mult_add(&rows->A, Ax, 1.0, out.lambda, F);
    for (int i = 0; i < sys.n; i++) {
        gsl_test(!(fabs(p1[i] - p0[i] - h * F[i]) <= 64.0 * DBL_EPSILON * sb_norm_max(sys.n, p1)),
                 "%s by %s: momentum %d is off by %.2g", problem, spec, i, p1[i] - p0[i] - h * F[i]);
    }
    status = rows->value(rows->self, t + h, out.q, Ax, w);
    sb_csc_mult_t(&rows->A, Ax, out.v, row);
    for (int i = 0; i < rows->m; i++) {
        const double size = sb_norm_max(sb_pattern_nnz(&rows->A), Ax) * sb_norm_max(sys.n, out.v),
                     left = row[i] - w[i] + gamma * out.lambda[i];
        gsl_test(status != SB_OK || !(fabs(left) <= 64.0 * DBL_EPSILON * size), "%s by %s: row %d is off by %.2g",
                 problem, spec, i, left);
    }
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
    ahead_is_quadratic(&f, "chaplygin_sleigh", "nonholonomic_variational:gamma=0", 0.4);
    ahead_is_quadratic(&f, "chaplygin_sleigh:omega0=2", "variational_regularized:gamma=1e-2", 0.4);
    ahead_is_quadratic(&f, "rolling_disk", "nonholonomic_variational:gamma=0", 0.2);
    ahead_is_quadratic(&f, "rolling_disk", "variational_regularized:gamma=1e-2", 0.2);
    ahead_is_quadratic(&f, "slider_crank_3d", "nonholonomic_variational:gamma=0", 0.16);
    ahead_is_quadratic(&f, "slider_crank_3d:joints=minimal", "variational_regularized:gamma=1e-3,eps=1e-5", 0.08);
    four_do(&f, "chaplygin_sleigh", "nonholonomic_variational", 0.2, 4.0);
    four_do(&f, "rolling_disk", "variational_regularized", 0.1, 4.0);
    four_do(&f, "slider_crank_3d", "nonholonomic_variational", 0.04, 4.0);
    solves_24(&f, "chaplygin_sleigh", "nonholonomic_variational", 0.0, 0.2);
    solves_24(&f, "chaplygin_sleigh:omega0=2", "variational_regularized", 0.03, 0.2);
    solves_24(&f, "rolling_disk", "nonholonomic_variational", 0.02, 0.1);
    solves_24(&f, "rolling_disk:phidot0=2,thetadot0=0.5", "variational_regularized", 0.0, 0.1);
    fixture_close(&f);
    return gsl_test_summary();
}
