/* An extension of transv18: geometric stiffness in the mass, its effect on the limit of the step and on errors. */
#include "bench/runner/experiment_tools.h"

enum { STEPPERS = 3, KINDS = 3, STEPS = 400 };
static const char *const kinds[KINDS] = {"0", "1", "diag"};
static const char *const steppers[STEPPERS * KINDS + 1] = {"shake:geometric=0",
                                                           "shake:geometric=1",
                                                           "shake:geometric=diag",
                                                           "vts:geometric=0",
                                                           "vts:geometric=1",
                                                           "vts:geometric=diag",
                                                           "spook:eps=1e-10,geometric=0",
                                                           "spook:eps=1e-10,geometric=1",
                                                           "spook:eps=1e-10,geometric=diag",
                                                           NULL};

static const char *const at_rest[] = {"thread:n=2,end_mass=10",
                                      "thread:n=5,end_mass=100",
                                      "thread:n=10,end_mass=1000",
                                      "thread:n=5,span=0.6,masses=[1,20,3,50,2]",
                                      "thread:n=8,span=0.3,dim=3",
                                      "rod_chain:n=5,theta0=0",
                                      NULL};

/* ---- The frequency of one particle on a link. ---- */

/* Returns the angle per step of x_{k+1} + x_{k-1} = 2 cos(angle) x_k, by least squares over the samples of the first
 * coordinate. */
static double angle_of(const sb_path *path) {
    double product = 0.0, square = 0.0;
    for (long k = 2; k < path->count; k++) {
        const double *x = path->q + k * path->n, now = x[-path->n];
        product += now * (x[0] + x[-2 * path->n]);
        square += now * now;
    }
    return acos(0.5 * product / square);
}

static int frequencies(sb_bench *bench) {
    static const double l = 0.5, g = 10.0;
    sb_table table;
    SB_TRY(sb_bench_table(bench, "transv18_geometric_frequency", &table));
    for (int kind = 0; kind < KINDS; kind++) {
        for (double z = 0.25; z <= 16.0; z *= sqrt(2.0)) {
            const double half = kind == 0 ? 0.5 * z : 0.5 * z / sqrt(1.0 + z * z), expected = 2.0 * asin(half),
                         h = z / sqrt(g / l);
            double measured = NAN;
            if (half < 1.0) {
                sb_path path;
                const sb_run run = {.h = h, .steps = STEPS, .every = 1};
                SB_TRY(sb_bench_path_of(bench, "thread:n=1,l=0.5,g=10,kick=1e-6", "", steppers[kind], &run, &path));
                measured = path.failure == NULL ? angle_of(&path) : NAN;
            }
            SB_TRY(SB_TABLE_ROW(&table, sb_text(kinds[kind]), sb_real(z), half < 1.0 ? sb_real(expected) : sb_empty(),
                                half < 1.0 ? sb_real(measured) : sb_empty()));
        }
    }
    return sb_bench_save(bench, &table, "transv18_geometric_frequency.csv");
}

/* ---- A swing from 60 degrees. ---- */

SB_DEFINE_EXPERIMENT(transv18_geometric) {
    const char *const problems[] = {sb_bench_format(bench, "thread:n=5,end_mass=10,angle=%.17g", M_PI / 3.0), NULL};
    sb_table limits, swing;
    SB_TRY(sb_bench_analyse(bench, "blowup", "steps=1000,tol=1e-4", at_rest, steppers, &limits));
    SB_TRY(sb_bench_save(bench, &limits, "transv18_geometric_limit.csv"));
    SB_TRY(frequencies(bench));
    SB_TRY(sb_bench_analyse(bench, "order", "h=[0.32,0.16,0.08,0.04,0.02,0.01,0.005,0.0025,0.00125],t_end=4.8",
                            problems, steppers, &swing));
    return sb_bench_save(bench, &swing, "transv18_geometric_swing.csv");
}
