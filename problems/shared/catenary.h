/* The equilibrium of a thread of rigid links between two points of equal height, with weights at the joints. The
 * horizontal force is the same in every link; the vertical force increases at each joint by its weight. */
#pragma once

#include <stepbench/context.h>

/* The force in link k is (horizontal, vertical[k]) towards its right end, in N. */
typedef struct catenary {
    int links;
    sb_scalar l, distance;
    const sb_scalar *weight; /* links - 1: of the joints */
    sb_scalar horizontal, *vertical;
} catenary;

static inline void catenary_forces(catenary *c, sb_scalar horizontal, sb_scalar first) {
    c->horizontal = horizontal;
    c->vertical[0] = first;
    for (int k = 1; k < c->links; k++) {
        c->vertical[k] = c->vertical[k - 1] + c->weight[k - 1];
    }
}

/* Returns l sum |force| - distance horizontal, a convex function of the two forces at the left end whose minimum is the
 * equilibrium. Its gradient is the displacement of the right end from its position. */
static inline sb_scalar catenary_energy(const catenary *c, sb_scalar gradient[2], sb_scalar hessian[3]) {
    sb_scalar value = -c->distance * c->horizontal;
    gradient[0] = -c->distance;
    gradient[1] = hessian[0] = hessian[1] = hessian[2] = 0.0;
    for (int k = 0; k < c->links; k++) {
        const sb_scalar H = c->horizontal, V = c->vertical[k], T = hypot(H, V), a = c->l / T;
        value += c->l * T;
        gradient[0] += a * H;
        gradient[1] += a * V;
        hessian[0] += a * (V / T) * (V / T);
        hessian[1] -= a * (V / T) * (H / T);
        hessian[2] += a * (H / T) * (H / T);
    }
    return value;
}

/* Solves by a damped Newton iteration; returns false when no horizontal force keeps every link taut. */
static inline bool catenary_solve(catenary *c) {
    sb_scalar total = 0.0, moment = 0.0, gradient[2], hessian[3];
    for (int k = 0; k < c->links - 1; k++) {
        total += c->weight[k];
        moment += c->weight[k] * (k + 1) / c->links;
    }
    const sb_scalar span = c->distance / (c->l * c->links);
    catenary_forces(c, 0.5 * total * span / sqrt((1.0 - span) * (1.0 + span)), moment - total);
    for (int iteration = 0; iteration < 200; iteration++) {
        const sb_scalar H = c->horizontal, V = c->vertical[0], value = catenary_energy(c, gradient, hessian);
        const sb_scalar det = hessian[0] * hessian[2] - hessian[1] * hessian[1];
        const sb_scalar dH = (hessian[1] * gradient[1] - hessian[2] * gradient[0]) / det,
                        dV = (hessian[1] * gradient[0] - hessian[0] * gradient[1]) / det;
        const sb_scalar slope = gradient[0] * dH + gradient[1] * dV;
        /* The sum has one term per link; the sizes of all terms add up to value + 2 distance H. */
        const sb_scalar rounding = SB_EPSILON * c->links * (fabs(value) + 2.0 * c->distance * H);
        sb_scalar unused[5], fraction = 1.0;
        /* The remaining error is of the order of the square of the correction. */
        if (!(hypot(dH, dV) > 1e-9 * hypot(H, total))) {
            catenary_forces(c, H + dH, V + dV);
            return isfinite(dH) && isfinite(dV) && c->horizontal > 0.0;
        }
        for (int k = 0; k < 60; k++, fraction *= 0.5) {
            catenary_forces(c, H + fraction * dH, V + fraction * dV);
            /* A tenth of the decrease that the slope predicts; near the minimum it is below round-off. */
            if (c->horizontal > 0.0 &&
                catenary_energy(c, unused, unused + 2) <= value + 0.1 * fraction * slope + rounding) {
                break;
            }
        }
    }
    return false;
}
