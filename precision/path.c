/* Runs, and their states at equidistant times. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <stepbench/numerics/dynamics.h>

#include "core/run/build.h"
#include "precision/precision.h"

/* ---- Runs that report their progress, for the line that stepbench shows on a terminal. ---- */

/* Passes the samples of a run on to their observer. */
typedef struct reporter {
    const precision_call *call;
    const char *stepper;
    const sb_run *run;
    long every; /* steps per sample that is passed on */
    double last;
    sb_observer observe;
    void *arg;
} reporter;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Writes a line ten times per second at most, twice as often as it is shown. */
static int report(void *arg, const sb_sample *sample) {
    reporter *me = arg;
    const double at = now();
    if (at - me->last >= 0.1) {
        me->last = at;
        fprintf(stderr, "progress %ld %ld %s of %s on %s, h = %.3g\n", sample->step, me->run->steps,
                me->call->me->command.entry->name, me->stepper, me->call->problem, (double)me->run->h);
    }
    return sample->step % me->every == 0 || sample->step == me->run->steps ? me->observe(me->arg, sample) : SB_OK;
}

int precision_run_method(const precision_call *call, const char *stepper, sb_method *method, sb_run *run,
                         sb_observer observe, void *arg) {
    reporter me = {call, stepper, run, run->every, 0.0, observe, arg};
    if (!call->me->shared.progress) {
        return sb_run_method(method, run, observe, arg);
    }
    run->every = 1;
    return sb_run_method(method, run, report, &me);
}

/* ---- Trajectories. ---- */

static int path_new(const precision_call *call, sb_scalar dt, long count, sb_solution *out) {
    *out = (sb_solution){.n = call->sys.n, .m = sb_system_bilateral(&call->sys), .count = count, .dt = dt};
    const size_t rows = (size_t)count + 1;
    SB_NEW(call->arena, out->lambda, rows * (size_t)out->m);
    return SB_VECTORS(call->arena, rows * (size_t)out->n, &out->q, &out->v, &out->a);
}

typedef struct recorder {
    sb_solution *path;
    long per;
} recorder;

static int record(void *arg, const sb_sample *sample) {
    const recorder *r = arg;
    sb_solution *path = r->path;
    path->t0 = sample->step == 0 ? sample->t : path->t0;
    const size_t n = (size_t)path->n, row = (size_t)(sample->step / r->per);
    memcpy(path->q + row * n, sample->q, n * sizeof *path->q);
    memcpy(path->v + row * n, sample->v, n * sizeof *path->v);
    return SB_OK;
}

/* Sets accelerations and multipliers of every row from the equations of motion of the system without the method's
 * formulations. */
static int set_accelerations(const precision_call *call, sb_solution *path) {
    sb_dynamics dyn;
    SB_TRY(sb_dynamics_init(call->ctx, call->arena, &call->sys, &dyn));
    for (long j = 0; j <= path->count; j++) {
        SB_TRY(sb_dynamics_acceleration(&dyn, path->t0 + (sb_scalar)j * path->dt, path->q + j * path->n,
                                        path->v + j * path->n, path->a + j * path->n, path->lambda + j * path->m));
    }
    return SB_OK;
}

static int formulate(const precision_call *call, const char *around, sb_system *out) {
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

static int keep_last(void *arg, const sb_sample *sample) {
    sb_scalar **to = arg;
    const size_t n = (size_t)(to[1] - to[0]);
    memcpy(to[0], sample->q, n * sizeof **to);
    memcpy(to[1], sample->v, n * sizeof **to);
    return SB_OK;
}

/* Runs from each sample or break to the next one, in steps of dt/per at most. A break within some roundings of double
 * precision of a sample is that sample. */
static int run_to_breaks(const precision_call *call, const char *stepper, sb_method *method, long per,
                         sb_solution *out) {
    const sb_system *sys = method->sys;
    const size_t n = (size_t)sys->n;
    sb_scalar *state, t;
    SB_NEW(call->arena, state, 2 * sys->n);
    sb_scalar *at[2] = {state, state + n};
    int next = 0;
    SB_TRY(sys->initial(sys->self, &t, at[0], at[1]));
    out->t0 = t;
    for (long j = 0; j <= out->count; j++) {
        const sb_scalar end = out->t0 + (sb_scalar)j * out->dt, near = 16.0 * DBL_EPSILON * fmax(fabs(end), out->dt);
        while (t < end) {
            long steps;
            while (next < sys->breaks && sys->break_at[next] <= t + near) {
                next++;
            }
            const sb_scalar to = next < sys->breaks && sys->break_at[next] < end - near ? sys->break_at[next] : end;
            SB_TRY(sb_steps(call->ctx, to - t, out->dt / (sb_scalar)per, SB_STEPS_UP, &steps));
            sb_run run = {
                .h = (to - t) / (sb_scalar)steps, .steps = steps, .every = steps, .q0 = at[0], .v0 = at[1], .t0 = t};
            SB_TRY(precision_run_method(call, stepper, method, &run, keep_last, at));
            t = to;
        }
        memcpy(out->q + (size_t)j * n, at[0], n * sizeof *state);
        memcpy(out->v + (size_t)j * n, at[1], n * sizeof *state);
    }
    return SB_OK;
}

int precision_path_run(const precision_call *call, const char *stepper, const char *around, sb_scalar dt, long count,
                       long per, bool to_breaks, sb_solution *out) {
    sb_system *sys;
    sb_method method;
    SB_NEW(call->arena, sys, 1);
    SB_TRY(formulate(call, around, sys));
    SB_TRY(sb_method_build(call->ctx, call->arena, stepper, sys, &method));
    if (method.type->control.tolerance != NULL) {
        return sb_fail(call->ctx, SB_UNSUPPORTED,
                       "%s chooses its steps itself; orders and references in " PRECISION_WORDS
                       " need steps of length h",
                       stepper);
    }
    SB_TRY(path_new(call, dt, count, out));
    if (to_breaks && sys->breaks > 0) {
        SB_TRY(run_to_breaks(call, stepper, &method, per, out));
        return set_accelerations(call, out);
    }
    sb_run run = {.h = dt / (sb_scalar)per, .steps = per * count, .every = per};
    recorder r = {out, per};
    SB_TRY(precision_run_method(call, stepper, &method, &run, record, &r));
    return set_accelerations(call, out);
}

int precision_path_exact(const precision_call *call, sb_scalar dt, long count, sb_solution *out) {
    const sb_system *sys = &call->sys;
    SB_TRY(path_new(call, dt, count, out));
    for (int k = 0; k < SB_SOLUTION_PARTS; k++) {
        out->bound[k] = NAN;
    }
    SB_TRY(sys->initial(sys->self, &out->t0, out->q, out->v));
    for (long j = 0; j <= count; j++) {
        SB_TRY(sys->exact(sys->self, out->t0 + (sb_scalar)j * dt, out->q + j * out->n, out->v + j * out->n, NULL));
    }
    return set_accelerations(call, out);
}

sb_scalar precision_distance2(int n, const sb_scalar *a, const sb_scalar *b) {
    sb_scalar sum = 0.0;
    for (int i = 0; i < n; i++) {
        const sb_scalar d = b != NULL ? a[i] - b[i] : a[i];
        sum += d * d;
    }
    return sum;
}

/* Returns the rows of q, v or lambda, and sets *width to their length. */
static const sb_scalar *part_of(const sb_solution *path, int part, int *width) {
    *width = part == SB_SOLUTION_LAMBDA ? path->m : path->n;
    return part == SB_SOLUTION_Q ? path->q : part == SB_SOLUTION_V ? path->v : path->lambda;
}

void precision_path_difference(const sb_solution *a, const sb_solution *b, long every,
                               sb_scalar error[SB_SOLUTION_PARTS]) {
    for (int k = 0; k < SB_SOLUTION_PARTS; k++) {
        int n, n_b;
        const sb_scalar *x = part_of(a, k, &n), *y = part_of(b, k, &n_b);
        error[k] = n > 0 && n_b > 0 ? 0.0 : NAN;
        for (long j = 0; j <= a->count && !isnan(error[k]); j++) {
            error[k] = sb_larger(error[k], sqrt(precision_distance2(n, x + j * n, y + j * every * n)));
        }
    }
}

sb_scalar precision_path_size(const sb_solution *path, int part) {
    int n;
    const sb_scalar *x = part_of(path, part, &n);
    sb_scalar size = 0.0;
    for (long j = 0; j <= path->count; j++) {
        size = sb_larger(size, sqrt(precision_distance2(n, x + j * n, NULL)));
    }
    return size;
}
