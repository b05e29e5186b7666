/* The group of unit quaternions in local coordinates: closed forms, iserles00. */
#include "integrators/shared/lie_group.h"

static sb_scalar dot(const sb_scalar a[3], const sb_scalar b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void sb_lie_tau(lie_map map, const sb_scalar phi[3], sb_scalar f[4]) {
    const sb_scalar square = dot(phi, phi), theta = sqrt(square);
    sb_scalar scale;
    switch (map) {
    case LIE_EXP:
        f[0] = cos(0.5 * theta);
        scale = theta > 0.0 ? sin(0.5 * theta) / theta : 0.5;
        break;
    case LIE_CAYLEY:
        f[0] = 1.0 / sqrt(1.0 + 0.25 * square);
        scale = 0.5 * f[0];
        break;
    case LIE_VECTOR:
    default:
        f[0] = sqrt(1.0 - 0.25 * square);
        scale = 0.5;
        break;
    }
    for (int i = 0; i < 3; i++) {
        f[1 + i] = scale * phi[i];
    }
}

/* D = alpha 1 + [phi]/2 + beta phi phi', where alpha and beta depend on theta^2; their derivatives along d(phi) are
 * alpha1 phi.d(phi) and beta1 phi.d(phi). */
typedef struct coefficients {
    sb_scalar square, alpha, beta, alpha1, beta1;
} coefficients;

/* beta = (1 - alpha)/theta^2 loses digits for a small theta, and beta phi phi' does not. */
static coefficients coefficients_of(lie_map map, const sb_scalar phi[3]) {
    coefficients c = {.square = dot(phi, phi), .alpha = 1.0};
    switch (map) {
    case LIE_EXP: {
        const sb_scalar x = 0.5 * sqrt(c.square), sine = sin(x);
        c.beta = 1.0 / (sb_scalar)12.0;
        c.alpha1 = -1.0 / (sb_scalar)6.0;
        if (c.square > SB_EPSILON) { /* below it alpha = 1 - theta^2/12 and its derivative are these to round-off */
            c.alpha = x * cos(x) / sine;
            c.beta = (1.0 - c.alpha) / c.square;
            c.alpha1 = (c.alpha - x * x / (sine * sine)) / c.square;
            c.beta1 = -(c.alpha1 + 2.0 * c.beta) / c.square;
        }
        return c;
    }
    case LIE_CAYLEY: c.beta = 0.25; return c;
    case LIE_VECTOR:
    default:
        c.alpha = sqrt(1.0 - 0.25 * c.square);
        c.alpha1 = -0.25 / c.alpha;
        return c;
    }
}

/* X = a 1 + b [phi] + c phi phi'. */
static void set_matrix(sb_scalar a, sb_scalar b, sb_scalar c, const sb_scalar phi[3], sb_scalar X[3][3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        X[i][i] = a + c * phi[i] * phi[i];
        X[i][j] = c * phi[i] * phi[j] - b * phi[k];
        X[i][k] = c * phi[i] * phi[k] + b * phi[j];
    }
}

void sb_lie_inverse_tangent(lie_map map, const sb_scalar phi[3], sb_scalar D[3][3]) {
    const coefficients c = coefficients_of(map, phi);
    set_matrix(c.alpha, 0.5, c.beta, phi, D);
}

/* The inverse of D: 1/(alpha + beta theta^2) along phi, and (alpha - [phi]/2)/(alpha^2 + theta^2/4) across it. */
void sb_lie_tangent(lie_map map, const sb_scalar phi[3], sb_scalar T[3][3]) {
    const coefficients c = coefficients_of(map, phi);
    const sb_scalar across = 1.0 / (c.alpha * c.alpha + 0.25 * c.square), along = 1.0 / (c.alpha + c.beta * c.square);
    set_matrix(c.alpha * across, -0.5 * across, c.square > 0.0 ? (along - c.alpha * across) / c.square : 0.0, phi, T);
}

void sb_lie_inverse_tangent_slope(lie_map map, const sb_scalar phi[3], const sb_scalar w[3], sb_scalar E[3][3]) {
    const coefficients c = coefficients_of(map, phi);
    const sb_scalar along = dot(phi, w);
    set_matrix(c.beta * along, -0.5, 0.0, w, E);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            E[i][j] += (c.alpha1 * w[i] + c.beta1 * along * phi[i]) * phi[j] + c.beta * phi[i] * w[j];
        }
    }
}
