/* The errata of transv18: the basis L, the inverse mass E, the identity K = L' K_theta L, the sign of omega^2; the
 * corrected forms are those of the analyses of modes. */
#include "analysis/modes/spectra_dense.h"
#include "tests/errata/steps.h"

/* The matrices of a system at its initial state. */
static sb_stiffness stiffness_of(fixture *f, const sb_system *sys) {
    sb_stiffness s;
    double q[16], v[16], t;
    const int status = sys->initial(sys->self, &t, q, v) | sb_stiffness_init(&f->ctx, &f->arena, sys, &s) |
                       sb_stiffness_evaluate(&s, t, q, v);
    gsl_test(status != SB_OK, "%s has matrices (%s)", sys->name, status == SB_OK ? "it does" : f->ctx.message);
    return s;
}

/* ---- L. ---- */

static void basis(fixture *f) {
    sb_system sys;
    fixture_build(f, "pendulum:theta0=0.7", NULL, &sys);
    const sb_stiffness s = stiffness_of(f, &sys);
    const double *L = s.Lt;
    double printed = 0.0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            printed = fmax(printed, fabs(L[i] * L[j] - (i == j ? 1.0 : 0.0)));
        }
    }
    erratum("transv18, L'L = 1: LL' = 1", printed, 0.1, L[0] * L[0] + L[1] * L[1] - 1.0, 8.0 * DBL_EPSILON);
}

/* ---- E. ---- */

/* Two coordinates of masses m and M kept on the parabola n.q + kappa (t.q)^2/2 = 0 with t = (cos a, sin a), by a
 * multiplier lambda < 0 against the force -lambda n. With s = t.q the motion has T = mass(s) s'^2/2 and V = -lambda
 * kappa s^2/2, exactly. */
static const double a = 0.6, light = 1.0, heavy = 5.0, kappa = 0.8, lambda = -3.0;

static double mass(double s) {
    const double x = cos(a) + kappa * s * sin(a), y = sin(a) - kappa * s * cos(a); /* dq/ds */
    return light * x * x + heavy * y * y;
}

static double acceleration(double s, double v) {
    const double d = 1e-6, slope = (mass(s + d) - mass(s - d)) / (2.0 * d);
    return (lambda * kappa * s - 0.5 * slope * v * v) / mass(s);
}

/* omega of a swing of size 1e-4, from the time between two passages through 0 in the same direction, by rk4: its error
 * is that of the amplitude, 1e-8, and of steps of a thousandth of a period, 1e-11. */
static double measured_omega(void) {
    const double h = 2e-3;
    double s = 1e-4, v = 0.0, t = 0.0, first = NAN;
    for (;;) {
        const double k1 = acceleration(s, v), s2 = s + 0.5 * h * v, v2 = v + 0.5 * h * k1, k2 = acceleration(s2, v2);
        const double s3 = s + 0.5 * h * v2, v3 = v + 0.5 * h * k2, k3 = acceleration(s3, v3), s4 = s + h * v3,
                     v4 = v + h * k3;
        const double next = s + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4),
                     rate = v + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + acceleration(s4, v4));
        if (s < 0.0 && next >= 0.0) {
            const double at = t - s / v; /* v'' is small here: the cubic term of s is (omega h)^2/6 of a step */
            if (!isnan(first)) {
                return 2.0 * M_PI / (at - first);
            }
            first = at;
        }
        s = next;
        v = rate;
        t += h;
    }
}

/* The parabola as a system, at q = 0. */
static int parabola_mass(const void *self, const double *q, double *Mx) {
    (void)self;
    (void)q;
    Mx[0] = light;
    Mx[1] = heavy;
    return SB_OK;
}

static int parabola_gradient(const void *self, double t, const double *q, double *Vq) {
    (void)self;
    (void)q;
    Vq[0] = -lambda * sin(a);
    Vq[1] = lambda * cos(a);
    return SB_OK;
}

static int parabola_potential(const void *self, double t, const double *q, double *V) {
    (void)self;
    *V = lambda * (q[1] * cos(a) - q[0] * sin(a));
    return SB_OK;
}

static int parabola_value(const void *self, double t, const double *q, double *g, double *Gx) {
    const double n[2] = {-sin(a), cos(a)}, tangent[2] = {cos(a), sin(a)}, s = tangent[0] * q[0] + tangent[1] * q[1];
    (void)self;
    if (g != NULL) {
        g[0] = n[0] * q[0] + n[1] * q[1] + 0.5 * kappa * s * s;
    }
    for (int i = 0; i < 2 && Gx != NULL; i++) {
        Gx[i] = n[i] + kappa * s * tangent[i];
    }
    return SB_OK;
}

static int parabola_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    const double tangent[2] = {cos(a), sin(a)};
    (void)self;
    (void)q;
    for (int k = 0; k < 4; k++) {
        Hx[k] += c * w[0] * kappa * tangent[k % 2] * tangent[k / 2];
    }
    return SB_OK;
}

static int parabola_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    const double s = cos(a) * v[0] + sin(a) * v[1];
    (void)self;
    (void)q;
    out[0] = kappa * s * s;
    return SB_OK;
}

static int parabola_initial(const void *self, double *t, double *q, double *v) {
    (void)self;
    *t = q[0] = q[1] = v[0] = v[1] = 0.0;
    return SB_OK;
}

static void inverse_mass(fixture *f) {
    sb_system sys = {.n = 2, .time_scale = 1.0, .initial = parabola_initial};
    sb_spectra spectra;
    int status = sb_pattern_full(&f->arena, 2, 2, &sys.H) | sb_pattern_full(&f->arena, 2, 1, &sys.holonomic.G);
    sys.inertia.mass = parabola_mass;
    status |= sb_pattern_diagonal(&f->arena, 2, &sys.inertia.M);
    sys.potential = (sb_potential){.degree = 1, .value = parabola_potential, .gradient = parabola_gradient};
    sys.holonomic = (sb_holonomic){.m = 1,
                                   .degree = 2,
                                   .G = sys.holonomic.G,
                                   .value = parabola_value,
                                   .hessian = parabola_hessian,
                                   .curvature = parabola_curvature};
    status |= sb_system_finish(&f->ctx, &f->arena, "parabola", &sys);
    gsl_test(status != SB_OK, "the parabola builds (%s)", status == SB_OK ? "it does" : f->ctx.message);
    sb_stiffness s = stiffness_of(f, &sys);
    gsl_test(sb_stiffness_spectra(&s, &f->arena, false, &spectra) != SB_OK, "its spectra");
    const double omega = measured_omega();
    erratum("transv18, E = L M^-1 L': (L M L')^-1", sqrt(spectra.as_printed[0]) / omega - 1.0, 0.1,
            sqrt(spectra.projected[0]) / omega - 1.0, 1e-6);
}

/* ---- K = L' K_theta L. ---- */

/* A particle amid two links in space, 3, 4, 5: they leave it the direction across their plane, and K acts along the
 * links as well. On a straight thread it acts across it alone. */
static void identity(fixture *f) {
    sb_system bent, straight;
    double off[2] = {NAN, NAN};
    fixture_build(f, "thread:n=1,span=0.6,dim=3", NULL, &bent);
    fixture_build(f, "thread:n=3,dim=3,masses=[1,2,3]", NULL, &straight);
    sb_stiffness s[2] = {stiffness_of(f, &bent), stiffness_of(f, &straight)};
    gsl_test(sb_stiffness_mismatch(&s[0], &off[0]) | sb_stiffness_mismatch(&s[1], &off[1]), "K is compared");
    erratum("transv18, K = L' K_theta L: on a straight thread only", off[0], 0.5, off[1], 64.0 * DBL_EPSILON);
}

/* ---- omega^2. ---- */

/* A pendulum m, l at rest below its pivot carries -lambda = m g, and M^-1 K has the eigenvalue lambda/(m l); it swings
 * with omega^2 = g/l, minus that. SHAKE's map of small angles, theta+ = (2 - h^2 g/l) theta - theta-, is stable up to h
 * = 2/omega. */
static void sign(fixture *f) {
    const double l = 0.5, g = 9.81;
    sb_system sys;
    fixture_build(f, "pendulum:m=3,l=0.5,g=9.81,theta0=0", NULL, &sys);
    sb_stiffness s = stiffness_of(f, &sys);
    double omega2 = NAN, largest[2] = {0.0};
    gsl_test(sb_stiffness_top(&s, &omega2) != SB_OK, "the pendulum's mode");
    const double eigenvalue = s.lambda[0] * (s.Lt[0] * s.Lt[0] + s.Lt[1] * s.Lt[1]) / 3.0; /* Hess (q.q/2) = 1 */
    erratum("transv18, omega^2 is an eigenvalue: minus one", eigenvalue / (g / l) - 1.0, 1.0, omega2 / (g / l) - 1.0,
            16.0 * DBL_EPSILON);
    for (int k = 0; k < 2; k++) {
        const double h = (k == 0 ? 0.99 : 1.01) * 2.0 / sqrt(omega2);
        stepping x;
        stepping_begin(f, "pendulum:m=3,l=0.5,g=9.81,theta0=1e-8", NULL, "shake", h, &x);
        for (int i = 0; i < 40; i++) {
            stepping_step(&x, h);
            largest[k] = fmax(largest[k], fabs(x.now.q[0]) / (l * 1e-8));
        }
    }
    /* 1/sin of the angle of its roots, cos = 1 - 2 0.99^2, is 3.6; beyond, a root of exp(2 sqrt(2/100)) per step. */
    gsl_test(!(largest[0] <= 4.0), "transv18: a step of 0.99 of 2/omega is stable, %g", largest[0]);
    gsl_test(!(largest[1] > 1e4), "transv18: one of 1.01 of 2/omega is not, %g", largest[1]);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    basis(&f);
    inverse_mass(&f);
    identity(&f);
    sign(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
