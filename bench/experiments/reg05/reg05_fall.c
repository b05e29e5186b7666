/* reg05 Fig. 6.5: the time that the pendulum takes to fall from the horizontal by the implicit stepper. */
#include <gsl/gsl_sf_ellint.h>

#include "analysis/row.h"
#include "bench/experiments/reg05/reg05_runs.h"
#include "bench/runner/experiment_tools.h"

enum { STEPS = 2, MOST = 21 };

/* Returns the time of a slow fall, s. A step along the tangent leaves the circle by (h v)^2/(2 l). The force of the
 * spring for this violation, divided by c, enters the linearized matrix as geometric stiffness: it adds h^4 v^2/(2 c
 * l^2) to the inertia, and under gravity g cos the speed is v = (2 c g cos l^2/h^3)^(1/3). A quarter turn takes l/v,
 * with v at cos = 1, times the integral of cos^(-1/3) from 0 to pi/2, sqrt(pi) Gamma(1/3)/(2 Gamma(5/6)) = 2.1033. */
static double law(double h, double c) {
    return 0.5 * sqrt(M_PI) * tgamma(1.0 / 3.0) / tgamma(5.0 / 6.0) * h / cbrt(2.0 * c * SB_REG05_G);
}

/* Returns the compliance below which the speed alternates. The recurrence v1 (1 + a v^2) = v + h g, a = h^4/(2 c l^2),
 * alternates if 2 a v^2 - 1 > 1 + a v^2 at its fixed point a v^3 = h g. */
static double alternating_below(double h) { return pow(h, 6.0) * SB_REG05_G * SB_REG05_G / 16.0; }

/* The law holds for v^2 small against g l. The start and the end at the vertical, where inertia dominates, add
 * corrections of relative size v^2/(g l) each: together a tenth for v^2 <= g l/20. */
static const double slow = 1.0 / 20.0;
/* Duration of the runs, s. The longest fall by the law takes 80 s, at c = 1e-13 and h = 1/240 s. */
static const double longest = 120.0;

static int measure(sb_bench *bench, double h, double c, double exact, sb_table *table, sb_reg05_run runs[3]) {
    const double v2 = pow(2.0 * c * SB_REG05_G / (h * h * h), 2.0 / 3.0);
    const bool steady = c > alternating_below(h);
    for (int i = 0; i < 3; i++) {
        SB_TRY(sb_reg05_pendulum(bench, (sb_reg05_method)i, c, h, i == SB_REG05_IMPLICIT ? longest : 1.0, &runs[i]));
    }
    return SB_TABLE_ROW(table, sb_real(h), sb_real(c), sb_known(runs[0].fall), sb_known(runs[1].fall),
                        sb_known(runs[2].fall), sb_real(exact), sb_real(law(h, c)),
                        sb_yes(steady && v2 <= slow * SB_REG05_G), sb_known(fabs(runs[0].fall / law(h, c) - 1.0)),
                        sb_int(steady), sb_text(runs[0].failure == NULL ? SB_STATUS_OK : runs[0].failure));
}

SB_DEFINE_EXPERIMENT(reg05_fall) {
    static const double h[STEPS] = {1.0 / 60.0, 1.0 / 240.0};
    static const int points[STEPS] = {19, 17};
    const double exact = gsl_sf_ellint_Kcomp(sqrt(0.5), GSL_PREC_DOUBLE) / sqrt(SB_REG05_G);
    double swing = NAN;
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_fall", &table));
    for (int i = 0; i < STEPS; i++) {
        for (int k = 0; k < points[i]; k++) {
            sb_reg05_run runs[3];
            const double c = i == 0 ? pow(10.0, -2.0 - k) : pow(10.0, -9.0 - 0.25 * k);
            SB_TRY(measure(bench, h[i], c, exact, &table, runs));
            if (i == 0 && k == 6) { /* c = 1e-8 */
                swing = sb_reg05_max(&runs[0], runs[0].x, SB_REG05_SHOWN - SB_REG05_SWING, SB_REG05_SHOWN);
            }
        }
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_fall.csv"));
    return sb_bench_measure(bench, "reg05-f65/stops", swing, 0.0);
}
