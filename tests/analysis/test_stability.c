/* Stability maps and thresholds, by closed forms: notes11 (20), (26), and the frequency of a hanging particle. */
#include <stdlib.h>

#include "tests/analysis/fixture.h"

/* Row 0 of those with this value of the parameter; every such row has to agree with h_limit: stable below, not above.
 */
static int limit_row(const sb_table *table, double value) {
    int first = -1;
    for (int i = 0; i < table->nrows; i++) {
        const double x = sb_table_real(table, i, "value"), h = sb_table_real(table, i, "h");
        if (!(fabs(x - value) <= 1e-12) && !(isnan(x) && isnan(value))) {
            continue;
        }
        first = first < 0 ? i : first;
        const double limit = sb_table_real(table, i, "h_limit"), error = sb_table_real(table, i, "h_error");
        if (!isnan(limit) && fabs(h - limit) > error) {
            gsl_test((strstr("yes neutral", sb_table_text(table, i, "stable")) != NULL) != (h < limit),
                     "h = %g, limit %g: %s", h, limit, sb_table_text(table, i, "stable"));
        }
    }
    gsl_test(first < 0, "there are rows for %g", value);
    return first;
}

/* The limit is `exact` to within the error of the row, which is at most `allowed` of it. */
static void limit_is(const sb_table *table, double value, double exact, double allowed, const char *what) {
    const int row = limit_row(table, value);
    const double error = sb_table_real(table, row, "h_error");
    near(sb_table_real(table, row, "h_limit"), exact, error, what);
    gsl_test(!(error <= allowed * exact), "%s: its error %g is a share of %g at most", what, error, allowed);
    gsl_test(strcmp(sb_table_text(table, row, "limit"), "root") != 0, "%s: a root decides: %s", what,
             sb_table_text(table, row, "limit"));
}

/* The bisection is to 1e-6, and rounded to six digits. */
static const double usual = 6e-6;

/* Verlet without drag: 2. Explicit Euler, h^2 - gamma h < 0 up to critical drag, gamma <= 2: gamma. At critical drag
 * both of its roots are 1 - h, and the square root of the round-off of the matrix, 1e-14 ... 1e-12, stays open. */
static void oscillator(fixture *f) {
    sb_table table;
    rows(f, "stability", "vary=omega,values=[1,2,5]", "oscillator", "verlet", &table);
    limit_is(&table, 1.0, 2.0, usual, "verlet, 2/omega");
    gsl_test(sb_table_real(&table, 0, "h_limit") != 2.0, "printed as 2, not %.17g",
             sb_table_real(&table, 0, "h_limit"));
    limit_is(&table, 5.0, 0.4, usual, "verlet, 2/omega for another omega");
    rows(f, "stability", "", NULL, "verlet", &table);
    gsl_test_int(table.nrows, 12 + 5, "verlet takes no drag: a row that says so for each value");
    gsl_test(strstr(sb_table_text(&table, 16, "status"), "forces") == NULL, "why: %s",
             sb_table_text(&table, 16, "status"));
    rows(f, "stability", "", NULL, "euler_explicit", &table);
    const int none = limit_row(&table, 0.0);
    near(sb_table_real(&table, none, "h_limit"), 0.0, 0.0, "explicit Euler without drag");
    gsl_test(strncmp(sb_table_text(&table, none, "limit"), "< 0.000", 7) != 0, "no step tried is stable: %s",
             sb_table_text(&table, none, "limit"));
    limit_is(&table, 0.5, 0.5, usual, "explicit Euler, gamma");
    limit_is(&table, 1.0, 1.0, usual, "explicit Euler, gamma");
    limit_is(&table, 2.0, 2.0, 1e-4, "explicit Euler, roots that meet");
    rows(f, "stability", "values=[0,0.5,2],h_max=8", NULL, "euler_damped", &table);
    for (int k = 0; k < 3; k++) { /* 2 zeta + 2 sqrt(zeta^2 + 1), gamma = 2 zeta */
        static const double gamma[] = {0.0, 0.5, 2.0};
        limit_is(&table, gamma[k], gamma[k] + sqrt(gamma[k] * gamma[k] + 4.0), usual, "Euler with implicit damping");
    }
    rows(f, "stability", "", "oscillator", "midpoint", &table);
    gsl_test_int(table.nrows, 6 * 12, "one row per step and value");
}

/* Beyond the map the search goes on: rk4's 2 sqrt 2, far beyond a map that ends at 1, and of the midpoint rule, which
 * has no limit, it says how far it went. Where steps have no fixed point there is nothing to decide. */
static void beyond_the_map(fixture *f) {
    sb_table table;
    rows(f, "stability", "h_max=0.2,cells=2", "oscillator:gamma=0", "rk4", &table);
    limit_is(&table, NAN, 2.0 * M_SQRT2, usual, "rk4, 14 times the largest step of the map");
    rows(f, "stability", "h_max=0.05,cells=1", "pendulum:theta0=0,g=9,l=1", "shake", &table);
    limit_is(&table, NAN, 2.0 / 3.0, usual, "shake on a hanging pendulum");
    /* The state has the low parts of compensated sums, which only round-off changes. */
    rows(f, "stability", "h_max=0.05,cells=1", "pendulum:theta0=0,g=9,l=1", "lie_variational", &table);
    limit_is(&table, NAN, 2.0 / 3.0, usual, "lie_variational on it");
    rows(f, "stability", "h_max=0.5,cells=2", "oscillator:gamma=0.1", "midpoint", &table);
    gsl_test(!isnan(sb_table_real(&table, 0, "h_limit")), "the midpoint rule has no limit");
    const char *far = sb_table_text(&table, 0, "limit");
    gsl_test(strncmp(far, "> ", 2) != 0 || !(atof(far + 2) >= 32.0), "and is stable as far as was looked: %s", far);
    rows(f, "stability", "cells=2", "kepler", "verlet", &table);
    gsl_test(!isnan(sb_table_real(&table, 1, "h_limit")), "a planet has no limit at a fixed point");
    gsl_test(strcmp(sb_table_text(&table, 1, "limit"), "not applicable") != 0, "as it has no fixed point: %s",
             sb_table_text(&table, 1, "limit"));
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
            limit_is(&table, gamma, sqrt(gamma * gamma + 4.0) - gamma, usual, steppers[i]);
        }
        gsl_test(strcmp(sb_table_text(&table, 0, "parameter"), "problem.gamma") != 0, "and says whose gamma: %s",
                 sb_table_text(&table, 0, "parameter"));
    }
    rows(f, "stability", "cells=4", "oscillator:gamma=0.3", "reg", &table);
    gsl_test_int(table.nrows, 4, "a damping that is given is not varied");
    limit_is(&table, NAN, sqrt(4.09) - 0.3, usual, "reg at the damping given");
    rows(f, "stability", "cells=4,vary=stepper.gamma,values=[0,3]", "oscillator:gamma=0.3", "reg", &table);
    limit_is(&table, 3.0, sqrt(4.09) - 0.3, usual, "the stepper's gamma is no damping of the oscillator");
    gsl_test(run_one(f, "stability", "vary=gamma,values=1", "oscillator", "reg", &table) != SB_BAD_USAGE ||
                 strstr(f->ctx.message, "problem.gamma or stepper.gamma") == NULL,
             "a name that both have is refused: %s", f->ctx.message);
    gsl_test(run_one(f, "amplification", "vary=stepper.l,values=1", "pendulum", "shake", &table) != SB_BAD_USAGE ||
                 strstr(f->ctx.message, "the stepper shake has no parameter l") == NULL,
             "so is one that the named owner does not have: %s", f->ctx.message);
    gsl_test(run_one(f, "stability", "vary=gamma,values=0.5,cells=1", "oscillator", "vts", &table) != SB_OK,
             "a name that one has needs no owner: %s", f->ctx.message);
}

/* The soft springs of fput have V of fourth order, so that at its equilibrium their modes are neutral: the stiff ones
 * set the limit. It starts elsewhere. */
static void fput(fixture *f) {
    sb_table table;
    rows(f, "stability", "h_max=0.02,cells=2", "fput:m=2,omega=20", "verlet", &table);
    limit_is(&table, NAN, 2.0 / 20.0, usual, "verlet on fput, 2/omega");
    rows(f, "stability", "h_max=0.02,cells=2", "fput:m=2,omega=20", "rk4", &table);
    limit_is(&table, NAN, 2.0 * M_SQRT2 / 20.0, usual, "rk4 on fput");
}

static void thread(fixture *f) {
    sb_table table;
    rows(f, "stability", "h_max=3,cells=5", "thread:n=1,g=5,l=2", "shake", &table);
    gsl_test_int(table.nrows, 5, "without a parameter one row a step");
    limit_is(&table, NAN, 2.0 / sqrt(2.5), usual, "shake on a hanging particle, 2/omega");
    rows(f, "stability", "vary=end_mass,values=[1,7],cells=6", "thread:n=2,m=1,g=10", "vts", &table);
    limit_is(&table, 7.0, 2.0 / sqrt(10.0 * (8.0 + sqrt(56.0))), usual, "vts on two particles, 2/omega");
    gsl_test(run_one(f, "stability", "vary=end_mass", "thread", "shake", &table) != SB_BAD_USAGE,
             "a parameter needs values: %s", f->ctx.message);
    gsl_test(run_one(f, "stability", "vary=colour,values=1", "thread", "shake", &table) != SB_BAD_USAGE,
             "and has to be one: %s", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    oscillator(&f);
    beyond_the_map(&f);
    drag(&f);
    fput(&f);
    thread(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
