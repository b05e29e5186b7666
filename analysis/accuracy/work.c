/* Work of a run: evaluations of the problem's terms, factorizations and Newton iterations. */
#include <math.h>

#include "analysis/accuracy/work.h"
#include "analysis/orbit.h"

static int count(sb_arena *arena, sb_method *me, double h, long steps, sb_work *out) {
    sb_orbit orbit;
    SB_TRY(sb_orbit_init(me, arena, &orbit));
    SB_TRY(sb_orbit_start(&orbit, 0.0, NULL, NULL, h));
    const sb_context before = *me->ctx;
    out->counts = (sb_counts){0};
    for (long k = 0; k < steps; k++) {
        SB_TRY(sb_orbit_advance(&orbit, h, 1));
        out->iters += orbit.now.iters;
    }
    out->factorizations = me->ctx->factorizations - before.factorizations;
    out->substeps = me->ctx->substeps - before.substeps;
    out->rejected = me->ctx->rejected - before.rejected;
    out->stalled = me->ctx->stalled - before.stalled;
    return SB_OK;
}

int sb_work_measure(sb_context *ctx, const sb_pair *pair, double h, long steps, sb_work *out) {
    sb_system counted;
    sb_method method;
    *out = (sb_work){0};
    SB_SCRATCH(arena, ctx);
    SB_TRY(sb_system_counting(ctx, &arena, pair->sys, &out->counts, &counted));
    SB_TRY(sb_method_init(ctx, &arena, pair->type, pair->config, &counted, &method));
    return count(&arena, &method, h, steps, out);
}

double sb_work_uncertainty(const sb_work *work) {
    return work->iters > 0 ? 2.0 * 0.875 * sqrt((double)work->stalled) / (double)work->iters : 0.0;
}

double sb_work_weighted(const sb_work *work, const double weights[SB_WORK_KINDS]) {
    const sb_counts *counts = &work->counts;
    const long kinds[SB_WORK_KINDS] = {counts->force, counts->hessian, counts->constraint, counts->mass,
                                       work->factorizations};
    double sum = 0.0;
    for (int k = 0; k < SB_WORK_KINDS; k++) {
        sum += weights[k] * (double)kinds[k];
    }
    return sum;
}
