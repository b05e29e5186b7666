/* Charts against differences and their own identities; the charted system against the one it comes from. */
#include <gsl/gsl_rng.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/problems/differences.h"
#include "tests/problems/synthetic.h"

enum { N = 8, NN = N * N };

/* ---- The chart's derivatives. ---- */

typedef struct moved {
    const sb_chart *chart;
    const double *s, *direction, *w;
    int what;
} moved;

enum { POINT, GRADIENT, HESSIAN };

static void on_line(const void *arg, double x, double *out) {
    const moved *m = arg;
    const sb_chart *c = m->chart;
    double s[N], Dx[NN];
    int status;
    for (int i = 0; i < c->n; i++) {
        s[i] = m->s[i] + x * m->direction[i];
    }
    switch (m->what) {
    case POINT: status = c->point(c->self, s, out, NULL); break;
    case GRADIENT:
        status = c->point(c->self, s, NULL, Dx);
        sb_csc_mult_t(&c->D, Dx, m->w, out);
        break;
    default:
        memset(out, 0, (size_t)sb_pattern_nnz(&c->H) * sizeof(double));
        status = c->hessian(c->self, s, m->w, 1.0, out);
        break;
    }
    if (status != SB_OK) {
        out[0] = NAN;
    }
}

static void expect_derivative(const char *name, const moved *m, int rows, const double *derivative, double size,
                              const char *what) {
    const curve c = {rows, on_line, m};
    double d[DIFFERENCE_MAX], bound[DIFFERENCE_MAX];
    difference(&c, 0.01, size, d, bound);
    for (int i = 0; i < rows; i++) {
        gsl_test(!close_to(d[i], derivative[i], bound[i]), "%s: %s, row %d (%g, %g, bound %g)", name, what, i,
                 derivative[i], d[i], bound[i]);
    }
}

static void derivatives(const char *name, const sb_chart *c, const double *s, const double *u, const double *w) {
    double q[N], Dx[NN], Du[N] = {0.0}, Hx[NN] = {0.0}, Hu[N] = {0.0}, third[NN] = {0.0};
    int status =
        c->point(c->self, s, q, Dx) | c->hessian(c->self, s, w, 1.0, Hx) | c->third(c->self, s, w, u, -2.0, third);
    gsl_test(status != SB_OK, "%s: chart", name);
    sb_csc_mult_add(&c->D, Dx, 1.0, u, Du);
    sb_csc_mult_add(&c->H, Hx, 1.0, u, Hu);
    for (int i = 0; i < sb_pattern_nnz(&c->H); i++) {
        third[i] *= -0.5;
    }
    const double size = sb_norm_max(c->D.rows, q);
    expect_derivative(name, &(moved){c, s, u, w, POINT}, c->D.rows, Du, size, "D");
    expect_derivative(name, &(moved){c, s, u, w, GRADIENT}, c->n, Hu, size, "Hess psi");
    expect_derivative(name, &(moved){c, s, u, w, HESSIAN}, sb_pattern_nnz(&c->H), third, size, "D3 psi");
}

/* ---- Identities. ---- */

static void identities(const sb_system *sys, const double *s) {
    const sb_chart *c = sys->chart;
    double q[N], Dx[NN], g[N], Gx[NN], GD[N], back[N], xi_s[N], xi_q[N];
    int status = c->point(c->self, s, q, Dx) | sb_holonomic_value(sys, 0.0, q, g, Gx) | c->inverse(c->self, q, back);
    gsl_test(status != SB_OK, "%s: chart", sys->name);
    const double size = sb_norm_max(sys->n, q), unit = 16.0 * DBL_EPSILON;
    gsl_test(!(sb_norm_max(sys->holonomic.m, g) <= unit * fmax(size, 1.0) * size), "%s: g(psi(s)) = 0", sys->name);
    for (int j = 0; j < c->n; j++) {
        double column[N] = {0.0};
        const double e[N] = {j == 0, j == 1, j == 2, j == 3, j == 4, j == 5, j == 6, j == 7};
        sb_csc_mult_add(&c->D, Dx, 1.0, e, column);
        sb_csc_mult_t(&sys->holonomic.G, Gx, column, GD);
        gsl_test(!(sb_norm_max(sys->holonomic.m, GD) <= unit * fmax(size, 1.0) * size), "%s: column %d of D is tangent",
                 sys->name, j);
        /* The angle from the vertical loses 1/sin(theta) <= 10 here. */
        gsl_test(!close_to(back[j], s[j], 10.0 * unit * size), "%s: inverse(psi(s)) = s, %d (%g, %g)", sys->name, j,
                 back[j], s[j]);
    }
    gsl_test(c->symmetries > sys->symmetry.count, "%s: the chart has no more momenta than the system", sys->name);
    for (int i = 0; i < c->symmetries; i++) {
        double pushed[N] = {0.0};
        status = c->generator(c->self, i, s, xi_s) | sys->symmetry.generator(sys->symmetry.self, i, q, xi_q);
        sb_csc_mult_add(&c->D, Dx, 1.0, xi_s, pushed);
        for (int k = 0; k < sys->n; k++) {
            gsl_test(status != SB_OK || !close_to(pushed[k], xi_q[k], unit * size), "%s: D xi_s = xi_q, %d", sys->name,
                     k);
        }
    }
}

/* ---- The charted system: the same motion in other coordinates. ---- */

static void same_accelerations(fixture *f, const sb_system *sys, const sb_system *charted, const double *s,
                               const double *sdot) {
    const sb_chart *c = sys->chart;
    sb_dynamics outer, inner;
    double q[N], Dx[NN], v[N] = {0.0}, a[N], sddot[N], pushed[N] = {0.0}, lambda[N], w[N];
    int status =
        sb_dynamics_init(&f->ctx, &f->arena, sys, &outer) | sb_dynamics_init(&f->ctx, &f->arena, charted, &inner);
    status |= c->point(c->self, s, q, Dx);
    sb_csc_mult_add(&c->D, Dx, 1.0, sdot, v);
    status |= sb_dynamics_acceleration(&outer, 0.0, q, v, a, lambda) |
              sb_dynamics_acceleration(&inner, 0.0, s, sdot, sddot, NULL);
    gsl_test(status != SB_OK, "%s: accelerations", sys->name);
    sb_csc_mult_add(&c->D, Dx, 1.0, sddot, pushed);
    for (int k = 0; k < sys->n; k++) {
        /* q'' = D s'' + sum Hess psi_k(s', s'). */
        double e[N] = {0.0}, Hx[NN] = {0.0}, Hs[N] = {0.0}, curved = 0.0;
        e[k] = 1.0;
        status = c->hessian(c->self, s, e, 1.0, Hx);
        sb_csc_mult_add(&c->H, Hx, 1.0, sdot, Hs);
        for (int i = 0; i < c->n; i++) {
            curved += Hs[i] * sdot[i];
        }
        w[k] = pushed[k] + curved;
    }
    const double size = fmax(sb_norm_max(sys->n, a), sb_norm_max(sys->n, v) * sb_norm_max(c->n, sdot));
    for (int k = 0; k < sys->n; k++) {
        /* Two factorisations with condition numbers of about 100. */
        gsl_test(status != SB_OK || !close_to(w[k], a[k], 1e4 * DBL_EPSILON * size),
                 "%s: the accelerations are those of the chart, %d (%g, %g)", sys->name, k, w[k], a[k]);
    }
}

static void same_start(const sb_system *sys, const sb_system *charted) {
    double t, q0[N], v0[N], s[N], sdot[N], q[N], Dx[NN], v[N] = {0.0};
    int status = sys->initial(sys->self, &t, q0, v0) | charted->initial(charted->self, &t, s, sdot) |
                 sys->chart->point(sys->chart->self, s, q, Dx);
    sb_csc_mult_add(&sys->chart->D, Dx, 1.0, sdot, v);
    for (int k = 0; k < sys->n; k++) {
        gsl_test(status != SB_OK || !close_to(q[k], q0[k], 16.0 * DBL_EPSILON * sb_norm_max(sys->n, q0)),
                 "%s: the charted system starts at q%d", sys->name, k);
        gsl_test(!close_to(v[k], v0[k], 256.0 * DBL_EPSILON * fmax(1.0, sb_norm_max(sys->n, v0))),
                 "%s: the charted system starts with v%d", sys->name, k);
    }
}

static void check(fixture *f, gsl_rng *rng, const char *spec, const double *s0) {
    sb_system sys, embedded, intrinsic;
    fixture_build(f, spec, NULL, &sys);
    fixture_build(f, spec, "chart", &embedded);
    fixture_build(f, spec, "chart:lagrangian=chart", &intrinsic);
    gsl_test(embedded.embedding == NULL || intrinsic.embedding != NULL,
             "%s: lagrangian=embedded sets the embedding, lagrangian=chart does not", spec);
    gsl_test((embedded.flags & (unsigned)(SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_OFFERS_CHART)) != 0,
             "%s: no constraints and no chart are left", spec);
    gsl_test((embedded.flags & (unsigned)SB_OFFERS_EXACT) != (sys.flags & (unsigned)SB_OFFERS_EXACT),
             "%s: an exact solution stays one", spec);
    same_start(&sys, &embedded);
    for (int k = 0; k < 5; k++) {
        double s[N], u[N], w[N];
        for (int i = 0; i < N; i++) {
            s[i] = i < sys.chart->n ? s0[i] + 0.4 * gsl_rng_uniform(rng) : 0.0;
            u[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
            w[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
        derivatives(spec, sys.chart, s, u, w);
        identities(&sys, s);
        same_accelerations(f, &sys, &embedded, s, u);
    }
}

int main(void) {
    fixture f;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 1996);
    fixture_open(&f);
    check(&f, rng, "pendulum:l=1.3,theta0=-2", (double[]){0.7});
    check(&f, rng, "pendulum:l=1.3,constraint=norm", (double[]){-2.1});
    check(&f, rng, "dsp", (double[]){0.6, 1.1, 2.2, -2.5});
    check(&f, rng, "dsp:ic=recovered", (double[]){2.3, -0.2, 0.4, 0.1});
    sb_system sys, charted;
    synthetic_build(&f, &sys, &charted);
    same_accelerations(&f, &sys, &charted, (double[]){0.6, 1.1, 2.2, -2.5}, (double[]){0.3, -0.7, 0.5, 0.2});
    const char *chart = "chart";
    const int status = sb_system_build(&f.ctx, &f.arena, "oscillator", 1, &chart, &sys);
    gsl_test(status != SB_UNSUPPORTED, "a system without a chart is refused: \"%s\"", f.ctx.message);
    fixture_close(&f);
    gsl_rng_free(rng);
    return gsl_test_summary();
}
