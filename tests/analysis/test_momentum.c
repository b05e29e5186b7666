/* The momentum analysis: what is conserved, what is not, and how far discrete and continuous momenta are apart.
 * wm96 3.3, 4.6. */
#include "analysis/conservation/properties.h"
#include "tests/analysis/fixture.h"

static const sb_momentum *measure(fixture *f, const char *problem, const char *stepper, sb_momentum_start start,
                                  double h, long steps) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_momentum *momenta = NULL;
    int count = 0;
    const int status = sb_momentum_measure(&f->ctx, &f->arena, &pair, start, h, steps, &momenta, &count);
    gsl_test(status != SB_OK || count < 1, "%s on %s runs: %s", stepper, problem,
             status == SB_OK ? "it does" : f->ctx.message);
    return status == SB_OK ? momenta : NULL;
}

static void conserved(fixture *f) {
    static const char *const pairs[][2] = {
        {"dsp", "del"},        {"dsp", "shake"},      {"dsp", "rattle"},    {"dsp", "em"},
        {"rigid_body", "dvp"}, {"rigid_body", "del"}, {"kepler", "verlet"}, {"spherical_pendulum", "del"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const sb_momentum *m = measure(f, pairs[i][0], pairs[i][1], SB_START_LEGENDRE, 0.01, 2000);
        gsl_test(m == NULL || m->conserved != SB_YES, "%s conserves %s of %s: %.2g, round-off %.2g", pairs[i][1],
                 m != NULL ? m->name : "", pairs[i][0], m != NULL ? m->discrete_deviation : NAN,
                 m != NULL ? m->rounding : NAN);
    }
    static const char *const others[] = {"euler_explicit", "rk4"};
    for (size_t i = 0; i < 2; i++) {
        const sb_momentum *m = measure(f, "kepler", others[i], SB_START_LEGENDRE, 0.02, 2000);
        gsl_test(m == NULL || m->conserved != SB_NO || !(m->discrete_deviation > 100.0 * m->rounding),
                 "%s does not conserve Jz of kepler: %.2g", others[i], m != NULL ? m->discrete_deviation : NAN);
    }
}

/* Explicit Euler multiplies q x v by ... : J1 = (q + h v) x (v + h a) = J + h q x a + h^2 v x a, and q x a = 0 for a
 * central force: one step changes J by h^2 v x a. At the pericentre of kepler's default orbit (mu = a = 1, e = 1/2) q =
 * (1/2, 0), v = (0, sqrt(3)), a = (-4, 0). */
static void one_euler_step(fixture *f) {
    const double h = 0.01;
    const sb_momentum *m = measure(f, "kepler:e=0.5", "euler_explicit", SB_START_LEGENDRE, h, 1);
    if (m != NULL) {
        near(m->continuous, sqrt(0.75), 4.0 * DBL_EPSILON, "Jz = sqrt(1 - e^2)");
        near(m->discrete_deviation, h * h * 4.0 * sqrt(3.0), 4.0 * DBL_EPSILON,
             "one explicit Euler step changes Jz by h^2 v x a");
    }
}

/* wm96 4.6: started from two points of the continuous motion the discrete momentum is off by O(h^2), started by the
 * Legendre transform by nothing. */
static void difference(fixture *f) {
    static const char *const steppers[] = {"shake", "del"};
    for (size_t i = 0; i < 2; i++) {
        const sb_momentum *coarse = measure(f, "dsp", steppers[i], SB_START_PAIR, 0.02, 10),
                          *fine = measure(f, "dsp", steppers[i], SB_START_PAIR, 0.005, 40);
        const sb_momentum *legendre = measure(f, "dsp", steppers[i], SB_START_LEGENDRE, 0.02, 10);
        if (coarse != NULL && fine != NULL && legendre != NULL) {
            const double order =
                log((coarse->discrete - coarse->continuous) / (fine->discrete - fine->continuous)) / log(4.0);
            near(order, 2.0, 0.05,
                 "the difference is of second order"); /* the next term is of fourth order: (0.02/0.25)^2 */
            gsl_test(!(fabs(coarse->discrete - coarse->continuous) > 1e-3), "and there: %.3g",
                     coarse->discrete - coarse->continuous);
            near(legendre->discrete, legendre->continuous, 1e-12 * fabs(legendre->continuous) / 0.02,
                 "the Legendre transform leaves none"); /* eps |q|/h */
            gsl_test(coarse->conserved != SB_YES || fine->conserved != SB_YES, "either is conserved");
        }
    }
}

/* A defect that is NaN does not pass. */
static void no_number(void) {
    gsl_test(sb_decide(NAN, 1.0, 2.0) != SB_NO, "NaN is no");
    gsl_test(sb_decide(0.5, NAN, 2.0) != SB_NO, "nor is a defect within NaN");
    gsl_test(sb_decide(0.5, 1.0, 2.0) != SB_YES || sb_decide(0.5, 1.0, 0.9) != SB_UNCLEAR ||
                 sb_decide(1.5, 1.0, 0.9) != SB_NO,
             "a defect, its noise and what would be visible");
}

static void refusals(fixture *f) {
    sb_table table;
    rows(f, "momentum", "", "oscillator", "verlet", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "no symmetry") == NULL,
             "without a symmetry there is a row that says so: %s", sb_table_text(&table, 0, "status"));
    rows(f, "momentum", "start=pair", "kepler", "rk4", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "one-step") == NULL,
             "a one-step method does not start from two points: %s", sb_table_text(&table, 0, "status"));
    rows(f, "momentum", "h=0.01,t_end=1", "rigid_body", "dvp", &table);
    gsl_test_int(table.nrows, 3, "a row for each momentum");
    gsl_test_int((int)sb_table_real(&table, 2, "steps"), 100, "and the steps asked for");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    conserved(&f);
    one_euler_step(&f);
    difference(&f);
    no_number();
    refusals(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
