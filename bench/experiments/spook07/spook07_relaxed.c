/* spook07 3 and 5: dissipation of relaxed constraints, limits of nonlinear stability, and other regularizations. */
#include <string.h>

#include <lapacke.h>

#include "bench/experiments/spook07/linear_system.h"
#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"

enum { LEVELS = 15 };

/* Writes the largest |mu| for eps = 1e-10 ... 1e4 at one tau/h. */
static int find_roots(sb_bench *bench, double theta, sb_table *table) {
    for (int i = 0; i < LEVELS; i++) {
        const double eps = pow(10.0, i - 10);
        double trace, determinant;
        SB_TRY(sb_linear_one(bench, eps, theta, &trace, &determinant));
        SB_TRY(SB_TABLE_ROW(table, sb_real(eps), sb_real(theta), sb_trusted(sb_linear_root(trace, determinant), 1e-8)));
    }
    return SB_OK;
}

static int record_dissipation(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "spook07_relaxed", &table));
    SB_TRY(find_roots(bench, 2.0, &table));
    SB_TRY(find_roots(bench, 0.0, &table));
    return sb_bench_save(bench, &table, "spook07_relaxed.csv");
}

/* ---- Curved constraints. ---- */

/* The rods' rows are the curved ones: their gradients turn with the rods. A longer ladder has the faster whip, with the
 * same step over the time scale sqrt(l/g). */
static int record_nonlinear(sb_bench *bench) {
    static const int squares[] = {5, 10, 20, 40};
    const double h = 1.0 / 18.0;
    sb_table table;
    SB_TRY(sb_bench_table(bench, "spook07_curved", &table));
    for (int k = 0; k < SB_COUNT(squares); k++) {
        double turn[SB_RODS_STARTS] = {0.0};
        int failed = 0;
        for (int i = 0; i < SB_RODS_STARTS; i++) {
            sb_rods_run run;
            SB_TRY(sb_rods_follow_start(bench, sb_bench_format(bench, "ladder:N=%d", squares[k]), i, "spook", h, 20.0,
                                        &run));
            const double end = sb_rods_failure(&run, 0.02, NULL);
            failed += isfinite(end);
            for (int j = 0; j < run.count && run.at[j].t < end; j++) {
                turn[i] = sb_larger(turn[i], h * run.at[j].spin);
            }
        }
        const sb_rods_spread s = sb_rods_ensemble(turn);
        SB_TRY(SB_NUMBERS(&table, squares[k], failed, s.median));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-nonlinear/turn-N=%d", squares[k]), s.median,
                                s.spread));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-nonlinear/effective-N=%d", squares[k]),
                                sb_bench_effective(SB_RODS_STARTS, SB_RODS_SIDES, turn), 0.0));
    }
    return sb_bench_save(bench, &table, "spook07_curved.csv");
}

/* ---- Other regularizations. ---- */

/* Computes the fastest growth rate of x' = v, m v' = lambda with the last rows of A, 3 x 3 or 4 x 4, row by row:
 * (x, v, lambda, and lambda' if n = 4). */
static int growth(sb_bench *bench, int n, const double *A, double *rate) {
    double copy[16], re[4], im[4];
    memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
    if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, copy, n, re, im, NULL, n, NULL, n) != 0) {
        return sb_fail(bench->ctx, SB_NOT_CONVERGED, "the eigenvalues of a regularized system did not converge");
    }
    *rate = fmax(fmax(re[0], re[1]), n == 4 ? fmax(re[2], re[3]) : re[2]);
    return SB_OK;
}

/* A violation x of g = x with the mass m obeys m x'' = lambda. With eps lambda' + g = 0 and eps lambda'' + g = 0 it
 * grows as exp(s t), s^3 = -1/(m eps) and s^4 = -1/(m eps); with the kinetic energy mu lambda'^2/2 in (14), mu lambda''
 * = eps lambda + g, the ghost's mass mu decides. */
static int record_regularizations(sb_bench *bench) {
    const double m = 2.0, eps = 1e-4, mu = 0.01 * m * eps * eps;
    double spring = NAN, first = NAN, second = NAN, positive = NAN, negative = NAN;
    SB_TRY(growth(bench, 3, (const double[]){0, 1, 0, -1.0 / (m * eps), 0, 0, 0, 0, 0}, &spring));
    SB_TRY(growth(bench, 3, (const double[]){0, 1, 0, 0, 0, 1.0 / m, -1.0 / eps, 0, 0}, &first));
    SB_TRY(growth(bench, 4, (const double[]){0, 1, 0, 0, 0, 0, 1.0 / m, 0, 0, 0, 0, 1, -1.0 / eps, 0, 0, 0}, &second));
    SB_TRY(growth(bench, 4, (const double[]){0, 1, 0, 0, 0, 0, 1.0 / m, 0, 0, 0, 0, 1, 1.0 / mu, 0, eps / mu, 0},
                  &positive));
    SB_TRY(growth(bench, 4, (const double[]){0, 1, 0, 0, 0, 0, 1.0 / m, 0, 0, 0, 0, 1, -1.0 / mu, 0, -eps / mu, 0},
                  &negative));
    SB_TRY(sb_bench_measure(bench, "spook07-rivals/spring", spring * sqrt(m * eps), 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-rivals/first-order", first * cbrt(m * eps), 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-rivals/second-order", second * pow(m * eps, 0.25), 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-ghost/positive", positive * sqrt(mu / eps), 0.0));
    return sb_bench_measure(bench, "spook07-ghost/negative", negative * sqrt(mu / eps), 0.0);
}

SB_DEFINE_EXPERIMENT(spook07_relaxed) {
    SB_TRY(record_dissipation(bench));
    SB_TRY(record_nonlinear(bench));
    return record_regularizations(bench);
}
