/* Derivatives of a curve by central differences, with a bound on their error that is computed from the values. */
#pragma once

#include <stepbench/context.h>

/* A function of one real variable with `rows` values. `value` returns a status. */
typedef struct sb_curve {
    int rows;
    int (*value)(const void *arg, double x, double *out);
    const void *arg;
} sb_curve;

/* Scratch of sb_difference, for curves of at most `room` rows. */
typedef struct sb_difference_work {
    int room;
    double *values, *sums;
} sb_difference_work;

int sb_difference_init(sb_arena *arena, int room, sb_difference_work *out);

/* Computes the derivative at x = 0 of every row, and a bound on its error; infinite where no step can be taken.
 * `reach` is a length over which the curve changes: the outermost points are at 0.4 of it. `size` is the largest value
 * of every row in magnitude. Returns the status of the curve at x = 0. */
int sb_difference(const sb_curve *f, double reach, sb_difference_work *work, double *derivative, double *bound,
                  double *size);

/* Sets `noise` to a bound on the round-off of every row, and `size` as above, from nine values within 4 h of 0. */
int sb_difference_noise(const sb_curve *f, double h, sb_difference_work *work, double *noise, double *size);
