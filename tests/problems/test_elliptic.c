/* Jacobi's elliptic functions on both sides of the switch of formula and next to the separatrix: identities, special
 * values, inverse. */
#include <float.h>
#include <stddef.h>

#include <gsl/gsl_test.h>

#include "problems/shared/elliptic.h"

static void at(const sb_elliptic *e, double u) {
    double sn, cn, dn;
    sb_elliptic_jacobi(e, u, &sn, &cn, &dn);
    /* A unit in the last place of u, of the sums, and GSL's (round-off)/c, at most 1/sqrt(0.1). */
    const double tolerance = 32.0 * DBL_EPSILON * (1.0 + fabs(u));
    gsl_test_abs(sn * sn + cn * cn, 1.0, tolerance, "sn^2 + cn^2 = 1 at k'^2 = %g, u = %g", e->c2, u);
    gsl_test_abs(dn * dn, e->c2 + e->k2 * cn * cn, tolerance, "dn^2 = k'^2 + k^2 cn^2 at k'^2 = %g, u = %g", e->c2, u);
    double h_sn, h_cn, h_dn;
    sb_elliptic_jacobi(e, 0.5 * u, &h_sn, &h_cn, &h_dn);
    /* dlmf 22.6.5: sn 2u (1 - k^2 sn^4) = 2 sn cn dn; it ties values to arguments, as no identity at one u does. */
    gsl_test_abs(sn * (1.0 - e->k2 * h_sn * h_sn * h_sn * h_sn), 2.0 * h_sn * h_cn * h_dn, tolerance,
                 "sn 2u at k'^2 = %g, u = %g", e->c2, u);
    if (fabs(u) <= (e->c2 > 0.0 ? e->K : 5.0)) {
        /* am' = dn: near u = K a unit in sn and cn moves u by 1/dn units. */
        gsl_test_abs(sb_elliptic_inverse(e, sn, cn), u, tolerance * (1.0 + 1.0 / dn), "inverse at k'^2 = %g, u = %g",
                     e->c2, u);
    }
}

int main(void) {
    static const double c2[] = {1.0, 0.7, 0.1, 0.0999999, 0.03, 1e-3, 1e-8, 1e-20, 1e-200, 0.0};
    for (size_t i = 0; i < sizeof c2 / sizeof *c2; i++) {
        const sb_elliptic e = sb_elliptic_new(1.0 - c2[i], c2[i]);
        for (int k = -40; k <= 40; k++) {
            at(&e, 0.37 * k);
        }
        if (c2[i] > 0.0) {
            double sn, cn, dn;
            sb_elliptic_jacobi(&e, e.K, &sn, &cn, &dn);
            /* The values at K to relative accuracy, which k^2 alone could not give. */
            gsl_test_abs(sn, 1.0, 4.0 * DBL_EPSILON, "sn K = 1 at k'^2 = %g", c2[i]);
            gsl_test_rel(dn, sqrt(c2[i]), 64.0 * DBL_EPSILON * (1.0 + e.K), "dn K = k' at k'^2 = %g", c2[i]);
            at(&e, 1e4);
        }
    }
    /* Lemniscate: K(1/sqrt 2) = Gamma(1/4)^2/(4 sqrt pi). */
    const double quarter = tgamma(0.25);
    gsl_test_rel(sb_elliptic_new(0.5, 0.5).K, quarter * quarter / (4.0 * sqrt(M_PI)), 8.0 * DBL_EPSILON,
                 "K of the lemniscate");
    return gsl_test_summary();
}
