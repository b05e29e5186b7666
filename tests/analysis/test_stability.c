/* Stability maps and thresholds, by closed forms: notes11 (20), (26), and the frequency of a hanging particle. */
#include "tests/analysis/fixture.h"

/* h_limit of the rows with this value of the parameter, and that every row agrees with it: stable below, not above. */
static double limit_at(fixture *f, const sb_table *table, double value) {
    double limit = NAN;
    int seen = 0;
    (void)f;
    for (int i = 0; i < table->nrows; i++) {
        const double x = sb_table_real(table, i, "value"), h = sb_table_real(table, i, "h");
        if (!(fabs(x - value) <= 1e-12) && !(isnan(x) && isnan(value))) {
            continue;
        }
        seen++;
        limit = sb_table_real(table, i, "h_limit");
        if (fabs(h - limit) > 1e-5 && (h < limit || isinf(limit))) {
            gsl_test(strcmp(sb_table_text(table, i, "stable"), "yes") != 0, "h = %g below %g is stable, not %s", h,
                     limit, sb_table_text(table, i, "stable"));
        }
    }
    gsl_test(seen == 0, "there are rows for %g", value);
    return limit;
}

/* Verlet without drag: 2. Explicit Euler, h^2 - gamma h < 0 up to critical drag, gamma <= 2: gamma. */
static void oscillator(fixture *f) {
    sb_table table;
    rows(f, "stability", "vary=omega,values=[1,2,5]", "oscillator", "verlet", &table);
    near(limit_at(f, &table, 1.0), 2.0, 1e-5, "verlet, 2/omega");
    near(limit_at(f, &table, 5.0), 0.4, 1e-5, "verlet, 2/omega for another omega");
    rows(f, "stability", "", NULL, "verlet", &table);
    gsl_test_int(table.nrows, 12 + 5, "verlet takes no drag: a row that says so for each value");
    gsl_test(strstr(sb_table_text(&table, 16, "status"), "forces") == NULL, "why: %s",
             sb_table_text(&table, 16, "status"));
    rows(f, "stability", "", NULL, "euler_explicit", &table);
    near(limit_at(f, &table, 0.0), 0.0, 0.0, "explicit Euler without drag");
    near(limit_at(f, &table, 0.5), 0.5, 1e-5, "explicit Euler, gamma");
    near(limit_at(f, &table, 1.0), 1.0, 1e-5, "explicit Euler, gamma");
    rows(f, "stability", "", "oscillator", "midpoint", &table);
    gsl_test(!isinf(limit_at(f, &table, 0.0)), "the midpoint rule has no limit");
    gsl_test_int(table.nrows, 6 * 12, "a row a cell");
}

/* With the drag taken from the last velocity, u' = (1 - gamma h) u - h^2 x and x' = x + u', u = h v: the trace is
 * 2 - gamma h - h^2 and the determinant 1 - gamma h, and |trace| = 1 + determinant at h^2 + 2 gamma h = 4. A stepper
 * with a parameter gamma of its own, of constraints, has the same limit whatever that is. */
static void drag(fixture *f) {
    static const char *const steppers[] = {"vts", "reg", "spook", "variational_regularized",
                                           "nonholonomic_variational"};
    sb_table table;
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        rows(f, "stability", "cells=4", "oscillator", steppers[i], &table);
        for (double gamma = 0.5; gamma <= 2.0; gamma *= 2.0) {
            near(limit_at(f, &table, gamma), sqrt(gamma * gamma + 4.0) - gamma, 1e-5, steppers[i]);
        }
        gsl_test(strcmp(sb_table_text(&table, 0, "parameter"), "problem.gamma") != 0, "and says whose gamma: %s",
                 sb_table_text(&table, 0, "parameter"));
    }
    rows(f, "stability", "cells=4", "oscillator:gamma=0.3", "reg", &table);
    gsl_test_int(table.nrows, 4, "a damping that is given is not varied");
    near(limit_at(f, &table, NAN), sqrt(4.09) - 0.3, 1e-5, "reg at the damping given");
    rows(f, "stability", "cells=4,vary=stepper.gamma,values=[0,3]", "oscillator:gamma=0.3", "reg", &table);
    near(limit_at(f, &table, 3.0), sqrt(4.09) - 0.3, 1e-5, "the stepper's gamma is no damping of the oscillator");
    gsl_test(run_one(f, "stability", "vary=gamma,values=1", "oscillator", "reg", &table) != SB_BAD_USAGE ||
                 strstr(f->ctx.message, "problem.gamma or stepper.gamma") == NULL,
             "a name that both have is refused: %s", f->ctx.message);
    gsl_test(run_one(f, "amplification", "vary=stepper.l,values=1", "pendulum", "shake", &table) != SB_BAD_USAGE ||
                 strstr(f->ctx.message, "the stepper shake has no parameter l") == NULL,
             "so is one that the named owner does not have: %s", f->ctx.message);
    gsl_test(run_one(f, "stability", "vary=gamma,values=0.5,cells=1", "oscillator", "vts", &table) != SB_OK,
             "a name that one has needs no owner: %s", f->ctx.message);
}

static void thread(fixture *f) {
    sb_table table;
    rows(f, "stability", "h_max=3,cells=5", "thread:n=1,g=5,l=2", "shake", &table);
    gsl_test_int(table.nrows, 5, "without a parameter one row a step");
    near(limit_at(f, &table, NAN), 2.0 / sqrt(2.5), 1e-5, "shake on a hanging particle, 2/omega");
    rows(f, "stability", "vary=end_mass,values=[1,7],cells=6", "thread:n=2,m=1,g=10", "vts", &table);
    near(limit_at(f, &table, 7.0), 2.0 / sqrt(10.0 * (8.0 + sqrt(56.0))), 1e-5, "vts on two particles, 2/omega");
    gsl_test(run_one(f, "stability", "vary=end_mass", "thread", "shake", &table) != SB_BAD_USAGE,
             "a parameter needs values: %s", f->ctx.message);
    gsl_test(run_one(f, "stability", "vary=colour,values=1", "thread", "shake", &table) != SB_BAD_USAGE,
             "and has to be one: %s", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    oscillator(&f);
    drag(&f);
    thread(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
