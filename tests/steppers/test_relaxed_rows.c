/* The rows of one step by definition, from the state before and the force reported after: spook07 (29), (26), reg05
 * (4.4) corrected, and the balance of momentum. All rows are of one kind: holonomic on a pendulum, nonholonomic on a
 * blade and a sleigh. The experiment spook07_step follows the same residuals along runs of large systems. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/systems.h"

enum { MOST = 8 };

/* G' v1 + on_force lambda = on_v G' v0 - on_g g, or A' v1 + on_force lambda = w. */
typedef struct row {
    double on_force, on_v, on_g;
} row;

/* spook07 (26) times 4 psi/h: (psi/h) (g(q1) + 2 g(q0) + g(q0 - h v0)) + (1 - psi) G(q1)' v1 + on_force lambda = 0. */
static void nonlinear_row(fixture *f, const sb_system *sys, const char *stepper, double h, double psi, double on_force,
                          const sb_state *from, const sb_state *to, double lambda) {
    double q[MOST], g[3], Cx[MOST], rate;
    for (int i = 0; i < sys->n; i++) {
        q[i] = from->q[i] - h * from->v[i];
    }
    int status = sb_holonomic_value(sys, 0.0, q, &g[0], NULL) | sb_holonomic_value(sys, 0.0, from->q, &g[1], NULL);
    status |= sb_holonomic_value(sys, 0.0, to->q, &g[2], Cx);
    sb_csc_mult_t(&sys->holonomic.G, Cx, to->v, &rate);
    const double left = psi / h * (g[2] + 2.0 * g[1] + g[0]) + (1.0 - psi) * rate + on_force * lambda,
                 size = fabs(rate) + fabs(on_force * lambda);
    gsl_test(status != SB_OK || !(fabs(left) <= 1e-13 * size), "%s, h = %g: (26) is left with %.2g of %.2g (%s)",
             stepper, h, left, size, f->ctx.message);
}

static void one_step(fixture *f, const char *problem, const char *stepper, double h, row r, double nonlinear) {
    sb_system sys;
    sb_method method = {0};
    sb_state s[2];
    double v1[MOST], lambda[MOST], Cx[MOST], level[MOST], before[MOST], after[MOST], F[MOST], tmp[MOST],
        Mx[MOST * MOST], change[MOST], push[MOST] = {0};
    fixture_build(f, problem, NULL, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &sys, &method) | sb_state_new(&method, &f->arena, &s[0]) |
                 sb_state_new(&method, &f->arena, &s[1]);
    status |= sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]);
    for (int i = 0; i < sys.n; i++) { /* off the constraint, so that every term counts */
        s[0].q[i] += 0.01 * (i + 1);
        s[0].v[i] += 0.02 * (i - 2);
    }
    status |= sb_method_step(&method, &s[0], h, &s[1]) | sb_method_report(&method, &s[1], v1, lambda);
    const bool holonomic = sys.holonomic.m > 0;
    const sb_pattern *C = holonomic ? &sys.holonomic.G : &sys.nonholonomic.A;
    status |= holonomic ? sb_holonomic_value(&sys, 0.0, s[0].q, level, Cx)
                        : sys.nonholonomic.value(sys.nonholonomic.self, 0.0, s[0].q, Cx, level);
    status |= sys.inertia.mass(sys.inertia.self, s[0].q, Mx) | sb_system_force(&sys, 0.0, s[0].q, s[0].v, F, tmp);
    gsl_test(status != SB_OK || sys.n > MOST, "%s by %s: %s", problem, stepper,
             status == SB_OK ? "one step" : f->ctx.message);
    sb_csc_mult_t(C, Cx, s[0].v, before);
    sb_csc_mult_t(C, Cx, v1, after);
    if (nonlinear > 0.0) {
        nonlinear_row(f, &sys, stepper, h, nonlinear, r.on_force, &s[0], &s[1], lambda[0]);
    }
    for (int i = 0; i < C->cols && !(nonlinear > 0.0); i++) {
        const double truth = holonomic ? r.on_v * before[i] - r.on_g * level[i] : level[i];
        gsl_test(!(fabs(after[i] + r.on_force * lambda[i] - truth) <=
                   1e-13 * (fabs(after[i]) + fabs(r.on_force * lambda[i]) + fabs(truth))),
                 "%s by %s, h = %g: row %d, %.15g + %.15g is %.15g", problem, stepper, h, i, after[i],
                 r.on_force * lambda[i], truth);
        gsl_test(!(fabs(r.on_force * lambda[i]) > 1e-6), "and its force counts");
    }
    for (int i = 0; i < sys.n; i++) {
        tmp[i] = v1[i] - s[0].v[i];
        change[i] = 0.0;
    }
    const sb_pattern *M = &sys.inertia.M;
    sb_csc_mult_add(C, Cx, 1.0, lambda, push);
    for (int j = 0; j < sys.n; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            change[M->i[k]] += Mx[k] * tmp[j];
        }
    }
    for (int i = 0; i < sys.n; i++) {
        gsl_test(!(fabs(change[i] - h * (F[i] + push[i])) <=
                   1e-13 * (fabs(change[i]) + h * fabs(F[i]) + h * fabs(push[i]) + 1.0)),
                 "momentum %d: %.15g by forces %.15g and %.15g", i, change[i], h * F[i], h * push[i]);
    }
}

int main(void) {
    static const char *const blades[] = {"knife_edge:g=2,omega=3", "chaplygin_sleigh:m=1.3,I=0.5,a=0.5,v0=-1,omega0=1"};
    fixture f;
    fixture_open(&f);
    for (int k = 0; k < 2; k++) {
        const double h = k == 0 ? 0.1 : 0.02, eps = 1e-2, theta = 0.7, psi = 1.0 / (1.0 + 4.0 * theta), c = 3e-2,
                     b = 0.8, damping = 1.0 / (1.0 + c * b / h);
        one_step(&f, "pendulum:theta0=1,m=1.3", "spook:eps=1e-2,tau=0.7,start=full", h,
                 (row){4.0 * psi * eps / h, psi, 4.0 * psi / h}, 0.0);
        one_step(&f, "pendulum:theta0=1,m=1.3", "reg:c=3e-2,b=0.8,start=full", h,
                 (row){c / h * damping, 0.0, damping / h}, 0.0);
        one_step(&f, "pendulum:theta0=1,m=1.3", "spook:eps=1e-2,tau=0.7,start=full,newton=20", h,
                 (row){.on_force = 4.0 * psi * eps / h}, psi);
        one_step(&f, "pendulum:theta0=1,m=1.3", "variational_regularized:eps=1e-2,tau=0.7,start=full", h,
                 (row){.on_force = 4.0 * psi * eps / h}, psi);
        for (int p = 0; p < 2; p++) {
            one_step(&f, blades[p], "spook:gamma=0.3,start=full", h, (row){.on_force = 0.3}, 0.0);
            one_step(&f, blades[p], "reg:gamma=0.3,start=full", h, (row){.on_force = 0.3}, 0.0);
        }
    }
    fixture_close(&f);
    return gsl_test_summary();
}
