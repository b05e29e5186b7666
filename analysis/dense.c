/* Dense output: the motion between two states of a run by Hermite interpolation. hnw93 II.6. */
#include "analysis/dense.h"

int sb_dense_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dense *out) {
    *out = (sb_dense){.sys = sys};
    for (int k = 0; k <= SB_DENSE_DEGREE; k++) {
        SB_NEW(arena, out->c[k], sys->n);
    }
    SB_TRY(SB_VECTORS(arena, sys->n, &out->a[0], &out->a[1]));
    return sb_dynamics_init(ctx, arena, sys, &out->dyn);
}

/* Computes the accelerations at both ends; *known is false where they are not defined by (t, q, v). */
static int accelerate(sb_dense *me, const double *t, const double *const *q, const double *const *v, bool *known) {
    *known = me->sys->contact.m + me->sys->contact.k == 0;
    for (int end = 0; end < 2 && *known; end++) {
        const int status = sb_dynamics_acceleration(&me->dyn, t[end], q[end], v[end], me->a[end], NULL);
        *known = status != SB_SINGULAR;
        SB_TRY(*known ? status : SB_OK);
    }
    return SB_OK;
}

int sb_dense_set(sb_dense *me, double t0, const double *q0, const double *v0, double t1, const double *q1,
                 const double *v1) {
    const double h = t1 - t0;
    bool quintic;
    SB_TRY(accelerate(me, (const double[]){t0, t1}, (const double *const[]){q0, q1}, (const double *const[]){v0, v1},
                      &quintic));
    me->h = h;
    for (int i = 0; i < me->sys->n; i++) {
        const double half = quintic ? 0.5 * h * h * me->a[0][i] : 0.0,
                     x = q1[i] - q0[i] - h * v0[i] - half,           /* what is missing at theta = 1: of q, */
            y = h * (v1[i] - v0[i]) - 2.0 * half,                    /* of h v, */
            z = quintic ? h * h * (me->a[1][i] - me->a[0][i]) : 0.0; /* and of h^2 a */
        me->c[0][i] = q0[i];
        me->c[1][i] = h * v0[i];
        me->c[2][i] = quintic ? half : 3.0 * x - y;
        me->c[3][i] = quintic ? 10.0 * x - 4.0 * y + 0.5 * z : y - 2.0 * x;
        me->c[4][i] = quintic ? -15.0 * x + 7.0 * y - z : 0.0;
        me->c[5][i] = quintic ? 6.0 * x - 3.0 * y + 0.5 * z : 0.0;
    }
    return SB_OK;
}

void sb_dense_at(const sb_dense *me, double theta, double *q, double *v) {
    for (int i = 0; i < me->sys->n; i++) {
        double value = 0.0, slope = 0.0;
        for (int k = SB_DENSE_DEGREE; k >= 0; k--) {
            slope = slope * theta + value;
            value = value * theta + me->c[k][i];
        }
        q[i] = value;
        v[i] = slope / me->h;
    }
}
