/* Fitted slopes with standard errors: exponents of power laws, and secular trends of long series by batch means. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_FIT_H
#define STEPBENCH_ANALYSIS_ACCURACY_FIT_H

#include <stdbool.h>

#include <stepbench/context.h>

/* A slope (NaN from fewer than two points), its standard error (NaN from fewer than three), and the number of points
 * used. */
typedef struct sb_slope {
    double value, se;
    int used;
} sb_slope;

/* Returns whether `error` exceeds 10 times its `floor`, an estimate of the part of it that does not follow the power
 * law. The floor then changes log2(error) by at most log2(1.1) = 0.14, and the pairwise slope of halved steps by no
 * more. */
bool sb_above_floor(double error, double floor);

/* Returns the slope of log(error) over log(h) between two points; NaN unless both are above their floors. */
double sb_slope_between(double h0, double error0, double floor0, double h1, double error1, double floor1);

/* Computes the least-squares slope of log(error) over log(h) from the points above their floors. The standard error is
 * that of the scatter about the line. `work` holds 2 n doubles. */
sb_slope sb_slope_power(int n, const double *h, const double *error, const double *floor, double *work);

/* Statistics of a long series y(t) that is passed sample after sample: extremes, mean square and secular slope, in
 * constant storage. The series is cut into batches + 3 segments of equal length (the remainder is left out at the
 * front). The mean of a batch is weighted by a cubic B-spline over four segments, so that neighbours overlap: plain
 * means over one segment would turn an oscillation whose period nearly divides a segment into a slow beat that cannot
 * be distinguished from a drift; the frequency response of the spline has zeros of fourth order there. */
typedef struct sb_trend {
    int batches;
    long length, skip, seen; /* samples per segment; samples before the first; samples so far */
    double max, sum, square; /* max |y|; sums of y and y^2 */
    double *weight, *t, *y;  /* sums of each batch: weights, weighted t and y */
    double *lo, *hi;         /* smallest and largest sample of each segment */
} sb_trend;

/* Allocates from the arena. `samples` is the length of the series, at least 4 (batches + 3); `batches` is at least 8.
 */
int sb_trend_init(sb_arena *arena, int batches, long samples, sb_trend *out);
void sb_trend_add(sb_trend *trend, double t, double y);
/* Returns sqrt(mean y^2) of the samples so far. */
double sb_trend_rms(const sb_trend *trend);

/* Computes the least-squares slope of the batch means over their times, per unit of t. Its standard error is that of
 * the scatter about the line, multiplied by sqrt((1 + r)/(1 - r)) for the correlation r of neighbouring residuals.
 * Three known biases are corrected: r of the residuals of a fitted line is too small by (2 + 4 r)/batches; the formula
 * holds for correlations that decay geometrically, while those of overlapping batches of white noise are 1191/2416,
 * 120/2416,
 * ... (the heptic B-spline) and require sqrt(5040/2416); and the line takes its two degrees of freedom from 2416/5040
 * times as many independent batches. A slow oscillation gives a large r and a large standard error. Of an oscillation
 * of amplitude A that beats with the segments by up to 1.5 turns over the series, too slow for r, the splines pass
 * (1.5/(batches + 3))^4 A; divided by the length of the series this is added in quadrature. An oscillation slower than
 * the series is long cannot be distinguished from a drift. */
sb_slope sb_trend_slope(sb_trend *trend);

/* Returns whether the range of the samples in the first quarter differs from that in the last: the two together span
 * more than three times the smaller one. A bounded oscillation keeps its range; growth and decay do not, exponential
 * ones included, for which a straight line is no good model. */
bool sb_trend_leaves(const sb_trend *trend);

#endif
