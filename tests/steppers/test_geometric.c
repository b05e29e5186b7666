/* Geometric stiffness as added mass: the linear motion of a hanging thread against its difference equation, written by
 * hand. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "core/run/build.h"
#include "tests/problems/systems.h"

/* Two masses on links of length l: the links carry (m1 + m2) g and m2 g, and swing by -M x'' = A x with A = [t1 + t2,
 * -t2; -t2, t2]/l. */
enum { N = 2, SETTLE = 80 };
static const double m = 2.0, end_mass = 3.0, l = 0.5, g = 10.0, kick = 1e-7;

static double top_frequency(void) {
    const double m1 = m, m2 = end_mass, t1 = (m1 + m2) * g / l, t2 = m2 * g / l;
    const double a = (t1 + t2) / m1, d = t2 / m2, b = t2 * t2 / (m1 * m2);
    return sqrt(0.5 * (a + d) + sqrt(0.25 * (a - d) * (a - d) + b));
}

/* (M + h^2 X)(x_+ - 2 x + x_-) + h^2 A x over its largest term, with X = 0, A or diag A. */
static double residual(const char *added, double h, const double before[N], const double x[N], const double after[N]) {
    const double m1 = m, m2 = end_mass, t1 = (m1 + m2) * g / l, t2 = m2 * g / l;
    const double M[N] = {m1, m2}, A[N][N] = {{t1 + t2, -t2}, {-t2, t2}};
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++) {
            const double X = strcmp(added, "1") == 0 || (strcmp(added, "diag") == 0 && i == j) ? A[i][j] : 0.0;
            const double inertia = ((i == j ? M[i] : 0.0) + h * h * X) * (after[j] - 2.0 * x[j] + before[j]),
                         force = h * h * A[i][j] * x[j];
            sum += inertia + force;
            size = sb_larger(size, sb_larger(fabs(inertia), fabs(force)));
        }
        worst = sb_larger(worst, fabs(sum));
    }
    return worst / size;
}

/* At h omega = 3, beyond the limit 2 of the unmodified mass, and below it for that one. The multipliers have settled by
 * then. What is left is of the square of the kick, a step (vts drifts), and round-off; a hundred times that of margin.
 */
static void follow(fixture *f, const char *stepper, const char *added, double h_omega) {
    sb_system sys;
    sb_method me = {0};
    sb_state s[3];
    char problem[120], spec[80];
    const double h = h_omega / top_frequency();
    snprintf(problem, sizeof problem, "thread:n=2,m=%g,end_mass=%g,l=%g,g=%g,kick=%g", m, end_mass, l, g, kick);
    snprintf(spec, sizeof spec, "%s%cgeometric=%s", stepper, strchr(stepper, ':') != NULL ? ',' : ':', added);
    fixture_build(f, problem, NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, spec, &sys, &me);
    for (int k = 0; k < 3 && status == SB_OK; k++) {
        status = sb_state_new(&me, &f->arena, &s[k]);
    }
    status = status == SB_OK ? sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]) : status;
    for (int k = 1; k <= SETTLE && status == SB_OK; k++) {
        status = sb_method_step(&me, &s[(k - 1) % 3], h, &s[k % 3]);
    }
    gsl_test(status != SB_OK, "%s swings at h omega = %g: %s", spec, h_omega, f->ctx.message);
    if (status == SB_OK) {
        const double *q[3] = {s[(SETTLE - 2) % 3].q, s[(SETTLE - 1) % 3].q, s[SETTLE % 3].q};
        double x[3][N];
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < N; i++) {
                x[k][i] = q[k][2 * i];
            }
        }
        const double left = residual(added, h, x[0], x[1], x[2]);
        gsl_test(!(left <= 100.0 * SETTLE * (kick * kick + DBL_EPSILON)),
                 "%s: the difference equation holds at h omega = %g to %.2g", spec, h_omega, left);
        gsl_test(!(sb_larger(fabs(x[2][0]), fabs(x[2][1])) >= 1e-3 * kick), "%s: it swings", spec);
    }
}

/* The norm's multiplier of a driven crank takes mass away from its quaternion: at a long step more than there is; but
 * never from the diagonal. */
static void pressure(fixture *f, const char *stepper, int expected, const char *advice) {
    sb_system sys;
    sb_method me;
    sb_state s[2];
    fixture_build(f, "slider_crank_3d", NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &sys, &me) | sb_state_new(&me, &f->arena, &s[0]) |
                 sb_state_new(&me, &f->arena, &s[1]);
    f->ctx.message[0] = '\0';
    status |= sb_method_start(&me, 0.0, NULL, NULL, 0.2 * sys.time_scale, &s[0]);
    for (int k = 0; k < SETTLE && status == SB_OK; k++) {
        status = sb_method_step(&me, &s[k % 2], 0.2 * sys.time_scale, &s[(k + 1) % 2]);
    }
    gsl_test(status != expected || strstr(f->ctx.message, advice) == NULL, "%s under pressure: %s", stepper,
             f->ctx.message);
}

int main(void) {
    static const char *const steppers[] = {"shake",
                                           "vts",
                                           "vts:form=schur",
                                           "spook:eps=0",
                                           "spook:eps=0,start=full",
                                           "reg",
                                           "spook:eps=0,newton=3",
                                           "variational_regularized:eps=0",
                                           "nonholonomic_variational"};
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        follow(&f, steppers[i], "0", 1.7);
        follow(&f, steppers[i], "1", 3.0);
        follow(&f, steppers[i], "diag", 3.0);
        follow(&f, steppers[i], "1", 0.5);
    }
    pressure(&f, "spook:eps=0,geometric=1", SB_SINGULAR, "reduce the step or use geometric=diag");
    pressure(&f, "spook:eps=0,geometric=diag", SB_OK, "");
    fixture_close(&f);
    return gsl_test_summary();
}
