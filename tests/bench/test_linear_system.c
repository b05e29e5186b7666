/* The linear systems of the spook07 experiments: a driver w cos t and the rate of its row, forces and constraints by
 * their matrices. */
#include <float.h>

#include "bench/experiments/spook07/linear_system.h"
#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

int main(void) {
    static const double M[4] = {2.0, 0.3, 0.3, 1.0}, K[4] = {9.0, -1.0, -1.0, 5.0}, G[2] = {0.5, 2.0},
                        A[2] = {1.0, -2.0}, w[1] = {0.7};
    const sb_quadratic data = {.n = 2, .m = 1, .r = 1, .M = M, .K = K, .G = G, .A = A, .w = w};
    const double t = 0.9, q[2] = {0.4, -0.3}, v[2] = {0.2, 0.6};
    double Ax[2], Gx[2], Vq[2], level, rate, g, curvature;
    fixture f;
    sb_system sys;
    fixture_open(&f);
    gsl_test(sb_quadratic_system(&f.ctx, &f.arena, "linear", &data, 1.0, &sys) != SB_OK, "a linear system (%s)",
             f.ctx.message);
    const sb_nonholonomic *rows = &sys.nonholonomic;
    const sb_holonomic *hol = &sys.holonomic;
    gsl_test(rows->value(rows->self, t, q, Ax, &level) | rows->rate(rows->self, t, q, v, &rate) |
                 hol->value(hol->self, 0.0, q, &g, Gx) | hol->curvature(hol->self, 0.0, q, v, &curvature) |
                 sb_potential_gradient(&sys, 0.0, q, Vq),
             "its terms");
    gsl_test_rel(level, 0.7 * cos(t), 4.0 * DBL_EPSILON, "the driver");
    gsl_test_rel(rate, 0.7 * sin(t), 4.0 * DBL_EPSILON, "d/dt (A v - w) at constant v");
    gsl_test_rel(g, 0.5 * 0.4 - 2.0 * 0.3, 4.0 * DBL_EPSILON, "g = G q");
    gsl_test_abs(curvature, 0.0, 0.0, "which is not curved");
    for (int i = 0; i < 2; i++) {
        gsl_test(Ax[i] != A[i] || Gx[i] != G[i], "column %d of A and G", i);
        gsl_test_rel(Vq[i], K[i] * q[0] + K[2 + i] * q[1], 8.0 * DBL_EPSILON, "K q in component %d", i);
    }
    fixture_close(&f);
    return gsl_test_summary();
}
