/* Analysis `jitter`: the energy of step-to-step alternation over a run, split by the constraint's tangent space. transv18. */
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/modes/jitter.h"
#include "analysis/row.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_jitter;

int sb_jitter_measure(sb_dynamics *dyn, double t, const double *q, const double *v0, const double *v1, const double *v2, double *work,
                      sb_jitter *out) {
    const int n = dyn->sys->n;
    double *s = work, *p = work + n, *along = work + 2 * n;
    for (int k = 0; k < n; k++) {
        s[k] = 0.25 * (v2[k] - 2.0 * v1[k] + v0[k]);
    }
    SB_TRY(sb_dynamics_momentum(dyn, q, s, p));
    if (sb_system_bilateral(dyn->sys) > 0) {
        SB_TRY(sb_dynamics_velocity(dyn, t, q, p, along));
    } else {
        memcpy(along, s, (size_t)n * sizeof *s);
    }
    for (int k = 0; k < n; k++) {
        s[k] -= along[k];
    }
    SB_TRY(sb_dynamics_energy(dyn, q, along, &out->transversal, NULL));
    return sb_dynamics_energy(dyn, q, s, &out->constraint, NULL);
}

/* ---- Rows. ---- */

typedef struct jitter_config {
    sb_reals h;
    double t_end;
    long every;
} jitter_config;

enum { PROBLEM, STEPPER, H, T, WHOLE, CONSTRAINT, TRANSVERSAL, KINETIC, STATUS, COLUMNS };

/* The last points, and sums over the steps since the last row. */
typedef struct watch {
    sb_dynamics dyn;
    const sb_pair *pair;
    sb_sink *out;
    double h;
    long every, count;
    double *q, *v[3], *work; /* the last point; the last velocities (q_k - q_{k-1})/h, oldest first */
    sb_jitter sum;
    double kinetic;
} watch;

static int write_sample(watch *w, double t) {
    const double count = (double)w->count, along = w->sum.transversal / count, across = w->sum.constraint / count;
    const sb_cell row[COLUMNS] = {sb_text(w->pair->problem), sb_text(w->pair->stepper), sb_real(w->h),  sb_real(t),
                                  sb_real(along + across),   sb_real(across),           sb_real(along), sb_real(w->kinetic / count),
                                  sb_text(SB_STATUS_FINE)};
    w->sum = (sb_jitter){0.0, 0.0};
    w->kinetic = 0.0;
    w->count = 0;
    return w->out->row(w->out, row);
}

/* J of the last three velocities is taken at the point behind the newest, where the middle one ends and the last begins. */
static int observe(void *arg, const sb_sample *sample) {
    watch *w = arg;
    const int n = w->dyn.sys->n;
    double *oldest = w->v[0];
    w->v[0] = w->v[1];
    w->v[1] = w->v[2];
    w->v[2] = oldest;
    for (int k = 0; k < n; k++) {
        w->v[2][k] = (sample->q[k] - w->q[k]) / w->h;
    }
    if (sample->step >= 3) {
        sb_jitter now;
        double kinetic;
        SB_TRY(sb_jitter_measure(&w->dyn, sample->t - w->h, w->q, w->v[0], w->v[1], w->v[2], w->work, &now));
        SB_TRY(sb_dynamics_energy(&w->dyn, w->q, w->v[1], &kinetic, NULL));
        w->sum.constraint += now.constraint;
        w->sum.transversal += now.transversal;
        w->kinetic += kinetic;
        if (++w->count == w->every) {
            SB_TRY(write_sample(w, sample->t - w->h));
        }
    }
    memcpy(w->q, sample->q, (size_t)n * sizeof(double));
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_pair *pair, watch *w) {
    const int n = pair->sys->n;
    SB_TRY(sb_dynamics_init(ctx, arena, pair->sys, &w->dyn));
    SB_NEW(arena, w->q, n);
    SB_NEW(arena, w->work, 3 * n);
    for (int i = 0; i < 3; i++) {
        SB_NEW(arena, w->v[i], n);
    }
    return SB_OK;
}

/* A run that ends early leaves the rows up to there and one that says why. */
static int write_run(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const jitter_config *config = options;
    sb_method method = {0};
    watch w = {.pair = pair, .out = out, .h = h, .every = config->every};
    sb_run run = {.h = h, .every = 1};
    int status = prepare(ctx, arena, pair, &w);
    status = status == SB_OK ? sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method) : status;
    status = status == SB_OK ? sb_pick_length(ctx, pair->sys, config->t_end, SB_TIME_SCALES, h, &run.steps) : status;
    status = status == SB_OK ? sb_run_method(&method, &run, observe, &w) : status;
    if (sb_failure_is_result(status)) {
        status = sb_row_failure(&sb_analysis_jitter, pair, h, status, ctx->message, out);
    }
    sb_method_fini(&method);
    sb_dynamics_fini(&w.dyn);
    return status;
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    const jitter_config *c = config;
    return sb_each_step(ctx, config, pair, &c->h, 1, c->t_end, write_run, out);
}

static int check(sb_context *ctx, const void *config, const sb_pair *pair) {
    const jitter_config *c = config;
    return sb_check_lengths(ctx, pair->sys, &c->h, c->t_end, SB_TIME_SCALES);
}

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(jitter_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s", "steps; empty: a tenth of the problem's time scale"},
    {"t_end", SB_REAL, offsetof(jitter_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "end of the runs, a multiple of every h; 0: about 20 time scales"},
    {"every", SB_INT, offsetof(jitter_config, every), "1", 1.0, 1e9, SB_CLOSED, NULL, "", "steps a row is the mean of"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"t", SB_COL_KEY, "s", "time of the last point the row's mean is taken over"},
    {"jitter", SB_COL_EXACT, "J", "energy s' M s/2 of s = (v_{k+1} - 2 v_k + v_{k-1})/4, v_k = (q_k - q_{k-1})/h"},
    {"jitter_constraint", SB_COL_EXACT, "J", "its part across the constraints"},
    {"jitter_transversal", SB_COL_EXACT, "J", "its part along the constraints"},
    {"kinetic", SB_COL_EXACT, "J", "kinetic energy of v_k"},
    {"status", SB_COL_INFO, "", "ok, or how the run ended"}};

const sb_analysis sb_analysis_jitter = {.entry = {"jitter",
                                                  "energy of step-to-step alternation over a run, along and across the constraints",
                                                  "transv18", params, sizeof(jitter_config)},
                                        .ncolumns = COLUMNS,
                                        .columns = columns,
                                        .check = check,
                                        .run = run};
