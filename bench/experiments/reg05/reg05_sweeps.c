/* reg05 5: the convergence of Gauss-Seidel on a linear system and on a complementarity problem. */
#include <stepbench/numerics/lcp.h>

#include "bench/runner/experiment_tools.h"

enum { LINKS = 10, AT_BOUND = 2, FROM = 20, TO = 60 };

/* Measures the errors after 1, ..., TO sweeps on the Schur complement of a hanging chain of equal particles: 1 in the
 * first row and 2 in the others on the diagonal, -1 next to it. The solution is z = 1; with bounds z = 0, w = 1 in row
 * AT_BOUND. */
static int chain(sb_bench *bench, bool bounded, double *error) {
    int row[3 * LINKS], col[3 * LINKS], count = 0;
    double Ax[3 * LINKS], b[LINKS], lo[LINKS], hi[LINKS], exact[LINKS];
    sb_pattern A;
    for (int j = 0; j < LINKS; j++) {
        for (int i = j - 1; i <= j + 1; i++) {
            if (i >= 0 && i < LINKS) {
                row[count] = i;
                col[count] = j;
                Ax[count++] = i != j ? -1.0 : j == 0 ? 1.0 : 2.0;
            }
        }
        exact[j] = bounded && j == AT_BOUND ? 0.0 : 1.0;
        lo[j] = bounded ? 0.0 : -INFINITY;
        hi[j] = INFINITY;
    }
    SB_TRY(sb_pattern_from_pairs(&bench->arena, LINKS, LINKS, count, row, col, &A));
    for (int i = 0; i < LINKS; i++) {
        b[i] = bounded && i == AT_BOUND ? 1.0 : 0.0;
        for (int k = A.p[i]; k < A.p[i + 1]; k++) {
            b[i] -= Ax[k] * exact[A.i[k]];
        }
    }
    for (int sweeps = 1; sweeps <= TO; sweeps++) {
        const sb_lcp_solver *type;
        const void *config;
        sb_lcp lcp;
        sb_lcp_report report;
        double z[LINKS] = {0.0};
        SB_TRY(sb_lcp_find(bench->ctx, &bench->arena, sb_bench_format(bench, "pgs:sweeps=%d,tol=0", sweeps), "auto",
                           &type, &config));
        SB_TRY(sb_lcp_init(bench->ctx, &bench->arena, type, config, &A, &lcp));
        SB_TRY(sb_lcp_solve(&lcp, Ax, b, lo, hi, z, NULL, &report));
        error[sweeps] = sb_distance_max(LINKS, z, exact);
    }
    return SB_OK;
}

/* Returns the largest relative change from sweep to sweep of the ratio of successive errors, from sweep FROM on: 0 for
 * a geometric progression. */
static double unevenness(const double *error) {
    double most = 0.0;
    for (int k = FROM; k + 2 <= TO; k++) {
        most = sb_larger(most, fabs(error[k + 2] * error[k] / (error[k + 1] * error[k + 1]) - 1.0));
    }
    return most;
}

SB_DEFINE_EXPERIMENT(reg05_sweeps) {
    double linear[TO + 1], bounded[TO + 1];
    sb_table table;
    SB_TRY(chain(bench, false, linear));
    SB_TRY(chain(bench, true, bounded));
    SB_TRY(sb_bench_table(bench, "reg05_sweeps", &table));
    for (int k = 1; k <= TO; k++) {
        SB_TRY(SB_TABLE_ROW(&table, sb_int(k), sb_trusted(linear[k], 1e-12), sb_trusted(bounded[k], 1e-12)));
    }
    SB_TRY(sb_bench_measure(bench, "reg05-gs-rate/chain", unevenness(linear), 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-gs-rate/bounded", unevenness(bounded), 0.0));
    return sb_bench_save(bench, &table, "reg05_sweeps.csv");
}
