/* The errata of notes11 8-11, penalty forces and constraints: each printed equation fails where formulation and
 * steppers hold the corrected one. */
#include <stdio.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/errata/linear.h"

/* ---- 8, 9: the strong spring under a unit weight, y'' = -1 - y/eps from y = y' = 0. ---- */

static const double eps = 0.01;

/* The solution of (46), y = eps (cos(t/sqrt(eps)) - 1). */
static double fall(double t) { return eps * (cos(t / sqrt(eps)) - 1.0); }
static double fall_rate(double t) { return -sqrt(eps) * sin(t / sqrt(eps)); }

/* The force across the line on the particle of notes11 (44) with the spring, and its potential energy. */
static double force_at(const sb_system *sys, double y, double v, double *V) {
    const double q[2] = {0.0, y}, rate[2] = {0.0, v};
    double F[2], tmp[2];
    gsl_test(sb_system_force(sys, 0.0, q, rate, F, tmp) | sb_potential_value(sys, 0.0, q, V), "%s has a force",
             sys->name);
    return F[1];
}

static void spring(fixture *f) {
    sb_system sys;
    double once[2] = {0.0}, energy[2] = {0.0}, V;
    fixture_build(f, "plane:m=1,g=1", "penalty:eps=0.01", &sys);
    for (double t = 0.0; t < 1.0; t += 0.01) {
        const double y = fall(t), v = fall_rate(t), F = force_at(&sys, y, v, &V), f_e = -1.0, f_eps = -y / eps;
        once[0] = fmax(once[0], fabs(f_e + f_eps + f_eps - (f_e - y / eps))); /* (43): f_eps beside lambda = -y/eps */
        once[1] = fmax(once[1], fabs(F - (f_e - y / eps)));
        energy[0] = fmax(energy[0], fabs(0.5 * v * v + y + y * y / eps) / eps);
        energy[1] = fmax(energy[1], fabs(0.5 * v * v + V) / eps);
    }
    erratum("notes11 (43)", once[0], 0.1, once[1], 8.0 * DBL_EPSILON);
    erratum("notes11 9, energy", energy[0], 0.1, energy[1], 16.0 * DBL_EPSILON);
    /* E = 0: the motion turns where V = 0, at y = -2 eps, where y^2/eps is not below E. */
    force_at(&sys, -2.0 * eps, 0.0, &V);
    erratum("notes11 (47)", 4.0 * eps * eps / eps / eps, 1.0, V / eps, 8.0 * DBL_EPSILON);
}

/* rk4 with omega h = 0.01 is off by (omega h)^4/120 omega t, 1e-9 of the amplitude. */
static void spring_solution(fixture *f) {
    const double h = 1e-3, s = sqrt(eps);
    double y[2] = {0.0}, lambda[2] = {0.0};
    stepping x;
    stepping_begin(f, "plane:m=1,g=1", "penalty:eps=0.01", "rk4", h, &x);
    for (int k = 0; k < 1000; k++) {
        const double t = k * h, now = x.now.q[1];
        y[0] = fmax(y[0], fabs(eps * (-1.0 + sin(t / s)) - now) / eps);
        y[1] = fmax(y[1], fabs(fall(t) - now) / eps);
        lambda[0] = fmax(lambda[0], fabs((-1.0 + cos(t / s)) + now / eps));
        lambda[1] = fmax(lambda[1], fabs((1.0 - cos(t / s)) + now / eps));
        stepping_step(&x, h);
    }
    erratum("notes11 (49), y", y[0], 0.1, y[1], 1e-8);
    erratum("notes11 (49), lambda = -y/eps", lambda[0], 0.1, lambda[1], 1e-8);
}

/* The largest |lambda - 1| between `from` and 1 s of eps lambda + y + gamma y' = 0 from rest. */
static double farthest(fixture *f, double e, double gamma, double from) {
    char penalty[96];
    const double h = 0.05 * sqrt(e);
    double most = 0.0, V;
    stepping x;
    snprintf(penalty, sizeof penalty, "penalty:eps=%.17g,gamma=%.17g", e, gamma);
    stepping_begin(f, "plane:m=1,g=1", penalty, "rk4", h, &x);
    for (; x.now.t < 1.0; stepping_step(&x, h)) {
        const double lambda = force_at(&x.sys, x.now.q[1], x.now.v[1], &V) + 1.0;
        gsl_test(!(fabs(e * lambda + x.now.q[1] + gamma * x.now.v[1]) <= 16.0 * DBL_EPSILON),
                 "notes11 (51): eps lambda + g + gamma G v = 0");
        most = x.now.t >= from ? fmax(most, fabs(lambda - 1.0)) : most;
    }
    return most;
}

/* (51) claims strong and uniform convergence of lambda to 1. The slow root of the damped spring is -gamma/(2 eps) +
 * sqrt(gamma^2/4 - eps)/eps: with gamma = 3 sqrt(eps) it is -38/s at eps = 1e-4, with gamma = eps its real part -1/2.
 */
static void damped_multiplier(fixture *f) {
    for (double e = 1e-2; e > 0.9e-4; e *= 0.1) {
        gsl_test(!(farthest(f, e, 3.0 * sqrt(e), 0.0) >= 1.0), "notes11 (51): not uniform, |lambda - 1| = 1 at t = 0");
        gsl_test(!(farthest(f, e, e, 0.1) > 0.5), "notes11 (51): with gamma = eps there is none at all");
    }
    gsl_test(!(farthest(f, 1e-4, 0.03, 0.5) < 1e-6), "notes11 (51): away from t = 0 and with gamma/eps large it is");
}

/* ---- 10, 11: linearly implicit steps. ---- */

static const double h = 0.2, compliance = 0.3;

static void strong_forces(fixture *f) {
    linear s;
    stepping implicit, linearized;
    double printed[2] = {0.0}, right[2] = {0.0};
    linear_make(&s, 7UL);
    linear_step(f, &s, "eps=0.3", "euler_implicit", h, &implicit);
    linear_step(f, &s, "eps=0.3", "euler_linear:geometric=0", h, &linearized);
    for (int i = 0; i < LINEAR_N; i++) {
        double Gg1 = 0.0, Gg0 = 0.0, GGv = 0.0;
        for (int j = 0; j < LINEAR_M; j++) {
            Gg1 += s.G[j][i] * linear_g(&s, j, implicit.now.q) / compliance;
            Gg0 += s.G[j][i] * linear_g(&s, j, s.q) / compliance;
            GGv += s.G[j][i] * linear_rate(&s, j, linearized.now.v) / compliance;
        }
        /* M v1 - M v0 - h f of either step; (54) has h^2/eps G'G v1 beside it. */
        const double left52 = s.mass[i] * (implicit.now.v[i] - s.v[i]) - h * s.f[i],
                     left54 = s.mass[i] * (linearized.now.v[i] - s.v[i]) - h * s.f[i] + h * h * GGv;
        printed[0] = fmax(printed[0], fabs(left52 - h * Gg1));
        right[0] = fmax(right[0], fabs(left52 + h * Gg1));
        printed[1] = fmax(printed[1], fabs(left54 - h * Gg0));
        right[1] = fmax(right[1], fabs(left54 + h * Gg0));
    }
    erratum("notes11 (52)", printed[0], 1e-2, right[0], 64.0 * DBL_EPSILON);
    erratum("notes11 (54)", printed[1], 1e-2, right[1], 64.0 * DBL_EPSILON);
}

/* (55) is what (54) becomes for eps to 0, G'G v = -G'g/h: Gauss-Newton makes a linear g zero at once, but for eps over
 * h^2 G M^-1 G'. Steepest descent on |g|^2/2 moves along -G'g and, even with its best length, does not. */
static void gauss_newton(fixture *f) {
    linear s;
    stepping x;
    double direction[LINEAR_N], square = 0.0, gained = 0.0, newton = 0.0, descent = 0.0;
    linear_make(&s, 11UL);
    linear_step(f, &s, "eps=1e-12", "euler_linear:geometric=0", h, &x);
    for (int i = 0; i < LINEAR_N; i++) {
        direction[i] = -(s.G[0][i] * linear_g(&s, 0, s.q) + s.G[1][i] * linear_g(&s, 1, s.q));
    }
    for (int j = 0; j < LINEAR_M; j++) {
        const double d = linear_rate(&s, j, direction);
        square += d * d;
        gained -= d * linear_g(&s, j, s.q);
    }
    for (int j = 0; j < LINEAR_M; j++) {
        newton = fmax(newton, fabs(linear_g(&s, j, x.now.q)));
        descent = fmax(descent, fabs(linear_g(&s, j, s.q) + gained / square * linear_rate(&s, j, direction)));
    }
    erratum("notes11 (55), one step to g = 0", descent, 1e-3, newton, 1e-9);
}

/* One step of SPOOK with gamma = 0.15 s, put into (60) and into its Schur complement (62). */
static void spook(fixture *f) {
    const double k = 1.0 + 4.0 * 0.15 / h;
    linear s;
    stepping x;
    double printed[2] = {0.0}, right[2] = {0.0}, force[LINEAR_N];
    linear_make(&s, 23UL);
    linear_step(f, &s, NULL, "spook:eps=0.3,tau=0.75,start=full", h, &x);
    for (int i = 0; i < LINEAR_N; i++) {
        force[i] = s.f[i] / s.mass[i];
    }
    for (int j = 0; j < LINEAR_M; j++) {
        const double sigma = 4.0 * compliance / (h * h * k), impulse = h * x.now.lambda[j],
                     g = 4.0 / (h * k) * linear_g(&s, j, s.q), rate = linear_rate(&s, j, s.v),
                     left = linear_rate(&s, j, x.now.v) + sigma * impulse + g;
        printed[0] = fmax(printed[0], fabs(left - rate / (h * k)));
        right[0] = fmax(right[0], fabs(left - rate / k));
        double S = sigma * impulse;
        for (int i = 0; i < LINEAR_N; i++) {
            S += s.G[j][i] / s.mass[i] * h * (s.G[0][i] * x.now.lambda[0] + s.G[1][i] * x.now.lambda[1]);
        }
        const double side = -g + (1.0 / k - 1.0) * rate, applied = h * linear_rate(&s, j, force);
        printed[1] = fmax(printed[1], fabs(S - (side + applied)));
        right[1] = fmax(right[1], fabs(S - (side - applied)));
    }
    erratum("notes11 (60)", printed[0], 1e-2, right[0], 64.0 * DBL_EPSILON);
    erratum("notes11 (62)", printed[1], 1e-2, right[1], 64.0 * DBL_EPSILON);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    spring(&f);
    spring_solution(&f);
    damped_multiplier(&f);
    strong_forces(&f);
    gauss_newton(&f);
    spook(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
