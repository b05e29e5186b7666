/* Secular trends: the change of long series over a run, with a standard error that includes slow oscillations. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/trend.h"

enum { DEGREE = 9 }; /* of the polynomials, at most; the slowest parts of the scatter */

enum { QUARTERS = 4 };

static int segments(const sb_trends *trends) { return trends->batches + 3; }

/* Ranges per series: the first sample, then the segments. */
static int ranges(const sb_trends *trends) { return 1 + segments(trends); }

int sb_trends_init(sb_arena *arena, int count, int batches, long samples, sb_trends *out) {
    *out = (sb_trends){.count = count, .batches = batches, .length = samples / (batches + 3)};
    out->skip = samples - out->length * segments(out);
    SB_TRY(SB_VECTORS(arena, batches, &out->weight, &out->t, &out->P, &out->before));
    SB_TRY(SB_VECTORS(arena, (size_t)batches * (size_t)count, &out->y, &out->y2));
    SB_TRY(SB_VECTORS(arena, count, &out->sum, &out->square, &out->max, &out->last, &out->total));
    SB_TRY(SB_VECTORS(arena, (size_t)ranges(out) * (size_t)count, &out->lo, &out->hi, &out->step));
    for (int i = 0; i < ranges(out) * count; i++) {
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

/* Extends range k of every series by y. */
static void extend(sb_trends *trends, int k, const double *y) {
    for (int i = 0; i < trends->count; i++) {
        const int at = ranges(trends) * i + k;
        trends->lo[at] = fmin(trends->lo[at], y[i]);
        trends->hi[at] = fmax(trends->hi[at], y[i]);
        trends->step[at] = trends->seen > 0 ? fmax(trends->step[at], fabs(y[i] - trends->last[i])) : 0.0;
    }
}

void sb_trends_add(sb_trends *trends, double t, const double *y) {
    const long at = trends->seen - trends->skip;
    const int segment = at < 0 ? -1 : (int)(at / trends->length);
    if (trends->seen == 0) {
        extend(trends, 0, y);
    }
    extend(trends, segment < 0 ? 1 : 1 + segment, y);
    for (int i = 0; i < trends->count; i++) {
        trends->max[i] = sb_larger(trends->max[i], fabs(y[i]));
        trends->sum[i] += y[i];
        trends->square[i] += y[i] * y[i];
        trends->total[i] += trends->seen > 0 ? fabs(y[i] - trends->last[i]) : 0.0;
        trends->last[i] = y[i];
    }
    trends->seen++;
    if (segment < 0) {
        return;
    }
    double w[4];
    splines(((double)(at % trends->length) + 0.5) / (double)trends->length, w);
    for (int k = 0; k < 4; k++) {
        const int batch = segment - 3 + k;
        if (batch >= 0 && batch < trends->batches) {
            add_to_batch(trends, batch, w[k], t, y);
        }
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

/* The values of a series in some of its segments. */
typedef struct extent {
    double lo, hi;
} extent;

/* Returns the values in the ranges `from` to `to` - 1 of series i: 0 is the first sample, the others are segments. */
static extent extent_of(const sb_trends *trends, int i, int from, int to) {
    extent out = {INFINITY, -INFINITY};
    for (int k = from; k < to; k++) {
        out.lo = fmin(out.lo, trends->lo[ranges(trends) * i + k]);
        out.hi = fmax(out.hi, trends->hi[ranges(trends) * i + k]);
    }
    return out;
}

/* Returns whether a series leaves its range, see trend.h. */
static bool leaves(const sb_trends *trends, int i) {
    extent quarter[QUARTERS];
    bool up = true, down = true;
    for (int k = 0; k < QUARTERS; k++) {
        quarter[k] =
            extent_of(trends, i, 1 + segments(trends) * k / QUARTERS, 1 + segments(trends) * (k + 1) / QUARTERS);
        up = up && (k == 0 || (quarter[k - 1].lo <= quarter[k].lo && quarter[k - 1].hi <= quarter[k].hi));
        down = down && (k == 0 || (quarter[k - 1].lo >= quarter[k].lo && quarter[k - 1].hi >= quarter[k].hi));
    }
    const extent first = quarter[0], last = quarter[QUARTERS - 1];
    const double both = fmax(first.hi, last.hi) - fmin(first.lo, last.lo);
    return (up || down) && both > 3.0 * fmin(first.hi - first.lo, last.hi - last.lo);
}

/* Returns whether one of the ranges `from` to `to` - 1 of series i overlaps these values. */
static bool visits(const sb_trends *trends, int i, int from, int to, extent values) {
    bool found = false;
    for (int k = from; k < to; k++) {
        const extent range = extent_of(trends, i, k, k + 1);
        found = found || (range.lo <= values.hi && range.hi >= values.lo);
    }
    return found;
}

/* Returns the jump of series i from range k to range `to`, 0 if there is none, see trend.h. */
static double jump(const sb_trends *trends, int i, int k, int to) {
    const extent a = extent_of(trends, i, k, k + 1), b = extent_of(trends, i, to, to + 1);
    double step = 0.0;
    for (int j = k + 1; j < to; j++) {
        step = fmax(step, trends->step[ranges(trends) * i + j]);
    }
    const double gap = fmax(b.lo - a.hi, a.lo - b.hi), wide = fmax(a.hi - a.lo, b.hi - b.lo);
    const bool returns = visits(trends, i, to, ranges(trends), a) || visits(trends, i, 0, k, b);
    return gap > 3.0 * wide && gap <= 10.0 * step && !returns ? gap : 0.0;
}

/* Sets out->jump and out->jumped. Segment s ends batch s and the three before it. */
static void find_jump(const sb_trends *trends, int i, sb_trend *out) {
    out->jump = 0.0;
    out->jumped = 0;
    for (int k = 0; k < ranges(trends); k++) {
        for (int to = k + 2; to <= k + 3 && to < ranges(trends); to++) {
            const double found = jump(trends, i, k, to);
            out->jumped = found > out->jump ? (to - 1 < trends->batches ? to - 1 : trends->batches - 1) : out->jumped;
            out->jump = fmax(out->jump, found);
        }
    }
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
    const extent all = extent_of(trends, i, 1, ranges(trends));
    out->range = all.hi - all.lo;
    out->leaves = leaves(trends, i);
    find_jump(trends, i, out);
}

double sb_trends_abrupt(const sb_trends *trends, int i, int b) {
    const extent batch = extent_of(trends, i, 1 + b, 5 + b);
    double step = 0.0;
    for (int k = b; k < b + 4; k++) {
        step = fmax(step, trends->step[ranges(trends) * i + 1 + k]);
    }
    return step > 0.1 * fmax(-batch.lo, batch.hi) ? step : 0.0;
}
