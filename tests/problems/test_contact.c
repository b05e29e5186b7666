/* The problems with contacts against other formulations: from event to event, by statics, by Newton's laws for the
 * rod. */
#include <gsl/gsl_rng.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { MAX = 32 };

/* ---- The ball, from impact to impact. ---- */

/* Steps from impact to impact by t += 2 u/g, in extended precision; at rest once flights are shorter than any double
 * resolves. */
static void follow_ball(double g, double e, double y0, double v0, double t, double *y, double *v) {
    long double u = sqrtl((long double)v0 * v0 + 2.0L * g * y0), at = (v0 + u) / g, left = v0, start = 0.0L, from = y0;
    while (at <= t && u > 1e-18L) {
        start = at;
        from = 0.0L;
        u *= e;
        left = u;
        at += 2.0L * u / g;
    }
    const long double s = t - start;
    *y = at > t ? (double)(from + (left - 0.5L * g * s) * s) : 0.0;
    *v = at > t ? (double)(left - g * s) : 0.0;
}

static void ball(fixture *f) {
    static const struct {
        const char *spec;
        double g, e, y0, v0;
    } cases[] = {{"bouncing_ball", 9.81, 0.7, 1.0, 0.0},
                 {"bouncing_ball:e=1,v0=3,g=2", 2.0, 1.0, 1.0, 3.0},
                 {"bouncing_ball:e=0.95,y0=0.2,v0=-1", 9.81, 0.95, 0.2, -1.0},
                 {"bouncing_ball:e=0", 9.81, 0.0, 1.0, 0.0}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_system sys;
        fixture_build(f, cases[i].spec, NULL, &sys);
        for (int k = 0; k < 200; k++) {
            const double t = 40.0 * sys.time_scale * gsl_rng_uniform(rng) * gsl_rng_uniform(rng);
            double q, v, lambda, y, speed;
            follow_ball(cases[i].g, cases[i].e, cases[i].y0, cases[i].v0, t, &y, &speed);
            gsl_test(sys.exact(sys.self, t, &q, &v, &lambda) != SB_OK, "%s: exact", sys.name);
            /* Rounding of t moves the ball by that times its speed, of order ten, an impact by the same. */
            gsl_test(!close_to(q, y, 1e-12), "%s: height at t = %g (%g, %g)", sys.name, t, q, y);
            gsl_test(!close_to(v, speed, 1e-11), "%s: velocity at t = %g (%g, %g)", sys.name, t, v, speed);
        }
    }
    gsl_rng_free(rng);
    sb_system sys;
    double q, v, lambda;
    fixture_build(f, "bouncing_ball:e=0.5,m=2.5,g=3", NULL, &sys);
    gsl_test(sys.exact(sys.self, 100.0, &q, &v, &lambda) != SB_OK || q != 0.0 || v != 0.0, "the ball comes to rest");
    gsl_test_rel(lambda, 7.5, 1e-15, "and the ground carries its weight");
}

/* ---- The cradle, pair by pair: the next two to meet exchange their velocities. ---- */

static void follow_cradle(int n, double r, double t, double *q, double *v) {
    double now = 0.0;
    for (int events = 0; events < 10 * MAX; events++) {
        double soonest = t - now;
        int pair = -1;
        for (int i = 0; i + 1 < n; i++) {
            const double closing = v[i] - v[i + 1], wait = (q[i + 1] - q[i] - 2.0 * r) / closing;
            if (closing > 0.0 && wait < soonest) {
                soonest = wait;
                pair = i;
            }
        }
        for (int i = 0; i < n; i++) {
            q[i] += soonest * v[i];
        }
        now += soonest;
        if (pair < 0) {
            return;
        }
        const double swap = v[pair];
        v[pair] = v[pair + 1];
        v[pair + 1] = swap;
    }
}

static void cradle(fixture *f) {
    static const struct {
        const char *spec;
        double r;
    } cases[] = {{"newtons_cradle:spacing=0.003", 0.05},
                 {"newtons_cradle:n=8,moving=3,r=0.2,v0=2,spacing=0.02,distance=0.5", 0.2},
                 {"newtons_cradle:n=6,moving=5,spacing=0.01,r=0", 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_system sys;
        fixture_build(f, cases[i].spec, NULL, &sys);
        for (int k = 0; k < 60; k++) {
            double t0, q0[MAX], v0[MAX], q[MAX], v[MAX];
            const double t = 0.0731 * sys.time_scale * (k + 1) * (k + 1);
            int status = sys.initial(sys.self, &t0, q0, v0) | sys.exact(sys.self, t, q, v, NULL);
            follow_cradle(sys.n, cases[i].r, t, q0, v0);
            for (int j = 0; j < sys.n; j++) {
                gsl_test(status != SB_OK || !close_to(q[j], q0[j], 1e-12) || v[j] != v0[j],
                         "%s: ball %d at t = %g (%g, %g; %g, %g)", sys.name, j, t, q[j], q0[j], v[j], v0[j]);
            }
        }
    }
    /* Balls that touch: as many leave as came. */
    sb_system sys;
    double q[MAX], v[MAX];
    fixture_build(f, "newtons_cradle:n=5,moving=2,v0=3", NULL, &sys);
    gsl_test(sys.exact(sys.self, 10.0, q, v, NULL) != SB_OK, "the cradle later");
    gsl_test(v[0] != 0.0 || v[2] != 0.0 || v[3] != 3.0 || v[4] != 3.0, "two balls came, two leave (%g, %g, %g, %g, %g)",
             v[0], v[1], v[2], v[3], v[4]);
}

/* ---- The limits of what boxes do, from statics: a column tips where the weight's line leaves its base. ---- */

static void box_limits(fixture *f) {
    static const struct {
        const char *spec;
        bool stands;
    } cases[] = {
        {"block_incline:angle=0.6,mu=1,w=0.2,h=0.29", true}, /* tan 0.6 = 0.684 < 0.690 */
        {"block_incline:angle=0.6,mu=1,w=0.2,h=0.30", false},
        {"block_incline:angle=1,mu=0.5,w=0.1,h=0.19", true}, /* slides: friction over weight is mu */
        {"block_incline:angle=1,mu=0.5,w=0.1,h=0.21", false},
        {"block_incline:angle=0.1,mu=0.5,w=0.1,h=0.21", true},
        {"block_incline:angle=0.1,mu=0.5,w=0.1,h=0.21,v0=1", false},
        {"stack:n=5,w=0.2,h=0.1,tilt=0.37,mu=1", true}, /* tan 0.37 = 0.388 < w/(n h) = 0.4 */
        {"stack:n=5,w=0.2,h=0.1,tilt=0.39,mu=1", false},
        {"stack:n=2,w=0.2,h=0.1,tilt=0.79,mu=1.1,mass_ratio=100",
         false}, /* nearly all weight at 3/2 h: tan 0.59 = 2/3 */
        {"stack:n=2,w=0.2,h=0.1,tilt=0.58,mu=1.1,mass_ratio=100", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_system sys;
        fixture_build(f, cases[i].spec, NULL, &sys);
        gsl_test((sys.exact != NULL) != cases[i].stands, "%s %s", cases[i].spec, cases[i].stands ? "stands" : "tips");
    }
}

/* Down the slope: g (sin - mu cos) t above the angle of repose, at rest below, to a stop from v0 after v0/(g (mu cos -
 * sin)). */
static void block(fixture *f) {
    sb_system sys;
    double q[3], v[3];
    fixture_build(f, "block_incline:angle=0.5,mu=0.3", NULL, &sys);
    gsl_test(sys.exact(sys.self, 2.0, q, v, NULL) != SB_OK, "the block slides");
    gsl_test_rel(v[0], 2.0 * 9.81 * (sin(0.5) - 0.3 * cos(0.5)), 1e-14, "its speed");
    fixture_build(f, "block_incline:angle=0.28,mu=0.3", NULL, &sys);
    gsl_test(sys.exact(sys.self, 2.0, q, v, NULL) != SB_OK || q[0] != 0.0 || v[0] != 0.0, "the block stays");
    fixture_build(f, "block_incline:angle=0.2,mu=0.3,v0=2", NULL, &sys);
    gsl_test(sys.exact(sys.self, 100.0, q, v, NULL) != SB_OK || v[0] != 0.0, "the block stops");
    fixture_build(f, "block_incline:bound=weight,m=2.5,mu=0.3", NULL, &sys);
    gsl_test(sys.contact.k != 2 || sys.contact.of[0] != -1 || sys.contact.of[1] != -1, "bounds by the weight alone");
    gsl_test_rel(sys.contact.limit[0] + sys.contact.limit[1], 0.3 * 2.5 * 9.81, 1e-14, "mu times the weight in all");
    /* Work: v0^2/2 = g s (mu cos - sin). */
    gsl_test_rel(q[0], 2.0 / (9.81 * (0.3 * cos(0.2) - sin(0.2))), 1e-14, "after its friction has used up its energy");
}

/* ---- The rod: the tip's acceleration by a unit of normal force with its friction, from Newton's laws of the rigid
 * body. ---- */

static void rod(fixture *f) {
    const double l = 0.8, m = 2.0, mu = 1.7, theta = 1.0, omega = 1.3;
    sb_system sys;
    double t, q[3], v[3], out[3], xi[2];
    fixture_build(f, "painleve_rod:l=0.8,m=2,mu=1.7,theta0=1,omega0=1.3,v0=2", NULL, &sys);
    gsl_test(sys.initial(sys.self, &t, q, v) != SB_OK || sys.outputs.value(sys.outputs.self, t, q, v, out) != SB_OK ||
                 sys.contact.gap(sys.contact.self, q, xi, NULL) != SB_OK,
             "the rod");
    /* Tip at r = l (cos, -sin) from the centre, forces (-mu, 1) there; turning by -theta' counterclockwise. */
    const double rx = l * cos(theta), ry = -l * sin(theta), torque = rx * 1.0 - ry * -mu,
                 spin = torque / (m * l * l / 3.0);
    gsl_test_rel(out[0], 2.0, 1e-14, "the tip slides with v0");
    gsl_test_rel(out[1], 1.0 / m + rx * spin, 1e-13, "A");
    gsl_test_rel(out[2], -9.81 - ry * omega * omega, 1e-13, "b");
    /* The same by the terms of the system: N' M^-1 (N - mu D) for the lower tip, which slides forwards. */
    double Mx[3], Nx[4], Dx[4];
    gsl_test(sys.inertia.mass(sys.inertia.self, q, Mx) | sys.contact.gap(sys.contact.self, q, NULL, Nx) |
                 sys.contact.slip(sys.contact.self, t, q, Dx, NULL),
             "its terms");
    gsl_test_rel(Nx[0] * Nx[0] / Mx[1] + Nx[1] * (Nx[1] - mu * Dx[1]) / Mx[2], 1.0 / m + rx * spin, 1e-13,
                 "A by mass, gap and slip");
    gsl_test_abs(xi[0], 0.0, 1e-15, "the tip is on the ground");
    gsl_test_rel(xi[1], 2.0 * l * sin(theta), 1e-14, "the other one above it");
}

/* At mu just above and below (1 + 3 cos^2)/(3 sin cos), at least 4/3. */
static void rod_regimes(fixture *f) {
    static const struct {
        const char *spec;
        bool paradox, lifts;
    } cases[] = {{"painleve_rod", true, false},
                 {"painleve_rod:mu=1.3334,theta0=1.1071487177940904", true, false},
                 {"painleve_rod:mu=1.3333,theta0=1.1071487177940904", false, false},
                 {"painleve_rod:theta0=1.4", false, false},
                 {"painleve_rod:v0=-1", false, false},
                 {"painleve_rod:omega0=5", true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_system sys;
        double t, q[3], v[3], out[3] = {0.0};
        fixture_build(f, cases[i].spec, NULL, &sys);
        gsl_test(sys.initial(sys.self, &t, q, v) != SB_OK || sys.outputs.value(sys.outputs.self, t, q, v, out) != SB_OK,
                 "%s", sys.name);
        gsl_test((out[1] < 0.0) != cases[i].paradox || (out[2] > 0.0) != cases[i].lifts, "%s: A = %g, b = %g", sys.name,
                 out[1], out[2]);
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    ball(&f);
    cradle(&f);
    box_limits(&f);
    block(&f);
    rod(&f);
    rod_regimes(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
