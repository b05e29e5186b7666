/* Fitted slopes with standard errors: power laws of errors, and secular trends of long series by batch means. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_FIT_H
#define STEPBENCH_ANALYSIS_ACCURACY_FIT_H

#include <stdbool.h>

#include <stepbench/context.h>

/* A slope, its standard error (NaN from fewer than three points), and how many points it rests on. NaN slope: fewer than two. */
typedef struct sb_slope {
    double value, se;
    int used;
} sb_slope;

/* Is `error` large enough beside its `floor` (an estimate of its part that does not follow the power law) to tell a slope? Yes above
 * 10 floors: then the floor moves log2(error) by at most log2(1.1) = 0.14, and the pairwise slope of halved steps by no more. */
bool sb_above_floor(double error, double floor);

/* Slope of log(error) over log(h) between two points; NaN unless both are above their floors. */
double sb_slope_between(double h0, double error0, double floor0, double h1, double error1, double floor1);

/* Least-squares slope of log(error) over log(h) through the points above their floors. The standard error is that of the
 * scatter about the straight line. `work` holds 2 n doubles. */
sb_slope sb_slope_power(int n, const double *h, const double *error, const double *floor, double *work);

/* A long series y(t), seen once, sample after sample: extremes, mean square and secular slope in storage that does not grow.
 * The series is cut into batches + 3 segments of equal length (what is left over stays out, at the front). The mean of a batch is weighted
 * by a cubic B-spline over four segments, so that neighbours overlap: plain means over one segment would turn an oscillation whose period
 * is nearly a whole fraction of a segment into a slow beat that no statistics tell from a drift; the spline's frequency response has zeros
 * of fourth order there. */
typedef struct sb_trend {
    int batches;
    long length, skip, seen; /* samples a segment; samples before the first; samples so far */
    double max, sum, square; /* max |y|; sums of y and y^2 */
    double *weight, *t, *y;  /* sums of each batch: weights, weighted t and y */
    double *lo, *hi;         /* smallest and largest sample of each segment */
} sb_trend;

/* `samples` is the length of the series to come, at least 4 (batches + 3); `batches` at least 8. */
int sb_trend_init(sb_arena *arena, int batches, long samples, sb_trend *out);
void sb_trend_add(sb_trend *trend, double t, double y);
/* sqrt(mean y^2) of the samples seen. */
double sb_trend_rms(const sb_trend *trend);

/* The least-squares slope of the batch means over their times, per unit of t. Its standard error is that of the scatter about the line,
 * widened by sqrt((1 + r)/(1 - r)) for the correlation r of neighbouring residuals. Three known biases are taken out: r of the residuals of
 * a fitted line comes out too small by (2 + 4 r)/batches; the formula holds for correlations that fall off geometrically, while those of
 * overlapping batches of white noise are 1191/2416, 120/2416, ... (the heptic B-spline) and want sqrt(5040/2416); and the line takes its
 * two degrees of freedom from 2416/5040 batches' worth of independent ones. A slow oscillation makes r large and the standard error wide.
 * Of an oscillation of amplitude A that beats with the segments by up to 1.5 turns over the series, too slowly for that, the splines let
 * (1.5/(batches + 3))^4 A pass, which over the length of the series is added in quadrature. What no statistics tell from a drift is an
 * oscillation slower than the series is long. */
sb_slope sb_trend_slope(sb_trend *trend);

/* Does the range of the samples in the first quarter disagree with that in the last? True when the two together span more than three
 * times the smaller one. A bounded oscillation keeps its range; growth and decay, exponential ones too, which no straight line tells
 * well, do not. */
bool sb_trend_leaves(const sb_trend *trend);

#endif
