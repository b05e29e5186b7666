/* The verdict of `order`: whether the measured order is the claimed one, above or below it, or is unclear. */
#include "analysis/accuracy/order_verdict.h"
#include "tests/analysis/fixture.h"

enum { LEVELS = 6 };

/* Compares the order of errors a h^p + b h^r for steps 0.1, 0.05, ... over a floor with the claim. */
static sb_order_comparison compare(double a, double p, double b, double r, double floor, double claimed) {
    sb_order_level level[LEVELS];
    sb_order order = {.n = LEVELS, .levels = level};
    for (int i = 0; i < LEVELS; i++) {
        const double h = 0.1 * pow(0.5, i);
        level[i] = (sb_order_level){.h = h, .size = h};
        for (int k = 0; k < SB_ERR_COUNT; k++) {
            level[i].error[k] = fabs(a * pow(h, p) + b * pow(h, r));
            level[i].floor[k] = floor;
            level[i].slope[k] = level[i].slope_floor[k] = NAN;
            if (i > 0) {
                const double error = level[i].error[k], before = level[i - 1].error[k];
                level[i].slope[k] = sb_slope_between(level[i - 1].h, before, floor, h, error, floor);
                level[i].slope_floor[k] = sb_slope_between_floor(level[i - 1].h, before, floor, h, error, floor);
            }
        }
    }
    return sb_order_compare(&order, SB_ERR_Q, claimed);
}

static void is(const sb_order_comparison j, sb_order_verdict expected, const char *what) {
    gsl_test(j.verdict != expected, "%s: %s (%.3g +- %.2g), not %s", what, sb_order_verdict_name[j.verdict], j.measured,
             j.se, sb_order_verdict_name[expected]);
    gsl_test((j.verdict == SB_ORDER_UNCLEAR) != (j.remedy[0] != '\0'), "%s: what would decide it: \"%s\"", what,
             j.remedy);
}

/* Whatever the floor is, the certain digits of the numbers decide as they do, in the unit of table.h. */
static void written(double p, double claimed) {
    int decided = 0;
    for (double floor = 1e-8; floor < 1.0; floor *= 1.2) {
        const sb_order_comparison j = compare(1.0, p, 0.3, p + 1.0, floor, claimed);
        const double unit = pow(10.0, ceil(log10(2.0 * j.noise))), m = unit * nearbyint(j.measured / unit),
                     se = unit * fmax(1.0, nearbyint(j.se / unit)), off = m - claimed, most = 0.2;
        decided += j.verdict != SB_ORDER_UNCLEAR;
        gsl_test((j.verdict == SB_ORDER_AS_CLAIMED && !(fabs(off) + se <= most + 1e-12)) ||
                     (j.verdict == SB_ORDER_LOWER && !(off + se < -most + 1e-12)) ||
                     (j.verdict == SB_ORDER_HIGHER && !(off - se > most - 1e-12)),
                 "order %g claimed as %g, floor %.2g: %s with %g +- %g", p, claimed, floor,
                 sb_order_verdict_name[j.verdict], m, se);
    }
    gsl_test(decided < 10, "order %g claimed as %g is decided at %d floors", p, claimed, decided);
}

static void synthetic(void) {
    const sb_order_comparison plain = compare(3.0, 2.0, 0.0, 0.0, 0.0, 2.0);
    near(plain.measured, 2.0, 1e-12, "a pure power");
    is(plain, SB_ORDER_AS_CLAIMED, "h^2");
    is(compare(3.0, 2.0, 0.0, 0.0, 0.0, 3.0), SB_ORDER_LOWER, "h^2 claimed as 3");
    is(compare(3.0, 2.0, 0.0, 0.0, 0.0, 1.0), SB_ORDER_HIGHER, "h^2 claimed as 1");
    const sb_order_comparison corrected = compare(1.0, 2.0, -4.0, 3.0, 0.0, 2.0);
    near(corrected.measured, 2.0, 2e-3, "the next term of the error is extrapolated away");
    is(corrected, SB_ORDER_AS_CLAIMED, "h^2 - 4 h^3");
    gsl_test(!(fabs(corrected.measured - 2.0) <= corrected.se), "within its standard error %.2g", corrected.se);
    /* h^2 + 0.01 h: the slopes 1.88, 1.81, 1.69, 1.52, 1.36 fall towards 1. */
    is(compare(1.0, 2.0, 0.01, 1.0, 0.0, 2.0), SB_ORDER_LOWER, "a first-order term that comes through");
    const sb_order_comparison late = compare(1.0, 2.0, 0.0008, 1.0, 0.0, 2.0);
    gsl_test(late.verdict == SB_ORDER_HIGHER, "one that only begins to is not taken for a higher order");
    is(compare(1.0, 0.0, 0.0, 0.0, 0.0, 1.0), SB_ORDER_LOWER, "an error that does not fall");
    /* h - 150 h^2 changes its sign between the two smallest steps, h - 500 h^2 beyond them. */
    is(compare(1.0, 1.0, -150.0, 2.0, 0.0, 1.0), SB_ORDER_UNCLEAR, "errors that cancel");
    is(compare(1.0, 1.0, -500.0, 2.0, 0.0, 1.0), SB_ORDER_UNCLEAR, "errors that are about to cancel");
    /* Round-off of single precision, 1e-4 of an error of the second order at the largest step and growing like 1/h. */
    const sb_order_comparison single = compare(1.0, 2.0, 1e-6, -1.0, 0.0, 2.0);
    is(single, SB_ORDER_UNCLEAR, "an error that rises at the smallest steps");
    gsl_test(strstr(single.remedy, "larger steps") == NULL, "larger steps decide: %s", single.remedy);
    const sb_order_comparison rises = compare(1.0, 2.0, 1e-4, -1.0, 0.0, 2.0);
    is(rises, SB_ORDER_UNCLEAR, "an error that rises at most steps, after it has fallen");
    gsl_test(strstr(rises.remedy, "larger steps") == NULL, "larger steps decide: %s", rises.remedy);
    is(compare(1.0, 1.0, -5.0, 2.0, 0.0, 1.0), SB_ORDER_AS_CLAIMED, "errors that have cancelled at larger steps");
    is(compare(1.0, 2.0, 0.0, 0.0, 1.0, 2.0), SB_ORDER_UNCLEAR, "round-off at every step");
    is(compare(1.0, 4.0, 0.0, 0.0, 4e-7, 4.0), SB_ORDER_UNCLEAR, "two steps above round-off");
    is(compare(1.0, 4.0, 0.0, 0.0, 1e-9, 4.0), SB_ORDER_AS_CLAIMED, "four steps above round-off");
    is(compare(NAN, 1.0, 0.0, 0.0, 0.0, 1.0), SB_ORDER_UNCLEAR, "runs that end early");
    written(1.0, 1.0);
    written(2.0, 2.0);
    written(2.0, 3.0);
    written(2.0, 1.0);
}

/* Three errors of the size of the motion: another motion to which the runs converge, or none. */
static void unresolved(double change_q, double change_v, sb_order_verdict lower, sb_order_verdict higher) {
    sb_order_level level[3];
    const sb_order order = {.n = 3, .levels = level, .size_q = 1.0, .size_v = 3.0};
    for (int i = 0; i < 3; i++) {
        level[i] = (sb_order_level){.size = pow(0.5, i), .change_q = change_q, .change_v = change_v};
        level[i].error[SB_ERR_Q] = 1.0;
    }
    is(sb_order_compare(&order, SB_ERR_Q, 1.0), lower, "an error that does not fall, claimed as 1");
    is(sb_order_compare(&order, SB_ERR_Q, -1.0), higher, "claimed as -1");
}

/* The row of the fit of `order` for a stepper that claims order 2 whatever it is. */
static void claims(fixture *f) {
    static const struct {
        const char *problem, *stepper;
        int claimed;
        const char *verdict;
    } known[] = {
        {"kepler", "verlet", 2, "as_claimed"},
        {"kepler", "verlet", 1, "higher"},
        {"kepler", "rk4", 5, "lower"},
        {"dsp", "rattle", 2, "as_claimed"},
        {"oscillator", "euler_symplectic", 2, "lower"},
        {"spherical_pendulum", "reg", 2, "lower"},
        {"oscillator:gamma=0.3,v0=0", "reg", 2, "lower"},
        {"plane", "rattle", 2, "unclear"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const sb_pair pair = pair_of(f, known[i].problem, known[i].stepper);
        sb_stepper claiming = *pair.type;
        sb_pair other = pair;
        sb_table table;
        claiming.order = known[i].claimed;
        claiming.lower[0].features = 0;
        other.type = &claiming;
        const sb_analysis *order = (const sb_analysis *)sb_registry_find(&f->ctx, SB_KIND_ANALYSIS, "order");
        sb_order_config config = {.levels = 5, .ratio = 2.0, .scales = 10.0, .reference = "auto"};
        sb_table_init(&table, &f->arena);
        gsl_test_int(table.sink.begin(&table.sink, order->ncolumns, order->columns), SB_OK, "columns");
        gsl_test_int(sb_analysis_run_pair(&f->ctx, order, &config, &other, &table.sink), SB_OK, "order");
        const int fit = sb_table_find(&table, "status", "fit", 0);
        near(sb_table_real(&table, fit, "claimed"), known[i].claimed, 0.0, "the claim");
        gsl_test(strcmp(sb_table_text(&table, fit, "verdict"), known[i].verdict) != 0,
                 "%s on %s, claimed %d: %s (%.3g), not %s", known[i].stepper, known[i].problem, known[i].claimed,
                 sb_table_text(&table, fit, "verdict"), sb_table_real(&table, fit, "measured"), known[i].verdict);
    }
}

/* With contacts no order is claimed, and a sentence says so. */
static void no_claim(fixture *f) {
    sb_table table;
    rows(f, "order", "levels=3", "bouncing_ball", "moreau", &table);
    const int fit = sb_table_find(&table, "status", "fit", 0);
    gsl_test(strcmp(sb_table_text(&table, fit, "verdict"), "not applicable") != 0 ||
                 strstr(sb_table_text(&table, fit, "decides"), "contacts") == NULL ||
                 !isnan(sb_table_real(&table, fit, "claimed")),
             "%s: %s", sb_table_text(&table, fit, "verdict"), sb_table_text(&table, fit, "decides"));
}

/* On Andrews' mechanism the multipliers of generalized-alpha with memory are of order two until their round-off, 1e-16
 * of the forces over h^2, accumulates: then their errors rise, and no slope is printed or fitted. */
static void round_off_of_lambda(fixture *f) {
    sb_table table;
    double least = INFINITY;
    rows(f, "order", "levels=9,scales=3", "andrews", "generalized_alpha:rho=0.9", &table);
    const int fit = sb_table_find(&table, "status", "fit", 0);
    int rises = 0;
    for (int i = 1; i < fit; i++) {
        const double slope = sb_table_real(&table, i, "slope_lambda");
        least = isnan(slope) ? least : fmin(least, slope);
        rises += sb_table_real(&table, i, "err_lambda") > sb_table_real(&table, i - 1, "err_lambda");
    }
    gsl_test(rises < 1, "round-off makes the error rise");
    gsl_test(!(least >= 1.8 && least < 2.2), "the least slope printed is %.3g", least);
    near(sb_table_real(&table, fit, "slope_lambda"), 2.0, 0.1, "the slope fitted");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    synthetic();
    unresolved(0.01, 0.03, SB_ORDER_LOWER, SB_ORDER_HIGHER);
    unresolved(0.2, 0.03, SB_ORDER_UNCLEAR, SB_ORDER_UNCLEAR);
    unresolved(0.01, 0.6, SB_ORDER_UNCLEAR, SB_ORDER_UNCLEAR);
    claims(&f);
    no_claim(&f);
    round_off_of_lambda(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
