/* Methods that are one another: wm96 1 and 4.1 (SHAKE, Verlet), 4.4 (scalings), Theorem 4.3.1 (charts), and the
 * midpoint rule's names. */
#include <float.h>

#include "tests/steppers/pairs.h"

enum { STEPS = 200, COORDINATES = 8, CHARTED = 4 }; /* the last of `constrained` comes to the pole of its chart */

/* Positions of STEPS + 1 points. From (q, v) of the initial state if q0 is NULL, else from the pair q0, q1. */
typedef struct trajectory {
    double q[STEPS + 1][COORDINATES];
    int n;
} trajectory;

static int follow(sb_context *ctx, sb_arena *arena, const char *stepper, const sb_system *sys, double h,
                  const double *q0, const double *q1, trajectory *out) {
    sb_method me = {0};
    sb_state s[2];
    const size_t bytes = (size_t)sys->n * sizeof(double);
    out->n = sys->n;
    int k = 0;
    SB_TRY(sb_method_build(ctx, arena, stepper, sys, &me));
    SB_TRY(sb_state_new(&me, arena, &s[0]));
    SB_TRY(sb_state_new(&me, arena, &s[1]));
    if (q0 != NULL) {
        memcpy(out->q[k++], q0, bytes);
        SB_TRY(sb_method_start_pair(&me, 0.25, q0, q1, h, &s[k & 1]));
        gsl_test(s[k & 1].t != 0.25 + h || s[k & 1].h != h, "%s: a pair at t ends at t + h, %g", stepper, s[k & 1].t);
    } else {
        SB_TRY(sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]));
    }
    memcpy(out->q[k], s[k & 1].q, bytes);
    for (; k < STEPS; k++) {
        SB_TRY(sb_method_step(&me, &s[k & 1], h, &s[(k + 1) & 1]));
        memcpy(out->q[k + 1], s[(k + 1) & 1].q, bytes);
    }
    return SB_OK;
}

static double apart(const trajectory *a, const trajectory *b) {
    double most = 0.0;
    for (int k = 0; k <= STEPS; k++) {
        const double d = distance_max(a->n, a->q[k], b->q[k]);
        most = sb_larger(most, d);
    }
    return most;
}

/* Two recurrences that round differently: a step commits a few roundings of the position, and of the velocity, which
 * moves every later step by as much; at worst STEPS of them add up, over the size and the length of the path. The
 * motions here are regular. */
static double allowed(const trajectory *a) {
    double size = 0.0, path = 0.0;
    for (int k = 0; k <= STEPS; k++) {
        size = fmax(size, sb_norm_max(a->n, a->q[k]));
        path += k > 0 ? distance_max(a->n, a->q[k - 1], a->q[k]) : 0.0;
    }
    return 4.0 * DBL_EPSILON * STEPS * (size + path);
}

/* Two steppers from the same state, or from the same pair of points. */
static void same(sb_context *ctx, const char *problem, const char *one, const char *other, bool from_pair) {
    sb_arena arena;
    sb_system sys;
    trajectory a, b;
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, problem, 0, NULL, &sys);
    const double h = status == SB_OK ? 0.05 * sys.time_scale : 0.0;
    status = status == SB_OK ? follow(ctx, &arena, one, &sys, h, NULL, NULL, &a) : status;
    if (status == SB_OK && from_pair) {
        double q0[COORDINATES], q1[COORDINATES];
        memcpy(q0, a.q[0], sizeof q0);
        memcpy(q1, a.q[1], sizeof q1);
        status = follow(ctx, &arena, one, &sys, h, q0, q1, &a);
        status = status == SB_OK ? follow(ctx, &arena, other, &sys, h, q0, q1, &b) : status;
    } else if (status == SB_OK) {
        status = follow(ctx, &arena, other, &sys, h, NULL, NULL, &b);
    }
    gsl_test(status != SB_OK, "%s and %s on %s run: %s", one, other, problem, status != SB_OK ? ctx->message : "done");
    if (status == SB_OK) {
        const double d = apart(&a, &b), bound = allowed(&a);
        gsl_test(!(d <= bound), "%s is %s on %s from the same %s: apart by %.2g (%.2g by round-off)", one, other,
                 problem, from_pair ? "pair" : "state", d, bound);
        gsl_test(!(distance_max(a.n, a.q[0], a.q[STEPS / 3]) > 1e3 * bound), "%s on %s moves", one, problem);
    }
    sb_arena_free(&arena);
}

/* The chart's trajectory from the chart points of q0 and q1, in the coordinates of `sys`. */
static int follow_chart(sb_context *ctx, sb_arena *arena, const char *stepper, const sb_system *sys,
                        const sb_system *charted, double h, const double *q0, const double *q1, trajectory *out) {
    const sb_chart *chart = sys->chart;
    double s0[COORDINATES], s1[COORDINATES];
    trajectory s;
    SB_TRY(chart->inverse(chart->self, q0, s0));
    SB_TRY(chart->inverse(chart->self, q1, s1));
    SB_TRY(follow(ctx, arena, stepper, charted, h, s0, s1, &s));
    out->n = sys->n;
    for (int k = 0; k <= STEPS; k++) {
        SB_TRY(chart->point(chart->self, s.q[k], out->q[k], NULL));
    }
    return SB_OK;
}

/* Theorem 4.3.1: the constrained trajectory, and that of the discrete Lagrangian restricted to the manifold; a discrete
 * Lagrangian that averages in the chart is another method, and shows how far apart two methods are. */
static int chart_theorem(sb_context *ctx, sb_arena *arena, const char *problem, const char *stepper) {
    sb_system sys, embedded, intrinsic;
    trajectory start, a, b, c;
    SB_TRY(sb_system_build(ctx, arena, problem, 0, NULL, &sys));
    SB_TRY(sb_system_build(ctx, arena, problem, 1, &charts[0], &embedded));
    SB_TRY(sb_system_build(ctx, arena, problem, 1, &charts[1], &intrinsic));
    const double h = 0.05 * sys.time_scale;
    SB_TRY(follow(ctx, arena, stepper, &sys, h, NULL, NULL, &start));
    SB_TRY(follow(ctx, arena, stepper, &sys, h, start.q[0], start.q[1], &a));
    SB_TRY(follow_chart(ctx, arena, stepper, &sys, &embedded, h, start.q[0], start.q[1], &b));
    SB_TRY(follow_chart(ctx, arena, stepper, &sys, &intrinsic, h, start.q[0], start.q[1], &c));
    const double d = apart(&a, &b), other = apart(&a, &c), bound = allowed(&a);
    gsl_test(!(d <= bound), "%s on %s and on its chart from the same pair: apart by %.2g (%.2g by round-off)", stepper,
             problem, d, bound);
    gsl_test(!(other > 1e4 * bound), "%s on %s and averaged in the chart: apart by %.2g, two methods", stepper, problem,
             other);
    return SB_OK;
}

/* The midpoint rule on a chart is that of the chart's coordinate, whatever discrete Lagrangian the chart carries: on
 * the pendulum's angle s1 - s0 = h (v0 + v1)/2, v1 - v0 = -h (g/l) sin((s0 + s1)/2), to the tolerance of Newton's
 * method. */
static int midpoint_on_chart(sb_context *ctx, sb_arena *arena, const char *chart) {
    const double h = 0.2, g = 9.81;
    sb_system sys;
    sb_method me = {0};
    sb_state s[2];
    SB_TRY(sb_system_build(ctx, arena, "pendulum:theta0=1,g=9.81,l=1", 1, &chart, &sys));
    SB_TRY(sb_method_build(ctx, arena, "midpoint", &sys, &me));
    SB_TRY(sb_state_new(&me, arena, &s[0]));
    SB_TRY(sb_state_new(&me, arena, &s[1]));
    SB_TRY(sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]));
    SB_TRY(sb_method_step(&me, &s[0], h, &s[1]));
    const double q0 = s[0].q[0], q1 = s[1].q[0], v0 = s[0].v[0], v1 = s[1].v[0];
    gsl_test(!(fabs(q1 - q0 - 0.5 * h * (v0 + v1)) <= 1e-12), "midpoint on %s: position", chart);
    gsl_test(!(fabs(v1 - v0 + h * g * sin(0.5 * (q0 + q1))) <= 1e-12), "midpoint on %s: velocity", chart);
    return SB_OK;
}

int main(void) {
    static const char *const free_problems[] = {"oscillator", "kepler", "kepler:e=0.6"};
    static const char *const constrained[] = {"pendulum", "pendulum:constraint=norm,theta0=2",
                                              "pendulum:m=3,l=2,theta0=0.3,omega0=6", "dsp", "dsp:m1=7,m2=0.5"};
    static const char *const any[] = {"oscillator:gamma=0.3", "kepler", "spherical_pendulum"};
    static const char *const scaled[] = {"dsp", "pendulum", "rigid_body", "spherical_pendulum"};
    static const char *const scalings[] = {"del:scaling=none", "del:scaling=eq16", "del:scaling=eq18"};
    static const char *const quadratures[] = {"del", "del:quadrature=left"};
    sb_context ctx;
    sb_registry registry;
    open_registry(&ctx, &registry);
    for (int i = 0; i < 3; i++) {
        same(&ctx, free_problems[i], "verlet", "shake", false);
        same(&ctx, free_problems[i], "verlet", "rattle", false);
        same(&ctx, free_problems[i], "verlet", "del:quadrature=left", false);
        same(&ctx, free_problems[i], "shake", "del:quadrature=left", true);
        same(&ctx, any[i], "midpoint", "del", false);
    }
    same(&ctx, "oscillator", "midpoint", "em", false);
    for (int i = 0; i < 5; i++) {
        same(&ctx, constrained[i], "shake", "del:quadrature=left", true);
        same(&ctx, constrained[i], "shake", "del:quadrature=left", false);
        same(&ctx, constrained[i], "shake", "rattle", false);
        for (int k = 0; k < 2 && i < CHARTED; k++) {
            sb_arena arena;
            sb_arena_init(&arena, &ctx);
            gsl_test(chart_theorem(&ctx, &arena, constrained[i], quadratures[k]), "%s on the charts of %s runs: %s",
                     quadratures[k], constrained[i], ctx.message);
            sb_arena_free(&arena);
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            same(&ctx, scaled[i], "del", scalings[k], true);
        }
    }
    same(&ctx, "rigid_body", "dvp", "del", true);
    same(&ctx, "rigid_body:w1=2,w2=0.1,w3=-1", "dvp", "del", true);
    for (int k = 0; k < 2; k++) {
        sb_arena arena;
        sb_arena_init(&arena, &ctx);
        gsl_test(midpoint_on_chart(&ctx, &arena, charts[k]), "midpoint on %s runs: %s", charts[k], ctx.message);
        sb_arena_free(&arena);
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
