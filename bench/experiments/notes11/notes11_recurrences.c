/* notes11 4-7: the recurrence of each stepper on the oscillator, measured by steps of basis vectors, and the formulas
 * of the notes. */

#include "bench/runner/experiment_tools.h"

/* a, b and cos phi as functions of tau. */
typedef struct formulas {
    double a, b, cosine;
} formulas;

static formulas verlet(double t) { return (formulas){-2.0 * (1.0 - t * t / 2.0), 1.0, 1.0 - t * t / 2.0}; }
static formulas explicit_euler(double t) { return (formulas){-2.0, 1.0 + t * t, 1.0 / sqrt(1.0 + t * t)}; }
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

/* Returns the distance of a column from its formula, over the size of the entries of the matrix. */
static double distance(double measured, double exact, double tau) { return fabs(measured - exact) / (1.0 + tau * tau); }

typedef struct comparison {
    double worst;  /* largest distance of a and b */
    double cosine; /* largest distance of cos phi, where the roots are complex */
    bool bounded;  /* stable at every tau */
    bool below_2;  /* stable at every tau below 2 */
    bool unstable; /* unstable at every tau */
    bool complex;  /* complex roots at every tau */
} comparison;

static comparison compare(const sb_table *table, formulas (*formula)(double)) {
    comparison c = {0.0, 0.0, true, true, true, true};
    for (int i = 0; i < table->nrows; i++) {
        const double tau = sb_table_real(table, i, "tau");
        const formulas f = formula(tau);
        const double a = distance(sb_table_real(table, i, "a"), f.a, tau),
                     b = distance(sb_table_real(table, i, "b"), f.b, tau);
        const double phi = sb_table_real(table, i, "phi");
        c.worst = sb_larger(c.worst, sb_larger(a, b));
        if (isfinite(phi)) {
            c.cosine = sb_larger(c.cosine, distance(cos(phi), f.cosine, tau));
        } else {
            c.complex = false;
        }
        const bool stable = sb_table_is(table, i, "stable", "yes");
        c.bounded = c.bounded && stable;
        c.below_2 = c.below_2 && (stable || tau >= 2.0);
        c.unstable = c.unstable && !stable;
    }
    return c;
}

static int measure(sb_bench *bench, const char *options, const char *stepper, sb_table *out) {
    return sb_bench_analyse(bench, "recurrence", options, SB_LIST("oscillator"), SB_LIST(stepper), out);
}

/* Computes |z_k| after `steps` steps at h omega = tau, with z = (x, v/omega) and |z_0| = 1. */
static int amplitude(sb_bench *bench, const char *stepper, double tau, int steps, double *out) {
    sb_path path;
    SB_TRY(sb_bench_path(bench, "oscillator:m=1,omega=1,x0=1,v0=0", stepper, tau, steps, steps, &path));
    const long last = path.count - 1;
    *out = path.failure == NULL ? hypot(path.q[last], path.v[last]) : NAN;
    return SB_OK;
}

static int record_verlet(sb_bench *bench) {
    sb_table table, limit;
    SB_TRY(measure(bench, grid, "verlet", &table));
    SB_TRY(measure(bench, "tau=[2],limit=yes", "verlet", &limit));
    const comparison c = compare(&table, verlet);
    SB_TRY(sb_bench_measure(bench, "notes11-verlet/eq19", c.worst, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-verlet/eq21", c.cosine, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-verlet/limit", sb_table_real(&limit, 0, "tau_max"), 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-verlet/at-2", sb_table_is(&limit, 0, "stable", "yes"), 0.0));
    return sb_bench_measure(bench, "notes11-verlet/below-2", c.below_2, 0.0);
}

static int record_explicit(sb_bench *bench) {
    sb_table table;
    double size;
    const double tau = 0.25;
    const int steps = 200;
    SB_TRY(measure(bench, grid, "euler_explicit", &table));
    SB_TRY(amplitude(bench, "euler_explicit", tau, steps, &size));
    const comparison c = compare(&table, explicit_euler);
    SB_TRY(sb_bench_measure(bench, "notes11-explicit/eq26", sb_larger(c.worst, c.cosine), 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-explicit/unstable", c.unstable && c.complex, 0.0));
    return sb_bench_measure(bench, "notes11-explicit/amplitude", size, 0.0);
}

static int record_implicit(sb_bench *bench) {
    sb_table table, half;
    const double tau = 0.5;
    SB_TRY(measure(bench, grid, "euler_implicit", &table));
    SB_TRY(measure(bench, "tau=[0.5]", "euler_implicit", &half));
    const comparison c = compare(&table, implicit_euler);
    SB_TRY(sb_bench_measure(bench, "notes11-implicit/eq30", sb_larger(c.worst, c.cosine), 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-implicit/stable", c.bounded && c.complex, 0.0));
    /* x_1 = x_0 + h v_1, v_1 = v_0 + h omega^2 x_1 has the determinant 1/(1 - tau^2). */
    SB_TRY(sb_bench_measure(bench, "notes11-implicit/b-printed", 1.0 / (1.0 - tau * tau), 0.0));
    return sb_bench_measure(bench, "notes11-implicit/b", sb_table_real(&half, 0, "b"), 0.0);
}

static int record_midpoint(sb_bench *bench) {
    sb_table table, stiff;
    SB_TRY(measure(bench, grid, "midpoint", &table));
    SB_TRY(measure(bench, "tau=[1e4]", "midpoint", &stiff));
    const comparison printed = compare(&table, midpoint_printed), corrected = compare(&table, midpoint_corrected);
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/eq38", printed.worst, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/limit", cos(sb_table_real(&stiff, 0, "phi")), 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/limit-printed", midpoint_printed(1e4).cosine, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/bounded", printed.bounded && printed.complex, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/eq39", printed.cosine, 0.0));
    return sb_bench_measure(bench, "notes11-midpoint/cosine", corrected.cosine, 0.0);
}

/* Sets the option of a fine grid for the figures: 0.02 to 10 in equal ratios. */
static int fine_grid(sb_bench *bench, const char **options) {
    enum { POINTS = 120 };
    *options = "tau=[";
    for (int i = 0; i < POINTS; i++) {
        SB_PRINT(&bench->arena, *options, "%s%.5g%s", *options, 0.02 * pow(500.0, (double)i / (POINTS - 1)),
                 i < POINTS - 1 ? "," : "]");
    }
    return SB_OK;
}

static int figures(sb_bench *bench) {
    static const char *const steppers[] = {"euler_explicit", "euler_implicit", "euler_symplectic",
                                           "verlet",         "midpoint",       "rk4"};
    const char *options;
    sb_table table;
    SB_TRY(fine_grid(bench, &options));
    SB_TRY(sb_bench_table(bench, "notes11_recurrences", &table));
    for (int s = 0; s < SB_COUNT(steppers); s++) {
        sb_table rows;
        SB_TRY(measure(bench, options, steppers[s], &rows));
        for (int i = 0; i < rows.nrows; i++) {
            const double first = hypot(sb_table_real(&rows, i, "root1_re"), sb_table_real(&rows, i, "root1_im"));
            const double second = hypot(sb_table_real(&rows, i, "root2_re"), sb_table_real(&rows, i, "root2_im"));
            const double tau = sb_table_real(&rows, i, "tau"), phi = sb_table_real(&rows, i, "phi");
            SB_TRY(SB_TABLE_ROW(&table, sb_text(steppers[s]), sb_real(tau), sb_real(fmax(first, second)),
                                isfinite(phi) ? sb_real(phi / tau - 1.0) : sb_empty(),
                                sb_text(sb_table_text(&rows, i, "stable"))));
        }
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "notes11_recurrences.csv"));
    SB_TRY(sb_bench_plot(bench, "notes11_roots"));
    return sb_bench_plot(bench, "notes11_phase");
}

static int limits(sb_bench *bench) {
    sb_table table;
    SB_TRY(measure(bench, "tau=[0.5],limit=yes", "*", &table));
    return sb_bench_save(bench, &table, "notes11_limits.csv");
}

static int run(sb_bench *bench) {
    SB_TRY(record_verlet(bench));
    SB_TRY(record_explicit(bench));
    SB_TRY(record_implicit(bench));
    SB_TRY(record_midpoint(bench));
    SB_TRY(limits(bench));
    return figures(bench);
}

SB_DEFINE_EXPERIMENT(notes11_recurrences) = {.entry = {"notes11_recurrences", "", "", NULL, 0}, .run = run};
