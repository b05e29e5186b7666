/* The explicit midpoint rule on the index-1 equations, projected to the constraints after each step: without a fault,
 * and with one. hnw93 II.1, hlw06 IV.4. */
#include "bench/check/faulty.h"

#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "core/run/callbacks.h"

/* The equations that the method solves: the equations of the system, and how a fault changes them. */
typedef struct equations {
    const sb_system *sys;
    sb_fault fault;
    double t0, *q0, *v0; /* at the start of the step */
    double *wrong_v;
} equations;

typedef struct faulty_work {
    equations given;
    sb_system solved;
    sb_dynamics dyn;
    double *a, *q, *v, *p;
    long steps;
} faulty_work;

/* ---- Terms with a fault. ---- */

static int force(const void *self, double t, const double *q, const double *v, double *f) {
    const equations *e = self;
    const sb_force *term = &e->sys->force;
    for (int i = 0; i < e->sys->n; i++) {
        e->wrong_v[i] = e->fault == SB_FAULT_WRONG_GYRO ? -v[i] : 0.0;
    }
    switch (e->fault) {
    case SB_FAULT_FORCE_AT_ZERO: t = 0.0; break;
    case SB_FAULT_FORCE_OLD_T: t = e->t0; break;
    case SB_FAULT_FORCE_OLD_Q: q = e->q0; break;
    case SB_FAULT_FORCE_OLD_V: v = e->v0; break;
    case SB_FAULT_NO_DRAG:
    case SB_FAULT_WRONG_GYRO: v = e->wrong_v; break;
    default: break;
    }
    SB_TRY(term->value(term->self, t, q, v, f));
    for (int i = 0; i < e->sys->n && e->fault == SB_FAULT_HALF_FORCE; i++) {
        f[i] *= 0.5;
    }
    return SB_OK;
}

static int weak_gradient(const void *self, double t, const double *q, double *Vq) {
    const equations *e = self;
    SB_TRY(sb_potential_gradient(e->sys, t, q, Vq));
    for (int i = 0; i < e->sys->n; i++) {
        Vq[i] *= 0.99;
    }
    return SB_OK;
}

static int no_gradient(const void *self, const double *q, const double *v, double *Tq) {
    const equations *e = self;
    memset(Tq, 0, (size_t)e->sys->n * sizeof *Tq);
    return SB_OK;
}

static int flat(const void *self, double t, const double *q, const double *v, double *out) {
    const equations *e = self;
    memset(out, 0, (size_t)e->sys->holonomic.m * sizeof *out);
    return SB_OK;
}

static int undriven(const void *self, double t, const double *q, double *Ax, double *w) {
    const sb_nonholonomic *rows = &((const equations *)self)->sys->nonholonomic;
    SB_TRY(rows->value(rows->self, t, q, Ax, w));
    for (int i = 0; i < rows->m && w != NULL; i++) {
        w[i] = 0.0;
    }
    return SB_OK;
}

/* The functions of a term have one `self`: those without a fault call the function of the system with its own. */
#define RIGHT(group, callback, work, how, parameters, out, ...)                                                        \
    static int right_##group##_##callback parameters {                                                                 \
        const sb_system *sys = ((const equations *)self)->sys;                                                         \
        return sys->group.callback(sys->group.self, __VA_ARGS__, out);                                                 \
    }
SB_CALLBACKS(RIGHT)
#define WRAP(group, callback, ...) SB_WRAP(right, group, callback, &out->group)

/* Sets the system that is solved. */
static void alter(const equations *e, sb_system *out) {
    *out = *e->sys;
    out->inertia.self = out->potential.self = out->force.self = out->holonomic.self = out->nonholonomic.self = e;
    SB_CALLBACKS(WRAP)
    if (out->force.value != NULL) {
        out->force.value = force;
        out->force.jacobian = NULL;
    }
    switch (e->fault) {
    case SB_FAULT_NO_FORCE: out->force = (sb_force){0}; break;
    case SB_FAULT_WEAK_SPRING: out->potential.gradient = out->potential.value != NULL ? weak_gradient : NULL; break;
    case SB_FAULT_CONSTANT_MASS:
        out->inertia.gradient = NULL;
        out->inertia.hessian = NULL;
        break;
    case SB_FAULT_NO_T_Q: out->inertia.gradient = out->inertia.gradient != NULL ? no_gradient : NULL; break;
    case SB_FAULT_NO_CURVATURE: out->holonomic.curvature = out->holonomic.m > 0 ? flat : NULL; break;
    case SB_FAULT_NO_HOLONOMIC: out->holonomic = (sb_holonomic){0}; break;
    case SB_FAULT_NO_NONHOLONOMIC: out->nonholonomic.m = 0; break;
    case SB_FAULT_NO_DRIVER: out->nonholonomic.value = out->nonholonomic.m > 0 ? undriven : NULL; break;
    default: break;
    }
}

/* ---- The method. ---- */

static int init(sb_method *me) {
    const int n = me->sys->n;
    faulty_work *w;
    SB_NEW(me->arena, w, 1);
    w->given = (equations){.sys = me->sys, .fault = ((const sb_faulty *)me->type)->fault};
    SB_TRY(SB_VECTORS(me->arena, n, &w->given.q0, &w->given.v0, &w->given.wrong_v, &w->a, &w->q, &w->v, &w->p));
    alter(&w->given, &w->solved);
    me->work = w;
    return sb_dynamics_init(me->ctx, me->arena, &w->solved, &w->dyn);
}

/* q1 = q0 + h v_m, v1 = v0 + h a(t + h/2, q_m, v_m) with q_m = q0 + h v0/2, v_m = v0 + h a0/2; Euler's method ends
 * with the first stage. */
static int advance(faulty_work *w, int n, const sb_state *in, double h, sb_state *out) {
    const double stage = w->given.fault == SB_FAULT_EULER ? h : 0.5 * h;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a, NULL));
    for (int i = 0; i < n; i++) {
        w->q[i] = in->q[i] + stage * in->v[i];
        w->v[i] = in->v[i] + stage * w->a[i];
    }
    if (w->given.fault == SB_FAULT_EULER) {
        memcpy(out->q, w->q, (size_t)n * sizeof *out->q);
        memcpy(out->v, w->v, (size_t)n * sizeof *out->v);
        return SB_OK;
    }
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t + stage, w->q, w->v, w->a, NULL));
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + h * w->v[i];
        out->v[i] = in->v[i] + h * w->a[i];
    }
    return SB_OK;
}

static int project(faulty_work *w, double t, sb_state *out) {
    const sb_fault fault = w->given.fault;
    if (sb_system_bilateral(&w->solved) == 0) {
        return SB_OK;
    }
    if (w->solved.holonomic.m > 0 && fault != SB_FAULT_NO_POSITION && fault != SB_FAULT_NO_CURVATURE) {
        SB_TRY(sb_dynamics_position(&w->dyn, t, out->q));
    }
    if (fault == SB_FAULT_NO_VELOCITY || fault == SB_FAULT_NO_CURVATURE) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_momentum(&w->dyn, out->q, out->v, w->p));
    return sb_dynamics_velocity(&w->dyn, t, out->q, w->p, out->v, NULL);
}

/* Sets the multipliers at the end of the step, in the system's order. */
static int set_multipliers(faulty_work *w, const sb_system *sys, double t, double h, sb_state *out) {
    const sb_fault fault = w->given.fault;
    const int rows = sb_system_bilateral(&w->solved);
    const double factor = fault == SB_FAULT_LAMBDA_SIGN      ? -1.0
                          : fault == SB_FAULT_LAMBDA_IMPULSE ? h
                          : fault == SB_FAULT_LAMBDA_ZERO    ? 0.0
                                                             : 1.0;
    memset(out->lambda, 0, (size_t)sb_system_multipliers(sys) * sizeof *out->lambda);
    if (rows < sb_system_bilateral(sys)) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t, out->q, out->v, w->a, out->lambda));
    for (int i = 0; i < rows; i++) {
        out->lambda[i] *= factor;
    }
    return SB_OK;
}

/* Applies the faults that do not concern the equations. */
static void misbehave(faulty_work *w, int n, const sb_state *in, double h, sb_state *out) {
    static volatile int forever = 1;
    switch (w->given.fault) {
    case SB_FAULT_WRITES_INPUT: ((sb_state *)in)->q[0] += 1e-3; break;
    case SB_FAULT_REMEMBERS: out->q[0] += 1e-9 * h * (double)w->steps; break;
    case SB_FAULT_READS_PAST: out->q[0] += 1e-30 * ((const volatile double *)in->q)[n]; break;
    case SB_FAULT_WRITES_BEFORE: ((volatile double *)out->v)[-1] = 1.0; break;
    case SB_FAULT_MAKES_NAN: out->v[n - 1] = w->steps > 7 ? NAN : out->v[n - 1]; break;
    case SB_FAULT_CRASHES:
        if (w->steps == 12) {
            *(volatile int *)NULL = 1;
        }
        break;
    case SB_FAULT_HANGS:
        while (w->steps >= 12 && forever) {
        }
        break;
    default: break;
    }
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    faulty_work *w = me->work;
    const int n = me->sys->n;
    w->steps++;
    w->given.t0 = in->t;
    memcpy(w->given.q0, in->q, (size_t)n * sizeof *w->q);
    memcpy(w->given.v0, in->v, (size_t)n * sizeof *w->v);
    SB_TRY(advance(w, n, in, h, out));
    SB_TRY(project(w, in->t + h, out));
    SB_TRY(set_multipliers(w, me->sys, in->t + h, h, out));
    misbehave(w, n, in, h, out);
    return SB_OK;
}

/* The terms that the method takes. */
#define TAKES (SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_VARIABLE_MASS | SB_HAS_NONHOLONOMIC)

const sb_faulty sb_faulty_list[SB_FAULT_COUNT] = {
#define SB_FAULTY_ROW(constant, name, claimed, kept, by, what)                                                         \
    [SB_FAULT_##constant] = {                                                                                          \
        {.entry = {"faulty_" name, what, "hnw93 II.1", NULL, 0},                                                       \
         .order = claimed,                                                                                             \
         .keeps = (unsigned)(kept),                                                                                    \
         .supports = (unsigned)(SB_FAULT_##constant == SB_FAULT_NO_CONTACT ? TAKES | SB_HAS_CONTACT : TAKES),          \
         .init = init,                                                                                                 \
         .step = step},                                                                                                \
        SB_FAULT_##constant,                                                                                           \
        SB_CHECK_##by,                                                                                                 \
        what},
    SB_FAULTY_LIST(SB_FAULTY_ROW)
#undef SB_FAULTY_ROW
};

bool sb_faulty_ends(sb_fault fault) {
    return fault != SB_FAULT_CRASHES && fault != SB_FAULT_HANGS && fault != SB_FAULT_READS_PAST &&
           fault != SB_FAULT_WRITES_BEFORE;
}

int sb_faulty_register(sb_registry *registry) {
    for (int k = 0; k < SB_FAULT_COUNT; k++) {
        SB_TRY(sb_registry_add(registry, SB_KIND_STEPPER, &sb_faulty_list[k].stepper.entry));
    }
    return SB_OK;
}
