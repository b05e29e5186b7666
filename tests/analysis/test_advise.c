/* The advisor: limits known in closed form, verdicts on either side of them, the mode and the alternatives it names. transv18. */
#include <stdio.h>

#include "tests/analysis/fixture.h"

static void verdict(fixture *f, const char *problem, const char *stepper, double h, bool safe) {
    sb_table table;
    char options[40];
    snprintf(options, sizeof options, "h=%.17g", h);
    rows(f, "advise", options, problem, stepper, &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), safe ? "yes" : "no") != 0, "%s on %s with h = %g is %s", stepper, problem, h, safe ? "safe" : "not safe");
}

/* Verlet's kin bear h omega = 2; that is told to 5e-5. */
static void limits(fixture *f) {
    static const char *const explicit_ones[] = {"shake", "rattle", "vts", "spook", "reg", "del"};
    sb_table table;
    for (size_t i = 0; i < sizeof explicit_ones / sizeof *explicit_ones; i++) {
        rows(f, "advise", "h=0.1", "thread:n=1,g=5,l=2", explicit_ones[i], &table);
        near(sb_table_real(&table, 0, "tau_limit"), 2.0, 1e-4, explicit_ones[i]);
        near(sb_table_real(&table, 0, "omega"), sqrt(2.5), 1e-14, "omega of a hanging particle");
        near(sb_table_real(&table, 0, "h_limit"), 2.0 / sqrt(2.5), 1e-4, "2/omega");
        near(sb_table_real(&table, 0, "margin"), 20.0 / sqrt(2.5), 1e-3, "over h");
    }
    verdict(f, "thread:n=1,g=5,l=2", "shake", 0.999 * 2.0 / sqrt(2.5), true);
    verdict(f, "thread:n=1,g=5,l=2", "shake", 1.001 * 2.0 / sqrt(2.5), false);
}

/* The energy-momentum method's forces are those of the end and the start of a step alike: no step is too long. */
static void unconditional(fixture *f) {
    sb_table table;
    rows(f, "advise", "h=10", "dsp", "em", &table);
    gsl_test(!isinf(sb_table_real(&table, 0, "tau_limit")) || strcmp(sb_table_text(&table, 0, "safe"), "yes") != 0, "em bears any step");
    rows(f, "advise", "h=10", "dsp", "shake", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "advice"), "em") == NULL, "and is named where others don't: %s", sb_table_text(&table, 0, "advice"));
}

/* A pendulum let go at a right angle passes its lowest point under three times its weight: omega^2 = 3 g/l, at a quarter of its period. */
static void along_the_motion(fixture *f) {
    sb_table table;
    rows(f, "advise", "h=0.1,t_end=2,samples=100000", "pendulum:theta0=1.5707963267948966,g=10,l=1", "rattle", &table);
    near(sb_table_real(&table, 0, "omega"), sqrt(30.0), 0.01, "three times the weight"); /* a step is 0.016 s: the bottom is missed by 0.035 rad at most */
    gsl_test(!(sb_table_real(&table, 0, "t") > 0.5), "not at the start");
}

/* A heavy end stretches all links alike; the particles between it and the support answer fastest, and the end hardly moves. */
static void critical(fixture *f) {
    sb_table table;
    rows(f, "advise", "h=1/60", "thread:n=2,end_mass=1000", "shake", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "coordinate"), "q0") != 0, "the light particle moves: %s", sb_table_text(&table, 0, "coordinate"));
    gsl_test(run_one(f, "advise", "h=0.1", "kepler", "verlet", &table) != SB_UNSUPPORTED, "without constraints there is no advice: %s", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    limits(&f);
    unconditional(&f);
    along_the_motion(&f);
    critical(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
