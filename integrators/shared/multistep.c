/* GSL's multistep methods of variable step and order on q' = v, v' = a(t, q, v): hnw93 III.5, III.6.
 *
 * Adams-Moulton formulas of order 1 to 12 by functional iteration, or backward differentiation formulas of order 1 to 5
 * by Newton's method, in Nordsieck's form
 *
 *   z_n = (y_n, h y'_n, ..., h^k y_n^(k)/k!),   z_{n+1} = P z_n + l e,   h f(t_{n+1}, y_{n+1}) = (z_{n+1})_1,
 *
 * with P Pascal's triangle and l the vector of the method. The Jacobian of f is computed by differences, whose
 * evaluations are counted; the factorizations within GSL are not.
 *
 * A constrained system is integrated as y' = f(t, P(t, y)), with P the projection onto the constraints: then y keeps
 * its distance from them, whereas the index-1 equations alone let it grow. The output is P(t, y).
 *
 * The history z_n lies in GSL's object. It follows from the point at which the integration began, which the state
 * keeps. Where `work` contains another history, the integration from that point is done again: a step is a pure map.
 * Outputs do not change the history: from the last point of the mesh a one-step method of GSL goes to them. */
#include "integrators/shared/multistep.h"

#include <string.h>

#include "integrators/shared/adaptive.h"

/* Layout of aux: the direction of time, 0 at the start; t, q, v where the integration began. */
enum { WAY, TIME, POINT };

/* Begins the integration at the point in `aux`. */
static void begin(const sb_method *me, multistep *w, const double *aux) {
    memcpy(w->origin, aux, (size_t)me->naux * sizeof(double));
    memcpy(w->y, aux + POINT, 2 * (size_t)me->sys->n * sizeof(double));
    w->t = aux[TIME];
    w->h = aux[WAY] * me->sys->time_scale / 100.0;
    gsl_odeiv2_evolve_reset(w->driver->e);
    gsl_odeiv2_step_reset(w->driver->s);
}

/* Sets w->end to the solution at `end`, at most a step from the point of the mesh. */
static int reach(const sb_method *me, first_order *f, multistep *w, double end) {
    double t = w->t, h = copysign(w->h, end - t); /* GSL shortens it to end there */
    memcpy(w->end, w->y, 2 * (size_t)me->sys->n * sizeof(double));
    gsl_odeiv2_evolve_reset(w->last->e);
    gsl_odeiv2_step_reset(w->last->s);
    sb_adaptive_progress progress = {0};
    while (t != end) {
        SB_TRY(first_order_advance(me, f, w->last, &t, end, &h, w->end));
        SB_TRY(sb_adaptive_count(me, &progress, t));
    }
    return f->on_constraints ? first_order_project(f, end, w->end) : SB_OK;
}

int multistep_step(const sb_method *me, first_order *f, multistep *w, const sb_state *in, double h, sb_state *out) {
    const size_t n = (size_t)me->sys->n;
    const double end = in->t + h, way = copysign(1.0, h);
    SB_TRY(sb_adaptive_reachable(me, end));
    memcpy(out->aux, in->aux, (size_t)me->naux * sizeof(double));
    if (in->aux[WAY] != way) {
        out->aux[WAY] = way;
        out->aux[TIME] = in->t;
        memcpy(out->aux + POINT, in->q, n * sizeof(double));
        memcpy(out->aux + POINT + n, in->v, n * sizeof(double));
    }
    if (memcmp(w->origin, out->aux, (size_t)me->naux * sizeof(double)) != 0 || way * (end - w->t) < 0.0) {
        begin(me, w, out->aux);
    }
    sb_adaptive_progress progress = {0};
    while (way * (end - (w->t + w->h)) >= 0.0) {
        int status = first_order_advance(me, f, w->driver, &w->t, w->t + 2.0 * w->h, &w->h, w->y);
        status = status == SB_OK ? sb_adaptive_count(me, &progress, w->t) : status;
        if (status != SB_OK) {
            w->origin[WAY] = 0.0; /* the history is that of no point */
            return status;
        }
    }
    SB_TRY(reach(me, f, w, end));
    memcpy(out->q, w->end, n * sizeof(double));
    memcpy(out->v, w->end + n, n * sizeof(double));
    memcpy(out->lambda, in->lambda, (size_t)sb_system_multipliers(me->sys) * sizeof(double));
    return SB_OK;
}

int multistep_init(sb_method *me, first_order *f, const gsl_odeiv2_step_type *type, const gsl_odeiv2_step_type *last,
                   double rtol, multistep *out) {
    const int n = me->sys->n;
    me->naux = POINT + 2 * n;
    SB_NEW(me->arena, out->origin, me->naux);
    SB_TRY(SB_VECTORS(me->arena, 2 * n, &out->y, &out->end));
    f->on_constraints = sb_system_bilateral(me->sys) > 0;
    SB_TRY(first_order_driver(me, f, type, rtol, &out->driver));
    return first_order_driver(me, f, last, rtol, &out->last);
}
