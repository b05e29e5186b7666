/* Rigid bodies in space, reg05 2.1-2.4, with q = (x, e): the centre of mass and a unit quaternion, scalar first, body
 * to space. With y = conj(e) e' the kinetic energy of rotation is 2 y' diag(J0, J) y. The body rates are twice the
 * vector part of y. Its scalar part e.e' vanishes on (e.e - 1)/2 = 0, so that any J0 > 0 makes M(q) regular and does
 * not change the motion. */
#pragma once

#include <string.h>

#include <stepbench/numerics/quaternion.h>
#include <stepbench/plugin.h>

enum {
    BODY_E = 3,
    BODY_COORDINATES = 7,
    BODY_NNZ = 3 + 16
}; /* entries of a body in M and H: a diagonal of three and a full block */

typedef struct body {
    sb_scalar m;
    sb_scalar J[4]; /* J0, then the principal moments of inertia about the centre */
} body;

/* Adds c A' diag(J) B to X. Column j of A is conj(a) * e_j, or conj(e_j) * a if a_varies is set; column j of B
 * likewise. */
static inline void body_add_product(const body *p, sb_scalar c, const sb_scalar a[4], bool a_varies,
                                    const sb_scalar b[4], bool b_varies, sb_scalar *X) {
    sb_scalar A[4][4], B[4][4], unit[4];
    for (int j = 0; j < 4; j++) {
        sb_quaternion_unit(j, unit);
        sb_quaternion_ratio(a_varies ? unit : a, a_varies ? a : unit, A[j]);
        sb_quaternion_ratio(b_varies ? unit : b, b_varies ? b : unit, B[j]);
    }
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++) {
            sb_scalar sum = 0.0;
            for (int k = 0; k < 4; k++) {
                sum += A[i][k] * p->J[k] * B[j][k];
            }
            X[i + 4 * j] += c * sum;
        }
    }
}

/* Sets the entries of M: those of the centre, then the block of e. */
static inline void body_mass(const body *p, const sb_scalar *q, sb_scalar *Mx) {
    memset(Mx, 0, BODY_NNZ * sizeof *Mx);
    Mx[0] = Mx[1] = Mx[2] = p->m;
    body_add_product(p, 4.0, q + BODY_E, false, q + BODY_E, false, Mx + 3);
}

/* Sets z = J y. */
static inline void body_spin(const body *p, const sb_scalar *q, const sb_scalar *v, sb_scalar z[4]) {
    sb_quaternion_ratio(q + BODY_E, v + BODY_E, z);
    for (int k = 0; k < 4; k++) {
        z[k] *= p->J[k];
    }
}

/* Sets T_q = 4 e' * conj(z). */
static inline void body_kinetic_gradient(const body *p, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    sb_scalar z[4];
    body_spin(p, q, v, z);
    memset(Tq, 0, BODY_COORDINATES * sizeof *Tq);
    sb_quaternion_product(v + BODY_E, (sb_scalar[4]){4.0 * z[0], -4.0 * z[1], -4.0 * z[2], -4.0 * z[3]}, Tq + BODY_E);
}

/* With y = L(e) e' = N(e') e: T_qq = 4 N'JN and T_vq = 4 L'JN + 4 (. * z), whose transpose is T_qv. */
static inline void body_kinetic_hessian(const body *p, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq,
                                        sb_scalar cqv, sb_scalar cvq, sb_scalar *Hx) {
    const sb_scalar *e = q + BODY_E, *edot = v + BODY_E;
    sb_scalar *X = Hx + 3, z[4], unit[4], column[4];
    body_add_product(p, 4.0 * cqq, edot, true, edot, true, X);
    body_add_product(p, 4.0 * cvq, e, false, edot, true, X);
    body_add_product(p, 4.0 * cqv, edot, true, e, false, X);
    body_spin(p, q, v, z);
    for (int j = 0; j < 4; j++) {
        sb_quaternion_unit(j, unit);
        sb_quaternion_product(unit, z, column);
        for (int i = 0; i < 4; i++) {
            X[i + 4 * j] += 4.0 * cvq * column[i];
            X[j + 4 * i] += 4.0 * cqv * column[i];
        }
    }
}

/* Sets L to the angular momentum about the centre, in space. */
static inline void body_angular_momentum(const body *p, const sb_scalar *q, const sb_scalar *v, sb_scalar L[3]) {
    sb_scalar z[4];
    body_spin(p, q, v, z);
    sb_quaternion_rotate(q + BODY_E, q + BODY_E, (sb_scalar[3]){2.0 * z[1], 2.0 * z[2], 2.0 * z[3]}, L);
}

/* Sets the rate of the quaternion from the angular velocity w in space. */
static inline void body_set_turning(const sb_scalar *q, const sb_scalar w[3], sb_scalar *v) {
    sb_quaternion_product((sb_scalar[4]){0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}, q + BODY_E, v + BODY_E);
}
