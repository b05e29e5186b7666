/* The symplecticity analysis: known defects of known maps, zero where the theory says zero, and what its
 * parametrisation promises. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/properties.h"
#include "analysis/conservation/tangent_bundle.h"
#include "tests/analysis/fixture.h"

static sb_symplecticity measure(fixture *f, const sb_pair *pair, double h, long steps) {
    sb_symplecticity s = {.defect = NAN};
    gsl_test(sb_symplecticity_measure(&f->ctx, &f->arena, pair, h, steps, &s) != SB_OK, "%s on %s is measured",
             pair->stepper, pair->problem);
    return s;
}

/* On the oscillator the form is multiplied by the determinant of the map. */
static void known_defects(fixture *f) {
    const double omega = 3.0, h = 0.1, t2 = h * h * omega * omega;
    for (long n = 1; n <= 9; n += 4) {
        const double k = (double)n;
        const struct {
            const char *stepper;
            double determinant;
        } cases[] = {{"euler_explicit", pow(1.0 + t2, k)},
                     {"euler_implicit", pow(1.0 + t2, -k)},
                     {"rk4", pow(1.0 - t2 * t2 * t2 / 72.0 + t2 * t2 * t2 * t2 / 576.0, k)}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const sb_pair pair = pair_of(f, "oscillator:m=2.5,omega=3", cases[i].stepper);
            const sb_symplecticity s = measure(f, &pair, h, n);
            near(s.defect, fabs(cases[i].determinant - 1.0), s.noise, cases[i].stepper);
            gsl_test(s.symplectic != SB_NO, "%s is not symplectic over %ld steps: %.3g", cases[i].stepper, n, s.defect);
        }
    }
}

/* wm96 (3.13) and its kin. The noise must be small for a zero to say something: eps size/d = 6e-14, times the form's
 * growth over ten steps and the number of terms, stays below 1e-11. */
static void symplectic(fixture *f) {
    static const char *const pairs[][2] = {{"oscillator:m=2.5,omega=3", "verlet"},
                                           {"oscillator", "midpoint"},
                                           {"kepler", "euler_symplectic"},
                                           {"kepler", "verlet"},
                                           {"kepler", "midpoint"},
                                           {"spherical_pendulum", "midpoint"},
                                           {"spherical_pendulum", "del"},
                                           {"spherical_pendulum", "del:quadrature=left"},
                                           {"pendulum:constraint=norm,theta0=2", "shake"},
                                           {"pendulum:constraint=square,theta0=2", "rattle"},
                                           {"pendulum:constraint=norm", "del"},
                                           {"dsp", "shake"},
                                           {"dsp", "rattle"},
                                           {"dsp", "del"},
                                           {"dsp", "del:quadrature=left"},
                                           {"rigid_body", "del"},
                                           {"rigid_body", "dvp"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const sb_pair pair = pair_of(f, pairs[i][0], pairs[i][1]);
        const sb_symplecticity s = measure(f, &pair, pair.sys->time_scale / 10.0, 10);
        gsl_test(s.symplectic != SB_YES, "%s on %s is symplectic: defect %.2g, noise %.2g", pair.stepper, pair.problem,
                 s.defect, s.noise);
        gsl_test(!(s.noise <= 1e-11), "and the noise is small: %.2g", s.noise);
    }
}

/* The energy-momentum method is not symplectic on a nonlinear problem (Ge and Marsden's theorem); its defect over a
 * fixed time is of the method's order. Rows of a ladder of steps show it: halving h, doubling the steps quarters it. */
static void energy_momentum(fixture *f) {
    const sb_pair pair = pair_of(f, "pendulum:theta0=2", "em");
    const double h = pair.sys->time_scale / 10.0;
    const sb_symplecticity coarse = measure(f, &pair, h, 8), fine = measure(f, &pair, h / 2.0, 16);
    gsl_test(coarse.symplectic != SB_NO || fine.symplectic != SB_NO, "em on the pendulum is not symplectic: %.2g, %.2g",
             coarse.defect, fine.defect);
    const double order = log2(coarse.defect / fine.defect);
    gsl_test(!(order > 1.8 && order < 2.2), "its defect is of second order: %.3f", order);
}

/* p is determined up to G' mu only: adding G(q) mu with a mu that varies wildly over the states changes nothing. */
static int shifted_momentum(const sb_method *me, const sb_state *in, double *p) {
    const sb_holonomic *hol = &me->sys->holonomic;
    double Gx[64], g[8];
    const sb_stepper *original = (const sb_stepper *)sb_registry_find(me->ctx, SB_KIND_STEPPER, "shake");
    SB_TRY(original->momentum(me, in, p));
    SB_TRY(hol->value(hol->self, 0.0, in->q, g, Gx));
    for (int i = 0; i < hol->m; i++) {
        const double mu = 3.0 * sin(in->q[0]) + (i + 1.0) * in->v[1] * in->q[2];
        for (int k = hol->G.p[i]; k < hol->G.p[i + 1]; k++) {
            p[hol->G.i[k]] += mu * Gx[k];
        }
    }
    return SB_OK;
}

/* Whereas a shift along the manifold does: p + c (z, 0, 0, ...) is no gauge. */
static int wrong_momentum(const sb_method *me, const sb_state *in, double *p) {
    const sb_stepper *original = (const sb_stepper *)sb_registry_find(me->ctx, SB_KIND_STEPPER, "shake");
    SB_TRY(original->momentum(me, in, p));
    p[0] += 0.1 * in->q[1] * in->q[2];
    return SB_OK;
}

static void gauge(fixture *f) {
    sb_pair pair = pair_of(f, "dsp", "shake");
    sb_stepper altered = *pair.type;
    const double h = pair.sys->time_scale / 10.0;
    altered.momentum = shifted_momentum;
    pair.type = &altered;
    const sb_symplecticity shifted = measure(f, &pair, h, 5);
    gsl_test(shifted.symplectic != SB_YES, "p + G' mu serves as well as p: defect %.2g, noise %.2g", shifted.defect,
             shifted.noise);
    altered.momentum = wrong_momentum;
    const sb_symplecticity wrong = measure(f, &pair, h, 5);
    gsl_test(!(wrong.defect > 1e-4), "a wrong momentum is found out: defect %.2g", wrong.defect);
}

/* States of the parametrisation lie on the constraints; at z = 0 it is the initial state, and N u leads along the
 * tangent space. */
static void tangent_bundle(fixture *f) {
    static const char *const problems[] = {"oscillator", "pendulum:constraint=norm", "dsp", "rigid_body"};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const sb_pair pair = pair_of(f, problems[i], "del");
        const sb_system *sys = pair.sys;
        const sb_holonomic *hol = &sys->holonomic;
        sb_tangent_bundle bundle;
        double z[16] = {0.0}, q[8], v[8], g[4] = {0.0}, Gx[32], rate[4] = {0.0};
        gsl_test(sb_tangent_bundle_init(&f->ctx, &f->arena, sys, &bundle) != SB_OK, "%s has a tangent bundle",
                 problems[i]);
        gsl_test_int(bundle.d, sys->n - hol->m, "%s: its dimension", problems[i]);
        gsl_test(sb_tangent_bundle_point(&bundle, z, q, v) != SB_OK, "its origin");
        for (int k = 0; k < sys->n; k++) { /* the initial state is on the manifold to round-off already */
            near(q[k], bundle.q0[k], 8.0 * DBL_EPSILON * sb_norm_max(sys->n, bundle.q0), "position at z = 0");
            near(v[k], bundle.v0[k], 1e-14 * (1.0 + sb_norm_max(sys->n, bundle.v0)), "velocity at z = 0");
        }
        for (int j = 0; j < 2 * bundle.d; j++) {
            z[j] = 0.1 * (j % 2 == 0 ? 1.0 : -0.7);
        }
        gsl_test(sb_tangent_bundle_point(&bundle, z, q, v) != SB_OK, "a point beside it");
        if (hol->m > 0) {
            gsl_test(hol->value(hol->self, 0.0, q, g, Gx) != SB_OK, "its constraints");
            sb_csc_mult_t(&hol->G, Gx, v, rate);
        }
        const double size = sb_norm_max(sys->n, q) * (1.0 + sb_norm_max(sys->n, q)),
                     speed = 1.0 + sb_norm_max(sys->n, v);
        gsl_test(!(sb_norm_max(hol->m, g) <= 8.0 * DBL_EPSILON * size), "g = 0 there: %.2g", sb_norm_max(hol->m, g));
        gsl_test(!(sb_norm_max(hol->m, rate) <= 16.0 * DBL_EPSILON * size * speed), "and dg/dt = 0: %.2g",
                 sb_norm_max(hol->m, rate));
        gsl_test(!(fabs(q[0] - bundle.q0[0]) + fabs(q[sys->n - 1] - bundle.q0[sys->n - 1]) > 1e-3),
                 "and it is another point");
    }
}

/* Over 1000 steps of the chaotic double pendulum the differences of runs say nothing: whether the method is symplectic
 * or not, the answer is not yes. The energy-momentum method, which is not, is found out over ten. */
static void drowned(fixture *f) {
    static const char *const steppers[] = {"em", "spook", "rattle"};
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        const sb_pair pair = pair_of(f, "dsp", steppers[i]);
        const sb_symplecticity s = measure(f, &pair, pair.sys->time_scale / 10.0, 1000);
        gsl_test(s.symplectic == SB_YES, "%s over 1000 steps: defect %.2g, noise %.2g", steppers[i], s.defect, s.noise);
    }
    const sb_pair em = pair_of(f, "dsp", "em");
    const sb_symplecticity s = measure(f, &em, em.sys->time_scale / 10.0, 10);
    gsl_test(s.symplectic != SB_NO, "em over 10 steps: defect %.2g, noise %.2g", s.defect, s.noise);
    /* rk4's determinant is 1 - h^6/72 per step: at h = 1e-3, 1e-20, no differences show it. */
    const sb_pair rk4 = pair_of(f, "oscillator", "rk4");
    const sb_symplecticity tiny = measure(f, &rk4, 1e-3, 10);
    gsl_test(tiny.symplectic != SB_UNCLEAR, "rk4 at tiny steps: defect %.2g, noise %.2g", tiny.defect, tiny.noise);
}

/* The form of a planet is a thousandth of that of the Sun, and its defect counts all the same: rk4 does not pass. */
static void light_bodies(fixture *f) {
    const sb_pair rk4 = pair_of(f, "outer_solar_system", "rk4"), verlet = pair_of(f, "outer_solar_system", "verlet");
    const double h = rk4.sys->time_scale / 24.0;
    sb_symplecticity s = measure(f, &rk4, h, 10);
    gsl_test(s.symplectic == SB_YES, "rk4 on planets: defect %.2g, noise %.2g", s.defect, s.noise);
    s = measure(f, &verlet, h, 10);
    gsl_test(s.symplectic != SB_YES, "verlet on planets: defect %.2g, noise %.2g", s.defect, s.noise);
}

static void table_of(fixture *f) {
    sb_table table;
    rows(f, "symplecticity", "h=[0.1,0.05],steps=3", "oscillator", "euler_explicit", &table);
    gsl_test_int(table.nrows, 2, "a row for each h");
    near(sb_table_real(&table, 0, "defect"), pow(1.01, 3.0) - 1.0, 1e-11, "the defect of three explicit Euler steps");
    gsl_test(strcmp(sb_table_text(&table, 0, "symplectic"), "no") != 0, "the verdict");
    /* A step so long that Newton fails is a row with a status. */
    rows(f, "symplecticity", "h=1e6,steps=1", "dsp", "del", &table);
    gsl_test(strcmp(sb_table_text(&table, 0, "status"), "ok") == 0 || sb_table_text(&table, 0, "status")[0] == '\0',
             "a failed run has its reason: %s", sb_table_text(&table, 0, "status"));
}

int main(void) {
    fixture f;
    fixture_init(&f);
    known_defects(&f);
    symplectic(&f);
    energy_momentum(&f);
    gauge(&f);
    tangent_bundle(&f);
    drowned(&f);
    light_bodies(&f);
    table_of(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
