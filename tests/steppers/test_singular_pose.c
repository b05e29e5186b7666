/* SHAKE and RATTLE beside DEL, which solves the same equations (wm96 (4.5) with (4.20)) for position and multipliers
 * together: four-bars that pass near the pose in which their bars lie in one line, or start in it, and long rows of
 * them. */
#include "tests/problems/fourbars.h"

enum { MOST = 256 };

/* Sets q after `steps` steps. */
static void end_of(fixture *f, const sb_system *sys, const char *stepper, double h, long steps, double *q) {
    sb_method method = {0};
    sb_state s[2];
    long k = 0;
    int status = sb_method_build(&f->ctx, &f->arena, stepper, sys, &method) | sb_state_new(&method, &f->arena, &s[0]) |
                 sb_state_new(&method, &f->arena, &s[1]);
    status |= sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]);
    while (k < steps && status == SB_OK) {
        status = sb_method_step(&method, &s[k & 1], h, &s[(k + 1) & 1]);
        k += status == SB_OK;
    }
    gsl_test(status != SB_OK, "%s on %d coordinates, h = %g, step %ld (%s)", stepper, sys->n, h, k, f->ctx.message);
    memcpy(q, s[k & 1].q, (size_t)sys->n * sizeof *q);
}

/* Next to the pose a position is known to round-off over the smallest singular value of G, which a dozen passes leave
 * at some 1e-5 or more; the other branch of the motion is at a distance of order one. */
static void same_motion(fixture *f, int cells, bool rods, double omega0, double h, double T) {
    sb_system sys;
    double truth[MOST], q[MOST];
    static const char *const steppers[] = {"shake", "rattle"};
    const long steps = lround(T / h);
    gsl_test(fourbars_build(&f->ctx, &f->arena, cells, rods, omega0, &sys), "%d four-bars (%s)", cells, f->ctx.message);
    end_of(f, &sys, "del:quadrature=left", h, steps, truth);
    for (int s = 0; s < 2; s++) {
        double most = 0.0;
        end_of(f, &sys, steppers[s], h, steps, q);
        for (int i = 0; i < sys.n; i++) {
            most = fabs(q[i] - truth[i]) <= most ? most : fabs(q[i] - truth[i]);
        }
        gsl_test(!(most < 1e-5), "%s on %d four-bars of %s, omega0 = %g, h = %g: %.2g from DEL", steppers[s], cells,
                 rods ? "rods" : "points", omega0, h, most);
    }
}

/* In the flat pose the coupler's row is the difference of the cranks': no multiplier is determined, and the message
 * says that it is the pose. */
static void flat_pose(fixture *f) {
    static const char *const steppers[] = {"del", "del:quadrature=left", "shake", "rattle"};
    const double q[4] = {1.0, 0.0, 2.0, 0.0}, v[4] = {0.0, 1.0, 0.0, 1.0};
    sb_system sys;
    gsl_test(fourbars_build(&f->ctx, &f->arena, 1, false, 0.0, &sys), "a four-bar (%s)", f->ctx.message);
    for (int s = 0; s < 4; s++) {
        sb_method method = {0};
        sb_state state;
        int status =
            sb_method_build(&f->ctx, &f->arena, steppers[s], &sys, &method) | sb_state_new(&method, &f->arena, &state);
        gsl_test(status != SB_OK, "%s takes a four-bar (%s)", steppers[s], f->ctx.message);
        status = sb_method_start(&method, 0.0, q, v, 0.05, &state);
        gsl_test(status != SB_SINGULAR || strstr(f->ctx.message, "singular pose") == NULL,
                 "%s in the flat pose: status %d, %s", steppers[s], status, f->ctx.message);
    }
}

/* Behind the flat pose the error that a tight tolerance allows is round-off, so that the steps stay at 1e-13 s, between
 * outputs as well as to the next one. The stepper says so and does not take 1e12 of them. */
static void tiny_steps(fixture *f, double h) {
    sb_system sys;
    sb_method method = {0};
    sb_state s[2];
    int status = sb_system_build(&f->ctx, &f->arena, "four_bar:phi0=1.5707963267948966,omega0=-1,N=5", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(&f->ctx, &f->arena, "odeiv2:rtol=1e-13", &sys, &method) : status;
    status = status == SB_OK ? sb_state_new(&method, &f->arena, &s[0]) : status;
    status = status == SB_OK ? sb_state_new(&method, &f->arena, &s[1]) : status;
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]) : status;
    gsl_test(status != SB_OK, "a row of four-bars (%s)", f->ctx.message);
    for (int k = 0; h * k < 0.8 && status == SB_OK; k++) {
        status = sb_method_step(&method, &s[k & 1], h, &s[(k + 1) & 1]);
    }
    gsl_test(status != SB_NOT_CONVERGED || strstr(f->ctx.message, "singular pose") == NULL, "h = %g: status %d, %s", h,
             status, f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    flat_pose(&f);
    tiny_steps(&f, 0.8 / 54.0);
    tiny_steps(&f, 0.8);
    for (int k = 0; k < 12; k++) { /* energies with which the cranks turn over, and others with which they swing */
        same_motion(&f, 1 + k % 4, k % 2 == 0, 0.2 + 0.4 * k, 0.03 + 0.006 * k, 12.0);
    }
    same_motion(&f, 60, true, 0.7, 0.05, 4.0); /* the saddle form: 122 coordinates, 121 rows */
    same_motion(&f, 60, false, 0.7, 0.05, 4.0);
    fixture_close(&f);
    return gsl_test_summary();
}
