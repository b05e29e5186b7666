/* What acts on the measures of joints: springs, dampers, forces, limits and armatures. */
#include "problems/shared/joints.h"
#include "problems/shared/pairs.h"

/* ---- Measures. ---- */

joint_measure sb_joints_length(const joint_vector points[2]) {
    return (joint_measure){MEASURE_DISTANCE, {sb_joints_distance(points[0], points[1], 0.0)}};
}

joint_measure sb_joints_displacement(const sb_scalar axis[3], const joint_vector points[2]) {
    const joint_vector along = {.body = points[0].body, .a = {axis[0], axis[1], axis[2]}};
    return (joint_measure){MEASURE_ROW, {sb_joints_sliding(along, points[0], points[1])}};
}

joint_measure sb_joints_angle(const joint_vector across[2], joint_vector follows) {
    return (joint_measure){MEASURE_ANGLE,
                           {sb_joints_perpendicular(across[1], follows), sb_joints_perpendicular(across[0], follows)}};
}

joint_measure sb_joints_turn(int first, int second) {
    return (joint_measure){MEASURE_ROW, {{.kind = JOINT_TURN, .vectors = 2, .u = {{.body = first}, {.body = second}}}}};
}

joint_measure sb_joints_sine(joint_vector first, joint_vector second) {
    return (joint_measure){MEASURE_SINE, {sb_joints_perpendicular(first, second)}};
}

/* With z = r_1 + i r_0: y = Im log z, y_q = Im w, y_qq = Im(z_qq/z - w w') where w = z_q/z. */
static sb_scalar angle_at(const joints *p, const joint_measure *y, const sb_scalar *q, sb_scalar *d,
                          sb_scalar X[JOINT_SIZE][JOINT_SIZE]) {
    sb_scalar dr[2][JOINT_SIZE], Xr[2][JOINT_SIZE][JOINT_SIZE], along[JOINT_SIZE], across[JOINT_SIZE], r[2];
    for (int k = 0; k < 2; k++) {
        r[k] = sb_joint_row_at(p, &y->row[k], q, d != NULL || X != NULL ? dr[k] : NULL, X != NULL ? Xr[k] : NULL);
    }
    const sb_scalar square = r[0] * r[0] + r[1] * r[1];
    for (int i = 0; i < y->row[0].count && (d != NULL || X != NULL); i++) {
        along[i] = (r[1] * dr[1][i] + r[0] * dr[0][i]) / square;
        across[i] = (r[1] * dr[0][i] - r[0] * dr[1][i]) / square;
        if (d != NULL) {
            d[i] = across[i];
        }
    }
    for (int i = 0; i < y->row[0].count && X != NULL; i++) {
        for (int j = 0; j < y->row[0].count; j++) {
            X[i][j] = (r[1] * Xr[0][i][j] - r[0] * Xr[1][i][j]) / square - along[i] * across[j] - across[i] * along[j];
        }
    }
    return atan2(r[0], r[1]);
}

sb_scalar sb_joint_measure_at(const joints *p, const joint_measure *y, const sb_scalar *q, sb_scalar d[JOINT_SIZE],
                              sb_scalar X[JOINT_SIZE][JOINT_SIZE]) {
    if (y->kind == MEASURE_ANGLE) {
        return angle_at(p, y, q, d, X);
    }
    sb_scalar own[JOINT_SIZE], *slope = d != NULL || X != NULL ? (d != NULL ? d : own) : NULL;
    const sb_scalar r = sb_joint_row_at(p, &y->row[0], q, slope, X);
    if (y->kind == MEASURE_ROW) {
        return r;
    }
    if (y->kind == MEASURE_SINE) { /* y_q = -r r_q/y, y_qq = -r r_qq/y - r_q r_q'/y^3 */
        const sb_scalar s = sqrt(1.0 - r * r);
        for (int i = 0; i < y->row[0].count && X != NULL; i++) {
            for (int j = 0; j < y->row[0].count; j++) {
                X[i][j] = -r * X[i][j] / s - slope[i] * slope[j] / (s * s * s);
            }
        }
        for (int i = 0; i < y->row[0].count && slope != NULL; i++) {
            slope[i] *= -r / s;
        }
        return s;
    }
    /* y_q = r_q/y, y_qq = (r_qq - y_q y_q')/y */
    const sb_scalar L = sqrt(2.0 * r);
    for (int i = 0; i < y->row[0].count && slope != NULL; i++) {
        slope[i] /= L;
    }
    for (int i = 0; i < y->row[0].count && X != NULL; i++) {
        for (int j = 0; j < y->row[0].count; j++) {
            X[i][j] = (X[i][j] - slope[i] * slope[j]) / L;
        }
    }
    return L > 0.0 || slope == NULL ? L : NAN;
}

/* ---- Sums. ---- */

sb_scalar sb_joint_sum_at(const joints *p, const joint_sum *sum, const sb_scalar *q, sb_scalar *Gx) {
    sb_scalar value = sum->constant, slope[JOINT_SIZE];
    for (int k = 0; k < 2; k++) {
        const joint_row *r = &sum->y[k].row[0];
        value += sum->factor[k] * sb_joint_measure_at(p, &sum->y[k], q, Gx != NULL ? slope : NULL, NULL);
        for (int j = 0; j < r->count && Gx != NULL; j++) {
            if (r->at_G[j] >= 0) {
                Gx[r->at_G[j]] += sum->factor[k] * slope[j];
            }
        }
    }
    return sum->period > 0.0 ? remainder(value, sum->period) : value;
}

void sb_joint_sum_hessian(const joints *p, const joint_sum *sum, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    sb_scalar X[JOINT_SIZE][JOINT_SIZE];
    for (int k = 0; k < 2; k++) {
        sb_joint_measure_at(p, &sum->y[k], q, NULL, X);
        sb_joint_row_add(&sum->y[k].row[0], c * sum->factor[k], X, Hx);
    }
}

sb_scalar sb_joint_sum_curvature(const joints *p, const joint_sum *sum, const sb_scalar *q, const sb_scalar *v) {
    sb_scalar X[JOINT_SIZE][JOINT_SIZE], value = 0.0;
    for (int k = 0; k < 2; k++) {
        const joint_row *r = &sum->y[k].row[0];
        sb_joint_measure_at(p, &sum->y[k], q, NULL, X);
        for (int i = 0; i < r->count; i++) {
            value += sum->factor[k] * v[r->coordinate[i]] * sb_joint_along(r, X[i], v);
        }
    }
    return value;
}

/* ---- Building. ---- */

int sb_joints_add_drive(sb_arena *arena, joints *p, joint_measure y, joint_drive **out) {
    SB_NEW(arena, *out, 1);
    **out = (joint_drive){.y = y, .limit = {-INFINITY, INFINITY}};
    p->drive[p->ndrives++] = *out;
    return SB_OK;
}

int sb_joints_add_sum(sb_arena *arena, joints *p, const joint_measure y[2], const sb_scalar factor[2], sb_scalar period,
                      const sb_scalar *q) {
    joint_sum *sum;
    SB_NEW(arena, sum, 1);
    *sum = (joint_sum){{y[0], y[1]}, {factor[0], factor[1]}, 0.0, period};
    sum->constant = -sb_joint_sum_at(p, sum, q, NULL);
    p->sum[p->nsums++] = sum;
    return SB_OK;
}

int sb_joints_add_spring(sb_arena *arena, joints *p, const joint_vector points[2], sb_scalar k, sb_scalar length,
                         sb_scalar c) {
    joint_drive *d;
    SB_TRY(sb_joints_add_drive(arena, p, sb_joints_length(points), &d));
    d->k = k;
    d->target.offset = length;
    d->c = c;
    sb_joints_declare(p, SB_SPRING, points, NULL);
    sb_world_part *part = &p->part[p->nparts - 1];
    part->stiffness = k;
    part->length = length;
    part->damping = c;
    return SB_OK;
}

/* ---- Potentials. ---- */

/* Returns y - w(t); an angle in space in (-pi, pi]. */
static sb_scalar beyond(const joint_drive *d, sb_scalar y, sb_scalar w) {
    return d->y.kind == MEASURE_ANGLE ? remainder(y - w, 2.0 * SB_PI) : y - w;
}

/* Returns how far y is beyond a limit, negative at the lower one; 0 between them. */
static sb_scalar past_limit(const joint_drive *d, sb_scalar y) {
    return fmax(y - d->limit[1], 0.0) + fmin(y - d->limit[0], 0.0);
}

void sb_joints_drives_potential(const joints *p, sb_scalar t, const sb_scalar *q, sb_scalar *V, sb_scalar *Vt) {
    sb_scalar w[3];
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        motion_at(&d->target, t, w);
        const sb_scalar y = sb_joint_measure_at(p, &d->y, q, NULL, NULL), e = beyond(d, y, w[0]),
                        past = past_limit(d, y);
        if (V != NULL) {
            *V += 0.5 * d->k * e * e + 0.5 * d->k_limit * past * past;
        }
        if (Vt != NULL) {
            *Vt -= d->k * e * w[1];
        }
    }
}

int sb_joints_drives_gradient(const joints *p, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    sb_scalar w[3], slope[JOINT_SIZE];
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        if (d->k == 0.0 && d->k_limit == 0.0) {
            continue;
        }
        motion_at(&d->target, t, w);
        const sb_scalar y = sb_joint_measure_at(p, &d->y, q, slope, NULL),
                        force = d->k * beyond(d, y, w[0]) + d->k_limit * past_limit(d, y);
        if (isnan(y)) {
            return SB_DOMAIN;
        }
        for (int j = 0; j < d->y.row[0].count; j++) {
            Vq[d->y.row[0].coordinate[j]] += force * slope[j];
        }
    }
    return SB_OK;
}

int sb_joints_drives_hessian(const joints *p, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    sb_scalar w[3], slope[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE];
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        if (d->k == 0.0 && d->k_limit == 0.0) {
            continue;
        }
        motion_at(&d->target, t, w);
        const sb_scalar y = sb_joint_measure_at(p, &d->y, q, slope, X), past = past_limit(d, y),
                        force = d->k * beyond(d, y, w[0]) + d->k_limit * past,
                        stiffness = d->k + (past != 0.0 ? d->k_limit : 0.0);
        if (isnan(y)) {
            return SB_DOMAIN;
        }
        for (int i = 0; i < d->y.row[0].count; i++) {
            for (int j = 0; j < d->y.row[0].count; j++) {
                X[i][j] = force * X[i][j] + stiffness * slope[i] * slope[j];
            }
        }
        sb_joint_row_add(&d->y.row[0], c, X, Hx);
    }
    return SB_OK;
}

/* ---- Forces. ---- */

bool sb_joint_drive_pushes(const joint_drive *d) {
    return d->c != 0.0 || d->c_limit != 0.0 || d->force.offset != 0.0 || motion_moves(&d->force);
}

/* Sets the force F - c (y' - r) - c_limit y' along y, and returns its damping -dF/dy'. */
static sb_scalar drive_force(const joint_drive *d, sb_scalar t, sb_scalar y, sb_scalar rate, sb_scalar *force) {
    const sb_scalar c_limit = past_limit(d, y) != 0.0 ? d->c_limit : 0.0;
    sb_scalar F[3], r[3];
    motion_at(&d->force, t, F);
    motion_at(&d->rate, t, r);
    *force = F[0] - d->c * (rate - r[0]) - c_limit * rate;
    return d->c + c_limit;
}

int sb_joints_drives_force(const joints *p, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    sb_scalar slope[JOINT_SIZE], force;
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        const joint_row *r = &d->y.row[0];
        if (!sb_joint_drive_pushes(d)) {
            continue;
        }
        const sb_scalar y = sb_joint_measure_at(p, &d->y, q, slope, NULL);
        if (isnan(y)) {
            return SB_DOMAIN;
        }
        drive_force(d, t, y, sb_joint_along(r, slope, v), &force);
        for (int j = 0; j < r->count; j++) {
            f[r->coordinate[j]] += force * slope[j];
        }
    }
    return SB_OK;
}

/* Q_q = F y_qq - C y_q (y_qq v)', Q_v = -C y_q y_q' with the damping C. */
int sb_joints_drives_jacobian(const joints *p, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                              sb_scalar cv, sb_scalar *Hx) {
    sb_scalar slope[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE], bend[JOINT_SIZE], force;
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        const joint_row *r = &d->y.row[0];
        if (!sb_joint_drive_pushes(d)) {
            continue;
        }
        const sb_scalar y = sb_joint_measure_at(p, &d->y, q, slope, X);
        if (isnan(y)) {
            return SB_DOMAIN;
        }
        const sb_scalar damping = drive_force(d, t, y, sb_joint_along(r, slope, v), &force);
        for (int i = 0; i < r->count; i++) {
            bend[i] = sb_joint_along(r, X[i], v);
        }
        for (int i = 0; i < r->count; i++) {
            for (int j = 0; j < r->count; j++) {
                X[i][j] = cq * (force * X[i][j] - damping * slope[i] * bend[j]) - cv * damping * slope[i] * slope[j];
            }
        }
        sb_joint_row_add(r, 1.0, X, Hx);
    }
    return SB_OK;
}

sb_scalar sb_joint_drive_effort(const joints *p, const joint_drive *d, sb_scalar t, const sb_scalar *q,
                                const sb_scalar *v, sb_scalar slope[JOINT_SIZE]) {
    sb_scalar w[3], force;
    const sb_scalar y = sb_joint_measure_at(p, &d->y, q, slope, NULL);
    motion_at(&d->target, t, w);
    drive_force(d, t, y, sb_joint_along(&d->y.row[0], slope, v), &force);
    return force - d->k * beyond(d, y, w[0]) - d->k_limit * past_limit(d, y);
}

/* ---- Dry friction: the direction D is y_q. ---- */

static int friction_slip(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Dx, sb_scalar *w) {
    const joints *p = self;
    sb_scalar slope[JOINT_SIZE];
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        const joint_row *r = &d->y.row[0];
        if (d->friction == 0.0) {
            continue;
        }
        sb_joint_measure_at(p, &d->y, q, slope, NULL);
        for (int j = 0; j < r->count && Dx != NULL; j++) {
            if (r->at_G[j] >= 0) {
                Dx[r->at_G[j]] = slope[j];
            }
        }
        if (w != NULL) {
            *w++ = 0.0;
        }
    }
    return SB_OK;
}

int sb_joints_friction(sb_arena *arena, const joints *p, sb_system *out) {
    sb_scalar *limit;
    int *of, count = 0;
    pairs D;
    SB_NEW(arena, limit, p->ndrives);
    SB_NEW(arena, of, p->ndrives);
    SB_TRY(pairs_new(arena, JOINT_SIZE * p->ndrives, &D));
    for (int k = 0; k < p->ndrives; k++) {
        const joint_row *r = &p->drive[k]->y.row[0];
        for (int j = 0; j < r->count && p->drive[k]->friction != 0.0; j++) {
            if (r->at_G[j] >= 0) {
                pairs_add(&D, r->coordinate[j], count);
            }
        }
        if (p->drive[k]->friction != 0.0) {
            limit[count] = p->drive[k]->friction;
            of[count++] = -1;
        }
    }
    if (count == 0) {
        return SB_OK;
    }
    out->contact = (sb_contact){.self = p, .k = count, .slip = friction_slip, .of = of, .limit = limit};
    SB_TRY(pairs_pattern(arena, &D, p->n, count, &out->contact.D));
    for (int k = 0, i = 0; k < p->ndrives; k++) {
        joint_row *r = &p->drive[k]->y.row[0];
        for (int j = 0; j < r->count && p->drive[k]->friction != 0.0; j++) {
            r->at_G[j] = r->at_G[j] >= 0 ? sb_pattern_find(&out->contact.D, r->coordinate[j], i) : -1;
        }
        i += p->drive[k]->friction != 0.0;
    }
    return SB_OK;
}

/* ---- Armatures: y' = s(q) v, linear in q. ---- */

/* Sets the derivatives of y' in v, or with `in_q` in q, in the coordinates of the measure. The rate of a body about an
 * axis a of its own is 2 a . conj(e) e'. */
static void armature_slope(const joints *p, const joint_drive *d, bool in_q, const sb_scalar *x,
                           sb_scalar out[JOINT_SIZE]) {
    const joint_row *r = &d->y.row[0];
    memset(out, 0, JOINT_SIZE * sizeof *out);
    for (int s = 0; s < 2; s++) {
        const joint_vector *u = &r->u[d->y.kind == MEASURE_ANGLE || r->kind == JOINT_TURN ? s : 1 + s];
        const sb_scalar sign = s == 0 ? -1.0 : 1.0;
        if (u->body == JOINTS_GROUND) {
            continue;
        }
        sb_scalar *to = out + r->from[u - r->u];
        const int at = p->body[u->body].at;
        if (d->y.kind == MEASURE_ANGLE) {
            for (int j = 0; j < 4; j++) {
                sb_scalar unit[4], y[4];
                sb_quaternion_unit(j, unit);
                sb_quaternion_ratio(in_q ? unit : x + at + BODY_E, in_q ? x + at + BODY_E : unit, y);
                to[BODY_E + j] = 2.0 * sign * (d->axis[s][0] * y[1] + d->axis[s][1] * y[2] + d->axis[s][2] * y[3]);
            }
        } else if (r->kind == JOINT_TURN) {
            to[PLANAR_PHI] = in_q ? 0.0 : sign;
        } else {
            for (int k = 0; k < (p->body[u->body].planar ? 2 : 3); k++) {
                to[k] = in_q ? 0.0 : sign * d->axis[0][k];
            }
        }
    }
}

static void add_square(const int at[JOINT_SIZE][JOINT_SIZE], int count, sb_scalar c, const sb_scalar *a,
                       const sb_scalar *b, sb_scalar *X) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            if (at[i][j] >= 0) {
                X[at[i][j]] += c * a[i] * b[j];
            }
        }
    }
}

void sb_joints_armature_mass(const joints *p, const sb_scalar *q, sb_scalar *Mx) {
    sb_scalar s[JOINT_SIZE];
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        if (d->armature != 0.0) {
            armature_slope(p, d, false, q, s);
            add_square(d->at_M, d->y.row[0].count, d->armature, s, s, Mx);
        }
    }
}

void sb_joints_armature_gradient(const joints *p, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    sb_scalar s[JOINT_SIZE], l[JOINT_SIZE];
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        const joint_row *r = &d->y.row[0];
        if (d->armature != 0.0) {
            armature_slope(p, d, false, q, s);
            armature_slope(p, d, true, v, l);
            const sb_scalar rate = sb_joint_along(r, s, v);
            for (int j = 0; j < r->count; j++) {
                Tq[r->coordinate[j]] += d->armature * rate * l[j];
            }
        }
    }
}

/* With y' = s v = l q: T_qq = I l l', T_vq = I (s l' + y' s_q). */
void sb_joints_armature_hessian(const joints *p, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                                sb_scalar cvq, sb_scalar *Hx) {
    sb_scalar s[JOINT_SIZE], l[JOINT_SIZE];
    for (int k = 0; k < p->ndrives; k++) {
        const joint_drive *d = p->drive[k];
        const joint_row *r = &d->y.row[0];
        if (d->armature == 0.0 || d->y.kind != MEASURE_ANGLE) {
            continue;
        }
        armature_slope(p, d, false, q, s);
        armature_slope(p, d, true, v, l);
        add_square(r->at_H, r->count, d->armature * cqq, l, l, Hx);
        add_square(r->at_H, r->count, d->armature * cvq, s, l, Hx);
        add_square(r->at_H, r->count, d->armature * cqv, l, s, Hx);
        const sb_scalar c = d->armature * sb_joint_along(r, s, v);
        for (int side = 0; side < 2; side++) {
            const int from = r->from[side] + BODY_E;
            for (int e = 0; e < 16 && r->u[side].body != JOINTS_GROUND; e++) {
                sb_scalar unit[2][4], y[4];
                sb_quaternion_unit(e / 4, unit[0]);
                sb_quaternion_unit(e % 4, unit[1]);
                sb_quaternion_ratio(unit[0], unit[1], y); /* of e_j = unit[0] and e'_i = unit[1] */
                const sb_scalar *a = d->axis[side],
                                B = (side == 0 ? -2.0 : 2.0) * c * (a[0] * y[1] + a[1] * y[2] + a[2] * y[3]);
                const int i = from + e % 4, j = from + e / 4;
                if (r->at_H[i][j] >= 0) {
                    Hx[r->at_H[i][j]] += cvq * B;
                    Hx[r->at_H[j][i]] += cqv * B;
                }
            }
        }
    }
}
