/* Newton's method for the nonlinear equations of a regularized variational step: spook07 (26), and (24) for
 * nonholonomic rows. */
#include "integrators/shared/regularized_newton.h"

static int newton_init(sb_method *me, regularized_newton *out) {
    const sb_system *sys = me->sys;
    const int n = sys->n, rows = sb_system_bilateral(sys);
    SB_TRY(sb_saddle_init(me->ctx, me->arena, sys, &out->saddle));
    SB_TRY(constraint_hessian_init(me->arena, sys, &out->hessian));
    const int nnz = sb_pattern_nnz(&out->saddle.C);
    SB_TRY(SB_VECTORS(me->arena, nnz, &out->C0x, &out->C1x, &out->Dx));
    SB_TRY(SB_VECTORS(me->arena, rows, &out->g0, &out->g1, &out->g_before, &out->gt));
    SB_NEW(me->arena, out->x, n + rows);
    SB_TRY(SB_VECTORS(me->arena, n, &out->q, &out->impulse));
    return sb_system_length(me->ctx, sys, &out->length);
}

int sb_regularized_init(sb_method *me, sb_row_rule rule, bool implicit_rows, bool pointwise) {
    regularized_work *w;
    SB_NEW(me->arena, w, 1);
    w->newton.sys = me->sys;
    w->newton.linear = &w->linear;
    w->newton.pointwise = pointwise;
    SB_TRY(newton_init(me, &w->newton));
    SB_TRY(sb_velocity_step_init(me, rule, &w->linear));
    w->linear.implicit_rows = implicit_rows;
    return SB_OK;
}

/* Sets w->impulse = h F + p0 - M v0, where p0 cancels M v0 for a constant mass. */
static int set_impulse(regularized_newton *w, const sb_state *in, sb_scalar h) {
    const sb_inertia *inertia = &w->sys->inertia;
    const sb_velocity_step *linear = w->linear;
    const int n = w->sys->n;
    if (linear->kkt.mass.constant) {
        SB_TRY(sb_system_impulse(w->sys, &linear->kkt.mass, in->t, in->q, in->v, 0.0, h, w->impulse, w->q));
    } else {
        sb_mass_mult(&linear->kkt.mass, in->v, w->impulse);
        for (int i = 0; i < n; i++) {
            w->impulse[i] = linear->r[i] - w->impulse[i];
        }
    }
    if (inertia->gradient != NULL) { /* F above has T_q(q0, v0) */
        SB_TRY(inertia->gradient(inertia->self, in->q, in->v, w->q));
        sb_axpy(n, -h, w->q, w->impulse);
    }
    return SB_OK;
}

/* Takes the linear step in `out` as the guess. out->lambda holds the impulses until the step ends. */
static int begin(regularized_newton *w, const sb_state *in, sb_scalar h, sb_state *out) {
    w->t = in->t;
    w->h = h;
    w->q0 = in->q;
    w->v0 = in->v;
    w->sigma = w->linear->sigma;
    w->q1 = out->q;
    w->v1 = out->v;
    w->z = out->lambda;
    for (int i = 0; i < w->saddle.rows; i++) {
        w->z[i] *= h;
    }
    SB_TRY(set_impulse(w, in, h));
    for (int i = 0; i < w->sys->n; i++) {
        w->q[i] = in->q[i] - h * in->v[i];
    }
    if (w->sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(w->sys, in->t - h, w->q, w->g_before, NULL));
    }
    return sb_bilateral_value(w->sys, in->t, in->q, w->g0, w->C0x);
}

/* Sets Dx from C1x, at (q1, v1). */
static int set_derivatives(regularized_newton *w) {
    const sb_nonholonomic *nonholonomic = &w->sys->nonholonomic;
    const sb_pattern *C = &w->saddle.C;
    const int m = w->sys->holonomic.m;
    memset(w->Dx, 0, (size_t)sb_pattern_nnz(C) * sizeof(sb_scalar));
    if (!w->pointwise) {
        SB_TRY(constraint_hessian_mult(&w->hessian, w->t + w->h, w->q1, w->v1, w->Dx));
    }
    if (w->linear->implicit_rows && nonholonomic->gradient != NULL) {
        SB_TRY(nonholonomic->gradient(nonholonomic->self, w->t + w->h, w->q1, w->v1,
                                      w->Dx + sb_pattern_nnz(&w->sys->holonomic.G)));
    }
    for (int j = 0; j < w->saddle.rows; j++) {
        const sb_scalar weight = j < m ? (1.0 - w->linear->upsilon[j]) * w->h : w->h;
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            w->Dx[k] = w->C1x[k] + weight * w->Dx[k];
        }
    }
    return SB_OK;
}

/* Sets x to the residuals of both rows of equations, and Hx to M - h T_qv. */
static int set_residuals(regularized_newton *w) {
    const sb_system *sys = w->sys;
    const sb_inertia *inertia = &sys->inertia;
    const sb_mass *mass = &w->linear->kkt.mass;
    const int n = sys->n, m = sys->holonomic.m, rows = w->saddle.rows;
    const sb_scalar h = w->h;
    sb_scalar *x = w->x;
    for (int i = 0; i < n; i++) {
        w->q[i] = w->v1[i] - w->v0[i];
    }
    sb_mass_mult(mass, w->q, x);
    for (int i = 0; i < n; i++) {
        x[i] = w->impulse[i] - x[i];
    }
    memset(w->saddle.Hx, 0, (size_t)sb_pattern_nnz(&w->saddle.H) * sizeof(sb_scalar));
    sb_mass_add(mass, 1.0, w->saddle.Hx);
    if (inertia->gradient != NULL) {
        SB_TRY(inertia->hessian(inertia->self, w->q0, w->v1, 0.0, -h, 0.0, w->saddle.Hx));
        SB_TRY(inertia->gradient(inertia->self, w->q0, w->v1, w->q));
        sb_axpy(n, h, w->q, x);
    }
    sb_csc_mult_add(&w->saddle.C, w->C0x, 1.0, w->z, x);
    sb_csc_mult_t(&w->saddle.C, w->C1x, w->v1, x + n);
    for (int i = 0; i < m; i++) {
        x[n + i] += w->gt[i];
    }
    for (int i = 0; i < rows; i++) {
        const sb_scalar rate = x[n + i], Upsilon = w->linear->upsilon[i];
        x[n + i] = i < m && w->pointwise ? -w->g1[i] / h
                   : i < m ? -Upsilon / h * (w->g1[i] + 2.0 * w->g0[i] + w->g_before[i]) - (1.0 - Upsilon) * rate
                           : w->g1[i] - rate;
        x[n + i] -= w->sigma[i] * w->z[i];
    }
    return SB_OK;
}

/* Corrects v1, q1 and z once. */
static int correct(void *arg, sb_scalar *change, sb_scalar *scale) {
    regularized_newton *w = arg;
    const sb_system *sys = w->sys;
    const int n = sys->n, m = sys->holonomic.m, rows = w->saddle.rows;
    sb_scalar *x = w->x;
    SB_TRY(sb_bilateral_value(sys, w->t + w->h, w->q1, w->g1, w->C1x));
    SB_TRY(sb_holonomic_rate(sys, w->t + w->h, w->q1, w->gt));
    if (!w->linear->implicit_rows && rows > m) {
        const int at = sb_pattern_nnz(&sys->holonomic.G), nnz = sb_pattern_nnz(&w->saddle.C);
        memcpy(w->C1x + at, w->C0x + at, (size_t)(nnz - at) * sizeof(sb_scalar));
        memcpy(w->g1 + m, w->g0 + m, (size_t)(rows - m) * sizeof(sb_scalar));
    }
    SB_TRY(set_residuals(w));
    SB_TRY(set_derivatives(w));
    sb_saddle_assemble(&w->saddle, 1.0, -1.0, w->C0x, 1.0, w->Dx);
    sb_saddle_set_diagonal(&w->saddle, w->sigma);
    SB_TRY(sb_saddle_factor(&w->saddle));
    SB_TRY(sb_saddle_solve(&w->saddle, x));
    *change = w->h * sb_norm_max(n, x);
    for (int i = 0; i < n; i++) {
        w->v1[i] += x[i];
        w->q1[i] = w->q0[i] + w->h * w->v1[i];
    }
    for (int i = 0; i < rows; i++) {
        w->z[i] += x[n + i];
    }
    *scale = sb_norm_max(n, w->q1);
    return SB_OK;
}

int sb_regularized_step(const sb_method *me, const sb_newton *newton, long updates, const sb_state *in, sb_scalar h,
                        sb_state *out) {
    regularized_newton *w = &((regularized_work *)me->work)->newton;
    sb_scalar change, scale;
    SB_TRY(sb_velocity_step_step(me, in, h, out));
    SB_TRY(begin(w, in, h, out));
    if (newton != NULL) {
        SB_TRY(sb_newton_iterate(me->ctx, newton, SB_NEWTON_QUADRATIC, w->length, correct, w, &out->iters));
    }
    for (long k = 0; k < updates && newton == NULL; k++) {
        SB_TRY(correct(w, &change, &scale));
        out->iters = k + 1;
    }
    for (int i = 0; i < w->saddle.rows; i++) {
        w->z[i] /= h;
    }
    return SB_OK;
}
