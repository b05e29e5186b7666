/* Jacobi's elliptic functions and the integral of the first kind, accurate up to and on the separatrix
 * (dlmf 19.2, 22.12). */
#pragma once

#include <stepbench/scalar.h>

/* The modulus as k^2 and its complement c^2 = 1 - k^2. Both are stored, since near the separatrix c^2 computed from k^2
 * has no accuracy. K is the quarter period, infinite on the separatrix; Kc is the quarter period of the complementary
 * modulus. */
typedef struct sb_elliptic {
    sb_scalar k2, c2, K, Kc;
} sb_elliptic;

/* Below this c^2 sums of hyperbolic functions are used, since the error of dn by the arithmetic-geometric mean is
 * round-off over c. */
#define SB_ELLIPTIC_HYPERBOLIC 0.1
/* The least normal number. */
#define SB_ELLIPTIC_LEAST (4.0 / SB_MAX)

/* Returns Carlson's integral R_F; at most one argument is zero. Duplication brings the arguments together until the
 * omitted terms of sixth order are below round-off (carlson95; dlmf 19.36.1). */
static inline sb_scalar sb_carlson_rf(sb_scalar x, sb_scalar y, sb_scalar z) {
    const sb_scalar least = pow(3.0 * SB_EPSILON, 1.0 / (sb_scalar)6.0);
    for (;;) {
        const sb_scalar mean = (x + y + z) / 3.0, X = 1.0 - x / mean, Y = 1.0 - y / mean, Z = -(X + Y);
        if (fmax(fabs(X), fmax(fabs(Y), fabs(Z))) <= least) {
            const sb_scalar E2 = X * Y - Z * Z, E3 = X * Y * Z;
            return (1.0 - E2 / 10.0 + E3 / 14.0 + E2 * E2 / 24.0 - 3.0 * E2 * E3 / 44.0) / sqrt(mean);
        }
        const sb_scalar add = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        x = 0.25 * (x + add);
        y = 0.25 * (y + add);
        z = 0.25 * (z + add);
    }
}

/* Computes Jacobi's functions by the arithmetic-geometric mean (dlmf 22.20.ii). */
static inline void sb_elliptic_mean(sb_scalar k2, sb_scalar c2, sb_scalar u, sb_scalar *sn, sb_scalar *cn,
                                    sb_scalar *dn) {
    enum { LEVELS = 16 }; /* each squares c_n/a_n, 1/2 or less after the first */
    sb_scalar a = 1.0, b = sqrt(c2), ratio[LEVELS], phi = u;
    int n = 0;
    for (sb_scalar c = sqrt(k2); n < LEVELS && c > SB_EPSILON * a; n++) {
        c = 0.5 * (a - b);
        const sb_scalar product = a * b;
        a = 0.5 * (a + b);
        b = sqrt(product);
        ratio[n] = c / a;
        phi *= 2.0;
    }
    for (phi *= a; n > 0; n--) {
        phi = 0.5 * (phi + asin(ratio[n - 1] * sin(phi)));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(c2 + k2 * *cn * *cn);
}

/* Prepares a modulus, 0 <= k2 <= 1. A c2 whose square root is no normal number is replaced by zero. */
static inline sb_elliptic sb_elliptic_new(sb_scalar k2, sb_scalar c2) {
    sb_elliptic e = {k2, c2 > SB_ELLIPTIC_LEAST ? c2 : 0.0, INFINITY, INFINITY};
    if (e.c2 > 0.0) {
        e.K = sb_carlson_rf(0.0, e.c2, 1.0);
    }
    if (e.c2 < SB_ELLIPTIC_HYPERBOLIC) {
        e.Kc = sb_carlson_rf(0.0, e.k2, 1.0);
    }
    return e;
}

/* Returns u with sn : cn = y : x, x >= 0, the integral of the first kind in Carlson's form (dlmf 19.25.5). The
 * arguments are a sine and a cosine, because an angle close to pi/2 is too inaccurate close to the separatrix. The
 * result is infinite at x = 0 on the separatrix. */
static inline sb_scalar sb_elliptic_inverse(const sb_elliptic *e, sb_scalar y, sb_scalar x) {
    const sb_scalar r = hypot(x, y), s = r > 0.0 ? y / r : 0.0, c = r > 0.0 ? x / r : 1.0, dn2 = c * c + e->c2 * s * s;
    return dn2 > SB_ELLIPTIC_LEAST ? s * sb_carlson_rf(c * c, dn2, 1.0) : copysign(INFINITY, y);
}

/* Computes sn, cn and dn. */
static inline void sb_elliptic_jacobi(const sb_elliptic *e, sb_scalar u, sb_scalar *sn, sb_scalar *cn, sb_scalar *dn) {
    const sb_scalar r = e->c2 > 0.0 ? remainder(u, 4.0 * e->K) : u;
    if (e->c2 >= SB_ELLIPTIC_HYPERBOLIC) {
        sb_elliptic_mean(e->k2, e->c2, r, sn, cn, dn);
        return;
    }
    /* Here |r| <= 2K, K >= 2.57 and Kc <= 1.62, so that the first omitted term, at a distance of 16 K, is below e^-40;
     * with twice the terms below e^-80. */
    const int terms = e->c2 > 0.0 ? 8 * SB_PRECISION : 0;
    const sb_scalar scale = 0.5 * SB_PI / e->Kc;
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
