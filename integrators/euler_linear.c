/* Linearly implicit Euler: reg05 (6.3) with the whole derivative of the force, notes11 (54) corrected without its
 * geometric part. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/plugin.h>

/* [M - h^2 F_q - h F_v] v1 = M v0 + h F(q0, v0) - h F_v v0, q1 = q0 + h v1. */
typedef struct config {
    int geometric;
} config;

enum { GAUSS_NEWTON, WHOLE };

typedef struct work {
    sb_mass mass;
    sb_saddle matrix;
    sb_scalar *F, *tmp, *Fv;
} work;

static int init(sb_method *me) {
    const config *c = me->config;
    const sb_system *sys = me->sys;
    if (c->geometric == GAUSS_NEWTON && sys->potential.hessian != NULL && sys->potential.stiffness == NULL) {
        return sb_fail(me->ctx, SB_UNSUPPORTED,
                       "its potential has no Gauss-Newton part for geometric=0; try -w penalty on a constrained "
                       "problem, or geometric=1");
    }
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, sys->n, &w->F, &w->tmp));
    SB_NEW(me->arena, w->Fv, sb_pattern_nnz(&sys->H));
    me->work = w;
    SB_TRY(sb_mass_init(me->ctx, me->arena, sys, &w->mass));
    return sb_saddle_init(me->ctx, me->arena, sys, &w->matrix);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    const sb_system *sys = me->sys;
    const sb_force *f = &sys->force;
    work *w = me->work;
    const int n = sys->n;
    const size_t nnz = (size_t)sb_pattern_nnz(&sys->H);
    sb_scalar *Hx = w->matrix.Hx, *b = out->v;
    memset(Hx, 0, nnz * sizeof(sb_scalar));
    sb_mass_add(&w->mass, 1.0, Hx);
    if (sys->potential.hessian != NULL) {
        SB_TRY(c->geometric == WHOLE ? sb_potential_hessian(sys, in->t, in->q, h * h, Hx)
                                     : sb_potential_stiffness(sys, in->t, in->q, h * h, Hx));
    }
    sb_mass_mult(&w->mass, in->v, b);
    if (f->jacobian != NULL) {
        memset(w->Fv, 0, nnz * sizeof(sb_scalar));
        SB_TRY(f->jacobian(f->self, in->t, in->q, in->v, c->geometric == WHOLE ? -h * h : 0.0, -h, Hx));
        SB_TRY(f->jacobian(f->self, in->t, in->q, in->v, 0.0, -h, w->Fv));
        sb_csc_mult_add(&sys->H, w->Fv, 1.0, in->v, b);
    }
    SB_TRY(sb_system_force(sys, in->t, in->q, in->v, w->F, w->tmp));
    sb_axpy(n, h, w->F, b);
    sb_saddle_assemble(&w->matrix, 1.0, 0.0, NULL, 0.0, NULL);
    SB_TRY(sb_saddle_factor(&w->matrix));
    SB_TRY(sb_saddle_solve(&w->matrix, b));
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + h * b[i];
    }
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(
        config, geometric, "1", "0|1",
        "1: the force's whole derivative, reg05 (6.3); 0: the Gauss-Newton part of a penalty alone, notes11 (54)"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(euler_linear) = {
    .entry = {"euler_linear", "linearly implicit Euler: one Newton step of implicit Euler", "reg05 (6.3)", params,
              sizeof(config)},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
