/* One step of every unconstrained method on a linear force f = A q + B v + c + r t against the method's formula: what a
 * method is, not only its order. */
#include <float.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { N = 3, NZ = N * N };

static const double mass[N] = {2.0, 0.5, 1.5};
static const double A[NZ] = {-3.0, 0.4, 0.1, -0.7, -2.0, 0.3, 0.2, 0.5, -1.0}; /* by rows; no symmetry */
static const double B[NZ] = {-0.3, 0.2, 0.0, 0.1, -0.5, 0.4, -0.6, 0.0, 0.2};
static const double c[N] = {0.3, -0.2, 0.1}, r[N] = {-0.4, 0.6, 0.2}, t0 = 0.7, h = 0.3;
static const double q0[N] = {0.7, -0.4, 0.2}, v0[N] = {0.1, 0.9, -0.5};

static int set_mass(const void *self, const double *q, double *Mx) {
    (void)self;
    (void)q;
    for (int i = 0; i < NZ; i++) {
        Mx[i] = i % (N + 1) == 0 ? mass[i / (N + 1)] : 0.0;
    }
    return SB_OK;
}

static int set_force(const void *self, double t, const double *q, const double *v, double *f) {
    (void)self;
    for (int i = 0; i < N; i++) {
        f[i] = c[i] + r[i] * t;
        for (int j = 0; j < N; j++) {
            f[i] += A[N * i + j] * q[j] + B[N * i + j] * v[j];
        }
    }
    return SB_OK;
}

static int add_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                        double *Hx) {
    (void)self;
    (void)t;
    (void)q;
    (void)v;
    for (int i = 0; i < NZ; i++) {
        Hx[i % N * N + i / N] += cq * A[i] + cv * B[i];
    }
    return SB_OK;
}

static int start(const void *self, double *t, double *q, double *v) {
    (void)self;
    *t = t0;
    memcpy(q, q0, sizeof q0);
    memcpy(v, v0, sizeof v0);
    return SB_OK;
}

static int build(fixture *f, sb_system *sys) {
    int row[NZ], col[NZ];
    *sys = (sb_system){.n = N, .time_scale = 1.0, .initial = start};
    for (int i = 0; i < NZ; i++) {
        row[i] = i % N;
        col[i] = i / N;
    }
    SB_TRY(sb_pattern_from_pairs(&f->arena, N, N, NZ, row, col, &sys->H));
    sys->inertia = (sb_inertia){.M = sys->H, .mass = set_mass};
    sys->force = (sb_force){.value = set_force, .jacobian = add_jacobian};
    return sb_system_finish(&f->ctx, &f->arena, "linear force", sys);
}

/* A method with v1 = v0 + h M^-1 f(t0 + s h, (1 - a) q0 + a q1, (1 - a) v0 + a v1) and q1 = q0 + h ((1 - b) v0 + b v1);
 * a NaN: the Taylor polynomial below, or with s >= 0 the damped Euler method with the derivative s. */
typedef struct formula {
    const char *stepper;
    double a, b, s;
} formula;

/* To the round-off of a solved system of three equations. */
static void expect_formula(const formula *m, const double *q1, const double *v1) {
    double q[N], v[N], f[N];
    for (int i = 0; i < N; i++) {
        q[i] = (1.0 - m->a) * q0[i] + m->a * q1[i];
        v[i] = (1.0 - m->a) * v0[i] + m->a * v1[i];
    }
    set_force(NULL, t0 + m->s * h, q, v, f);
    for (int i = 0; i < N; i++) {
        gsl_test(!close_to(v1[i], v0[i] + h * f[i] / mass[i], 32.0 * DBL_EPSILON), "%s: velocity %d (%.16g)",
                 m->stepper, i, v1[i]);
        gsl_test(!close_to(q1[i], q0[i] + h * ((1.0 - m->b) * v0[i] + m->b * v1[i]), 32.0 * DBL_EPSILON),
                 "%s: position %d (%.16g)", m->stepper, i, q1[i]);
    }
}

/* M (v1 - v0) = h f(t0, q0, v0) + h D (v1 - v0), q1 = q0 + h v1, with D = B, its symmetric part or its diagonal. */
static void expect_damped(const char *stepper, int derivative, const double *q1, const double *v1) {
    double f[N];
    set_force(NULL, t0, q0, v0, f);
    for (int i = 0; i < N; i++) {
        double rate = f[i];
        for (int j = 0; j < N; j++) {
            const double D = derivative == 0   ? B[N * i + j]
                             : derivative == 1 ? 0.5 * (B[N * i + j] + B[N * j + i])
                             : i == j          ? B[N * i + j]
                                               : 0.0;
            rate += D * (v1[j] - v0[j]);
        }
        gsl_test(!close_to(v1[i], v0[i] + h * rate / mass[i], 32.0 * DBL_EPSILON), "%s: velocity %d (%.16g)", stepper,
                 i, v1[i]);
        gsl_test(!close_to(q1[i], q0[i] + h * v1[i], 32.0 * DBL_EPSILON), "%s: position %d (%.16g)", stepper, i, q1[i]);
    }
}

/* The Taylor polynomial of the flow to the order four, which is rk4 on a linear system: M q^(k+2) = A q^(k) + B q^(k+1)
 * for the derivatives, plus r for k = 1. */
static void expect_taylor(const double *q1, const double *v1) {
    double q[N], v[N], dq[N], dv[N], factor = 1.0;
    memcpy(q, q0, sizeof q);
    memcpy(v, v0, sizeof v);
    memcpy(dq, v0, sizeof dq);
    set_force(NULL, t0, q0, v0, dv);
    for (int i = 0; i < N; i++) {
        dv[i] /= mass[i];
    }
    for (int k = 1; k <= 4; k++) {
        double next[N];
        factor *= h / k;
        set_force(NULL, k == 1 ? 1.0 : 0.0, dq, dv, next);
        for (int i = 0; i < N; i++) {
            q[i] += factor * dq[i];
            v[i] += factor * dv[i];
            dq[i] = dv[i];
            dv[i] = (next[i] - c[i]) / mass[i];
        }
    }
    for (int i = 0; i < N; i++) {
        gsl_test(!close_to(q1[i], q[i], 32.0 * DBL_EPSILON), "rk4: position %d (%.16g, %.16g)", i, q1[i], q[i]);
        gsl_test(!close_to(v1[i], v[i], 32.0 * DBL_EPSILON), "rk4: velocity %d (%.16g, %.16g)", i, v1[i], v[i]);
    }
}

int main(void) {
    static const formula methods[] = {{"euler_explicit", 0.0, 0.0, 0.0},
                                      {"euler_symplectic", 0.0, 1.0, 0.0},
                                      {"euler_implicit", 1.0, 1.0, 1.0},
                                      {"euler_linear", 1.0, 1.0, 0.0}, /* one Newton step solves linear equations */
                                      {"midpoint", 0.5, 0.5, 0.5},
                                      {"rk4", NAN, NAN, NAN},
                                      {"euler_damped:derivative=whole", NAN, NAN, 0.0},
                                      {"euler_damped:derivative=symmetric", NAN, NAN, 1.0},
                                      {"euler_damped:derivative=diagonal", NAN, NAN, 2.0}};
    fixture f;
    sb_system sys;
    fixture_open(&f);
    gsl_test(build(&f, &sys) != SB_OK, "a system with a linear force (%s)", f.ctx.message);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        sb_method method = {0};
        sb_state s[2];
        int status = sb_method_build(&f.ctx, &f.arena, methods[i].stepper, &sys, &method);
        status = status == SB_OK ? sb_state_new(&method, &f.arena, &s[0]) : status;
        status = status == SB_OK ? sb_state_new(&method, &f.arena, &s[1]) : status;
        status = status == SB_OK ? sb_method_start(&method, t0, NULL, NULL, h, &s[0]) : status;
        status = status == SB_OK ? sb_method_step(&method, &s[0], h, &s[1]) : status;
        gsl_test(status != SB_OK, "%s takes a step (%s)", methods[i].stepper, status != SB_OK ? f.ctx.message : "done");
        if (status == SB_OK && isnan(methods[i].a) && methods[i].s >= 0.0) {
            expect_damped(methods[i].stepper, (int)methods[i].s, s[1].q, s[1].v);
        } else if (status == SB_OK && isnan(methods[i].a)) {
            expect_taylor(s[1].q, s[1].v);
        } else if (status == SB_OK) {
            expect_formula(&methods[i], s[1].q, s[1].v);
        }
    }
    fixture_close(&f);
    return gsl_test_summary();
}
