/* Analysis `complementarity`: residuals of the contact law and of Coulomb's law of friction over a run. reg05 (2.8),
 * (2.10). */
#include <stepbench/numerics/norm.h>

#include "analysis/contact/measures.h"
#include "analysis/contact/steps.h"
#include "analysis/row.h"

static int observe(void *arg, const sb_step *s) {
    sb_complementarity *out = arg;
    const sb_contact *c = &s->sys->contact;
    const double *nu = s->lambda + sb_system_bilateral(s->sys), *beta = nu + c->m;
    for (int i = 0; i < c->m; i++) {
        out->penetration = sb_larger(out->penetration, -s->gap[i]);
        out->adhesion = sb_larger(out->adhesion, -nu[i]);
        out->product = sb_larger(out->product, s->h * nu[i] * fmax(0.0, s->gap[i]));
        out->normal = sb_larger(out->normal, nu[i]);
    }
    for (int j = 0; j < c->k; j++) {
        const int with = c->with != NULL ? c->with[j] : -1;
        const double other = with >= 0 ? beta[with] : 0.0, rate = with >= 0 ? s->slip[with] : 0.0;
        out->cone = sb_larger(out->cone, hypot(beta[j], other) - s->bound[j]);
        out->driving = sb_larger(out->driving, beta[j] * s->slip[j] + other * rate);
    }
    return SB_OK;
}

int sb_complementarity_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                               sb_complementarity *out) {
    *out = (sb_complementarity){0};
    if (pair->sys->contact.m + pair->sys->contact.k == 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "complementarity: %s has no contacts and no dry friction", pair->sys->name);
    }
    return sb_steps_observe(ctx, arena, pair, h, steps, 0.0, observe, out);
}

/* ---- Rows. ---- */

static int run(sb_task *task) {
    sb_complementarity x;
    SB_TRY(sb_complementarity_measure(task->ctx, task->arena, task->pair, task->h, task->steps, &x));
    return sb_row(task, SB_CELLS(sb_int(task->steps), sb_real(x.penetration), sb_known(x.adhesion), sb_known(x.product),
                                 sb_known(x.cone), sb_known(x.driving), sb_known(x.normal)));
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits, shortened to divide t-end"),
    SB_OPTION_T_END("20"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps"},
    {"penetration", SB_COL_ERROR, "m", "largest depth by which a gap is negative"},
    {"adhesion", SB_COL_ERROR, "N", "largest amount by which a normal force is negative"},
    {"product", SB_COL_ERROR, "N s m",
     "largest product of the normal impulse of a step and the gap that is open at its end"},
    {"cone", SB_COL_ERROR, "N", "largest excess of friction over its bound, from the normal force of the same step"},
    {"driving", SB_COL_ERROR, "W", "largest power of friction in the direction of the slip"},
    {"normal", SB_COL_INFO, "N", "largest normal force, for comparison: in an impact, the impulse over h"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(complementarity) = {
    .entry = {"complementarity",
              "residuals of the laws of contact and dry friction over a run: gap, force, their product, friction cone",
              "reg05 (2.8), (2.10)", params, sizeof(sb_step_options)},
    .default_problem = "block_incline",
    .levels = 1,
    .time_scales = SB_TIME_SCALES,
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench complementarity -p stack -s reg",
    .run = run};
