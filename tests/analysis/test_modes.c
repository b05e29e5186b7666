/* The analysis modes at a time of a run and at an equilibrium. */
#include "tests/analysis/fixture.h"

/* A linear oscillator has the frequency omega in every state. Its matrices are read, not computed: three roundings. */
static void along_a_run(fixture *f) {
    static const char *const options[] = {"at=time,t=3,h=0.1", "at=time,t=3"};
    sb_table table;
    for (int i = 0; i < 2; i++) {
        rows(f, "modes", options[i], "oscillator:m=2.5,omega=3", "verlet", &table);
        near(sb_table_real(&table, 0, "t"), 3.0, 30.0 * 3.0 * DBL_EPSILON, "the time, a sum of 30");
        near(sb_table_real(&table, 0, "omega_projected"), 3.0, 4.0 * 3.0 * DBL_EPSILON, "and the frequency");
        near(sb_table_real(&table, 0, "h_crit"), 2.0 / 3.0, 4.0 * DBL_EPSILON, "2/omega");
    }
    /* Those of a potential of degree 3 depend on the state: V_qq is linear in q, and changes slowly at speeds below 1.
     */
    rows(f, "modes", "", "henon_heiles", "verlet", &table);
    const double initial = sb_table_real(&table, 0, "omega_projected");
    rows(f, "modes", "at=time,t=1e-6,h=1e-6", "henon_heiles", "verlet", &table);
    near(sb_table_real(&table, 0, "omega_projected"), initial, 1e-5, "at once the frequency is that of the beginning");
    rows(f, "modes", "at=time,t=1,h=0.01", "henon_heiles", "verlet", &table);
    gsl_test(!(fabs(sb_table_real(&table, 0, "omega_projected") - initial) > 1e-3), "later it is not");
}

/* From 57 degrees the search finds the equilibrium of the hanging pendulum, where omega^2 = g/l. The frequency is even
 * in the angle: an error of 1e-8, at which Newton's method ends, does not change omega, which has a dozen roundings. */
static void at_equilibrium(fixture *f) {
    sb_table table;
    rows(f, "modes", "at=equilibrium", "pendulum:theta0=1,l=0.7", "rattle", &table);
    near(sb_table_real(&table, 0, "omega_projected"), sqrt(9.81 / 0.7), 12.0 * 3.8 * DBL_EPSILON, "sqrt(g/l)");
}

static void bad_usage(fixture *f) {
    sb_table table;
    gsl_test(run_one(f, "modes", "at=time", "oscillator", "verlet", &table) != SB_BAD_USAGE ||
                 strstr(f->ctx.message, "at=time needs t > 0") == NULL,
             "a time is missing: %s", f->ctx.message);
    gsl_test(run_one(f, "modes", "at=time,t=3,h=0.7", "oscillator", "verlet", &table) != SB_BAD_USAGE ||
                 strstr(f->ctx.message, "not a multiple of h = 0.7 s") == NULL,
             "a step that does not divide it: %s", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    along_a_run(&f);
    at_equilibrium(&f);
    bad_usage(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
