/* Verlet's method in its one-step form, with velocities at the nodes: notes11 (16), hlw06 I.1.4,
 *
 *   v_{1/2} = v0 + h/2 a(t, q0),   q1 = q0 + h v_{1/2},   v1 = v_{1/2} + h/2 a(t + h, q1)
 *
 * with a = -M^-1 V_q. */
#include <string.h>

#include <stepbench/numerics/mass.h>
#include <stepbench/plugin.h>

/* State: aux is the acceleration at q, so that a step evaluates one force. */
typedef struct work {
    sb_mass mass;
    sb_scalar *Vq;
} work;

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->Vq, me->sys->n);
    me->work = w;
    me->naux = me->sys->n;
    return sb_mass_init(me->ctx, me->arena, me->sys, &w->mass);
}

/* Adds -h/2 M^-1 V_q(t, q) to v and sets a to -M^-1 V_q(t, q). */
static int accelerate(const sb_method *me, sb_scalar t, const sb_scalar *q, sb_scalar h, sb_scalar *v, sb_scalar *a) {
    const work *w = me->work;
    const sb_scalar *W = w->mass.Wx;
    const int n = me->sys->n;
    if (me->sys->potential.value == NULL) {
        memset(a, 0, (size_t)n * sizeof(sb_scalar));
        return SB_OK;
    }
    SB_TRY(sb_potential_gradient(me->sys, t, q, w->Vq));
    if (w->mass.diagonal) { /* in one loop: for a few coordinates calls cost as much as the arithmetic */
        for (int i = 0; i < n; i++) {
            a[i] = -W[i] * w->Vq[i];
            v[i] += 0.5 * h * a[i];
        }
        return SB_OK;
    }
    sb_mass_solve(&w->mass, w->Vq, a);
    for (int i = 0; i < n; i++) {
        a[i] = -a[i];
        v[i] += 0.5 * h * a[i];
    }
    return SB_OK;
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    return accelerate(me, t, q, 0.0, out->v, out->aux);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    for (int i = 0; i < me->sys->n; i++) {
        out->v[i] = in->v[i] + 0.5 * h * in->aux[i];
        out->q[i] = in->q[i] + h * out->v[i];
    }
    return accelerate(me, in->t + h, out->q, h, out->v, out->aux);
}

SB_DEFINE_STEPPER(verlet) = {
    .entry = {"verlet", "Verlet, or leapfrog: half a kick, drift, half a kick", "notes11 (16)", NULL, 0},
    .order = 2,
    .supports = SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = start,
    .step = step,
};
