/* Runs whose samples are all kept. */
#include <string.h>

#include "analysis/row.h"
#include "bench/runner/trajectory.h"

static int keep(void *arg, const sb_sample *s) {
    sb_path *p = arg;
    p->t[p->count] = s->t;
    memcpy(p->q + p->count * p->n, s->q, (size_t)p->n * sizeof(double));
    memcpy(p->v + p->count * p->n, s->v, (size_t)p->n * sizeof(double));
    memcpy(p->lambda + p->count * p->m, s->lambda, (size_t)p->m * sizeof(double));
    p->count++;
    return SB_OK;
}

static int run_method(sb_bench *bench, const char *stepper, sb_run *run, sb_path *out) {
    sb_method method = {0};
    int status = sb_method_build(bench->ctx, &bench->arena, stepper, &out->sys, &method);
    status = status == SB_OK ? sb_run_method(&method, run, keep, out) : status;
    return status;
}

int sb_bench_path(sb_bench *bench, const char *problem, const char *stepper, double h, long steps, long every,
                  sb_path *out) {
    sb_run run = {.h = h, .steps = steps, .every = every, .multipliers = true};
    const long room = steps / every + 2;
    *out = (sb_path){0};
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &out->sys));
    out->n = out->sys.n;
    out->m = sb_system_multipliers(&out->sys);
    SB_NEW(&bench->arena, out->t, room);
    SB_NEW(&bench->arena, out->q, room * out->n);
    SB_NEW(&bench->arena, out->v, room * out->n);
    SB_NEW(&bench->arena, out->lambda, room * out->m);
    const int status = run_method(bench, stepper, &run, out);
    if (status == SB_OK || !sb_failure_is_result(status)) {
        return status;
    }
    out->failure = sb_strdup(&bench->arena, bench->ctx->message);
    return out->failure != NULL ? SB_OK : SB_NO_MEMORY;
}
