/* Analysis `complementarity`: residuals of the laws of contact and dry friction over a run. reg05 (2.8), (2.10). */
#include "analysis/contact/complementarity.h"
#include "analysis/row.h"
#include "analysis/contact/steps.h"
#include "core/run/run.h"

#include <stepbench/numerics/norm.h>

extern const sb_analysis sb_analysis_complementarity;

typedef struct watch {
    const sb_system *sys;
    sb_complementarity *out;
} watch;

static int observe(void *arg, const sb_step *s) {
    const watch *w = arg;
    const sb_contact *c = &w->sys->contact;
    const double *nu = s->lambda + sb_system_bilateral(w->sys), *beta = nu + c->m;
    sb_complementarity *out = w->out;
    for (int i = 0; i < c->m; i++) {
        out->penetration = sb_larger(out->penetration, -s->gap[i]);
        out->adhesion = sb_larger(out->adhesion, -nu[i]);
        out->product = sb_larger(out->product, s->h * nu[i] * fmax(0.0, s->gap[i]));
        out->normal = sb_larger(out->normal, nu[i]);
    }
    for (int j = 0; j < c->k; j++) {
        out->cone = sb_larger(out->cone, fabs(beta[j]) - s->bound[j]);
        out->driving = sb_larger(out->driving, beta[j] * s->slip[j]);
    }
    return SB_OK;
}

int sb_complementarity_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_complementarity *out) {
    watch w = {pair->sys, out};
    *out = (sb_complementarity){0};
    if (pair->sys->contact.m + pair->sys->contact.k == 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "complementarity: %s has no contacts and no dry friction", pair->sys->name);
    }
    return sb_steps_observe(ctx, arena, pair, h, steps, 0.0, observe, &w);
}

/* ---- Rows. ---- */

enum { PROBLEM, STEPPER, H, STEPS, PENETRATION, ADHESION, PRODUCT, CONE, DRIVING, NORMAL, STATUS, COLUMNS };

static int write_step(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const sb_complementarity_config *config = options;
    long steps;
    sb_complementarity x;
    SB_TRY(sb_pick_length(ctx, pair->sys, config->t_end, SB_TIME_SCALES, h, &steps));
    const int status = sb_complementarity_measure(ctx, arena, pair, h, steps, &x);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_complementarity, pair, h, status, ctx->message, out);
    }
    SB_TRY(status);
    const sb_cell row[COLUMNS] = {
        sb_text(pair->problem), sb_text(pair->stepper), sb_real(h),         sb_int(steps),     sb_real(x.penetration), sb_real(x.adhesion),
        sb_real(x.product),     sb_real(x.cone),        sb_real(x.driving), sb_real(x.normal), sb_text(SB_STATUS_FINE)};
    return out->row(out, row);
}

static int check(sb_context *ctx, const void *config, const sb_pair *pair) {
    const sb_complementarity_config *c = config;
    return sb_check_lengths(ctx, pair->sys, &c->h, c->t_end, SB_TIME_SCALES);
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    const sb_complementarity_config *c = config;
    return sb_each_step(ctx, config, pair, &c->h, 1, c->t_end, write_step, out);
}

static const sb_param params[] = {{"h", SB_REALS, offsetof(sb_complementarity_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
                                   "steps; empty: a tenth of the problem's time scale, shortened to divide t-end"},
                                  {"t_end", SB_REAL, offsetof(sb_complementarity_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
                                   "end of the runs, a multiple of every h; 0: about 20 time scales"},
                                  {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken"},
    {"penetration", SB_COL_ERROR, "m", "how far a gap falls below 0"},
    {"adhesion", SB_COL_ERROR, "N", "how far a normal force does"},
    {"product", SB_COL_ERROR, "N s m", "largest normal impulse of a step times the gap that is open at its end"},
    {"cone", SB_COL_ERROR, "N", "how far friction exceeds its bound by the normal force of the same step"},
    {"driving", SB_COL_ERROR, "W", "largest power of friction along the slip it should oppose"},
    {"normal", SB_COL_INFO, "N", "largest normal force, to compare the others with: in an impact, the impulse over h"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_complementarity = {
    .entry = {"complementarity",
              "residuals of the laws of contact and dry friction over a run: gap, force, their product, the friction cone",
              "reg05 (2.8), (2.10)", params, sizeof(sb_complementarity_config)},
    .default_problem = "block_incline",
    .ncolumns = COLUMNS,
    .columns = columns,
    .check = check,
    .run = run};
