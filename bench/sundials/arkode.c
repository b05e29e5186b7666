/* ERKStep of ARKODE: embedded explicit Runge-Kutta pairs of order 2 to 8,
 *
 *   z_i = y_n + h sum_{j<i} a_ij f(t_n + c_j h, z_j),   y_{n+1} = y_n + h sum_i b_i f(t_n + c_i h, z_i),
 *
 * with the error h sum_i (b_i - b~_i) f_i and a controller with memory: reynolds23. A second integrator goes from the
 * last point of the mesh to an output: the interpolation of ARKODE is of order 5 at most. */
#include <arkode/arkode_erkstep.h>

#include "bench/sundials/solver.h"

typedef struct work {
    solver s;
    N_Vector end;
    void *mesh, *last;
} work;

static void free_memory(void *memory) { ERKStepFree(&memory); }

static int create(sb_method *me, work *w, void **memory) {
    const config *c = me->config;
    SB_TRY(solver_own(me, *memory = ERKStepCreate(solver_right_side, 0.0, w->s.y, w->s.sun), free_memory));
    if (ERKStepSetErrFile(*memory, NULL) != ARK_SUCCESS || ERKStepSetUserData(*memory, &w->s) != ARK_SUCCESS ||
        ERKStepSetOrder(*memory, (int)c->order) != ARK_SUCCESS ||
        ERKStepSVtolerances(*memory, 0.0, w->s.tolerance) != ARK_SUCCESS ||
        ERKStepSetMaxNumSteps(*memory, -1) != ARK_SUCCESS) {
        return sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for ARKODE");
    }
    return SB_OK;
}

int arkode_init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(solver_init(me, 2 * me->sys->n, &w->s));
    SB_TRY(solver_vector(me, &w->s, 2 * me->sys->n, &w->end));
    SB_TRY(create(me, w, &w->mesh));
    SB_TRY(create(me, w, &w->last));
    ERKStepSetInterpolantDegree(w->last,
                                1); /* its outputs are ends of steps; a degree above 3 takes more evaluations of f */
    return SB_OK;
}

static void count(solver *s, void *memory, long seen[3]) {
    long steps = 0, attempts = 0;
    ERKStepGetNumSteps(memory, &steps);
    ERKStepGetNumStepAttempts(memory, &attempts);
    solver_count(s, seen, (long[]){steps, attempts - steps, 0});
}

/* Sets w->end to the solution at `end`, which is at most a step from the point of the mesh at `now`. */
static int integrate_to(const sb_method *me, work *w, double now, double length, double end) {
    long seen[3] = {0};
    N_VScale(1.0, w->s.y, w->end);
    if (now == end) {
        return SB_OK;
    }
    ERKStepReInit(w->last, solver_right_side, now, w->end);
    ERKStepSetInitStep(w->last, copysign(fmin(fabs(length), fabs(end - now)), end - now));
    ERKStepSetStopTime(w->last, end);
    const int code = ERKStepEvolve(w->last, end, w->end, &now, ARK_NORMAL);
    count(&w->s, w->last, seen);
    return code < 0 ? solver_failed(me, &w->s, "ERKStepEvolve", code, now) : SB_OK;
}

int arkode_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    work *w = me->work;
    const double end = in->t + h;
    double now = 0.0, length = 0.0;
    const double direction = copysign(1.0, h);
    ERKStepGetCurrentTime(w->mesh, &now);
    ERKStepGetCurrentStep(w->mesh, &length);
    if (solver_begins(me, &w->s, in, h, now, out)) {
        now = w->s.origin[TIME];
        length = direction * w->s.first;
        ERKStepReInit(w->mesh, solver_right_side, now, w->s.y);
        ERKStepSetInitStep(w->mesh, length);
    }
    while (direction * (end - (now + length)) >= 0.0) {
        const int code = ERKStepEvolve(w->mesh, end + direction * me->sys->time_scale, w->s.y, &now, ARK_ONE_STEP);
        count(&w->s, w->mesh, w->s.seen);
        if (code < 0) {
            return solver_failed(me, &w->s, "ERKStepEvolve", code, now);
        }
        ERKStepGetCurrentStep(w->mesh, &length);
    }
    SB_TRY(integrate_to(me, w, now, length, end));
    return solver_output(me, &w->s, end, w->end, out);
}
