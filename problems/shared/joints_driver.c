/* Nonholonomic rows of mechanisms: rates of bodies, and wheels that roll on a plane. */
#include "problems/shared/joints.h"
#include "problems/shared/pairs.h"

void sb_joints_turning(const sb_scalar axis[3], const sb_scalar other[4], bool in_a, sb_scalar out[4]) {
    for (int j = 0; j < 4; j++) {
        sb_scalar unit[4], product[4];
        sb_quaternion_unit(j, unit);
        const sb_scalar *a = in_a ? unit : other, *b = in_a ? other : unit;
        sb_quaternion_product(a, (sb_scalar[4]){b[0], -b[1], -b[2], -b[3]}, product);
        out[j] = 2.0 * (axis[0] * product[1] + axis[1] * product[2] + axis[2] * product[3]);
    }
}

/* Sets omega = 2 vec(e' conj(e)). */
static void turning_rate(const sb_scalar e[4], const sb_scalar rate[4], sb_scalar omega[3]) {
    sb_scalar product[4];
    sb_quaternion_product(rate, (sb_scalar[4]){e[0], -e[1], -e[2], -e[3]}, product);
    for (int k = 0; k < 3; k++) {
        omega[k] = 2.0 * product[1 + k];
    }
}

/* Sets u x t of a wheel with the axis a, or where da is not NULL its derivative along da. */
static void lever(const joint_driver *d, const sb_scalar a[3], const sb_scalar *da, sb_scalar out[3]) {
    const sb_scalar *n = d->normal, s = n[0] * a[0] + n[1] * a[1] + n[2] * a[2], w = sqrt(1.0 - s * s),
                    ds = da != NULL ? n[0] * da[0] + n[1] * da[1] + n[2] * da[2] : 0.0;
    sb_scalar x[3];
    for (int k = 0; k < 3; k++) {
        const sb_scalar u = (n[k] - s * a[k]) / w;
        x[k] = da == NULL ? u : -(ds * a[k] + s * da[k]) / w + u * s * ds / (w * w);
    }
    sb_cross(x, d->along, out);
}

void sb_joint_driver_row(const joints *p, const joint_driver *d, const sb_scalar *q, sb_scalar out[BODY_COORDINATES]) {
    const joints_body *b = &p->body[d->body];
    memset(out, 0, BODY_COORDINATES * sizeof *out);
    if (b->planar) {
        out[PLANAR_PHI] = 1.0;
    } else if (!d->rolls) {
        sb_joints_turning(d->axis, q + b->at + BODY_E, true, out + BODY_E);
    } else {
        sb_scalar a[3], arm[3];
        sb_joint_vector_at(p, &d->wheel, q, a, NULL);
        lever(d, a, NULL, arm);
        sb_joints_turning(arm, q + b->at + BODY_E, true, out + BODY_E);
        for (int k = 0; k < 4; k++) {
            out[BODY_E + k] *= -d->radius;
        }
        memcpy(out, d->along, sizeof d->along);
    }
}

/* Returns the number of the coordinates in a row, and sets the first of them among those of the body. */
static int row_size(const joints *p, const joint_driver *d, int *first) {
    const bool planar = p->body[d->body].planar;
    *first = planar ? PLANAR_PHI : d->rolls ? 0 : BODY_E;
    return planar ? 1 : BODY_COORDINATES - *first;
}

static int value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w) {
    const joints *p = self;
    sb_scalar row[BODY_COORDINATES];
    for (int i = 0; i < p->ndrivers; i++) {
        const joint_driver *d = &p->driver[i];
        int first;
        if (w != NULL) {
            w[i] = d->rate;
        }
        if (Ax != NULL) {
            const int count = row_size(p, d, &first);
            sb_joint_driver_row(p, d, q, row);
            memcpy(Ax, row + first, (size_t)count * sizeof *row);
            Ax += count;
        }
    }
    return SB_OK;
}

/* At constant e' the rate omega is constant, and d/dt (A v) = -r omega . (u' x t). */
static int rate(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const joints *p = self;
    for (int i = 0; i < p->ndrivers; i++) {
        const joint_driver *d = &p->driver[i];
        const int at = p->body[d->body].at + BODY_E;
        sb_scalar a[3], da[3] = {0.0}, J[3][BODY_COORDINATES], arm[3], omega[3];
        out[i] = 0.0;
        if (!d->rolls) {
            continue;
        }
        sb_joint_vector_at(p, &d->wheel, q, a, J);
        for (int k = 0; k < 12; k++) {
            da[k / 4] += J[k / 4][BODY_E + k % 4] * v[at + k % 4];
        }
        lever(d, a, da, arm);
        turning_rate(q + at, v + at, omega);
        for (int k = 0; k < 3; k++) {
            out[i] -= d->radius * omega[k] * arm[k];
        }
    }
    return SB_OK;
}

/* Sets the derivatives of the row of a wheel, times the velocities, in the quaternion. */
static void wheel_gradient(const joints *p, const joint_driver *d, const sb_scalar *q, const sb_scalar *v,
                           sb_scalar out[4]) {
    const int at = p->body[d->body].at + BODY_E;
    sb_scalar a[3], J[3][BODY_COORDINATES], arm[3], omega[3];
    sb_joint_vector_at(p, &d->wheel, q, a, J);
    lever(d, a, NULL, arm);
    turning_rate(q + at, v + at, omega);
    sb_joints_turning(arm, v + at, false, out);
    for (int j = 0; j < 4; j++) {
        const sb_scalar da[3] = {J[0][BODY_E + j], J[1][BODY_E + j], J[2][BODY_E + j]};
        lever(d, a, da, arm);
        out[j] = -d->radius * (out[j] + omega[0] * arm[0] + omega[1] * arm[1] + omega[2] * arm[2]);
    }
}

static int gradient(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *Ax) {
    const joints *p = self;
    for (const joint_driver *d = p->driver; d < p->driver + p->ndrivers; d++) {
        if (d->rolls) {
            memset(Ax, 0, BODY_E * sizeof *Ax);
            wheel_gradient(p, d, q, v, Ax + BODY_E);
            Ax += BODY_COORDINATES;
        } else {
            sb_joints_turning(d->axis, v + p->body[d->body].at + BODY_E, false, Ax);
            Ax += 4;
        }
    }
    return SB_OK;
}

int sb_joints_drivers(sb_arena *arena, const joints *p, sb_system *out) {
    pairs A;
    SB_TRY(pairs_new(arena, BODY_COORDINATES * p->ndrivers, &A));
    for (int k = 0; k < p->ndrivers; k++) {
        int first;
        const int count = row_size(p, &p->driver[k], &first);
        pairs_add_block(&A, p->body[p->driver[k].body].at + first, k, count, 1);
    }
    out->nonholonomic = (sb_nonholonomic){
        .self = p, .m = p->ndrivers, .value = value, .rate = rate, .gradient = p->body[0].planar ? NULL : gradient};
    return pairs_pattern(arena, &A, p->n, p->ndrivers, &out->nonholonomic.A);
}
