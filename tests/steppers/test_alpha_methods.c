/* Newmark's method, HHT and generalized-alpha on the oscillator: energy kept, damping at high frequency. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/runner/registry.h"
#include "core/run/build.h"

/* Takes n steps and returns the norm of (q, v h); the oscillator has omega = 1. NaN if a step fails. */
static double size_after(sb_context *ctx, const char *stepper, double h, int n, double *q, double *v) {
    sb_arena arena;
    sb_system sys;
    sb_method method;
    sb_state s[2];
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "oscillator:v0=1", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &method) : status;
    status = status == SB_OK ? sb_state_new(&method, &arena, &s[0]) : status;
    status = status == SB_OK ? sb_state_new(&method, &arena, &s[1]) : status;
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]) : status;
    for (int i = 0; i < n && status == SB_OK; i++) {
        status = sb_method_step(&method, &s[i % 2], h, &s[(i + 1) % 2]);
    }
    *q = status == SB_OK ? s[n % 2].q[0] : NAN;
    *v = status == SB_OK ? s[n % 2].v[0] : NAN;
    sb_arena_free(&arena);
    return hypot(*q, *v * h);
}

/* The trapezoidal rule keeps q^2 + v^2 of the oscillator; a step rounds it by a few eps. */
static void check_trapezoidal(sb_context *ctx) {
    static const char *const same[] = {"newmark", "hht:alpha=0"};
    const int n = 1000;
    double q0, v0, q, v;
    size_after(ctx, "newmark", 0.7, 0, &q0, &v0);
    for (int i = 0; i < 2; i++) {
        size_after(ctx, same[i], 0.7, n, &q, &v);
        const double change = fabs(q * q + v * v - q0 * q0 - v0 * v0);
        gsl_test(!(change <= 8.0 * n * 2.2e-16 * (q0 * q0 + v0 * v0)), "%s keeps the oscillator's energy: %.2g",
                 same[i], change);
    }
}

/* At h omega = 1e4 every root of a step is -rho (chung93), of multiplicity three: from n = 100 to 300 the state changes
 * by rho^200 times a polynomial of degree two, whose ratio is at most 3^2 and, where lower terms lead, at least 1. The
 * root itself is off by O(1/(h omega)), and roots that split are off by the cube root of that: 5 %. For HHT the largest
 * root is -(1 - alpha)/(1 + alpha) (hilber77). */
static void check_damping(sb_context *ctx) {
    static const struct {
        const char *stepper;
        double rho;
    } cases[] = {{"generalized_alpha:rho=0.8", 0.8},
                 {"generalized_alpha:rho=0.5", 0.5},
                 {"hht:alpha=0.3", 0.7 / 1.3},
                 {"hht:alpha=0.05", 0.95 / 1.05}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double q, v;
        const double h = 1e4, before = size_after(ctx, cases[i].stepper, h, 100, &q, &v),
                     after = size_after(ctx, cases[i].stepper, h, 300, &q, &v), root = pow(after / before, 1.0 / 200.0);
        gsl_test(!(fabs(root / cases[i].rho - 1.0) <= 0.05), "%s damps by %.4f per step, %.4f published",
                 cases[i].stepper, root, cases[i].rho);
    }
}

/* chung93 on q'' = -q, written out: 50 steps from the state that the stepper starts from, whose a0 is q'', or with a
 * shifted start belongs to the time delta = (alpha_m - alpha_f) h: it is q'' plus that times q''' = -v, but for half of
 * |delta| h q'''' of the difference, below h^2. */
static void check_equations(sb_context *ctx, double rho, const char *start, double h) {
    const double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0), gamma = 0.5 - am + af,
                 beta = 0.25 * (1.0 - am + af) * (1.0 - am + af);
    char stepper[100];
    sb_arena arena;
    sb_system sys;
    sb_method method;
    sb_state s[2];
    snprintf(stepper, sizeof stepper, "generalized_alpha:rho=%.9g,start=%s,tol=1e-14", rho, start);
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "oscillator:v0=1", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &method) : status;
    status = status == SB_OK ? sb_state_new(&method, &arena, &s[0]) : status;
    status = status == SB_OK ? sb_state_new(&method, &arena, &s[1]) : status;
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]) : status;
    gsl_test(status != SB_OK, "%s starts", stepper);
    double q = s[0].q[0], v = s[0].v[0], a = s[0].aux[0], worst = 0.0;
    const double delta = strcmp(start, "exact") == 0 ? 0.0 : (am - af) * h;
    gsl_test(!(fabs(a + q + delta * v) <= h * fabs(delta)), "%s: a0 is %.9g", stepper, a);
    for (int i = 0; i < 50 && status == SB_OK; i++) {
        const double free = q + h * v + h * h * (0.5 - beta) * a,
                     a1 = -((1.0 - af) * free + af * q + am * a) / (1.0 - am + (1.0 - af) * beta * h * h);
        q = free + h * h * beta * a1;
        v += h * ((1.0 - gamma) * a + gamma * a1);
        a = a1;
        status = sb_method_step(&method, &s[i % 2], h, &s[(i + 1) % 2]);
        worst = fmax(worst, fmax(fabs(q - s[(i + 1) % 2].q[0]), fabs(v - s[(i + 1) % 2].v[0])));
    }
    gsl_test(status != SB_OK || !(worst <= 1e-11), "%s, h = %g: its equations, but for %.2g", stepper, h, worst);
    sb_arena_free(&arena);
}

static const char *const starts[] = {"newmark",
                                     "hht",
                                     "hht:start=shifted",
                                     "generalized_alpha",
                                     "generalized_alpha:start=exact",
                                     "lie_generalized_alpha",
                                     "lie_generalized_alpha:start=exact"};
enum { STARTS = sizeof starts / sizeof *starts };

/* The state at the start is that of the problem, whatever the first step starts from. */
static void check_first_row(sb_context *ctx) {
    static const char *const problems[] = {"henon_heiles", "dsp:m1=7", "heavy_top:thetadot0=1"};
    for (int i = 0; i < 3 * STARTS; i++) {
        sb_arena arena;
        sb_system sys;
        sb_spec spec;
        sb_method method;
        sb_state s;
        double q[16], v[16], reported[16], t;
        sb_arena_init(&arena, ctx);
        int status = sb_system_build(ctx, &arena, problems[i % 3], 0, NULL, &sys);
        status = status == SB_OK ? sb_spec_parse(ctx, &arena, SB_KIND_STEPPER, starts[i / 3], &spec) : status;
        gsl_test(status != SB_OK, "%s and %s are built", starts[i / 3], problems[i % 3]);
        if (status == SB_OK && sb_stepper_check(ctx, (const sb_stepper *)spec.entry, &sys) == SB_OK) {
            status = sb_method_build(ctx, &arena, starts[i / 3], &sys, &method);
            status = status == SB_OK ? sb_state_new(&method, &arena, &s) | sys.initial(sys.self, &t, q, v) : status;
            status = status == SB_OK ? sb_method_start(&method, t, NULL, NULL, 0.1, &s) : status;
            status = status == SB_OK ? sb_method_report(&method, &s, reported, NULL) : status;
            const size_t size = (size_t)sys.n * sizeof *q;
            gsl_test(status != SB_OK || memcmp(s.q, q, size) != 0 || memcmp(reported, v, size) != 0,
                     "%s on %s reports the state of the problem at the start", starts[i / 3], problems[i % 3]);
        }
        sb_arena_free(&arena);
    }
}

/* v' = -gamma v: a step of these methods multiplies by at most one, and no start makes more of the velocity: the first
 * a is at most gamma times it. */
static void check_stiff_start(sb_context *ctx) {
    for (int i = 0; i < STARTS; i++) {
        for (int decade = -2; decade <= 5; decade++) {
            const double h = 0.1;
            char problem[60];
            sb_arena arena;
            sb_system sys;
            sb_method method;
            sb_state s[2];
            double most = 0.0;
            snprintf(problem, sizeof problem, "oscillator:omega=1e-6,v0=1,gamma=%g", pow(10.0, decade) / h);
            sb_arena_init(&arena, ctx);
            int status = sb_system_build(ctx, &arena, problem, 0, NULL, &sys);
            status = status == SB_OK ? sb_method_build(ctx, &arena, starts[i], &sys, &method) : status;
            status =
                status == SB_OK ? sb_state_new(&method, &arena, &s[0]) | sb_state_new(&method, &arena, &s[1]) : status;
            status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]) : status;
            for (int k = 0; k < 40 && status == SB_OK; k++) {
                status = sb_method_step(&method, &s[k % 2], h, &s[(k + 1) % 2]);
                most = fmax(most, fabs(s[(k + 1) % 2].v[0]));
            }
            gsl_test(status != SB_OK || !(most <= 1.0), "%s, h gamma = 1e%d: v grows from 1 to %.3g", starts[i], decade,
                     most);
            sb_arena_free(&arena);
        }
    }
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "the built-ins register");
    check_trapezoidal(&ctx);
    check_damping(&ctx);
    check_first_row(&ctx);
    check_stiff_start(&ctx);
    for (int i = 0; i < 5; i++) {
        check_equations(&ctx, 0.2 * i, "exact", 0.3);
        check_equations(&ctx, 0.2 * i, "shifted", 0.3);
        check_equations(&ctx, 0.2 * i, "shifted", 0.05);
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
