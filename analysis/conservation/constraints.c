/* Analysis `constraints`: largest violation of the constraints along a run, at position and at velocity level. */
#include <float.h>

#include <stepbench/numerics/norm.h>

#include "analysis/conservation/quantities.h"
#include "analysis/row.h"
#include "analysis/conservation/constraints.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_constraints;

typedef struct watch {
    const sb_system *sys;
    double *g, *Gx, *Ax, *w;
    sb_extent extent;
    sb_constraint_residuals *out;
} watch;

/* |C v - offset| of column j, and over the sum of |C_k|. */
static void add_row(const sb_pattern *C, const double *Cx, int j, const double *v, double offset, double *largest, double *relative) {
    double rate = -offset, size = 0.0;
    for (int k = C->p[j]; k < C->p[j + 1]; k++) {
        rate += Cx[k] * v[C->i[k]];
        size += fabs(Cx[k]);
    }
    *largest = sb_larger(*largest, fabs(rate));
    *relative = sb_larger(*relative, rate == 0.0 ? 0.0 : fabs(rate) / size);
}

static int observe(void *arg, const sb_sample *s) {
    watch *me = arg;
    const sb_holonomic *hol = &me->sys->holonomic;
    const sb_nonholonomic *non = &me->sys->nonholonomic;
    sb_extent_add(&me->extent, me->sys->n, s->q, s->v);
    if (hol->m > 0) {
        SB_TRY(hol->value(hol->self, s->q, me->g, me->Gx));
    }
    if (non->m > 0) {
        SB_TRY(non->value(non->self, s->t, s->q, me->Ax, me->w));
    }
    for (int j = 0; j < hol->m; j++) {
        double terms = 0.0;
        for (int k = hol->G.p[j]; k < hol->G.p[j + 1]; k++) {
            terms += fabs(me->Gx[k]);
        }
        me->out->g = sb_larger(me->out->g, fabs(me->g[j]));
        me->out->relative_g = sb_larger(me->out->relative_g, me->g[j] == 0.0 ? 0.0 : fabs(me->g[j]) / terms);
        add_row(&hol->G, me->Gx, j, s->v, 0.0, &me->out->gv, &me->out->relative_gv);
    }
    for (int j = 0; j < non->m; j++) {
        add_row(&non->A, me->Ax, j, s->v, me->w[j], &me->out->gv, &me->out->relative_gv);
    }
    return SB_OK;
}

int sb_constraint_residuals_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_constraint_residuals *out) {
    const sb_system *sys = pair->sys;
    sb_method method = {0};
    watch w = {.sys = sys, .out = out};
    sb_run run = {.h = h, .steps = steps, .every = 1};
    *out = (sb_constraint_residuals){0};
    SB_NEW(arena, w.g, sys->holonomic.m);
    SB_NEW(arena, w.Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, w.Ax, sb_pattern_nnz(&sys->nonholonomic.A));
    SB_NEW(arena, w.w, sys->nonholonomic.m);
    int status = sb_method_init(ctx, arena, pair->type, pair->config, sys, &method);
    status = status == SB_OK ? sb_run_method(&method, &run, observe, &w) : status;
    out->relative_g /= w.extent.q > 0.0 ? w.extent.q : 1.0;
    const double speed = fmax(w.extent.v, w.extent.q / sys->time_scale); /* a system at rest has the velocities of round-off alone */
    out->relative_gv /= speed > 0.0 ? speed : 1.0;
    out->position = out->relative_g <= 8.0 * DBL_EPSILON;
    out->tangency = out->relative_gv <= 16.0 * DBL_EPSILON;
    sb_method_fini(&method);
    return status;
}

/* ---- Rows. ---- */

typedef struct constraints_config {
    sb_reals h;
    double t_end;
} constraints_config;

enum { PROBLEM, STEPPER, H, STEPS, G, GV, RELATIVE_G, RELATIVE_GV, POSITION, TANGENCY, STATUS, COLUMNS };

static int write_step(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const constraints_config *config = options;
    const bool holonomic = pair->sys->holonomic.m > 0;
    long steps;
    sb_constraint_residuals v;
    SB_TRY(sb_pick_length(ctx, pair->sys, config->t_end, SB_TIME_SCALES, h, &steps));
    const int status = sb_constraint_residuals_measure(ctx, arena, pair, h, steps, &v);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_constraints, pair, h, status, ctx->message, out);
    }
    SB_TRY(status);
    const sb_cell none = sb_empty();
    const sb_cell row[COLUMNS] = {sb_text(pair->problem), sb_text(pair->stepper),
                                  sb_real(h),             sb_int(steps),
                                  holonomic ? sb_real(v.g) : none, sb_real(v.gv),
                                  holonomic ? sb_real(v.relative_g) : none, sb_real(v.relative_gv),
                                  holonomic ? sb_text(v.position ? "yes" : "no") : none, sb_text(v.tangency ? "yes" : "no"),
                                  sb_text(SB_STATUS_FINE)};
    return out->row(out, row);
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    const constraints_config *c = config;
    if (sb_system_multipliers(pair->sys) == 0) {
        return sb_row_failure(&sb_analysis_constraints, pair, 0.0, SB_OK, "the problem has no constraint", out);
    }
    return sb_each_step(ctx, config, pair, &c->h, 1, c->t_end, write_step, out);
}

static int check(sb_context *ctx, const void *config, const sb_pair *pair) {
    const constraints_config *c = config;
    return sb_check_lengths(ctx, pair->sys, &c->h, c->t_end, SB_TIME_SCALES);
}

static const sb_param params[] = {{"h", SB_REALS, offsetof(constraints_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
                                   "steps; empty: a tenth of the problem's time scale"},
                                  {"t_end", SB_REAL, offsetof(constraints_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
                                   "end of the runs, a multiple of every h; 0: about 20 time scales"},
                                  {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken; every step is a sample"},
    {"g_max", SB_COL_ERROR, "", "largest |g_i|; empty without holonomic constraints"},
    {"gv_max", SB_COL_ERROR, "", "largest |G_i v| or |A_i v - w_i| of the reported velocity"},
    {"g_relative", SB_COL_ERROR, "", "largest |g_i| over the size of its row's terms, sum |G_ik| times the largest coordinate of the run"},
    {"gv_relative", SB_COL_ERROR, "", "the same of the velocities, over sum |G_ik| times the largest velocity of the run"},
    {"position", SB_COL_INFO, "", "yes: g_relative is within 8 roundings"},
    {"tangency", SB_COL_INFO, "", "yes: gv_relative is within 16 roundings"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_constraints = {
    .entry = {"constraints", "largest violation of the constraints along a run, at position and at velocity level", "hlw06 VII.1", params,
              sizeof(constraints_config)},
    .ncolumns = COLUMNS,
    .columns = columns,
    .check = check,
    .run = run};
