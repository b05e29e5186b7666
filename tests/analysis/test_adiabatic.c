/* Changes of an adiabatic invariant over the step: a closed form for Verlet's method, resonances of trigonometric
 * integrators, and what has no invariant. hlw06 XIII.2, garcia99. */
#include <stepbench/stepper.h>

#include "tests/analysis/fixture.h"

/* Verlet's method keeps v^2 + (1 - (h omega)^2/4) omega^2 x^2 of a mode, which is 2 - (h omega)^2/4 at the start of
 * fput: I = (v^2 + omega^2 x^2)/2 is largest where v = 0. The soft springs change I by O(1/omega) and the first row by
 * the phases at which the steps fall. */
static void closed_form(fixture *f) {
    sb_table table;
    rows(f, "adiabatic", "from=0.2,to=0.6,points=3,omega=1000,t_end=20", "fput:omega=1000", "verlet", &table);
    gsl_test_int(table.nrows, 3, "three steps");
    for (int k = 0; k < table.nrows; k++) {
        const double r = 0.2 + 0.2 * k, x = r * acos(-1.0) / 2.0, kept = 1.0 - x * x;
        near(sb_table_real(&table, k, "h_omega"), r, 1e-12, "h omega/pi");
        near(sb_table_real(&table, k, "h"), r * acos(-1.0) / 1000.0, 1e-12, "h");
        near(sb_table_real(&table, k, "change"), 0.5 * (1.0 + kept) / kept - 1.0, 0.01 / kept, "change of I");
        gsl_test(!sb_table_is(&table, k, "peak", "no"), "the change grows up to the limit of stability: no peak");
    }
}

/* A stepper that turns a pendulum at rest by an angle that depends on h alone: 1, 2, ..., 5 s. */
static const double angle[] = {0.0095, 0.1, 0.0095, 0.09, 0.001};

static int turn_init(sb_method *me) {
    (void)me;
    return SB_OK;
}

static int turn_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const double theta = 1.0 + angle[lround(h) - 1];
    (void)me, (void)in;
    out->q[0] = sin(theta);
    out->q[1] = -cos(theta);
    out->v[0] = out->v[1] = 0.0;
    return SB_OK;
}

static const sb_stepper turning = {.entry = {"turning", "turns by an angle that depends on h", "garcia99", NULL, 0},
                                   .order = 1,
                                   .supports = (unsigned)SB_HAS_HOLONOMIC,
                                   .init = turn_init,
                                   .step = turn_step};

/* A peak rises tenfold over both sides: 0.1 over 0.0095 does, 0.09 does not. omega = pi/s makes h the share. */
static void prominence(fixture *f) {
    sb_table table;
    gsl_test(sb_registry_add(&f->registry, SB_KIND_STEPPER, &turning.entry) != SB_OK, "a stepper");
    rows(f, "adiabatic", "from=1,to=5,points=5,omega=3.141592653589793,t_end=1,output=theta", "pendulum", "turning",
         &table);
    gsl_test_int(table.nrows, 5, "five steps");
    for (int k = 0; k < 5; k++) {
        near(sb_table_real(&table, k, "change"), angle[k], 1e-12, "the change is the angle");
        gsl_test(!sb_table_is(&table, k, "peak", k == 1 ? "yes" : "no"), "peak at h = %d", k + 1);
    }
}

static int peaks(const sb_table *table) {
    int count = 0;
    for (int k = 0; k < table->nrows; k++) {
        count += sb_table_is(table, k, "peak", "yes");
    }
    return count;
}

/* The impulse method is in resonance where h omega is a multiple of pi; with psi = sinc^2 and phi = 1, which are zero
 * there, a trigonometric integrator is not. */
static void resonances(fixture *f) {
    sb_table table;
    rows(f, "adiabatic", "from=0.5,to=1.5,points=21,t_end=200", "fput", "trigonometric:filter=hairer_lubich", &table);
    gsl_test_int(peaks(&table), 0, "no peak");
    rows(f, "adiabatic", "from=0.5,to=1.5,points=21,t_end=200", "fput", "trigonometric", &table);
    gsl_test_int(peaks(&table), 1, "one peak");
    gsl_test(!sb_table_is(&table, 10, "peak", "yes"), "h omega = pi is the peak");
    near(sb_table_real(&table, 10, "h_omega"), 1.0, 1e-12, "h omega = pi");
    near(sb_table_real(&table, 10, "h"), acos(-1.0) / 50.0, 1e-15, "omega is that of the stiff springs");
}

/* Beside h omega = pi the change is a tenth of the peak and falls a hundredfold farther out: a flank is no peak. Just
 * below the resonance the runs of two neighbouring steps overflow within 200 s: they are one peak. */
static void flanks(fixture *f) {
    sb_table table;
    rows(f, "adiabatic", "from=0.998,to=1.006,points=5,t_end=2000", "fput", "trigonometric", &table);
    gsl_test_int(peaks(&table), 1, "one peak");
    gsl_test(!sb_table_is(&table, 1, "peak", "yes"), "the largest change is the peak");
    rows(f, "adiabatic", "from=0.9965,to=1.0005,points=5,t_end=600", "fput", "trigonometric", &table);
    for (int k = 2; k <= 3; k++) {
        gsl_test(strcmp(sb_table_text(&table, k, "status"), "ok") == 0, "row %d: the run overflows", k);
    }
    gsl_test_int(peaks(&table), 1, "two runs that overflow are one peak");
}

static void refusals(fixture *f) {
    sb_table table;
    gsl_test_int(run_one(f, "adiabatic", "from=2,to=1", "fput", "verlet", &table), SB_BAD_USAGE, "from above to");
    rows(f, "adiabatic", "", "kepler", "verlet", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "has no output I") == NULL, "no invariant: %s",
             sb_table_text(&table, 0, "status"));
    rows(f, "adiabatic", "points=3,from=1,to=3,t_end=10", "fput", "verlet", &table);
    gsl_test(strstr(sb_table_text(&table, 2, "status"), "try a smaller step") == NULL, "unstable steps have rows: %s",
             sb_table_text(&table, 2, "status"));
}

int main(void) {
    fixture f;
    fixture_init(&f);
    prominence(&f);
    closed_form(&f);
    resonances(&f);
    flanks(&f);
    refusals(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
