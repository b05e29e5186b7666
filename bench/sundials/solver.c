/* The common part of the solvers of SUNDIALS: equations of motion, origin of the integration, counts. */
#include "bench/sundials/solver.h"

#include <string.h>

#include <sundials/sundials_linearsolver.h>

static void free_context(void *sun) {
    SUNContext context = sun;
    SUNContext_Free(&context);
}

static void free_vector(void *vector) { N_VDestroy(vector); }
void solver_free_matrix(void *matrix) { SUNMatDestroy(matrix); }
void solver_free_linear(void *linear) { SUNLinSolFree(linear); }

int solver_own(const sb_method *me, void *object, void (*destroy)(void *object)) {
    return object == NULL ? sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for a solver of SUNDIALS")
                          : sb_arena_own(me->arena, object, destroy);
}

int solver_vector(const sb_method *me, const solver *s, int unknowns, N_Vector *out) {
    SB_TRY(solver_own(me, *out = N_VNew_Serial(unknowns, s->sun), free_vector));
    N_VConst(0.0, *out);
    return SB_OK;
}

int solver_init(sb_method *me, int unknowns, solver *out) {
    const int n = me->sys->n;
    const config *c = me->config;
    double length;
    out->ctx = me->ctx;
    me->naux = POINT + 2 * n;
    SB_NEW(me->arena, out->origin, me->naux);
    SB_TRY(SB_VECTORS(me->arena, unknowns, &out->scale));
    SB_TRY(SB_VECTORS(me->arena, 2 * n, &out->p, &out->point));
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &out->dyn));
    SB_TRY(sb_system_length(me->ctx, me->sys, &length));
    length = length > 0.0 ? length : 1.0; /* a system at rest at the origin has no length */
    if (SUNContext_Create(NULL, &out->sun) != 0) {
        out->sun = NULL;
    }
    SB_TRY(solver_own(me, out->sun, free_context));
    SB_TRY(solver_vector(me, out, unknowns, &out->y));
    SB_TRY(solver_vector(me, out, unknowns, &out->tolerance));
    for (int i = 0; i < 2 * n; i++) {
        out->scale[i] = i < n ? length : length / me->sys->time_scale;
        NV_Ith_S(out->tolerance, i) = c->rtol * out->scale[i];
    }
    out->first = me->sys->time_scale * sqrt(c->rtol); /* the error of a first step of order 1 is h^2/T^2 */
    return SB_OK;
}

int solver_callback_status(solver *s, int status) {
    s->status = status;
    return status == SB_OK ? 0 : status > 0 ? 1 : -1;
}

/* Projects y onto the constraints: the position along M^-1 C' mu, then the velocity. */
static int project(solver *s, double t, double *y) {
    const int n = s->dyn.sys->n;
    if (sb_system_bilateral(s->dyn.sys) == 0) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_position(&s->dyn, t, y));
    SB_TRY(sb_dynamics_momentum(&s->dyn, y, y + n, s->p));
    return sb_dynamics_velocity(&s->dyn, t, y, s->p, y + n, NULL);
}

static int evaluate(solver *s, double t, const double *y, double *dydt) {
    const int n = s->dyn.sys->n;
    SB_TRY(sb_poll(s->ctx));
    memcpy(s->point, y, 2 * (size_t)n * sizeof(double));
    SB_TRY(project(s, t, s->point));
    memcpy(dydt, s->point + n, (size_t)n * sizeof(double));
    return sb_dynamics_acceleration(&s->dyn, t, s->point, s->point + n, dydt + n, NULL);
}

int solver_right_side(double t, N_Vector y, N_Vector dydt, void *self) {
    return solver_callback_status(self, evaluate(self, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dydt)));
}

bool solver_begins(const sb_method *me, solver *s, const sb_state *in, double h, double covered, sb_state *out) {
    const size_t n = (size_t)me->sys->n, size = (size_t)me->naux * sizeof(double);
    const double direction = copysign(1.0, h);
    s->status = SB_OK;
    memcpy(out->aux, in->aux, size);
    if (in->aux[DIRECTION] != direction) {
        out->aux[DIRECTION] = direction;
        out->aux[TIME] = in->t;
        memcpy(out->aux + POINT, in->q, n * sizeof(double));
        memcpy(out->aux + POINT + n, in->v, n * sizeof(double));
    }
    if (memcmp(s->origin, out->aux, size) == 0 && direction * (in->t + h - covered) >= 0.0) {
        return false;
    }
    memcpy(s->origin, out->aux, size);
    memset(s->seen, 0, sizeof s->seen);
    N_VConst(0.0, s->y);
    memcpy(N_VGetArrayPointer(s->y), s->origin + POINT, 2 * n * sizeof(double));
    return true;
}

void solver_count(solver *s, long seen[3], const long now[3]) {
    s->ctx->substeps += now[0] - seen[0];
    s->ctx->rejected += now[1] - seen[1];
    s->ctx->factorizations += now[2] - seen[2];
    memcpy(seen, now, 3 * sizeof *seen);
}

int solver_failed(const sb_method *me, solver *s, const char *function, int code, double t) {
    s->origin[DIRECTION] = 0.0;
    return s->status != SB_OK
               ? s->status
               : sb_fail(
                     me->ctx, SB_NOT_CONVERGED,
                     "%s failed at t = %.9g with code %d of SUNDIALS: the accelerations are not smooth there, or the "
                     "tolerance is too small",
                     function, t, code);
}

int solver_output(const sb_method *me, solver *s, double end, N_Vector y, sb_state *out) {
    const size_t n = (size_t)me->sys->n;
    memcpy(s->point, N_VGetArrayPointer(y), 2 * n * sizeof(double));
    SB_TRY(project(s, end, s->point));
    memcpy(out->q, s->point, n * sizeof(double));
    memcpy(out->v, s->point + n, n * sizeof(double));
    return SB_OK;
}

/* The solver is the first member of every `work`. */
int solver_report(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda) {
    solver *s = me->work;
    return lambda != NULL && sb_system_bilateral(me->sys) > 0
               ? sb_dynamics_acceleration(&s->dyn, in->t, in->q, in->v, s->p, lambda)
               : SB_OK;
}
