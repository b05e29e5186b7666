/* Analysis `momentum`: continuous and discrete momentum maps along a run, and their difference. wm96 3.3, 4.6. */
#include <float.h>

#include "analysis/momentum.h"
#include "analysis/quantities.h"
#include "analysis/row.h"
#include "core/run.h"

extern const sb_analysis sb_analysis_momentum;

typedef struct watch {
    const sb_method *method;
    sb_quantities qs;
    double h;
    long steps;
    double rounding;
    double *p, *now, *size;
    sb_momentum *momenta;
} watch;

static void note(double value, long step, double *initial, double *deviation) {
    if (step == 0) {
        *initial = value;
    }
    const double d = fabs(value - *initial);
    if (!(d <= *deviation)) {
        *deviation = d;
    }
}

static int observe(void *arg, const sb_sample *s) {
    watch *w = arg;
    const int count = w->qs.sys->symmetry.count;
    w->rounding = fmax(w->rounding, sb_rounding_factor(w->qs.sys->n, s->q, s->v, w->h));
    SB_TRY(sb_dynamics_momentum(&w->qs.dyn, s->q, s->v, w->p));
    SB_TRY(sb_quantities_pair(&w->qs, s->q, w->p, w->now, w->size));
    for (int i = 0; i < count; i++) {
        note(w->now[i], s->step, &w->momenta[i].continuous, &w->momenta[i].continuous_deviation);
    }
    SB_TRY(sb_method_momentum(w->method, s->state, w->p));
    SB_TRY(sb_quantities_pair(&w->qs, s->q, w->p, w->now, NULL));
    for (int i = 0; i < count; i++) {
        sb_momentum *m = &w->momenta[i];
        note(w->now[i], s->step, &m->discrete, &m->discrete_deviation);
        /* At worst every step errs by eps times the terms of the momentum, in the same direction. */
        m->rounding = fmax(m->rounding, DBL_EPSILON * (double)w->steps * w->rounding * w->size[i]);
    }
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_method *method, watch *w) {
    const int count = pair->sys->symmetry.count;
    *w = (watch){.method = method, .h = h, .steps = steps};
    SB_TRY(sb_quantities_init(ctx, arena, pair->sys, &w->qs));
    SB_NEW(arena, w->p, pair->sys->n);
    SB_NEW(arena, w->now, count);
    SB_NEW(arena, w->size, count);
    SB_NEW(arena, w->momenta, count);
    return sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, method);
}

int sb_momentum_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_momentum **momenta, int *count) {
    sb_method method = {0};
    watch w;
    int status = prepare(ctx, arena, pair, h, steps, &method, &w);
    if (status == SB_OK) {
        sb_run run = {.h = h, .steps = steps, .every = 1};
        status = sb_run_method(&method, &run, observe, &w);
    }
    *count = pair->sys->symmetry.count;
    *momenta = w.momenta;
    for (int i = 0; i < *count && status == SB_OK; i++) {
        w.momenta[i].name = pair->sys->symmetry.names[i];
        w.momenta[i].conserved = w.momenta[i].discrete_deviation <= w.momenta[i].rounding;
    }
    sb_method_fini(&method);
    sb_quantities_fini(&w.qs);
    return status;
}

/* ---- Rows. ---- */

typedef struct momentum_config {
    sb_reals h;
    double t_end;
} momentum_config;

enum { PROBLEM, STEPPER, H, STEPS, MOMENTUM, CONTINUOUS, DISCRETE, DIFFERENCE, DEV_CONTINUOUS, DEV_DISCRETE, ROUNDING, CONSERVED, STATUS, COLUMNS };

static int write_step(sb_context *ctx, sb_arena *arena, const momentum_config *config, const sb_pair *pair, double h, sb_sink *out) {
    long steps;
    sb_momentum *momenta;
    int count;
    SB_TRY(sb_pick_length(ctx, pair->sys, config->t_end, 20.0, h, &steps));
    const int status = sb_momentum_measure(ctx, arena, pair, h, steps, &momenta, &count);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_momentum, pair, h, ctx->message, out);
    }
    SB_TRY(status);
    for (int i = 0; i < count; i++) {
        const sb_momentum *m = &momenta[i];
        const sb_cell row[COLUMNS] = {sb_text(pair->problem),
                                      sb_text(pair->stepper),
                                      sb_real(h),
                                      sb_int(steps),
                                      sb_text(m->name),
                                      sb_real(m->continuous),
                                      sb_real(m->discrete),
                                      sb_real(m->discrete - m->continuous),
                                      sb_real(m->continuous_deviation),
                                      sb_real(m->discrete_deviation),
                                      sb_real(m->rounding),
                                      sb_text(m->conserved ? "yes" : "no"),
                                      sb_text(SB_STATUS_FINE)};
        SB_TRY(out->row(out, row));
    }
    return SB_OK;
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    const momentum_config *c = config;
    if (pair->sys->symmetry.count == 0) {
        return sb_row_failure(&sb_analysis_momentum, pair, 0.0, "the problem has no symmetry and so no momentum", out);
    }
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    sb_reals h = {0};
    int status = sb_pick_steps(&arena, pair->sys, &c->h, 2, 2.0, &h);
    for (int i = 0; i < h.n && status == SB_OK; i++) {
        status = write_step(ctx, &arena, c, pair, h.x[i], out);
    }
    sb_arena_free(&arena);
    return status;
}

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(momentum_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s", "steps; empty: a tenth and a twentieth of the problem's time scale"},
    {"t_end", SB_REAL, offsetof(momentum_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s", "end of the runs, a multiple of every h; 0: about 20 time scales"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken; every step is a sample"},
    {"momentum", SB_COL_KEY, "", "which"},
    {"continuous", SB_COL_EXACT, "", "M v . xi at the start, v the reported velocity"},
    {"discrete", SB_COL_EXACT, "", "p . xi at the start, p the method's own momentum"},
    {"difference", SB_COL_EXACT, "", "discrete - continuous at the start"},
    {"dev_continuous", SB_COL_ERROR, "", "largest deviation of the continuous momentum from its start"},
    {"dev_discrete", SB_COL_ERROR, "", "largest deviation of the discrete momentum from its start"},
    {"rounding", SB_COL_INFO, "", "what round-off may have added up to by the end"},
    {"conserved", SB_COL_INFO, "", "yes: dev_discrete is within it"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_momentum = {
    .entry = {"momentum", "continuous and discrete momentum maps along a run, and their difference", "wm96 (3.19)", params, sizeof(momentum_config)},
    .ncolumns = COLUMNS,
    .columns = columns,
    .run = run};
