/* Steppers on Lie groups: orders of every choice, what they are where another stepper is the same method, and the
 * length of quaternions over many steps. */
#include <float.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/steppers/orders.h"
#include "tests/steppers/pairs.h"

enum { STEPS = 200, MOST = 35, LONG = 20000 };

/* Of bruels10. */
static const char fast_top[] =
    "heavy_top:m=15,J1=0.234375,J3=0.46875,theta0=1.5707963267948966,phidot0=-4.61538,psidot0=150";

/* Positions of STEPS + 1 points from the initial state. */
static int follow(sb_context *ctx, sb_arena *arena, const char *stepper, const sb_system *sys, double h,
                  double q[STEPS + 1][MOST]) {
    sb_method me = {0};
    sb_state s[2];
    SB_TRY(sb_method_build(ctx, arena, stepper, sys, &me));
    SB_TRY(sb_state_new(&me, arena, &s[0]));
    SB_TRY(sb_state_new(&me, arena, &s[1]));
    SB_TRY(sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]));
    for (int k = 0; k <= STEPS; k++) {
        memcpy(q[k], s[k & 1].q, (size_t)sys->n * sizeof(double));
        SB_TRY(sb_method_step(&me, &s[k & 1], h, &s[(k + 1) & 1]));
    }
    return SB_OK;
}

/* The same points: a step commits a few roundings, and of the velocity, which moves every later step by as much; at
 * worst STEPS of them add up, over the size and the length of the path. The motions here are regular. */
static void same(sb_context *ctx, const char *problem, const char *one, const char *other) {
    static double a[STEPS + 1][MOST], b[STEPS + 1][MOST];
    sb_arena arena;
    sb_system sys;
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, problem, 0, NULL, &sys);
    const double h = status == SB_OK ? 0.05 * sys.time_scale : 0.0;
    status = status == SB_OK ? follow(ctx, &arena, one, &sys, h, a) : status;
    status = status == SB_OK ? follow(ctx, &arena, other, &sys, h, b) : status;
    gsl_test(status != SB_OK, "%s and %s on %s run: %s", one, other, problem, status != SB_OK ? ctx->message : "done");
    double most = 0.0, size = 0.0, path = 0.0;
    for (int k = 0; k <= STEPS && status == SB_OK; k++) {
        most = sb_larger(most, distance_max(sys.n, a[k], b[k]));
        size = fmax(size, sb_norm_max(sys.n, a[k]));
        path += k > 0 ? distance_max(sys.n, a[k], a[k - 1]) : 0.0;
    }
    const double bound = 4.0 * DBL_EPSILON * STEPS * (size + path);
    gsl_test(!(most <= bound), "%s is %s on %s: apart by %.2g (%.2g by round-off)", one, other, problem, most, bound);
    gsl_test(!(path > 1e3 * bound), "%s moves", problem);
    sb_arena_free(&arena);
}

/* |e.e - 1| stays at a few roundings, in LONG steps without a row that keeps it. */
static void check_length(sb_context *ctx, const char *problem, const char *stepper) {
    sb_arena arena;
    sb_system sys;
    sb_method me = {0};
    sb_state s[2];
    double most = 0.0;
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, problem, 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &me) : status;
    status = status == SB_OK ? sb_state_new(&me, &arena, &s[0]) | sb_state_new(&me, &arena, &s[1]) : status;
    const double h = status == SB_OK ? 0.1 * sys.time_scale : 0.0;
    status = status == SB_OK ? sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]) : status;
    for (int k = 0; k < LONG && status == SB_OK; k++) {
        status = sb_method_step(&me, &s[k & 1], h, &s[(k + 1) & 1]);
        const double *e = s[(k + 1) & 1].q + sys.attitude[0].at;
        most = sb_larger(most, fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0));
    }
    gsl_test(status != SB_OK, "%s on %s runs: %s", stepper, problem, status != SB_OK ? ctx->message : "done");
    gsl_test(!(most <= 4.0 * DBL_EPSILON), "%s on %s: |e.e - 1| is %.2g at most in %d steps", stepper, problem, most,
             LONG);
    sb_arena_free(&arena);
}

/* The error of lambda after the first step, against the multiplier of the equations of motion at its end, for two
 * steps: of first order from the exact velocity, of second from the shifted one (arnold15). The next term of either
 * moves the slope by less than a fifth at these steps. */
static void check_first_multiplier(sb_context *ctx, const char *stepper, double order) {
    sb_arena arena;
    sb_system sys;
    sb_method me = {0};
    sb_dynamics dyn;
    sb_state s[2];
    double error[2] = {NAN, NAN}, a[MOST], lambda[MOST];
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "heavy_top:theta0=1.2,thetadot0=1", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &me) : status;
    status = status == SB_OK ? sb_dynamics_init(ctx, &arena, &sys, &dyn) : status;
    status = status == SB_OK ? sb_state_new(&me, &arena, &s[0]) | sb_state_new(&me, &arena, &s[1]) : status;
    for (int k = 0; k < 2 && status == SB_OK; k++) {
        const double h = 0.02 * ldexp(sys.time_scale, -k);
        status = sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]);
        status = status == SB_OK ? sb_method_step(&me, &s[0], h, &s[1]) : status;
        status = status == SB_OK ? sb_dynamics_acceleration(&dyn, h, s[1].q, s[1].v, a, lambda) : status;
        error[k] = distance_max(sys.holonomic.m - sys.attitudes, s[1].lambda, lambda);
    }
    gsl_test(status != SB_OK || !(fabs(log2(error[0] / error[1]) - order) <= 0.2),
             "%s: the first multiplier is off by %.2g, by %.2g for half the step: order %.2f, %g is known", stepper,
             error[0], error[1], log2(error[0] / error[1]), order);
    sb_arena_free(&arena);
}

/* With complete derivatives three corrections take an error of a few hundredths below round-off, and two more may see
 * nothing but round-off; without one of them a correction leaves some percent of the error, and takes seven. */
static void check_iterations(sb_context *ctx, const char *problem, const char *stepper, double h) {
    sb_arena arena;
    sb_system sys;
    sb_method me = {0};
    sb_state s[2];
    long most = 0;
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, problem, 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &me) : status;
    status = status == SB_OK ? sb_state_new(&me, &arena, &s[0]) | sb_state_new(&me, &arena, &s[1]) : status;
    status = status == SB_OK ? sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]) : status;
    for (int k = 0; k < STEPS / 4 && status == SB_OK; k++) {
        status = sb_method_step(&me, &s[k & 1], h, &s[(k + 1) & 1]);
        most = s[(k + 1) & 1].iters > most ? s[(k + 1) & 1].iters : most;
    }
    gsl_test(status != SB_OK || most > 5, "%s on %s: %ld iterations per step at most", stepper, problem, most);
    sb_arena_free(&arena);
}

/* A body that spins steadily about a principal axis: the exponential of the step is its motion. Where the map is that
 * exponential (`exact`), the difference is a rounding of the angle, eps times the angle per step, summed over the
 * steps. */
static void check_spin(sb_context *ctx, const char *stepper, bool exact) {
    static double q[STEPS + 1][MOST];
    sb_arena arena;
    sb_system sys;
    double at[4] = {NAN, NAN, NAN, NAN};
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "rigid_body:w1=0,w2=0,w3=2", 0, NULL, &sys);
    status = status == SB_OK ? follow(ctx, &arena, stepper, &sys, 0.1, q) : status;
    status = status == SB_OK ? sys.exact(sys.self, 0.1 * STEPS, at, NULL, NULL) : status;
    const double off = distance_max(4, q[STEPS], at), bound = 8.0 * DBL_EPSILON * STEPS;
    gsl_test(status != SB_OK || (off <= bound) != exact, "%s: a steady spin is off by %.2g (%.2g by round-off)",
             stepper, off, bound);
    sb_arena_free(&arena);
}

/* The knife edge with a blade that turns by 0.4 t against the body, and a velocity sin(3 t)/2 across the blade. */
static sb_nonholonomic blade;

static const double *turned(double t, const double *q, double x[3]) {
    memcpy(x, q, 3 * sizeof *x);
    x[2] += 0.4 * t;
    return x;
}

static int turning_value(const void *self, double t, const double *q, double *Ax, double *w) {
    double x[3];
    SB_TRY(blade.value(self, t, turned(t, q, x), Ax, w));
    if (w != NULL) {
        w[0] = 0.5 * sin(3.0 * t);
    }
    return SB_OK;
}

static int turning_gradient(const void *self, double t, const double *q, const double *v, double *out) {
    double x[3];
    return blade.gradient(self, t, turned(t, q, x), v, out);
}

/* A(t_m, q_m) (q1 - q0)/h = w(t_m) at the middle of a step, to the round-off of q over h and the tolerance of Newton's
 * iteration, a correction of 1e-10 whose square is left. */
static void check_driven_rows(sb_context *ctx, double t, double h) {
    sb_arena arena;
    sb_system sys;
    sb_method me = {0};
    sb_state s[2];
    double v[3] = {0.0, 0.0, 1.0}, q[3] = {0.3, -0.2, 0.5}, x[3], Ax[3], w;
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "knife_edge", 0, NULL, &sys);
    blade = sys.nonholonomic;
    sys.nonholonomic.value = turning_value;
    sys.nonholonomic.gradient = turning_gradient;
    v[0] = -0.5 * sin(3.0 * t) * sin(q[2] + 0.4 * t);
    v[1] = 0.5 * sin(3.0 * t) * cos(q[2] + 0.4 * t);
    status = status == SB_OK ? sb_method_build(ctx, &arena, "lie_variational", &sys, &me) : status;
    status = status == SB_OK ? sb_state_new(&me, &arena, &s[0]) | sb_state_new(&me, &arena, &s[1]) : status;
    status = status == SB_OK ? sb_method_start(&me, t, q, v, h, &s[0]) : status;
    status = status == SB_OK ? sb_method_step(&me, &s[0], h, &s[1]) : status;
    for (int i = 0; i < 3; i++) {
        x[i] = 0.5 * (s[0].q[i] + s[1].q[i]);
        v[i] = (s[1].q[i] - s[0].q[i]) / h;
    }
    status = status == SB_OK ? turning_value(sys.nonholonomic.self, t + 0.5 * h, x, Ax, &w) : status;
    gsl_test(status != SB_OK, "a blade that turns: %s", status != SB_OK ? ctx->message : "done");
    sb_csc_mult_t(&sys.nonholonomic.A, Ax, v, x);
    gsl_test(!(fabs(x[0] - w) <= 1e-14 / fabs(h)), "A v = w at the middle of a step from t = %g is off by %.2g", t,
             x[0] - w);
    sb_arena_free(&arena);
}

int main(void) {
    static const char *const variational[] = {"lie_variational:map=cayley", "lie_variational:map=vector"};
    static const char *const bodies[] = {"heavy_top", "rigid_body"};
    sb_context ctx;
    sb_registry registry;
    open_registry(&ctx, &registry);
    for (int k = 0; k < 2; k++) {
        check_order(&ctx, bodies[k], NULL, "lie_rk:order=2", (orders){{2, 2, 2}}, 0.2);
        check_order(&ctx, bodies[k], NULL, "lie_rk:order=3", (orders){{3, 3, 3}}, 0.2);
        check_order(&ctx, "heavy_top:theta0=1.2,thetadot0=1", NULL, variational[k], (orders){{2, 2, 2}}, 0.2);
        check_length(&ctx, bodies[k], "lie_rk");
        check_length(&ctx, bodies[k], "lie_variational");
    }
    check_order(&ctx, "heavy_top:theta0=1.2,thetadot0=1", NULL, "lie_generalized_alpha:rho=0", (orders){{2, 2, 2}},
                0.1);
    check_first_multiplier(&ctx, "lie_generalized_alpha", 2.0);
    check_first_multiplier(&ctx, "lie_generalized_alpha:start=exact", 1.0);
    check_first_multiplier(&ctx, "generalized_alpha", 2.0);
    check_first_multiplier(&ctx, "generalized_alpha:start=exact", 1.0);
    check_iterations(&ctx, "bricard:rate=2", "lie_generalized_alpha", 0.03);
    check_iterations(&ctx, "bricard:rate=2", "lie_variational", 0.03);
    check_iterations(&ctx, fast_top, "lie_generalized_alpha", 0.002);
    check_iterations(&ctx, fast_top, "lie_variational", 0.002);
    check_driven_rows(&ctx, 0.0, 0.1);
    check_driven_rows(&ctx, 0.8, 0.2);
    check_spin(&ctx, "lie_variational", true);
    check_spin(&ctx, "lie_variational:map=cayley", false);
    check_spin(&ctx, "lie_rk", true);
    check_spin(&ctx, "lie_generalized_alpha", true);
    /* On unit quaternions the midpoint of wm96 (4.1) is that of the group and the norm's multiplier acts across it. */
    same(&ctx, "rigid_body", "lie_variational:map=vector", "dvp");
    same(&ctx, "heavy_top", "lie_variational:map=vector", "del");
    same(&ctx, "bricard", "lie_variational:map=vector", "del");
    /* Without quaternions the group is a vector space. */
    same(&ctx, "kepler", "lie_variational", "del");
    same(&ctx, "dsp", "lie_variational", "del");
    same(&ctx, "dsp", "lie_generalized_alpha", "generalized_alpha");
    same(&ctx, "oscillator:gamma=0.3", "lie_rk", "rk4");
    same(&ctx, "spherical_pendulum", "lie_rk", "rk4");
    sb_registry_free(&registry);
    return gsl_test_summary();
}
