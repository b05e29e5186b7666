/* Analysis `reversibility`: distance from the initial state after steps forward and as many steps back. hlw06 V.1. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/properties.h"
#include "analysis/orbit.h"
#include "analysis/row.h"

int sb_reversibility_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                             sb_reversibility *out) {
    const sb_system *sys = pair->sys;
    const int n = sys->n;
    const double visible = sb_visible_defect(pair, h, steps);
    sb_method method;
    sb_orbit orbit;
    double *q, *v, *back, t;
    SB_TRY(SB_VECTORS(arena, n, &q, &v, &back));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, sys, &method));
    SB_TRY(sb_orbit_init(&method, arena, &orbit));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(sb_orbit_start(&orbit, t, q, v, h));
    SB_TRY(sb_orbit_advance(&orbit, h, steps));
    out->path = sb_distance_max(n, orbit.now.q, q);
    SB_TRY(sb_orbit_advance(&orbit, -h, steps));
    SB_TRY(sb_method_report(&method, &orbit.now, back, NULL));
    out->q = sb_distance_max(n, orbit.now.q, q);
    out->v = sb_distance_max(n, back, v);
    out->rounding =
        4.0 * DBL_EPSILON * 0.5 * (4.0 * (double)steps * (double)steps) * sb_larger(out->path, sb_norm_max(n, q));
    out->moves = !(out->path <= out->rounding);
    out->reverses = sb_decide(sb_larger(out->q, h * out->v), out->rounding, visible * out->path);
    return SB_OK;
}

/* ---- Rows. ---- */

typedef struct reversibility_config {
    sb_step_options step;
    long steps;
} reversibility_config;

static int run(sb_task *task) {
    const reversibility_config *config = task->config;
    sb_reversibility r;
    SB_TRY(sb_reversibility_measure(task->ctx, task->arena, task->pair, task->h, config->steps, &r));
    return sb_row_status(task, r.moves ? SB_STATUS_OK : "nothing moves: at rest every step back undoes a step",
                         SB_CELLS(sb_int(config->steps), sb_real(r.q), sb_real(r.v), sb_real(r.path),
                                  sb_real(r.rounding), r.moves ? sb_decision_cell(r.reverses) : sb_empty()));
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits"),
    SB_PARAM_INT(reversibility_config, steps, "20", 1.0, 1e6, "number of steps forward, and of steps back"),
    {0}};

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    SB_COLUMN_STEPPER,
    {"h", SB_COL_KEY, "s", "step forward; -h back"},
    {"steps", SB_COL_INFO, "", "number of steps forward, and of steps back"},
    {"back_q", SB_COL_ERROR, "", "largest difference of a coordinate from its initial value"},
    {"back_v", SB_COL_ERROR, "", "the same of the reported velocities"},
    {"path", SB_COL_ERROR, "",
     "largest difference of a coordinate between the initial state and the state after the steps forward"},
    {"rounding", SB_COL_ERROR, "", "estimate of the accumulated round-off in back_q; in back_v it is rounding/h"},
    {"reverses", SB_COL_INFO, "",
     "yes: back_q and back_v are within round-off; unclear: round-off would hide the defect of a method of this order, "
     "and fewer or longer steps would decide; empty: path is within round-off, nothing moves"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(reversibility) = {
    .entry = {"reversibility", "distance from the initial state after steps forward and as many steps back",
              "hlw06 V.1", params, sizeof(reversibility_config)},
    .levels = 1,
    SB_COLUMNS(columns),
    .example = "stepbench reversibility -p pendulum -s rattle",
    .run = run};
