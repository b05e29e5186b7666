/* The discrete Lagrangian's momenta and Newton matrix against differences of its value, for every problem and its
 * charts. */
#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include <stepbench/numerics/lagrangian.h>
#include <stepbench/numerics/norm.h>

#include "bench/runner/registry.h"
#include "core/run/build.h"

/* Sixth-order central differences with spacing d: truncation (d/L)^6/140 and round-off 2 eps/d, L the scale of the
 * problem. d = 1e-2 leaves about 1e-13 and 4e-14; the bound allows for derivatives a thousand times the values. */
static const double spacing = 1e-2, bound = 1e-9;

static double weights[3] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};

/* d value / d z[i] where z is x or y. */
static double value_slope(sb_lagrangian *L, double h, double *x, double *y, double *z, int i) {
    const double at = z[i], d = spacing * h; /* velocities move by d/h */
    double sum = 0.0;
    for (int k = 1; k <= 3; k++) {
        double up = NAN, down = NAN;
        z[i] = at + k * d;
        gsl_test(sb_lagrangian_value(L, 0.0, h, x, y, &up), "value");
        z[i] = at - k * d;
        gsl_test(sb_lagrangian_value(L, 0.0, h, x, y, &down), "value");
        sum += weights[k - 1] * (up - down) / d;
    }
    z[i] = at;
    return sum;
}

static void compare(const char *what, const sb_system *sys, int i, double got, double expected, double scale) {
    const double error = fabs(got - expected);
    gsl_test(!(error <= bound * scale), "%s of %s, coordinate %d: %.15g, by differences %.15g", what, sys->name, i, got,
             expected);
}

static int check_system(sb_context *ctx, sb_arena *arena, gsl_rng *rng, const sb_system *sys, double theta) {
    const int n = sys->n;
    const double h = 0.1 * sys->time_scale;
    sb_lagrangian L;
    double *q, *v, *x, *y, *p_minus, *p_plus, *Hx, *side;
    SB_TRY(sb_lagrangian_init(ctx, arena, sys, theta, 1.0 - theta, &L));
    SB_NEW(arena, q, n);
    SB_NEW(arena, v, n);
    SB_NEW(arena, x, n);
    SB_NEW(arena, y, n);
    SB_NEW(arena, p_minus, n);
    SB_NEW(arena, p_plus, n);
    SB_NEW(arena, side, 2 * n);
    SB_NEW(arena, Hx, sb_pattern_nnz(&sys->H)); /* covers M */
    double t;
    SB_TRY(sys->initial(sys->self, &t, q, v));
    for (int i = 0; i < n;
         i++) { /* near the initial state, but off the constraint manifold and off every symmetry axis */
        x[i] = q[i] + 0.2 * (gsl_rng_uniform(rng) - 0.5);
        y[i] = x[i] + h * (v[i] + gsl_rng_uniform(rng) - 0.5);
    }
    SB_TRY(sb_lagrangian_momenta(&L, t, h, x, y, p_minus, p_plus));
    SB_TRY(sb_lagrangian_jacobian(&L, Hx));
    const double size = sb_norm_max(n, p_plus) + sb_norm_max(n, p_minus);
    for (int i = 0; i < n; i++) {
        compare("-h D2 L_d", sys, i, p_minus[i], -h * value_slope(&L, h, x, y, x, i), size);
        compare("h D1 L_d", sys, i, p_plus[i], h * value_slope(&L, h, x, y, y, i), size);
    }
    const sb_pattern *H = sb_lagrangian_pattern(&L);
    const double entry = sb_norm_max(sb_pattern_nnz(H), Hx);
    for (int j = 0; j < n; j++) {
        const double at = y[j], d = spacing * h;
        double column[64] = {0};
        for (int k = 1; k <= 3; k++) {
            y[j] = at + k * d;
            SB_TRY(sb_lagrangian_momenta(&L, t, h, x, y, side, NULL));
            y[j] = at - k * d;
            SB_TRY(sb_lagrangian_momenta(&L, t, h, x, y, side + n, NULL));
            for (int i = 0; i < n; i++) {
                column[i] += weights[k - 1] * (side[i] - side[n + i]) / d;
            }
        }
        y[j] = at;
        for (int i = 0; i < n; i++) {
            const int at_H = sb_pattern_find(H, i, j);
            compare("d p_minus/d y", sys, i + n * j, at_H < 0 ? 0.0 : Hx[at_H], column[i], entry);
        }
    }
    return SB_OK;
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    sb_registry_init(&registry, &ctx);
    sb_register_builtins(&registry);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < registry.count[SB_KIND_PROBLEM]; i++) {
        const char *name = registry.entries[SB_KIND_PROBLEM][i]->name;
        const char *const formulations[] = {"chart", "chart:lagrangian=chart"};
        for (int d = -1; d < 2; d++) {
            for (int theta = 0; theta < 2; theta++) {
                sb_arena arena;
                sb_system sys;
                sb_arena_init(&arena, &ctx);
                gsl_test(sb_system_build(&ctx, &arena, name, 0, NULL, &sys), "%s is built: %s", name, ctx.message);
                if (d >= 0 && (sys.flags & SB_OFFERS_CHART) != 0) {
                    gsl_test(sb_system_build(&ctx, &arena, name, 1, formulations + d, &sys), "-w %s on %s is built: %s",
                             formulations[d], name, ctx.message);
                }
                if ((sys.flags & SB_HAS_FORCE) == 0) {
                    gsl_test(check_system(&ctx, &arena, rng, &sys, theta == 0 ? 0.5 : 1.0), "%s is evaluated: %s",
                             sys.name, ctx.message);
                }
                sb_arena_free(&arena);
            }
        }
    }
    gsl_rng_free(rng);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
