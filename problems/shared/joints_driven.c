/* Joints that are moved in time: value and derivatives of their rows. */
#include "problems/shared/joints_driven.h"

void driven_add(joints *p, const driven *d, joint_row row) {
    for (int k = 0; k < 3 && d->kind == DRIVEN_ANGLE; k++) {
        row.u[0].a[k] = fabs(d->e1[k]) + fabs(d->e2[k]);
    }
    p->row[p->nrows++] = row;
}

/* Sets `out` to driven row i at t, or to its first or second derivative in time at constant coordinates. Returns
 * whether that depends on the coordinates. */
static bool driven_row(const driven_joints *p, int i, sb_scalar t, int derivative, joint_row *out) {
    const driven *d = &p->driven[i];
    sb_scalar w[3];
    motion_at(&d->motion, t, w);
    *out = p->all->row[p->fixed.nrows + i];
    if (d->kind == DRIVEN_ANGLE) {
        /* -sin(w) e1 + cos(w) e2 = n; n' = -w' r, n'' = -w'' r - w'^2 n, with r = cos(w) e1 + sin(w) e2 */
        const sb_scalar s = sin(w[0]), c = cos(w[0]);
        for (int k = 0; k < 3; k++) {
            const sb_scalar n = c * d->e2[k] - s * d->e1[k], r = c * d->e1[k] + s * d->e2[k];
            out->u[0].a[k] = derivative == 0 ? n : derivative == 1 ? -w[1] * r : -w[2] * r - w[1] * w[1] * n;
        }
        return true;
    }
    const sb_scalar half_square[3] = {0.5 * w[0] * w[0], w[0] * w[1], w[1] * w[1] + w[0] * w[2]};
    out->constant = -(d->kind == DRIVEN_DISPLACEMENT ? w[derivative] : half_square[derivative]);
    return derivative == 0;
}

static int driven_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const driven_joints *p = self;
    sb_scalar d[JOINT_SIZE];
    SB_TRY(joints_value(&p->fixed, q, g, Gx));
    for (int i = 0; i < p->count; i++) {
        joint_row r;
        driven_row(p, i, t, 0, &r);
        const sb_scalar value = joint_row_at(p->all, &r, q, d, NULL);
        if (g != NULL) {
            g[p->fixed.nrows + i] = value;
        }
        for (int j = 0; j < r.count && Gx != NULL; j++) {
            if (r.at_G[j] >= 0) {
                Gx[r.at_G[j]] = d[j];
            }
        }
    }
    return SB_OK;
}

static int driven_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                          sb_scalar *Hx) {
    const driven_joints *p = self;
    sb_scalar d[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE];
    SB_TRY(joints_hessian(&p->fixed, q, w, c, Hx));
    for (int i = 0; i < p->count; i++) {
        joint_row r;
        driven_row(p, i, t, 0, &r);
        joint_row_at(p->all, &r, q, d, X);
        joint_row_add(&r, c * w[p->fixed.nrows + i], X, Hx);
    }
    return SB_OK;
}

/* v' Hess g v + 2 G_t v + g_tt */
static int driven_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const driven_joints *p = self;
    sb_scalar d[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE];
    SB_TRY(joints_curvature(&p->fixed, q, v, out));
    for (int i = 0; i < p->count; i++) {
        joint_row r;
        driven_row(p, i, t, 0, &r);
        joint_row_at(p->all, &r, q, d, X);
        sb_scalar sum = 0.0;
        for (int j = 0; j < r.count; j++) {
            for (int k = 0; k < r.count; k++) {
                sum += X[j][k] * v[r.coordinate[j]] * v[r.coordinate[k]];
            }
        }
        const bool turns = driven_row(p, i, t, 1, &r);
        joint_row_at(p->all, &r, q, d, NULL);
        for (int j = 0; j < r.count && turns; j++) {
            sum += 2.0 * d[j] * v[r.coordinate[j]];
        }
        out[p->fixed.nrows + i] =
            sum + (driven_row(p, i, t, 2, &r) ? joint_row_at(p->all, &r, q, NULL, NULL) : r.constant);
    }
    return SB_OK;
}

static int driven_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out) {
    const driven_joints *p = self;
    memset(out, 0, (size_t)p->fixed.nrows * sizeof *out);
    for (int i = 0; i < p->count; i++) {
        joint_row r;
        out[p->fixed.nrows + i] = driven_row(p, i, t, 1, &r) ? joint_row_at(p->all, &r, q, NULL, NULL) : r.constant;
    }
    return SB_OK;
}

bool driven_aligned(const driven_joints *p, int i, sb_scalar t, const sb_scalar *q) {
    joint_row r;
    const driven *d = &p->driven[i];
    sb_scalar w[3];
    driven_row(p, i, t, 0, &r);
    motion_at(&d->motion, t, w);
    for (int k = 0; k < 3; k++) {
        r.u[0].a[k] = cos(w[0]) * d->e1[k] + sin(w[0]) * d->e2[k];
    }
    return d->kind != DRIVEN_ANGLE || joint_row_at(p->all, &r, q, NULL, NULL) > 0.0;
}

void driven_finish(const joints *all, driven_joints *p, sb_system *out) {
    p->all = all;
    p->fixed = *all;
    p->fixed.nrows -= p->count;
    out->holonomic.self = NULL;
    out->holonomic.value = NULL;
    out->holonomic.hessian = NULL;
    out->holonomic.curvature = NULL;
    out->rheonomic = (sb_rheonomic){p, driven_value, driven_hessian, driven_curvature, driven_rate};
}
