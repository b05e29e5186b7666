/* What a problem says about its start: every output that is named like a parameter has its value there, and outputs and
 * inertias of composite bodies are those of geometry, of integrals over the body, and of the almanac. */
#include <stdio.h>

#include "core/base/params.h"
#include "tests/problems/systems.h"

enum { MOST = 64 };

static void start_of(const sb_system *sys, double *t, double *q, double *v, double *out) {
    gsl_test(sys->initial(sys->self, t, q, v) != SB_OK, "%s has a start", sys->name);
    if (sys->outputs.count > 0) {
        gsl_test(sys->outputs.value(sys->outputs.self, *t, q, v, out) != SB_OK, "%s has outputs", sys->name);
    }
}

/* Returns whether a parameter gives the start of an output: theta or theta0 of theta. */
static bool gives(const char *param, const char *output) {
    const size_t length = strlen(output);
    return strncmp(param, output, length) == 0 && (param[length] == '\0' || strcmp(param + length, "0") == 0);
}

/* The output at the start, with the parameter changed from its default, is the parameter; an angle up to turns. */
static int compare(fixture *f, const char *problem, const sb_param *p, int output) {
    static const double change[] = {0.3, -0.3, 0.05};
    const double initial = strtod(p->initial, NULL);
    for (int k = 0; k < 3; k++) {
        char text[160];
        double t, q[MOST], v[MOST], out[MOST];
        sb_system sys;
        snprintf(text, sizeof text, "%s:%s=%.17g", problem, p->name, initial + change[k]);
        if (sb_system_build(&f->ctx, &f->arena, text, 0, NULL, &sys) == SB_OK && sys.n <= MOST) {
            const sb_output *o = &sys.outputs.list[output];
            start_of(&sys, &t, q, v, out);
            const double off = out[output] - initial - change[k];
            gsl_test(!(fabs(strcmp(o->unit, "rad") == 0 ? remainder(off, 2.0 * M_PI) : off) <= 1e-12),
                     "%s: the output %s begins with %.17g", text, o->name, out[output]);
            return 1;
        }
    }
    return 0;
}

static void named_like_parameters(fixture *f) {
    const int count = f->registry.count[SB_KIND_PROBLEM];
    int compared = 0;
    for (int i = 0; i < count; i++) {
        const sb_entry *entry = f->registry.entries[SB_KIND_PROBLEM][i];
        sb_system sys;
        if (sb_system_build(&f->ctx, &f->arena, entry->name, 0, NULL, &sys) != SB_OK) {
            continue;
        }
        for (int o = 0; o < sys.outputs.count; o++) {
            for (const sb_param *p = entry->params; p->name != NULL; p++) {
                if (p->type == SB_REAL && gives(p->name, sys.outputs.list[o].name)) {
                    compared += compare(f, entry->name, p, o);
                }
            }
        }
    }
    gsl_test(compared < 8, "%d outputs are named like a parameter", compared);
}

/* The lean is the angle of the axis from the horizontal. The point of contact moves along the heading by the arc that
 * rolls over it, -r psidot, whatever the lean: neimark72. Central differences of outputs whose third derivatives are
 * below 100 have errors of 100 d^2 and round-off over d, with d = 1e-5 below 1e-8 and 1e-10. */
static void rolling_disk(fixture *f) {
    const char *const text = "rolling_disk:m=2,r=0.6,I=0.3,J=0.4,g=3,theta0=1.1,phidot0=-1,thetadot0=0.4,psidot0=3";
    enum { PHI = 2, THETA, PSI };
    double t, q[MOST], v[MOST], out[MOST], side[2][MOST];
    sb_system sys;
    fixture_build(f, text, NULL, &sys);
    start_of(&sys, &t, q, v, out);
    gsl_test_abs(out[0], 1.1 - 0.5 * M_PI, 1e-15, "lean of a rolling disk");
    gsl_test_abs(out[1], 0.0, 1e-15, "contact_x where the disk heads along x");
    gsl_test_abs(out[2], -0.6 * cos(1.1), 1e-15, "contact_y beside the centre of a disk that leans");
    for (int turn = 0; turn < 8; turn++) { /* the same motion, heading elsewhere */
        const double phi = turn * M_PI / 4.0, c = cos(phi), s = sin(phi);
        double x[MOST], u[MOST];
        memcpy(x, q, sizeof x);
        memcpy(u, v, sizeof u);
        x[PHI] = phi;
        x[0] = c * q[0] - s * q[1];
        x[1] = s * q[0] + c * q[1];
        u[0] = c * v[0] - s * v[1];
        u[1] = s * v[0] + c * v[1];
        for (int k = 0; k < 2; k++) {
            double y[MOST];
            for (int i = 0; i < sys.n; i++) {
                y[i] = x[i] + (k == 0 ? -1e-5 : 1e-5) * u[i];
            }
            gsl_test(sys.outputs.value(sys.outputs.self, t, y, u, side[k]) != SB_OK, "outputs");
        }
        gsl_test_abs((side[1][1] - side[0][1]) / 2e-5, -0.6 * 3.0 * c, 1e-8, "rate of contact_x");
        gsl_test_abs((side[1][2] - side[0][2]) / 2e-5, -0.6 * 3.0 * s, 1e-8, "rate of contact_y");
    }
}

/* The angle of the bead is from below towards the hoop's own x axis, at any time: on a quarter turn of the hoop it is
 * in the direction of y. */
static void hoop(fixture *f) {
    const double angle[] = {0.4, -1.2, 2.5};
    double out[MOST];
    sb_system sys;
    fixture_build(f, "hoop:R=0.5,Omega=2", NULL, &sys);
    for (int k = 0; k < 3; k++) {
        const double s = 0.5 * sin(angle[k]), c = 0.5 * cos(angle[k]), v[3] = {0.0};
        gsl_test(sys.outputs.value(sys.outputs.self, 0.0, (double[3]){s, 0.0, -c}, v, out) != SB_OK, "outputs");
        gsl_test_abs(out[0], angle[k], 1e-14, "theta of a bead on the hoop at the start");
        gsl_test(sys.outputs.value(sys.outputs.self, M_PI / 4.0, (double[3]){0.0, s, -c}, v, out) != SB_OK, "outputs");
        gsl_test_abs(out[0], angle[k], 1e-14, "theta after a quarter turn of the hoop");
    }
}

/* Returns v' M v/2. */
static double kinetic(const sb_system *sys, const double *q, const double *v) {
    const sb_pattern *M = &sys->inertia.M;
    double Mx[1000], sum = 0.0;
    gsl_test(sb_pattern_nnz(M) > 1000 || sys->inertia.mass(sys->inertia.self, q, Mx) != SB_OK, "M");
    for (int j = 0; j < sys->n; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            sum += 0.5 * v[M->i[k]] * Mx[k] * v[j];
        }
    }
    return sum;
}

/* The governor turns about z as one body. A square bar of mass m, length l and edge t has m (l^2 + t^2)/12 about its
 * middle and m t^2/6 about its axis; an arm hinged at its end m l^2/3 + m t^2/12 + M l^2 with a ball M at the other
 * one. The cube of edge l/10 has m l^2/600. At the angle alpha from the axis an arm has sin^2 alpha of the one and
 * cos^2 alpha of the other, and swings about its hinge, an axis along y at the height l, with the one. */
static void governor(fixture *f) {
    const double l = 1.2, edge = 0.03, rod = 2.5, ball = 4.0, slider = 3.0, alpha = 0.6, rate = 2.0,
                 sine = sin(alpha) * sin(alpha), across = rod * l * l / 3.0 + rod * edge * edge / 12.0 + ball * l * l,
                 along = rod * edge * edge / 6.0,
                 moment = 2.0 * (sine * across + (1.0 - sine) * along) + along + slider * l * l / 600.0;
    double t, q[MOST], v[MOST], out[MOST];
    sb_system sys;
    fixture_build(f, "flyball_governor:l=1.2,thickness=0.03,rod=2.5,ball=4,slider=3,alpha=0.6,rate=2", NULL, &sys);
    start_of(&sys, &t, q, v, out);
    gsl_test_rel(out[1], rate, 1e-13, "rate of the governor");
    gsl_test_rel(out[2], moment * rate, 1e-13, "its angular momentum");
    gsl_test_abs(out[0], l * (1.0 - cos(alpha)), 1e-13, "height of the slider, a rhombus below the hinges");
    gsl_test_rel(kinetic(&sys, q, v), 0.5 * moment * rate * rate, 1e-13, "its kinetic energy");
    for (int arm = 1; arm <= 2; arm++) { /* turns with the rate (0, w, 0) */
        const double w = 1.7, *x = q + 7 * arm, *e = x + 3;
        double u[MOST] = {0.0};
        u[7 * arm] = w * (x[2] - l);
        u[7 * arm + 2] = -w * x[0];
        u[7 * arm + 3] = -0.5 * w * e[2];
        u[7 * arm + 4] = 0.5 * w * e[3];
        u[7 * arm + 5] = 0.5 * w * e[0];
        u[7 * arm + 6] = -0.5 * w * e[1];
        gsl_test_rel(kinetic(&sys, q, u), 0.5 * across * w * w, 1e-13, "kinetic energy of arm %d that swings", arm);
    }
}

/* The moment of a box about its middle is the integral of r^2 over its face, by Simpson's rule, which is exact for it.
 */
static void boxes(fixture *f) {
    static const char *const problems[] = {"block_incline:m=2,w=0.6,h=1.4", "stack:n=2,m=2,w=0.6,h=1.4"};
    static const double weight[3] = {1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0};
    double integral = 0.0;
    for (int i = 0; i < 9; i++) {
        const double x = 0.3 * (i % 3 - 1), y = 0.7 * (i / 3 - 1);
        integral += 2.0 * weight[i % 3] * weight[i / 3] * (x * x + y * y);
    }
    for (int k = 0; k < 2; k++) {
        double t, q[MOST], v[MOST], out[MOST], Mx[MOST];
        sb_system sys;
        fixture_build(f, problems[k], NULL, &sys);
        start_of(&sys, &t, q, v, out);
        gsl_test(sys.inertia.mass(sys.inertia.self, q, Mx) != SB_OK, "M");
        gsl_test_rel(Mx[0], 2.0, 1e-15, "mass of a box");
        gsl_test_rel(Mx[2], integral, 1e-14, "moment of a box");
    }
}

/* The semi-major axes of the planets from their energies about the Sun, 1/a = 2/r - v^2/mu, and the inclinations of
 * their angular momenta to the equator, near the obliquity of 23.4 degrees: osculating orbits are within three percent
 * of the mean elements of the almanac (AU), and inclinations within the planets' own 2.5 degrees, Pluto's 17. */
static void planets(fixture *f) {
    static const double axis[] = {5.2026, 9.5549, 19.2184, 30.1104, 39.482}, tilt[] = {2.5, 2.5, 2.5, 2.5, 17.5};
    const double G = 2.95912208286e-4;
    double t, q[MOST], v[MOST], out[MOST], Mx[MOST];
    sb_system sys;
    fixture_build(f, "outer_solar_system", NULL, &sys);
    start_of(&sys, &t, q, v, out);
    gsl_test(sys.inertia.mass(sys.inertia.self, q, Mx) != SB_OK, "M");
    for (int k = 1; k < sys.n / 3; k++) {
        double x[3], u[3], r2 = 0.0, v2 = 0.0, L[3], size = 0.0;
        for (int c = 0; c < 3; c++) {
            x[c] = q[3 * k + c] - q[c];
            u[c] = v[3 * k + c] - v[c];
            r2 += x[c] * x[c];
            v2 += u[c] * u[c];
        }
        const double a = 1.0 / (2.0 / sqrt(r2) - v2 / (G * (Mx[0] + Mx[3 * k])));
        for (int c = 0; c < 3; c++) {
            L[c] = x[(c + 1) % 3] * u[(c + 2) % 3] - x[(c + 2) % 3] * u[(c + 1) % 3];
            size += L[c] * L[c];
        }
        const double e = 23.44 * M_PI / 180.0, north = (-sin(e) * L[1] + cos(e) * L[2]) / sqrt(size);
        gsl_test_rel(a, axis[k - 1], 0.03, "semi-major axis of planet %d", k);
        gsl_test(!(north > cos(tilt[k - 1] * M_PI / 180.0)), "planet %d is inclined by %g degrees to the ecliptic", k,
                 acos(north) * 180.0 / M_PI);
    }
    /* Ratios of the mass of the Sun to the masses, of the almanac; the values of hlw06 are older. */
    static const double ratio[] = {1047.3486, 3497.898, 22902.98, 19412.24, 1.3e8};
    for (int k = 1; k < sys.n / 3; k++) {
        gsl_test_rel(1.0 / Mx[3 * k], ratio[k - 1], 1e-2, "mass of planet %d", k);
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    named_like_parameters(&f);
    rolling_disk(&f);
    hoop(&f);
    governor(&f);
    boxes(&f);
    planets(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
