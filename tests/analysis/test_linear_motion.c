/* The linearized motion: exponents known in closed form, and the limits of steps on the frozen motion. */
#include <complex.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/analysis/fixture.h"
#include "tests/analysis/planar.h"

/* Exponent `mode` of the start of a problem. Differences have twelve digits, of double roots half of them. */
static void exponent(fixture *f, const char *problem, int mode, double re, double im, double tol) {
    sb_table table;
    rows(f, "modes", "", problem, "rk4", &table);
    near(sb_table_real(&table, mode, "lambda_re"), re, tol, problem);
    near(sb_table_real(&table, mode, "lambda_im"), im, tol, problem);
}

/* x'' = b y' - k x, y'' = -b x' - k y: lambda = +-i w with w^2 - b w - k = 0, after z = x + i y. */
static void gyroscopic(fixture *f) {
    const double golden = 0.5 * (3.0 + sqrt(5.0));
    exponent(f, "planar:k=9,l=9,b=8", 0, 0.0, 9.0, 1e-13);
    exponent(f, "planar:k=9,l=9,b=8", 1, 0.0, 1.0, 1e-13);
    exponent(f, "planar:k=9,l=9,b=8,jacobian=no", 0, 0.0, 9.0, 1e-10);
    exponent(f, "planar:k=-1,l=-1,b=3", 0, 0.0, golden, 1e-13);
    exponent(f, "planar:k=-1,l=-1,b=3", 1, 0.0, 1.0 / golden, 1e-13);
    exponent(f, "planar:k=-3,l=0,b=2,w0=-2", 0, 0.0, 1.0, 1e-13);
    exponent(f, "planar:k=-3,l=0,b=2,w0=-2", 1, 0.0, 0.0, 0.0);
}

/* Drag: (-c +- sqrt(c^2 - 4 k))/2 along x, also where both are real or equal. A circulatory force: lambda^2 = -k +- i
 * s.
 */
static void others(fixture *f) {
    exponent(f, "planar:l=0.01,c=30", 0, -15.0 - sqrt(224.0), 0.0, 1e-12);
    exponent(f, "planar:k=25,c=6", 0, -3.0, 4.0, 1e-13);
    exponent(f, "planar:k=25,c=10", 0, -5.0, 0.0, 1e-6);
    /* -1 +- 2 i and 1 +- 2 i are of one size and come in any order. */
    sb_table table;
    rows(f, "modes", "", "planar:k=3,l=3,s=4", "rk4", &table);
    const int grows = sb_table_real(&table, 0, "lambda_re") > 0.0 ? 0 : 1;
    exponent(f, "planar:k=3,l=3,s=4", grows, 1.0, 2.0, 1e-13);
    exponent(f, "planar:k=3,l=3,s=4", 1 - grows, -1.0, 2.0, 1e-13);
    exponent(f, "planar:k=2,l=-5", 1, sqrt(5.0), 0.0, 1e-13);
}

/* On a cone the spherical pendulum swings about its angle with omega^2 = Omega^2 (1 + 3 cos^2 theta), Omega^2 = g/(l
 * cos theta): centrifugal and Coriolis forces. Feedback of constraints: lambda^2 + 2 alpha lambda + beta^2 = 0. */
static void of_inertia_and_feedback(fixture *f) {
    sb_table table;
    const char *const pendulum = "pendulum:theta0=0", *const feedback = "baumgarte:alpha=50,beta=40",
                      *const none = "rk4";
    exponent(f, "spherical_pendulum:theta0=1.0471975511965976,g=2,phidot0=2", 0, 0.0, sqrt(7.0), 1e-9);
    sb_table_init(&table, &f->arena);
    gsl_test(sb_analysis_run(&f->ctx, "modes", "", 1, &pendulum, 1, &feedback, 1, &none, NULL, &table.sink) != SB_OK,
             "feedback: %s", f->ctx.message);
    near(sb_table_real(&table, 0, "lambda_re"), -80.0, 1e-8, "2500 - 1600 = 900: -50 - 30");
    near(sb_table_real(&table, 1, "lambda_re"), -20.0, 1e-8, "-50 + 30");
    near(sb_table_real(&table, 2, "lambda_im"), sqrt(9.81), 1e-8, "the pendulum");
}

/* At rest M a_q u = -K u: lambda^2 are the eigenvalues of the derivative of the accelerations, here by differences of
 * second order. */
static void accelerated(fixture *f) {
    const sb_pair pair = pair_of(f, "double_pendulum", "rk4");
    const double d = 1e-5;
    double t, q[2], v[2], plus[2], minus[2], A[2][2];
    sb_dynamics dyn;
    int status = sb_dynamics_init(&f->ctx, &f->arena, pair.sys, &dyn) | pair.sys->initial(pair.sys->self, &t, q, v);
    for (int j = 0; j < 2; j++) {
        q[j] += d;
        status |= sb_dynamics_acceleration(&dyn, t, q, v, plus, NULL);
        q[j] -= 2.0 * d;
        status |= sb_dynamics_acceleration(&dyn, t, q, v, minus, NULL);
        q[j] += d;
        A[0][j] = (plus[0] - minus[0]) / (2.0 * d);
        A[1][j] = (plus[1] - minus[1]) / (2.0 * d);
    }
    gsl_test(status != SB_OK || v[0] != 0.0 || v[1] != 0.0, "it starts at rest");
    sb_table table;
    double complex square[2];
    rows(f, "modes", "", "double_pendulum", "rk4", &table);
    for (int i = 0; i < 2; i++) {
        square[i] = cpow(CMPLX(sb_table_real(&table, i, "lambda_re"), sb_table_real(&table, i, "lambda_im")), 2.0);
    }
    const double trace = A[0][0] + A[1][1], det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    near(creal(square[0] + square[1]), trace, 1e-7 * fabs(trace), "the trace of da/dq");
    near(creal(square[0] * square[1]), det, 1e-7 * fabs(det), "its determinant");
}

/* Of `advise`: the limit of the step, and its verdict. */
static void limit_is(fixture *f, const char *problem, const char *stepper, const char *options, double limit,
                     const char *safe) {
    sb_table table;
    rows(f, "advise", options, problem, stepper, &table);
    const double found = sb_table_real(&table, 0, "h_limit");
    gsl_test(isinf(limit) ? !isinf(found) : !(fabs(found - limit) <= 2e-6 * limit), "%s on %s: %.9g, not %.9g", stepper,
             problem, found, limit);
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), safe) != 0, "%s on %s, %s: %s", stepper, problem, options,
             sb_table_text(&table, 0, "advice"));
}

/* rk4: 2 sqrt 2 over the fastest frequency. On real exponents 1 + z + z^2/2 + z^3/6 + z^4/24 = 1 at z =
 * -2.785293563405. Symplectic Euler with the drag of the last velocity: h^2 k + 2 c h = 4. What grows by itself is left
 * out of the limit: a saddle, and a circulatory force. At rest a run starts with a kick. */
static void limits(fixture *f) {
    const double golden = 0.5 * (3.0 + sqrt(5.0)), real = 2.785293563405282;
    limit_is(f, "planar:k=-3,l=0,b=2,w0=-2", "rk4", "h=0.1", 2.0 * M_SQRT2, "yes");
    limit_is(f, "planar:k=-3,l=0,b=2,w0=-2", "rk4", "h=2.9", 2.0 * M_SQRT2, "no");
    limit_is(f, "planar:k=-3,l=0,b=2,w0=-2", "midpoint", "h=0.1", INFINITY, "yes");
    limit_is(f, "planar:k=-1,l=-1,b=3", "rk4", "h=0.1", 2.0 * M_SQRT2 / golden, "yes");
    limit_is(f, "planar:k=9,l=9,b=8,jacobian=no", "rk4", "h=0.1", 2.0 * M_SQRT2 / 9.0, "yes");
    /* Of Lobatto's pair with three stages the trace is (z^4 - 22 z^2 + 48)/(z^2 + 24): -2 at z^2 = 8 and 12. */
    limit_is(f, "planar:k=4,l=4", "lobatto_iiia_b:stages=3", "h=0.1", M_SQRT2, "yes");
    limit_is(f, "planar:l=0.01,c=30", "rk4", "h=0.09", real / (15.0 + sqrt(224.0)), "yes");
    limit_is(f, "planar:l=0.01,c=30", "rk4", "h=0.095", real / (15.0 + sqrt(224.0)), "no");
    limit_is(f, "planar:k=4,l=4,c=2", "euler_symplectic", "h=0.5,t_end=5", (sqrt(20.0) - 2.0) / 4.0, "yes");
    limit_is(f, "planar:k=4,l=-1", "verlet", "h=0.1,t_end=2", 1.0, "yes");
    limit_is(f, "planar:k=4,l=4,s=1", "rk4", "h=0.1,t_end=2", M_SQRT2, "yes");
    limit_is(f, "planar:k=394384,l=1,c=1256,x0=0", "reg", "h=0.003", 2.0 * (M_SQRT2 - 1.0) / 628.0, "no");
    limit_is(f, "planar:k=394384,l=1,c=1256,x0=0", "reg", "h=0.0013", 2.0 * (M_SQRT2 - 1.0) / 628.0, "yes");
}

/* In motion the thread of a pendulum pulls with m g cos theta + m v^2/l: at the lowest point omega^2 = (g/l) (3 - 2 cos
 * theta0). */
static void swinging(fixture *f) {
    static const char *const steppers[] = {"shake", "rattle", "del", "vts", "reg", "spook", "lie_variational"};
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        sb_table table;
        rows(f, "advise", "h=0.05,t_end=5,samples=1000", "pendulum:theta0=1,g=9,l=1", steppers[i], &table);
        near(sb_table_real(&table, 0, "omega"), sqrt(9.0 * (3.0 - 2.0 * cos(1.0))), 2e-3, "at the lowest point");
        near(sb_table_real(&table, 0, "tau_limit"), 2.0, 1e-5, steppers[i]);
        /* vts keeps the constraint of velocities only, and loses the energy of the swing. */
        const bool loses = strcmp(steppers[i], "vts") == 0;
        gsl_test(strcmp(sb_table_text(&table, 0, "safe"), loses ? "no" : "yes") != 0, "%s: %s", steppers[i],
                 sb_table_text(&table, 0, "advice"));
    }
}

/* A planet passes its sun in a part of (1 - e)^3/2 of its period. With h far below 2/omega of the passage, the orbit of
 * a run has another energy, or is open. What is advised is not. */
static void encounters(fixture *f) {
    sb_table table;
    /* From r = 1 with L = 0.1: r_p = 1/199, omega = r_p^-3/2, of which a step of v/20 r_p misses 3 %. */
    const char *const fall = "planar:k=0,l=0,mu=1,w0=0.1";
    rows(f, "advise", "h=0.0005,t_end=2", fall, "verlet", &table);
    near(sb_table_real(&table, 0, "omega") / pow(199.0, 1.5), 0.95, 0.05, "at the passage");
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "no") != 0, "h omega = 1.4: another orbit");
    rows(f, "advise", "h=0.00001,t_end=2", fall, "verlet", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "yes") != 0, "h omega = 0.03: %s",
             sb_table_text(&table, 0, "advice"));
    limit_is(f, "kepler:e=0.9", "verlet", "h=0.02", 2.0 * pow(0.1, 1.5), "no");
    limit_is(f, "kepler:e=0.99", "euler_symplectic", "h=0.0005", 2.0 * pow(0.01, 1.5), "no");
    limit_is(f, "kepler:e=0.99", "rk4", "h=0.0005", 2.0 * M_SQRT2 * pow(0.01, 1.5), "yes");
    rows(f, "advise", "h=0.01,t_end=1", "kepler:e=0.999", "verlet", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "safe"), "no") != 0, "a step as long as the passage");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    gsl_test(sb_registry_add(&f.registry, SB_KIND_PROBLEM, &planar_problem.entry) != SB_OK, "a problem of tests");
    gyroscopic(&f);
    others(&f);
    of_inertia_and_feedback(&f);
    accelerated(&f);
    limits(&f);
    swinging(&f);
    encounters(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
