/* Analysis `constraints`: largest residuals of the constraints along a run, at position and at velocity level. hlw06
 * VII.1. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/properties.h"
#include "analysis/row.h"

/* What is accumulated along a run. */
typedef struct series {
    const sb_system *sys;
    double *g, *gt, *Gx, *Ax, *w;
    double q, v;            /* largest coordinate and velocity */
    double size_g, size_gv; /* largest sum |G_ik| of the rows of g and of G v */
    sb_constraint_residuals *out;
} series;

/* Updates the residuals of G v with those of row j: |C_j v - offset|, absolute and over the sum of |C_jk|. */
static void add_row(series *me, const sb_pattern *C, const double *Cx, int j, const double *v, double offset) {
    double rate = -offset, size = 0.0;
    for (int k = C->p[j]; k < C->p[j + 1]; k++) {
        rate += Cx[k] * v[C->i[k]];
        size += fabs(Cx[k]);
    }
    me->size_gv = sb_larger(me->size_gv, size);
    me->out->gv = sb_larger(me->out->gv, fabs(rate));
    me->out->relative_gv = sb_larger(me->out->relative_gv, rate == 0.0 ? 0.0 : fabs(rate) / size);
}

static int observe(void *arg, const sb_sample *s) {
    series *me = arg;
    const sb_holonomic *hol = &me->sys->holonomic;
    const sb_nonholonomic *non = &me->sys->nonholonomic;
    me->q = sb_larger(me->q, sb_norm_max(me->sys->n, s->q));
    me->v = sb_larger(me->v, sb_norm_max(me->sys->n, s->v));
    if (hol->m > 0) {
        SB_TRY(sb_holonomic_value(me->sys, s->t, s->q, me->g, me->Gx));
        SB_TRY(sb_holonomic_rate(me->sys, s->t, s->q, me->gt));
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
        me->size_g = sb_larger(me->size_g, terms);
        add_row(me, &hol->G, me->Gx, j, s->v, -me->gt[j]);
    }
    for (int j = 0; j < non->m; j++) {
        add_row(me, &non->A, me->Ax, j, s->v, me->w[j]);
    }
    return SB_OK;
}

int sb_constraint_residuals_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                                    sb_constraint_residuals *out) {
    const sb_system *sys = sb_system_constrained(pair->sys);
    series w = {.sys = sys, .out = out};
    *out = (sb_constraint_residuals){0};
    SB_TRY(SB_VECTORS(arena, sys->holonomic.m, &w.g, &w.gt));
    SB_NEW(arena, w.Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, w.Ax, sb_pattern_nnz(&sys->nonholonomic.A));
    SB_NEW(arena, w.w, sys->nonholonomic.m);
    const int status = sb_pair_run(ctx, arena, pair, h, steps, observe, &w);
    out->relative_g /= w.q > 0.0 ? w.q : 1.0;
    /* The velocities of a system at rest are round-off: the scale is at least the largest |q| per time scale. */
    const double speed = fmax(w.v, w.q / sys->time_scale);
    out->relative_gv /= speed > 0.0 ? speed : 1.0;
    out->position = out->relative_g <= SB_ROUNDING_G;
    out->tangency = out->relative_gv <= SB_ROUNDING_GV;
    out->rounding_g = SB_ROUNDING_G * w.size_g * w.q;
    out->rounding_gv = SB_ROUNDING_GV * w.size_gv * speed;
    return status;
}

/* ---- Rows. ---- */

static const char *inapplicable(const sb_system *sys) {
    return sb_system_multipliers(sb_system_constrained(sys)) == 0 ? "the problem has no constraint" : NULL;
}

/* Returns the cell of a residual. One below its round-off is written with one digit, since it depends on the rounding
 * errors of the run. A residual below eps times its round-off is a product of two rounding errors and is written as
 * that bound. */
static sb_cell residual_cell(double residual, double rounding) {
    return sb_residual(residual, fmax(fmin(residual, rounding), DBL_EPSILON * rounding));
}

static int run(sb_task *task) {
    const bool holonomic = sb_system_constrained(task->sys)->holonomic.m > 0;
    const sb_cell none = sb_empty();
    sb_constraint_residuals r;
    SB_TRY(sb_constraint_residuals_measure(task->ctx, task->arena, task->pair, task->h, task->steps, &r));
    return sb_row(task, SB_CELLS(sb_int(task->steps), holonomic ? residual_cell(r.g, r.rounding_g) : none,
                                 residual_cell(r.gv, r.rounding_gv),
                                 holonomic ? residual_cell(r.relative_g, SB_ROUNDING_G) : none,
                                 residual_cell(r.relative_gv, SB_ROUNDING_GV), holonomic ? sb_yes(r.position) : none,
                                 sb_yes(r.tangency)));
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits"), SB_OPTION_T_END("20"), {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps; every step is a sample"},
    {"g_max", SB_COL_ERROR, "", "largest |g_i|; empty without holonomic constraints"},
    {"gv_max", SB_COL_ERROR, "", "largest |G_i v| or |A_i v - w_i| of the reported velocity"},
    {"g_relative", SB_COL_ERROR, "",
     "largest |g_i| relative to the size of its terms, sum |G_ik| times the largest coordinate of the run"},
    {"gv_relative", SB_COL_ERROR, "",
     "largest |G_i v| or |A_i v - w_i| relative to sum |G_ik| times the largest velocity of the run"},
    {"position", SB_COL_INFO, "", "yes: g_relative is within 8 units of round-off"},
    {"tangency", SB_COL_INFO, "", "yes: gv_relative is within 16 units of round-off"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(constraints) = {
    .entry = {"constraints", "largest constraint residuals along a run, at position and at velocity level",
              "hlw06 VII.1", params, sizeof(sb_step_options)},
    .levels = 1,
    .time_scales = SB_TIME_SCALES,
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench constraints -p dsp -s shake -s rattle",
    .inapplicable = inapplicable,
    .run = run};
