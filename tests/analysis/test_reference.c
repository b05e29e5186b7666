/* The reference by GSL beside closed forms over long times: the pendulum (elliptic functions) and the free rigid body,
 * each a system with constraints, and an orbit without any; the round-off of multipliers; which pairs share a
 * reference. */
#include "analysis/accuracy/order.h"
#include "tests/analysis/fixture.h"

static double error_at(fixture *f, const char *problem, double T) {
    enum { COUNT = 100 };
    const sb_pair pair = pair_of(f, problem, "del");
    sb_reference exact, gsl;
    double error[SB_ERR_COUNT];
    int status = sb_reference_make(&f->ctx, &f->arena, "exact", &pair, T / COUNT, COUNT, T, &exact);
    status |= sb_reference_make(&f->ctx, &f->arena, "gsl", &pair, T / COUNT, COUNT, T, &gsl);
    gsl_test(status != SB_OK, "%s, T = %g (%s)", problem, T, f->ctx.message);
    sb_reference_errors(&gsl, &exact, error);
    gsl_test(!(error[SB_ERR_Q] <= gsl.floor[SB_ERR_Q] && error[SB_ERR_V] <= gsl.floor[SB_ERR_V]),
             "%s, T = %g: the errors %.2g and %.2g are no larger than their estimates %.2g and %.2g", problem, T,
             error[SB_ERR_Q], error[SB_ERR_V], gsl.floor[SB_ERR_Q], gsl.floor[SB_ERR_V]);
    return error[SB_ERR_Q] / gsl.size_q;
}

/* Local errors add up in the energy, which changes in proportion to t, and the phase with it as t^2. A drift off the
 * constraints makes it t^3. A slope of 2.4 is nearer to 2, and leaves room for errors that cancel in part at T = 100.
 */
static void growth(fixture *f, const char *problem) {
    const double early = error_at(f, problem, 100.0), late = error_at(f, problem, 1000.0);
    gsl_test(!(log10(late / early) < 2.4), "%s: the error grows from %.2g to %.2g in ten times the time", problem,
             early, late);
    gsl_test(!(late < 1e-8), "%s: the relative error at T = 1000 is %.2g", problem, late);
}

/* Where the rod is as long as the crank and the crank stands across the slide, the slider is at its bearing and the
 * rows depend on each other. */
static void says_what_to_do(fixture *f) {
    const sb_pair pair = pair_of(f, "slider_crank:L=1,drive=none,phi0=1.5707963267948966,omega0=3", "del");
    sb_reference gsl;
    const int status = sb_reference_make(&f->ctx, &f->arena, "gsl", &pair, 0.1, 10, 0.1, &gsl);
    gsl_test(status <= 0 || strstr(f->ctx.message, "use reference=finest") == NULL, "in a singular pose: %s",
             status != SB_OK ? f->ctx.message : "done");
}

/* The links of the star carry far less than its mass times |q|/T^2, and a second difference of positions has the error
 * eps |q|/h^2: with such steps the multipliers are round-off, and a slope of theirs would be about -2. */
static void multipliers_of_round_off(fixture *f) {
    const sb_pair pair = pair_of(f, "star", "shake");
    const double T = pair.sys->time_scale;
    double h[3] = {T / 2000.0, T / 4000.0, T / 8000.0};
    const sb_order_config config = {.h = {3, h}, .t_end = T / 50.0, .reference = "auto"};
    sb_order order;
    const int status = sb_order_measure(&f->ctx, &f->arena, &config, &pair, &order);
    gsl_test(status != SB_OK, "star by shake (%s)", f->ctx.message);
    for (int i = 1; i < order.n && status == SB_OK; i++) {
        gsl_test(!isnan(order.levels[i].slope[SB_ERR_LAMBDA]), "h = %g: an error of lambda of %.2g is round-off", h[i],
                 order.levels[i].error[SB_ERR_LAMBDA]);
    }
}

/* Makes a reference of the pair, and checks that it is bit for bit the reference of the pair without sharing. */
static sb_reference make(fixture *f, const sb_pair *pair, const char *kind, double dt, long count) {
    sb_pair alone = *pair;
    sb_reference out = {0}, expected = {0};
    alone.references = NULL;
    int status = sb_reference_make(&f->ctx, &f->arena, kind, pair, dt, count, dt / 8.0, &out);
    status |= sb_reference_make(&f->ctx, &f->arena, kind, &alone, dt, count, dt / 8.0, &expected);
    gsl_test(status != SB_OK || out.count != count || out.dt != dt ||
                 memcmp(out.q, expected.q, (size_t)(count * out.n) * sizeof(double)) != 0 ||
                 memcmp(out.floor, expected.floor, sizeof out.floor) != 0,
             "%s by %s: the shared reference with %ld samples", pair->stepper, kind, count);
    return out;
}

/* Pairs with one system share references with the same samples, unless the stepper of the pair computes them or has
 * compliant constraints. */
static void sharing(fixture *f) {
    sb_references references = {.arena = &f->arena};
    sb_pair shake = pair_of(f, "pendulum", "shake"), rattle = shake, xpbd = pair_of(f, "pendulum", "xpbd:alpha=0.01");
    sb_reference soft;
    bool made = false;
    rattle.type = pair_of(f, "pendulum", "rattle").type;
    shake.references = rattle.references = xpbd.references = &references;
    xpbd.sys = shake.sys;
    const sb_reference gsl = make(f, &shake, "gsl", 0.1, 8), again = make(f, &rattle, "gsl", 0.1, 8),
                       fewer = make(f, &rattle, "gsl", 0.1, 4), denser = make(f, &rattle, "gsl", 0.05, 8),
                       exact = make(f, &rattle, "auto", 0.1, 8), finest = make(f, &rattle, "finest", 0.1, 8),
                       other = make(f, &shake, "finest", 0.1, 8);
    gsl_test(again.q != gsl.q, "rattle does not share the reference of shake");
    gsl_test(fewer.q == gsl.q || denser.q == gsl.q || exact.q == gsl.q, "a reference with other samples is shared");
    gsl_test(finest.q == other.q, "the finest run of a stepper is the reference of another");
    const int status = sb_reference_compliant(&f->ctx, &f->arena, &xpbd, 0.1, 8, 1e-3, &made, &soft);
    gsl_test(status != SB_OK || !made || memcmp(soft.q, gsl.q, (size_t)(8 * gsl.n) * sizeof(double)) == 0,
             "the motion with springs is the rigid one (%s)", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    growth(&f, "pendulum");
    growth(&f, "pendulum:theta0=2,l=0.7");
    growth(&f, "pendulum:omega0=9");
    growth(&f, "rigid_body");
    growth(&f, "kepler:e=0.3");
    says_what_to_do(&f);
    multipliers_of_round_off(&f);
    sharing(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
