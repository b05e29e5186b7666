/* Runs of a stepper on a problem: with all samples in arrays, with an observer, or step by step. */
#include "bench/runner/trajectory.h"

#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/row.h"

static int keep(void *arg, const sb_sample *s) {
    sb_path *p = arg;
    p->t[p->count] = s->t;
    memcpy(p->q + p->count * p->n, s->q, (size_t)p->n * sizeof(double));
    memcpy(p->v + p->count * p->n, s->v, (size_t)p->n * sizeof(double));
    if (p->lambda != NULL) {
        memcpy(p->lambda + p->count * p->m, s->lambda, (size_t)p->m * sizeof(double));
    }
    p->iters += s->step > 0 ? s->state->iters : 0;
    p->count++;
    return SB_OK;
}

static int run_on(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, const sb_run *run,
                  sb_observer observe, void *arg) {
    sb_method method = {0};
    sb_run own = *run;
    SB_TRY(sb_method_build(ctx, arena, stepper, sys, &method));
    return sb_run_method(&method, &own, observe, arg);
}

static int build(sb_context *ctx, sb_arena *arena, const char *problem, const char *formulation, const char *stepper,
                 sb_system *sys) {
    return problem == NULL || formulation == NULL || stepper == NULL
               ? SB_NO_MEMORY
               : sb_system_build(ctx, arena, problem, formulation[0] != '\0', &formulation, sys);
}

int sb_bench_path_of(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                     const sb_run *run, sb_path *out) {
    const long room = run->steps / run->every + 2;
    *out = (sb_path){0};
    SB_TRY(build(bench->ctx, &bench->arena, problem, formulation, stepper, &out->sys));
    out->n = out->sys.n;
    out->m = sb_system_multipliers(&out->sys);
    SB_NEW(&bench->arena, out->t, room);
    SB_TRY(SB_VECTORS(&bench->arena, room * out->n, &out->q, &out->v));
    if (run->multipliers) {
        SB_NEW(&bench->arena, out->lambda, room * out->m);
    }
    const int status = run_on(bench->ctx, &bench->arena, &out->sys, stepper, run, keep, out);
    if (status == SB_OK || !sb_failure_is_result(status)) {
        return status;
    }
    out->failure = sb_strdup(&bench->arena, bench->ctx->message);
    return out->failure != NULL ? SB_OK : SB_NO_MEMORY;
}

int sb_bench_whole_path(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                        const sb_run *run, sb_path *out) {
    SB_TRY(sb_bench_path_of(bench, problem, formulation, stepper, run, out));
    return out->failure == NULL ? SB_OK : sb_fail(bench->ctx, SB_NOT_CONVERGED, "%s", out->failure);
}

int sb_bench_path(sb_bench *bench, const char *problem, const char *stepper, double h, long steps, long every,
                  sb_path *out) {
    const sb_run run = {.h = h, .steps = steps, .every = every, .multipliers = true};
    return sb_bench_path_of(bench, problem, "", stepper, &run, out);
}

double sb_path_distance(const sb_path *a, const sb_path *b) {
    return a->failure == NULL && b->failure == NULL && a->count == b->count
               ? sb_distance_max((int)a->count * a->n, a->q, b->q)
               : (double)NAN;
}

int sb_bench_observe(sb_bench *bench, const char *problem, const char *formulation, const char *stepper,
                     const sb_run *run, sb_observer observe, void *arg) {
    sb_system sys;
    SB_SCRATCH(scratch, bench->ctx);
    SB_TRY(build(bench->ctx, &scratch, problem, formulation, stepper, &sys));
    return run_on(bench->ctx, &scratch, &sys, stepper, run, observe, arg);
}

int sb_bench_orbit(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, double h,
                   sb_method *method, sb_orbit *out) {
    if (stepper == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_method_build(ctx, arena, stepper, sys, method));
    SB_TRY(sb_orbit_init(method, arena, out));
    return sb_orbit_start(out, 0.0, NULL, NULL, h);
}
