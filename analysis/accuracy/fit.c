/* Exponents of power laws, fitted with standard errors. */
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

/* The logarithm changes by floor/error. */
double sb_slope_between_floor(double h0, double error0, double floor0, double h1, double error1, double floor1) {
    return (floor0 / error0 + floor1 / error1) / fabs(log(h0 / h1));
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

/* Returns bounds of the changes of a fitted slope and its standard error by errors u of y. The slope, sum (x - mean) y
 * / X with X = sum (x - mean)^2, changes by at most sum |x - mean| u / X. The standard error |r| / sqrt((n - 2) X)
 * changes by at most |u| / sqrt((n - 2) X), since the residuals r are a projection of y. */
static sb_slope move_line(int n, const double *x, const double *u) {
    double mean = 0.0, X = 0.0, sum = 0.0, square = 0.0;
    for (int i = 0; i < n; i++) {
        mean += x[i] / n;
    }
    for (int i = 0; i < n; i++) {
        X += (x[i] - mean) * (x[i] - mean);
        sum += fabs(x[i] - mean) * u[i];
        square += u[i] * u[i];
    }
    return (sb_slope){n >= 2 ? sum / X : NAN, n > 2 ? sqrt(square / ((n - 2) * X)) : NAN, n};
}

sb_slope sb_slope_power_floor(int n, const double *h, const double *error, const double *floor, double *work) {
    double *x = work, *u = work + n;
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (sb_above_floor(error[i], floor[i])) {
            x[used] = log(h[i]);
            u[used++] = floor[i] / error[i];
        }
    }
    return move_line(used, x, u);
}
