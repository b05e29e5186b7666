/* The recurrence analysis against closed forms of notes11 3-7 and the stability limits they imply. */
#include "analysis/stability/recurrence.h"
#include "tests/analysis/fixture.h"

/* A handful of operations a step, entries up to tau^2 and products of them in b. */
static double allowed(double tau) { return 64.0 * DBL_EPSILON * (1.0 + tau * tau * tau * tau); }

static sb_recurrence measure(fixture *f, const char *problem, const char *stepper, double tau) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_recurrence_probe probe;
    sb_recurrence s = {.a = NAN, .b = NAN};
    int status = sb_recurrence_open(&f->ctx, &f->arena, &pair, &probe);
    status = status == SB_OK ? sb_recurrence_measure(&probe, tau, &s) : status;
    gsl_test(status != SB_OK || !s.linear, "%s on %s at tau = %g is measured", stepper, problem, tau);
    return s;
}

static double limit(fixture *f, const char *problem, const char *stepper) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_recurrence_probe probe;
    double tau_max = NAN;
    int status = sb_recurrence_open(&f->ctx, &f->arena, &pair, &probe);
    status = status == SB_OK ? sb_recurrence_limit(&probe, 1.0 / 16.0, 20.0, &tau_max) : status;
    gsl_test(status != SB_OK, "the limit of %s on %s is found", stepper, problem);
    return tau_max;
}

/* Units must not matter: mass 2.5 kg, omega 3 1/s. */
static const char *const plain = "oscillator:m=2.5,omega=3", *const damped = "oscillator:m=2.5,omega=3,gamma=0.7";

static void closed_forms(fixture *f) {
    const double taus[] = {0.05, 0.3, 1.0, 1.7, 2.4, 5.0};
    for (size_t i = 0; i < sizeof taus / sizeof *taus; i++) {
        const double t = taus[i], t2 = t * t, tol = allowed(t);
        sb_recurrence s = measure(f, plain, "verlet", t);
        near(s.a, -2.0 * (1.0 - t2 / 2.0), tol, "verlet's a, (19)");
        near(s.b, 1.0, tol, "verlet's b, (19)");
        s = measure(f, plain, "euler_explicit", t);
        near(s.a, -2.0, tol, "explicit Euler's a, (26)");
        near(s.b, 1.0 + t2, tol, "explicit Euler's b, (26)");
        s = measure(f, plain, "euler_implicit", t);
        near(s.a, -2.0 / (1.0 + t2), tol, "implicit Euler's a, (30)");
        near(s.b, 1.0 / (1.0 + t2), tol, "implicit Euler's b, (30)");
        near(cos(s.phi), 1.0 / sqrt(1.0 + t2), tol, "implicit Euler's phase, (31)");
        s = measure(f, plain, "midpoint", t);
        near(s.a, -2.0 * (1.0 - t2 / 4.0) / (1.0 + t2 / 4.0), tol, "midpoint's a, (38)");
        near(s.b, 1.0, tol, "midpoint's b, (38)");
        near(s.phi, 2.0 * atan(t / 2.0), tol, "midpoint's phase, (39) corrected");
        near(s.r, 1.0, tol, "midpoint neither grows nor decays");
        gsl_test(!s.stable, "midpoint is stable at tau = %g", t);
        /* rk4: the map is the exponential's series to fourth order, so det = 1 - tau^6/72 + tau^8/576. */
        s = measure(f, plain, "rk4", t);
        near(s.a, -2.0 * (1.0 - t2 / 2.0 + t2 * t2 / 24.0), tol * (1.0 + t2 * t2), "rk4's a");
        near(s.b, 1.0 - t2 * t2 * t2 / 72.0 + t2 * t2 * t2 * t2 / 576.0, tol * (1.0 + t2 * t2), "rk4's b");
    }
}

/* With x'' = -omega^2 x - gamma v the Euler maps are [1 h; -h w2 1 - h gamma] and the inverse of [1 -h; h w2 1 + h
 * gamma]. */
static void damping(fixture *f) {
    const double t = 0.6, h = t / 3.0, g = 0.7 * h;
    sb_recurrence s = measure(f, damped, "euler_explicit", t);
    near(s.a, -(2.0 - g), allowed(t), "damped explicit Euler's a");
    near(s.b, 1.0 - g + t * t, allowed(t), "damped explicit Euler's b");
    s = measure(f, damped, "euler_implicit", t);
    near(s.a, -(2.0 + g) / (1.0 + g + t * t), allowed(t), "damped implicit Euler's a");
    near(s.b, 1.0 / (1.0 + g + t * t), allowed(t), "damped implicit Euler's b");
    double a, b;
    gsl_test(!sb_recurrence_exact("midpoint", t, g, &a, &b), "midpoint has a closed form with damping");
    s = measure(f, damped, "midpoint", t);
    near(s.a, a, allowed(t), "damped midpoint's a");
    near(s.b, b, allowed(t), "damped midpoint's b");
    gsl_test(sb_recurrence_exact("verlet", t, g, &a, &b), "verlet takes no damping and has none");
    gsl_test(sb_recurrence_exact("rk4", t, 0.0, &a, &b), "notes11 has no closed form for rk4");
    /* notes11 5: explicit Euler at tau = 1 is stable for tau^2 <= gamma h <= 2 + tau^2/2 only. */
    const struct {
        const char *problem;
        bool stable;
    } tight[] = {{"oscillator:gamma=0.9", false},
                 {"oscillator:gamma=1.1", true},
                 {"oscillator:gamma=2.4", true},
                 {"oscillator:gamma=2.6", false}};
    for (size_t i = 0; i < sizeof tight / sizeof *tight; i++) {
        gsl_test_int(measure(f, tight[i].problem, "euler_explicit", 1.0).stable, tight[i].stable,
                     "explicit Euler on %s at tau = 1", tight[i].problem);
    }
}

static void verdicts(fixture *f) {
    gsl_test(measure(f, plain, "verlet", 2.0).stable, "verlet grows linearly at tau = 2: a double root, no bound");
    gsl_test(measure(f, plain, "euler_symplectic", 2.0).stable, "and so does symplectic Euler");
    gsl_test(!measure(f, plain, "verlet", 2.0 - 1e-12).stable, "verlet is stable just below tau = 2");
    gsl_test(measure(f, plain, "verlet", 2.0 + 1e-12).stable, "and unstable just above");
    gsl_test(!measure(f, plain, "verlet", 1e-8).stable,
             "and stable at steps so small that the step map is the identity to half the digits");
    gsl_test(measure(f, plain, "euler_explicit", 1e-3).stable, "explicit Euler is unstable at tau = 1e-3");
    const sb_recurrence s = measure(f, plain, "verlet", 2.5); /* a = 17/4: roots -4 and -1/4 */
    near(s.root[0][0], -4.0, allowed(2.5), "the larger root");
    near(s.root[1][0], -0.25, allowed(2.5), "the smaller root");
    gsl_test(!isnan(s.phi), "real roots have no phase");
}

static void limits(fixture *f) {
    /* The limit is where |discriminant| = tau^2 |tau^2/4 - 1| gets below its round-off, some 1e-14. */
    near(limit(f, plain, "verlet"), 2.0, 1e-13, "verlet's limit, (20)");
    near(limit(f, plain, "euler_symplectic"), 2.0, 1e-13, "symplectic Euler's limit");
    near(limit(f, plain, "rk4"), 2.0 * M_SQRT2, 1e-13, "rk4's limit, tau^8/576 = tau^6/72");
    near(limit(f, plain, "euler_explicit"), 0.0, 0.0, "explicit Euler's limit");
    gsl_test(!isinf(limit(f, plain, "midpoint")), "midpoint has no limit");
    gsl_test(!isinf(limit(f, plain, "euler_implicit")), "implicit Euler has no limit");
    near(limit(f, damped, "euler_explicit"), 0.7 / 3.0, 1e-13, "damped explicit Euler's limit, gamma/omega");
}

static void refusals(fixture *f) {
    sb_table table;
    rows(f, "recurrence", "tau=0.5", "kepler", "rk4", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "one coordinate") == NULL, "a plane problem is refused: %s",
             sb_table_text(&table, 0, "status"));
    /* The angle of a pendulum is one coordinate, but not a linear one. */
    const char *problem = "pendulum", *formulation = "chart", *stepper = "rk4";
    sb_table_init(&table, &f->arena);
    gsl_test(sb_analysis_run(&f->ctx, "recurrence", "tau=0.5", 1, &problem, 1, &formulation, 1, &stepper, NULL,
                             &table.sink) != SB_OK,
             "the pendulum's angle runs: %s", f->ctx.message);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "linear") == NULL, "and is found not to be linear: %s",
             sb_table_text(&table, 0, "status"));
    gsl_test(!isnan(sb_table_real(&table, 0, "a")), "without numbers");
}

static void table_of(fixture *f) {
    sb_table table;
    rows(f, "recurrence", "tau=[0.5,2.5],limit=yes", NULL, "verlet", &table);
    gsl_test_int(table.nrows, 2, "a row for each tau");
    near(sb_table_real(&table, 0, "tau_max"), 2.0, 1e-13, "tau_max where asked for");
    near(sb_table_real(&table, 0, "freq_error"), acos(1.0 - 0.125) / 0.5 - 1.0, 1e-13, "the frequency error");
    near(sb_table_real(&table, 0, "a"), sb_table_real(&table, 0, "a_exact"), 1e-13, "closed form beside");
    gsl_test(strcmp(sb_table_text(&table, 0, "stable"), "yes") != 0 ||
                 strcmp(sb_table_text(&table, 1, "stable"), "no") != 0,
             "and the verdicts");
    rows(f, "recurrence", "tau=0.5", NULL, "verlet", &table);
    gsl_test(!isnan(sb_table_real(&table, 0, "tau_max")), "no tau_max where not asked for");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    closed_forms(&f);
    damping(&f);
    verdicts(&f);
    limits(&f);
    refusals(&f);
    table_of(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
