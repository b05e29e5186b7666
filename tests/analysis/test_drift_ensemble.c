/* The verdict of `drift` on problems whose answer is known, two of which nothing else in the project uses. */
#include "analysis/conservation/drift.h"
#include "bench/experiments/general/confusion.h"
#include "tests/analysis/fixture.h"

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

static int chain_value(const void *self, double t, const double *q, double *V) {
    double one, d, dd;
    *V = 0.0;
    for (int k = 0; k <= CHAIN; k++) {
        spring(self, q, k, &one, &d, &dd);
        *V += one;
    }
    return SB_OK;
}

static int chain_gradient(const void *self, double t, const double *q, double *Vq) {
    double V, d[CHAIN + 1], dd;
    for (int k = 0; k <= CHAIN; k++) {
        spring(self, q, k, &V, &d[k], &dd);
    }
    for (int i = 0; i < CHAIN; i++) {
        Vq[i] = d[i] - d[i + 1];
    }
    return SB_OK;
}

static int chain_hessian(const void *self, double t, const double *q, double c, double *Hx) {
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

static int hh_value(const void *self, double t, const double *q, double *V) {
    *V = 0.5 * (q[0] * q[0] + q[1] * q[1]) + q[0] * q[0] * q[1] - q[1] * q[1] * q[1] / 3.0;
    return SB_OK;
}

static int hh_gradient(const void *self, double t, const double *q, double *Vq) {
    Vq[0] = q[0] + 2.0 * q[0] * q[1];
    Vq[1] = q[1] + q[0] * q[0] - q[1] * q[1];
    return SB_OK;
}

static int hh_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    Hx[0] += c * (1.0 + 2.0 * q[1]);
    Hx[1] += c * 2.0 * q[0];
    Hx[2] += c * 2.0 * q[0];
    Hx[3] += c * (1.0 - 2.0 * q[1]);
    return SB_OK;
}

static const double skew = 0.2; /* V = -cos q + skew sin 2q */

static int skew_value(const void *self, double t, const double *q, double *V) {
    *V = -cos(q[0]) + skew * sin(2.0 * q[0]);
    return SB_OK;
}

static int skew_gradient(const void *self, double t, const double *q, double *Vq) {
    Vq[0] = sin(q[0]) + 2.0 * skew * cos(2.0 * q[0]);
    return SB_OK;
}

static int skew_hessian(const void *self, double t, const double *q, double c, double *Hx) {
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
static int chain(sb_context *ctx, sb_arena *arena, const double u[3], sb_system *out) {
    const sb_potential V = {.degree = -1, .value = chain_value, .gradient = chain_gradient, .hessian = chain_hessian};
    masses *p;
    SB_TRY(unit_masses(arena, CHAIN, 1.0 / u[0], V, &p, out));
    p->omega = u[0];
    const double s = sqrt(0.5), x0 = u[1], x1 = cos(u[2]) / u[0];
    p->q[0] = (x0 - x1) * s;
    p->q[1] = (x0 + x1) * s;
    p->v[0] = (1.0 - sin(u[2])) * s;
    p->v[1] = (1.0 + sin(u[2])) * s;
    return sb_system_finish(ctx, arena, "stiff chain", out);
}

/* u: energy, height at x = 0, direction of the velocity. */
static int henon_heiles(sb_context *ctx, sb_arena *arena, const double u[3], sb_system *out) {
    const sb_potential V = {.degree = -1, .value = hh_value, .gradient = hh_gradient, .hessian = hh_hessian};
    masses *p;
    double potential;
    SB_TRY(unit_masses(arena, 2, 1.0, V, &p, out));
    p->q[1] = u[1];
    SB_TRY(hh_value(NULL, 0.0, p->q, &potential));
    const double speed = sqrt(2.0 * (u[0] - potential));
    p->v[0] = speed * cos(u[2]);
    p->v[1] = speed * sin(u[2]);
    return sb_system_finish(ctx, arena, "henon-heiles", out);
}

/* u: velocity, angle. */
static int rotating(sb_context *ctx, sb_arena *arena, const double u[3], sb_system *out) {
    const sb_potential V = {.degree = -1, .value = skew_value, .gradient = skew_gradient, .hessian = skew_hessian};
    masses *p;
    SB_TRY(unit_masses(arena, 1, 1.0, V, &p, out));
    p->v[0] = u[0];
    p->q[0] = u[1];
    return sb_system_finish(ctx, arena, "rotating pendulum", out);
}

/* ---- Classes. ---- */

#define SYMPLECTIC "symplectic: the modified energy is conserved, hlw06 IX.8"
#define CONSERVING "conserves the energy by construction"
#define FIFTH "order 4, not symplectic: the energy changes by O(h^5) per unit of time, hlw06 IX"
#define SYMMETRIC                                                                                                      \
    "symmetric, not symplectic, on a motion without symmetry: the energy changes by O(h^4) per unit of time, faou04"
#define FIRST "each step changes the oscillator's energy by a factor, in closed form"

static const struct {
    sb_problem_class type;
    int (*build)(sb_context *ctx, sb_arena *arena, const double u[3], sb_system *out); /* NULL: from type.format */
} classes[] = {
    {SB_CLASS("dsp", "length l1 within 1 %", NULL, "dsp:l1=%.9g,m1=%.9g,m2=%.9g",
              SB_FROM_TO(3.96, 4.04, 1.98, 2.02, 3.4, 3.6), {"shake", false, SYMPLECTIC}, {"rattle", false, SYMPLECTIC},
              {"del", false, SYMPLECTIC}),
     NULL},
    {SB_CLASS("stiff chain", "stiff frequency, position, phase", NULL, NULL,
              SB_FROM_TO(20.0, 100.0, 0.5, 1.5, 0.0, 6.2), {"verlet", false, SYMPLECTIC},
              {"euler_symplectic", false, SYMPLECTIC}, {"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH}),
     chain},
    {SB_CLASS("kepler", "eccentricity", NULL, "kepler:e=%.9g,a=%.9g", SB_FROM_TO(0.05, 0.75, 0.8, 1.25, 0.0, 1.0),
              {"verlet", false, SYMPLECTIC}, {"euler_symplectic", false, SYMPLECTIC},
              {"rkn:table=calvo_sanz_serna4", false, SYMPLECTIC}, {"rkn", true, FIFTH}, {"rk4", true, FIFTH}),
     NULL},
    {SB_CLASS("pendulum", "amplitude, length", NULL, "pendulum:theta0=%.9g,l=%.9g",
              SB_FROM_TO(0.1, 3.0, 0.5, 2.0, 0.0, 1.0), {"shake", false, SYMPLECTIC}, {"rattle", false, SYMPLECTIC}),
     NULL},
    {SB_CLASS("pendulum in its angle", "amplitude, length", "chart", "pendulum:theta0=%.9g,l=%.9g",
              SB_FROM_TO(0.1, 3.0, 0.5, 2.0, 0.0, 1.0), {"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH},
              {"euler_explicit", true, FIRST}),
     NULL},
    {SB_CLASS("henon-heiles", "energy up to the saddle's, start", NULL, NULL,
              SB_FROM_TO(0.02, 0.165, -0.15, 0.15, 0.0, 6.2), {"verlet", false, SYMPLECTIC},
              {"euler_symplectic", false, SYMPLECTIC}, {"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH}),
     henon_heiles},
    {SB_CLASS("rotating pendulum", "velocity, angle", NULL, NULL, SB_FROM_TO(2.3, 3.5, 0.0, 6.2, 0.0, 1.0),
              {"verlet", false, SYMPLECTIC}, {"avf", true, SYMMETRIC}, {"rk4", true, FIFTH}),
     rotating},
    {SB_CLASS("spherical pendulum", "angle, rates", NULL, "spherical_pendulum:theta0=%.9g,thetadot0=%.9g,phidot0=%.9g",
              SB_FROM_TO(0.3, 2.0, -1.0, 1.0, 1.0, 4.0), {"del", false, SYMPLECTIC}, {"midpoint", false, SYMPLECTIC},
              {"rk4", true, FIFTH}),
     NULL},
    {SB_CLASS("heavy top", "angle, spin, precession", NULL, "heavy_top:theta0=%.9g,psidot0=%.9g,phidot0=%.9g",
              SB_FROM_TO(0.2, 1.5, 5.0, 25.0, -1.0, 1.0), {"del", false, SYMPLECTIC},
              {"del:quadrature=left", false, SYMPLECTIC}),
     NULL},
    {SB_CLASS("rigid body", "moments of inertia", NULL, "rigid_body:I1=%.9g,I3=%.9g",
              SB_FROM_TO(1.2, 1.9, 2.1, 2.9, 0.0, 1.0), {"dvp", false, CONSERVING}, {"del", false, SYMPLECTIC}),
     NULL},
    {SB_CLASS("oscillator", "frequency", NULL, "oscillator:omega=%.9g,v0=%.9g",
              SB_FROM_TO(0.5, 2.0, -1.0, 1.0, 0.0, 1.0), {"verlet", false, SYMPLECTIC}, {"midpoint", false, CONSERVING},
              {"rk4", true, FIRST}, {"euler_explicit", true, FIRST}, {"euler_implicit", true, FIRST}),
     NULL},
};

enum { MEMBERS = 6, LENGTHS = 4, BATCHES = 32 };

/* Runs one member at a tenth of its time scale, and counts by verdict. */
static void run_member(fixture *f, int c, const char *stepper, int k, long of[SB_DRIFT_VERDICTS], long *unclear) {
    static const double scales[LENGTHS] = {1000.0, 100.0, 40.0, 15.0}, n = 10.0;
    sb_system sys;
    sb_pair pair;
    sb_drift *energy;
    int count;
    const sb_problem_class *type = &classes[c].type;
    double u[3];
    sb_problem_class_draw(type, k, u);
    gsl_test((classes[c].build != NULL
                  ? classes[c].build(&f->ctx, &f->arena, u, &sys)
                  : sb_problem_class_build(&f->ctx, &f->arena, type->format, type->chart, u, &sys)) != SB_OK ||
                 sb_pair_build(&f->ctx, &f->arena, &sys, stepper, &pair) != SB_OK,
             "%s, member %d: %s", type->name, k, f->ctx.message);
    for (int l = 0; l < LENGTHS; l++) {
        gsl_test(sb_drift_measure(&f->ctx, &f->arena, &pair, sys.time_scale / n, lround(scales[l] * n), BATCHES,
                                  &energy, &count) != SB_OK,
                 "%s on member %d of %s: %s", stepper, k, type->name, f->ctx.message);
        of[energy->verdict]++;
        *unclear += energy->verdict == SB_DRIFT_UNCLEAR;
        gsl_test((energy->verdict == SB_DRIFT_UNCLEAR) == isnan(energy->decides), "unclear, and %g s decide",
                 energy->decides);
    }
}

int main(void) {
    fixture f;
    long runs[2] = {0}, wrong[2] = {0}, unclear[2] = {0}; /* without and with a drift */
    fixture_init(&f);
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        const sb_problem_class *type = &classes[c].type;
        for (const sb_known_drift *known = type->known; known->stepper != NULL; known++) {
            long of[SB_DRIFT_VERDICTS] = {0};
            for (int k = 0; k < MEMBERS; k++) {
                run_member(&f, (int)c, known->stepper, k, of, &unclear[known->drifts]);
            }
            runs[known->drifts] += MEMBERS * LENGTHS;
            wrong[known->drifts] += of[known->drifts ? SB_DRIFT_NONE : SB_DRIFT_YES];
            gsl_test(of[known->drifts ? SB_DRIFT_NONE : SB_DRIFT_YES] > 4, "%s, %s: none %ld, unclear %ld, drift %ld",
                     type->name, known->stepper, of[0], of[1], of[2]);
        }
    }
    gsl_test(100 * wrong[0] > runs[0], "a drift is seen in %ld of %ld runs without one", wrong[0], runs[0]);
    gsl_test(100 * wrong[1] > runs[1], "no drift is seen in %ld of %ld runs with one", wrong[1], runs[1]);
    gsl_test(3 * unclear[0] > runs[0] || 5 * unclear[1] > runs[1], "%ld and %ld of %ld and %ld runs are unclear",
             unclear[0], unclear[1], runs[0], runs[1]);
    fixture_free(&f);
    return gsl_test_summary();
}
