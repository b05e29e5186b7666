/* Secular trends: the change of long series over a run, with a standard error that includes slow oscillations. */
#include <math.h>

#include <stepbench/numerics/norm.h>

#include "analysis/conservation/trend.h"

enum { DEGREE = 9 }; /* of the polynomials, at most; the slowest parts of the scatter */

static int segments(const sb_trends *trends) { return trends->batches + 3; }

int sb_trends_init(sb_arena *arena, int count, int batches, long samples, sb_trends *out) {
    *out = (sb_trends){.count = count, .batches = batches, .length = samples / (batches + 3)};
    out->skip = samples - out->length * segments(out);
    SB_TRY(SB_VECTORS(arena, batches, &out->weight, &out->t, &out->P, &out->before));
    SB_TRY(SB_VECTORS(arena, (size_t)batches * (size_t)count, &out->y, &out->y2));
    SB_TRY(SB_VECTORS(arena, count, &out->sum, &out->square, &out->max, &out->last, &out->total));
    SB_TRY(SB_VECTORS(arena, SB_TREND_QUARTERS * (size_t)count, &out->lo, &out->hi));
    for (int i = 0; i < SB_TREND_QUARTERS * count; i++) {
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

/* Adds the sample to a batch with weight w. */
static void add_to_batch(sb_trends *trends, int batch, double w, double t, const double *y) {
    trends->weight[batch] += w;
    trends->t[batch] += w * t;
    for (int i = 0; i < trends->count; i++) {
        trends->y[i * trends->batches + batch] += w * y[i];
        trends->y2[i * trends->batches + batch] += w * y[i] * y[i];
    }
}

void sb_trends_add(sb_trends *trends, double t, const double *y) {
    for (int i = 0; i < trends->count; i++) {
        trends->max[i] = sb_larger(trends->max[i], fabs(y[i]));
        trends->sum[i] += y[i];
        trends->square[i] += y[i] * y[i];
        trends->total[i] += trends->seen > 0 ? fabs(y[i] - trends->last[i]) : 0.0;
        trends->last[i] = y[i];
    }
    const long at = trends->seen++ - trends->skip, used = trends->length * segments(trends);
    if (at < 0 || at >= used) {
        return;
    }
    const int segment = (int)(at / trends->length), quarter = (int)(SB_TREND_QUARTERS * at / used);
    double w[4];
    splines(((double)(at % trends->length) + 0.5) / (double)trends->length, w);
    for (int k = 0; k < 4; k++) {
        const int batch = segment - 3 + k;
        if (batch >= 0 && batch < trends->batches) {
            add_to_batch(trends, batch, w[k], t, y);
        }
    }
    for (int i = 0; i < trends->count; i++) {
        double *lo = &trends->lo[SB_TREND_QUARTERS * i + quarter], *hi = &trends->hi[SB_TREND_QUARTERS * i + quarter];
        *lo = fmin(*lo, y[i]);
        *hi = fmax(*hi, y[i]);
    }
}

/* Computes the coefficients c_0 ... c_degree of the means of series i in the polynomials that are orthonormal over the
 * times of the batches, by the recurrence of Stieltjes: b_(k+1) P_(k+1) = (t - a_k) P_k - b_k P_(k-1). Sets *scale to
 * b_1, the standard deviation of the times, so that the slope is c_1/b_1. */
static void expand(const sb_trends *trends, int i, int degree, double *c, double *scale) {
    const int n = trends->batches;
    double *P = trends->P, *before = trends->before, b = 0.0;
    *scale = 0.0;
    for (int j = 0; j < n; j++) {
        P[j] = 1.0;
        before[j] = 0.0;
    }
    for (int k = 0; k <= degree; k++) {
        double a = 0.0, square = 0.0;
        c[k] = 0.0;
        for (int j = 0; j < n; j++) {
            c[k] += P[j] * trends->y[i * n + j] / trends->weight[j] / n;
            a += P[j] * P[j] * trends->t[j] / trends->weight[j] / n;
        }
        for (int j = 0; j < n; j++) {
            const double next = (trends->t[j] / trends->weight[j] - a) * P[j] - b * before[j];
            before[j] = P[j];
            P[j] = next;
            square += next * next / n;
        }
        b = sqrt(square);
        *scale = k == 0 ? b : *scale;
        for (int j = 0; j < n; j++) {
            P[j] /= b;
        }
    }
}

static double root_mean_square(const double *c, int from, int to) {
    double sum = 0.0;
    for (int k = from; k <= to; k++) {
        sum += c[k] * c[k];
    }
    return sqrt(sum / (to - from + 1));
}

/* Returns the root of the mean variance within a batch. */
static double within(const sb_trends *trends, int i) {
    double sum = 0.0;
    for (int b = 0; b < trends->batches; b++) {
        const double mean = trends->y[i * trends->batches + b] / trends->weight[b];
        sum += fmax(0.0, trends->y2[i * trends->batches + b] / trends->weight[b] - mean * mean) / trends->batches;
    }
    return sqrt(sum);
}

/* Returns whether a series leaves its range, see trend.h. */
static bool leaves(const sb_trends *trends, int i) {
    const int last = SB_TREND_QUARTERS - 1;
    const double *lo = trends->lo + SB_TREND_QUARTERS * i, *hi = trends->hi + SB_TREND_QUARTERS * i;
    bool up = true, down = true;
    for (int k = 0; k < last; k++) {
        up = up && lo[k] <= lo[k + 1] && hi[k] <= hi[k + 1];
        down = down && lo[k] >= lo[k + 1] && hi[k] >= hi[k + 1];
    }
    const double both = fmax(hi[0], hi[last]) - fmin(lo[0], lo[last]);
    return (up || down) && both > 3.0 * fmin(hi[0] - lo[0], hi[last] - lo[last]);
}

/* Returns the range of a series, without the samples left out at the beginning. */
static double range(const sb_trends *trends, int i) {
    double lo = INFINITY, hi = -INFINITY;
    for (int k = SB_TREND_QUARTERS * i; k < SB_TREND_QUARTERS * (i + 1); k++) {
        lo = fmin(lo, trends->lo[k]);
        hi = fmax(hi, trends->hi[k]);
    }
    return hi - lo;
}

void sb_trends_evaluate(const sb_trends *trends, int i, sb_trend *out) {
    const int degree = trends->batches - 2 < DEGREE ? trends->batches - 2 : DEGREE;
    const double seen = (double)trends->seen, mean = trends->sum[i] / seen;
    const int n = trends->batches;
    double c[DEGREE + 1], scale;
    expand(trends, i, degree, c, &scale);
    out->max = trends->max[i];
    out->rms = sqrt(trends->square[i] / seen);
    out->deviation = sqrt(fmax(0.0, trends->square[i] / seen - mean * mean));
    out->slope = c[1] / scale;
    /* The batches span n - 1 segments from the first to the last mean, the run all of them. */
    const double length = (trends->t[n - 1] / trends->weight[n - 1] - trends->t[0] / trends->weight[0]) *
                          segments(trends) / (n - 1),
                 passed = pow(1.5 / segments(trends), 4.0) * M_SQRT2 * out->deviation;
    out->change = out->slope * length;
    out->scatter = hypot(sb_larger(root_mean_square(c, 2, degree), root_mean_square(c, 2, 3)) * length / scale, passed);
    out->fast = within(trends, i);
    out->slow = root_mean_square(c, 1, 3) * length / scale;
    out->last = trends->last[i];
    out->total = trends->total[i];
    out->range = range(trends, i);
    out->leaves = leaves(trends, i);
}
