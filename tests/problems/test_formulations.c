/* penalty and baumgarte: the equations they stand for, and what they refuse. */
#include <gsl/gsl_rng.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { N = DIFFERENCE_MAX, NN = N * N };

/* notes11 (49), corrected: the particle on a spring starts from rest and its height is eps (cos(t/sqrt eps) - 1). */
static void plane_on_a_spring(fixture *f) {
    sb_system sys;
    sb_dynamics dyn;
    const double eps = 0.02;
    fixture_build(f, "plane", "penalty:eps=0.02", &sys);
    gsl_test(sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) != SB_OK, "dynamics of a particle on a spring");
    gsl_test(!close_to(sys.time_scale, sqrt(eps), 4.0 * DBL_EPSILON), "its time scale is sqrt(eps)");
    for (int k = 0; k < 20; k++) {
        const double t = 0.1 * k, w = 1.0 / sqrt(eps), q[2] = {t, eps * (cos(w * t) - 1.0)},
                     v[2] = {1.0, -eps * w * sin(w * t)};
        double a[2], T = NAN, V = NAN;
        gsl_test(sb_dynamics_acceleration(&dyn, t, q, v, a, NULL) != SB_OK ||
                     sb_dynamics_energy(&dyn, 0.0, q, v, &T, &V) != SB_OK,
                 "terms at t = %g", t);
        gsl_test(!close_to(a[0], 0.0, 0.0) || !close_to(a[1], -cos(w * t), 16.0 * DBL_EPSILON),
                 "y'' = -cos(t/sqrt eps) at t = %g (%g)", t, a[1]);
        gsl_test(!close_to(T + V, 0.5, 16.0 * DBL_EPSILON), "its energy, with y^2/(2 eps), is constant (%g)", T + V);
    }
}

/* notes11 (51): the spring's force is G' lambda with eps lambda + g + gamma G v = 0. */
static void damped_spring(fixture *f) {
    sb_system sys;
    const double eps = 0.3, gamma = 0.7, q[2] = {0.4, -0.2}, v[2] = {1.0, 0.6};
    double V[2], force[2];
    fixture_build(f, "plane:g=0", "penalty:eps=0.3,gamma=0.7", &sys);
    gsl_test(sb_potential_gradient(&sys, 0.0, q, V) != SB_OK ||
                 sys.force.value(sys.force.self, 0.0, q, v, force) != SB_OK,
             "a damped spring");
    const double lambda = force[1] - V[1];
    gsl_test(!close_to(eps * lambda + q[1] + gamma * v[1], 0.0, 16.0 * DBL_EPSILON),
             "eps lambda + g + gamma G v = 0 (%g)", eps * lambda + q[1] + gamma * v[1]);
}

/* Adds c V_qq of the problem inside a formulation, "penalty:eps=0.3(andrews)", to X. */
static int add_inner_hessian(sb_context *ctx, sb_arena *arena, const sb_system *sys, const double *q, double c,
                             double *X) {
    sb_system inner;
    char spec[256];
    snprintf(spec, sizeof spec, "%s", strchr(sys->name, '(') + 1);
    spec[strlen(spec) - 1] = '\0';
    SB_TRY(sb_system_build(ctx, arena, spec, 0, NULL, &inner));
    double *part = sb_alloc(arena, (size_t)sb_pattern_nnz(&inner.H), sizeof *part);
    if (inner.potential.hessian == NULL) {
        return SB_OK;
    }
    SB_TRY(sb_potential_hessian(&inner, 0.0, q, c, part));
    for (int j = 0; j < inner.n; j++) {
        for (int k = inner.H.p[j]; k < inner.H.p[j + 1]; k++) {
            X[sb_pattern_find(&sys->H, inner.H.i[k], j)] += part[k];
        }
    }
    return SB_OK;
}

/* Where g = 0 the second derivatives of |g|^2/(2 eps) are those a linearized spring keeps. */
static void stiffness_on_the_constraint(sb_context *ctx, sb_arena *arena, const sb_system *sys) {
    double t, q[N], v[N];
    if (sys->potential.stiffness == NULL || sys->potential.degree > 1) {
        return;
    }
    double *whole = sb_alloc(arena, (size_t)sb_pattern_nnz(&sys->H), sizeof *whole),
           *part = sb_alloc(arena, (size_t)sb_pattern_nnz(&sys->H), sizeof *part);
    int status = sys->initial(sys->self, &t, q, v);
    status |= sb_potential_hessian(sys, 0.0, q, 1.0, whole) | sb_potential_stiffness(sys, 0.0, q, 1.0, part);
    const double size = fmax(sb_norm_max(sb_pattern_nnz(&sys->H), whole), sb_norm_max(sb_pattern_nnz(&sys->H), part));
    status |= add_inner_hessian(ctx, arena, sys, q, -1.0, whole);
    gsl_test(status != SB_OK, "%s: second derivatives", sys->name);
    bool same = size > 0.0;
    for (int k = 0; k < sb_pattern_nnz(&sys->H); k++) {
        same = same && close_to(whole[k], part[k], 64.0 * DBL_EPSILON * size * fmax(1.0, sb_norm_max(sys->n, q)));
    }
    gsl_test(!same, "%s: V_qq is the spring's stiffness where g = 0", sys->name);
}

/* With a the accelerations under baumgarte, at a point off the constraints: g'' + 2 alpha g' + beta^2 g = 0 and (A v -
 * w)' + alpha (A v - w) = 0. */
static void feedback(fixture *f, const char *spec) {
    const double alpha = 3.0, beta = 5.0;
    sb_system plain, sys;
    sb_dynamics dyn;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double t, q[N], v[N], a[N], g[N], Gx[NN], dg[N], Ga[N], curved[N], w[N];
    fixture_build(f, spec, NULL, &plain);
    if (sb_system_bilateral(&plain) == 0 ||
        (plain.flags & (unsigned)(SB_HAS_SINGULAR_MASS | SB_HAS_CONTACT | SB_HAS_FRICTION)) != 0) {
        gsl_rng_free(rng);
        return;
    }
    fixture_build(f, spec, "baumgarte:alpha=3,beta=5", &sys);
    gsl_test(sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) != SB_OK || sys.initial(sys.self, &t, q, v) != SB_OK,
             "%s starts", sys.name);
    for (int i = 0; i < sys.n; i++) {
        q[i] += 0.02 * gsl_rng_uniform(rng);
        v[i] += 0.1 * gsl_rng_uniform(rng);
    }
    gsl_test(sb_dynamics_acceleration(&dyn, 0.3, q, v, a, NULL) != SB_OK, "%s: acceleration", sys.name);
    double worst = 0.0, size = 1e-300;
    if (plain.holonomic.m > 0) {
        const sb_holonomic *h = &plain.holonomic;
        gsl_test(sb_holonomic_value(&plain, 0.3, q, g, Gx) | sb_holonomic_curvature(&plain, 0.3, q, v, curved) |
                     sb_holonomic_rate(&plain, 0.3, q, w),
                 "%s: constraints", sys.name);
        sb_csc_mult_t(&h->G, Gx, v, dg);
        sb_csc_mult_t(&h->G, Gx, a, Ga);
        for (int i = 0; i < h->m; i++) {
            worst = fmax(worst, fabs(curved[i] + Ga[i] + 2.0 * alpha * (dg[i] + w[i]) + beta * beta * g[i]));
            size = fmax(size, fabs(curved[i]) + fabs(Ga[i]) + fabs(2.0 * alpha * dg[i]) + fabs(beta * beta * g[i]));
        }
    }
    if (plain.nonholonomic.m > 0) {
        const sb_nonholonomic *h = &plain.nonholonomic;
        gsl_test(h->value(h->self, 0.3, q, Gx, w) != SB_OK || h->rate(h->self, 0.3, q, v, curved) != SB_OK, "%s: rows",
                 sys.name);
        sb_csc_mult_t(&h->A, Gx, v, dg);
        sb_csc_mult_t(&h->A, Gx, a, Ga);
        for (int i = 0; i < h->m; i++) {
            worst = fmax(worst, fabs(curved[i] + Ga[i] + alpha * (dg[i] - w[i])));
            size = fmax(size, fabs(curved[i]) + fabs(Ga[i]) + alpha * (fabs(dg[i]) + fabs(w[i])));
        }
    }
    /* The accelerations solve a saddle system. A row of its residual is a sum of as many roundings as there are
     * unknowns, of terms up to 1e4 times as large as its own in the problems' units. */
    const int unknowns = sys.n + sb_system_bilateral(&plain);
    gsl_test(!(worst <= unknowns * 1e4 * DBL_EPSILON * fmax(size, sb_norm_max(sys.n, a))),
             "%s: the violation is fed back as alpha and beta say (%g of %g)", sys.name, worst, size);
    gsl_rng_free(rng);
}

static void refuses(fixture *f, const char *spec, const char *formulation, const char *word) {
    sb_system sys;
    const int status = sb_system_build(&f->ctx, &f->arena, spec, 1, &formulation, &sys);
    gsl_test(status == SB_OK || strstr(f->ctx.message, word) == NULL, "%s does not take %s: %s", formulation, spec,
             status == SB_OK ? "it does" : f->ctx.message);
}

/* Without a Jacobian an explicit stepper goes on, and one with Newton's method says what it lacks. */
static void without_jacobian(fixture *f) {
    sb_system sys;
    fixture_build(f, "pendulum", "baumgarte:jacobian=none", &sys);
    static const char *const steppers[2] = {"rk4", "midpoint"};
    for (int k = 0; k < 2; k++) {
        sb_method method = {0};
        sb_state state[2];
        int status = sb_method_build(&f->ctx, &f->arena, steppers[k], &sys, &method);
        status = status == SB_OK
                     ? sb_state_new(&method, &f->arena, &state[0]) | sb_state_new(&method, &f->arena, &state[1])
                     : status;
        status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, 0.01, &state[0]) : status;
        gsl_test(status != SB_OK, "%s starts without a Jacobian", steppers[k]);
        status = sb_method_step(&method, &state[0], 0.01, &state[1]);
        gsl_test(k == 0 ? status != SB_OK
                        : status != SB_UNSUPPORTED || strstr(f->ctx.message, "jacobian=differences") == NULL,
                 "%s without a Jacobian: %s", steppers[k], k == 0 ? "steps" : f->ctx.message);
    }
}

/* On the constraint the stabilized equations have the exact solution, and an explicit method its order. */
static void order(fixture *f) {
    sb_system sys;
    sb_method method = {0};
    sb_state state[2];
    double error[3], q[2];
    fixture_build(f, "pendulum:theta0=2", "baumgarte:alpha=4,beta=5,jacobian=none", &sys);
    int status = sb_method_build(&f->ctx, &f->arena, "rk4", &sys, &method);
    status |= sb_state_new(&method, &f->arena, &state[0]) | sb_state_new(&method, &f->arena, &state[1]) |
              sys.exact(sys.self, 1.0, q, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        const int steps = 100 << i;
        status |= sb_method_start(&method, 0.0, NULL, NULL, 1.0 / steps, &state[0]);
        for (int k = 0; k < steps && status == SB_OK; k++) {
            status = sb_method_step(&method, &state[k % 2], 1.0 / steps, &state[(k + 1) % 2]);
        }
        error[i] = hypot(state[0].q[0] - q[0], state[0].q[1] - q[1]);
    }
    gsl_test(status != SB_OK, "rk4 on a stabilized pendulum");
    const double slope = 2.0 * log2(error[1] / error[2]) - log2(error[0] / error[1]);
    gsl_test(!(fabs(slope - 4.0) <= 0.15), "rk4 with baumgarte is of order 4 against the exact motion (%g)", slope);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    plane_on_a_spring(&f);
    damped_spring(&f);
    const sb_entry *entry;
    for (int i = 0; (entry = sb_registry_match(&f.registry, SB_KIND_PROBLEM, "*", i)) != NULL; i++) {
        feedback(&f, entry->name);
    }
    refuses(&f, "oscillator", "penalty", "no holonomic constraints");
    refuses(&f, "oscillator", "baumgarte", "no constraints");
    refuses(&f, "rigid_body", "penalty", "singular");
    refuses(&f, "rigid_body", "baumgarte", "singular");
    refuses(&f, "pendulum", "penalty:eps=0", "eps");
    refuses(&f, "pendulum", "penalty:eps=1,gamma=-1", "gamma");
    refuses(&f, "pendulum", "baumgarte:alpha=-1", "alpha");
    refuses(&f, "ladder:N=400", "baumgarte", "jacobian=none");
    without_jacobian(&f);
    order(&f);
    fixture_close(&f);
    on_every_system(stiffness_on_the_constraint);
    return gsl_test_summary();
}
