/* The slider crank in space: its load by geometry, and how many of its constraints depend on each other. */
#include <lapacke.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { ROWS = 21, COLUMNS = 24 };

/* The rank of [G A] at the start: singular values above the round-off of the largest. */
static int rank(fixture *f, const char *spec, int *columns) {
    sb_system sys;
    double t, q[ROWS], v[ROWS], C[ROWS * COLUMNS] = {0.0}, Gx[ROWS * COLUMNS], Ax[ROWS], s[COLUMNS], work[COLUMNS];
    fixture_build(f, spec, NULL, &sys);
    int status = sys.initial(sys.self, &t, q, v) | sb_holonomic_value(&sys, 0.0, q, NULL, Gx) |
                 sys.nonholonomic.value(sys.nonholonomic.self, t, q, Ax, NULL);
    const int m = sys.holonomic.m;
    *columns = m + 1;
    for (int j = 0; j < m; j++) {
        for (int k = sys.holonomic.G.p[j]; k < sys.holonomic.G.p[j + 1]; k++) {
            C[sys.holonomic.G.i[k] + ROWS * j] = Gx[k];
        }
    }
    for (int k = 0; k < 4; k++) {
        C[sys.nonholonomic.A.i[k] + ROWS * m] = Ax[k];
    }
    status |= (int)LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', ROWS, m + 1, C, ROWS, s, NULL, 1, NULL, 1, work);
    gsl_test(status != 0, "%s: singular values", spec);
    int count = 0;
    for (int k = 0; k < (m + 1 < ROWS ? m + 1 : ROWS); k++) {
        count += s[k] > 1e-12 * s[0];
    }
    return count;
}

static void redundancy(fixture *f) {
    int columns;
    gsl_test_int(rank(f, "slider_crank_3d:offset=0.3,phi0=0.4", &columns), 21,
                 "minimal joints: 21 coordinates are determined");
    gsl_test_int(columns, 21, "by as many constraints");
    gsl_test_int(rank(f, "slider_crank_3d:joints=hinges,phi0=0.4", &columns), 21,
                 "hinges: 21 coordinates are determined");
    gsl_test_int(columns, 24, "by three constraints more");
}

/* The kinetic energy of thin rods by the velocities a and b of their ends, m (a.a + a.b + b.b)/6, and of the slider. */
static void energy(fixture *f) {
    const double m[3] = {2.0, 0.5, 3.0}, omega = 1.5, phi = 0.5;
    sb_system sys;
    sb_dynamics dyn;
    double q[ROWS], v[ROWS], t, T = NAN;
    fixture_build(f, "slider_crank_3d:m1=2,m2=0.5,m3=3,omega0=1.5,phi0=0.5", NULL, &sys);
    const int status = sys.initial(sys.self, &t, q, v) | sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) |
                       sb_dynamics_energy(&dyn, 0.0, q, v, &T, NULL);
    /* The slide's rate, by the rod's length 2 = |(x - cos phi, sin phi)|. */
    const double reach = sqrt(4.0 - sin(phi) * sin(phi)), b = -omega * sin(phi) * (1.0 + cos(phi) / reach),
                 aa = omega * omega, ab = -omega * sin(phi) * b;
    gsl_test(status != SB_OK, "energy of the crank");
    gsl_test_rel(T, m[0] * aa / 6.0 + m[1] * (aa + ab + b * b) / 6.0 + 0.5 * m[2] * b * b, 1e-13, "its kinetic energy");
}

/* Driven through a quarter turn and more, the slider is where the rod's length puts it: x = r cos phi + sqrt(L^2 - r^2
 * sin^2 phi - offset^2). */
static void load(fixture *f, const char *spec, double L, double offset) {
    sb_system sys;
    sb_method method = {0};
    sb_state state[2];
    double out[3]; /* the formulation adds one */
    fixture_build(f, spec, "baumgarte:jacobian=none", &sys);
    int status = sb_method_build(&f->ctx, &f->arena, "rk4", &sys, &method);
    status = status == SB_OK ? sb_state_new(&method, &f->arena, &state[0]) | sb_state_new(&method, &f->arena, &state[1])
                             : status;
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, 1e-3, &state[0]) : status;
    for (int k = 0; k < 400 && status == SB_OK; k++) {
        status = sb_method_step(&method, &state[k % 2], 1e-3, &state[(k + 1) % 2]);
    }
    status = status == SB_OK ? sys.outputs.value(sys.outputs.self, 0.4, state[0].q, state[0].v, out) : status;
    /* rk4 turns a vector by theta with an error of (omega h)^4/120 theta, and one that turns twice as fast, as the
     * second harmonic of the load does, with 16 times as much. */
    const double phi = 2.0 * M_PI * 0.4, allowed = 16.0 / 120.0 * pow(2.0 * M_PI * 1e-3, 4.0) * phi;
    gsl_test(status != SB_OK, "%s turns (%s)", spec, status != SB_OK ? f->ctx.message : "it does");
    gsl_test_abs(out[0], cos(phi) + sqrt(L * L - sin(phi) * sin(phi) - offset * offset), allowed, "%s: load", spec);
    gsl_test_abs(out[1], phi, allowed, "%s: the crank follows its driver", spec);
}

static void refuses(fixture *f, const char *spec, const char *word) {
    sb_system sys;
    const int status = sb_system_build(&f->ctx, &f->arena, spec, 0, NULL, &sys);
    gsl_test(status != SB_BAD_USAGE || strstr(f->ctx.message, word) == NULL, "%s is refused: %s", spec, f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    redundancy(&f);
    energy(&f);
    load(&f, "slider_crank_3d", 2.0, 0.0);
    load(&f, "slider_crank_3d:L=1.5,offset=0.7", 1.5, 0.7);
    refuses(&f, "slider_crank_3d:L=0.5,phi0=1", "does not reach");
    refuses(&f, "slider_crank_3d:joints=hinges,offset=0.1", "planar");
    fixture_close(&f);
    return gsl_test_summary();
}
