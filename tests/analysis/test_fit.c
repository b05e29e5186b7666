/* Fitted slopes: exact power laws, masks, and secular trends under oscillations and correlated noise. */
#include <stdio.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analysis/accuracy/fit.h"
#include "tests/analysis/fixture.h"

enum { LEVELS = 6, SAMPLES = 20000, BATCHES = 32 };

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

typedef double (*series)(long k, const double *p);

static sb_trend measure(sb_arena *arena, series y, const double *p, sb_slope *slope) {
    sb_trend trend;
    gsl_test(sb_trend_init(arena, BATCHES, SAMPLES, &trend) != SB_OK, "a trend");
    for (long k = 0; k < SAMPLES; k++) {
        sb_trend_add(&trend, (double)k, y(k, p));
    }
    *slope = sb_trend_slope(&trend);
    return trend;
}

/* p: period, phase, drift a sample */
static double oscillation(long k, const double *p) {
    return sin(2.0 * M_PI * (double)k / p[0] + p[1]) + p[2] * (double)k;
}

/* Periods from 2.1 samples to the length of the series, those that beat with the segments (20000/35 = 571 samples)
 * among them: plain means over a segment make a drift of 3000 standard errors out of a period of 285.6. */
static void oscillations(sb_arena *arena) {
    const double periods[] = {2.1,   7.3,   31.0,  99.7,  190.4, 285.4,  285.5,  285.6,  311.0,  569.0,
                              570.5, 571.0, 571.7, 573.0, 585.0, 1300.0, 2100.0, 4000.0, 6500.0, 12000.0};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        for (int phase = 0; phase < 8; phase++) {
            const double p[3] = {periods[i], 0.1 + M_PI * phase / 4.0, 0.0};
            sb_slope s;
            const sb_trend trend = measure(arena, oscillation, p, &s);
            worst = fmax(worst, fabs(s.value) / s.se);
            gsl_test(!(fabs(s.value) <= 3.0 * s.se), "no drift in an oscillation of period %.1f, phase %d: z = %.2f",
                     p[0], phase, s.value / s.se);
            /* a period beyond a quarter of the series shows each quarter another part of itself */
            gsl_test(periods[i] < 3000.0 && sb_trend_leaves(&trend), "nor does it leave its range");
        }
    }
    gsl_test(!(worst > 0.1), "the test has cases that bite: z up to %.2f", worst);
}

static void injected(sb_arena *arena) {
    for (int phase = 0; phase < 4; phase++) {
        const double p[3] = {31.0, M_PI * phase / 2.0, 1e-5}; /* a fifth of the amplitude over the series */
        sb_slope s;
        measure(arena, oscillation, p, &s);
        gsl_test(!(s.value > 5.0 * s.se), "a drift under an oscillation is found: z = %.1f", s.value / s.se);
        gsl_test(!(fabs(s.value - p[2]) <= 3.0 * s.se), "and measured: %.4g +- %.1g", s.value, s.se);
    }
}

/* First-order autoregressive noise, correlation time 20 samples: z is spread as a unit normal would be, to the accuracy
 * of 200 series (a tenth in the mean square, and batch means estimate their own error to 1/sqrt(60)); with a drift of
 * 10 standard errors it is found every time. */
static void correlated_noise(sb_arena *arena) {
    enum { SERIES = 200 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double square = 0.0, found = 0.0, noise_se = 0.0;
    int beyond = 0;
    for (int i = 0; i < SERIES; i++) {
        for (int drifting = 0; drifting <= 1; drifting++) {
            sb_trend trend;
            double y = 0.0;
            gsl_test(sb_trend_init(arena, BATCHES, SAMPLES, &trend) != SB_OK, "a trend");
            const double drift = drifting ? 10.0 * noise_se / i : 0.0;
            for (long k = 0; k < SAMPLES; k++) {
                y = 0.95 * y + gsl_ran_gaussian(rng, 1.0);
                sb_trend_add(&trend, (double)k, y + drift * (double)k);
            }
            const sb_slope s = sb_trend_slope(&trend);
            const double z = s.value / s.se;
            if (drifting && i > 0) {
                found += fabs(z) > 3.0;
            } else if (!drifting) {
                square += z * z / SERIES;
                beyond += fabs(z) > 3.0;
                noise_se += s.se;
            }
        }
    }
    gsl_rng_free(rng);
    gsl_test(!(square > 0.7 && square < 1.4), "correlated noise: the mean square of z is %.3f", square);
    gsl_test(beyond > SERIES / 50, "correlated noise exceeds 3 standard errors %d times in %d", beyond, SERIES);
    gsl_test(!(found >= 0.98 * (SERIES - 1)), "a drift of ten standard errors is found %.0f times in %d", found,
             SERIES - 1);
}

static double power(long k, const double *p) { return pow(p[0], (double)k) * (1.0 + 0.5 * sin(0.3 * (double)k)); }

static void growth_and_decay(sb_arena *arena) {
    const double rates[] = {1.01, 1.0005, 0.9995, 0.99};
    sb_slope s;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const sb_trend trend = measure(arena, power, &rates[i], &s);
        gsl_test(!sb_trend_leaves(&trend), "a range that changes by a factor %.4f a sample is left", rates[i]);
    }
    const double still = 1.0;
    const sb_trend trend = measure(arena, power, &still, &s);
    gsl_test(sb_trend_leaves(&trend), "a range that stays is not");
}

static double constant(long k, const double *p) {
    (void)k;
    return p[0];
}

static double broken(long k, const double *p) { return k == SAMPLES / 2 ? NAN : p[0]; }

static void corners(sb_arena *arena) {
    const double c = 0.25;
    sb_slope s;
    sb_trend trend = measure(arena, constant, &c, &s);
    gsl_test(!(s.value == 0.0 && s.se == 0.0), "a constant has slope %.1g +- %.1g", s.value, s.se);
    near(trend.max, c, 0.0, "its largest value");
    near(sb_trend_rms(&trend), c, 1e-12, "its root mean square");
    gsl_test(sb_trend_leaves(&trend), "a constant leaves no range");
    const sb_slope again = sb_trend_slope(&trend);
    gsl_test(!(again.value == s.value && again.se == s.se), "asking twice gives the same");
    trend = measure(arena, broken, &c, &s);
    gsl_test(!(isnan(trend.max) && isnan(s.value)), "a NaN in the series is not lost");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    power_laws();
    masks();
    standard_error();
    oscillations(&f.arena);
    injected(&f.arena);
    correlated_noise(&f.arena);
    growth_and_decay(&f.arena);
    corners(&f.arena);
    fixture_free(&f);
    return gsl_test_summary();
}
