/* The coefficients of collocation methods with twice the digits of a double. Expected are the nodes, the weights and
 * the first stage of Gauss's methods with two, three and six stages, from the formulas of hlw06 II.1.2 by mpmath, as
 * sums of two doubles. The transformation of the coefficients of Radau IIA to the eigenvalues of hw96 IV.8. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include <gsl/gsl_test.h>

#include "integrators/shared/collocation.h"
#include "integrators/shared/stages.h"

typedef struct rule {
    int s, legendre[COLLOCATION_MAX + 1];
    twofold c[COLLOCATION_MAX], b[COLLOCATION_MAX], a[COLLOCATION_MAX];
} rule;

static const rule rules[] = {
    {2,
     {1, -6, 6},
     {{0.2113248654051871, 1.1030435245950743e-17}, {0.7886751345948129, 1.6725140369678172e-17}},
     {{0.5, 0}, {0.5, 0}},
     {{0.25, -1.9446922743316068e-62}, {-0.03867513459481288, -2.8473525618637145e-18}}},
    {3,
     {-1, 12, -30, 20},
     {{0.11270166537925831, -2.5675694035077516e-19}, {0.5, 0}, {0.8872983346207417, -1.3621030867463682e-17}},
     {{0.2777777777777778, -1.2335811384723961e-17},
      {0.4444444444444444, 2.4671622769447922e-17},
      {0.2777777777777778, -1.2335811384723961e-17}},
     {{0.1388888888888889, -6.1679056923619804e-18},
      {-0.0359766675249389, -1.7131477166576787e-18},
      {0.009789444015308325, 6.8540256476165587e-19}}},
    {6,
     {1, -42, 420, -1680, 3150, -2772, 924},
     {{0.03376524289842399, -2.7549058501693557e-18},
      {0.16939530676686773, 1.1695420103743016e-17},
      {0.38069040695840156, -1.5836549933250686e-17},
      {0.6193095930415985, -3.9674601298007144e-17},
      {0.8306046932331322, 1.6060155511885896e-17},
      {0.966234757101576, -1.11228819576451e-17}},
     {{0.08566224618958518, -5.8151869872774869e-18},
      {0.1803807865240693, 6.5101754553007827e-19},
      {0.23395696728634552, 5.1641694417474086e-18},
      {0.23395696728634552, 5.1641694417474086e-18},
      {0.1803807865240693, 6.5101754553007827e-19},
      {0.08566224618958518, -5.8151869872774869e-18}},
     {{0.04283112309479259, -2.9075934936387435e-18},
      {-0.014763725997197413, 8.2233979618736351e-19},
      {0.009325050706477751, 2.3283822575969335e-19},
      {-0.005668858049483512, -2.8511425988535236e-19},
      {0.002854433315099335, 8.1543032569920831e-20},
      {-0.0008127801712647621, -4.8397847670935207e-20}}}};

/* hi is the nearest double. The error of the sum is that of some 100 operations with 2^-105 each; the Lagrange
 * polynomials of six nodes have coefficients up to 1e3, which cancel. */
static void near(twofold x, twofold expected, int s, const char *what) {
    const double off = fabs((x.hi - expected.hi) + (x.lo - expected.lo));
    gsl_test(!(off <= 1e5 * DBL_EPSILON * DBL_EPSILON) || !(fabs(x.hi - expected.hi) <= 0.0),
             "%s of %d stages is off by %.2g, its double by %.2g", what, s, off, fabs(x.hi - expected.hi));
}

/* hw96 IV.8: the coefficients A of Radau IIA with three stages have the eigenvalues gamma = (6 + 81^(1/3) - 9^(1/3))/30
 * and (12 - 81^(1/3) + 9^(1/3))/60 +- i sqrt(3) (81^(1/3) + 9^(1/3))/60. The entries of A T - T D and T T^-1 - 1 are
 * sums of at most six products; 64 roundings of their sizes allow for the errors of T. The average vector field and two
 * stages are not transformed. */
static void check_transformation(void) {
    const double root = sqrt(6.0), c[3] = {(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0}, x = cbrt(81.0) - cbrt(9.0),
                 y = sqrt(3.0) * (cbrt(81.0) + cbrt(9.0)), re = (12.0 - x) / 60.0, im = y / 60.0;
    stage_table table = {.s = 3}, pair = {.s = 2, .a = {{1.0, -1.0}, {1.0, 1.0}}, .a_hat = {{1.0, -1.0}, {1.0, 1.0}}},
                average = {.s = 3};
    stage_blocks to;
    for (int i = 0; i < 3; i++) {
        sb_stages_collocation(3, c, c[i], table.a[i]);
        for (int j = 0; j < 3; j++) {
            table.a_hat[i][j] = table.a[i][j];
            average.a[i][j] = average.a_hat[i][j] = c[i] / 3.0;
        }
    }
    gsl_test(sb_stages_blocks(&pair, &to) || sb_stages_blocks(&average, &to), "tables that are not transformed");
    gsl_test(!sb_stages_blocks(&table, &to), "three stages of Radau IIA are transformed");
    const double D[3][3] = {
        {to.real.a[0][0], 0.0, 0.0}, {0.0, to.pair.a[0][0], to.pair.a[0][1]}, {0.0, to.pair.a[1][0], to.pair.a[1][1]}};
    gsl_test_abs(D[0][0], (6.0 + x) / 30.0, 16.0 * DBL_EPSILON, "gamma");
    gsl_test_abs(D[1][1], re, 16.0 * DBL_EPSILON, "real part of the pair");
    gsl_test_abs(fabs(D[1][2]), im, 16.0 * DBL_EPSILON, "imaginary part of the pair");
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double off = 0.0, unit = i == j ? -1.0 : 0.0, size = 0.0, size_unit = 1.0;
            for (int k = 0; k < 3; k++) {
                off += table.a[i][k] * to.T[k][j] - to.T[i][k] * D[k][j];
                unit += to.T[i][k] * to.inverse[k][j];
                size += fabs(to.T[k][j]);
                size_unit += fabs(to.T[i][k] * to.inverse[k][j]);
            }
            gsl_test(!(fabs(off) <= 64.0 * DBL_EPSILON * size), "A T = T D at %d, %d: off by %.2g", i, j, off);
            gsl_test(!(fabs(unit) <= 64.0 * DBL_EPSILON * size_unit), "T T^-1 = 1 at %d, %d: off by %.2g", i, j, unit);
        }
    }
}

int main(void) {
    check_transformation();
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const rule *r = &rules[i];
        twofold c[COLLOCATION_MAX], a, b;
        double a_hi[COLLOCATION_MAX], a_lo[COLLOCATION_MAX], b_hi[COLLOCATION_MAX], b_lo[COLLOCATION_MAX];
        for (int j = 0; j < r->s; j++) {
            c[j] = sb_collocation_node(r->s, r->legendre, r->c[j].hi);
            near(c[j], r->c[j], r->s, "a node");
        }
        sb_collocation_weights(r->s, c, c[0], a_hi, a_lo);
        sb_collocation_weights(r->s, c, (twofold){1.0, 0.0}, b_hi, b_lo);
        for (int j = 0; j < r->s; j++) {
            a = (twofold){a_hi[j], a_lo[j]};
            b = (twofold){b_hi[j], b_lo[j]};
            near(a, r->a[j], r->s, "a coefficient");
            near(b, r->b[j], r->s, "a weight");
        }
    }
    return gsl_test_summary();
}
