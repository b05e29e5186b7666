/* The advisor: limits known in closed form, verdicts on either side of them, the mode and the alternatives it names.
 * transv18. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/analysis/fixture.h"
#include "tests/analysis/quartic.h"

static void verdict(fixture *f, const char *problem, const char *stepper, double h, bool safe) {
    sb_table table;
    char options[40];
    snprintf(options, sizeof options, "h=%.17g", h);
    rows(f, "advise", options, problem, stepper, &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), safe ? "yes" : "no") != 0, "%s on %s with h = %g is %s", stepper,
             problem, h, safe ? "safe" : "not safe");
    const bool keep = strncmp(sb_table_text(&table, 0, "advice"), "keep h", 6) == 0;
    gsl_test(keep != safe, "and is %s: %s", safe ? "kept" : "not kept", sb_table_text(&table, 0, "advice"));
}

static void advised(fixture *f, const char *options, const char *problem, const char *stepper, const char *advice) {
    sb_table table;
    rows(f, "advise", options, problem, stepper, &table);
    gsl_test(strncmp(sb_table_text(&table, 0, "advice"), advice, strlen(advice)) != 0,
             "%s on %s, %s: \"%s\", not \"%s\"", stepper, problem, options, advice, sb_table_text(&table, 0, "advice"));
}

/* Verlet and the constrained methods that are like it along the constraints: h omega = 2. Where roots meet, a step is
 * decided down to e = 8 d, d the error of the matrix; del solves its equations to 1e-10, and differences over 1/500
 * make that 5e-8. */
static void limits(fixture *f) {
    static const char *const explicit_ones[] = {"shake", "rattle", "vts", "spook", "reg", "del"};
    sb_table table;
    for (size_t i = 0; i < sizeof explicit_ones / sizeof *explicit_ones; i++) {
        rows(f, "advise", "h=0.1", "thread:n=1,g=5,l=2", explicit_ones[i], &table);
        const double allowed = strcmp(explicit_ones[i], "del") == 0 ? 5e-6 : 1e-6;
        near(sb_table_real(&table, 0, "tau_limit"), 2.0, allowed, explicit_ones[i]);
        near(sb_table_real(&table, 0, "omega"), sqrt(2.5), 1e-14, "omega of a hanging particle");
        near(sb_table_real(&table, 0, "h_limit"), 2.0 / sqrt(2.5), allowed, "2/omega");
        near(sb_table_real(&table, 0, "margin"), 20.0 / sqrt(2.5), 10.0 * allowed, "over h");
    }
    rows(f, "advise", "h=0.1", "thread:n=1,g=5,l=2", "reg:start=full", &table);
    near(sb_table_real(&table, 0, "tau_limit"), 2.0, 1e-6, "a start that is half a step off has the same roots");
    verdict(f, "thread:n=1,g=5,l=2", "shake", 0.99999 * 2.0 / sqrt(2.5), true);
    verdict(f, "thread:n=1,g=5,l=2", "shake", 1.00001 * 2.0 / sqrt(2.5), false);
}

/* The forces of the energy-momentum method are mean values over a step, and no step is too long for linear stability. A
 * step beyond the limit of SHAKE keeps the motion, one of ten periods does not: Newton's iteration fails. */
static void unconditional(fixture *f) {
    sb_table table;
    rows(f, "advise", "h=0.3", "dsp", "em", &table);
    gsl_test(!isinf(sb_table_real(&table, 0, "tau_limit")), "em has no linear limit");
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "yes") != 0, "and passes beyond that of SHAKE");
    rows(f, "advise", "h=0.3", "dsp", "shake", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "advice"), "em") == NULL, "and is named where SHAKE fails: %s",
             sb_table_text(&table, 0, "advice"));
    rows(f, "advise", "h=10", "dsp", "em", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "no") != 0 ||
                 strstr(sb_table_text(&table, 0, "advice"), "Newton's iteration did not converge") == NULL,
             "but not with ten periods in a step: %s", sb_table_text(&table, 0, "advice"));
}

/* h that the advice names after "h = ". */
static double named(const sb_table *table) {
    const char *at = strstr(sb_table_text(table, 0, "advice"), "h = ");
    return at != NULL ? atof(at + 4) : NAN;
}

/* Linearly stable steps with which a run fails or leaves its orbit are not safe, and the step that is named instead is.
 * The energy of Verlet's orbit around a centre of attraction rises above zero at h = 0.5, at 0.7 of the limit, and
 * with shorter steps after several revolutions: with h = 0.35 at step 160, twice as late as the motion is followed.
 * Between two coupled oscillators of Henon and Heiles, near their energy of escape, Verlet leaves with steps of 1.2.
 */
static void by_a_run(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        double h;
    } cases[] = {{"kepler", "verlet", 0.5},
                 {"kepler:e=0.8", "euler_symplectic", 0.15},
                 {"kepler:e=0.8", "verlet", 0.1},
                 {"kepler", "verlet", 0.35},
                 {"dsp", "shake", 0.2},
                 {"quartic:a=1,y0=-0.15,E=0.15", "verlet", 1.2},
                 {"thread:n=3,angle=2", "shake", 0.05}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char options[40];
        sb_table table;
        snprintf(options, sizeof options, "h=%g", cases[i].h);
        rows(f, "advise", options, cases[i].problem, cases[i].stepper, &table);
        gsl_test(!(sb_table_real(&table, 0, "margin") > 1.0), "%s, h = %g is linearly stable", cases[i].problem,
                 cases[i].h);
        gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "no") != 0, "but a run is not: %s",
                 sb_table_text(&table, 0, "advice"));
        const double less = named(&table);
        gsl_test(!(less > 0.0 && less < cases[i].h), "a shorter step is named: %g", less);
        snprintf(options, sizeof options, "h=%.17g", less);
        rows(f, "advise", options, cases[i].problem, cases[i].stepper, &table);
        gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "yes") != 0, "with it a run is: %s",
                 sb_table_text(&table, 0, "advice"));
    }
}

/* Where rattle does not take the problem, the stepper itself follows the motion: the modes of a top that falls are
 * faster than those of its start. A motion that cannot be followed leaves the verdict open. */
static void followed(fixture *f) {
    sb_table table;
    rows(f, "advise", "h=0.01", "heavy_top", "spook", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "by"), "spook") != 0, "rattle does not take a top: %s",
             sb_table_text(&table, 0, "by"));
    near(sb_table_real(&table, 0, "followed"), 40.0 * 0.05, 1e-9, "followed for 40 time scales");
    /* Above its energy of escape, 1/6, Henon and Heiles' system reaches infinity in finite time. */
    rows(f, "advise", "h=0.001,t_end=100", "quartic:a=1,y0=0.3,E=0.5", "verlet", &table);
    const double end = sb_table_real(&table, 0, "followed");
    gsl_test(!(end < 99.0), "the motion ends at %g", end);
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "unclear") != 0 ||
                 strstr(sb_table_text(&table, 0, "advice"), "a shorter t_end or h would decide") == NULL,
             "so that it is %s: %s", sb_table_text(&table, 0, "safe"), sb_table_text(&table, 0, "advice"));
    /* A run ends where it is asked to. */
    rows(f, "advise", "h=0.01,t_end=1", "quartic:a=1,y0=0.3,E=0.5", "verlet", &table);
    near(sb_table_real(&table, 0, "followed"), 1.0, 1e-9, "followed for as long as asked");
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "yes") != 0 ||
                 strstr(sb_table_text(&table, 0, "advice"), "a run of 100 steps") == NULL,
             "a motion that ends after the run: %s", sb_table_text(&table, 0, "advice"));
}

/* A pendulum let go at a right angle passes its lowest point under three times its weight: omega^2 = 3 g/l, at a
 * quarter of its period. */
static void along_the_motion(fixture *f) {
    sb_table table;
    rows(f, "advise", "h=0.1,t_end=2,samples=100000", "pendulum:theta0=1.5707963267948966,g=10,l=1", "rattle", &table);
    near(sb_table_real(&table, 0, "omega"), sqrt(30.0), 0.01,
         "three times the weight"); /* a step is 0.016 s: the bottom is missed by 0.035 rad at most */
    gsl_test(!(sb_table_real(&table, 0, "t") > 0.5), "not at the start");
}

/* A heavy end stretches all links alike; the particles between it and the support answer fastest, and the end hardly
 * moves. */
static void critical(fixture *f) {
    sb_table table;
    rows(f, "advise", "h=1/60", "thread:n=2,end_mass=1000", "shake", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "coordinate"), "q0") != 0, "the light particle moves: %s",
             sb_table_text(&table, 0, "coordinate"));
}

static void limit_of(fixture *f, const char *stepper, double tau) {
    sb_table table;
    rows(f, "advise", "h=0.1", "oscillator:omega=3,m=2", stepper, &table);
    near(sb_table_real(&table, 0, "omega"), 3.0, 1e-14, "omega of an oscillator");
    const double found = sb_table_real(&table, 0, "tau_limit");
    gsl_test(isinf(tau) ? !isinf(found) : !(fabs(found - tau) <= 1e-6), "%s is stable for h omega up to %g, not %.9g",
             stepper, tau, found);
}

/* Without constraints: notes11's limits, rk4's 2 sqrt(2) (|1 - z^2/2 + z^4/24 + i (z - z^3/6)| = 1), Euler's growth by
 * sqrt(1 + tau^2) a step, and the frequency of a planet's swing across its radius, sqrt(GM/r^3), largest at the
 * perihelion. */
static void unconstrained(fixture *f) {
    sb_table table;
    char advice[64];
    limit_of(f, "verlet", 2.0);
    limit_of(f, "euler_symplectic", 2.0);
    limit_of(f, "rk4", 2.0 * sqrt(2.0));
    limit_of(f, "midpoint", INFINITY);
    limit_of(f, "euler_explicit", 0.0);
    verdict(f, "oscillator", "verlet", 2.1, false);
    verdict(f, "oscillator", "verlet", 1.99, true);
    rows(f, "advise", "h=2.1", "oscillator", "verlet", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "advice"), "midpoint") == NULL ||
                 strstr(sb_table_text(&table, 0, "advice"), "euler_symplectic") != NULL,
             "the stable steppers are named, and no others: %s", sb_table_text(&table, 0, "advice"));
    rows(f, "advise", "h=0.1", "oscillator", "euler_explicit", &table);
    snprintf(advice, sizeof advice, "a factor %.4g per period", pow(1.01, M_PI / 0.1));
    gsl_test(strstr(sb_table_text(&table, 0, "advice"), advice) == NULL, "Euler's growth, %s: %s", advice,
             sb_table_text(&table, 0, "advice"));
    rows(f, "advise", "h=0.1", "kepler:e=0.6", "verlet", &table);
    near(sb_table_real(&table, 0, "omega"), pow(0.4, -1.5), 1e-12, "at the perihelion");
    near(sb_table_real(&table, 0, "t"), 0.0, 0.0, "where it starts");
    gsl_test(strcmp(sb_table_text(&table, 0, "coordinate"), "q1") != 0, "across the radius");
    rows(f, "advise", "h=0.1", "knife_edge", "vts", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "nonholonomic") == NULL,
             "a blade's forces have no such modes: %s", sb_table_text(&table, 0, "status"));
}

/* Alternatives are stable at this h: rk4 up to h omega = sqrt(8), verlet up to 2, the midpoint rule always. */
static void alternatives(fixture *f) {
    static const double h_omega[] = {1.9, 2.7, 2.9};
    static const bool verlet[] = {true, false, false}, rk4[] = {true, true, false};
    sb_table table;
    for (int k = 0; k < 6; k++) {
        const double omega = k < 3 ? 3.0 : 628.0;
        char options[64], problem[64];
        snprintf(options, sizeof options, "h=%.17g", h_omega[k % 3] / omega);
        snprintf(problem, sizeof problem, "oscillator:omega=%g", omega);
        rows(f, "advise", options, problem, "euler_explicit", &table);
        const char *advice = sb_table_text(&table, 0, "advice");
        gsl_test((strstr(advice, " verlet") != NULL) != verlet[k % 3] ||
                     (strstr(advice, " rk4") != NULL) != rk4[k % 3] || strstr(advice, " midpoint") == NULL,
                 "alternatives on %s at %s: %s", problem, options, advice);
    }
}

/* The sentences, with the numbers they name: 2/omega; Euler's growth over the 2 pi/(h omega) steps of a period; no
 * limit and nothing to limit; and at the top of a circle, where no frequency is but a rate of growth sqrt(g/l). */
static void sentences(fixture *f) {
    char growth[128];
    sb_table table;
    advised(f, "h=0.1", "oscillator:omega=3", "verlet",
            "keep h: linearly stable up to 0.6667, and a run of 1000 steps keeps");
    advised(f, "h=0.7", "oscillator:omega=3", "verlet",
            "linearly unstable from 0.6667 on; h = 0.35 passes, or at this h: ");
    snprintf(growth, sizeof growth, "no h is stable: at this one oscillations grow by a factor %.4g per period; ",
             pow(1.09, M_PI / 0.3));
    advised(f, "h=0.1", "oscillator:omega=3", "euler_explicit", growth);
    advised(f, "h=1", "oscillator:omega=3", "midpoint", "keep h: linearly stable up to 64/omega, and a run");
    advised(f, "h=1", "plane", "rattle", "keep h: nothing oscillates or decays, so that accuracy decides, and a run");
    rows(f, "advise", "h=0.1,t_end=0.1", "pendulum:theta0=3.141592653589793,g=10,l=1", "rattle", &table);
    near(sb_table_real(&table, 0, "omega"), -sqrt(10.0), 1e-11, "falling off the top"); /* at 3e-6 m/s */
}

int main(void) {
    fixture f;
    fixture_init(&f);
    limits(&f);
    gsl_test(sb_registry_add(&f.registry, SB_KIND_PROBLEM, &quartic_problem.entry) != SB_OK, "a problem of tests");
    unconditional(&f);
    by_a_run(&f);
    followed(&f);
    along_the_motion(&f);
    critical(&f);
    unconstrained(&f);
    alternatives(&f);
    sentences(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
