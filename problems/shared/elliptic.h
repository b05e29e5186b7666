/* Jacobi's elliptic functions and the integral of the first kind, accurate up to and on the separatrix
 * (dlmf 19.2, 22.12). */
#ifndef STEPBENCH_PROBLEMS_SHARED_ELLIPTIC_H
#define STEPBENCH_PROBLEMS_SHARED_ELLIPTIC_H

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>

#include <stepbench/scalar.h>

/* The modulus as k^2 and its complement c^2 = 1 - k^2, each with its own relative accuracy: near the separatrix c^2
 * cannot be computed from k^2. K is the quarter period, infinite on the separatrix; Kc that of the complementary
 * modulus. */
typedef struct sb_elliptic {
    sb_scalar k2, c2, K, Kc;
} sb_elliptic;

/* GSL takes k^2 alone, at an error of (round-off)/c: below this c^2 sums of hyperbolic functions are used. */
#define SB_ELLIPTIC_HYPERBOLIC 0.1

/* 0 <= k2 <= 1. A c2 whose square root is no normal number is taken as zero. */
static inline sb_elliptic sb_elliptic_new(sb_scalar k2, sb_scalar c2) {
    sb_elliptic e = {k2, c2 > 1e-300 ? c2 : 0.0, INFINITY, INFINITY};
    if (e.c2 > 0.0) {
        e.K = gsl_sf_ellint_RF(0.0, e.c2, 1.0, GSL_PREC_DOUBLE);
    }
    if (e.c2 < SB_ELLIPTIC_HYPERBOLIC) {
        e.Kc = gsl_sf_ellint_RF(0.0, e.k2, 1.0, GSL_PREC_DOUBLE);
    }
    return e;
}

/* u with sn : cn = y : x, x >= 0: the integral of the first kind in Carlson's form (dlmf 19.25.5). Taken from the sine
 * and the cosine, because an angle next to pi/2 would not do next to the separatrix. Infinite at x = 0 on the
 * separatrix. */
static inline sb_scalar sb_elliptic_inverse(const sb_elliptic *e, sb_scalar y, sb_scalar x) {
    const sb_scalar r = hypot(x, y), s = r > 0.0 ? y / r : 0.0, c = r > 0.0 ? x / r : 1.0, dn2 = c * c + e->c2 * s * s;
    return dn2 > 1e-300 ? s * gsl_sf_ellint_RF(c * c, dn2, 1.0, GSL_PREC_DOUBLE) : copysign(INFINITY, y);
}

static inline void sb_elliptic_jacobi(const sb_elliptic *e, sb_scalar u, sb_scalar *sn, sb_scalar *cn, sb_scalar *dn) {
    const sb_scalar r = e->c2 > 0.0 ? remainder(u, 4.0 * e->K) : u;
    if (e->c2 >= SB_ELLIPTIC_HYPERBOLIC) {
        gsl_sf_elljac_e(r, e->k2, sn, cn, dn);
        return;
    }
    /* |r| <= 2K, and K >= 2.57, Kc <= 1.62 here: the first term left out, at a distance of 16 K, is below e^-40. */
    const int terms = e->c2 > 0.0 ? 8 : 0;
    const sb_scalar scale = M_PI_2 / e->Kc;
    sb_scalar sum_tanh = 0.0, sum_alternating = 0.0, sum_sech = 0.0;
    for (int n = -terms; n <= terms; n++) {
        const sb_scalar x = scale * (n == 0 ? r : r - 2.0 * n * e->K), sign = n % 2 == 0 ? 1.0 : -1.0,
                        sech = 1.0 / cosh(x);
        sum_tanh += sign * tanh(x);
        sum_alternating += sign * sech;
        sum_sech += sech;
    }
    *sn = scale * sum_tanh / sqrt(e->k2);
    *cn = scale * sum_alternating / sqrt(e->k2);
    *dn = scale * sum_sech;
}

#endif
