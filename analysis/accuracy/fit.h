/* Exponents of power laws, fitted with standard errors. */
#pragma once

#include <stepbench/context.h>

/* A slope (NaN from fewer than two points), its standard error (NaN from fewer than three), and the number of points
 * used. */
typedef struct sb_slope {
    double value, se;
    int used;
} sb_slope;

/* Returns whether `error` exceeds 10 times its `floor`, an estimate of the part of it that does not follow the power
 * law. The floor then changes log2(error), and the pairwise slope of halved steps, by at most log2(1.1) = 0.14. */
bool sb_above_floor(double error, double floor);

/* Returns the slope of log(error) over log(h) between two points; NaN unless both are above their floors. */
double sb_slope_between(double h0, double error0, double floor0, double h1, double error1, double floor1);
/* Returns a bound of the change of that slope if each error changes by its floor. */
double sb_slope_between_floor(double h0, double error0, double floor0, double h1, double error1, double floor1);

/* Computes the least-squares slope of log(error) over log(h) from the points above their floors. The standard error is
 * that of the scatter about the line. `work` holds 2 n doubles. */
sb_slope sb_slope_power(int n, const double *h, const double *error, const double *floor, double *work);
/* Returns bounds of the changes of that slope and its standard error if each error changes by its floor. */
sb_slope sb_slope_power_floor(int n, const double *h, const double *error, const double *floor, double *work);
