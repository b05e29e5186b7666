/* Steppers with error control: the mesh of their own steps, and the output between its points. */
#include "integrators/shared/adaptive.h"

#include <string.h>

enum { CONTROL, TIME, STEP, VECTORS }; /* offsets behind the aux of the base */

int sb_adaptive_naux(const sb_system *sys, int nbase) {
    return 2 * nbase + VECTORS + 2 * sys->n + sb_system_multipliers(sys);
}

/* Returns the point of the mesh in aux. */
static sb_state mesh_of(const sb_method *me, int nbase, sb_scalar *aux) {
    sb_scalar *at = aux + nbase;
    return (sb_state){.t = at[TIME],
                      .h = at[STEP],
                      .q = at + VECTORS,
                      .v = at + VECTORS + me->sys->n,
                      .lambda = at + VECTORS + 2 * me->sys->n,
                      .aux = at + VECTORS + 2 * me->sys->n + sb_system_multipliers(me->sys)};
}

static void copy(const sb_method *me, int nbase, const sb_state *from, sb_state *to) {
    const size_t n = (size_t)me->sys->n;
    memcpy(to->q, from->q, n * sizeof(sb_scalar));
    memcpy(to->v, from->v, n * sizeof(sb_scalar));
    memcpy(to->lambda, from->lambda, (size_t)sb_system_multipliers(me->sys) * sizeof(sb_scalar));
    memcpy(to->aux, from->aux, (size_t)nbase * sizeof(sb_scalar));
}

void sb_adaptive_start(const sb_method *me, int nbase, const sb_state *from, sb_scalar control, sb_state *out) {
    sb_state mesh = mesh_of(me, nbase, out->aux);
    copy(me, nbase, from, &mesh);
    copy(me, nbase, from, out);
    out->aux[nbase + CONTROL] = control;
    out->aux[nbase + TIME] = from->t;
    out->aux[nbase + STEP] = from->h;
}

int sb_adaptive_reachable(const sb_method *me, sb_scalar end) {
    return fabs(end) * SB_EPSILON > me->sys->time_scale
               ? sb_fail(me->ctx, SB_NOT_CONVERGED,
                         "%s cannot reach t = %.9g: it is rounded by more than the time scale of the problem, %.3g s; "
                         "use a shorter interval of output",
                         me->type->entry.name, (double)end, (double)me->sys->time_scale)
               : SB_OK;
}

/* The number of steps that are counted together; they have to cover a hundredth of a time scale. A stepper of order 8
 * takes about 30 steps per time scale for a local error of 1e-13: shorter steps would follow a motion 30 000 times as
 * fast as that at the start. They occur next to a singular pose, where the estimate of the error is round-off: the
 * steps shrink, but stay above the round-off of t. */
enum { COUNTED = 10000 };

int sb_adaptive_count(const sb_method *me, sb_adaptive_progress *p, sb_scalar t) {
    if (p->steps++ % COUNTED != 0) {
        return SB_OK;
    }
    const sb_scalar length = fabs(t - p->from);
    p->from = t;
    return p->steps > 1 && length < 0.01 * me->sys->time_scale
               ? sb_fail(me->ctx, SB_NOT_CONVERGED,
                         "the last %d steps of %s up to t = %.9g have a length of %.2g s: the accelerations are not "
                         "smooth there, as in a singular pose, or the tolerance is too small",
                         COUNTED, me->type->entry.name, (double)t, (double)length / COUNTED)
               : SB_OK;
}

/* A break nearer than some roundings of t is the one at which the last step ended. */
sb_scalar sb_adaptive_shorten(const sb_system *sys, sb_scalar t, sb_scalar h) {
    const sb_scalar passed = t + copysign(8.0 * SB_EPSILON * fabs(t), h);
    int low = 0, high = sys->breaks; /* the breaks before `low` are at most `passed`, those from `high` on are later */
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sys->break_at[middle] < passed || (h > 0.0 && sys->break_at[middle] == passed)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const int next = h > 0.0 ? high : high - 1;
    return next >= 0 && next < sys->breaks && fabs(sys->break_at[next] - t) < fabs(h) ? sys->break_at[next] - t : h;
}

int sb_adaptive_step(const sb_method *me, const sb_adaptive *type, const sb_state *in, sb_scalar h, sb_state *out) {
    const sb_scalar end = in->t + h;
    SB_TRY(sb_adaptive_reachable(me, end));
    memcpy(out->aux, in->aux, (size_t)me->naux * sizeof(sb_scalar));
    sb_state mesh = mesh_of(me, type->nbase, out->aux);
    sb_scalar *control = out->aux + type->nbase + CONTROL;
    sb_adaptive_progress progress = {0};
    for (bool done = false; !done;) {
        SB_TRY(sb_poll(me->ctx));
        SB_TRY(type->next(me, &mesh, control, h, end, &done));
        SB_TRY(sb_adaptive_count(me, &progress, mesh.t));
    }
    out->aux[type->nbase + TIME] = mesh.t;
    out->aux[type->nbase + STEP] = mesh.h;
    return type->reach(me, &mesh, *control, end, out);
}

int sb_adaptive_check_step(const sb_method *me, sb_scalar t, sb_scalar h) {
    return fabs(h) > 2.0 * SB_EPSILON * fabs(t)
               ? SB_OK
               : sb_fail(me->ctx, SB_NOT_CONVERGED,
                         "the step of %s fell below the round-off of t = %.9g: the accelerations are not smooth there, "
                         "as in a singular pose, or the tolerance is too small",
                         me->type->entry.name, (double)t);
}
