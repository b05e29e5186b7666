/* Forces and torques on a mechanism that are given in time. */
#include "problems/shared/joints_applied.h"

void joints_turning(const sb_scalar axis[3], const sb_scalar other[4], bool of_rate, sb_scalar out[4]) {
    for (int j = 0; j < 4; j++) {
        sb_scalar unit[4], product[4];
        quaternion_unit(j, unit);
        const sb_scalar *a = of_rate ? unit : other, *b = of_rate ? other : unit;
        quaternion_product(a, (sb_scalar[4]){b[0], -b[1], -b[2], -b[3]}, product);
        out[j] = 2.0 * (axis[0] * product[1] + axis[1] * product[2] + axis[2] * product[3]);
    }
}

static int applied_value(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    const applied_forces *p = self;
    SB_TRY(joints_force(p->all, t, q, v, f));
    for (const applied *a = p->list; a < p->list + p->count; a++) {
        sb_scalar F[3], d[JOINT_SIZE];
        motion_at(&a->size, t, F);
        if (a->row != NULL) {
            joint_row_at(p->all, a->row, q, d, NULL);
            for (int j = 0; j < a->row->count; j++) {
                f[a->row->coordinate[j]] += F[0] * d[j];
            }
        } else if (p->all->body[a->body].planar) {
            f[p->all->body[a->body].at + PLANAR_PHI] += F[0];
        } else {
            const int at = p->all->body[a->body].at + BODY_E;
            joints_turning(a->axis, q + at, true, d);
            for (int j = 0; j < 4; j++) {
                f[at + j] += F[0] * d[j];
            }
        }
    }
    return SB_OK;
}

/* A torque's force is linear in the quaternion. Entry (j, i) of a body's block of quaternions is its 3 + 4 i + j th. */
static int applied_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                            sb_scalar cv, sb_scalar *Hx) {
    const applied_forces *p = self;
    SB_TRY(joints_force_jacobian(p->all, t, q, v, cq, cv, Hx));
    for (const applied *a = p->list; a < p->list + p->count; a++) {
        sb_scalar F[3], d[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE];
        motion_at(&a->size, t, F);
        if (a->row != NULL) {
            joint_row_at(p->all, a->row, q, d, X);
            joint_row_add(a->row, cq * F[0], X, Hx);
        }
        for (int i = 0; i < 4 && a->row == NULL && !p->all->body[a->body].planar; i++) {
            sb_scalar unit[4];
            quaternion_unit(i, unit);
            joints_turning(a->axis, unit, true, d);
            for (int j = 0; j < 4; j++) {
                Hx[p->all->at_body[a->body][3 + 4 * i + j]] += cq * F[0] * d[j];
            }
        }
    }
    return SB_OK;
}

void applied_finish(const joints *all, applied_forces *p, sb_system *out) {
    p->all = all;
    out->force = (sb_force){p, applied_value, applied_jacobian};
}
