/* Derivatives by central differences of eighth order with a bound on their error, to check callbacks against. */
#ifndef TESTS_PROBLEMS_DIFFERENCES_H
#define TESTS_PROBLEMS_DIFFERENCES_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { DIFFERENCE_MAX = 64 };

/* A function of one real variable with `rows` values. */
typedef struct curve {
    int rows;
    void (*value)(const void *arg, double x, double *out);
    const void *arg;
} curve;

/* The derivative at x = 0 and a bound on its error, a number a row. Truncation: the difference of the formulas of sixth
 * and eighth order is the error of the worse one. Round-off: values are taken to be wrong by 64 units in the last place
 * of the largest of them, or of `size` where the terms that a value is summed from are larger than the value; the
 * weights of the eight values sum to 2.1/h. */
static inline void difference(const curve *f, double h, double size, double *derivative, double *bound) {
    static const double w6[3] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0},
                        w8[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    double plus[DIFFERENCE_MAX], minus[DIFFERENCE_MAX], d6[DIFFERENCE_MAX] = {0.0}, largest = size;
    for (int i = 0; i < f->rows; i++) {
        derivative[i] = 0.0;
    }
    for (int k = 1; k <= 4; k++) {
        f->value(f->arg, k * h, plus);
        f->value(f->arg, -k * h, minus);
        for (int i = 0; i < f->rows; i++) {
            const double d = (plus[i] - minus[i]) / h;
            d6[i] += k <= 3 ? w6[k - 1] * d : 0.0;
            derivative[i] += w8[k - 1] * d;
            largest = fmax(largest, fmax(fabs(plus[i]), fabs(minus[i])));
        }
    }
    for (int i = 0; i < f->rows; i++) {
        bound[i] = fabs(derivative[i] - d6[i]) + 64.0 * DBL_EPSILON * 2.1 * largest / h;
    }
}

/* |a - b| <= bound, false for a NaN anywhere. */
static inline bool close_to(double a, double b, double bound) { return fabs(a - b) <= bound; }

#endif
