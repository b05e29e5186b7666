/* Deviation of two runs of a method, from the initial state and from a perturbed initial velocity; and its growth in
 * the motion itself. */
#include "analysis/stability/deviation.h"
#include "analysis/row.h"

int sb_deviation_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_deviation *out) {
    const int n = pair->sys->n;
    *out = (sb_deviation){0};
    SB_TRY(sb_dynamics_init(ctx, arena, pair->sys, &out->dyn));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &out->method));
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_orbit_init(&out->method, arena, &out->orbit[i]));
    }
    SB_TRY(SB_VECTORS(arena, n, &out->d0, &out->d1, &out->w, &out->p, &out->q, &out->v));
    return SB_OK;
}

int sb_deviation_kick(sb_context *ctx, sb_dynamics *dyn, double t, const double *q, double speed, double *p,
                      double *w) {
    const double golden = 0.6180339887498949;
    const int n = dyn->sys->n;
    for (int k = 0; k < n; k++) {
        p[k] = 0.5 + fmod((k + 1) * golden, 1.0);
    }
    SB_TRY(sb_dynamics_tangent(dyn, t, q, p, w, NULL));
    const double size = sb_norm_max(n, w);
    for (int k = 0; k < n && size > 0.0; k++) {
        w[k] *= speed / size;
    }
    /* A second projection keeps a tangent velocity; of the round-off of a zero one it leaves the round-off. */
    SB_TRY(sb_dynamics_momentum(dyn, q, w, p));
    SB_TRY(sb_dynamics_tangent(dyn, t, q, p, w, NULL));
    return sb_norm_max(n, w) > 0.5 * speed
               ? SB_OK
               : sb_fail(ctx, SB_UNSUPPORTED, "%s: the constraints leave no degree of freedom to perturb",
                         dyn->sys->name);
}

/* Sets d1 to the present difference and d0 to that before it. */
static void subtract(sb_deviation *d) {
    double *swap = d->d0;
    d->d0 = d->d1;
    d->d1 = swap;
    for (int k = 0; k < d->method.sys->n; k++) {
        d->d1[k] = d->orbit[1].now.q[k] - d->orbit[0].now.q[k];
    }
}

int sb_deviation_start(sb_deviation *d, double speed, double h) {
    const sb_system *sys = d->method.sys;
    double time;
    d->h = h;
    d->steps = 0;
    d->growth = d->scale = 0.0;
    SB_TRY(sys->initial(sys->self, &time, d->q, d->v));
    const double size = fmax(sb_norm_max(sys->n, d->q), sb_norm_max(sys->n, d->v) * sys->time_scale);
    SB_TRY(sb_orbit_start(&d->orbit[0], time, d->q, d->v, h));
    const double unit = size > 0.0 ? size : 1.0;
    SB_TRY(sb_deviation_kick(d->method.ctx, &d->dyn, time, d->q, speed * unit / sys->time_scale, d->p, d->w));
    SB_TRY(sb_dynamics_energy(&d->dyn, time, d->q, d->w, &d->first, NULL));
    sb_axpy(sys->n, 1.0, d->w, d->v);
    SB_TRY(sb_orbit_start(&d->orbit[1], time, d->q, d->v, h));
    subtract(d);
    return SB_OK;
}

int sb_deviation_step(sb_deviation *d) {
    double energy;
    SB_TRY(sb_orbit_advance(&d->orbit[0], d->h, 1));
    SB_TRY(sb_orbit_advance(&d->orbit[1], d->h, 1));
    subtract(d);
    for (int k = 0; k < d->method.sys->n; k++) {
        d->w[k] = (d->d1[k] - d->d0[k]) / d->h;
    }
    SB_TRY(sb_dynamics_energy(&d->dyn, d->orbit[0].now.t, d->orbit[0].now.q, d->w, &energy, NULL));
    d->steps++;
    d->growth = d->scale + log(energy / d->first);
    return SB_OK;
}

/* Sets `to` to from + c (to - from). */
static void approach(int n, double c, const double *from, double *to) {
    for (int k = 0; k < n; k++) {
        to[k] = from[k] + c * (to[k] - from[k]);
    }
}

void sb_deviation_shrink(sb_deviation *d) {
    const double factor = 1e-4;
    const sb_state *from = &d->orbit[0].now;
    sb_state *to = &d->orbit[1].now;
    const int n = d->method.sys->n;
    if (!(d->growth - d->scale > -2.0 * log(factor))) {
        return;
    }
    const double c = exp(-0.5 * (d->growth - d->scale));
    approach(n, c, from->q, to->q);
    approach(n, c, from->v, to->v);
    approach(sb_system_multipliers(d->method.sys), c, from->lambda, to->lambda);
    approach(d->method.naux, c, from->aux, to->aux);
    for (int k = 0; k < n; k++) {
        d->d1[k] *= c;
    }
    d->scale = d->growth;
}

/* The tangent part w_t satisfies M w_t = M w + G mu, G' w_t = 0. */
int sb_deviation_transversal(sb_deviation *d, double *share) {
    const double *q = d->orbit[0].now.q;
    double whole, along;
    SB_TRY(sb_dynamics_momentum(&d->dyn, q, d->w, d->p));
    SB_TRY(sb_dynamics_tangent(&d->dyn, d->orbit[0].now.t, q, d->p, d->v, NULL));
    SB_TRY(sb_dynamics_energy(&d->dyn, d->orbit[0].now.t, q, d->w, &whole, NULL));
    SB_TRY(sb_dynamics_energy(&d->dyn, d->orbit[0].now.t, q, d->v, &along, NULL));
    *share = along / whole;
    return SB_OK;
}

/* ---- The growth of the motion itself, from runs with a small step. ---- */

enum { SAMPLE = 4, SAMPLES_MAX = 10000 }; /* steps per sample */

static const double ahead = 1.25;

/* Returns whether the growth of the motion has exceeded `limit`. */
static bool has_grown(const sb_flow *flow, double limit) {
    return flow->samples > 0 && flow->own[flow->samples - 1] > limit;
}

bool sb_flow_is_settled(const sb_flow *flow) { return has_grown(flow, sb_flow_predictable()); }

void sb_flow_init(sb_arena *arena, const sb_pair *pair, double speed, double growth, double resolved, sb_flow *out) {
    *out = (sb_flow){
        .pair = pair, .speed = speed, .growth = growth, .resolved = resolved, .arena = arena, .end = INFINITY};
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
    return sb_deviation_start(&flow->runs, flow->speed, h);
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
