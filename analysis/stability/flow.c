/* Growth of a perturbation in the motion itself, from runs with a small step. */
#include <math.h>

#include "analysis/row.h"
#include "analysis/stability/flow.h"

enum { SAMPLE = 4, SAMPLES_MAX = 10000 }; /* steps per sample */

static const double ahead = 1.25;

/* Returns whether the growth of the motion has exceeded `limit`. */
static bool has_grown(const sb_flow *flow, double limit) {
    return flow->samples > 0 && flow->own[flow->samples - 1] > limit;
}

bool sb_flow_is_settled(const sb_flow *flow) { return has_grown(flow, sb_flow_predictable()); }

void sb_flow_init(sb_arena *arena, const sb_pair *pair, double kick, double growth, double resolved, sb_flow *out) {
    *out =
        (sb_flow){.pair = pair, .kick = kick, .growth = growth, .resolved = resolved, .arena = arena, .end = INFINITY};
}

static int start(sb_flow *flow, double h) {
    sb_context *ctx = flow->arena->ctx;
    const bool first = flow->h == 0.0;
    flow->h = h;
    flow->samples = 0;
    flow->most = flow->rate = 0.0;
    flow->end = INFINITY;
    if (first) {
        SB_TRY(SB_VECTORS(flow->arena, SAMPLES_MAX, &flow->largest, &flow->own));
        SB_TRY(sb_deviation_init(ctx, flow->arena, flow->pair, &flow->runs));
    }
    return sb_deviation_start(&flow->runs, flow->kick, h);
}

/* Adds the sample at the present time. */
static void sample(sb_flow *flow) {
    const long k = flow->samples;
    const bool exponential = flow->most >= 0.5 * log(flow->growth) && flow->most - flow->largest[k / 2] > log(10.0);
    flow->largest[k] = flow->most;
    flow->own[k] = fmax(k > 0 ? flow->own[k - 1] : 0.0, exponential ? 2.0 * flow->most : 0.0);
    flow->rate = exponential ? 0.5 * flow->most / ((double)flow->runs.steps * flow->h) : flow->rate;
    flow->samples++;
}

/* Takes the steps of one sample. */
static int advance(sb_flow *flow) {
    for (int i = 0; i < SAMPLE; i++) {
        SB_TRY(sb_deviation_step(&flow->runs));
        flow->most = fmax(flow->most, flow->runs.growth);
        sb_deviation_shrink(&flow->runs);
    }
    sample(flow);
    return SB_OK;
}

/* Keeps the failure of a run, if it failed, at the time of its last step. */
static int end(sb_flow *flow, int status) {
    flow->end = status == SB_OK ? INFINITY : (double)flow->runs.steps * flow->h;
    return sb_failure_keep(flow->arena, status, &flow->cause);
}

int sb_flow_growth(sb_flow *flow, double t, double h, bool far, double *own) {
    const double enough = (far ? 2.0 : 1.0) * sb_flow_predictable();
    const double most = flow->resolved > 0.0 ? fmin(flow->resolved, h / SAMPLE) : h / SAMPLE;
    if (!(flow->h <= most && (flow->h > 0.2 * most || sb_flow_is_settled(flow)))) {
        SB_TRY(end(flow, start(flow, most)));
    }
    const double span = SAMPLE * flow->h;
    const long wanted = (long)fmin(ceil(ahead * t / span), 1e15);
    while (flow->samples < wanted && flow->samples < SAMPLES_MAX && !has_grown(flow, enough) && isinf(flow->end)) {
        SB_TRY(end(flow, advance(flow)));
    }
    if (flow->samples < wanted && !isinf(flow->end)) {
        *own = INFINITY;
        return SB_OK;
    }
    const long reached = flow->samples < wanted ? flow->samples : wanted;
    *own = reached > 0 ? flow->own[reached - 1] * (double)wanted / (double)reached : 0.0;
    return SB_OK;
}
