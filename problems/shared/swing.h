/* The motion of a pendulum, theta'' = -w^2 sin theta, by Jacobi's elliptic functions (landau76, 11): sin(theta/2) =
 * k sn(u) in libration and sn(u) in rotation, u = u0 + rate t. */
#pragma once

#include <stdbool.h>

#include "problems/shared/elliptic.h"

typedef struct swing {
    sb_scalar w;
    bool rotates;
    sb_scalar k;    /* sine of half the amplitude; 1 in rotation */
    sb_scalar rate; /* signed */
    sb_scalar u0;
    sb_elliptic elliptic;
} swing;

/* The angle, by its half, and its rate. */
typedef struct swing_state {
    sb_scalar s, c, rate; /* sine and cosine of theta/2, theta' */
} swing_state;

/* Prepares the motion from the angle theta0 from the lowest point, at the rate omega0. With 2 W the rate at the lowest
 * point the motion rotates when W exceeds w. */
static inline swing swing_new(sb_scalar w, sb_scalar theta0, sb_scalar omega0) {
    swing p = {.w = w};
    const sb_scalar half = 0.5 * remainder(theta0, 2.0 * SB_PI), spin = 0.5 * fabs(omega0), s = sin(half),
                    c = cos(half);
    const sb_scalar W = hypot(w * s, spin), gap = (w * c - spin) * (w * c + spin); /* w^2 - W^2 */
    p.rotates = !(gap > 0.0);
    if (p.rotates) {
        p.k = 1.0;
        p.rate = copysign(W, omega0);
        p.elliptic = W > 0.0 ? sb_elliptic_new(w / W * (w / W), -gap / (W * W)) : sb_elliptic_new(0.0, 1.0);
        p.u0 = sb_elliptic_inverse(&p.elliptic, s, c);
    } else {
        p.k = W / w;
        p.rate = copysign(w, omega0);
        p.elliptic = sb_elliptic_new(p.k * p.k, gap / (w * w));
        p.u0 = sb_elliptic_inverse(&p.elliptic, w * s, spin);
    }
    return p;
}

static inline swing_state swing_at(const swing *p, sb_scalar t) {
    sb_scalar sn, cn, dn;
    sb_elliptic_jacobi(&p->elliptic, p->u0 + p->rate * t, &sn, &cn, &dn);
    return (swing_state){p->k * sn, p->rotates ? cn : dn, 2.0 * p->rate * (p->rotates ? dn : p->k * cn)};
}

/* Returns theta, continuous over the turns: theta = 2 am(u) in rotation. */
static inline sb_scalar swing_angle(const swing *p, sb_scalar t) {
    const sb_scalar u = p->u0 + p->rate * t,
                    turns = p->rotates && p->elliptic.c2 > 0.0 ? nearbyint(u / (2.0 * p->elliptic.K)) : 0.0;
    sb_scalar sn, cn, dn;
    sb_elliptic_jacobi(&p->elliptic, u - 2.0 * turns * (turns != 0.0 ? p->elliptic.K : 0.0), &sn, &cn, &dn);
    return 2.0 * (turns * SB_PI + atan2(p->k * sn, p->rotates ? cn : dn));
}

/* Returns the inverse of the frequency of small oscillations, or of the rate at the lowest point, 2 W, when that is
 * larger. */
static inline sb_scalar swing_time_scale(const swing *p) {
    const sb_scalar fastest = fmax(p->w, 2.0 * fabs(p->rate) * p->k);
    return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

/* Returns the period of a libration, or the time of one turn of a rotation; 0 on the separatrix and at rest without
 * gravity. */
static inline sb_scalar swing_period(const swing *p) {
    const sb_scalar period = (p->rotates ? 2.0 : 4.0) * p->elliptic.K / fabs(p->rate);
    return isfinite(period) ? period : 0.0;
}
