/* notes11 4-7: the recurrence of each stepper on the oscillator, measured by stepping basis vectors, beside the notes'
 * formulas. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/runner/verdicts.h"

/* a, b and cos phi as functions of tau. */
typedef struct formulas {
    double a, b, cosine;
} formulas;

static formulas verlet(double t) {
    return (formulas){-2.0 * (1.0 - t * t / 2.0), 1.0, 1.0 - t * t / 2.0};
}
static formulas explicit_euler(double t) {
    return (formulas){-2.0, 1.0 + t * t, 1.0 / sqrt(1.0 + t * t)};
}
static formulas implicit_euler(double t) {
    return (formulas){-2.0 / (1.0 + t * t), 1.0 / (1.0 + t * t), 1.0 / sqrt(1.0 + t * t)};
}
static formulas midpoint_printed(double t) {
    const double a = -2.0 * (1.0 - t * t / 4.0) / (1.0 + t * t / 4.0);
    return (formulas){a, 1.0, (1.0 - t * t / 4.0) / (1.0 + t * t / 2.0)};
}
static formulas midpoint_corrected(double t) {
    const double a = -2.0 * (1.0 - t * t / 4.0) / (1.0 + t * t / 4.0);
    return (formulas){a, 1.0, -a / 2.0};
}

static const char *const grid =
    "tau=[0.05,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1,1.1,1.2,1.3,1.4,1.5,1.6,1.7,1.8,1.9,1.95,2,2.05,2.1,2.2,2."
    "4,2.6,2.8,2.9,3,3.5,4,5,6,8,10,20,50,100]";

/* How far a column is from its formula, relative to the round-off of a basis vector's step: entries up to tau^2 in
 * size, some ten operations each. Where phi is empty (real roots) there is no cosine to compare. */
static double distance(double measured, double exact, double tau) {
    return fabs(measured - exact) / (16.0 * DBL_EPSILON * (1.0 + tau * tau));
}

typedef struct comparison {
    double worst;  /* largest distance of a and b */
    double cosine; /* largest distance of cos phi */
    bool bounded;  /* every tau stable */
    bool unstable; /* every tau unstable */
    bool complex;  /* complex roots at every tau */
} comparison;

static comparison compare(const sb_table *table, formulas (*formula)(double)) {
    comparison c = {0.0, 0.0, true, true, true};
    for (int i = 0; i < table->nrows; i++) {
        const double tau = sb_table_real(table, i, "tau");
        const formulas f = formula(tau);
        const double a = distance(sb_table_real(table, i, "a"), f.a, tau),
                     b = distance(sb_table_real(table, i, "b"), f.b, tau);
        const double phi = sb_table_real(table, i, "phi");
        c.worst = !(a <= c.worst) ? a : c.worst;
        c.worst = !(b <= c.worst) ? b : c.worst;
        if (isfinite(phi)) {
            const double d = distance(cos(phi), f.cosine, tau);
            c.cosine = !(d <= c.cosine) ? d : c.cosine;
        } else {
            c.complex = false;
        }
        const bool stable = strcmp(sb_table_text(table, i, "stable"), "yes") == 0;
        c.bounded = c.bounded && stable;
        c.unstable = c.unstable && !stable;
    }
    return c;
}

static int measure(sb_bench *bench, const char *options, const char *stepper, sb_table *out) {
    const char *const problems[] = {"oscillator", NULL}, *const steppers[] = {stepper, NULL};
    return sb_bench_analyse(bench, "recurrence", options, problems, steppers, out);
}

/* |z_k| after `steps` steps of a stepper at h omega = tau, z = (x, v/omega), |z_0| = 1. */
static int amplitude(sb_bench *bench, const char *stepper, double tau, int steps, double *out) {
    sb_system sys;
    sb_method method;
    sb_state s[2];
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, "oscillator:m=1,omega=1,x0=1,v0=0", 0, NULL, &sys));
    SB_TRY(sb_method_build(bench->ctx, &bench->arena, stepper, &sys, &method));
    SB_TRY(sb_state_new(&method, &bench->arena, &s[0]));
    SB_TRY(sb_state_new(&method, &bench->arena, &s[1]));
    SB_TRY(sb_method_start(&method, 0.0, NULL, NULL, tau, &s[0]));
    for (int k = 0; k < steps; k++) {
        SB_TRY(sb_method_step(&method, &s[k % 2], tau, &s[1 - k % 2]));
    }
    double v;
    SB_TRY(sb_method_report(&method, &s[steps % 2], &v, NULL));
    *out = hypot(s[steps % 2].q[0], v);
    return SB_OK;
}

static const char *const tolerance = "16 eps (1 + tau^2)";
static const char *const reason =
    "some ten operations on entries of size up to tau^2, at 39 values of tau from 0.05 to 100";

static int judge_verlet(sb_bench *bench) {
    sb_table table, limit;
    SB_TRY(measure(bench, grid, "verlet", &table));
    SB_TRY(measure(bench, "tau=[2],limit=yes", "verlet", &limit));
    const comparison c = compare(&table, verlet);
    const double tau_max = sb_table_real(&limit, 0, "tau_max");
    const bool stable_at_2 = strcmp(sb_table_text(&limit, 0, "stable"), "yes") == 0;
    const bool formulas_hold = c.worst <= 1.0 && c.cosine <= 1.0 && fabs(tau_max - 2.0) <= 1e-6;
    return sb_bench_find(
        bench,
        &(sb_finding){"notes11-verlet", sb_verdict_of(formulas_hold && stable_at_2, formulas_hold && !stable_at_2),
                      sb_bench_format(bench, "a, b and cos phi to round-off; unstable from tau = %.6f; at tau = 2 %s",
                                      tau_max, stable_at_2 ? "bounded" : "linear growth"),
                      sb_bench_format(bench, "%s; 1e-6 on the limit", tolerance),
                      sb_bench_format(bench,
                                      "%s; at the limit two roots meet, and round-off d parts them by sqrt(d). There "
                                      "solutions grow linearly: bounded holds for tau < 2 only",
                                      reason)});
}

static int judge_explicit(sb_bench *bench) {
    sb_table table;
    double size;
    const double tau = 0.25;
    const int steps = 200;
    SB_TRY(measure(bench, grid, "euler_explicit", &table));
    SB_TRY(amplitude(bench, "euler_explicit", tau, steps, &size));
    const comparison c = compare(&table, explicit_euler);
    const double growth = pow(1.0 + tau * tau, 0.5 * steps), difference = fabs(size / growth - 1.0);
    const bool holds =
        c.worst <= 1.0 && c.cosine <= 1.0 && c.unstable && c.complex && difference <= 16.0 * DBL_EPSILON * steps;
    return sb_bench_find(bench, &(sb_finding){"notes11-explicit", sb_verdict_of(holds, false),
                                              sb_bench_format(bench,
                                                              "a and b to round-off, unstable at every tau; amplitude "
                                                              "after %d steps of tau = %.2f: %.6g, formula %.6g",
                                                              steps, tau, size, growth),
                                              sb_bench_format(bench, "%s; 16 eps a step on the amplitude", tolerance),
                                              reason});
}

static int judge_implicit(sb_bench *bench) {
    sb_table table;
    SB_TRY(measure(bench, grid, "euler_implicit", &table));
    const comparison c = compare(&table, implicit_euler);
    const bool holds = c.worst <= 1.0 && c.cosine <= 1.0 && c.bounded && c.complex;
    return sb_bench_find(
        bench, &(sb_finding){"notes11-implicit", sb_verdict_of(holds, false),
                             "a, b and cos phi to round-off; stable at every tau", tolerance,
                             sb_bench_format(
                                 bench, "%s. The formulas belong to -h omega^2 in (27), printed with a plus", reason)});
}

static int judge_midpoint(sb_bench *bench) {
    sb_table table;
    SB_TRY(measure(bench, grid, "midpoint", &table));
    const comparison printed = compare(&table, midpoint_printed), corrected = compare(&table, midpoint_corrected);
    const bool common = printed.worst <= 1.0 && printed.bounded && printed.complex;
    return sb_bench_find(
        bench,
        &(sb_finding){
            "notes11-midpoint", sb_verdict_of(common && printed.cosine <= 1.0, common && corrected.cosine <= 1.0),
            "a and b to round-off, bounded at every tau; cos phi = (1 - tau^2/4)/(1 + tau^2/4) to round-off", tolerance,
            sb_bench_format(bench, "%s. The denominator of (39) is printed as 1 + tau^2/2, against (38)", reason)});
}

/* A fine grid for the figures: 0.02 to 10 in equal ratios. */
static const char *fine_grid(sb_bench *bench) {
    enum { POINTS = 120 };
    char text[POINTS * 12 + 16] = "tau=[";
    size_t used = strlen(text);
    for (int i = 0; i < POINTS; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.5g", i == 0 ? "" : ",",
                                 0.02 * pow(500.0, (double)i / (POINTS - 1)));
    }
    snprintf(text + used, sizeof text - used, "]");
    return sb_bench_format(bench, "%s", text);
}

static const sb_column columns[] = {
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"tau", SB_COL_KEY, "", "natural step h omega"},
    {"root", SB_COL_EXACT, "", "modulus of the larger root"},
    {"phase_error", SB_COL_EXACT, "", "phi/tau - 1; empty for real roots"},
    {"stable", SB_COL_INFO, "", "yes: all solutions stay bounded"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static int figures(sb_bench *bench) {
    static const char *const steppers[] = {"euler_explicit", "euler_implicit", "euler_symplectic",
                                           "verlet",         "midpoint",       "rk4"};
    const char *options = fine_grid(bench);
    sb_table table;
    if (options == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_bench_table(bench, COLUMNS, columns, &table));
    for (size_t s = 0; s < sizeof steppers / sizeof steppers[0]; s++) {
        sb_table rows;
        SB_TRY(measure(bench, options, steppers[s], &rows));
        for (int i = 0; i < rows.nrows; i++) {
            const double first = hypot(sb_table_real(&rows, i, "root1_re"), sb_table_real(&rows, i, "root1_im"));
            const double second = hypot(sb_table_real(&rows, i, "root2_re"), sb_table_real(&rows, i, "root2_im"));
            const double tau = sb_table_real(&rows, i, "tau"), phi = sb_table_real(&rows, i, "phi");
            SB_TRY(SB_ROW(&table.sink, sb_text(steppers[s]), sb_real(tau), sb_real(first > second ? first : second),
                          isfinite(phi) ? sb_real(phi / tau - 1.0) : sb_empty(),
                          sb_text(sb_table_text(&rows, i, "stable"))));
        }
    }
    SB_TRY(sb_bench_save(bench, &table, "notes11_recurrences.csv"));
    SB_TRY(sb_bench_plot(bench, "notes11_roots"));
    return sb_bench_plot(bench, "notes11_phase");
}

static int limits(sb_bench *bench) {
    static const char *const problems[] = {"oscillator", NULL}, *const steppers[] = {"*", NULL};
    sb_table table;
    SB_TRY(sb_bench_analyse(bench, "recurrence", "tau=[0.5],limit=yes", problems, steppers, &table));
    return sb_bench_save(bench, &table, "notes11_limits.csv");
}

static int run(sb_bench *bench) {
    SB_TRY(judge_verlet(bench));
    SB_TRY(judge_explicit(bench));
    SB_TRY(judge_implicit(bench));
    SB_TRY(judge_midpoint(bench));
    SB_TRY(limits(bench));
    return figures(bench);
}

SB_DEFINE_EXPERIMENT(notes11_recurrences) = {
    .entry = {"notes11_recurrences",
              "The recurrence of each stepper on the harmonic oscillator: modulus of the roots, phase error and "
              "stability limit.",
              "notes11 3-7", NULL, 0},
    .claims = (const char *const[]){"notes11-verlet", "notes11-explicit", "notes11-implicit", "notes11-midpoint", NULL},
    .files = (const char *const[]){"notes11_recurrences.csv", "notes11_limits.csv", "notes11_roots.svg",
                                   "notes11_roots.png", "notes11_phase.svg", "notes11_phase.png", NULL},
    .run = run,
};
