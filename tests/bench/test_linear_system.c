/* The linear systems of the spook07 experiments: a driver w cos t and the rate of its row, forces and constraints by
 * their matrices. */
#include <float.h>

#include "bench/experiments/spook07/linear_system.h"
#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

/* The terms that those have not: f = -C v - N q, V with b, a constant and a quadratic form in g, a start. */
static void curved_and_damped(fixture *f) {
    static const double M[4] = {1.0, 0.0, 0.0, 1.0}, C[4] = {0.3, 0.1, -0.2, 0.4}, N[4] = {0.0, -2.0, 2.0, 0.0},
                        W[4] = {2.0, 1.0, 1.0, 4.0}, b[2] = {3.0, -1.0}, G[2] = {1.0, 5.0}, c[1] = {0.25},
                        start[2] = {-0.25, 0.0};
    const sb_quadratic data = {.n = 2, .m = 1, .M = M, .C = C, .N = N, .W = W, .b = b, .G = G, .c = c, .q = start};
    const double q[2] = {0.4, -0.3}, v[2] = {0.2, 0.6}, w[1] = {7.0};
    double out[2], g, Gx[2], V, J[4] = {0.0}, H[4] = {0.0}, t, q0[2], v0[2], curvature;
    sb_system sys;
    /* the start is off the constraint: g = -1/4 + 1/16 + 1/4 */
    gsl_test(sb_quadratic_system(&f->ctx, &f->arena, "curved", &data, 1.0, &sys) != SB_INCONSISTENT,
             "a start off the constraint is refused (%s)", f->ctx.message);
    gsl_test(sys.initial(sys.self, &t, q0, v0) | sys.force.value(sys.force.self, 0.0, q, v, out) |
                 sys.force.jacobian(sys.force.self, 0.0, q, v, 10.0, 100.0, J) | sb_potential_value(&sys, 0.0, q, &V) |
                 sb_holonomic_value(&sys, 0.0, q, &g, Gx) | sb_holonomic_curvature(&sys, 0.0, q, v, &curvature) |
                 sb_holonomic_hessian(&sys, 0.0, q, w, 2.0, H),
             "its terms");
    gsl_test(q0[0] != -0.25 || v0[0] != 0.0 || sys.holonomic.degree != 2, "start and degree");
    gsl_test_rel(out[0], -(0.3 * 0.2 - 0.2 * 0.6) - 2.0 * -0.3, 8.0 * DBL_EPSILON, "f_0");
    gsl_test_rel(out[1], -(0.1 * 0.2 + 0.4 * 0.6) + 2.0 * 0.4, 8.0 * DBL_EPSILON, "f_1");
    gsl_test_rel(J[1], -100.0 * 0.1 + 10.0 * 2.0, 8.0 * DBL_EPSILON, "10 f_q + 100 f_v");
    gsl_test_rel(V, 3.0 * 0.4 + 0.3, 8.0 * DBL_EPSILON, "V = b' q");
    gsl_test_rel(g, 0.25 + 0.4 - 1.5 + 0.5 * (2.0 * 0.16 - 2.0 * 0.12 + 4.0 * 0.09), 8.0 * DBL_EPSILON, "g");
    gsl_test_rel(Gx[1], 5.0 + 0.4 - 1.2, 8.0 * DBL_EPSILON, "its gradient");
    gsl_test_rel(curvature, 2.0 * 0.04 + 2.0 * 0.12 + 4.0 * 0.36, 8.0 * DBL_EPSILON, "v' W v");
    gsl_test_rel(H[3], 2.0 * 7.0 * 4.0, 8.0 * DBL_EPSILON, "2 w W");
}

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
    curved_and_damped(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
