/* Implicit Runge-Kutta methods, backward differentiation and projection: the orders of q, v and lambda in each form of
 * the constraints, two-sided; RATTLE as a Lobatto method; the energy that the average vector field keeps. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/errata/steps.h"
#include "tests/steppers/orders.h"

/* hw96 VII.4: Radau IIA with s stages has orders 2 s - 1, s and s - 1 at index 3; 2 s - 1, 2 s - 1 and s at index 2 and
 * stabilised. */
static void check_radau(sb_context *ctx) {
    for (int s = 2; s <= 3; s++) {
        const struct {
            const char *index;
            orders known;
        } forms[] = {
            {"3", {{2 * s - 1, s, s - 1}}}, {"2", {{2 * s - 1, 2 * s - 1, s}}}, {"2s", {{2 * s - 1, 2 * s - 1, s}}}};
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            char stepper[60];
            snprintf(stepper, sizeof stepper, "radau_iia:stages=%d,index=%s", s, forms[i].index);
            check_order(ctx, "dsp:m1=3,m2=0.8", NULL, stepper, forms[i].known, 0.3);
            check_order(ctx, "pendulum:constraint=norm,theta0=2", NULL, stepper, forms[i].known, 0.3);
        }
        char stepper[60];
        snprintf(stepper, sizeof stepper, "radau_iia:stages=%d", s);
        check_order(ctx, "dsp:m1=3,m2=0.8", "chart", stepper, BOTH(2 * s - 1), 0.3);
        check_order(ctx, "knife_edge", NULL, stepper, BOTH(2 * s - 1), 0.5);
        check_order(ctx, "slider_crank_3d", NULL, stepper, (orders){{2 * s - 1, 2 * s - 1, s}}, 0.3);
    }
}

/* jay96: order 2 s - 2 with constraints, and of the multipliers at (q, v); where the mass varies, and with forces. */
static void check_lobatto(sb_context *ctx) {
    for (int s = 2; s <= 4; s++) {
        const orders known = {{2 * s - 2, 2 * s - 2, 2 * s - 2}};
        char stepper[60];
        snprintf(stepper, sizeof stepper, "lobatto_iiia_b:stages=%d", s);
        check_order(ctx, "dsp:m1=3,m2=0.8", NULL, stepper, known, 0.2 * s - 0.2);
        check_order(ctx, "pendulum:constraint=norm,theta0=2", NULL, stepper, known, 0.2 * s - 0.2);
        check_order(ctx, "dsp:m1=3,m2=0.8", "chart", stepper, BOTH(2 * s - 2), 0.2 * s - 0.2);
        check_order(ctx, "oscillator:omega=2,gamma=0.3,v0=1", NULL, stepper, BOTH(2 * s - 2), 0.2 * s - 0.2);
    }
}

/* hw96 VII.3: the formula of order k has it in q, v and lambda, at every index. At index 3 a multiplier has round-off
 * of size eps/h^2, which hides its order from k = 5 on. */
static void check_bdf(sb_context *ctx) {
    for (int k = 1; k <= 6; k++) {
        char stepper[60];
        snprintf(stepper, sizeof stepper, "bdf:order=%d", k);
        check_order(ctx, "dsp:m1=3,m2=0.8", NULL, stepper, (orders){{k, k, k < 5 ? k : -1}}, 0.1);
        check_order(ctx, "dsp:m1=3,m2=0.8", "chart", stepper, BOTH(k), 0.1);
    }
    check_order(ctx, "dsp:m1=3,m2=0.8", NULL, "bdf:order=3,index=2", (orders){{3, 3, 3}}, 0.1);
    check_order(ctx, "dsp:m1=3,m2=0.8", NULL, "bdf:order=3,index=2s", (orders){{3, 3, 3}}, 0.1);
    check_order(ctx, "dsp:m1=3,m2=0.8", NULL, "bdf:order=5,index=2s", (orders){{5, 5, 5}}, 0.1);
    check_order(ctx, "knife_edge", NULL, "bdf:order=4", BOTH(4), 0.1);
}

/* A velocity that is damped alone, v' = -gamma v, is followed by the formula as a recurrence with z = -h gamma:
 *
 *   v_n = R(z)^n for n < k,   sum_{m = 1..k} 1/m nabla^m v_n = z v_n after it,
 *   R(z) = (1 + 2 z/5 + z^2/20)/(1 - 3 z/5 + 3 z^2/20 - z^3/60)   (hw96 IV.5),
 *
 * and no damping makes it grow: z is in the region of stability of each order. The spring of omega = 1e-8 changes v by
 * omega^2/gamma times a position that stays within (1 + v/gamma), below 1e-13. A velocity is known to some roundings of
 * q/h, and a step has the coefficients of six differences, below 2^6. */
static void check_damping(fixture *f) {
    enum { STEPS = 60 };
    const double h = 0.1;
    for (int k = 1; k <= 6; k++) {
        for (double decade = -2.0; decade <= 4.0; decade += 0.25) {
            const double z = -pow(10.0, decade),
                         R = (1.0 + 0.4 * z + 0.05 * z * z) / (1.0 - 0.6 * z + 0.15 * z * z - z * z * z / 60.0);
            char problem[80], stepper[40];
            double known[STEPS + 1] = {1.0}, most = 0.0, off = 0.0;
            stepping x;
            snprintf(problem, sizeof problem, "oscillator:omega=1e-8,v0=1,gamma=%.17g", -z / h);
            snprintf(stepper, sizeof stepper, "bdf:order=%d", k);
            stepping_begin(f, problem, NULL, stepper, h, &x);
            for (int n = 1; n <= STEPS; n++) {
                double past = 0.0, own = 0.0;
                for (int m = 1; m <= k; m++) {
                    double term = 1.0 / m; /* (-1)^j binomial(m, j)/m */
                    own += term;
                    for (int j = 1; j <= m && n >= k; j++) {
                        term *= -(double)(m - j + 1) / j;
                        past += term * known[n - j];
                    }
                }
                known[n] = n < k ? R * known[n - 1] : -past / (own - z);
                stepping_step(&x, h);
                off = sb_larger(off, fabs(x.now.v[0] - known[n]));
                most = sb_larger(most, fabs(x.now.v[0]));
            }
            gsl_test(!(off <= 1e-13 + 64.0 * STEPS * DBL_EPSILON / h), "%s, h gamma = %g: v off by %.2g", stepper, -z,
                     off);
            gsl_test(!(most <= 1.0), "%s, h gamma = %g: v grows to %.2g", stepper, -z, most);
        }
    }
}

/* A step of another length is the first one of a run that starts at its beginning. Newton's iteration leaves some
 * roundings of q, and of q/h in v. */
static void check_other_length(fixture *f) {
    static const char *const cases[][2] = {{"dsp:m1=3,m2=0.8", "bdf:order=4,index=2s"}, {"kepler", "bdf:order=6"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double h = 0.02, other = 0.007;
        stepping x, y;
        stepping_begin(f, cases[i][0], NULL, cases[i][1], h, &x);
        stepping_begin(f, cases[i][0], NULL, cases[i][1], h, &y);
        for (int k = 0; k < 5; k++) {
            stepping_step(&x, h);
        }
        const int status = sb_method_start(&y.method, x.now.t, x.now.q, x.now.v, other, &y.now);
        gsl_test(status != SB_OK, "%s starts on %s", cases[i][1], cases[i][0]);
        for (int k = 0; k < 3; k++) {
            stepping_step(&x, other);
            stepping_step(&y, other);
        }
        const double q = sb_norm_max(x.sys.n, x.now.q), v = sb_norm_max(x.sys.n, x.now.v), eps = 64.0 * DBL_EPSILON;
        gsl_test(!(sb_distance_max(x.sys.n, x.now.q, y.now.q) <= eps * q) ||
                     !(sb_distance_max(x.sys.n, x.now.v, y.now.v) <= eps * (v + q / other)),
                 "%s on %s: steps of another length start anew", cases[i][1], cases[i][0]);
    }
}

/* hlw06 IV.4: projection keeps the order of the base. */
static void check_projection(sb_context *ctx) {
    check_order(ctx, "dsp:m1=3,m2=0.8", NULL, "projection(rk4)", (orders){{4, 4, 4}}, 0.2);
    check_order(ctx, "dsp:m1=3,m2=0.8", NULL, "projection(gauss):stages=3", (orders){{6, 6, 6}}, 0.3);
    check_order(ctx, "knife_edge", NULL, "projection(rk4)", BOTH(4), 0.2);
    check_order(ctx, "pendulum:theta0=2", NULL, "projection(euler_explicit)", (orders){{1, 1, 1}}, 0.1);
}

/* A projected step ends on both constraints, whatever the base leaves: a residual of g is some roundings of its terms,
 * one of G v some of its own, the products of two numbers below the largest. */
static void check_projected(fixture *f) {
    stepping x;
    double g[2], Gx[64], Gv[2];
    stepping_begin(f, "dsp:m1=3,m2=0.8", NULL, "projection(euler_explicit)", 0.01, &x);
    for (int k = 0; k < 50; k++) {
        stepping_step(&x, 0.01);
    }
    const sb_holonomic *holonomic = &x.sys.holonomic;
    gsl_test(holonomic->m != 2 || sb_pattern_nnz(&holonomic->G) > 64, "the spherical pendulum has two constraints");
    gsl_test(holonomic->value(holonomic->self, 0.0, x.now.q, g, Gx) != SB_OK, "constraints");
    sb_csc_mult_t(&holonomic->G, Gx, x.now.v, Gv);
    const double q = sb_norm_max(x.sys.n, x.now.q), v = sb_norm_max(x.sys.n, x.now.v), eps = 16.0 * DBL_EPSILON;
    gsl_test(!(sb_norm_max(2, g) <= eps * q * q) || !(sb_norm_max(2, Gv) <= 4.0 * eps * q * v),
             "a projected step leaves g = %.2g and G v = %.2g", sb_norm_max(2, g), sb_norm_max(2, Gv));
}

/* Two stages of Lobatto IIIA-IIIB are RATTLE where the mass is constant (hlw06 VII.1.4). Both solve to round-off, some
 * eps of the terms of a step, which add up over the steps and which the motion carries on: it is not chaotic. */
static void check_rattle(fixture *f) {
    static const char *const problems[] = {"pendulum:theta0=2", "dsp:m1=3,m2=0.8", "star", "ladder"};
    enum { STEPS = 20 };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        stepping x, y;
        stepping_begin(f, problems[i], NULL, "rattle", 0.01, &x);
        stepping_begin(f, problems[i], NULL, "lobatto_iiia_b:stages=2", 0.01, &y);
        const int n = x.sys.n;
        for (int k = 0; k < STEPS; k++) {
            stepping_step(&x, 0.01);
            stepping_step(&y, 0.01);
        }
        double off_q = 0.0, off_v = 0.0, size_q = 0.0, size_v = 0.0;
        for (int k = 0; k < n; k++) {
            off_q = sb_larger(off_q, fabs(x.now.q[k] - y.now.q[k]));
            off_v = sb_larger(off_v, fabs(x.now.v[k] - y.now.v[k]));
            size_q = sb_larger(size_q, fabs(x.now.q[k]));
            size_v = sb_larger(size_v, fabs(x.now.v[k]));
        }
        const double eps = 16.0 * STEPS * DBL_EPSILON; /* a velocity comes from q/h */
        gsl_test(!(off_q <= eps * size_q) || !(off_v <= eps * (size_v + size_q / 0.01)),
                 "Lobatto IIIA-IIIB is RATTLE on %s: q off by %.2g, v by %.2g", problems[i], off_q / size_q,
                 off_v / size_v);
    }
}

/* The energy of a polynomial potential of degree 2 s is kept with s nodes and changed with fewer (quispel08): that of
 * Henon and Heiles is a cubic, that of the chain a quartic. A step commits some roundings of the terms. */
static void check_avf(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        bool kept;
    } cases[] = {{"henon_heiles", "avf:nodes=2", true},
                 {"henon_heiles", "avf:nodes=1", false},
                 {"fput", "avf:nodes=2", true},
                 {"fput", "avf:nodes=1", false},
                 {"kepler:e=0.3", "avf:nodes=2", false}};
    enum { STEPS = 200 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stepping x;
        sb_dynamics dyn;
        double T, V, first = NAN, most = 0.0;
        fixture_build(f, cases[i].problem, NULL, &x.sys);
        const double h = 0.2 * x.sys.time_scale;
        stepping_begin(f, cases[i].problem, NULL, cases[i].stepper, h, &x);
        gsl_test(sb_dynamics_init(&f->ctx, &f->arena, &x.sys, &dyn) != SB_OK, "dynamics");
        for (int k = 0; k <= STEPS; k++) {
            gsl_test(sb_dynamics_energy(&dyn, 0.0, x.now.q, x.now.v, &T, &V) != SB_OK, "energy");
            first = k == 0 ? T + V : first;
            most = sb_larger(most, fabs(T + V - first) / (fabs(T) + fabs(V)));
            stepping_step(&x, h);
        }
        const double allowed = 8.0 * STEPS * DBL_EPSILON;
        gsl_test(cases[i].kept ? !(most <= allowed) : !(most > 100.0 * allowed), "%s on %s changes the energy by %.2g",
                 cases[i].stepper, cases[i].problem, most);
    }
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "the built-ins register");
    check_radau(&ctx);
    check_lobatto(&ctx);
    check_bdf(&ctx);
    check_projection(&ctx);
    sb_registry_free(&registry);
    fixture f;
    fixture_open(&f);
    check_damping(&f);
    check_other_length(&f);
    check_projected(&f);
    check_rattle(&f);
    check_avf(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
