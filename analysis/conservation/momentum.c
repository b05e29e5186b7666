/* Analysis `momentum`: continuous and discrete momentum maps along a run, and their difference. wm96 3.3, 4.6. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/momentum.h"
#include "analysis/conservation/quantities.h"
#include "analysis/accuracy/reference.h"
#include "analysis/row.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_momentum;

typedef struct watch {
    const sb_method *method;
    sb_quantities qs;
    sb_extent extent;
    bool begun;
    double *q, *v, *p;  /* the initial state; scratch */
    double *now, *size; /* of the sample */
    double *first;      /* of the first sample, continuous */
    sb_momentum *momenta;
    double *largest; /* size so far */
} watch;

static int observe(void *arg, const sb_sample *s) {
    watch *w = arg;
    const int count = w->qs.sys->symmetry.count;
    sb_extent_add(&w->extent, w->qs.sys->n, s->q, s->v);
    SB_TRY(sb_dynamics_momentum(&w->qs.dyn, s->q, s->v, w->p));
    SB_TRY(sb_quantities_pair(&w->qs, s->q, w->p, w->now, w->size));
    for (int i = 0; i < count; i++) {
        w->first[i] = w->begun ? w->first[i] : w->now[i];
        w->largest[i] = sb_larger(w->largest[i], w->size[i]);
        w->momenta[i].continuous_deviation = sb_larger(w->momenta[i].continuous_deviation, fabs(w->now[i] - w->first[i]));
    }
    SB_TRY(sb_method_momentum(w->method, s->state, w->p));
    SB_TRY(sb_quantities_pair(&w->qs, s->q, w->p, w->now, NULL));
    for (int i = 0; i < count; i++) {
        sb_momentum *m = &w->momenta[i];
        m->discrete = w->begun ? m->discrete : w->now[i];
        m->discrete_deviation = sb_larger(m->discrete_deviation, fabs(w->now[i] - m->discrete));
    }
    w->begun = true;
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double *t0, watch *w) {
    const sb_system *sys = pair->sys;
    const int count = sys->symmetry.count;
    SB_TRY(sb_quantities_init(ctx, arena, sys, &w->qs));
    SB_NEW(arena, w->q, sys->n);
    SB_NEW(arena, w->v, sys->n);
    SB_NEW(arena, w->p, sys->n);
    SB_NEW(arena, w->now, count);
    SB_NEW(arena, w->size, count);
    SB_NEW(arena, w->first, count);
    SB_NEW(arena, w->largest, count);
    SB_NEW(arena, w->momenta, count);
    SB_TRY(sys->initial(sys->self, t0, w->q, w->v));
    SB_TRY(sb_dynamics_momentum(&w->qs.dyn, w->q, w->v, w->p));
    SB_TRY(sb_quantities_pair(&w->qs, w->q, w->p, w->now, NULL));
    for (int i = 0; i < count; i++) {
        w->momenta[i].name = sys->symmetry.names[i];
        w->momenta[i].continuous = w->now[i];
    }
    return SB_OK;
}

static int measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_momentum_start start, double h, long steps, sb_method *method,
                   watch *w) {
    sb_run run = {.h = h, .steps = steps, .every = 1};
    sb_reference second;
    SB_TRY(prepare(ctx, arena, pair, &run.t0, w));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, method));
    if (start == SB_START_PAIR) {
        if (pair->type->start_pair == NULL) {
            return sb_fail(ctx, SB_UNSUPPORTED, "%s is a one-step method: it does not start from two points", pair->stepper);
        }
        SB_TRY(sb_reference_make(ctx, arena, "auto", pair, h, 1, h, &second));
        run.q0 = w->q;
        run.q1 = second.q;
    }
    SB_TRY(sb_run_method(method, &run, observe, w));
    for (int i = 0; i < pair->sys->symmetry.count; i++) {
        sb_momentum *m = &w->momenta[i];
        m->rounding = sb_accumulated_rounding(&w->extent, w->largest[i], h, steps);
        m->conserved = m->discrete_deviation <= m->rounding;
    }
    return SB_OK;
}

int sb_momentum_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_momentum_start start, double h, long steps,
                        sb_momentum **momenta, int *count) {
    sb_method method = {0};
    watch w = {.method = &method};
    const int status = measure(ctx, arena, pair, start, h, steps, &method, &w);
    *count = pair->sys->symmetry.count;
    *momenta = w.momenta;
    sb_method_fini(&method);
    sb_quantities_fini(&w.qs);
    return status;
}

/* ---- Rows. ---- */

typedef struct momentum_config {
    sb_reals h;
    double t_end;
    int start;
} momentum_config;

enum {
    PROBLEM,
    STEPPER,
    H,
    STEPS,
    MOMENTUM,
    CONTINUOUS,
    DISCRETE,
    DIFFERENCE,
    DEV_CONTINUOUS,
    DEV_DISCRETE,
    ROUNDING,
    CONSERVED,
    STATUS,
    COLUMNS
};

static int write_step(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const momentum_config *config = options;
    long steps;
    sb_momentum *momenta;
    int count;
    SB_TRY(sb_pick_length(ctx, pair->sys, config->t_end, SB_TIME_SCALES, h, &steps));
    const int status = sb_momentum_measure(ctx, arena, pair, (sb_momentum_start)config->start, h, steps, &momenta, &count);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_momentum, pair, h, status, ctx->message, out);
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
        return sb_row_failure(&sb_analysis_momentum, pair, 0.0, SB_OK, "the problem has no symmetry and so no momentum", out);
    }
    return sb_each_step(ctx, config, pair, &c->h, 2, c->t_end, write_step, out);
}

static int check(sb_context *ctx, const void *config, const sb_pair *pair) {
    const momentum_config *c = config;
    return sb_check_lengths(ctx, pair->sys, &c->h, c->t_end, SB_TIME_SCALES);
}

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(momentum_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
     "steps; empty: a tenth and a twentieth of the problem's time scale"},
    {"t_end", SB_REAL, offsetof(momentum_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "end of the runs, a multiple of every h; 0: about 20 time scales"},
    {"start", SB_CHOICE, offsetof(momentum_config, start), "legendre", 0.0, 0.0, SB_CLOSED, "legendre|pair", "",
     "first state: from position and velocity, or from two points of the continuous motion (two-step methods only)"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken; every step is a sample"},
    {"momentum", SB_COL_KEY, "", "which"},
    {"continuous", SB_COL_EXACT, "", "M v . xi of the initial state"},
    {"discrete", SB_COL_EXACT, "", "p . xi of the first sample, p the method's own momentum"},
    {"difference", SB_COL_EXACT, "",
     "discrete - continuous: zero for a start by the discrete Legendre transform, O(h^2) for one from two points"},
    {"dev_continuous", SB_COL_ERROR, "", "largest deviation of M v . xi, v the reported velocity, from its first sample"},
    {"dev_discrete", SB_COL_ERROR, "", "largest deviation of p . xi from its first sample"},
    {"rounding", SB_COL_INFO, "", "what round-off may have added up to by the end"},
    {"conserved", SB_COL_INFO, "", "yes: dev_discrete is within it"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_momentum = {.entry = {"momentum", "continuous and discrete momentum maps along a run, and their difference",
                                                    "wm96 (3.19)", params, sizeof(momentum_config)},
                                          .ncolumns = COLUMNS,
                                          .columns = columns,
                                          .check = check,
                                          .run = run};
