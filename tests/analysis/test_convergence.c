/* The order analysis: known orders against each kind of reference, what references agree on, masks and refusals. */
#include <stepbench/numerics/norm.h>

#include "analysis/accuracy/order.h"
#include "tests/analysis/fixture.h"

static sb_order_config options(void) {
    return (sb_order_config){.levels = 4, .ratio = 2.0, .scales = 4.0, .reference = "auto"};
}

static void measure(fixture *f, const sb_order_config *config, const char *problem, const char *stepper,
                    sb_order *out) {
    const sb_pair pair = pair_of(f, problem, stepper);
    const int status = sb_order_measure(&f->ctx, &f->arena, config, &pair, out);
    gsl_test(status != SB_OK, "%s on %s is measured: %s", stepper, problem, status == SB_OK ? "it is" : f->ctx.message);
}

/* With steps from T/40 on the next term of the error changes slopes by some h/T = 0.03 for first order, (h/T)^2
 * otherwise. */
static void orders(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        double order;
        int last; /* quantities of this order: up to velocity, multiplier, energy */
    } cases[] = {{"oscillator", "euler_explicit", 1.0, SB_ERR_V},
                 {"oscillator", "verlet", 2.0, SB_ERR_ENERGY},
                 {"oscillator", "rk4", 4.0, SB_ERR_V},
                 {"kepler", "midpoint", 2.0, SB_ERR_ENERGY},
                 {"pendulum", "shake", 2.0, SB_ERR_ENERGY},
                 {"rigid_body", "dvp", 2.0, SB_ERR_LAMBDA},
                 {"dsp", "rattle", 2.0, SB_ERR_ENERGY},
                 {"pendulum:constraint=norm", "del", 2.0, SB_ERR_ENERGY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_order_config config = options();
        const sb_pair pair = pair_of(f, cases[i].problem, cases[i].stepper);
        double h[3] = {pair.sys->time_scale / 40.0, pair.sys->time_scale / 80.0, pair.sys->time_scale / 160.0};
        config.h = (sb_reals){3, h};
        sb_order order = {0};
        measure(f, &config, cases[i].problem, cases[i].stepper, &order);
        for (int k = 0; k <= cases[i].last && order.n == 3; k++) {
            if (k == SB_ERR_LAMBDA && pair.sys->holonomic.m == 0) {
                gsl_test(!isnan(order.fit[k].value), "no multiplier, no slope");
                continue;
            }
            near(order.fit[k].value, cases[i].order, 0.05, cases[i].stepper);
        }
    }
}

/* Every kind of reference gives the same errors, as far as it knows itself: within its floor. */
static void references(fixture *f) {
    static const char *const problems[] = {"pendulum:theta0=2", "rigid_body", "kepler", "oscillator:gamma=0.3"};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const sb_pair pair = pair_of(f, problems[i], "del");
        const double dt = pair.sys->time_scale / 8.0;
        sb_reference exact, gsl, fine;
        gsl_test(sb_reference_make(&f->ctx, &f->arena, "exact", &pair, dt, 40, dt / 256.0, &exact) != SB_OK,
                 "%s: exact", problems[i]);
        gsl_test(sb_reference_make(&f->ctx, &f->arena, "gsl", &pair, dt, 40, dt / 256.0, &gsl) != SB_OK, "%s: gsl",
                 problems[i]);
        gsl_test(sb_reference_make(&f->ctx, &f->arena, "finest", &pair, dt, 40, dt / 256.0, &fine) != SB_OK,
                 "%s: finest", problems[i]);
        double by_gsl[SB_ERR_COUNT], by_fine[SB_ERR_COUNT];
        sb_reference_errors(&gsl, &exact, by_gsl);
        sb_reference_errors(&fine, &exact, by_fine);
        for (int k = 0; k <= SB_ERR_ENERGY; k++) {
            const double size = k == SB_ERR_Q        ? exact.size_q
                                : k == SB_ERR_V      ? exact.size_v
                                : k == SB_ERR_LAMBDA ? exact.size_lambda
                                                     : exact.size_energy;
            gsl_test(!(by_gsl[k] <= 1e-11 * size), "%s: rk8pd is exact to 1e-11 in quantity %d: %.2g of %.2g",
                     problems[i], k, by_gsl[k], size);
            /* its own estimate, by the distance to ten times the tolerance, and the exact solution's own round-off */
            gsl_test(!(by_gsl[k] <= 3.0 * gsl.floor[k] + 1e-13 * size), "%s: and knows it: %.2g estimated, %.2g true",
                     problems[i], gsl.floor[k], by_gsl[k]);
            gsl_test(!(by_fine[k] <= 1.2 * fine.floor[k] + 1e-11 * size),
                     "%s: a fine run knows its error: %.2g estimated, %.2g true", problems[i], fine.floor[k],
                     by_fine[k]);
        }
    }
}

/* Index-1 equations leave the constraints by no more than the reference's error: at the end of four time scales, far
 * below any level. */
static void reference_on_constraints(fixture *f) {
    const sb_pair pair = pair_of(f, "dsp", "shake");
    const sb_holonomic *hol = &pair.sys->holonomic;
    sb_reference ref;
    gsl_test(sb_reference_make(&f->ctx, &f->arena, "gsl", &pair, pair.sys->time_scale / 10.0, 40, 0.0, &ref) != SB_OK,
             "a reference for dsp");
    double worst = 0.0, g[2];
    for (long j = 0; j < ref.count; j++) {
        gsl_test(hol->value(hol->self, 0.0, ref.q + j * ref.n, g, NULL) != SB_OK, "its constraints");
        worst = sb_larger(worst, sb_norm_max(2, g));
    }
    gsl_test(!(worst <= 1e-11 * ref.size_q * ref.size_q), "the reference stays on the constraints: |g| = %.2g", worst);
}

static void kinds(fixture *f) {
    static const char *const kinds[] = {"exact", "gsl", "finest", "rattle"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        sb_order_config config = options();
        config.reference = kinds[i];
        sb_order order = {0};
        measure(f, &config, "pendulum", "shake", &order);
        near(order.fit[SB_ERR_Q].value, 2.0, 0.05, kinds[i]);
        near(order.fit[SB_ERR_LAMBDA].value, 2.0, 0.05, kinds[i]);
    }
}

static void plateau(fixture *f) {
    sb_order_config config = options();
    double h[10];
    for (int i = 0; i < 10; i++) {
        h[i] = 0.1 * pow(0.5, i);
    }
    config.h = (sb_reals){10, h};
    sb_order order = {0};
    measure(f, &config, "oscillator", "rk4", &order);
    gsl_test(order.n != 10 || !isnan(order.levels[9].slope[SB_ERR_Q]), "rk4 at h = 2e-4 is round-off: no slope");
    gsl_test(!(order.fit[SB_ERR_Q].used >= 3 && order.fit[SB_ERR_Q].used < 8),
             "and is left out of the fit: %d levels used", order.fit[SB_ERR_Q].used);
    near(order.fit[SB_ERR_Q].value, 4.0, 0.05, "which then finds the order");
    /* So is an error that a coarse reference blurs: Verlet against itself at half the step. */
    double two[2] = {0.1, 0.05};
    config.h = (sb_reals){2, two};
    config.reference = "verlet";
    config.reference_h = 0.025;
    measure(f, &config, "oscillator", "verlet", &order);
    gsl_test(order.n != 2 || !isnan(order.levels[1].slope[SB_ERR_Q]),
             "a reference not much better than the run: no slope");
    config.reference_h = 0.0;
    measure(f, &config, "oscillator", "verlet", &order);
    near(order.levels[1].slope[SB_ERR_Q], 2.0, 0.05, "a reference with a 32nd of the step does");
    sb_table table;
    rows(f, "order", "levels=2", "oscillator", "midpoint",
         &table); /* conserves the oscillator's energy: nothing but round-off */
    gsl_test(strcmp(sb_table_text(&table, 0, "status"), "plateau") != 0 ||
                 !isnan(sb_table_real(&table, 1, "slope_energy")),
             "an error that is round-off has no slope");
    gsl_test(!(sb_table_unit(&table, 0, "err_energy") == sb_table_real(&table, 0, "err_energy")),
             "and is written as a bound of one digit: %g", sb_table_real(&table, 0, "err_energy"));
    gsl_test(!(sb_table_unit(&table, 0, "err_q") < 1e-9 * sb_table_real(&table, 0, "err_q")),
             "an error far above round-off has its digits");
}

static void table_of(fixture *f) {
    sb_table table;
    rows(f, "order", "levels=3", "pendulum", "shake", &table);
    gsl_test_int(table.nrows, 4, "a row for each level and one for the fit");
    gsl_test(strcmp(sb_table_text(&table, 3, "status"), "fit") != 0, "which says so");
    gsl_test(!isnan(sb_table_real(&table, 3, "h")) || !(sb_table_real(&table, 3, "se_lambda") > 0.0),
             "and has standard errors, no h");
    gsl_test(!isnan(sb_table_real(&table, 0, "slope_q")), "the first level has no pairwise slope");
    const double written = sb_table_unit(&table, 0, "err_q") / sb_table_real(&table, 0, "err_q") +
                           sb_table_unit(&table, 1, "err_q") / sb_table_real(&table, 1, "err_q");
    near(sb_table_real(&table, 1, "slope_q"),
         log2(sb_table_real(&table, 0, "err_q") / sb_table_real(&table, 1, "err_q")),
         written + sb_table_unit(&table, 1, "slope_q"), "a pairwise slope, to the digits of the errors");
    rows(f, "order", "levels=2", "oscillator", "verlet", &table);
    gsl_test(!isnan(sb_table_real(&table, 0, "err_lambda")), "without constraints err_lambda is empty");
}

static void refusals(fixture *f) {
    sb_table table;
    gsl_test_int(run_one(f, "order", "h=[0.1,0.03]", "oscillator", "verlet", &table), SB_BAD_USAGE,
                 "steps without a common grid");
    gsl_test_int(run_one(f, "order", "h=[0.1,0.05],t_end=1.03", "oscillator", "verlet", &table), SB_BAD_USAGE,
                 "an end off the grid");
    gsl_test_int(run_one(f, "order", "ratio=2.5", "oscillator", "verlet", &table), SB_BAD_USAGE,
                 "a ratio that is no whole number");
    gsl_test_int(run_one(f, "order", "reference=rk5", "oscillator", "verlet", &table), SB_BAD_USAGE,
                 "an unknown reference");
    gsl_test(strstr(f->ctx.message, "rk4") == NULL, "the nearest name is offered: %s", f->ctx.message);
    rows(f, "order", "reference=exact", "dsp", "shake", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "no exact solution") == NULL,
             "no exact solution: a row that says so: %s", sb_table_text(&table, 0, "status"));
    /* One level fails, the others stand. */
    rows(f, "order", "h=[64,0.0625,0.03125],t_end=64", "pendulum", "del", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "ended at step") == NULL,
             "a level that fails has its reason: %s", sb_table_text(&table, 0, "status"));
    gsl_test(!(sb_table_real(&table, 2, "err_q") > 0.0), "and the next level its error");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    orders(&f);
    references(&f);
    reference_on_constraints(&f);
    kinds(&f);
    plateau(&f);
    table_of(&f);
    refusals(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
