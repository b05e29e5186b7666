/* Derivatives of a curve by central differences of eighth order over several steps. */
#include <stepbench/numerics/norm.h>

#include "analysis/system/difference.h"

/* Steps 0.1, 0.025, ... times the interval length `reach`. The last three, of at most 6e-6 of it, are so short that the
 * eighth difference is only round-off, unless a singularity is nearer than 1e-4 of the reach. */
enum { LEVELS = 10, NOISE_LEVELS = 3, POINTS = 9 };
static const double first_step = 0.1, ratio = 0.25;

/* The sums for every row and level. */
enum { D8, D6, D_EIGHTH, SIZE, SUMS };

/* The eighth difference of independent errors of variance 1 has the variance sum C(8,k)^2 = C(16,8) = 12870. */
static const double sqrt_c16_8 = 113.4; /* sqrt(12870) */

/* A bound in standard deviations. The standard deviation is estimated by the largest of three samples; the estimate is
 * 10 times too small, or more, with probability 5e-4. If it is 10 times too small, 32 estimated standard deviations are
 * still about 3 true ones. The error of the formula of eighth order itself is 1.2 standard deviations over h. */
static const double deviations = 32.0;

/* Values differ from exact ones by some units in the last place even if none of their differences shows it. */
static const double unit = 4.0 * DBL_EPSILON;

int sb_difference_init(sb_arena *arena, int room, sb_difference_work *out) {
    out->room = room;
    SB_NEW(arena, out->values, (POINTS + 1) * room);
    SB_NEW(arena, out->sums, LEVELS * SUMS * room);
    return SB_OK;
}

/* Computes the differences with the step h. The value at 0 is the first row of work->values. */
static int set_sums(const sb_curve *f, double h, const sb_difference_work *work, double *sums) {
    static const double w6[4] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0, 0.0},
                        w8[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0}, wd[4] = {-56.0, 28.0, -8.0, 1.0};
    const double *centre = work->values;
    double *plus = work->values + work->room, *minus = plus + work->room;
    for (int i = 0; i < f->rows; i++) {
        double *s = sums + SUMS * i;
        s[D8] = s[D6] = 0.0;
        s[D_EIGHTH] = 70.0 * centre[i];
        s[SIZE] = fabs(centre[i]);
    }
    for (int k = 1; k <= 4; k++) {
        SB_TRY(f->value(f->arg, k * h, plus));
        SB_TRY(f->value(f->arg, -k * h, minus));
        for (int i = 0; i < f->rows; i++) {
            double *s = sums + SUMS * i;
            const double d = (plus[i] - minus[i]) / h;
            s[D8] += w8[k - 1] * d;
            s[D6] += w6[k - 1] * d;
            s[D_EIGHTH] += wd[k - 1] * (plus[i] + minus[i]);
            s[SIZE] = sb_larger(s[SIZE], sb_larger(fabs(plus[i]), fabs(minus[i])));
        }
    }
    return SB_OK;
}

int sb_difference(const sb_curve *f, double reach, sb_difference_work *work, double *derivative, double *bound,
                  double *size) {
    const int stride = SUMS * work->room;
    double h[LEVELS];
    bool valid[LEVELS];
    SB_TRY(f->value(f->arg, 0.0, work->values));
    for (int k = 0; k < LEVELS; k++) {
        h[k] = reach * first_step * pow(ratio, k);
        valid[k] = set_sums(f, h[k], work, work->sums + stride * k) == SB_OK;
    }
    for (int i = 0; i < f->rows; i++) {
        double noise = 0.0;
        size[i] = fabs(work->values[i]);
        for (int k = LEVELS - NOISE_LEVELS; k < LEVELS; k++) {
            const double *s = work->sums + stride * k + SUMS * i;
            noise = valid[k] ? sb_larger(noise, fabs(s[D_EIGHTH]) / sqrt_c16_8) : noise;
            size[i] = valid[k] ? sb_larger(size[i], s[SIZE]) : size[i];
        }
        derivative[i] = 0.0;
        bound[i] = INFINITY;
        for (int k = 0; k < LEVELS; k++) {
            const double *s = work->sums + stride * k + SUMS * i, *next = s + stride;
            if (!valid[k]) {
                continue;
            }
            /* Truncation error: the formula of sixth order has a larger one, the next shorter step a smaller one. */
            double error = fabs(s[D8] - s[D6]);
            error = k + 1 < LEVELS && valid[k + 1] ? sb_larger(error, fabs(s[D8] - next[D8])) : error;
            const double total = 2.0 * error + deviations * sb_larger(noise, unit * s[SIZE]) / h[k];
            if (total < bound[i]) {
                derivative[i] = s[D8];
                bound[i] = total;
            }
        }
    }
    return SB_OK;
}

int sb_difference_noise(const sb_curve *f, double h, sb_difference_work *work, double *noise, double *size) {
    SB_TRY(f->value(f->arg, 0.0, work->values));
    for (int level = 0; level < NOISE_LEVELS; level++) {
        SB_TRY(set_sums(f, h * pow(ratio, level), work, work->sums));
        for (int i = 0; i < f->rows; i++) {
            const double *s = work->sums + SUMS * i, now = fabs(s[D_EIGHTH]) / sqrt_c16_8;
            size[i] = level == 0 ? s[SIZE] : sb_larger(size[i], s[SIZE]);
            noise[i] = level == 0 ? now : sb_larger(noise[i], now);
        }
    }
    for (int i = 0; i < f->rows; i++) {
        noise[i] = deviations * sb_larger(noise[i], unit * size[i]);
    }
    return SB_OK;
}
