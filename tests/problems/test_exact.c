/* Exact solutions satisfy the equations of motion and start at the initial state; energy, momenta and invariant outputs
 * are constant along them, and along a numerical solution of high order where no exact one is known. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_rng.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { N = DIFFERENCE_MAX, NN = N * N, TIMES = 12, INVARIANTS = 16 };

static int momentum(const sb_system *sys, const double *q, const double *v, double *p) {
    double Mx[NN];
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, Mx));
    memset(p, 0, (size_t)sys->n * sizeof(double));
    sb_csc_mult_add(&sys->inertia.M, Mx, 1.0, v, p);
    return SB_OK;
}

/* ---- The equations of motion along the exact solution. ---- */

typedef struct instant {
    const sb_system *sys;
    double t;
} instant;

static void position_at(const void *arg, double x, double *q) {
    const instant *at = arg;
    if (at->sys->exact(at->sys->self, at->t + x, q, NULL, NULL) != SB_OK) {
        q[0] = NAN;
    }
}

static void momentum_at(const void *arg, double x, double *p) {
    const instant *at = arg;
    double q[N], v[N];
    if (at->sys->exact(at->sys->self, at->t + x, q, v, NULL) != SB_OK || momentum(at->sys, q, v, p) != SB_OK) {
        p[0] = NAN;
    }
}

/* F = T_q - V_q + f + G' lambda + A' alpha + N' nu + D' beta, and the largest of these terms. */
static int total_force(const sb_system *sys, double t, const double *q, const double *v, const double *lambda,
                       double *F, double *size) {
    double part[N], Gx[NN];
    memset(F, 0, (size_t)sys->n * sizeof(double));
    *size = 0.0;
    if (sys->inertia.gradient != NULL) {
        SB_TRY(sys->inertia.gradient(sys->inertia.self, q, v, F));
        *size = sb_norm_max(sys->n, F);
    }
    if (sys->potential.value != NULL) {
        SB_TRY(sb_potential_gradient(sys, 0.0, q, part));
        *size = fmax(*size, sb_norm_max(sys->n, part));
        for (int i = 0; i < sys->n; i++) {
            F[i] -= part[i];
        }
    }
    if (sys->force.value != NULL) {
        SB_TRY(sys->force.value(sys->force.self, t, q, v, part));
        *size = fmax(*size, sb_norm_max(sys->n, part));
        for (int i = 0; i < sys->n; i++) {
            F[i] += part[i];
        }
    }
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(sys, 0.0, q, NULL, Gx));
        sb_csc_mult_add(&sys->holonomic.G, Gx, 1.0, lambda, F);
    }
    if (sys->nonholonomic.m > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, Gx, NULL));
        sb_csc_mult_add(&sys->nonholonomic.A, Gx, 1.0, lambda + sys->holonomic.m, F);
        *size = fmax(*size, sb_norm_max(sys->nonholonomic.m, lambda + sys->holonomic.m));
    }
    if (sys->contact.m > 0) {
        SB_TRY(sys->contact.gap(sys->contact.self, q, NULL, Gx));
        sb_csc_mult_add(&sys->contact.N, Gx, 1.0, lambda + sb_system_bilateral(sys), F);
        *size = fmax(*size, sb_norm_max(sys->contact.m, lambda + sb_system_bilateral(sys)));
    }
    if (sys->contact.k > 0) {
        SB_TRY(sys->contact.slip(sys->contact.self, t, q, Gx, NULL));
        sb_csc_mult_add(&sys->contact.D, Gx, 1.0, lambda + sb_system_bilateral(sys) + sys->contact.m, F);
    }
    return SB_OK;
}

static double potential_size(const sb_system *sys, const double *q) {
    double V = 0.0;
    return sys->potential.value == NULL || sb_potential_value(sys, 0.0, q, &V) == SB_OK ? fabs(V) : NAN;
}

/* The phase of the motion at t is known to a unit in the last place of t/time_scale times ten at best: that enters
 * every value. */
static double phase_noise(const sb_system *sys, double t) {
    return 10.0 * DBL_EPSILON * (1.0 + fabs(t) / sys->time_scale);
}

static void check_motion(const sb_system *sys, double t) {
    const instant at = {sys, t};
    const curve position = {sys->n, position_at, &at}, impulse = {sys->n, momentum_at, &at};
    double q[N], v[N], p[N], lambda[N], F[N], size, qdot[N], pdot[N], q_bound[N], p_bound[N], g[N], Gx[NN], rate[N];
    int status =
        sys->exact(sys->self, t, q, v, lambda) | total_force(sys, t, q, v, lambda, F, &size) | momentum(sys, q, v, p);
    gsl_test(status != SB_OK, "%s: exact at t = %g", sys->name, t);
    const double h = 0.02 * sys->time_scale, phase = phase_noise(sys, t);
    const double size_q = fmax(sb_norm_max(sys->n, q), sb_norm_max(sys->n, v) * sys->time_scale);
    /* At an equilibrium every force is round-off of one of the size energy over length. */
    size = fmax(size, potential_size(sys, q) / size_q);
    const double size_p = fmax(sb_norm_max(sys->n, p), size * sys->time_scale);
    difference(&position, h, phase / DBL_EPSILON / 64.0 * size_q, qdot, q_bound);
    difference(&impulse, h, phase / DBL_EPSILON / 64.0 * size_p, pdot, p_bound);
    for (int i = 0; i < sys->n; i++) {
        gsl_test(!close_to(qdot[i], v[i], q_bound[i]), "%s: q%d' = v%d at t = %g (%g, %g, bound %g)", sys->name, i, i,
                 t, qdot[i], v[i], q_bound[i]);
        gsl_test(!close_to(pdot[i], F[i], p_bound[i]), "%s: p%d' = F at t = %g (%g, %g, bound %g)", sys->name, i, t,
                 pdot[i], F[i], p_bound[i]);
        /* The bounds must leave something to be tested. */
        gsl_test(!(q_bound[i] <= 1e-6 * (size_q / sys->time_scale)) ||
                     !(p_bound[i] <= 1e-6 * (size_p / sys->time_scale)),
                 "%s: the differences are sharp", sys->name);
    }
    if (sys->nonholonomic.m > 0) {
        double w[N];
        gsl_test(sys->nonholonomic.value(sys->nonholonomic.self, t, q, Gx, w) != SB_OK, "%s: A", sys->name);
        sb_csc_mult_t(&sys->nonholonomic.A, Gx, v, rate);
        for (int i = 0; i < sys->nonholonomic.m; i++) {
            gsl_test(!close_to(rate[i], w[i], phase * fmax(sb_norm_max(sys->n, v), size_q / sys->time_scale)),
                     "%s: A v = w at t = %g (%g)", sys->name, t, rate[i] - w[i]);
        }
    }
    if (sys->holonomic.m > 0) {
        gsl_test(sb_holonomic_value(sys, 0.0, q, g, Gx) != SB_OK, "%s: g", sys->name);
        sb_csc_mult_t(&sys->holonomic.G, Gx, v, rate);
        const double unit = 16.0 * DBL_EPSILON;
        gsl_test(!(sb_norm_max(sys->holonomic.m, g) <= unit * fmax(1.0, size_q) * size_q), "%s: g = 0 at t = %g (%g)",
                 sys->name, t, sb_norm_max(sys->holonomic.m, g));
        gsl_test(
            !(sb_norm_max(sys->holonomic.m, rate) <= unit * fmax(1.0, size_q) * fmax(sb_norm_max(sys->n, v), 1e-300)),
            "%s: g' = 0 at t = %g (%g)", sys->name, t, sb_norm_max(sys->holonomic.m, rate));
    }
}

/* 0 <= xi _|_ nu >= 0, and Coulomb's law: at the bound and against the slip where there is any. Closed gaps and
 * vanishing slips are of the rounding of the terms they are summed from, some ten of them. */
static void check_contact(const sb_system *sys, double t) {
    const sb_contact *c = &sys->contact;
    double q[N], v[N], lambda[N], xi[N], Dx[NN], slip[N];
    int status = sys->exact(sys->self, t, q, v, lambda);
    const double *nu = lambda + sb_system_bilateral(sys), *beta = nu + c->m, unit = 64.0 * DBL_EPSILON;
    const double size = unit * sb_norm_max(sys->n, q),
                 force = unit * fmax(1.0, sb_norm_max(sb_system_multipliers(sys), lambda));
    status |= c->m > 0 ? c->gap(c->self, q, xi, NULL) : SB_OK;
    for (int i = 0; i < c->m; i++) {
        gsl_test(!(xi[i] >= -size && nu[i] >= 0.0 && (nu[i] == 0.0 || xi[i] <= size)),
                 "%s: gap %d and its force at t = %g (%g, %g)", sys->name, i, t, xi[i], nu[i]);
    }
    if (c->k > 0) {
        status |= c->slip(c->self, t, q, Dx, NULL);
        sb_csc_mult_t(&c->D, Dx, v, slip);
    }
    for (int j = 0; j < c->k; j++) {
        const double bound = c->mu[j] * fabs(lambda[c->of[j]]);
        const bool slides = fabs(slip[j]) > unit * sb_norm_max(sys->n, v);
        gsl_test(!(fabs(beta[j]) <= bound + force) || (slides && !close_to(beta[j], -copysign(bound, slip[j]), force)),
                 "%s: friction %g at the slip %g, bounded by %g, t = %g", sys->name, beta[j], slip[j], bound, t);
    }
    gsl_test(status != SB_OK, "%s: contacts at t = %g", sys->name, t);
}

static void check_start(const sb_system *sys) {
    double t, q0[N], v0[N], q[N], v[N];
    const int status = sys->initial(sys->self, &t, q0, v0) | sys->exact(sys->self, t, q, v, NULL);
    const double size_q = fmax(sb_norm_max(sys->n, q0), 1e-300),
                 size_v = fmax(sb_norm_max(sys->n, v0), size_q / sys->time_scale);
    bool same = status == SB_OK;
    for (int i = 0; i < sys->n; i++) {
        same = same && close_to(q[i], q0[i], phase_noise(sys, 0.0) * fmax(size_q, size_v * sys->time_scale)) &&
               close_to(v[i], v0[i], phase_noise(sys, 0.0) * size_v);
    }
    gsl_test(!same, "%s: the exact solution starts at the initial state", sys->name);
}

/* ---- What is constant. ---- */

/* Does a driver do work: is w not zero, or does a term depend on time? */
static bool driven(const sb_system *sys, double t, const double *q) {
    double w[N];
    if ((sys->flags & (unsigned)(SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) != 0) {
        return true;
    }
    if (sys->nonholonomic.m == 0) {
        return false;
    }
    return sys->nonholonomic.value(sys->nonholonomic.self, t, q, NULL, w) != SB_OK ||
           sb_norm_max(sys->nonholonomic.m, w) != 0.0;
}

/* Energy, momenta and invariant outputs; `size` holds the size of the terms of each. */
static int invariants(const sb_system *sys, double t, const double *q, const double *v, int *count, double *value,
                      double *size) {
    double p[N], V = 0.0, T = 0.0, xi[N], outputs[INVARIANTS];
    SB_TRY(momentum(sys, q, v, p));
    for (int i = 0; i < sys->n; i++) {
        T += 0.5 * p[i] * v[i];
    }
    if (sys->potential.value != NULL) {
        SB_TRY(sb_potential_value(sys, t, q, &V));
    }
    int k = 0;
    if (!driven(sys, t, q)) {
        value[k] = T + V;
        size[k++] = T + fabs(V);
    }
    for (int s = 0; s < sys->symmetry.count; s++) {
        SB_TRY(sys->symmetry.generator(sys->symmetry.self, s, q, xi));
        value[k] = size[k] = 0.0;
        for (int i = 0; i < sys->n; i++) {
            value[k] += p[i] * xi[i];
            size[k] += fabs(p[i]) * sb_norm_max(sys->n, xi);
        }
        k++;
    }
    if (sys->outputs.count > 0) {
        SB_TRY(sys->outputs.value(sys->outputs.self, t, q, v, outputs));
    }
    for (int i = 0; i < sys->outputs.count; i++) {
        if (sys->outputs.list[i].invariant) {
            value[k] = outputs[i];
            size[k++] = fmax(1.0, fabs(outputs[i]));
        }
    }
    *count = k;
    return SB_OK;
}

static void expect_constant(const sb_system *sys, double t, const double *q, const double *v, double tolerance) {
    double t0, q0[N], v0[N], before[INVARIANTS], after[INVARIANTS], size0[INVARIANTS], size[INVARIANTS];
    int count = 0, status = sys->initial(sys->self, &t0, q0, v0);
    status |= invariants(sys, t0, q0, v0, &count, before, size0) | invariants(sys, t, q, v, &count, after, size);
    gsl_test(status != SB_OK, "%s: invariants", sys->name);
    for (int i = 0; i < count; i++) {
        const double bound = tolerance * fmax(size[i], size0[i]);
        gsl_test(!close_to(before[i], after[i], bound), "%s: invariant %d is constant at t = %g (%.16g, %.16g)",
                 sys->name, i, t, before[i], after[i]);
    }
}

/* y = (q, v) for GSL. */
static int right_hand_side(double t, const double *y, double *dydt, void *arg) {
    sb_dynamics *dyn = arg;
    const int n = dyn->sys->n;
    memcpy(dydt, y + n, (size_t)n * sizeof(double));
    return sb_dynamics_acceleration(dyn, t, y, y + n, dydt + n, NULL) == SB_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* Integrates to t with local errors of 1e-13; false when that fails. */
static bool integrate(sb_context *ctx, const sb_system *sys, double t, double *y) {
    sb_arena arena;
    sb_dynamics dyn;
    double t0;
    sb_arena_init(&arena, ctx);
    bool done =
        sys->initial(sys->self, &t0, y, y + sys->n) == SB_OK && sb_dynamics_init(ctx, &arena, sys, &dyn) == SB_OK;
    if (done) {
        gsl_odeiv2_system ode = {right_hand_side, NULL, 2 * (size_t)sys->n, &dyn};
        gsl_odeiv2_driver *driver =
            gsl_odeiv2_driver_alloc_y_new(&ode, gsl_odeiv2_step_rk8pd, 1e-3 * sys->time_scale, 1e-13, 1e-13);
        gsl_odeiv2_driver_set_nmax(driver,
                                   20000); /* some hundred do; a motion into a singular pose takes all there are */
        done = gsl_odeiv2_driver_apply(driver, &t0, t, y) == GSL_SUCCESS;
        gsl_odeiv2_driver_free(driver);
    }
    sb_arena_free(&arena);
    return done;
}

/* Where motions with contacts or friction are smooth, in time scales; between impacts, stops and turns of a slip. */
static const struct {
    const char *spec;
    double from, to;
} smooth[] = {
    {"bouncing_ball", 0.1, 0.9},
    {"bouncing_ball:e=1,y0=0.3,v0=2,g=3,m=2", 1.8, 3.4},
    {"bouncing_ball:e=0.2,v0=-3", 30.0, 90.0},
    {"block_incline", 0.1, 40.0},
    {"block_incline:angle=0.3,v0=1", 0.1, 6.0},
    {"block_incline:angle=0.3,v0=0.01,m=2.5", 1.0, 40.0},
    {"stack", 0.1, 40.0},
    {"stack:n=3,tilt=0.2,mass_ratio=5,w=0.5,h=0.2,m=2", 0.1, 40.0},
    {"stack:n=3,tilt=0.7,mass_ratio=0.1,mu=0.3", 0.1, 40.0},
    {"newtons_cradle", 0.1, 0.9},
    {"newtons_cradle:n=7,moving=3,m=2,v0=0.5,spacing=0.01", 30.0, 40.0},
    {"slider_crank:mu=0.3", 0.1, 3.0},
    {"slider_crank:L=1.5,mu=0.6,redundant=2,stop=3,m2=0.5,m3=2", 3.4, 6.1},
};

static void check_smooth(const sb_system *sys, gsl_rng *rng) {
    int found = 0;
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) {
        if (strcmp(sys->name, smooth[i].spec) == 0) {
            found++;
            for (int k = 0; k < TIMES; k++) {
                const double t =
                    sys->time_scale * (smooth[i].from + (smooth[i].to - smooth[i].from) * gsl_rng_uniform(rng));
                check_motion(sys, t);
                check_contact(sys, t);
            }
            /* Whatever happens in between. */
            for (int k = 0; k < TIMES; k++) {
                check_contact(sys, 40.0 * sys->time_scale * gsl_rng_uniform(rng));
            }
        }
    }
    gsl_test_int(found, 1, "%s: intervals in which it is known to be smooth", sys->name);
}

static void check(sb_context *ctx, sb_arena *arena, const sb_system *sys) {
    const bool contacts = sys->contact.m + sys->contact.k > 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    (void)arena;
    gsl_rng_set(rng, 33);
    if (sys->exact != NULL) {
        check_start(sys);
    }
    if (sys->exact != NULL && contacts) {
        check_smooth(sys, rng);
    }
    for (int k = 0; k < TIMES && sys->exact != NULL && !contacts; k++) {
        double q[N], v[N];
        const double t =
            sys->time_scale * (k < TIMES - 2 ? 40.0 * gsl_rng_uniform(rng) - 10.0 : 1e4 * gsl_rng_uniform(rng));
        check_motion(sys, t);
        if (sys->force.value == NULL && sys->exact(sys->self, t, q, v, NULL) == SB_OK) {
            expect_constant(sys, t, q, v, phase_noise(sys, 0.0) + phase_noise(sys, t) * 1e-2);
        }
    }
    if (sys->force.value == NULL && !contacts) {
        double y[2 * N];
        /* The larger systems for a shorter time: constraints lose rank at the ladder's first flat square and at a crank
         * across. */
        const double t = (sys->n <= 8 ? 20.0 : 2.0) * sys->time_scale;
        gsl_test(!integrate(ctx, sys, t, y), "%s: rk8pd gets through", sys->name);
        /* Local errors of 1e-13 over some hundred steps. */
        expect_constant(sys, t, y, y + sys->n, 1e-10);
    }
    gsl_rng_free(rng);
}

int main(void) {
    on_every_system(check);
    return gsl_test_summary();
}
