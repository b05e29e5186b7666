/* Classes of systems at an equilibrium with exponents in closed form, and steppers with known stability. */
#include "bench/experiments/general/stable_classes.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "bench/experiments/general/classes.h"

/* ---- Exponents. ---- */

static int frequencies(int count, const double *omega2, sb_exponent *out) {
    for (int i = 0; i < count; i++) {
        out[i] = (sb_exponent){0.0, sqrt(omega2[i])};
    }
    return count;
}

/* The roots of lambda^2 + 2 b lambda + c = 0; with real coefficients one of two conjugate ones would do. */
static int quadratic(double complex b, double complex c, sb_exponent *out) {
    const double complex root = csqrt(b * b - c);
    out[0] = (sb_exponent){creal(-b + root), cimag(-b + root)};
    out[1] = (sb_exponent){creal(-b - root), cimag(-b - root)};
    return 2;
}

static int oscillator(const double u[2], sb_exponent *out) { return frequencies(1, (double[]){u[0] * u[0]}, out); }
static int damped(const double u[2], sb_exponent *out) { return quadratic(0.5 * u[1], u[0] * u[0], out); }
static int pendulum(const double u[2], sb_exponent *out) { return frequencies(1, (double[]){u[1] / u[0]}, out); }
static int unit(const double u[2], sb_exponent *out) { return (void)u, frequencies(1, (double[]){1.0}, out); }

/* A hanging thread of n equal particles: omega^2 l/g are the roots of the Laguerre polynomial L_n. */
static int thread2(const double u[2], sb_exponent *out) {
    const double g = u[1] / u[0];
    return frequencies(2, (double[]){(2.0 - M_SQRT2) * g, (2.0 + M_SQRT2) * g}, out);
}

static int thread3(const double u[2], sb_exponent *out) {
    const double g = u[1] / u[0];
    return frequencies(3, (double[]){0.41577455678347908 * g, 2.2942803602790417 * g, 6.2899450829374792 * g}, out);
}

/* Small oscillations of a double pendulum with rods of length 1: landau76 (24), problem 2, with m2/m1 = u0, g = u1. */
static int double_pendulum(const double u[2], sb_exponent *out) {
    const double mean = u[1] * (1.0 + u[0]), half = u[1] * sqrt(u[0] * (1.0 + u[0]));
    return frequencies(2, (double[]){mean - half, mean + half}, out);
}

/* The check systems, terms.h: z'' = -z - drag z' + i gyro z' + i curl z. */
static int curl(const double u[2], sb_exponent *out) { return (void)u, quadratic(0.0, 1.0 - 0.3 * I, out); }
static int drag(const double u[2], sb_exponent *out) { return (void)u, quadratic(0.2, 1.0, out); }
static int gyroscopic(const double u[2], sb_exponent *out) { return (void)u, quadratic(-0.4 * I, 1.0, out); }

#define CLASS(name, members, chart, format, ranges, kind, constrained, exponents)                                      \
    { name, members, chart, format, ranges, kind, constrained, exponents }
#define FROM_TO(low0, high0, low1, high1)                                                                              \
    {low0, low1}, { high0, high1 }

const sb_stable_class sb_stable_classes[] = {
    CLASS("oscillator", "frequency", NULL, "oscillator:omega=%.9g", FROM_TO(0.2, 5.0, 0.0, 1.0), SB_FLOW_CONSERVATIVE,
          false, oscillator),
    CLASS("damped oscillator", "frequency, drag", NULL, "oscillator:omega=%.9g,gamma=%.9g",
          FROM_TO(0.5, 2.0, 0.05, 1.0), SB_FLOW_DAMPED, false, damped),
    CLASS("overdamped oscillator", "frequency, drag", NULL, "oscillator:omega=%.9g,gamma=%.9g",
          FROM_TO(0.5, 1.0, 2.1, 4.0), SB_FLOW_DAMPED, false, damped),
    CLASS("pendulum in its angle", "length, gravity", "chart", "pendulum:theta0=0,l=%.9g,g=%.9g",
          FROM_TO(0.3, 3.0, 3.0, 15.0), SB_FLOW_CONSERVATIVE, false, pendulum),
    CLASS("hanging pendulum", "length, gravity", NULL, "pendulum:theta0=0,l=%.9g,g=%.9g", FROM_TO(0.3, 3.0, 3.0, 15.0),
          SB_FLOW_CONSERVATIVE, true, pendulum),
    CLASS("thread of two", "length, gravity", NULL, "thread:n=2,l=%.9g,g=%.9g", FROM_TO(0.3, 3.0, 3.0, 15.0),
          SB_FLOW_CONSERVATIVE, true, thread2),
    CLASS("thread of three", "length, gravity", NULL, "thread:n=3,l=%.9g,g=%.9g", FROM_TO(0.3, 3.0, 3.0, 15.0),
          SB_FLOW_CONSERVATIVE, true, thread3),
    CLASS("double pendulum", "mass, gravity", NULL, "double_pendulum:theta1=0,theta2=0,m2=%.9g,g=%.9g",
          FROM_TO(0.2, 4.0, 3.0, 15.0), SB_FLOW_CONSERVATIVE, false, double_pendulum),
    CLASS("Henon and Heiles", "start near the equilibrium", NULL, "henon_heiles:x0=%.9g,y0=%.9g,vx0=0",
          FROM_TO(-0.1, 0.1, -0.1, 0.1), SB_FLOW_CONSERVATIVE, false, unit),
    CLASS("oblique coordinates", "one", NULL, "check.oblique", FROM_TO(0.0, 0.0, 0.0, 0.0), SB_FLOW_CONSERVATIVE, false,
          unit),
    CLASS("circulatory force", "one", NULL, "check.force_q", FROM_TO(0.0, 0.0, 0.0, 0.0), SB_FLOW_OTHER, false, curl),
    CLASS("drag in the plane", "one", NULL, "check.force_v", FROM_TO(0.0, 0.0, 0.0, 0.0), SB_FLOW_DAMPED, false, drag),
    CLASS("gyroscopic force", "one", NULL, "check.gyroscopic", FROM_TO(0.0, 0.0, 0.0, 0.0), SB_FLOW_OTHER, false,
          gyroscopic),
};
const int sb_stable_class_count = sizeof sb_stable_classes / sizeof *sb_stable_classes;

int sb_stable_class_member(sb_context *ctx, sb_arena *arena, const sb_stable_class *type, int k, sb_system *out,
                           sb_exponent exponents[SB_EXPONENTS_MAX], int *count) {
    static const double irrational[2] = {0.6180339887498949, 0.4142135623730951};
    double u[3] = {0.0};
    for (int i = 0; i < 2; i++) {
        u[i] = type->low[i] + fmod(irrational[i] * (k + 1), 1.0) * (type->high[i] - type->low[i]);
    }
    *count = type->exponents(u, exponents);
    return sb_problem_class_build(ctx, arena, type->format, type->chart, u, out);
}

/* ---- Steppers. ---- */

/* LIMITED: bounded for h omega < limit on conservative classes. UNLIMITED: on conservative and damped ones. COMPOSED:
 * Verlet's method in steps c h, (1 - 2 n c) h in the middle, n of c on either side. The others: the stability function
 * R(h lambda) of a Runge-Kutta method. */
enum { LIMITED, UNLIMITED, COMPOSED1, COMPOSED2, EULER, IMPLICIT, MIDPOINT, EXPLICIT2, RK4, GAUSS2, GAUSS3 };

#define VERLET "Verlet's method: notes11 (20)"
#define RATIONAL "|R(h lambda)| of its stability function: hw96 IV.3"

const sb_stable_stepper sb_stable_steppers[] = {
    {"verlet", VERLET, true, LIMITED, 2.0},
    {"shake", VERLET, true, LIMITED, 2.0},
    {"rattle", VERLET, true, LIMITED, 2.0},
    {"euler_symplectic", VERLET, false, LIMITED, 2.0},
    {"del:quadrature=left", VERLET, false, LIMITED, 2.0},
    {"reg", VERLET, false, LIMITED, 2.0},
    {"vts", VERLET, false, LIMITED, 2.0},
    {"spook:eps=0", VERLET, false, LIMITED, 2.0},
    {"nonholonomic_variational", VERLET, false, LIMITED, 2.0},
    {"moreau", VERLET, false, LIMITED, 2.0},
    {"moreau:theta=1", VERLET, false, LIMITED, 2.0},
    {"newmark:beta=0.2", "limit 1/sqrt(1/4 - beta): newmark59", false, LIMITED, 4.4721359549995796},
    {"newmark:beta=0.1", "limit 1/sqrt(1/4 - beta): newmark59", false, LIMITED, 2.581988897471611},
    {"newmark", "unconditionally stable: newmark59", false, UNLIMITED, 0.0},
    {"hht", "unconditionally stable: hilber77", false, UNLIMITED, 0.0},
    {"generalized_alpha", "unconditionally stable: chung93", false, UNLIMITED, 0.0},
    {"em", "the midpoint rule on linear problems", false, UNLIMITED, 0.0},
    {"del", "the midpoint rule on linear problems", false, UNLIMITED, 0.0},
    {"yoshida4(verlet)", "trace of the product of Verlet's matrices", true, COMPOSED1, 0.0},
    {"yoshida4(rattle)", "trace of the product of Verlet's matrices", true, COMPOSED1, 0.0},
    {"suzuki4(verlet)", "trace of the product of Verlet's matrices", true, COMPOSED2, 0.0},
    {"suzuki4(rattle)", "trace of the product of Verlet's matrices", true, COMPOSED2, 0.0},
    {"euler_explicit", RATIONAL, false, EULER, 0.0},
    {"euler_implicit", RATIONAL, false, IMPLICIT, 0.0},
    {"midpoint", RATIONAL, false, MIDPOINT, 0.0},
    {"yoshida4(midpoint)", "steps with |R| = 1", false, UNLIMITED, 0.0},
    {"rk4", RATIONAL, false, RK4, 0.0},
    {"gauss:stages=1", RATIONAL, false, MIDPOINT, 0.0},
    {"gauss", RATIONAL, false, GAUSS2, 0.0},
    {"gauss:stages=3", RATIONAL, false, GAUSS3, 0.0},
    {"faulty_right", RATIONAL, true, EXPLICIT2, 0.0},
    {"faulty_euler", RATIONAL, true, EULER, 0.0},
    {"faulty_claims_3", RATIONAL, true, EXPLICIT2, 0.0},
    {"faulty_claims_reversal", RATIONAL, true, EXPLICIT2, 0.0},
    {"faulty_claims_energy", RATIONAL, true, EXPLICIT2, 0.0},
    {"faulty_lambda_sign", RATIONAL, true, EXPLICIT2, 0.0},
};
const int sb_stable_stepper_count = sizeof sb_stable_steppers / sizeof *sb_stable_steppers;

static double complex stability_function(int law, double complex z) {
    switch (law) {
    case EULER: return 1.0 + z;
    case IMPLICIT: return 1.0 / (1.0 - z);
    case MIDPOINT: return (1.0 + 0.5 * z) / (1.0 - 0.5 * z);
    case EXPLICIT2: return 1.0 + z + 0.5 * z * z;
    case RK4: return 1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0;
    case GAUSS2: return (1.0 + z / 2.0 + z * z / 12.0) / (1.0 - z / 2.0 + z * z / 12.0);
    default:
        return (1.0 + z / 2.0 + z * z / 10.0 + z * z * z / 120.0) / (1.0 - z / 2.0 + z * z / 10.0 - z * z * z / 120.0);
    }
}

/* Returns half of the trace of a composition of n, 1 and n steps of Verlet's method. */
static double composed_trace(int n, double tau) {
    const double c = n == 1 ? 1.0 / (2.0 - cbrt(2.0)) : 1.0 / (4.0 - cbrt(4.0));
    double A[4] = {1.0, 0.0, 0.0, 1.0}; /* rows */
    for (int i = 0; i < 2 * n + 1; i++) {
        const double s = (i == n ? 1.0 - 2.0 * n * c : c) * tau, d = 1.0 - 0.5 * s * s;
        const double B[4] = {d, s, -s * (1.0 - 0.25 * s * s), d};
        const double next[4] = {B[0] * A[0] + B[1] * A[2], B[0] * A[1] + B[1] * A[3], B[2] * A[0] + B[3] * A[2],
                                B[2] * A[1] + B[3] * A[3]};
        memcpy(A, next, sizeof A);
    }
    return 0.5 * (A[0] + A[3]);
}

bool sb_stable_truth(const sb_stable_stepper *stepper, const sb_stable_class *type, const sb_exponent *exponents,
                     int count, double h, bool *stable) {
    const int law = stepper->law;
    *stable = true;
    if (type->constrained && !stepper->constrained) {
        return false;
    }
    if (type->chart != NULL && strcmp(stepper->stepper, "del") == 0) {
        return false; /* it averages positions in the embedding */
    }
    if (law <= COMPOSED2 && type->kind != SB_FLOW_CONSERVATIVE) {
        return law == UNLIMITED && type->kind == SB_FLOW_DAMPED;
    }
    for (int i = 0; i < count && law != UNLIMITED; i++) {
        const double complex z = h * (exponents[i].re + I * exponents[i].im);
        /* Less than 0: bounded; the distance from 0 is how sure that is. */
        const double excess = law == LIMITED ? 1e-6 * (cabs(z) / stepper->limit - 1.0)
                              : law <= COMPOSED2
                                  ? 1e-6 * (fabs(composed_trace(law == COMPOSED1 ? 1 : 2, cabs(z))) - 1.0)
                                  : cabs(stability_function(law, z)) - 1.0;
        const bool neutral = (law == MIDPOINT || law >= GAUSS2) && exponents[i].re == 0.0; /* |R| = 1 */
        if (fabs(excess) < 1e-9 && !neutral) {
            return false;
        }
        *stable = *stable && (neutral || excess < 0.0);
    }
    return true;
}
