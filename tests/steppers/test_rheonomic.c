/* Constraints g(t, q) and potentials V(t, q): the motions against equations in other coordinates, the power of the
 * driving, and the orders under formulations and at index 2. goldstein02, paul90. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/quantities.h"
#include "tests/steppers/orders.h"

/* ---- The bead on the hoop as theta'' = (Omega^2 cos(theta) - g/R) sin(theta). ---- */

static const double Omega = 4.0, gravity = 9.81, t_end = 2.0;

static int bead(double t, const double y[], double dydt[], void *params) {
    dydt[0] = y[1];
    dydt[1] = (Omega * Omega * cos(y[0]) - gravity) * sin(y[0]);
    return GSL_SUCCESS;
}

/* Sets the theta and theta' of hoop at t_end, to 1e-12. */
static void solve_bead(double y[2]) {
    const gsl_odeiv2_system ode = {bead, NULL, 2, NULL};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&ode, gsl_odeiv2_step_rk8pd, 1e-3, 1e-14, 1e-14);
    double t = 0.0;
    y[0] = 0.5;
    y[1] = 1.0;
    gsl_test(gsl_odeiv2_driver_apply(driver, &t, t_end, y) != GSL_SUCCESS, "the bead's angle is integrated");
    gsl_odeiv2_driver_free(driver);
}

/* In the frame of the hoop, with m = R = 1: along the radius lambda_0 holds the centripetal acceleration theta'^2 +
 * Omega^2 sin^2(theta) and the weight cos(theta) g; normal to the hoop lambda_1 is the Coriolis force 2 Omega theta'
 * cos(theta). */
static void expect_bead(const double y[2], const sb_state *s, const double *v, const double *lambda, double allowed) {
    const double sine = sin(y[0]), cosine = cos(y[0]), turn = Omega * s->t,
                 q[3] = {sine * cos(turn), sine * sin(turn), -cosine},
                 u[3] = {cosine * y[1] * cos(turn) - Omega * q[1], cosine * y[1] * sin(turn) + Omega * q[0],
                         sine * y[1]},
                 force[2] = {-(y[1] * y[1] + Omega * Omega * sine * sine + gravity * cosine),
                             2.0 * Omega * cosine * y[1]};
    double off_q = 0.0, off_v = 0.0;
    for (int i = 0; i < 3; i++) {
        off_q = sb_larger(off_q, fabs(s->q[i] - q[i]));
        off_v = sb_larger(off_v, fabs(v[i] - u[i]));
    }
    gsl_test(!(off_q <= allowed), "the bead's position is off by %.2g", off_q);
    gsl_test(!(off_v <= 8.0 * allowed), "the bead's velocity is off by %.2g", off_v);
    for (int i = 0; i < 2; i++) {
        gsl_test(!(fabs(lambda[i] - force[i]) <= 100.0 * allowed), "multiplier %d of the bead is %.12g, not %.12g", i,
                 lambda[i], force[i]);
    }
}

/* Steps of an eighth-order method with an error of 1e-10. */
static void check_bead(sb_context *ctx) {
    enum { STEPS = 400 };
    sb_arena arena;
    sb_system sys;
    sb_method method;
    sb_state s[2];
    double y[2], v[3], lambda[2];
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "hoop", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, "lobatto_iiia_b:stages=4", &sys, &method) : status;
    status = status == SB_OK ? sb_state_new(&method, &arena, &s[0]) | sb_state_new(&method, &arena, &s[1]) : status;
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, t_end / STEPS, &s[0]) : status;
    for (int k = 0; k < STEPS && status == SB_OK; k++) {
        status = sb_method_step(&method, &s[k % 2], t_end / STEPS, &s[(k + 1) % 2]);
    }
    status = status == SB_OK ? sb_method_report(&method, &s[STEPS % 2], v, lambda) : status;
    gsl_test(status != SB_OK, "the bead moves: %s", status != SB_OK ? ctx->message : "it does");
    if (status == SB_OK) {
        solve_bead(y);
        expect_bead(y, &s[STEPS % 2], v, lambda, 1e-9);
    }
    sb_arena_free(&arena);
}

/* ---- The power of the driving. ---- */

typedef struct balance {
    sb_applied_work work;
    double first, last, size;
} balance;

static int add_energy(void *arg, const sb_sample *s) {
    balance *b = arg;
    double kinetic, potential;
    SB_TRY(sb_applied_work_add(&b->work, s->t, s->q, s->v));
    SB_TRY(sb_dynamics_energy(&b->work.dyn, s->t, s->q, s->v, &kinetic, &potential));
    b->last = kinetic + potential;
    b->first = s->step == 0 ? b->last : b->first;
    b->size = sb_larger(b->size, fabs(b->last - b->first));
    return SB_OK;
}

/* E changes by the integral of V_t - lambda . g_t. The method's error at this step is some 1e-9 of the energy. */
static void check_power(sb_context *ctx, const char *problem, const char *around, const char *stepper) {
    enum { STEPS = 200 };
    sb_arena arena;
    sb_system sys;
    sb_method method;
    balance b = {0};
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, problem, around != NULL, &around, &sys);
    sb_run run = {.h = 0.02 * sys.time_scale, .steps = STEPS, .every = 1};
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &method) : status;
    status = status == SB_OK ? sb_applied_work_init(ctx, &arena, &sys, run.h, &b.work) : status;
    status = status == SB_OK ? sb_run_method(&method, &run, add_energy, &b) : status;
    gsl_test(status != SB_OK, "%s runs: %s", problem, status != SB_OK ? ctx->message : "it does");
    const double left = fabs(b.last - b.first - b.work.value);
    gsl_test(!(left <= 1e-7 * b.size), "%s: of an energy that changes by %.3g, %.2g is not the work of the driving",
             problem, b.size, left);
    sb_arena_free(&arena);
}

/* The energy of a system that depends on time is not judged; an invariant output is. */
static void check_judged(sb_context *ctx, const char *problem, bool invariant) {
    sb_arena arena;
    sb_system sys;
    sb_quantities qs;
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, problem, 0, NULL, &sys);
    status = status == SB_OK ? sb_quantities_init(ctx, &arena, &sys, 0.01, &qs) : status;
    gsl_test(status != SB_OK, "quantities of %s", problem);
    gsl_test(status == SB_OK && sb_quantities_excluded(&qs, 0) == NULL, "%s: its energy is excluded", problem);
    gsl_test(status == SB_OK && invariant && (qs.count != 2 || sb_quantities_excluded(&qs, 1) != NULL),
             "%s: its invariant is judged", problem);
    sb_arena_free(&arena);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "the built-ins register");
    check_bead(&ctx);
    check_judged(&ctx, "hoop", true);
    check_judged(&ctx, "paul_trap", false);
    check_power(&ctx, "hoop", NULL, "lobatto_iiia_b:stages=4");
    check_power(&ctx, "hoop", "penalty:eps=0.3", "gauss:stages=4");
    check_power(&ctx, "paul_trap", NULL, "gauss:stages=4");
    check_order(&ctx, "hoop", NULL, "radau_iia:stages=2,index=2", BOTH(3), 0.1);
    check_order(&ctx, "hoop", NULL, "radau_iia:stages=2,index=2s", BOTH(3), 0.1);
    check_order(&ctx, "hoop", NULL, "bdf:order=3,index=2s", BOTH(3), 0.1);
    check_order(&ctx, "hoop", NULL, "projection(rk4)", BOTH(4), 0.1);
    check_order(&ctx, "hoop", NULL, "spook:eps=0,newton=2", BOTH(2), 0.1);
    check_order(&ctx, "hoop", NULL, "spook:eps=0", BOTH(2), 0.1);
    check_order(&ctx, "hoop", NULL, "del", (orders){{2, 2, 2}}, 0.1);
    check_order(&ctx, "hoop", NULL, "generalized_alpha:rho=0", (orders){{2, 2, 2}}, 0.1);
    check_order(&ctx, "hoop", NULL, "yoshida4(rattle)", BOTH(4), 0.1);
    check_order(&ctx, "hoop", "baumgarte:alpha=2,beta=3", "rk4", BOTH(4), 0.1);
    check_order(&ctx, "hoop", "penalty:eps=0.3", "verlet", BOTH(2), 0.1);
    check_order(&ctx, "paul_trap", NULL, "yoshida4(verlet)", BOTH(4), 0.2);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
