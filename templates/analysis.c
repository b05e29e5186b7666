/* Analysis `new_analysis`: the largest deviation of the energy from its initial value, hlw06 I. Replace what it
 * computes, and this line, by your own. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/quantities.h"
#include "analysis/row.h"

/* What is accumulated along a run. */
typedef struct series {
    sb_dynamics dyn;
    double initial, deviation;
} series;

static int observe(void *arg, const sb_sample *s) {
    series *w = arg;
    double energy, size;
    SB_TRY(sb_quantities_energy(&w->dyn, s->q, s->v, &energy, &size));
    w->initial = s->step == 0 ? energy : w->initial;
    w->deviation = sb_larger(w->deviation, fabs(energy - w->initial));
    return SB_OK;
}

/* Computes the row of one pair and one step. A numerical failure is returned and becomes a row with a status. */
static int run(sb_task *task) {
    series w = {.deviation = 0.0};
    int status = sb_dynamics_init(task->ctx, task->arena, task->sys, &w.dyn);
    status =
        status == SB_OK ? sb_pair_run(task->ctx, task->arena, task->pair, task->h, task->steps, observe, &w) : status;
    return status == SB_OK ? sb_row(task, SB_CELLS(sb_int(task->steps), sb_real(w.initial), sb_real(w.deviation)))
                           : status;
}

/* An analysis with options of its own has a struct that begins with sb_step_options, and a row of this table per
 * option. */
static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale"), SB_OPTION_T_END("100"), {.name = NULL}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps"},
    {"initial", SB_COL_EXACT, "J", "initial energy"},
    {"deviation", SB_COL_ERROR, "J", "largest deviation of the energy from its initial value"},
    SB_COLUMN_STATUS,
};

SB_DEFINE_ANALYSIS(new_analysis) = {
    .entry = {"new_analysis", "largest deviation of the energy from its initial value", "hlw06 I", params,
              sizeof(sb_step_options)},
    .levels = 1,
    .time_scales = 100.0,
    .ncolumns = sizeof columns / sizeof columns[0],
    .columns = columns,
    .run = run,
};
