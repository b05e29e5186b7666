/* Trajectories in quadruple precision at equidistant times. */
#include <math.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "core/run/build.h"
#include "core/run/run.h"
#include "quad/quad.h"

static int path_new(const quad_call *call, sb_scalar dt, long count, quad_path *out) {
    *out = (quad_path){.n = call->sys.n, .m = sb_system_bilateral(&call->sys), .count = count, .dt = dt};
    const size_t rows = (size_t)count + 1;
    SB_NEW(call->arena, out->q, rows * (size_t)out->n);
    SB_NEW(call->arena, out->v, rows * (size_t)out->n);
    SB_NEW(call->arena, out->a, rows * (size_t)out->n);
    SB_NEW(call->arena, out->lambda, rows * (size_t)out->m);
    return SB_OK;
}

typedef struct recorder {
    quad_path *path;
    long per;
} recorder;

static int record(void *arg, const sb_sample *sample) {
    const recorder *r = arg;
    quad_path *path = r->path;
    path->t0 = sample->step == 0 ? sample->t : path->t0;
    const size_t n = (size_t)path->n, row = (size_t)(sample->step / r->per);
    memcpy(path->q + row * n, sample->q, n * sizeof *path->q);
    memcpy(path->v + row * n, sample->v, n * sizeof *path->v);
    return SB_OK;
}

/* Sets accelerations and multipliers of every row from the equations of motion of the system without the method's
 * formulations. */
static int fill_law(const quad_call *call, quad_path *path) {
    sb_dynamics dyn;
    SB_TRY(sb_dynamics_init(call->ctx, call->arena, &call->sys, &dyn));
    for (long j = 0; j <= path->count; j++) {
        SB_TRY(sb_dynamics_acceleration(&dyn, path->t0 + (sb_scalar)j * path->dt, path->q + j * path->n,
                                        path->v + j * path->n, path->a + j * path->n, path->lambda + j * path->m));
    }
    return SB_OK;
}

static int formulate(const quad_call *call, const char *around, sb_system *out) {
    *out = call->sys;
    if (around == NULL) {
        return SB_OK;
    }
    sb_spec extra;
    sb_specs all = {.count = call->formulations.count + 1};
    SB_TRY(sb_spec_parse(call->ctx, call->arena, SB_KIND_FORMULATION, around, &extra));
    SB_NEW(call->arena, all.list, all.count);
    if (all.count > 1) {
        memcpy(all.list, call->formulations.list, (size_t)(all.count - 1) * sizeof *all.list);
    }
    all.list[all.count - 1] = extra;
    return sb_system_make(call->ctx, call->arena, &call->spec, &all, out);
}

int quad_path_run(const quad_call *call, const char *stepper, const char *around, sb_scalar dt, long count, long per,
                  quad_path *out) {
    sb_system *sys;
    sb_method method;
    SB_NEW(call->arena, sys, 1);
    SB_TRY(formulate(call, around, sys));
    SB_TRY(sb_method_build(call->ctx, call->arena, stepper, sys, &method));
    if (method.type->control.tolerance != NULL) {
        return sb_fail(
            call->ctx, SB_UNSUPPORTED,
            "%s chooses its steps itself; orders and references in quadruple precision need steps of length h",
            stepper);
    }
    SB_TRY(path_new(call, dt, count, out));
    sb_run run = {.h = dt / (sb_scalar)per, .steps = per * count, .every = per};
    recorder r = {out, per};
    SB_TRY(quad_run_method(call, stepper, &method, &run, record, &r));
    return fill_law(call, out);
}

int quad_path_exact(const quad_call *call, sb_scalar dt, long count, quad_path *out) {
    const sb_system *sys = &call->sys;
    SB_TRY(path_new(call, dt, count, out));
    SB_TRY(sys->initial(sys->self, &out->t0, out->q, out->v));
    for (long j = 0; j <= count; j++) {
        SB_TRY(sys->exact(sys->self, out->t0 + (sb_scalar)j * dt, out->q + j * out->n, out->v + j * out->n, NULL));
    }
    return fill_law(call, out);
}

static sb_scalar distance(int n, const sb_scalar *a, const sb_scalar *b) {
    sb_scalar sum = 0.0;
    for (int i = 0; i < n; i++) {
        const sb_scalar d = b != NULL ? a[i] - b[i] : a[i];
        sum += d * d;
    }
    return sqrt(sum);
}

void quad_path_difference(const quad_path *a, const quad_path *b, long every, sb_scalar error[SB_SOLUTION_PARTS]) {
    error[SB_SOLUTION_Q] = error[SB_SOLUTION_V] = 0.0;
    error[SB_SOLUTION_LAMBDA] = a->m > 0 && b->m > 0 ? 0.0 : NAN;
    for (long j = 0; j <= a->count; j++) {
        const long k = j * every;
        error[SB_SOLUTION_Q] = sb_larger(error[SB_SOLUTION_Q], distance(a->n, a->q + j * a->n, b->q + k * b->n));
        error[SB_SOLUTION_V] = sb_larger(error[SB_SOLUTION_V], distance(a->n, a->v + j * a->n, b->v + k * b->n));
        error[SB_SOLUTION_LAMBDA] =
            sb_larger(error[SB_SOLUTION_LAMBDA], distance(a->m, a->lambda + j * a->m, b->lambda + k * b->m));
    }
    if (a->m == 0) {
        error[SB_SOLUTION_LAMBDA] = NAN;
    }
}

sb_scalar quad_path_size(const quad_path *path, int what) {
    const int width = what == SB_SOLUTION_LAMBDA ? path->m : path->n;
    const sb_scalar *x = what == SB_SOLUTION_Q ? path->q : what == SB_SOLUTION_V ? path->v : path->lambda;
    sb_scalar size = 0.0;
    for (long j = 0; j <= path->count; j++) {
        size = sb_larger(size, distance(width, x + j * width, NULL));
    }
    return size;
}
