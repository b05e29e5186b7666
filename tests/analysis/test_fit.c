/* Fitted slopes: exact power laws, masks, standard errors. */
#include "analysis/accuracy/fit.h"
#include "tests/analysis/fixture.h"

enum { LEVELS = 6 };

static void power_laws(void) {
    double h[LEVELS], error[LEVELS], floor[LEVELS] = {0.0}, work[2 * LEVELS];
    for (int p = 1; p <= 8; p++) {
        for (int i = 0; i < LEVELS; i++) {
            h[i] = 0.3 * pow(0.5, i);
            error[i] = 7.0 * pow(h[i], p);
        }
        const sb_slope s = sb_slope_power(LEVELS, h, error, floor, work);
        /* log(error) is good to eps, the levels span log(32) */
        near(s.value, p, 1e-14 * p, "the slope of an exact power law");
        gsl_test(!(s.se <= 1e-14 * p && s.used == LEVELS), "its standard error is round-off: %.1e", s.se);
        near(sb_slope_between(h[0], error[0], 0.0, h[1], error[1], 0.0), p, 1e-14 * p, "the pairwise slope");
    }
}

/* A quarter of round-off in the smallest errors makes them useless; what is masked does not touch the slope. */
static void masks(void) {
    double h[LEVELS], error[LEVELS], floor[LEVELS], work[2 * LEVELS];
    for (int i = 0; i < LEVELS; i++) {
        h[i] = pow(0.5, i);
        floor[i] = 1e-3;
        error[i] = h[i] * h[i] * h[i] + (i >= 3 ? 1e-3 : 0.0);
    }
    const sb_slope s = sb_slope_power(LEVELS, h, error, floor, work);
    gsl_test_int(s.used, 3, "levels within ten times their floor are masked");
    near(s.value, 3.0, 1e-14, "the slope of the rest");
    gsl_test(!isnan(sb_slope_between(h[2], error[2], floor[2], h[3], error[3], floor[3])),
             "no pairwise slope onto a masked level");
    error[1] = NAN;
    gsl_test_int(sb_slope_power(LEVELS, h, error, floor, work).used, 2, "a failed level is left out");
    gsl_test(!isnan(sb_slope_power(LEVELS, h, error, floor, work).se), "two points have no standard error");
    gsl_test(!isnan(sb_slope_power(1, h, error, floor, work).value), "one point has no slope");
}

/* Scatter +-d about a line on symmetric abscissae -1.5, -0.5, 0.5, 1.5 (times log 2) in the pattern + - - +, orthogonal
 * to line and constant: the slope is exact, its variance the textbook's sum(residual^2)/(n - 2)/sum(x - mean)^2 = (4
 * d^2/2)/(5 log(2)^2). */
static void standard_error(void) {
    const double d = 0.1, sign[4] = {1.0, -1.0, -1.0, 1.0};
    double h[4], error[4], floor[4] = {0.0}, work[8];
    for (int i = 0; i < 4; i++) {
        h[i] = pow(2.0, -i);
        error[i] = h[i] * h[i] * exp(sign[i] * d);
    }
    const sb_slope s = sb_slope_power(4, h, error, floor, work);
    near(s.value, 2.0, 1e-14, "scatter orthogonal to the line leaves the slope");
    near(s.se, sqrt(2.0 * d * d / 5.0) / M_LN2, 1e-13, "and gives the textbook's standard error");
}

/* Errors that move as a line does change the slope by the bound, and residuals as above the standard error by its
 * bound. */
static void floors(void) {
    const double u = 1e-6, side[4] = {1.0, 1.0, -1.0, -1.0}, sign[4] = {1.0, -1.0, -1.0, 1.0};
    double h[4], error[4], moved[4], bent[4], floor[4], work[8];
    for (int i = 0; i < 4; i++) {
        h[i] = pow(2.0, -i);
        error[i] = h[i] * h[i];
        floor[i] = u * error[i];
        moved[i] = error[i] * exp(side[i] * u);
        bent[i] = error[i] * exp(sign[i] * u);
    }
    const sb_slope bound = sb_slope_power_floor(4, h, error, floor, work);
    near(sb_slope_power(4, h, moved, floor, work).value - 2.0, bound.value, 1e-13, "the slope moves by the bound");
    near(sb_slope_power(4, h, bent, floor, work).se, bound.se, 1e-13, "and the standard error by its own");
    near(sb_slope_between(h[0], error[0] + floor[0], 0.0, h[1], error[1] - floor[1], 0.0) - 2.0,
         sb_slope_between_floor(h[0], error[0], floor[0], h[1], error[1], floor[1]), 4.0 * u * u,
         "and a pairwise slope");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    power_laws();
    masks();
    standard_error();
    floors();
    fixture_free(&f);
    return gsl_test_summary();
}
