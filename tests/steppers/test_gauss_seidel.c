/* Steppers that sweep over the constraints: the direct solution in the limit of many sweeps, closed forms of one, the
 * stretch of a compliant constraint, and what a start at the last impulses does. macklin16, spook07 (30). */
#include "tests/steppers/pairs.h"

enum { N_MAX = 64 };

typedef struct sample {
    double t, q[N_MAX], v[N_MAX], lambda[N_MAX], g;
    int n;
} sample;

/* Runs for `steps` steps; g is the largest violation at the end. NaN where the run fails. */
static sample run(sb_context *ctx, const char *problem, const char *stepper, double h, int steps) {
    sb_arena arena;
    sb_system sys;
    sb_method me;
    sb_state now, next;
    double g[N_MAX];
    sample out = {.g = NAN};
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, problem, 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &me) : status;
    status = status == SB_OK ? sb_state_new(&me, &arena, &now) : status;
    status = status == SB_OK ? sb_state_new(&me, &arena, &next) : status;
    status = status == SB_OK ? sb_method_start(&me, 0.0, NULL, NULL, h, &now) : status;
    for (int k = 0; k < steps && status == SB_OK; k++) {
        status = sb_method_step(&me, &now, h, &next);
        sb_state_copy(&me, &next, &now);
    }
    gsl_test(status != SB_OK || sys.n > N_MAX, "%s on %s runs: %s", stepper, problem,
             status == SB_OK ? "it does" : ctx->message);
    if (status == SB_OK && sys.n <= N_MAX) {
        out.n = sys.n;
        out.t = now.t;
        memcpy(out.q, now.q, (size_t)sys.n * sizeof *now.q);
        memcpy(out.v, now.v, (size_t)sys.n * sizeof *now.v);
        memcpy(out.lambda, now.lambda, (size_t)sys.holonomic.m * sizeof *now.lambda);
        if (sys.holonomic.m > 0) {
            sb_holonomic_value(&sys, 0.0, now.q, g, NULL);
        }
        out.g = sb_norm_max(sys.holonomic.m, g);
    }
    sb_arena_free(&arena);
    return out;
}

static void near(double x, double y, double tol, const char *what) {
    gsl_test(!(fabs(x - y) <= tol), "%s: %.17g is %.17g to %.1e", what, x, y, tol);
}

/* Sweeps converge to the solution of the linear system: with one constraint in one sweep, with two of DSP in 200, on a
 * ladder of two squares and on a box with compliant corners in 2000. The runs then differ by round-off, which 20 steps
 * multiply by less than 1e4, and that of v is that of q/h. */
static void converged(sb_context *ctx) {
    static const struct {
        const char *problem, *direct, *spec;
        double h;
    } cases[] = {{"pendulum:omega0=2", "spook:eps=0", "gauss_seidel_spook:sweeps=1", 0.01},
                 {"pendulum:omega0=2", "spook:eps=0.1", "gauss_seidel_spook:sweeps=1,eps=0.1", 0.01},
                 {"dsp", "spook:eps=0", "gauss_seidel_spook:sweeps=200", 0.02},
                 {"dsp", "spook:eps=1e-3,tau=1", "gauss_seidel_spook:sweeps=200,eps=1e-3,tau=1", 0.02},
                 {"chaplygin_sleigh", "spook:eps=0", "gauss_seidel_spook:sweeps=1", 0.02},
                 {"chaplygin_sleigh", "spook:gamma=0.1", "gauss_seidel_spook:sweeps=1,gamma=0.1", 0.02},
                 {"block_incline", "spook:eps=1e-3,friction=box", "gauss_seidel_spook:sweeps=2000,eps=1e-3", 0.01},
                 {"ladder:N=2", "spook:eps=0", "gauss_seidel_spook:sweeps=2000", 0.01},
                 {"ladder:N=2", "spook:eps=0", "gauss_seidel_spook:sweeps=2000,start=warm", 0.01}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int steps = 0; steps <= 20; steps += 20) {
            const sample direct = run(ctx, cases[i].problem, cases[i].direct, cases[i].h, steps),
                         swept = run(ctx, cases[i].problem, cases[i].spec, cases[i].h, steps);
            const double q = distance_max(direct.n, direct.q, swept.q), v = distance_max(direct.n, direct.v, swept.v);
            gsl_test(!(q <= 1e-11) || !(v <= 1e-10) || direct.n == 0, "%s on %s moves as %s does: q %.2g, v %.2g",
                     cases[i].spec, cases[i].problem, cases[i].direct, q, v);
        }
    }
}

/* From zero the violation is of order h^2, as with a direct solver: what one step leaves, the next ones see. From the
 * last impulses ten sweeps on a ladder amplify their own error from step to step, and a smaller step only makes more of
 * them. */
static void starts(sb_context *ctx) {
    const char *zero = "gauss_seidel_spook:sweeps=10", *warm = "gauss_seidel_spook:sweeps=10,start=warm";
    const double coarse = run(ctx, "ladder", zero, 0.01, 50).g, fine = run(ctx, "ladder", zero, 0.0025, 200).g,
                 few = run(ctx, "ladder", warm, 0.01, 50).g, many = run(ctx, "ladder", warm, 0.00125, 400).g;
    gsl_test(!(fine < coarse / 8.0 && fine > coarse / 32.0), "from zero the violation falls as h^2: %.2g, %.2g", coarse,
             fine);
    gsl_test(!(many > 2.0 * few), "from the last impulses it grows: %.2g, %.2g", few, many);
}

/* With g = |x| - l, of which the gradient is the same all along a ray, one sweep from q~ = q + h v + h^2 a ends the
 * iteration: |q1| = |q~| + dmu/m on the ray of q~, dmu = -(|q~| - l)/(1/m + alpha/h^2). */
static void one_step_of_xpbd(sb_context *ctx) {
    const double h = 0.05, m = 2.0, l = 1.5, alpha = 0.01, theta = 0.7, rate = 3.0;
    const double x = l * sin(theta) + h * l * rate * cos(theta),
                 y = -l * cos(theta) + h * l * rate * sin(theta) - h * h * 9.81, r = sqrt(x * x + y * y);
    for (int i = 0; i < 4; i++) {
        const char *spec[] = {"xpbd:sweeps=1", "xpbd:sweeps=7", "xpbd:sweeps=1,alpha=0.01", "xpbd:sweeps=7,alpha=0.01"};
        const double dmu = -(r - l) / (1.0 / m + (i < 2 ? 0.0 : alpha) / (h * h)), length = r + dmu / m;
        const sample s = run(ctx, "pendulum:constraint=norm,m=2,l=1.5,theta0=0.7,omega0=3", spec[i], h, 1);
        near(s.q[0], length * x / r, 1e-14, "x after a step of xpbd");
        near(s.q[1], length * y / r, 1e-14, "y after a step of xpbd");
        near(s.v[0], (length * x / r - l * sin(theta)) / h, 1e-13, "its velocity");
        near(s.lambda[0], dmu / (h * h), 1e-11, "its multiplier");
    }
}

/* A mass at rest on a compliant rod stretches it by alpha m g. */
static void stretch(sb_context *ctx) {
    const double h = 0.02;
    const sample s = run(ctx, "pendulum:constraint=norm,theta0=0,m=2", "xpbd:alpha=0.002", h, 2000);
    near(s.q[1], -(1.0 + 0.002 * 2.0 * 9.81), 1e-10, "a compliant pendulum hangs lower");
    near(s.lambda[0], -2.0 * 9.81, 1e-7, "its multiplier holds its weight");
}

/* Converged, the constraints hold; from the prediction, which violates them by O(h^2), sweeps bring them there. */
static void violation(sb_context *ctx) {
    const double few = run(ctx, "ladder", "xpbd:sweeps=5", 0.01, 50).g,
                 many = run(ctx, "ladder", "xpbd:sweeps=3000", 0.01, 50).g;
    gsl_test(!(many <= 1e-14 && few > 1e-6), "xpbd on a ladder: violation %.2g after 5 sweeps, %.2g after 3000", few,
             many);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    open_registry(&ctx, &registry);
    converged(&ctx);
    starts(&ctx);
    one_step_of_xpbd(&ctx);
    stretch(&ctx);
    violation(&ctx);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
