/* Computes exact motions: closed form, or angles by Runge-Kutta of order 8 with error control. */
#include "bench/peers/reference.h"

#include <math.h>
#include <string.h>

#include "core/run/build.h"
#include "core/run/run.h"

typedef struct recorder {
    const mechanism *m;
    const sb_chart *chart;
    double *q, *v, *Dx;
    double (*tip)[2];
    peer_body *body;
} recorder;

/* q = q(s) and v = D s'. */
static int record(void *arg, const sb_sample *sample) {
    const recorder *me = arg;
    const sb_pattern *D = &me->chart->D;
    SB_TRY(me->chart->point(me->chart->self, sample->q, me->q, me->Dx));
    memset(me->v, 0, (size_t)D->rows * sizeof *me->v);
    sb_csc_mult_add(D, me->Dx, 1.0, sample->v, me->v);
    mechanism_bodies(me->m, me->q, me->v, me->body);
    mechanism_tip(me->m, me->body, me->tip[sample->step]);
    return SB_OK;
}

static int integrate(sb_context *ctx, sb_arena *arena, recorder *me, double dt, int count, const char *stepper) {
    sb_system angles;
    sb_method method;
    sb_run run = {.h = dt, .steps = count, .every = 1};
    SB_TRY(sb_system_build(ctx, arena, me->m->specification, 1, (const char *const[]){"chart"}, &angles));
    SB_TRY(sb_method_build(ctx, arena, stepper, &angles, &method));
    return sb_run_method(&method, &run, record, me);
}

int reference_new(sb_context *ctx, sb_arena *arena, const mechanism *m, double dt, int count, double close,
                  reference *out) {
    recorder me = {.m = m, .chart = m->sys.chart};
    double(*coarse)[2];
    *out = (reference){.dt = dt, .count = count + 1};
    SB_TRY(SB_VECTORS(arena, m->sys.n, &me.q, &me.v));
    SB_NEW(arena, out->tip, count + 1);
    SB_NEW(arena, coarse, count + 1);
    SB_NEW(arena, out->last, m->world.nbodies);
    me.body = out->last;
    if (m->sys.exact != NULL) {
        for (int j = 0; j <= count; j++) {
            SB_TRY(m->sys.exact(m->sys.self, j * dt, me.q, me.v, NULL));
            mechanism_bodies(m, me.q, me.v, me.body);
            mechanism_tip(m, me.body, out->tip[j]);
        }
        return SB_OK;
    }
    SB_NEW(arena, me.Dx, sb_pattern_nnz(&m->sys.chart->D));
    me.tip = coarse;
    SB_TRY(integrate(ctx, arena, &me, dt, count, "odeiv2:rtol=1e-12"));
    me.tip = out->tip;
    SB_TRY(integrate(ctx, arena, &me, dt, count, "odeiv2:rtol=1e-13"));
    for (int j = count; j >= 0; j--) {
        if (!(hypot(coarse[j][0] - out->tip[j][0], coarse[j][1] - out->tip[j][1]) < close)) {
            out->count = j;
        }
    }
    return SB_OK;
}
