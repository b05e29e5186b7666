/* notes11 4-7: the recurrence of each stepper on the oscillator, measured by steps of basis vectors, and the formulas
 * of the notes, which the analysis evaluates. */
#include "analysis/row.h"
#include "bench/runner/experiment_tools.h"

static const char *const grid =
    "tau=[0.05,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1,1.1,1.2,1.3,1.4,1.5,1.6,1.7,1.8,1.9,1.95,2,2.05,2.1,2.2,2."
    "4,2.6,2.8,2.9,3,3.5,4,5,6,8,10,20,50,100,1e4]";

/* Returns cos phi by (39) as printed. */
static double printed(double tau) { return (1.0 - tau * tau / 4.0) / (1.0 + tau * tau / 2.0); }

/* Returns the distance of a column from its formula, over the size of the entries of the matrix. */
static double distance(double measured, double exact, double tau) { return fabs(measured - exact) / (1.0 + tau * tau); }

typedef struct comparison {
    double worst;   /* largest distance of a and b */
    double cosine;  /* largest distance of cos phi from -a/(2 sqrt b), where the roots are complex */
    double printed; /* largest distance of cos phi from (39) as printed */
    double last;    /* cos phi at the largest tau */
    bool bounded;   /* stable at every tau */
    bool below_2;   /* stable at every tau below 2 */
    bool at_2;      /* stable at tau = 2 */
    bool unstable;  /* unstable at every tau */
    bool complex;   /* complex roots at every tau */
} comparison;

/* Compares the rows of a stepper with its formulas. */
static comparison compare(const sb_table *rows, const char *stepper) {
    comparison c = {.bounded = true, .below_2 = true, .unstable = true, .complex = true};
    for (int i = sb_table_find(rows, "stepper", stepper, 0); i >= 0;
         i = sb_table_find(rows, "stepper", stepper, i + 1)) {
        const double tau = sb_table_real(rows, i, "tau"), phi = sb_table_real(rows, i, "phi"),
                     a = sb_table_real(rows, i, "a_exact"), b = sb_table_real(rows, i, "b_exact");
        const bool stable = sb_table_is(rows, i, "stable", "yes");
        c.worst = sb_larger(c.worst, distance(sb_table_real(rows, i, "a"), a, tau));
        c.worst = sb_larger(c.worst, distance(sb_table_real(rows, i, "b"), b, tau));
        if (isfinite(phi)) {
            c.cosine = sb_larger(c.cosine, distance(cos(phi), -0.5 * a / sqrt(b), tau));
            c.printed = sb_larger(c.printed, distance(cos(phi), printed(tau), tau));
        }
        c.last = cos(phi);
        c.complex = c.complex && isfinite(phi);
        c.bounded = c.bounded && stable;
        c.below_2 = c.below_2 && (stable || tau >= 2.0);
        c.at_2 = c.at_2 || (stable && tau == 2.0);
        c.unstable = c.unstable && !stable;
    }
    return c;
}

static int measure(sb_bench *bench, const char *options, const char *const *steppers, sb_table *out) {
    return sb_bench_analyse(bench, "recurrence", options, SB_LIST("oscillator"), steppers, out);
}

/* Computes |z_k| after `steps` steps at h omega = tau, with z = (x, v/omega) and |z_0| = 1. */
static int amplitude(sb_bench *bench, const char *stepper, double tau, int steps, double *out) {
    sb_path path;
    SB_TRY(sb_bench_path(bench, "oscillator:m=1,omega=1,x0=1,v0=0", stepper, tau, steps, steps, &path));
    const long last = path.count - 1;
    *out = path.failure == NULL ? hypot(path.q[last], path.v[last]) : NAN;
    return SB_OK;
}

static int record_verlet(sb_bench *bench, const sb_table *rows) {
    const comparison c = compare(rows, "verlet");
    SB_TRY(sb_bench_measure(bench, "notes11-verlet/eq19", c.worst, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-verlet/eq21", c.cosine, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-verlet/at-2", c.at_2, 0.0));
    return sb_bench_measure(bench, "notes11-verlet/below-2", c.below_2, 0.0);
}

static int record_explicit(sb_bench *bench, const sb_table *rows) {
    const comparison c = compare(rows, "euler_explicit");
    double size;
    SB_TRY(amplitude(bench, "euler_explicit", 0.25, 200, &size));
    SB_TRY(sb_bench_measure(bench, "notes11-explicit/eq26", sb_larger(c.worst, c.cosine), 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-explicit/unstable", c.unstable && c.complex, 0.0));
    return sb_bench_measure(bench, "notes11-explicit/amplitude", size, 0.0);
}

static int record_implicit(sb_bench *bench, const sb_table *rows) {
    const comparison c = compare(rows, "euler_implicit");
    const double tau = 0.5;
    SB_TRY(sb_bench_measure(bench, "notes11-implicit/eq30", sb_larger(c.worst, c.cosine), 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-implicit/stable", c.bounded && c.complex, 0.0));
    /* x_1 = x_0 + h v_1, v_1 = v_0 + h omega^2 x_1 has the determinant 1/(1 - tau^2). */
    return sb_bench_measure(bench, "notes11-implicit/b-printed", 1.0 / (1.0 - tau * tau), 0.0);
}

static int record_midpoint(sb_bench *bench, const sb_table *rows) {
    const comparison c = compare(rows, "midpoint");
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/eq38", c.worst, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/limit", c.last, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/limit-printed", printed(1e4), 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/bounded", c.bounded && c.complex, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-midpoint/eq39", c.printed, 0.0));
    return sb_bench_measure(bench, "notes11-midpoint/cosine", c.cosine, 0.0);
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

SB_DEFINE_EXPERIMENT(notes11_recurrences) {
    const char *const *drawn =
        SB_LIST("euler_explicit", "euler_implicit", "euler_symplectic", "verlet", "midpoint", "rk4");
    const char *options;
    sb_table rows, table;
    SB_TRY(measure(bench, grid, SB_LIST("verlet", "euler_explicit", "euler_implicit", "midpoint"), &rows));
    SB_TRY(record_verlet(bench, &rows));
    SB_TRY(record_explicit(bench, &rows));
    SB_TRY(record_implicit(bench, &rows));
    SB_TRY(record_midpoint(bench, &rows));
    SB_TRY(measure(bench, "tau=[0.5],limit=yes", SB_LIST("*"), &rows));
    SB_TRY(sb_bench_save(bench, &rows, "notes11_limits.csv"));
    SB_TRY(fine_grid(bench, &options));
    SB_TRY(measure(bench, options, drawn, &rows));
    SB_TRY(sb_bench_table(bench, "notes11_recurrences", &table));
    for (int i = 0; i < rows.nrows; i++) {
        const double first = hypot(sb_table_real(&rows, i, "root1_re"), sb_table_real(&rows, i, "root1_im"));
        const double second = hypot(sb_table_real(&rows, i, "root2_re"), sb_table_real(&rows, i, "root2_im"));
        SB_TRY(SB_TABLE_ROW(&table, sb_text(sb_table_text(&rows, i, "stepper")),
                            sb_real(sb_table_real(&rows, i, "tau")), sb_real(fmax(first, second)),
                            sb_known(sb_table_real(&rows, i, "freq_error")),
                            sb_text(sb_table_text(&rows, i, "stable"))));
    }
    return sb_bench_save_curves(bench, &table, "notes11_recurrences.csv");
}
