/* Analysis `jitter`: energy of velocities that alternate from step to step, tangent and orthogonal to the constraint
 * manifold. transv18. */
#include <string.h>

#include "analysis/modes/jitter.h"
#include "analysis/row.h"

int sb_jitter_measure(sb_dynamics *dyn, double t, const double *q, const double *v0, const double *v1, const double *v2,
                      double *work, sb_jitter *out) {
    const int n = dyn->sys->n;
    double *s = work, *p = work + n, *along = work + 2 * n;
    for (int k = 0; k < n; k++) {
        s[k] = 0.25 * (v2[k] - 2.0 * v1[k] + v0[k]);
    }
    SB_TRY(sb_dynamics_momentum(dyn, q, s, p));
    if (sb_system_bilateral(dyn->sys) > 0) {
        SB_TRY(sb_dynamics_tangent(dyn, t, q, p, along, NULL));
    } else {
        memcpy(along, s, (size_t)n * sizeof *s);
    }
    for (int k = 0; k < n; k++) {
        s[k] -= along[k];
    }
    SB_TRY(sb_dynamics_energy(dyn, t, q, along, &out->transversal, NULL));
    return sb_dynamics_energy(dyn, t, q, s, &out->constraint, NULL);
}

/* ---- Rows. ---- */

typedef struct jitter_config {
    sb_step_options step;
    long every;
} jitter_config;

/* The last point, the last three velocities, and sums over the steps since the last row. */
typedef struct series {
    sb_dynamics dyn;
    const sb_task *task;
    long count;
    double *q, *v[3], *work; /* the last point; velocities (q_k - q_{k-1})/h, the oldest first */
    sb_jitter sum;
    double kinetic;
} series;

static int write_mean(series *w, double t) {
    const double count = (double)w->count, along = w->sum.transversal / count, across = w->sum.constraint / count,
                 kinetic = w->kinetic / count;
    w->sum = (sb_jitter){0.0, 0.0};
    w->kinetic = 0.0;
    w->count = 0;
    return sb_row(w->task,
                  SB_CELLS(sb_real(t), sb_real(along + across), sb_real(across), sb_real(along), sb_real(kinetic)));
}

/* The energy of the last three velocities is taken at the point before the newest, where the middle velocity ends and
 * the last begins. */
static int observe(void *arg, const sb_sample *sample) {
    series *w = arg;
    const int n = w->dyn.sys->n;
    double *oldest = w->v[0];
    w->v[0] = w->v[1];
    w->v[1] = w->v[2];
    w->v[2] = oldest;
    for (int k = 0; k < n; k++) {
        w->v[2][k] = (sample->q[k] - w->q[k]) / w->task->h;
    }
    if (sample->step >= 3) {
        sb_jitter now;
        double kinetic;
        SB_TRY(sb_jitter_measure(&w->dyn, sample->t - w->task->h, w->q, w->v[0], w->v[1], w->v[2], w->work, &now));
        SB_TRY(sb_dynamics_energy(&w->dyn, sample->t - w->task->h, w->q, w->v[1], &kinetic, NULL));
        w->sum.constraint += now.constraint;
        w->sum.transversal += now.transversal;
        w->kinetic += kinetic;
        if (++w->count == ((const jitter_config *)w->task->config)->every) {
            SB_TRY(write_mean(w, sample->t - w->task->h));
        }
    }
    memcpy(w->q, sample->q, (size_t)n * sizeof(double));
    return SB_OK;
}

static int prepare(const sb_task *task, series *w) {
    sb_arena *const arena = task->arena;
    const int n = task->sys->n;
    SB_TRY(sb_dynamics_init(task->ctx, arena, task->sys, &w->dyn));
    SB_NEW(arena, w->work, 3 * n);
    return SB_VECTORS(arena, n, &w->q, &w->v[0], &w->v[1], &w->v[2]);
}

/* Runs the pair and writes the rows. If the run fails, the rows before the failure have been written. */
static int run(sb_task *task) {
    series w = {.task = task};
    SB_TRY(prepare(task, &w));
    return sb_pair_run(task->ctx, task->arena, task->pair, task->h, task->steps, observe, &w);
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits"),
    SB_OPTION_T_END("20"),
    SB_PARAM_INT(jitter_config, every, "1", 1.0, 1e9, "number of steps over which a row is averaged"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"t", SB_COL_KEY, "s", "time of the last point over which the row is averaged"},
    {"jitter", SB_COL_EXACT, "J", "energy s' M s/2 of s = (v_{k+1} - 2 v_k + v_{k-1})/4, v_k = (q_k - q_{k-1})/h"},
    {"jitter_constraint", SB_COL_EXACT, "J", "part of it orthogonal to the constraint manifold"},
    {"jitter_transversal", SB_COL_EXACT, "J", "part of it tangent to the constraint manifold"},
    {"kinetic", SB_COL_EXACT, "J", "kinetic energy of v_k"},
    {"status", SB_COL_INFO, "", "ok, or why the run ended early"}};

SB_DEFINE_ANALYSIS(jitter) = {
    .entry =
        {"jitter",
         "energy of velocities that alternate from step to step, tangent and orthogonal to the constraint manifold",
         "transv18", params, sizeof(jitter_config)},
    .levels = 1,
    .time_scales = SB_TIME_SCALES,
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench jitter -p pendulum -s shake",
    .run = run};
