/* Analysis `balance`: energy lost against the work of dry friction, impacts, constraints and forces. reg05 2.8. */
#include "analysis/conservation/quantities.h"
#include "analysis/contact/measures.h"
#include "analysis/contact/steps.h"
#include "analysis/row.h"

/* What is accumulated along a run. */
typedef struct series {
    sb_dynamics dyn;
    double start, now;
    sb_balance *out;
} series;

static int energy(series *w, double t, const double *q, const double *v) {
    double size;
    SB_TRY(sb_quantities_energy(&w->dyn, t, q, v, &w->now, &size));
    w->out->size = sb_larger(w->out->size, size);
    return SB_OK;
}

static int observe(void *arg, const sb_step *s) {
    series *w = arg;
    sb_balance *out = w->out;
    const int bilateral = sb_system_bilateral(s->sys), gaps = bilateral + s->sys->contact.m,
              rows = sb_system_multipliers(s->sys);
    if (s->number == 1) {
        SB_TRY(energy(w, s->t - s->h, s->q0, s->v0));
        w->start = w->now;
    }
    for (int i = 0; i < rows; i++) {
        *(i < bilateral ? &out->constraints : i < gaps ? &out->contacts : &out->friction) -= s->work[i];
    }
    out->forces -= s->force;
    return energy(w, s->t, s->q1, s->v1);
}

int sb_balance_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, double at,
                       sb_balance *out) {
    series w = {.out = out};
    *out = (sb_balance){0};
    SB_TRY(sb_dynamics_init(ctx, arena, pair->sys, &w.dyn));
    SB_TRY(sb_steps_observe(ctx, arena, pair, h, steps, at, observe, &w));
    out->lost = w.start - w.now;
    out->defect = out->lost - out->friction - out->contacts - out->constraints - out->forces;
    return SB_OK;
}

/* ---- Rows. ---- */

typedef struct balance_config {
    sb_step_options step;
    double at;
} balance_config;

static int run(sb_task *task) {
    const balance_config *config = task->config;
    sb_balance x;
    SB_TRY(sb_balance_measure(task->ctx, task->arena, task->pair, task->h, task->steps, config->at, &x));
    return sb_row(task, SB_CELLS(sb_int(task->steps), sb_real(x.lost), sb_known(x.friction), sb_known(x.contacts),
                                 sb_known(x.constraints), sb_real(x.forces), sb_known(x.defect), sb_real(x.size)));
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits, its half and quarter, shortened to divide t-end"),
    SB_OPTION_T_END("20"),
    SB_PARAM_REAL(balance_config, at, "0", 0.0, 1.0, SB_CLOSED, "",
                  "fraction of the step, along its initial velocity, at which the method evaluates its terms: 0 for "
                  "reg, spook and vts, 1/2 for moreau"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps"},
    {"lost", SB_COL_EXACT, "J", "initial minus final energy of the states of the method"},
    {"friction", SB_COL_EXACT, "J",
     "work done against dry friction; like the next three computed from forces times the mean of the two velocities of "
     "each step"},
    {"contacts", SB_COL_EXACT, "J", "energy taken by normal forces: impacts"},
    {"constraints", SB_COL_EXACT, "J",
     "energy taken by holonomic and nonholonomic constraints: stabilization, minus the work of drivers"},
    {"forces", SB_COL_EXACT, "J", "energy taken by forces without a potential"},
    {"defect", SB_COL_EXACT, "J", "lost minus the four; O(h), from the potential within a step"},
    {"size", SB_COL_INFO, "J", "largest |T| + |V|, for comparison"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(balance) = {
    .entry = {"balance", "energy lost against the work of dry friction, impacts, constraints and forces", "reg05 2.8",
              params, sizeof(balance_config)},
    .default_problem = "block_incline",
    .levels = 3,
    .time_scales = SB_TIME_SCALES,
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench balance -p stack -s reg",
    .run = run};
