/* The blow-up analysis where the limit is known, its criterion on known growth, and the jitter of known sequences. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/modes/jitter.h"
#include "analysis/stability/blowup.h"
#include "tests/analysis/fixture.h"
#include "tests/analysis/quartic.h"

static const sb_blowup_config usual = {.kick = 1e-9, .growth = 1e8, .tol = 1e-6, .steps = 2000};

static sb_blowup measure(fixture *f, const char *problem, const char *stepper, double h_min, double h_max) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_blowup_config config = usual;
    sb_blowup b = {.h = NAN};
    config.h_min = h_min;
    config.h_max = h_max;
    const int status = sb_blowup_measure(&f->ctx, &f->arena, &config, &pair, &b);
    gsl_test(status != SB_OK, "%s on %s is measured: %s", stepper, problem, status == SB_OK ? "it is" : f->ctx.message);
    return b;
}

/* The header's 2.6e-6 and the bisection's 1e-6 add up to less than 5e-6. */
static const double allowed = 5e-6;

static void oscillator(fixture *f) {
    const double omega = 3.0;
    near(measure(f, "oscillator:m=2.5,omega=3", "verlet", 0.1, 10.0).h, 2.0 / omega, allowed,
         "verlet's limit, notes11 (20)");
    near(measure(f, "oscillator:m=2.5,omega=3", "euler_symplectic", 0.1, 10.0).h, 2.0 / omega, allowed,
         "symplectic Euler's limit");
    const sb_blowup midpoint = measure(f, "oscillator:m=2.5,omega=3", "midpoint", 0.1, 1000.0);
    gsl_test(midpoint.limited || midpoint.h != 1000.0, "midpoint has no limit up to the largest h tried");
    const sb_blowup below = measure(f, "oscillator", "verlet", 3.0, 10.0);
    gsl_test(!below.limited || below.h != 0.0, "a search that begins beyond the limit finds nothing stable");
}

/* The limit lies within its error, and that is small. */
static void limit_is(fixture *f, const char *problem, const char *stepper, double exact, double error_max) {
    const sb_blowup b = measure(f, problem, stepper, 0.0625 * exact, 16.0 * exact);
    gsl_test(!(exact >= b.h && exact <= b.h + b.error), "%s on %s: %.9g + %.2g, exact %.9g", stepper, problem, b.h,
             b.error, exact);
    gsl_test(!(b.error <= error_max * exact), "to %.2g", b.error / exact);
}

/* At its limit rk4's modulus crosses 1 with a slope: det = 1 - tau^6/72 + tau^8/576, so that growth of 1e8 in 2000
 * steps, a modulus of 1 + 0.0046, is reached 0.0046/(det'/2) = 0.0018 late, det' = 5.03. A fifth of that is the error.
 * With drag in the last velocity the limit of symplectic Euler is h^2 + 2 gamma h = 4, where a root is -1; at critical
 * drag, and for h = 1/gamma, at which a step takes away the whole perturbation. */
static void crossing(fixture *f) {
    limit_is(f, "oscillator", "rk4", 2.0 * M_SQRT2, 4e-4);
    limit_is(f, "oscillator:gamma=2", "euler_symplectic", 2.0 * M_SQRT2 - 2.0, 4e-4);
    limit_is(f, "oscillator:gamma=30", "euler_symplectic", sqrt(904.0) - 30.0, 6e-4);
    limit_is(f, "oscillator:gamma=0.1", "reg", sqrt(4.01) - 0.1, 4e-4);
}

/* The growth measured is that of the larger root: (tau^2/2 - 1) + sqrt((tau^2/2 - 1)^2 - 1) a step, its square in
 * energy. */
static void growth(fixture *f) {
    const sb_pair pair = pair_of(f, "oscillator", "verlet");
    sb_blowup_config config = usual;
    sb_growth g;
    const double h = 2.1, c = h * h / 2.0 - 1.0, root = c + sqrt(c * c - 1.0);
    gsl_test(sb_blowup_growth(&f->ctx, &f->arena, &config, &pair, h, NULL, &g) != SB_OK, "growth is measured");
    gsl_test(g.stable || g.cause != NULL, "verlet at tau = 2.1 grows, and no step fails");
    near((double)g.steps, log(config.growth) / (2.0 * log(root)), 3.0,
         "steps it takes to grow by 1e8"); /* up to the starting vector's share */
    /* Linear growth is no instability by this measure. */
    gsl_test(sb_blowup_growth(&f->ctx, &f->arena, &config, &pair, 2.0, NULL, &g) != SB_OK || !g.stable,
             "at tau = 2 it grows linearly: %.3g", g.growth);
    gsl_test(!(g.growth > 1e4), "by steps^2: %.3g", g.growth);
}

/* The hanging pendulum is the oscillator of sqrt(g/l), for SHAKE, RATTLE and velocity time stepping alike. */
static void pendulum(fixture *f) {
    static const char *const steppers[] = {"shake", "rattle", "vts", "vts:beta=0.2", "vts:beta=1"};
    const double limit = 2.0 / sqrt(9.81 / 0.7);
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        const sb_blowup b = measure(f, "pendulum:theta0=0,l=0.7", steppers[i], 0.1, 10.0);
        near(b.h / limit, 1.0, allowed, steppers[i]);
        near(b.beyond.transversal, 1.0, 1e-6, "and what grows is along the constraint");
    }
    gsl_test(measure(f, "pendulum:theta0=0,l=0.7", "em", 0.1, 5.0).limited, "em has no limit");
}

static void table_of(fixture *f) {
    sb_table table;
    rows(f, "blowup", "", "pendulum:theta0=0,l=0.7", "shake", &table);
    near(sb_table_real(&table, 0, "ratio"), 1.0, allowed, "measured over predicted");
    near(sb_table_real(&table, 0, "h_projected"), 2.0 / sqrt(9.81 / 0.7), 1e-12, "predicted");
    rows(f, "blowup", "h_max=2", "pendulum:theta0=0", "em", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "status"), "stable up to the largest h tried, 2") != 0,
             "a method without limit: %s", sb_table_text(&table, 0, "status"));
    gsl_test(!isnan(sb_table_real(&table, 0, "h_measured")), "has no number");
    rows(f, "blowup", "", "oscillator:omega=3,m=2", "verlet", &table);
    near(sb_table_real(&table, 0, "h_projected"), 2.0 / 3.0, 1e-15,
         "without constraints the potential's modes predict");
    near(sb_table_real(&table, 0, "ratio"), 1.0, allowed, "and are right for Verlet");
    near(sb_table_real(&table, 0, "h_measured"), 2.0 / 3.0, allowed, "as measured");
    const double error = sb_table_real(&table, 0, "h_error");
    gsl_test(!(error > 0.0 && error <= 1e-6 * 2.0 / 3.0), "to the tolerance of the bisection: %.2g", error);
    gsl_test(run_one(f, "blowup", "h_min=2,h_max=1", "oscillator", "verlet", &table) != SB_BAD_USAGE,
             "an empty range is refused: %s", f->ctx.message);
}

/* ---- Chaos. ---- */

/* Whether a long step of a chaotic motion is stable is decided by round-off. The limit's error says so: that of a
 * motion which begins 1e-12 elsewhere lies within the errors of both. */
static void edge_of_chaos(fixture *f) {
    static const char *const starts[] = {"dsp", "dsp:ic=given,x1=2.820000000001"};
    sb_table table;
    double h[2], error[2];
    for (int i = 0; i < 2; i++) {
        rows(f, "blowup", "steps=1000,tol=1e-4", starts[i], "gauss_seidel_spook", &table);
        h[i] = sb_table_real(&table, 0, "h_measured");
        error[i] = sb_table_real(&table, 0, "h_error");
    }
    gsl_test(!(fabs(h[0] - h[1]) <= error[0] + error[1]), "%.4g + %.2g, %.4g + %.2g", h[0], error[0], h[1], error[1]);
    gsl_test(!(error[0] > 0.01 * h[0]), "the limit is not sharp: %.2g", error[0] / h[0]);
    /* Searches that agree have seen steps a factor 1.25^(1/3) apart, and none between. */
    rows(f, "blowup", "steps=1000,tol=1e-3", "dsp", "del", &table);
    h[0] = sb_table_real(&table, 0, "h_measured");
    error[0] = sb_table_real(&table, 0, "h_error");
    gsl_test(!(error[0] >= 0.999 * (cbrt(1.25) - 1.0) * h[0]), "the limit of del: %.4g + %.2g", h[0], error[0]);
}

static const char *const chaotic[] = {"quartic:a=1,y0=-0.15,E=0.15", "quartic:b=1,y0=0.5,E=5",
                                      "thread:n=3,l=1,angle=2.5"};
static const char *const of_chaos[] = {"verlet", "verlet", "rattle"};

/* Small steps of chaotic motion are stable although a perturbation grows: without the flow they count as unstable. */
static void chaos(fixture *f) {
    for (int i = 0; i < 3; i++) {
        const sb_pair pair = pair_of(f, chaotic[i], of_chaos[i]);
        sb_blowup_config config = usual;
        sb_growth bare, own;
        sb_flow flow;
        config.steps = 20000;
        const double h = 0.02 * pair.sys->time_scale;
        sb_flow_init(&f->arena, &pair, config.kick, config.growth, 0.0, &flow);
        gsl_test(sb_blowup_growth(&f->ctx, &f->arena, &config, &pair, h, NULL, &bare) != SB_OK, "growth");
        gsl_test(sb_blowup_growth(&f->ctx, &f->arena, &config, &pair, h, &flow, &own) != SB_OK, "growth");
        gsl_test(bare.stable, "%s: a perturbation grows by 1e8: %g", chaotic[i], bare.growth);
        gsl_test(!own.stable, "%s: but no more than in the motion: %g", chaotic[i], own.growth);
    }
}

/* The limit in chaotic motion: the longest steps that were followed from the start are stable, those of twice the limit
 * of the fastest mode are not, and a limit does not fall with the number of steps. The largest Lyapunov exponent of
 * Henon and Heiles' system at E = 1/6 is about 0.1 (Benettin, Galgani and Strelcyn 1976). */
static void limit_in_chaos(fixture *f) {
    sb_table table;
    double before = NAN;
    for (int steps = 1000; steps <= 4000; steps *= 2) {
        char options[40];
        snprintf(options, sizeof options, "steps=%d,tol=1e-3", steps);
        rows(f, "blowup", options, chaotic[0], "verlet", &table);
        const double h = sb_table_real(&table, 0, "h_measured"), rate = sb_table_real(&table, 0, "rate");
        gsl_test(!(h >= 0.5 && h <= 2.0), "Henon and Heiles, %d steps: %g", steps, h);
        gsl_test(!(isnan(before) || (h > before / 1.5 && h < 1.5 * before)), "as with half as many: %g", before);
        gsl_test(!(rate > 0.03 && rate < 0.3), "its exponent: %g", rate);
        before = h;
    }
    rows(f, "blowup", "tol=1e-3", chaotic[1], "euler_explicit", &table);
    gsl_test(strncmp(sb_table_text(&table, 0, "status"), "unstable at the smallest h tried", 32) != 0,
             "what grows in the method alone is not the motion's: %s", sb_table_text(&table, 0, "status"));
}

/* SHAKE's positions are RATTLE's but for round-off, so their limits are equal also where the motion is chaotic: runs
 * end where round-off has grown to the size of the motion. To the errors of the limits: a run near the limit may fail
 * in its last steps, where the two part. */
static void equal_limits_in_chaos(fixture *f) {
    static const char *const problems[] = {"thread:n=5,angle=2", "rod_chain:n=2,l=0.6", "thread:n=4,l=1,angle=2.5"};
    for (int i = 0; i < 3; i++) {
        sb_table table[2];
        rows(f, "blowup", "tol=1e-3", problems[i], "shake", &table[0]);
        rows(f, "blowup", "tol=1e-3", problems[i], "rattle", &table[1]);
        gsl_test(!(sb_table_real(&table[0], 0, "rate") > 0.0), "%s is chaotic", problems[i]);
        const double h[2] = {sb_table_real(&table[0], 0, "h_measured"), sb_table_real(&table[1], 0, "h_measured")};
        const double error = sb_table_real(&table[0], 0, "h_error") + sb_table_real(&table[1], 0, "h_error");
        gsl_test(!(fabs(h[0] - h[1]) <= error && error < 0.5 * h[0]), "%s: %g and %g to %g", problems[i], h[0], h[1],
                 error);
    }
}

/* Implicit Euler takes energy out of an orbit, which falls into the centre with every step, where the equations of the
 * step are not solved: that the solver fails first does not make it a limit of the solver. */
static void falling_orbit(fixture *f) {
    sb_table table;
    rows(f, "blowup", "tol=1e-2", "kepler:e=0.4", "euler_implicit", &table);
    gsl_test(strncmp(sb_table_text(&table, 0, "status"), "unstable at the smallest h tried", 32) != 0,
             "an orbit that falls: %s", sb_table_text(&table, 0, "status"));
}

/* Above its energy of escape, 1/6, Henon and Heiles' system reaches infinity in finite time with every step: that a run
 * fails there is no instability, and the status says up to when steps were compared. */
static void motion_that_ends(fixture *f) {
    sb_table table;
    rows(f, "blowup", "tol=1e-2", "quartic:a=1,y0=0.3,E=0.5", "verlet", &table);
    const char *status = sb_table_text(&table, 0, "status"), *at = strstr(status, "up to t = ");
    gsl_test(at == NULL || strstr(status, "cannot be followed") == NULL, "the motion ends: %s", status);
    gsl_test(at != NULL && !(atof(at + 10) > 2.0 && atof(at + 10) < 40.0), "after some oscillations, not at once");
    const sb_pair pair = pair_of(f, "quartic:a=1,y0=0.3,E=0.5", "verlet");
    sb_growth g;
    sb_flow flow;
    sb_flow_init(&f->arena, &pair, usual.kick, usual.growth, 0.0, &flow);
    gsl_test(sb_blowup_growth(&f->ctx, &f->arena, &usual, &pair, 0.05, &flow, &g) != SB_OK, "growth");
    gsl_test(!g.stable || g.cause == NULL, "a step of 0.05 is stable although its run fails");
}

/* Rods that hang level have no stiffness, and multipliers that cancel leave its round-off; a closed chain that is
 * driven has no motion of its own, in no pose, of which the projection onto its constraints leaves round-off. */
static void without_modes(fixture *f) {
    static const char *const driven[] = {"slider_crank", "slider_crank:phi0=0.3", "slider_crank:phi0=1,m1=3"};
    sb_table table;
    rows(f, "blowup", "steps=200,tol=0.1", "rod_chain", "rattle", &table);
    gsl_test(!isinf(sb_table_real(&table, 0, "h_projected")), "level rods do not oscillate: 2/omega = %g",
             sb_table_real(&table, 0, "h_projected"));
    gsl_test(!isnan(sb_table_real(&table, 0, "ratio")), "and no ratio is formed: %g",
             sb_table_real(&table, 0, "ratio"));
    for (size_t i = 0; i < sizeof driven / sizeof *driven; i++) {
        rows(f, "blowup", "", driven[i], "spook", &table);
        gsl_test(strstr(sb_table_text(&table, 0, "status"), "leave no degree of freedom") == NULL, "%s: %s", driven[i],
                 sb_table_text(&table, 0, "status"));
    }
}

/* J of v = a + (-1)^k b is the kinetic energy of b; of b's part along and across the constraint it is the split. On the
 * pendulum hanging down x is along, y across. */
static void jitter(fixture *f) {
    const sb_pair pair = pair_of(f, "pendulum:theta0=0,m=3", "shake");
    sb_dynamics dyn;
    sb_jitter j;
    double t, q[2], v[2], work[6];
    const double odd[2] = {0.7 - 0.2, 0.4 + 0.5}, even[2] = {0.7 + 0.2, 0.4 - 0.5};
    gsl_test(sb_dynamics_init(&f->ctx, &f->arena, pair.sys, &dyn) != SB_OK, "dynamics");
    gsl_test(pair.sys->initial(pair.sys->self, &t, q, v) != SB_OK, "initial state");
    gsl_test(sb_jitter_measure(&dyn, t, q, even, odd, even, work, &j) != SB_OK, "jitter is measured");
    near(j.transversal, 0.5 * 3.0 * 0.2 * 0.2, 1e-15, "along the constraint");
    near(j.constraint, 0.5 * 3.0 * 0.5 * 0.5, 1e-15, "across it");
    const double line[3][2] = {{0.1, 0.2}, {0.3, 0.1}, {0.5, 0.0}};
    gsl_test(sb_jitter_measure(&dyn, t, q, line[0], line[1], line[2], work, &j) != SB_OK,
             "jitter of constant acceleration");
    near(j.transversal + j.constraint, 0.0, 1e-31, "is none");
    /* Of a cosine of angle p a step, the second difference is -4 sin^2(p/2) of it: J / kinetic energy = sin^4(p/2),
     * verlet at tau = 1.9. */
    sb_table table;
    rows(f, "jitter", "h=1.9,t_end=190,every=97", "oscillator", "verlet", &table);
    gsl_test_int(table.nrows, 1, "a row for each mean");
    const double p = acos(1.0 - 1.9 * 1.9 / 2.0), s2 = sin(p / 2.0) * sin(p / 2.0);
    near(sb_table_real(&table, 0, "jitter") / sb_table_real(&table, 0, "kinetic"), s2 * s2, 1e-10,
         "jitter of Verlet's oscillation");
    near(sb_table_real(&table, 0, "jitter_constraint"), 0.0, 0.0, "none of it across constraints where there are none");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    oscillator(&f);
    crossing(&f);
    growth(&f);
    pendulum(&f);
    table_of(&f);
    gsl_test(sb_registry_add(&f.registry, SB_KIND_PROBLEM, &quartic_problem.entry) != SB_OK, "a problem of tests");
    edge_of_chaos(&f);
    chaos(&f);
    limit_in_chaos(&f);
    equal_limits_in_chaos(&f);
    falling_orbit(&f);
    motion_that_ends(&f);
    without_modes(&f);
    jitter(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
