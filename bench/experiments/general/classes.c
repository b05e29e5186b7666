/* The classes of problems on which the thresholds of drift were chosen. */
#include "bench/experiments/general/classes.h"

#include <math.h>
#include <stdio.h>

#include "core/run/build.h"

/* ---- Unit masses with a potential: the chain of Fermi, Pasta, Ulam and Tsingou in the form of hlw06 (I.5.1), the
 * potential of Henon and Heiles, hlw06 (I.3.1), and a pendulum that rotates in a potential without symmetry, where the
 * energy of a reversible method can drift: faou04. ---- */

enum { CHAIN = 6 }; /* coordinates: 3 stiff springs of stiffness omega^2/4, joined by soft quartic ones */

typedef struct masses {
    int n;
    double omega;
    double q[CHAIN], v[CHAIN]; /* initial state */
} masses;

static int unit_mass(const void *self, const double *q, double *Mx) {
    for (int i = 0; i < ((const masses *)self)->n; i++) {
        Mx[i] = 1.0;
    }
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    const masses *p = self;
    *t = 0.0;
    for (int i = 0; i < p->n; i++) {
        q[i] = p->q[i];
        v[i] = p->v[i];
    }
    return SB_OK;
}

/* Spring k joins masses k - 1 and k; masses -1 and CHAIN are walls. Springs 1, 3, 5 are stiff. Sets the energy of the
 * spring and its first two derivatives by its length. */
static void spring(const masses *p, const double *q, int k, double *V, double *d, double *dd) {
    const double x = (k < CHAIN ? q[k] : 0.0) - (k > 0 ? q[k - 1] : 0.0), stiff = 0.25 * p->omega * p->omega;
    const bool soft = k % 2 == 0;
    *V = soft ? x * x * x * x : stiff * x * x;
    *d = soft ? 4.0 * x * x * x : 2.0 * stiff * x;
    *dd = soft ? 12.0 * x * x : 2.0 * stiff;
}

static int chain_value(const void *self, const double *q, double *V) {
    double one, d, dd;
    *V = 0.0;
    for (int k = 0; k <= CHAIN; k++) {
        spring(self, q, k, &one, &d, &dd);
        *V += one;
    }
    return SB_OK;
}

static int chain_gradient(const void *self, const double *q, double *Vq) {
    double V, d[CHAIN + 1], dd;
    for (int k = 0; k <= CHAIN; k++) {
        spring(self, q, k, &V, &d[k], &dd);
    }
    for (int i = 0; i < CHAIN; i++) {
        Vq[i] = d[i] - d[i + 1];
    }
    return SB_OK;
}

static int chain_hessian(const void *self, const double *q, double c, double *Hx) {
    double V, d;
    for (int k = 0; k <= CHAIN; k++) {
        double dd;
        spring(self, q, k, &V, &d, &dd);
        for (int a = 0; a < 2; a++) {
            for (int b = 0; b < 2; b++) {
                const int i = k - a, j = k - b;
                if (i >= 0 && i < CHAIN && j >= 0 && j < CHAIN) {
                    Hx[j * CHAIN + i] += (a == b ? c : -c) * dd;
                }
            }
        }
    }
    return SB_OK;
}

static int hh_value(const void *self, const double *q, double *V) {
    *V = 0.5 * (q[0] * q[0] + q[1] * q[1]) + q[0] * q[0] * q[1] - q[1] * q[1] * q[1] / 3.0;
    return SB_OK;
}

static int hh_gradient(const void *self, const double *q, double *Vq) {
    Vq[0] = q[0] + 2.0 * q[0] * q[1];
    Vq[1] = q[1] + q[0] * q[0] - q[1] * q[1];
    return SB_OK;
}

static int hh_hessian(const void *self, const double *q, double c, double *Hx) {
    Hx[0] += c * (1.0 + 2.0 * q[1]);
    Hx[1] += c * 2.0 * q[0];
    Hx[2] += c * 2.0 * q[0];
    Hx[3] += c * (1.0 - 2.0 * q[1]);
    return SB_OK;
}

static const double skew = 0.2; /* V = -cos q + skew sin 2q */

static int skew_value(const void *self, const double *q, double *V) {
    *V = -cos(q[0]) + skew * sin(2.0 * q[0]);
    return SB_OK;
}

static int skew_gradient(const void *self, const double *q, double *Vq) {
    Vq[0] = sin(q[0]) + 2.0 * skew * cos(2.0 * q[0]);
    return SB_OK;
}

static int skew_hessian(const void *self, const double *q, double c, double *Hx) {
    Hx[0] += c * (cos(q[0]) - 4.0 * skew * sin(2.0 * q[0]));
    return SB_OK;
}

static int unit_masses(sb_arena *arena, int n, double time_scale, sb_potential potential, masses **out,
                       sb_system *sys) {
    SB_NEW(arena, *out, 1);
    (*out)->n = n;
    *sys = (sb_system){.n = n, .time_scale = time_scale, .self = *out, .initial = initial};
    SB_TRY(sb_pattern_full(arena, n, n, &sys->H));
    sys->inertia = (sb_inertia){.self = *out, .mass = unit_mass};
    SB_TRY(sb_pattern_diagonal(arena, n, &sys->inertia.M));
    sys->potential = potential;
    sys->potential.self = *out;
    return SB_OK;
}

/* u: stiff frequency, position of the first soft coordinate, phase of the first stiff spring. */
static int chain(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, const double u[3], sb_system *out) {
    const sb_potential V = {.degree = -1, .value = chain_value, .gradient = chain_gradient, .hessian = chain_hessian};
    masses *p;
    SB_TRY(unit_masses(arena, CHAIN, 1.0 / u[0], V, &p, out));
    p->omega = u[0];
    const double s = sqrt(0.5), x0 = u[1], x1 = cos(u[2]) / u[0];
    p->q[0] = (x0 - x1) * s;
    p->q[1] = (x0 + x1) * s;
    p->v[0] = (1.0 - sin(u[2])) * s;
    p->v[1] = (1.0 + sin(u[2])) * s;
    return sb_system_finish(ctx, arena, type->name, out);
}

/* u: energy, height at x = 0, direction of the velocity. */
static int henon_heiles(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, const double u[3],
                        sb_system *out) {
    const sb_potential V = {.degree = -1, .value = hh_value, .gradient = hh_gradient, .hessian = hh_hessian};
    masses *p;
    double potential;
    SB_TRY(unit_masses(arena, 2, 1.0, V, &p, out));
    p->q[1] = u[1];
    SB_TRY(hh_value(NULL, p->q, &potential));
    const double speed = sqrt(2.0 * (u[0] - potential));
    p->v[0] = speed * cos(u[2]);
    p->v[1] = speed * sin(u[2]);
    return sb_system_finish(ctx, arena, type->name, out);
}

/* u: velocity, angle. */
static int rotating(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, const double u[3], sb_system *out) {
    const sb_potential V = {.degree = -1, .value = skew_value, .gradient = skew_gradient, .hessian = skew_hessian};
    masses *p;
    SB_TRY(unit_masses(arena, 1, 1.0, V, &p, out));
    p->v[0] = u[0];
    p->q[0] = u[1];
    return sb_system_finish(ctx, arena, type->name, out);
}

/* ---- Built-in problems. ---- */

int sb_problem_class_built_in(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, const double u[3],
                              sb_system *out) {
    char text[256];
    snprintf(text, sizeof text, type->format, u[0], u[1], u[2]);
    return sb_system_build(ctx, arena, text, type->chart != NULL, &type->chart, out);
}

int sb_problem_class_member(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, int k, sb_system *out) {
    static const double irrational[3] = {0.6180339887498949, 0.4142135623730951, 0.7320508075688773};
    double u[3];
    for (int i = 0; i < 3; i++) {
        const double x = 0.5 + irrational[i] * k;
        u[i] = type->low[i] + (x - floor(x)) * (type->high[i] - type->low[i]);
    }
    return type->member(ctx, arena, type, u, out);
}

#define SYMPLECTIC "symplectic: the modified energy is conserved, hlw06 IX.8"
#define CONSERVING "conserves the energy by construction"
#define FIFTH "order 4, not symplectic: the energy changes by O(h^5) per unit of time, hlw06 IX"
#define SYMMETRIC                                                                                                      \
    "symmetric, not symplectic, on a motion without symmetry: the energy changes by O(h^4) per unit of time, faou04"
#define FIRST "each step changes the oscillator's energy by a factor, in closed form"

const sb_problem_class sb_problem_classes[] = {
    SB_CLASS("dsp", "length l1 within 1 %", NULL, sb_problem_class_built_in, "dsp:l1=%.9g,m1=%.9g,m2=%.9g",
             SB_FROM_TO(3.96, 4.04, 1.98, 2.02, 3.4, 3.6), {"shake", false, SYMPLECTIC}, {"rattle", false, SYMPLECTIC},
             {"del", false, SYMPLECTIC}),
    SB_CLASS("stiff chain", "stiff frequency, position, phase", NULL, chain, NULL,
             SB_FROM_TO(20.0, 100.0, 0.5, 1.5, 0.0, 6.2), {"verlet", false, SYMPLECTIC},
             {"euler_symplectic", false, SYMPLECTIC}, {"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH}),
    SB_CLASS("kepler", "eccentricity", NULL, sb_problem_class_built_in, "kepler:e=%.9g,a=%.9g",
             SB_FROM_TO(0.05, 0.75, 0.8, 1.25, 0.0, 1.0), {"verlet", false, SYMPLECTIC},
             {"euler_symplectic", false, SYMPLECTIC}, {"rkn:table=calvo_sanz_serna4", false, SYMPLECTIC},
             {"rkn", true, FIFTH}, {"rk4", true, FIFTH}),
    SB_CLASS("pendulum", "amplitude, length", NULL, sb_problem_class_built_in, "pendulum:theta0=%.9g,l=%.9g",
             SB_FROM_TO(0.1, 3.0, 0.5, 2.0, 0.0, 1.0), {"shake", false, SYMPLECTIC}, {"rattle", false, SYMPLECTIC}),
    SB_CLASS("pendulum in its angle", "amplitude, length", "chart", sb_problem_class_built_in,
             "pendulum:theta0=%.9g,l=%.9g", SB_FROM_TO(0.1, 3.0, 0.5, 2.0, 0.0, 1.0), {"midpoint", false, SYMPLECTIC},
             {"rk4", true, FIFTH}, {"euler_explicit", true, FIRST}),
    SB_CLASS("henon-heiles", "energy up to the saddle's, start", NULL, henon_heiles, NULL,
             SB_FROM_TO(0.02, 0.165, -0.15, 0.15, 0.0, 6.2), {"verlet", false, SYMPLECTIC},
             {"euler_symplectic", false, SYMPLECTIC}, {"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH}),
    SB_CLASS("rotating pendulum", "velocity, angle", NULL, rotating, NULL, SB_FROM_TO(2.3, 3.5, 0.0, 6.2, 0.0, 1.0),
             {"verlet", false, SYMPLECTIC}, {"avf", true, SYMMETRIC}, {"rk4", true, FIFTH}),
    SB_CLASS("spherical pendulum", "angle, rates", NULL, sb_problem_class_built_in,
             "spherical_pendulum:theta0=%.9g,thetadot0=%.9g,phidot0=%.9g", SB_FROM_TO(0.3, 2.0, -1.0, 1.0, 1.0, 4.0),
             {"del", false, SYMPLECTIC}, {"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH}),
    SB_CLASS("heavy top", "angle, spin, precession", NULL, sb_problem_class_built_in,
             "heavy_top:theta0=%.9g,psidot0=%.9g,phidot0=%.9g", SB_FROM_TO(0.2, 1.5, 5.0, 25.0, -1.0, 1.0),
             {"del", false, SYMPLECTIC}, {"del:quadrature=left", false, SYMPLECTIC}),
    SB_CLASS("rigid body", "moments of inertia", NULL, sb_problem_class_built_in, "rigid_body:I1=%.9g,I3=%.9g",
             SB_FROM_TO(1.2, 1.9, 2.1, 2.9, 0.0, 1.0), {"dvp", false, CONSERVING}, {"del", false, SYMPLECTIC}),
    SB_CLASS("oscillator", "frequency", NULL, sb_problem_class_built_in, "oscillator:omega=%.9g,v0=%.9g",
             SB_FROM_TO(0.5, 2.0, -1.0, 1.0, 0.0, 1.0), {"verlet", false, SYMPLECTIC}, {"midpoint", false, CONSERVING},
             {"rk4", true, FIRST}, {"euler_explicit", true, FIRST}, {"euler_implicit", true, FIRST}),
};
const int sb_problem_class_count = sizeof sb_problem_classes / sizeof *sb_problem_classes;
