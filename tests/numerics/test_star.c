/* A body with thousands of joints: the default solver stays sparse on it, and every solver that can takes it through
 * the same motion. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/kkt.h>
#include <stepbench/numerics/norm.h>

#include "core/linear/ordering.h"
#include "tests/problems/systems.h"

enum { MANY = 2000, SOME = 60 };

extern const sb_solver sb_solver_klu, sb_solver_static_ldl;

static bool has_klu(void) { return sb_solver_klu.analyse != NULL; }

/* The default linear solver of a saddle matrix, bound to the problem; its Sigma is that of spook's defaults at h =
 * 1/60. */
static const sb_solver *bound(fixture *f, const char *problem, long *fill, int *nnz) {
    sb_system sys;
    sb_kkt kkt;
    double *Sigma, *q, *v, t;
    fixture_build(f, problem, NULL, &sys);
    const int rows = sb_system_bilateral(&sys);
    const sb_solver *chosen = sb_solver_choose(&f->ctx, "auto", SB_FORM_SADDLE, sys.n + rows);
    gsl_test(sb_kkt_init(&f->ctx, &f->arena, &sys, NULL, SB_FORM_SADDLE, chosen, &kkt), "%s: set-up", problem);
    Sigma = sb_alloc(&f->arena, (size_t)rows, sizeof *Sigma);
    q = sb_alloc(&f->arena, (size_t)sys.n, sizeof *q);
    v = sb_alloc(&f->arena, (size_t)sys.n, sizeof *v);
    for (int i = 0; i < rows; i++) {
        Sigma[i] = 1.6e-5;
    }
    int status = sys.initial(sys.self, &t, q, v);
    status = status == SB_OK ? sb_holonomic_value(&sys, 0.0, q, NULL, kkt.Cx) : status;
    sb_kkt_set_sigma(&kkt, Sigma);
    status = status == SB_OK ? sb_kkt_factor(&kkt, q) : status;
    gsl_test(status, "%s: factored (%s)", problem, status == SB_OK ? "done" : f->ctx.message);
    sb_linear_stats stats = {0};
    const double *values;
    const sb_linear *linear = sb_kkt_linear(&kkt, &values);
    linear->type->stats(linear, &stats);
    *fill = stats.nnz_factor;
    *nnz = sb_pattern_nnz(&linear->A);
    const sb_solver *const type = linear->type;
    double *r = sb_alloc(&f->arena, (size_t)(sys.n + rows), sizeof *r);
    double *x = sb_alloc(&f->arena, (size_t)(sys.n + rows), sizeof *x);
    for (int i = 0; i < sys.n + rows; i++) {
        r[i] = 1.0;
    }
    status = sb_kkt_solve(&kkt, r, r + sys.n, x, x + sys.n);
    /* The round-off of a sum of as many products as there are unknowns. LU comes this far by refinement alone. */
    const double residual = sb_kkt_residual(&kkt, r, r + sys.n, x, x + sys.n);
    gsl_test(!(status == SB_OK && residual <= (sys.n + rows) * DBL_EPSILON),
             "%s: a solution of %s leaves a residual of %g", problem, type->entry.name, residual);
    return type;
}

/* A factor that is dense in the arms would hold arms^2 numbers and more; a sparse one some fixed number an arm. */
static void stays_sparse(fixture *f) {
    char problem[64];
    long fill[2] = {0};
    int nnz;
    for (int k = 0; k < 2 && has_klu(); k++) {
        snprintf(problem, sizeof problem, "star:arms=%d", MANY << k);
        gsl_test(bound(f, problem, &fill[k], &nnz) == &sb_solver_static_ldl, "%s is not for static_ldl", problem);
        gsl_test(!(fill[k] <= 4L * nnz), "%s: %ld numbers in the factors of %d entries", problem, fill[k], nnz);
    }
    gsl_test(has_klu() && !(fill[1] <= 2.1 * (double)fill[0]), "twice the arms, twice the factors (%ld, %ld)", fill[0],
             fill[1]);
    /* Where few joints meet, static_ldl is the fastest and chosen. */
    static const char *const chains[] = {"ladder:N=200", "rod_chain:n=300", "star:arms=5", "slider_crank",
                                         "thread:n=100"};
    for (size_t k = 0; k < sizeof chains / sizeof chains[0]; k++) {
        gsl_test(bound(f, chains[k], &fill[0], &nnz) != &sb_solver_static_ldl, "%s is for static_ldl", chains[k]);
    }
}

/* q after some steps; false for a solver that the build leaves out. */
static bool walk(fixture *f, const char *problem, const char *stepper, int steps, double *q) {
    sb_system sys;
    sb_method method = {0};
    sb_state state[2];
    const double h = 1.0 / 60.0;
    fixture_build(f, problem, NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &sys, &method);
    const bool left_out = status == SB_BAD_USAGE && strstr(f->ctx.message, "not in this build") != NULL;
    for (int i = 0; i < 2 && status == SB_OK; i++) {
        status = sb_state_new(&method, &f->arena, &state[i]);
    }
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h, &state[0]) : status;
    for (int k = 0; k < steps && status == SB_OK; k++) {
        status = sb_method_step(&method, &state[k & 1], h, &state[(k + 1) & 1]);
    }
    gsl_test(status != SB_OK && !left_out, "%s on %s (%s)", stepper, problem,
             status != SB_OK ? f->ctx.message : "done");
    if (status == SB_OK) {
        memcpy(q, state[steps & 1].q, (size_t)sys.n * sizeof *q);
    }
    return status == SB_OK;
}

/* Positions of order one. A solution is round-off times the condition number off, below 1e7 with this Sigma, of a
 * step's part h of the motion, and until the arms have passed each other errors grow a hundredfold at most: 2e-16 1e7 h
 * 1e2, and the steps' number. */
static void same_motion(fixture *f, int arms, const char *const *steppers, int steps) {
    static double q[2][4 * (MANY + 1)];
    char problem[64];
    snprintf(problem, sizeof problem, "star:arms=%d", arms);
    walk(f, problem, steppers[0], steps, q[0]);
    double moved = 0.0;
    for (int k = 1; steppers[k] != NULL; k++) {
        double worst = 0.0;
        if (!walk(f, problem, steppers[k], steps, q[1])) {
            continue;
        }
        for (int i = 0; i < 4 * (arms + 1); i++) {
            worst = sb_larger(worst, fabs(q[1][i] - q[0][i]));
            moved = sb_larger(moved, fabs(q[1][i]));
        }
        gsl_test(!(worst <= 1e-8), "%s: %s and %s differ by %.3g after %d steps", problem, steppers[0], steppers[k],
                 worst, steps);
        gsl_test(!(moved < 10.0), "%s: nothing flies off (%g)", problem, moved);
    }
}

/* A factor of as many numbers as no memory holds is refused before it is begun, and the sentence says who can. */
static void refuses(fixture *f) {
    sb_system sys;
    sb_method method = {0};
    fixture_build(f, "star:arms=20000", NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, "spook:solver=static_ldl", &sys, &method);
    gsl_test(status != SB_NO_MEMORY || strstr(f->ctx.message, "too many joints") == NULL ||
                 strstr(f->ctx.message, "libsuitesparse-dev") == NULL,
             "static_ldl is refused on a hub of 20000: %s", status == SB_OK ? "it is not" : f->ctx.message);
    status = sb_method_build(&f->ctx, &f->arena, "spook", &sys, &method);
    gsl_test(has_klu() ? status != SB_OK : status != SB_NO_MEMORY, "the default takes it where SuiteSparse is there");
}

int main(void) {
    fixture f;
    fixture_open(&f);
    stays_sparse(&f);
    if (has_klu()) {
        same_motion(&f, MANY, (const char *const[]){"spook", "spook:solver=umfpack", "spook:solver=klu", NULL}, 30);
    }
    same_motion(
        &f, SOME,
        (const char *const[]){"spook", "spook:solver=static_ldl", "spook:form=schur", "spook:solver=dense", NULL}, 30);
    refuses(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
