/* Round-off of symplectic and energy-conserving steppers is a random walk of the energy, not a drift: hairer08.
 *
 * R runs begin at initial states that differ by up to 3 %, so that their roundings are independent. D_r is the change
 * of the energy in run r that the exact step does not have: of a method whose own error is below round-off, or after
 * N steps forward and N steps back of a reversible method, which exact steps undo. (Of gauss
 * with 5 and 6 stages here the error (h omega)^(2 s + 1) per step is below 1e-17.) In a random walk D_r has the mean
 * zero and some variance, and
 *
 *   t = mean(D) / sqrt(variance(D)/R)
 *
 * has Student's distribution with R - 1 = 63 degrees of freedom, of which 4e-6 is beyond +-5. A bias of beta per step
 * beside roundings of the size sigma gives t = beta/sigma sqrt(R N): more than 5 for beta > 0.03 sigma, where N = 500.
 * Masses are no powers of two: with these, products with masses and with their inverses are exact. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/analysis/fixture.h"

enum { R = 64 };

typedef struct motion {
    const char *stepper, *problem;
    double h;
    int steps;
    bool back;        /* as many steps back */
    bool compensated; /* sums are compensated; the masses are 1 */
} motion;

static const motion motions[] = {
    {"gauss:stages=6", "outer_solar_system:planets=2", 25.0, 500, false, false},
    {"gauss:stages=6", "outer_solar_system", 25.0, 200, false, false},
    {"gauss:stages=5", "henon_heiles", 0.02, 500, false, true},
    {"gauss:stages=1", "outer_solar_system:planets=2", 25.0, 200, true, false},
    {"midpoint", "outer_solar_system:planets=2", 25.0, 300, true, false},
    {"midpoint", "double_pendulum:m1=3,m2=0.7", 0.01, 150, true, false},
    {"lobatto_iiia_b:stages=4", "outer_solar_system:planets=2", 25.0, 150, true, false},
    {"lobatto_iiia_b", "pendulum:m=3,omega0=4", 0.01, 300, true, false},
    {"lobatto_iiia_b", "dsp:m1=3,m2=0.7", 0.005, 200, true, false},
    {"rattle", "dsp:m1=3,m2=0.7", 0.005, 300, true, false},
    {"kahan_li8(verlet)", "outer_solar_system:planets=2", 25.0, 50, true, false},
    {"em", "dsp:m1=3,m2=0.7", 0.005, 100, true, false},
    {"trapezoidal", "outer_solar_system:planets=2", 25.0, 300, true, false},
    {"avf", "henon_heiles", 0.05, 300, true, false},
    {"dvp", "rigid_body:w1=1,w2=0.4,w3=-1", 0.05, 300, true, false},
    {"lie_variational", "rigid_body:w1=1,w2=0.4,w3=-1", 0.05, 1000, true, false},
    {"lie_variational", "heavy_top", 0.002, 1000, true, false},
};

/* Moves the initial state by up to 1.5 % of its size, and back onto the constraints. */
static int begin(sb_dynamics *dyn, int r, double *q, double *v, double *p) {
    static const double turn = 0.6180339887498949; /* multiples of the golden ratio, modulo 1 */
    const sb_system *sys = dyn->sys;
    double t;
    SB_TRY(sys->initial(sys->self, &t, q, v));
    for (int i = 0; i < sys->n; i++) {
        q[i] += 0.03 * (fmod((r + 1) * (2 * i + 1) * turn, 1.0) - 0.5) * (sb_norm_max(sys->n, q));
        v[i] += 0.03 * (fmod((r + 1) * (2 * i + 2) * turn, 1.0) - 0.5) * (sb_norm_max(sys->n, v));
    }
    SB_TRY(sb_dynamics_position(dyn, t, q));
    SB_TRY(sb_dynamics_momentum(dyn, q, v, p));
    return sb_dynamics_velocity(dyn, t, q, p, v, NULL);
}

static int energy_of(const sb_method *me, sb_dynamics *dyn, const sb_state *s, double *v, double *energy) {
    double T, V;
    SB_TRY(sb_method_report(me, s, v, NULL));
    SB_TRY(sb_dynamics_energy(dyn, s->t, s->q, v, &T, &V));
    *energy = T + V;
    return SB_OK;
}

/* Returns the variance of the energy's change where each velocity is rounded once: v ulp(v) of every unit mass, with a
 * rounding that is uniform over one ulp. */
static double rounding(int n, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double change = v[i] * (nextafter(fabs(v[i]), INFINITY) - fabs(v[i]));
        sum += change * change / 12.0;
    }
    return sum;
}

/* Sets *D to the change of the energy in run r, and adds the variance of the roundings of its velocities to *walk. */
static int follow(const motion *m, const sb_method *me, sb_dynamics *dyn, sb_state s[2], int r, double *D,
                  double *walk) {
    const int n = me->sys->n;
    double *q, *v, *p, before, after;
    SB_TRY(SB_VECTORS(me->arena, n, &q, &v, &p));
    SB_TRY(begin(dyn, r, q, v, p));
    SB_TRY(sb_method_start(me, 0.0, q, v, m->h, &s[0]));
    SB_TRY(energy_of(me, dyn, &s[0], v, &before));
    const int total = m->back ? 2 * m->steps : m->steps;
    for (int k = 0; k < total; k++) {
        SB_TRY(sb_method_step(me, &s[k & 1], k < m->steps ? m->h : -m->h, &s[(k + 1) & 1]));
        *walk += rounding(n, s[(k + 1) & 1].v);
    }
    SB_TRY(energy_of(me, dyn, &s[total & 1], v, &after));
    *D = after - before;
    return SB_OK;
}

static void check(fixture *f, const motion *m) {
    const sb_pair pair = pair_of(f, m->problem, m->stepper);
    sb_method me = {0};
    sb_dynamics dyn = {0};
    sb_state s[2];
    double sum = 0.0, squares = 0.0, walk = 0.0;
    int status = sb_method_build(&f->ctx, &f->arena, m->stepper, pair.sys, &me);
    status = status == SB_OK ? sb_dynamics_init(&f->ctx, &f->arena, pair.sys, &dyn) : status;
    status = status == SB_OK ? sb_state_new(&me, &f->arena, &s[0]) : status;
    status = status == SB_OK ? sb_state_new(&me, &f->arena, &s[1]) : status;
    for (int r = 0; r < R && status == SB_OK; r++) {
        double D = 0.0;
        status = follow(m, &me, &dyn, s, r, &D, &walk);
        sum += D;
        squares += D * D;
    }
    gsl_test(status != SB_OK, "%s on %s runs: %s", m->stepper, m->problem,
             status != SB_OK ? f->ctx.message : "it does");
    const double mean = sum / R, variance = (squares - R * mean * mean) / (R - 1), t = mean / sqrt(variance / R);
    /* The deviation is known to 1/sqrt(2 R), 9 %. Compensated sums leave h omega = 0.02 of it, beside the energy's own
     * rounding. */
    gsl_test(m->compensated && !(variance <= 0.25 * 0.25 * walk / R),
             "%s on %s: deviation of a run %.2g, of one with rounded velocities %.2g", m->stepper, m->problem,
             sqrt(variance), sqrt(walk / R));
    gsl_test(!(fabs(t) <= 5.0), "%s on %s: mean change of the energy %.2g, deviation of a run %.2g, t = %.2g",
             m->stepper, m->problem, mean, sqrt(variance), t);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        check(&f, &motions[i]);
    }
    fixture_free(&f);
    return gsl_test_summary();
}
