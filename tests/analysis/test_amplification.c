/* The amplification matrix of a step's whole state against closed forms: roots, multiplicities, limits, and what has no
 * equilibrium. */
#include <complex.h>

#include "analysis/stability/amplification.h"
#include "tests/analysis/fixture.h"

static sb_amplification measure(fixture *f, const char *problem, const char *stepper, double h) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_amplification a = {.radius = NAN};
    const int status = sb_amplification_measure(&f->ctx, &f->arena, &pair, h, &a);
    gsl_test(status != SB_OK, "%s on %s at h = %g is measured: %s", stepper, problem, h,
             status == SB_OK ? "it is" : f->ctx.message);
    return a;
}

/* The root nearest to re + i im is there, to round-off of the matrix (its noise) over the root's condition. */
static void has_root(const sb_amplification *a, double re, double im, const char *what) {
    double nearest = INFINITY, tolerance = 0.0;
    for (int i = 0; i < a->count; i++) {
        const double d = hypot(a->roots[i].re - re, a->roots[i].im - im);
        if (d < nearest) {
            nearest = d;
            tolerance = a->roots[i].tolerance;
        }
    }
    gsl_test(!(nearest <= 8.0 * tolerance + 1e-12), "%s: the root %.9g + %.9gi is %.2g off, tolerance %.2g", what, re,
             im, nearest, tolerance);
}

/* Roots of x^2 + a x + b on the upper half plane, or the larger real one. */
static void has_roots(const sb_amplification *m, double a, double b, const char *what) {
    const double disc = 0.25 * a * a - b, s = sqrt(fabs(disc));
    has_root(m, -0.5 * a + (disc > 0.0 ? s : 0.0), disc > 0.0 ? 0.0 : s, what);
    has_root(m, -0.5 * a - (disc > 0.0 ? s : 0.0), disc > 0.0 ? 0.0 : -s, what);
}

/* notes11 (19), (26), (30), (38). */
static void oscillator(fixture *f) {
    static const double taus[] = {0.1, 0.7, 1.5, 2.5};
    for (size_t i = 0; i < sizeof taus / sizeof *taus; i++) {
        const double t2 = taus[i] * taus[i], h = taus[i] / 3.0;
        const char *problem = "oscillator:m=2.5,omega=3";
        sb_amplification a = measure(f, problem, "verlet", h);
        has_roots(&a, t2 - 2.0, 1.0, "verlet");
        gsl_test((a.bounded == SB_BOUNDED) != (taus[i] < 2.0), "verlet is bounded below tau = 2 only: %s",
                 sb_bounded_name[a.bounded]);
        a = measure(f, problem, "euler_explicit", h);
        has_roots(&a, -2.0, 1.0 + t2, "explicit Euler");
        near(a.radius, sqrt(1.0 + t2), 1e-11, "its radius");
        a = measure(f, problem, "euler_implicit", h);
        has_roots(&a, -2.0 / (1.0 + t2), 1.0 / (1.0 + t2), "implicit Euler");
        a = measure(f, problem, "midpoint", h);
        has_roots(&a, -2.0 * (1.0 - t2 / 4.0) / (1.0 + t2 / 4.0), 1.0, "midpoint");
        gsl_test_int((int)a.bounded, SB_BOUNDED, "midpoint is bounded");
    }
}

/* Verlet's double root -1 at its limit has one eigenvector, explicit Euler's 1 at h -> 0 of a free particle too; the
 * plane's two equal coordinates have double roots with all their eigenvectors. */
static void defective(fixture *f) {
    const sb_amplification a = measure(f, "oscillator:omega=2", "verlet", 1.0);
    if (a.count < 2) {
        return; /* not measured, which has been reported */
    }
    gsl_test_int((int)a.bounded, SB_GROWS_LINEARLY, "verlet grows linearly at tau = 2");
    gsl_test(!a.roots[0].defective || !a.roots[1].defective, "its double root is defective");
    gsl_test_int(a.roots[0].multiplicity, 2, "and double");
    /* A double root under noise d of the matrix: the two are sqrt(4 d) apart at most, and the tolerance is of that
     * size. */
    const double distance = hypot(a.roots[0].re + 1.0, a.roots[0].im);
    gsl_test(!(distance <= 8.0 * a.roots[0].tolerance), "the root is -1 to its tolerance: %.2g, %.2g", distance,
             a.roots[0].tolerance);
    gsl_test(!(a.roots[0].tolerance > 0.1 * sqrt(a.noise) && a.roots[0].tolerance < 100.0 * sqrt(a.noise)),
             "which is the square root of the noise %.2g: %.2g", a.noise, a.roots[0].tolerance);
    /* Hanging at rest, the spherical links of the double pendulum swing alike in x and y. */
    const sb_amplification twice = measure(f, "dsp", "shake", 0.2);
    if (twice.count < 2) {
        return;
    }
    gsl_test_int((int)twice.bounded, SB_BOUNDED, "multiple roots with all their eigenvectors are no growth");
    gsl_test(twice.roots[0].defective, "and not defective");
    gsl_test(!(twice.roots[0].multiplicity >= 2), "though multiple");
}

/* The hanging pendulum is the oscillator of omega = sqrt(g/l) in its one transversal mode. */
static void pendulum(fixture *f) {
    static const char *const steppers[] = {"shake",      "rattle", "del:quadrature=left", "vts", "vts:beta=0.2",
                                           "vts:beta=1", "reg"};
    const double h = 0.3, t2 = h * h * 9.81 / 0.7;
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        for (int k = 0; k < 2; k++) {
            const char *problem =
                k == 0 ? "pendulum:theta0=0,l=0.7,constraint=norm" : "pendulum:theta0=0,l=0.7,constraint=square";
            const sb_amplification a = measure(f, problem, steppers[i], h);
            has_roots(&a, t2 - 2.0, 1.0, steppers[i]);
            near(a.transversal_radius, 1.0, 1e-9, "radius of the transversal mode");
        }
    }
    /* What velocity time stepping makes of a violation: 1 - beta of it is left after a step. */
    const sb_amplification a = measure(f, "pendulum:theta0=0,l=0.7", "vts:beta=0.2", h);
    has_root(&a, 0.8, 0.0, "a violation under beta = 0.2");
    /* 2/omega to 4 digits, from the verdicts. */
    const double limit = 2.0 / sqrt(9.81 / 0.7);
    for (size_t i = 0; i < 2; i++) {
        gsl_test(measure(f, "pendulum:theta0=0,l=0.7", steppers[i], limit * (1.0 - 1e-5)).bounded != SB_BOUNDED,
                 "%s just below 2/omega", steppers[i]);
        gsl_test(measure(f, "pendulum:theta0=0,l=0.7", steppers[i], limit * (1.0 + 1e-5)).bounded != SB_GROWS,
                 "%s just above 2/omega", steppers[i]);
    }
}

/* SPOOK, spook07 (29), on one constraint row: sigma = 4 eps/(h^2 (1 + 4 tau)), a violation is multiplied by the roots
 * of g'' with those coefficients; checked where eps -> 0: g_{k+1} = g_k (1 - 4/(1 + 4 tau)) ... + G'v/(1 + 4 tau) h. */
static void spook(fixture *f) {
    const double tau = 2.0, psi = 1.0 / (1.0 + 4.0 * tau);
    const sb_amplification a = measure(f, "pendulum:theta0=0", "spook:eps=0,tau=2", 0.1);
    /* y_{k+1} = y_k + h u_{k+1}, h u_{k+1} = -4 psi y_k + psi h u_k: trace 1 + psi - 4 psi, determinant psi. */
    has_roots(&a, -(1.0 - 3.0 * psi), psi, "a violation under SPOOK");
}

/* A pendulum on a strong spring sinks by eps m g under its weight; only there it swings, with omega^2 = g/r, for the
 * force of the spring along the circle vanishes with its elongation. Verlet's roots have the sum 2 - h^2 omega^2. */
static void sunk(fixture *f) {
    const char *const penalty = "penalty:eps=5e-5";
    const double h = 0.005, g = 9.81, trace = 2.0 - h * h * g / (1.0 + 5e-5 * g);
    sb_system sys;
    sb_pair pair = {.problem = "pendulum", .stepper = "verlet"};
    sb_amplification a;
    gsl_test(sb_system_build(&f->ctx, &f->arena, "pendulum:constraint=norm,theta0=0,m=1,l=1,g=9.81", 1, &penalty,
                             &sys) != SB_OK ||
                 sb_pair_build(&f->ctx, &f->arena, &sys, "verlet", &pair) != SB_OK ||
                 sb_amplification_measure(&f->ctx, &f->arena, &pair, h, &a) != SB_OK,
             "a pendulum on a spring: %s", f->ctx.message);
    has_roots(&a, -trace, 1.0, "a swing about the sunken rest");
}

/* BDF with k = 4 steps on q'' = -q, whose state holds four points: the roots z of hnw93 (III.1.22') with y' = i y,
 * (sum_j (1/j) (1 - 1/z)^j - i h)(sum_j (1/j) (1 - 1/z)^j + i h) = 0. */
static void history(fixture *f) {
    const double h = 1.0;
    const sb_amplification a = measure(f, "oscillator", "bdf:order=4", h);
    gsl_test_int(a.count, 8, "four points of position and velocity");
    for (int i = 0; i < a.count; i++) {
        const double complex z = a.roots[i].re + I * a.roots[i].im, d = 1.0 - 1.0 / z;
        const double complex rate = d + d * d / 2.0 + d * d * d / 3.0 + d * d * d * d / 4.0;
        gsl_test(!(cabs(rate * rate + h * h) <= 1e-9), "BDF: root %.9g + %.9gi", creal(z), cimag(z));
    }
    gsl_test_int((int)a.bounded, SB_GROWS, "BDF of order 4 is unstable on the imaginary axis");
}

static void tables(fixture *f) {
    sb_table table;
    rows(f, "amplification", "h=[0.1,0.2],vary=l,values=[0.5,2]", "pendulum:theta0=0,l=1", "shake", &table);
    gsl_test_int(table.nrows, 4, "a row for each h and value");
    near(sb_table_real(&table, 0, "value"), 0.5, 0.0, "the value varied");
    rows(f, "amplification", "h=0.3,vary=beta,values=[0,0.5,1],roots=yes", "pendulum:theta0=0", "vts", &table);
    gsl_test(!(table.nrows > 3), "rows of roots");
    /* Varied: at l = 0.02, 2/omega = 0.0903 < h = 0.1. */
    rows(f, "amplification", "h=0.1,vary=l,values=[0.02,0.03]", "pendulum:theta0=0", "shake", &table);
    gsl_test(
        strcmp(sb_table_text(&table, 0, "stable"), "no") != 0 || strcmp(sb_table_text(&table, 1, "stable"), "yes") != 0,
        "the parameter is at work: %s, %s", sb_table_text(&table, 0, "stable"), sb_table_text(&table, 1, "stable"));
    rows(f, "amplification", "h=0.1", "kepler", "rk4", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "no equilibrium") == NULL, "no equilibrium is a status: %s",
             sb_table_text(&table, 0, "status"));
    gsl_test(run_one(f, "amplification", "vary=l", "pendulum", "shake", &table) != SB_BAD_USAGE,
             "vary without values is refused");
    gsl_test(run_one(f, "amplification", "vary=nothing,values=1", "pendulum", "shake", &table) != SB_BAD_USAGE,
             "an unknown parameter is refused: %s", f->ctx.message);
    gsl_test(run_one(f, "amplification", "vary=m,values=-1", "pendulum", "shake", &table) != SB_BAD_USAGE,
             "a value out of range too: %s", f->ctx.message);
}

/* |R| = 1 of Gauss's method at every h omega, as long as its iteration converges: the matrix is that of stages solved
 * to round-off. And an isotropic oscillator has equal roots with their own eigenvectors, which lie anywhere in a plane:
 * they are not defective. */
static void neutral(fixture *f) {
    const sb_pair gauss = pair_of(f, "oscillator", "gauss"),
                  planar = pair_of(f, "henon_heiles:x0=0.0304045477,y0=0.0255551871,vx0=0", "del");
    sb_amplification at_rest;
    const sb_pair pendulum = pair_of(f, "double_pendulum:theta1=0,theta2=0", "gauss:stages=1");
    gsl_test(sb_amplification_measure(&f->ctx, &f->arena, &pendulum, 0.2, &at_rest) != SB_OK ||
                 at_rest.bounded != SB_BOUNDED,
             "gauss next to the origin: %s", f->ctx.message);
    for (int i = 0; i < 160; i++) {
        const double h = 2.0 + 0.005 * i, small = 0.2 + 0.01 * i;
        sb_amplification a;
        gsl_test(sb_amplification_measure(&f->ctx, &f->arena, &gauss, h, &a) != SB_OK || a.bounded != SB_BOUNDED,
                 "gauss at h omega = %g: |root| - 1 = %.2g", h, a.radius - 1.0);
        gsl_test(sb_amplification_measure(&f->ctx, &f->arena, &planar, small, &a) != SB_OK || a.bounded != SB_BOUNDED,
                 "equal roots at h omega = %g: %s", small, sb_bounded_name[a.bounded]);
    }
}

int main(void) {
    fixture f;
    fixture_init(&f);
    oscillator(&f);
    defective(&f);
    pendulum(&f);
    spook(&f);
    sunk(&f);
    neutral(&f);
    history(&f);
    tables(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
