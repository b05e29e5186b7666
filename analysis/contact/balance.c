/* Analysis `balance`: energy lost against the work of dry friction, impacts, constraints and forces. reg05 2.8. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "analysis/contact/balance.h"
#include "analysis/row.h"
#include "analysis/contact/steps.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_balance;

typedef struct watch {
    const sb_system *sys;
    sb_dynamics dyn;
    double start, now;
    sb_balance *out;
} watch;

static int energy(watch *w, const double *q, const double *v) {
    double T, V;
    SB_TRY(sb_dynamics_energy(&w->dyn, q, v, &T, &V));
    w->now = T + V;
    w->out->size = sb_larger(w->out->size, fabs(T) + fabs(V));
    return SB_OK;
}

static int observe(void *arg, const sb_step *s) {
    watch *w = arg;
    sb_balance *out = w->out;
    const int bilateral = sb_system_bilateral(w->sys), gaps = bilateral + w->sys->contact.m, rows = sb_system_multipliers(w->sys);
    if (s->number == 1) {
        SB_TRY(energy(w, s->q0, s->v0));
        w->start = w->now;
    }
    for (int i = 0; i < rows; i++) {
        *(i < bilateral ? &out->constraints : i < gaps ? &out->contacts : &out->friction) -= s->work[i];
    }
    out->forces -= s->force;
    return energy(w, s->q1, s->v1);
}

int sb_balance_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, double at, sb_balance *out) {
    watch w = {.sys = pair->sys, .out = out};
    *out = (sb_balance){0};
    int status = sb_dynamics_init(ctx, arena, pair->sys, &w.dyn);
    status = status == SB_OK ? sb_steps_observe(ctx, arena, pair, h, steps, at, observe, &w) : status;
    sb_dynamics_fini(&w.dyn);
    out->lost = w.start - w.now;
    out->defect = out->lost - out->friction - out->contacts - out->constraints - out->forces;
    return status;
}

/* ---- Rows. ---- */

enum { PROBLEM, STEPPER, H, STEPS, LOST, FRICTION, CONTACTS, CONSTRAINTS, FORCES, DEFECT, SIZE, STATUS, COLUMNS };

static int write_step(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const sb_balance_config *config = options;
    long steps;
    sb_balance x;
    SB_TRY(sb_pick_length(ctx, pair->sys, config->t_end, SB_TIME_SCALES, h, &steps));
    const int status = sb_balance_measure(ctx, arena, pair, h, steps, config->at, &x);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_balance, pair, h, status, ctx->message, out);
    }
    SB_TRY(status);
    const sb_cell row[COLUMNS] = {sb_text(pair->problem), sb_text(pair->stepper), sb_real(h),          sb_int(steps),
                                  sb_real(x.lost),        sb_real(x.friction),    sb_real(x.contacts), sb_real(x.constraints),
                                  sb_real(x.forces),      sb_real(x.defect),      sb_real(x.size),     sb_text(SB_STATUS_FINE)};
    return out->row(out, row);
}

static int check(sb_context *ctx, const void *config, const sb_pair *pair) {
    const sb_balance_config *c = config;
    return sb_check_lengths(ctx, pair->sys, &c->h, c->t_end, SB_TIME_SCALES);
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    const sb_balance_config *c = config;
    return sb_each_step(ctx, config, pair, &c->h, 3, c->t_end, write_step, out);
}

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(sb_balance_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
     "steps; empty: a tenth of the problem's time scale and two halvings, shortened to divide t-end"},
    {"t_end", SB_REAL, offsetof(sb_balance_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "end of the runs, a multiple of every h; 0: about 20 time scales"},
    {"at", SB_REAL, offsetof(sb_balance_config, at), "0", 0.0, 1.0, SB_CLOSED, NULL, "",
     "how far into a step, along its first velocity, the method takes its terms: 0 for reg, spook and vts, 1/2 for moreau"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken"},
    {"lost", SB_COL_EXACT, "J", "energy at the start less that at the end, of the method's own states"},
    {"friction", SB_COL_EXACT, "J",
     "work done against dry friction; like the next three of the forces times the mean of each step's two velocities"},
    {"contacts", SB_COL_EXACT, "J", "taken by normal forces: impacts"},
    {"constraints", SB_COL_EXACT, "J", "taken by holonomic and nonholonomic rows: relaxation, less what drivers put in"},
    {"forces", SB_COL_EXACT, "J", "taken by forces that are no potential's"},
    {"defect", SB_COL_EXACT, "J", "lost, less the four: O(h), the potential's part of a step"},
    {"size", SB_COL_INFO, "J", "largest |T| + |V|, to compare the others with"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_balance = {.entry = {"balance",
                                                   "energy lost against the work of dry friction, impacts, constraints and forces",
                                                   "reg05 2.8", params, sizeof(sb_balance_config)},
                                         .default_problem = "block_incline",
                                         .ncolumns = COLUMNS,
                                         .columns = columns,
                                         .check = check,
                                         .run = run};
