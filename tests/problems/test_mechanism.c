/* Mechanisms from JSON files against built-in problems, whose coordinates and terms are others. */
#include <float.h>
#include <math.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/systems.h"

enum { N = 64 };

#define FILES "mechanism:file=" SB_SOURCE_DIR "/problems/mechanisms/"

typedef struct state {
    double q[N], v[N], a[N];
} state;

/* Sets the initial state and its accelerations. */
static void begin(fixture *f, const char *spec, sb_system *sys, sb_dynamics *dyn, state *x) {
    double t;
    fixture_build(f, spec, NULL, sys);
    int status = sb_dynamics_init(&f->ctx, &f->arena, sys, dyn) | sys->initial(sys->self, &t, x->q, x->v);
    status |= sb_dynamics_acceleration(dyn, t, x->q, x->v, x->a, NULL);
    gsl_test(status != SB_OK, "%s: begins (%s)", spec, f->ctx.message);
}

static void expect(const char *what, double found, double expected, double tolerance) {
    gsl_test(!(fabs(found - expected) <= tolerance), "%s (%.17g, %.17g)", what, found, expected);
}

/* Three bodies on four hinges, of 9 coordinates and 8 rows, move as two heads of bars of 4 coordinates and 3 rows: the
 * crank's head is head 0 of four_bar:N=1. */
static void test_four_bar(fixture *f) {
    sb_system file, built;
    sb_dynamics dyn, other;
    state x, y;
    begin(f, FILES "four_bar.json", &file, &dyn, &x);
    begin(f, "four_bar:N=1,phi0=1.5707963267948966,omega0=-1", &built, &other, &y);
    /* Values of the size of g, from two linear systems of some ten unknowns. */
    const double unit = 64.0 * DBL_EPSILON;
    for (int c = 0; c < 2; c++) {
        expect("four_bar: the crank's head", 2.0 * x.q[c], y.q[c], unit);
        expect("four_bar: its velocity", 2.0 * x.v[c], y.v[c], unit);
        expect("four_bar: its acceleration", 2.0 * x.a[c], y.a[c], 10.0 * unit);
        expect("four_bar: the coupler goes with the head", x.a[3 + c], y.a[c], 10.0 * unit);
    }
    expect("four_bar: the coupler does not turn", x.v[5], 0.0, unit);
    expect("four_bar: the rocker turns as the crank", x.a[8], x.a[2], 10.0 * unit);
}

/* The driven slider crank, whose motion the driver gives. */
static void test_slider_crank(fixture *f) {
    sb_system file, built;
    sb_dynamics dyn, other;
    state x, y;
    begin(f, FILES "slider_crank.json", &file, &dyn, &x);
    begin(f, "slider_crank:phi0=0.6", &built, &other, &y);
    gsl_test(built.n != file.n || sb_dynamics_acceleration(&dyn, 0.0, y.q, y.v, x.a, NULL) != SB_OK,
             "slider_crank: the same coordinates");
    /* Accelerations of r omega^2, 40 m/s^2, from linear systems with a condition of some hundred. */
    for (int i = 0; i < built.n; i++) {
        expect("slider_crank: acceleration", x.a[i], y.a[i], 1e-12 * 40.0);
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    test_four_bar(&f);
    test_slider_crank(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
