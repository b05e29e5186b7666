/* Analysis `reversibility`: what is left of a run after as many steps back. hlw06 V.1. */
#include <float.h>

#include <stepbench/numerics/norm.h>

#include "analysis/conservation/reversibility.h"
#include "analysis/row.h"

extern const sb_analysis sb_analysis_reversibility;

static int advance(const sb_method *me, long steps, double h, sb_state state[2], int *now) {
    for (long k = 0; k < steps; k++, *now = 1 - *now) {
        SB_TRY(sb_method_step(me, &state[*now], h, &state[1 - *now]));
    }
    return SB_OK;
}

static double distance(int n, const double *a, const double *b) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = sb_larger(most, fabs(a[i] - b[i]));
    }
    return most;
}

static int there_and_back(sb_arena *arena, const sb_method *me, double h, long steps, sb_reversibility *out) {
    const sb_system *sys = me->sys;
    const int n = sys->n;
    sb_state state[2];
    double *q, *v, *back, t;
    int now = 0;
    SB_NEW(arena, q, n);
    SB_NEW(arena, v, n);
    SB_NEW(arena, back, n);
    SB_TRY(sb_state_new(me, arena, &state[0]));
    SB_TRY(sb_state_new(me, arena, &state[1]));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(sb_method_start(me, t, q, v, h, &state[0]));
    SB_TRY(advance(me, steps, h, state, &now));
    out->path = distance(n, state[now].q, q);
    SB_TRY(advance(me, steps, -h, state, &now));
    SB_TRY(sb_method_report(me, &state[now], back, NULL));
    out->q = distance(n, state[now].q, q);
    out->v = distance(n, back, v);
    out->rounding = 4.0 * DBL_EPSILON * 0.5 * (4.0 * (double)steps * (double)steps) * sb_larger(out->path, sb_norm_max(n, q));
    out->reverses = out->q <= out->rounding && out->v <= out->rounding / h;
    return SB_OK;
}

int sb_reversibility_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_reversibility *out) {
    sb_method method = {0};
    *out = (sb_reversibility){0};
    int status = sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method);
    status = status == SB_OK ? there_and_back(arena, &method, h, steps, out) : status;
    sb_method_fini(&method);
    return status;
}

/* ---- Rows. ---- */

typedef struct reversibility_config {
    sb_reals h;
    long steps;
} reversibility_config;

enum { PROBLEM, STEPPER, H, STEPS, BACK_Q, BACK_V, PATH, ROUNDING, REVERSES, STATUS, COLUMNS };

static int write_step(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const reversibility_config *config = options;
    sb_reversibility r;
    const int status = sb_reversibility_measure(ctx, arena, pair, h, config->steps, &r);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_reversibility, pair, h, status, ctx->message, out);
    }
    SB_TRY(status);
    const sb_cell row[COLUMNS] = {sb_text(pair->problem), sb_text(pair->stepper), sb_real(h),          sb_int(config->steps),
                                  sb_real(r.q),           sb_real(r.v),           sb_real(r.path),     sb_real(r.rounding),
                                  sb_text(r.reverses ? "yes" : "no"), sb_text(SB_STATUS_FINE)};
    return out->row(out, row);
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    const reversibility_config *c = config;
    return sb_each_step(ctx, config, pair, &c->h, 1, 0.0, write_step, out);
}

static const sb_param params[] = {{"h", SB_REALS, offsetof(reversibility_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
                                   "steps; empty: a tenth of the problem's time scale"},
                                  {"steps", SB_INT, offsetof(reversibility_config, steps), "20", 1.0, 1e6, SB_CLOSED, NULL, "", "steps there, and as many back"},
                                  {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step there; -h back"},
    {"steps", SB_COL_INFO, "", "steps there, and as many back"},
    {"back_q", SB_COL_ERROR, "", "largest distance of a coordinate from where it began"},
    {"back_v", SB_COL_ERROR, "", "the same of the reported velocities"},
    {"path", SB_COL_ERROR, "", "largest distance of a coordinate between the beginning and the turning point"},
    {"rounding", SB_COL_ERROR, "", "what round-off may have made of back_q; of back_v rounding/h"},
    {"reverses", SB_COL_INFO, "", "yes: both are within it"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_reversibility = {
    .entry = {"reversibility", "what is left of a run after as many steps back", "hlw06 V.1", params, sizeof(reversibility_config)},
    .ncolumns = COLUMNS,
    .columns = columns,
    .run = run};
