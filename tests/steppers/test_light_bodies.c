/* The equations of a constrained step have several solutions. SHAKE, RATTLE and DEL return the one that continues the
 * motion, where bodies are light and where steps are long, or none. */
#include <math.h>
#include <stdio.h>

#include "tests/problems/systems.h"

/* Writes a mechanism to a file of its own; returns its spec. */
static const char *mechanism(const char *text, double lightest) {
    static char spec[64];
    FILE *file = fopen("light_bodies.json", "w");
    gsl_test(file == NULL, "a file to write");
    fprintf(file, text, lightest, lightest);
    fclose(file);
    snprintf(spec, sizeof spec, "mechanism:file=light_bodies.json");
    return spec;
}

/* Returns the status of the step that ended the run of `steps` steps of length T/steps, and the last q. */
static int end_of(fixture *f, const sb_system *sys, const char *stepper, double T, long steps, double *q) {
    sb_method method = {0};
    sb_state s[2];
    long k = 0;
    int status = sb_method_build(&f->ctx, &f->arena, stepper, sys, &method) | sb_state_new(&method, &f->arena, &s[0]) |
                 sb_state_new(&method, &f->arena, &s[1]);
    const double h = T / (double)steps;
    gsl_test(status != SB_OK, "%s takes %s (%s)", stepper, sys->name, f->ctx.message);
    status = sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]);
    while (k < steps && status == SB_OK) {
        status = sb_method_step(&method, &s[k & 1], h, &s[(k + 1) & 1]);
        k += status == SB_OK;
    }
    memcpy(q, s[k & 1].q, (size_t)sys->n * sizeof *q);
    return status;
}

static const char *const steppers[] = {"rattle", "shake", "del", "del:quadrature=left"};

/* A rod of length 1 with a load of mass 10 on its end, which is free to turn, is a pendulum of inertia
 * I = J + m/4 + 10 and static moment s = m/2 + 10: I phi'' = -9.81 s cos phi. Its phi and q2 agree to the error of the
 * method, h^2/24 (omega^2 + g/l) per unit of the phase or less than 5 h^2 at t = 1, and a root next to it is
 * a turn or half a turn away. */
static void swinging_load(fixture *f, double m) {
    static const char text[] =
        "{\"gravity\": [0, -9.81], \"bodies\": {\"rod\": {\"mass\": %.17g, \"inertia\": %.17g, \"position\": [0.5, 0]},"
        " \"load\": {\"mass\": 10, \"inertia\": 0.1, \"position\": [1, 0]}}, \"joints\": ["
        "{\"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"], \"points\": [[0, 0], [-0.5, 0]]},"
        "{\"type\": \"revolute\", \"bodies\": [\"rod\", \"load\"], \"points\": [[0.5, 0], [0, 0]]}]}";
    static const long counts[] = {100, 40, 20};
    const double I = m + 0.25 * m + 10.0, s = 0.5 * m + 10.0, k = 1e-4;
    double phi = 0.0, omega = -0.5 * k * -9.81 * s / I; /* half a step back */
    sb_system sys;
    fixture_build(f, mechanism(text, m), NULL, &sys);
    for (int i = 0; i < 10000; i++) { /* Verlet's error is 1e-7 here */
        omega -= k * 9.81 * s / I * cos(phi);
        phi += k * omega;
    }
    for (int j = 0; j < 12; j++) {
        double q[6];
        const long steps = counts[j / 4];
        const double h = 1.0 / (double)steps;
        const int status = end_of(f, &sys, steppers[j % 4], 1.0, steps, q);
        gsl_test(status != SB_OK || !(fabs(q[2] - phi) < 5.0 * h * h), "%s, rod of %g kg, h = %g: %g rad, not %g (%s)",
                 steppers[j % 4], m, h, q[2], phi, status != SB_OK ? f->ctx.message : "");
    }
}

/* A parallelogram of cranks of length 1 whose coupler is light: all its points move on circles and it does not turn.
 * The cranks of 2 kg move as rods of inertia m/3 about their pivots, and the coupler as a mass at their ends, so that
 * (4/3 + c) phi'' = -9.81 (2 + c) cos phi, with c the mass of the coupler. */
static void light_coupler(fixture *f, double c) {
    static const char text[] =
        "{\"gravity\": [0, -9.81], \"bodies\": {"
        "\"left\": {\"mass\": 2, \"inertia\": 0.16666666666666666, \"position\": [0.35355339059327378, "
        "0.35355339059327378], \"angle\": 0.78539816339744828},"
        "\"coupler\": {\"mass\": %.17g, \"inertia\": %.17g, \"position\": [1.7071067811865475, 0.70710678118654757]},"
        "\"right\": {\"mass\": 2, \"inertia\": 0.16666666666666666, \"position\": [2.3535533905932737, "
        "0.35355339059327378], \"angle\": 0.78539816339744828}}, \"joints\": ["
        "{\"type\": \"revolute\", \"bodies\": [\"ground\", \"left\"], \"points\": [[0, 0], [-0.5, 0]]},"
        "{\"type\": \"revolute\", \"bodies\": [\"left\", \"coupler\"], \"points\": [[0.5, 0], [-1, 0]]},"
        "{\"type\": \"revolute\", \"bodies\": [\"coupler\", \"right\"], \"points\": [[1, 0], [0.5, 0]]},"
        "{\"type\": \"revolute\", \"bodies\": [\"ground\", \"right\"], \"points\": [[2, 0], [-0.5, 0]]}]}";
    const double k = 1e-4, pi_4 = 0.78539816339744828;
    double phi = pi_4, omega = 0.5 * k * 9.81 * (2.0 + c) / (4.0 / 3.0 + c) * cos(phi);
    sb_system sys;
    fixture_build(f, mechanism(text, c), NULL, &sys);
    for (int i = 0; i < 4000; i++) { /* to -0.2 rad, before the bars lie in one line at -pi/2 or 0 */
        omega -= k * 9.81 * (2.0 + c) / (4.0 / 3.0 + c) * cos(phi);
        phi += k * omega;
    }
    for (int j = 0; j < 8; j++) {
        double q[9];
        const long steps = j < 4 ? 40 : 10;
        const double h = 0.4 / (double)steps;
        const int status = end_of(f, &sys, steppers[j % 4], 0.4, steps, q);
        gsl_test(status != SB_OK || !(fabs(q[2] - phi) < 5.0 * h * h) || !(fabs(q[5]) < 1e-9),
                 "%s, coupler of %g kg, h = %g: %g rad, not %g; coupler %g (%s)", steppers[j % 4], c, h, q[2], phi,
                 q[5], status != SB_OK ? f->ctx.message : "");
    }
}

/* A point on the unit circle moves by h v from (1, 0), without forces. SHAKE and RATTLE move it along x to the circle:
 * to (sqrt(1 - (h v)^2), h v) on this side, to the negative x on the other. DEL with the midpoint rule has the same two
 * solutions. Beyond h v = 1 there is none. */
static void circle(fixture *f, double hv) {
    sb_system sys;
    char spec[96];
    snprintf(spec, sizeof spec, "pendulum:g=0,theta0=1.5707963267948966,omega0=%.17g", hv);
    fixture_build(f, spec, NULL, &sys);
    for (int j = 0; j < 4; j++) {
        double q[2];
        const int status = end_of(f, &sys, steppers[j], 1.0, 1, q);
        if (hv >= 1.0) {
            gsl_test(status <= 0, "%s: a step of h v = %g is refused: status %d, q = (%g, %g)", steppers[j], hv, status,
                     q[0], q[1]);
        } else { /* the root is as far from the double root as 1 - (h v)^2 */
            gsl_test(status == SB_OK && !(fabs(q[0] - sqrt(1.0 - hv * hv)) < 1e-12), "%s: h v = %g: q = (%.17g, %g)",
                     steppers[j], hv, q[0], q[1]);
            gsl_test(hv <= 0.9 && status != SB_OK, "%s: h v = %g is taken (%s)", steppers[j], hv, f->ctx.message);
        }
    }
}

/* The same from a guess that no motion has led to: with the acceleration in aux, the step from rest at (1, 0) plus h v
 * begins near (1 + h^2 a, h v), where Newton's method finds the other solution. Nothing but the nearer one may come of
 * it. */
static void misled(fixture *f, const char *stepper, double hv, double a) {
    sb_system sys;
    sb_method method = {0};
    sb_state s[2];
    char spec[96];
    snprintf(spec, sizeof spec, "pendulum:g=0,theta0=1.5707963267948966,omega0=%.17g", hv);
    fixture_build(f, spec, NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &sys, &method) | sb_state_new(&method, &f->arena, &s[0]) |
                 sb_state_new(&method, &f->arena, &s[1]) | sb_method_start(&method, 0.0, NULL, NULL, 1.0, &s[0]);
    gsl_test(status != SB_OK, "%s starts", stepper);
    s[0].aux[0] = a;
    const double c = sqrt(1.0 - s[0].v[1] * s[0].v[1]);
    status = sb_method_step(&method, &s[0], 1.0, &s[1]);
    gsl_test(status < 0 || (status == SB_OK && !(fabs(s[1].q[0] - c) < 1e-12)),
             "%s misled by a = %g: status %d, x = %.17g, not %.17g", stepper, a, status, s[1].q[0], c);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    for (double m = 10.0; m >= 0.9e-5; m /= 10.0) {
        swinging_load(&f, m);
        light_coupler(&f, m);
    }
    for (int k = 1; k < 24; k++) {
        if (k != 10) { /* a double root */
            circle(&f, 0.1 * k);
        }
    }
    for (int k = 0; k < 40; k++) {
        misled(&f, k % 2 == 0 ? "rattle" : "shake", 0.02 * (k + 1), -6.0 + 0.31 * k);
    }
    remove("light_bodies.json");
    fixture_close(&f);
    return gsl_test_summary();
}
