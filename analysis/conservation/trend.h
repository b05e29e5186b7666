/* Secular trends: the change of long series over a run, with a standard error that includes slow oscillations. */
#pragma once

#include "analysis/accuracy/fit.h"

/* `count` long series y_i(t), passed sample by sample, in constant storage. They are divided into batches + 3 segments
 * of equal length; the remaining samples are left out at the beginning. The mean of a batch is weighted by a cubic
 * B-spline over four segments, so that neighbours overlap. Unweighted means over one segment would turn an oscillation
 * whose period nearly divides a segment into a slow beat; the frequency response of the spline has zeros of fourth
 * order there. */
typedef struct sb_trends {
    int count, batches;
    long length, skip, seen;    /* samples per segment; samples before the first; samples so far */
    double *weight, *t;         /* sums of each batch: weights, weighted t */
    double *y, *y2;             /* weighted y and y^2: batch b of series i is [i * batches + b] */
    double *sum, *square, *max; /* sums of y and y^2, largest |y| of each series */
    double *lo, *hi, *step;     /* extremes of the first sample and of each segment; largest change by one sample */
    double *last, *total;       /* last y and sum of |changes| of each series */
    double *P, *before;         /* scratch */
} sb_trends;

/* Allocates from the arena. `samples` is the length of the series, at least 4 (batches + 3), `batches` at least 8. */
int sb_trends_init(sb_arena *arena, int count, int batches, long samples, sb_trends *out);
/* Adds the sample y (count numbers) at t. */
void sb_trends_add(sb_trends *trends, double t, const double *y);

/* Properties of one series. Changes are over the whole run, in units of y. */
typedef struct sb_trend {
    double max, rms, deviation; /* largest |y|; sqrt(mean y^2); standard deviation */
    double slope;               /* least squares through the means of the batches, per unit of t */
    double change;              /* slope times the length of the run */
    double scatter; /* standard error of `change` from the scatter of the batches about the line, see below */
    double fast;    /* standard deviation within a batch: of oscillations shorter than an eighth of the run */
    double slow;    /* change by oscillations whose period is at least the run */
    double last;    /* y at the end */
    double total;   /* total variation: the sum of the magnitudes of the changes from sample to sample */
    double range;   /* largest less smallest y */
    bool leaves;    /* the series leaves its range, see below */
    double jump;    /* largest jump after which the series does not return, see below; 0: none */
    int jumped;     /* batch of which a mean is behind it */
} sb_trend;

/* Evaluates series i.
 *
 * With the polynomials P_k that are orthonormal over the batches, c_k = mean(P_k y) is the coefficient of degree k of
 * the means: c_1 is the line, and the following c_k are the slow components of the residual. For noise without
 * correlation between batches all c_k have the same variance, so that the scatter is the root mean square of c_2 ...
 * c_9; that of c_2 and c_3 is used if it is larger, as with slow components. An oscillation of amplitude A that beats
 * with the segments by up to 1.5 turns over the run passes the splines with the amplitude (1.5/(batches + 3))^4 A,
 * which is added in quadrature.
 *
 * An oscillation whose period exceeds the run cannot be distinguished from a drift by the series itself. `slow`, the
 * root mean square of c_1, c_2 and c_3 as a change, is compared with that of other series (drift.c).
 *
 * `leaves`: the ranges of the four quarters move in one direction, and the first and the last together span more than
 * three times the smaller one. This holds for exponential growth and decay, which a straight line does not describe.
 *
 * `jump`: the gap between the ranges of a segment, or of the first sample, and of the segment that follows after one or
 * two others. It counts if it is more than three times either range, between which a line or a slow oscillation has a
 * gap of twice its range at most; if it is at most ten times the largest change by one sample in between, which a
 * transition that the samples resolve is not; and if no later segment has a value in the first range and no earlier one
 * in the second. */
void sb_trends_evaluate(const sb_trends *trends, int i, sb_trend *out);

/* Returns the largest change of series i by one sample in batch b if it exceeds a tenth of the values there, else 0. A
 * series that grows or decays by less per sample has no abrupt change. */
double sb_trends_abrupt(const sb_trends *trends, int i, int b);
