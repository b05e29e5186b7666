/* Constraints as forces: a formulation reports the violation of the constraints that it replaced, and a stepper with
 * compliant constraints is compared with the compliant motion. */
#include "analysis/accuracy/order_verdict.h"
#include "analysis/conservation/properties.h"
#include "analysis/orbit.h"
#include "tests/analysis/fixture.h"

static const double length = 1.0, gravity = 9.81; /* of the pendulum */

static sb_pair reformulated(fixture *f, const char *problem, const char *formulation, const char *stepper) {
    sb_pair pair = {.problem = problem, .stepper = stepper};
    sb_system *sys = sb_alloc(&f->arena, 1, sizeof *sys);
    gsl_test(sb_system_build(&f->ctx, &f->arena, problem, 1, &formulation, sys) != SB_OK ||
                 sb_pair_build(&f->ctx, &f->arena, sys, stepper, &pair) != SB_OK,
             "%s as %s: %s", problem, formulation, f->ctx.message);
    return pair;
}

/* The largest | |q| - l | and |q . v|/|q| of 200 steps of a pendulum are those of its states. */
static void violation(fixture *f) {
    static const char *const formulations[] = {"baumgarte:alpha=0,beta=0", "baumgarte", "penalty:eps=1e-3",
                                               "penalty:eps=1e-3,gamma=0.1"};
    const double h = 0.02;
    for (size_t i = 0; i < sizeof formulations / sizeof *formulations; i++) {
        const sb_pair pair = reformulated(f, "pendulum:constraint=norm,theta0=2", formulations[i], "rk4");
        sb_constraint_residuals r;
        sb_method method;
        sb_orbit orbit;
        double t, q[2], v[2], g = 0.0, gv = 0.0;
        int status = sb_constraint_residuals_measure(&f->ctx, &f->arena, &pair, h, 200, &r);
        status |= sb_method_init(&f->ctx, &f->arena, pair.type, pair.config, pair.sys, &method);
        status |= sb_orbit_init(&method, &f->arena, &orbit) | pair.sys->initial(pair.sys->self, &t, q, v);
        status |= sb_orbit_start(&orbit, t, q, v, h);
        for (int k = 0; k < 200 && status == SB_OK; k++) {
            status = sb_orbit_advance(&orbit, h, 1);
            const double *x = orbit.now.q, *u = orbit.now.v, size = hypot(x[0], x[1]);
            g = fmax(g, fabs(size - length));
            gv = fmax(gv, fabs(x[0] * u[0] + x[1] * u[1]) / size);
        }
        gsl_test(status != SB_OK, "%s runs: %s", formulations[i], f->ctx.message);
        gsl_test(!(g > 1e-9), "%s: rk4 leaves the constraint, by %.2g", formulations[i], g);
        near(r.g / g, 1.0, 1e-6, "the violation"); /* round-off of |q| - l: eps/1e-9 */
        near(r.gv / gv, 1.0, 1e-6, "the violation of its rate");
    }
}

/* A pendulum that starts at rest at its lowest point and hangs on a compliant constraint oscillates about its static
 * length: |q| - l = alpha m g (1 - cos omega t), omega^2 = 1/(alpha m), and lambda = -(|q| - l)/alpha. */
static void vertical(fixture *f) {
    enum { COUNT = 40 };
    const double alpha = 0.02, omega = sqrt(1.0 / alpha), dt = 0.1;
    const sb_pair pair = pair_of(f, "pendulum:constraint=norm,theta0=0", "xpbd:alpha=0.02");
    sb_reference ref;
    bool made;
    near(sb_reference_compliance(&pair), alpha, 0.0, "the compliance");
    gsl_test(sb_reference_compliant(&f->ctx, &f->arena, &pair, dt, COUNT, 1e-3, &made, &ref) != SB_OK || !made,
             "a compliant reference: %s", f->ctx.message);
    for (int j = 0; made && j < COUNT; j++) {
        const double x = alpha * gravity * (1.0 - cos(omega * dt * (j + 1)));
        near(ref.q[2 * j + 1], -length - x, 1e-10, "the height"); /* rk8pd with rtol 1e-13, 40 steps */
        near(ref.lambda[j], -x / alpha, 1e-8, "the multiplier");
    }
    gsl_test(sb_reference_compliant(&f->ctx, &f->arena, &pair, dt, COUNT, 0.1, &made, &ref) != SB_OK || made,
             "steps that damp the oscillation have no compliant reference");
    const sb_pair rigid = pair_of(f, "pendulum", "rattle");
    near(sb_reference_compliance(&rigid), 0.0, 0.0, "rattle has none");
}

static sb_order_comparison compare(fixture *f, const sb_pair *pair, sb_order *order) {
    const sb_order_config config = {.levels = 5, .ratio = 2.0, .scales = 10.0, .reference = "auto"};
    gsl_test(sb_order_decide(&f->ctx, &f->arena, &config, pair, 6, order) != SB_OK, "%s on %s: %s", pair->stepper,
             pair->problem, f->ctx.message);
    return sb_order_compare_method(order, sb_claimed_power(pair, order));
}

/* Takes the steps of xpbd with half of the compliance in the configuration. */
static int half_as_soft(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const sb_stepper *xpbd = (const sb_stepper *)sb_registry_find(me->ctx, SB_KIND_STEPPER, "xpbd");
    double config[8]; /* xpbd's begins with alpha */
    sb_method stiff = *me;
    memcpy(config, me->config, xpbd->entry.config_size);
    config[0] *= 0.5;
    stiff.config = config;
    return xpbd->step(&stiff, in, h, out);
}

/* Compliant steppers have the order 1 on their own motion, which is implicit or damped over some steps, and one whose
 * springs are twice as stiff has none. A compliance that the steps do not follow is below the errors, or the reason for
 * an unclear verdict. */
static void orders(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        sb_order_verdict verdict;
        bool compliant;
    } cases[] = {{"pendulum:theta0=0,constraint=norm", "xpbd:alpha=0.01", SB_ORDER_AS_CLAIMED, true},
                 {"pendulum:theta0=1", "xpbd:alpha=0.02", SB_ORDER_AS_CLAIMED, true},
                 {"pendulum:theta0=1,constraint=norm", "reg:c=0.01", SB_ORDER_AS_CLAIMED, true},
                 {"pendulum:theta0=1,constraint=norm", "spook:eps=0.01", SB_ORDER_AS_CLAIMED, true},
                 {"pendulum:theta0=1,constraint=norm", "variational_regularized:eps=0.01", SB_ORDER_AS_CLAIMED, true},
                 {"pendulum:theta0=1,constraint=norm", "spook", SB_ORDER_AS_CLAIMED, false},
                 {"pendulum:theta0=1,constraint=norm", "spook:eps=0", SB_ORDER_AS_CLAIMED, false},
                 {"pendulum:theta0=1,constraint=norm", "spook:eps=1e-4", SB_ORDER_UNCLEAR, false},
                 {"rod_chain", "spook", SB_ORDER_UNCLEAR, false},
                 {"flyball_governor", "spook", SB_ORDER_UNCLEAR, false}};
    sb_order order;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_pair pair = pair_of(f, cases[i].problem, cases[i].stepper);
        const sb_order_comparison found = compare(f, &pair, &order);
        gsl_test(found.verdict != cases[i].verdict || order.compliant != cases[i].compliant,
                 "%s on %s: %s (%.3g +- %.2g)", cases[i].stepper, cases[i].problem,
                 sb_order_verdict_name[found.verdict], found.measured, found.se);
        gsl_test(found.verdict == SB_ORDER_UNCLEAR && strstr(found.remedy, "compliance") == NULL,
                 "the reason is the compliance: %s", found.remedy);
    }
    sb_pair wrong = pair_of(f, "pendulum:theta0=1,constraint=norm", "xpbd:alpha=0.01");
    sb_stepper altered = *wrong.type;
    altered.step = half_as_soft;
    wrong.type = &altered;
    const sb_order_comparison found = compare(f, &wrong, &order);
    gsl_test(found.verdict != SB_ORDER_LOWER, "springs of another stiffness: %s (%.3g +- %.2g)",
             sb_order_verdict_name[found.verdict], found.measured, found.se);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    violation(&f);
    vertical(&f);
    orders(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
