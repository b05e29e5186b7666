/* Work of a run: evaluations of the problem's terms, factorizations and Newton iterations. */
#include "analysis/accuracy/work.h"
#include "analysis/orbit.h"

int sb_work_measure(sb_context *ctx, const sb_pair *pair, double h, long steps, sb_work *out) {
    sb_system counted;
    sb_method method;
    sb_orbit orbit;
    *out = (sb_work){0};
    SB_SCRATCH(arena, ctx);
    SB_TRY(sb_system_counting(ctx, &arena, pair->sys, &out->counts, &counted));
    SB_TRY(sb_method_init(ctx, &arena, pair->type, pair->config, &counted, &method));
    SB_TRY(sb_orbit_init(&method, &arena, &orbit));
    SB_TRY(sb_orbit_start(&orbit, 0.0, NULL, NULL, h));
    const sb_context before = *ctx;
    out->counts = (sb_counts){0};
    for (long k = 0; k < steps; k++) {
        SB_TRY(sb_orbit_advance(&orbit, h, 1));
        out->iters += orbit.now.iters;
    }
    out->factorizations = ctx->factorizations - before.factorizations;
    out->substeps = ctx->substeps - before.substeps;
    out->rejected = ctx->rejected - before.rejected;
    out->stalled = ctx->stalled - before.stalled;
    return SB_OK;
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
