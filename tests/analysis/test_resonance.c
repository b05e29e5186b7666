/* Resonances of steps with linear oscillators, against closed forms: a step of Verlet's method turns a mode by theta
 * with sin(theta/2) = omega h/2, one of the midpoint rule by tan(theta/2) = omega h/2. */
#include "tests/analysis/fixture.h"

typedef double (*step_of)(double omega, double order);

static double by_verlet(double omega, double order) { return 2.0 / omega * sin(acos(-1.0) / order); }

static double by_midpoint(double omega, double order) { return 2.0 / omega * tan(acos(-1.0) / order); }

static void oscillators(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        double omega;
        step_of step;
    } cases[] = {{"oscillator:omega=1", "verlet", 1.0, by_verlet},
                 {"oscillator:omega=7", "verlet", 7.0, by_verlet},
                 {"oscillator:omega=3", "midpoint", 3.0, by_midpoint},
                 {"oscillator:omega=3,m=5", "trapezoidal", 3.0, by_midpoint}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_table table;
        rows(f, "resonance", "orders=6", cases[i].problem, cases[i].stepper, &table);
        gsl_test_int(table.nrows, 4, "orders 3 to 6");
        for (int k = 0; k < table.nrows && table.nrows == 4; k++) {
            const double order = sb_table_real(&table, k, "order"), h = cases[i].step(cases[i].omega, order);
            near(sb_table_real(&table, k, "h"), h, 1e-6 * h, cases[i].stepper); /* the analysis finds h to 1e-7 */
            near(sb_table_real(&table, k, "modes"), 1.0, 0.0, "one mode");
        }
    }
}

/* The two modes of Henon and Heiles' potential have the frequency 1. A damped method has no resonance, and steps chosen
 * by error control have no roots. */
static void others(fixture *f) {
    sb_table table;
    rows(f, "resonance", "orders=3", "henon_heiles", "verlet", &table);
    gsl_test(table.nrows != 1 || !(sb_table_real(&table, 0, "modes") == 2.0), "two modes of one frequency");
    near(sb_table_real(&table, 0, "h"), sqrt(3.0), 2e-6, "h omega = sqrt 3");
    rows(f, "resonance", "", "oscillator", "euler_implicit", &table);
    gsl_test(table.nrows != 1 || strstr(sb_table_text(&table, 0, "status"), "no undamped mode") == NULL,
             "a damped mode has no resonance");
    rows(f, "resonance", "from=2.5,to=3", "oscillator", "verlet", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "is unstable") == NULL, "a scan above the limit");
    rows(f, "resonance", "work=30", "oscillator", "verlet", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "after the work of 30 columns") == NULL, "a bounded scan: %s",
             sb_table_text(&table, 0, "status"));
    gsl_test_int(run_one(f, "resonance", "from=2,to=1", "oscillator", "verlet", &table), SB_BAD_USAGE, "from above to");
    gsl_test_int(run_one(f, "resonance", "", "oscillator", "odeiv2", &table), SB_UNSUPPORTED, "error control");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    oscillators(&f);
    others(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
