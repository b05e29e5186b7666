/* Rules of steppers that no order and no conservation shows: the nodes of avf, the controller of adaptive, and the
 * direction of the correction of projection. */
#include <gsl/gsl_linalg.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/stepper.h>

#include "tests/analysis/fixture.h"

static void bind_pair(fixture *f, const sb_pair *pair, sb_method *method) {
    gsl_test(sb_method_init(&f->ctx, &f->arena, pair->type, pair->config, pair->sys, method) != SB_OK, "%s on %s: %s",
             pair->stepper, pair->problem, f->ctx.message);
}

/* ---- avf. ---- */

static int sextic(const void *self, double t, const double *q, const double *v, double *out) {
    (void)self, (void)t, (void)v;
    out[0] = -pow(q[0], 5.0);
    return SB_OK;
}

/* On q'' = -q^5 from q = 1.2, v = 0.3: s Gauss nodes integrate polynomials of degree 2 s - 1 exactly, and the average
 * of q^5 along a line is one of degree 5. Three nodes keep v^2/2 + q^6/6 to the tolerance of Newton's iteration in a
 * hundred steps; two miss it by far. */
static void avf_nodes(fixture *f) {
    for (int nodes = 2; nodes <= 3; nodes++) {
        char text[40];
        snprintf(text, sizeof text, "avf:nodes=%d,tol=1e-13", nodes);
        sb_pair pair = pair_of(f, "oscillator:x0=1.2,v0=0.3", text);
        sb_system sys = *pair.sys;
        sb_method method;
        sb_state s[2];
        double worst = 0.0;
        sys.potential = (sb_potential){0};
        sys.flags |= (unsigned)SB_HAS_FORCE;
        sys.force = (sb_force){.value = sextic};
        pair.sys = &sys;
        bind_pair(f, &pair, &method);
        gsl_test(sb_state_new(&method, &f->arena, &s[0]) != SB_OK || sb_state_new(&method, &f->arena, &s[1]) != SB_OK ||
                     sb_method_start(&method, 0.0, NULL, NULL, 0.1, &s[0]) != SB_OK,
                 "a start");
        const double first = 0.045 + pow(1.2, 6.0) / 6.0;
        for (int k = 0; k < 100; k++) {
            gsl_test(sb_method_step(&method, &s[k % 2], 0.1, &s[1 - k % 2]) != SB_OK, "a step: %s", f->ctx.message);
            const double q = s[1 - k % 2].q[0], v = s[1 - k % 2].v[0];
            worst = sb_larger(worst, fabs(0.5 * v * v + pow(q, 6.0) / 6.0 - first));
        }
        gsl_test(nodes == 3 ? !(worst < 1e-10) : !(worst > 1e-7), "avf with %d nodes changes the energy by %.1e", nodes,
                 worst);
    }
}

/* ---- adaptive. ---- */

/* A step of the classical Runge-Kutta method on q'' = -q is the polynomial of degree 4 of the exponential; with omega =
 * 2 it is one of 2 h in q and v/2. */
static void classical(double h, double *q, double *v) {
    const double c = 1.0 - h * h / 2.0 + h * h * h * h / 24.0, s = h - h * h * h / 6.0, x = *q;
    *q = c * x + s * *v;
    *v = c * *v - s * x;
}

/* The first step of the mesh has the length T rtol^(1/5); the next one is 0.9 (rtol/err)^(1/5) as long, err the larger
 * difference of q and v between one step and two of half the length over 2^4 - 1: hnw93 II.4. An output between 1.25
 * and 2.25 of the first length leaves one step of the mesh. The number in aux that determines the next step is its
 * length. */
static void controller(fixture *f) {
    static const double rtol[] = {1e-4, 1e-6, 1e-9};
    for (int k = 0; k < 3; k++) {
        char text[60];
        snprintf(text, sizeof text, "adaptive(rk4):rtol=%g", rtol[k]);
        const sb_pair pair = pair_of(f, "oscillator:omega=2,x0=0.6,v0=1.6", text);
        const double h = pair.sys->time_scale * pow(rtol[k], 0.2);
        double q[2] = {0.6, 0.6}, v[2] = {0.8, 0.8};
        sb_method method;
        sb_state in, out;
        bind_pair(f, &pair, &method);
        gsl_test(sb_state_new(&method, &f->arena, &in) != SB_OK || sb_state_new(&method, &f->arena, &out) != SB_OK ||
                     sb_method_start(&method, 0.0, NULL, NULL, h, &in) != SB_OK,
                 "a start");
        gsl_test_rel(in.aux[0], h, 1e-14, "first step of the mesh");
        f->ctx.substeps = f->ctx.rejected = 0;
        gsl_test(sb_method_step(&method, &in, 1.3 * h, &out) != SB_OK, "a step: %s", f->ctx.message);
        classical(2.0 * h, &q[0], &v[0]);
        classical(h, &q[1], &v[1]);
        classical(h, &q[1], &v[1]);
        /* the size of the motion is the larger of |q| and T |v| at the start */
        const double T = pair.sys->time_scale, size = fmax(0.6, T * 1.6),
                     err = fmax(fabs(q[1] - q[0]), T * 2.0 * fabs(v[1] - v[0])) / 15.0 / size;
        /* err is a difference of numbers of size 1 of about rtol/100: round-off of 1e-16/1e-11 over 5 */
        gsl_test_rel(out.aux[0], fmin(5.0, 0.9 * pow(rtol[k] / err, 0.2)) * h, 1e-4, "the next step, rtol = %g",
                     rtol[k]);
        gsl_test(!(0.9 * pow(rtol[k] / err, 0.2) < 5.0), "the factor is not limited");
    }
}

/* ---- projection. ---- */

enum { N = 16 };

static void accelerate(fixture *f, sb_dynamics *dyn, double t, const double *q, const double *v, double *a) {
    gsl_test(sb_dynamics_acceleration(dyn, t, q, v, a, NULL) != SB_OK, "accelerations: %s", f->ctx.message);
}

/* The correction of the velocity, v1 - v~ after a step of rk4 on the index-1 equations, is M^-1 C' nu with M and C at
 * q1: M(q1) (v1 - v~) is in the span of the rows of C(q1). The correction is 1e-6 to 1e-3 of v; its part off the span
 * is round-off. A direction of another metric or of the rows at q0 is off by h and more of the correction. */
static void projection(fixture *f, const char *problem, double h) {
    const sb_pair pair = pair_of(f, problem, "projection(rk4)");
    const sb_system *sys = pair.sys;
    const int n = sys->n, m = sb_system_bilateral(sys);
    double t, q0[N], v0[N], a[4][N], q[N], v[N], Mx[200], p[N] = {0.0}, Cx[200], off = 0.0, size = 0.0;
    sb_method method;
    sb_dynamics dyn;
    sb_state in, out;
    bind_pair(f, &pair, &method);
    gsl_test(sb_state_new(&method, &f->arena, &in) != SB_OK || sb_state_new(&method, &f->arena, &out) != SB_OK ||
                 sb_dynamics_init(&f->ctx, &f->arena, sys, &dyn) != SB_OK ||
                 sb_method_start(&method, 0.0, NULL, NULL, h, &in) != SB_OK ||
                 sb_method_step(&method, &in, h, &out) != SB_OK || sys->initial(sys->self, &t, q0, v0) != SB_OK,
             "a step of projection: %s", f->ctx.message);
    accelerate(f, &dyn, t, q0, v0, a[0]);
    for (int k = 1; k < 4; k++) { /* the stages of rk4 as a method for q'' = a(t, q, v) */
        const double c = k < 3 ? 0.5 : 1.0;
        for (int i = 0; i < n; i++) {
            const double before = k == 1 ? 0.0 : k == 2 ? 0.5 * a[0][i] : a[1][i];
            q[i] = q0[i] + c * h * (v0[i] + h * before * (k == 3 ? 0.5 : 1.0));
            v[i] = v0[i] + c * h * a[k - 1][i];
        }
        accelerate(f, &dyn, t + c * h, q, v, a[k]);
    }
    for (int i = 0; i < n; i++) {
        v[i] = out.v[i] - (v0[i] + h / 6.0 * (a[0][i] + 2.0 * a[1][i] + 2.0 * a[2][i] + a[3][i]));
    }
    gsl_test(sys->inertia.mass(sys->inertia.self, out.q, Mx) != SB_OK ||
                 sb_bilateral_value(sys, t + h, out.q, NULL, Cx) != SB_OK,
             "M and C");
    gsl_matrix *C = gsl_matrix_calloc((size_t)n, (size_t)m);
    gsl_vector *tau = gsl_vector_alloc((size_t)m), *b = gsl_vector_alloc((size_t)n), *x = gsl_vector_alloc((size_t)m),
               *residual = gsl_vector_alloc((size_t)n);
    const sb_pattern *M = &sys->inertia.M, *rows[2] = {&sys->holonomic.G, &sys->nonholonomic.A};
    for (int j = 0; j < n; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            p[M->i[k]] += Mx[k] * v[j];
        }
    }
    for (int part = 0, at = 0, column = 0; part < 2; part++) {
        for (int j = 0; rows[part]->p != NULL && j < rows[part]->cols; j++, column++) {
            for (int k = rows[part]->p[j]; k < rows[part]->p[j + 1]; k++) {
                gsl_matrix_set(C, (size_t)rows[part]->i[k], (size_t)column, Cx[at++]);
            }
        }
    }
    for (int i = 0; i < n; i++) {
        gsl_vector_set(b, (size_t)i, p[i]);
        size = sb_larger(size, fabs(p[i]));
    }
    gsl_linalg_QR_decomp(C, tau);
    gsl_linalg_QR_lssolve(C, tau, b, x, residual);
    for (int i = 0; i < n; i++) {
        off = sb_larger(off, fabs(gsl_vector_get(residual, (size_t)i)));
    }
    gsl_test(!(size > 1e-7), "%s: the correction is %.1e", problem, size);
    gsl_test(!(off < 1e-6 * size), "%s: %.1e of the correction %.1e is off the rows", problem, off, size);
    gsl_matrix_free(C);
    gsl_vector_free(tau);
    gsl_vector_free(b);
    gsl_vector_free(x);
    gsl_vector_free(residual);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    avf_nodes(&f);
    controller(&f);
    projection(&f, "dsp:m1=0.5,m2=2,ic=recovered", 0.1);
    projection(&f, "rolling_disk:thetadot0=0.5", 0.1);
    projection(&f, "slider_crank:m1=2,m2=0.5,m3=3", 0.05);
    fixture_free(&f);
    return gsl_test_summary();
}
