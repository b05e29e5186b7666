/* Fitted slopes with standard errors: exponents of power laws, and secular trends of long series by batch means. */
#include <math.h>

#include <gsl/gsl_fit.h>

#include <stepbench/numerics/norm.h>

#include "analysis/accuracy/fit.h"

bool sb_above_floor(double error, double floor) { return error > 10.0 * floor && isfinite(error); }

double sb_slope_between(double h0, double error0, double floor0, double h1, double error1, double floor1) {
    if (!sb_above_floor(error0, floor0) || !sb_above_floor(error1, floor1)) {
        return NAN;
    }
    return log(error0 / error1) / log(h0 / h1);
}

/* Fits a line to (x, y). Two points give no standard error. */
static sb_slope fit_line(int n, const double *x, const double *y) {
    sb_slope out = {NAN, NAN, n};
    double c0, cov00, cov01, cov11, sumsq;
    if (n >= 2) {
        gsl_fit_linear(x, 1, y, 1, (size_t)n, &c0, &out.value, &cov00, &cov01, &cov11, &sumsq);
        out.se = n > 2 ? sqrt(cov11) : NAN;
    }
    return out;
}

sb_slope sb_slope_power(int n, const double *h, const double *error, const double *floor, double *work) {
    double *x = work, *y = work + n;
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (sb_above_floor(error[i], floor[i])) {
            x[used] = log(h[i]);
            y[used++] = log(error[i]);
        }
    }
    return fit_line(used, x, y);
}

/* ---- Trends. ---- */

static int segments(const sb_trend *trend) { return trend->batches + 3; }

int sb_trend_init(sb_arena *arena, int batches, long samples, sb_trend *out) {
    *out = (sb_trend){.batches = batches, .length = samples / (batches + 3)};
    out->skip = samples - out->length * segments(out);
    SB_NEW(arena, out->weight, batches);
    SB_NEW(arena, out->t, batches);
    SB_NEW(arena, out->y, batches);
    SB_NEW(arena, out->lo, segments(out));
    SB_NEW(arena, out->hi, segments(out));
    for (int i = 0; i < segments(out); i++) {
        out->lo[i] = INFINITY;
        out->hi[i] = -INFINITY;
    }
    return SB_OK;
}

/* Computes the four cubic B-splines that do not vanish at a fraction x of a segment, from the batch that ends with this
 * segment to the one that begins with it. */
static void splines(double x, double w[4]) {
    const double y = 1.0 - x;
    w[0] = y * y * y / 6.0;
    w[1] = (4.0 - 6.0 * x * x + 3.0 * x * x * x) / 6.0;
    w[2] = (4.0 - 6.0 * y * y + 3.0 * y * y * y) / 6.0;
    w[3] = x * x * x / 6.0;
}

void sb_trend_add(sb_trend *trend, double t, double y) {
    trend->max = sb_larger(trend->max, fabs(y));
    trend->sum += y;
    trend->square += y * y;
    const long at = trend->seen++ - trend->skip;
    if (at < 0 || at >= trend->length * segments(trend)) {
        return;
    }
    const int segment = (int)(at / trend->length);
    double w[4];
    splines(((double)(at % trend->length) + 0.5) / (double)trend->length, w);
    for (int k = 0; k < 4; k++) {
        const int batch = segment - 3 + k;
        if (batch >= 0 && batch < trend->batches) {
            trend->weight[batch] += w[k];
            trend->t[batch] += w[k] * t;
            trend->y[batch] += w[k] * y;
        }
    }
    trend->lo[segment] = fmin(trend->lo[segment], y);
    trend->hi[segment] = fmax(trend->hi[segment], y);
}

double sb_trend_rms(const sb_trend *trend) { return sqrt(trend->square / (double)trend->seen); }

/* Returns the correlation of neighbouring residuals of the line through (t, y). */
static double lag_one(int n, const double *t, const double *y, const sb_slope *line) {
    double mean_t = 0.0, mean_y = 0.0;
    for (int i = 0; i < n; i++) {
        mean_t += t[i] / n;
        mean_y += y[i] / n;
    }
    double square = 0.0, product = 0.0, before = 0.0;
    for (int i = 0; i < n; i++) {
        const double residual = y[i] - mean_y - line->value * (t[i] - mean_t);
        square += residual * residual;
        product += i > 0 ? residual * before : 0.0;
        before = residual;
    }
    return square > 0.0 ? product / square : 0.0;
}

sb_slope sb_trend_slope(sb_trend *trend) {
    const int n = trend->batches;
    for (int i = 0; i < n; i++) {
        trend->t[i] /= trend->weight[i];
        trend->y[i] /= trend->weight[i];
        trend->weight[i] = 1.0; /* the sums are now means, and a second call gives the same */
    }
    const double white = 1191.0 / 2416.0, overlap = 5040.0 / 2416.0;
    sb_slope line = fit_line(n, trend->t, trend->y);
    const double found = lag_one(n, trend->t, trend->y, &line);
    const double r = fmin(found + (2.0 + 4.0 * found) / n, 0.5 * (1.0 + found));
    const double widening = (1.0 + r) / (1.0 - r) * overlap * (1.0 - white) / (1.0 + white);
    const double scatter =
        line.se * sqrt((widening > 1.0 || isnan(widening) ? widening : 1.0) * (n - 2.0) / (n - 2.0 * overlap));
    const double mean = trend->sum / (double)trend->seen, variance = trend->square / (double)trend->seen - mean * mean;
    const double passed = pow(1.5 / segments(trend), 4.0) * sqrt(2.0 * fmax(variance, 0.0));
    line.se = hypot(scatter, passed / (trend->t[n - 1] - trend->t[0]));
    return line;
}

bool sb_trend_leaves(const sb_trend *trend) {
    const int n = segments(trend), quarter = n / 4;
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < quarter; i++) {
        lo[0] = fmin(lo[0], trend->lo[i]);
        hi[0] = fmax(hi[0], trend->hi[i]);
        lo[1] = fmin(lo[1], trend->lo[n - 1 - i]);
        hi[1] = fmax(hi[1], trend->hi[n - 1 - i]);
    }
    const double both = fmax(hi[0], hi[1]) - fmin(lo[0], lo[1]);
    return both > 3.0 * fmin(hi[0] - lo[0], hi[1] - lo[1]);
}
