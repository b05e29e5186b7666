/* Secular trends of synthetic series: oscillations of every period, correlated noise, growth, and drifts under each. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analysis/conservation/trend.h"
#include "tests/analysis/fixture.h"

enum { SAMPLES = 20000, BATCHES = 32 };

typedef double (*series)(long k, const double *p);

static sb_trend measure(sb_arena *arena, series y, const double *p) {
    sb_trends trends;
    sb_trend trend;
    gsl_test(sb_trends_init(arena, 1, BATCHES, SAMPLES, &trends) != SB_OK, "a trend");
    for (long k = 0; k < SAMPLES; k++) {
        const double now = y(k, p);
        sb_trends_add(&trends, (double)k, &now);
    }
    sb_trends_evaluate(&trends, 0, &trend);
    return trend;
}

/* p: period, phase, drift a sample */
static double oscillation(long k, const double *p) {
    return sin(2.0 * M_PI * (double)k / p[0] + p[1]) + p[2] * (double)k;
}

/* Periods from 2.1 samples to the length of the series, those that beat with the segments (20000/35 = 571 samples)
 * among them: plain means over a segment make a drift of 3000 standard errors out of a period of 285.6. */
static void oscillations(sb_arena *arena) {
    const double periods[] = {2.1,   7.3,   31.0,  99.7,  190.4,  285.4,  285.5,  285.6,  311.0,   569.0,  570.5,
                              571.0, 571.7, 573.0, 585.0, 1300.0, 2100.0, 4000.0, 6500.0, 12000.0, 20000.0};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        for (int phase = 0; phase < 8; phase++) {
            const double p[3] = {periods[i], 0.1 + M_PI * phase / 4.0, 0.0};
            const sb_trend t = measure(arena, oscillation, p);
            worst = fmax(worst, fabs(t.change) / t.scatter);
            gsl_test(!(fabs(t.change) <= 3.0 * t.scatter), "no drift in an oscillation of period %.1f, phase %d: %.2f",
                     p[0], phase, t.change / t.scatter);
            /* a period beyond a quarter of the series shows each quarter another part of itself */
            gsl_test(periods[i] < 3000.0 && t.leaves, "nor does it leave its range");
        }
    }
    gsl_test(!(worst > 0.1), "the test has cases near the limit: z up to %.2f", worst);
}

/* An oscillation of a period far below a batch has all of its variance, 1/2, within the batches, and one of the length
 * of the series only that of the slope within a batch. The least-squares line through the n = 32 means of one period of
 * the sine, L = n/35 of it, changes by -(24/L^3) (sin(pi L)/(4 pi^2) - L cos(pi L)/(4 pi)) over the series; the splines
 * shorten the sine by (2 pi/35)^2/6 = 0.5 %, sum for the integral is (1/n)^2. */
static void slow_and_fast(sb_arena *arena) {
    const double quick[3] = {31.0, 0.3, 0.0}, slow[3] = {SAMPLES, 0.0, 0.0}, slower[3] = {10.0 * SAMPLES, 0.0, 0.0};
    const sb_trend a = measure(arena, oscillation, quick), b = measure(arena, oscillation, slow),
                   c = measure(arena, oscillation, slower);
    near(a.fast, sqrt(0.5), 1e-3, "the deviation within a batch"); /* the spline passes (31/571)^4 */
    gsl_test(!(a.slow < 1e-3), "nothing is slow in it: %.2g", a.slow);
    const double L = BATCHES / 35.0;
    near(b.change / (-24.0 / (L * L * L) * (sin(M_PI * L) / (4.0 * M_PI * M_PI) - L * cos(M_PI * L) / (4.0 * M_PI))),
         1.0, 0.01, "the line through one period");
    gsl_test(!(b.slow > fabs(b.change) / sqrt(3.0) && b.slow < 2.0 * fabs(b.change)), "it is slow: %.3g", b.slow);
    near(c.change, 2.0 * M_PI / 10.0, 0.05,
         "a tenth of a period is nearly a line"); /* but for z^2/10 of it, z = pi/10 */
    gsl_test(!(c.change > 20.0 * c.scatter), "with little scatter: %.3g +- %.2g", c.change, c.scatter);
    near(c.slow * sqrt(3.0) / c.change, 1.0, 0.05,
         "and its slow part is that line"); /* c_2/c_1 = z sqrt(5/3)/5 at most */
}

/* Means that differ from batch to batch are no part of the oscillations within a batch, but for the slope of a slow
 * component within it: 4/35 of 2 pi/3 radians, 5 sin of which is below 0.6 of standard deviation. */
static double on_a_hill(long k, const double *p) {
    return p[0] * sin(2.0 * M_PI * (double)k / (3.0 * SAMPLES)) + sin(2.0 * M_PI * (double)k / 31.0);
}

static void within_batches(sb_arena *arena) {
    const double height = 5.0;
    const sb_trend t = measure(arena, on_a_hill, &height);
    gsl_test(!(t.fast >= sqrt(0.5) && t.fast <= hypot(sqrt(0.5), 0.6)), "oscillations on a hill: %.3g", t.fast);
}

/* An oscillation goes through its range twice per period; samples miss the peaks by (pi/31)^2/2 at most. */
static void variation(sb_arena *arena) {
    const double p[3] = {31.0, 0.3, 0.0};
    const sb_trend t = measure(arena, oscillation, p);
    near(t.range, 2.0, 0.02, "the range of a sine");
    near(t.total / t.range / (2.0 * SAMPLES / 31.0), 1.0, 0.01, "its total variation");
    near(t.last, oscillation(SAMPLES - 1, p), 0.0, "its last sample");
}

static void injected(sb_arena *arena) {
    for (int phase = 0; phase < 4; phase++) {
        const double p[3] = {31.0, M_PI * phase / 2.0, 1e-5}; /* a fifth of the amplitude over the series */
        const sb_trend t = measure(arena, oscillation, p);
        gsl_test(!(t.change > 5.0 * t.scatter), "a drift under an oscillation is found: z = %.1f",
                 t.change / t.scatter);
        near(t.slope, p[2], 3.0 * t.scatter / SAMPLES, "and measured");
    }
}

/* First-order autoregressive noise, correlation time 20 samples. With the eight coefficients c_2 ... c_9, z has
 * Student's distribution of 8 degrees of freedom, whose mean square is 8/6; the splines pass 0.8 of the variance of c_9
 * and more of the others, and where c_2 and c_3 are the larger, they count. 200 series give the mean square to 0.18. z
 * beyond 5 has the probability 1e-3; a drift of ten standard errors exceeds five but for an estimate twice too large.
 */
static void correlated_noise(sb_arena *arena) {
    enum { SERIES = 200 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double square = 0.0, found = 0.0, sum = 0.0;
    int beyond = 0;
    for (int i = 0; i < 2 * SERIES; i++) {
        sb_trends trends;
        sb_trend t;
        double y = 0.0;
        gsl_test(sb_trends_init(arena, 1, BATCHES, SAMPLES, &trends) != SB_OK, "a trend");
        const double drift = i < SERIES ? 0.0 : 10.0 * sum / SERIES / SAMPLES;
        for (long k = 0; k < SAMPLES; k++) {
            y = 0.95 * y + gsl_ran_gaussian(rng, 1.0);
            const double sample = y + drift * (double)k;
            sb_trends_add(&trends, (double)k, &sample);
        }
        sb_trends_evaluate(&trends, 0, &t);
        const double z = t.change / t.scatter;
        if (i < SERIES) {
            square += z * z / SERIES;
            beyond += fabs(z) > 5.0;
            sum += t.scatter;
        } else {
            found += z > 5.0;
        }
    }
    gsl_rng_free(rng);
    gsl_test(!(square > 0.5 && square < 1.9), "correlated noise: the mean square of z is %.3f", square);
    gsl_test(beyond > 1, "correlated noise exceeds 5 standard errors %d times in %d", beyond, SERIES);
    gsl_test(!(found >= 0.95 * SERIES), "a drift of ten standard errors is found %.0f times in %d", found, SERIES);
}

static double power(long k, const double *p) { return pow(p[0], (double)k) * (1.0 + 0.5 * sin(0.3 * (double)k)); }

static void growth_and_decay(sb_arena *arena) {
    const double rates[] = {1.01, 1.0005, 1.0001, 0.9999, 0.9995, 0.99};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        gsl_test(!measure(arena, power, &rates[i]).leaves, "a range that changes by a factor %.4f a sample is left",
                 rates[i]);
    }
    const double still = 1.0;
    gsl_test(measure(arena, power, &still).leaves, "a range that stays is not");
    const double slow = 1.00002; /* by a factor 1.5: the quarters overlap */
    gsl_test(measure(arena, power, &slow).leaves, "nor one that moves by less than it is wide");
}

static double constant(long k, const double *p) {
    (void)k;
    return p[0];
}

static double broken(long k, const double *p) { return k == SAMPLES / 2 ? NAN : p[0]; }

static void corners(sb_arena *arena) {
    const double c = 0.25;
    sb_trend t = measure(arena, constant, &c);
    gsl_test(!(fabs(t.slope) < 1e-15 && t.scatter < 1e-12), "a constant has slope %.1g +- %.1g", t.slope, t.scatter);
    near(t.max, c, 0.0, "its largest value");
    near(t.rms, c, 1e-12, "its root mean square");
    gsl_test(t.leaves, "a constant leaves no range");
    t = measure(arena, broken, &c);
    gsl_test(!(isnan(t.max) && isnan(t.slope) && isnan(t.scatter)), "a NaN in the series is not lost");
}

/* ---- Jumps. ---- */

/* p: height of the jump, sample at which it is, samples that it takes, end of it (a spike returns), amplitude of an
 * oscillation, period */
static double jumping(long k, const double *p) {
    const double x = ((double)k - p[1]) / p[2], back = ((double)k - p[3]) / p[2];
    return p[0] * (fmin(fmax(x, 0.0), 1.0) - fmin(fmax(back, 0.0), 1.0)) + p[4] * sin(2.0 * M_PI * (double)k / p[5]);
}

static double exponential(long k, const double *p) { return exp((double)k / p[0]); }

static double line(long k, const double *p) { return p[0] * (double)k; }

/* What jumps in a few samples between quiet levels, at the start as well, is seen with its height. Spikes, lines,
 * growth by any factor per segment, slow transitions, and oscillations as high as a third of the jump are none. */
static void jumps(sb_arena *arena) {
    static const struct {
        double p[6], height;
    } cases[] = {{{1.0, 9000.0, 4.0, INFINITY, 0.0, 31.0}, 1.0}, {{-2.0, 9141.0, 4.0, INFINITY, 0.1, 31.0}, 1.8},
                 {{1.0, 1.0, 2.0, INFINITY, 0.0, 31.0}, 1.0},    {{1.0, 9000.0, 4.0, 9100.0, 0.0, 31.0}, 0.0},
                 {{1.0, 9000.0, 4.0, 15000.0, 0.0, 31.0}, 0.0},  {{1.0, 9000.0, 400.0, INFINITY, 0.0, 31.0}, 0.0},
                 {{1.0, 9000.0, 4.0, INFINITY, 0.25, 31.0}, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        near(measure(arena, jumping, cases[i].p).jump, cases[i].height, 0.01, "the height of a jump");
    }
    for (double scale = 20.0; scale < 2e5; scale *= 1.7) {
        near(measure(arena, exponential, (double[]){-scale}).jump, 0.0, 0.0, "decay is no jump");
        near(measure(arena, exponential, (double[]){fmax(scale, 50.0)}).jump, 0.0, 0.0, "nor is growth");
    }
    near(measure(arena, line, (double[]){1e-3}).jump, 0.0, 0.0, "nor is a line");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    oscillations(&f.arena);
    slow_and_fast(&f.arena);
    within_batches(&f.arena);
    variation(&f.arena);
    injected(&f.arena);
    correlated_noise(&f.arena);
    growth_and_decay(&f.arena);
    corners(&f.arena);
    jumps(&f.arena);
    fixture_free(&f);
    return gsl_test_summary();
}
