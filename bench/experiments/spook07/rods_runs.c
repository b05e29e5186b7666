/* Runs of ladders and chains of rods for spook07 6: their samples, and the time at which the energy fails. */
#include "bench/experiments/spook07/rods_runs.h"

#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <lapacke.h>

#include <stepbench/numerics/dynamics.h>

#include "analysis/row.h"
#include "bench/runner/experiment_tools.h"

enum { TIP_X, TIP_Y, WHIP, G_JOINT, GAP, OUTPUTS };
static const char *const output_names[OUTPUTS] = {"tip_x", "tip_y", "whip", "g_joint", "gap"};

/* A run ends when the energy has changed by ENERGY_LIMIT times the range of the motion: the energy at the start minus
 * the lowest possible energy. */
enum { ENERGY_LIMIT = 100 };

/* Measures samples on the problem without formulation, `plain`; `stepped` is the system with it. */
typedef struct rods_observer {
    sb_context *ctx;
    const sb_rods_task *task;
    sb_rods_run *run;
    sb_system plain, stepped;
    sb_dynamics dyn; /* of `plain` */
    sb_stepper type;
    int at[OUTPUTS];
    double *q, *v, *g, *Gx, *Dx, *outputs;
    double *dense, *singular, *work;
    lapack_int lwork;
} observer;

static int find_outputs(sb_context *ctx, observer *o) {
    for (int k = 0; k < OUTPUTS; k++) {
        o->at[k] = -1;
        for (int i = 0; i < o->plain.outputs.count; i++) {
            if (strcmp(o->plain.outputs.list[i].name, output_names[k]) == 0) {
                o->at[k] = i;
            }
        }
        if (o->at[k] < 0) {
            return sb_fail(ctx, SB_UNSUPPORTED, "%s has no output %s", o->plain.name, output_names[k]);
        }
    }
    return SB_OK;
}

/* Sets o->q and o->v, in the coordinates of the problem without formulation. */
static int set_state(observer *o, const double *q, const double *v) {
    const sb_chart *chart = o->plain.chart;
    const size_t size = (size_t)o->plain.n * sizeof(double);
    if (o->stepped.n == o->plain.n) {
        memcpy(o->q, q, size);
        memcpy(o->v, v, size);
        return SB_OK;
    }
    SB_TRY(chart->point(chart->self, q, o->q, o->Dx));
    memset(o->v, 0, size);
    sb_csc_mult_add(&chart->D, o->Dx, 1.0, v, o->v);
    return SB_OK;
}

/* Returns the largest |u'|; the coordinates of a rod are (x, y, ux, uy). */
static double fastest_spin(const observer *o) {
    double spin = 0.0;
    for (int i = 0; i < o->plain.n; i += 4) {
        spin = sb_larger(spin, hypot(o->v[i + 2], o->v[i + 3]));
    }
    return spin;
}

static int measure(observer *o, double t, sb_rods_sample *out) {
    const sb_system *sys = &o->plain;
    double kinetic, potential;
    SB_TRY(sb_dynamics_energy(&o->dyn, t, o->q, o->v, &kinetic, &potential));
    SB_TRY(sb_holonomic_value(sys, 0.0, o->q, o->g, o->Gx));
    SB_TRY(sys->outputs.value(sys->outputs.self, t, o->q, o->v, o->outputs));
    *out = (sb_rods_sample){
        .t = t,
        .energy = kinetic + potential,
        .g_all = sqrt(sb_dot(sys->holonomic.m, o->g, o->g) / sys->holonomic.m),
        .g_joint = o->outputs[o->at[G_JOINT]],
        .gap = o->outputs[o->at[GAP]],
        .tip_x = o->outputs[o->at[TIP_X]],
        .tip_y = o->outputs[o->at[TIP_Y]],
        .whip = o->outputs[o->at[WHIP]],
        .spin = fastest_spin(o),
    };
    return SB_OK;
}

static int observe(void *arg, const sb_sample *sample) {
    observer *o = arg;
    sb_rods_run *run = o->run;
    SB_TRY(set_state(o, sample->q, sample->v));
    SB_TRY(measure(o, sample->t, &run->at[run->count]));
    if (o->task->shape) {
        memcpy(run->q + (size_t)run->count * (size_t)run->n, o->q, (size_t)run->n * sizeof(double));
        memcpy(run->v + (size_t)run->count * (size_t)run->n, o->v, (size_t)run->n * sizeof(double));
    }
    const double energy = run->at[run->count++].energy, range = run->start - run->lowest;
    if (!(fabs(energy - run->start) <= ENERGY_LIMIT * range)) {
        return sb_fail(o->ctx, SB_NOT_FINITE, "the energy has changed by %g times the range of the motion",
                       fabs(energy - run->start) / range);
    }
    return SB_OK;
}

static int allocate(sb_arena *arena, observer *o) {
    const int n = o->plain.n, m = o->plain.holonomic.m;
    SB_TRY(SB_VECTORS(arena, n, &o->q, &o->v));
    SB_NEW(arena, o->g, m);
    SB_NEW(arena, o->Gx, sb_pattern_nnz(&o->plain.holonomic.G));
    SB_NEW(arena, o->outputs, o->plain.outputs.count);
    SB_NEW(arena, o->Dx, sb_pattern_nnz(&o->plain.chart->D));
    if (o->task->shape) {
        o->lwork = 8 * (n + m); /* dgesvd requires max(3 min + max, 5 min) of n and m */
        SB_NEW(arena, o->dense, n * m);
        SB_NEW(arena, o->singular, m);
        SB_NEW(arena, o->work, o->lwork);
    }
    return SB_OK;
}

/* Sets the initial energy, and that of the rods hanging straight down: all angles of the chart are zero. */
static int set_bounds(sb_arena *arena, observer *o, sb_rods_run *out) {
    const sb_system *sys = &o->plain;
    double t, *angles;
    sb_rods_sample sample;
    SB_NEW(arena, angles, sys->chart->n);
    SB_TRY(sys->initial(sys->self, &t, o->q, o->v));
    SB_TRY(measure(o, t, &sample));
    out->start = sample.energy;
    SB_TRY(sys->chart->point(sys->chart->self, angles, o->q, NULL));
    return sb_dynamics_energy(&o->dyn, t, o->q, o->v, NULL, &out->lowest);
}

const char *sb_rods_start(sb_bench *bench, const char *problem, int i) {
    const double turn = 0.01 * i * M_PI / 2.0;
    if (problem == NULL) {
        return NULL;
    }
    return strncmp(problem, "ladder", strlen("ladder")) == 0
               ? sb_bench_format(bench, "%s,tilt=%.17g,rungs=%s", problem, turn, i % 2 == 0 ? "up" : "down")
               : sb_bench_format(bench, "%s,theta0=%.17g", problem, M_PI / 2.0 + turn);
}

sb_rods_spread sb_rods_ensemble(const double x[SB_RODS_STARTS]) {
    double sorted[SB_RODS_STARTS];
    memcpy(sorted, x, sizeof sorted);
    gsl_sort(sorted, 1, SB_RODS_STARTS);
    const double least = sorted[0], largest = sorted[SB_RODS_STARTS - 1];
    return (sb_rods_spread){gsl_stats_median_from_sorted_data(sorted, 1, SB_RODS_STARTS), 0.5 * (largest - least),
                            least, largest};
}

int sb_rods_follow(sb_bench *bench, const sb_rods_task *task, sb_rods_run *out) {
    sb_arena *arena = &bench->arena;
    sb_context *ctx = bench->ctx;
    observer *o;
    sb_method method;
    sb_run run = {.h = task->h, .every = task->every};
    if (task->problem == NULL || task->stepper == NULL) {
        return SB_NO_MEMORY;
    }
    SB_NEW(arena, o, 1);
    *o = (observer){.ctx = ctx, .task = task, .run = out};
    *out = (sb_rods_run){.observer = o};
    SB_TRY(sb_system_build(ctx, arena, task->problem, 0, NULL, &o->plain));
    SB_TRY(sb_system_build(ctx, arena, task->problem, task->formulation != NULL, &task->formulation, &o->stepped));
    if (o->plain.chart == NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s has no chart, which gives the lowest energy", task->problem);
    }
    SB_TRY(find_outputs(ctx, o));
    SB_TRY(allocate(arena, o));
    SB_TRY(sb_dynamics_init(ctx, arena, &o->plain, &o->dyn));
    SB_TRY(set_bounds(arena, o, out));
    SB_TRY(sb_steps(ctx, task->t_end, task->h, SB_STEPS_EXACT, &run.steps));
    out->n = o->plain.n;
    SB_NEW(arena, out->at, run.steps / task->every + 2);
    if (task->shape) {
        SB_TRY(SB_VECTORS(arena, (run.steps / task->every + 2) * out->n, &out->q, &out->v));
    }
    SB_TRY(sb_method_build(ctx, arena, task->stepper, &o->stepped, &method));
    if (task->paper) { /* without its start a method begins with q and v of the problem */
        o->type = *method.type;
        o->type.start = NULL;
        method.type = &o->type;
    }
    const int status = sb_run_method(&method, &run, observe, o);
    out->end = status == SB_OK ? task->t_end : (double)(run.done + 1) * task->h;
    return status == SB_OK ? SB_OK : sb_failure_keep(arena, status, &out->failure);
}

int sb_rods_follow_start(sb_bench *bench, const char *problem, int i, const char *stepper, double h, double t_end,
                         sb_rods_run *out) {
    const sb_rods_task task = {.problem = sb_rods_start(bench, problem, i),
                               .stepper = stepper,
                               .h = h,
                               .t_end = t_end,
                               .every = 1,
                               .paper = true};
    return sb_rods_follow(bench, &task, out);
}

/* Returns a cell rounded to 0.01 m, a quarter of a pixel of the figures. */
static sb_cell centimetres(double x) { return sb_trusted(x, 0.005); }

/* Coordinates per square of a ladder: a rung and two rails of four each. */
enum { RUNG = 12 };

int sb_rods_add_frames(sb_table *table, const char *motion, const sb_rods_run *run, int count, int every) {
    for (int i = 0; i < count; i += every) {
        const double *q = run->q + (size_t)i * (size_t)run->n;
        for (int r = 0; r < run->n; r += RUNG) {
            const double *x = q + r;
            SB_TRY(SB_TABLE_ROW(table, sb_text(motion), sb_trusted(run->at[i].t, 0.005), centimetres(x[0] - 0.5 * x[2]),
                                centimetres(x[1] - 0.5 * x[3]), centimetres(x[0] + 0.5 * x[2]),
                                centimetres(x[1] + 0.5 * x[3])));
        }
    }
    return SB_OK;
}

double sb_rods_sigma(const sb_rods_run *run, int i) {
    observer *o = run->observer;
    const sb_pattern *G = &o->plain.holonomic.G;
    if (sb_holonomic_value(&o->plain, 0.0, run->q + (size_t)i * (size_t)run->n, NULL, o->Gx) != SB_OK) {
        return (double)NAN;
    }
    memset(o->dense, 0, (size_t)G->rows * (size_t)G->cols * sizeof(double));
    for (int j = 0; j < G->cols; j++) {
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            o->dense[G->i[k] + G->rows * j] = o->Gx[k];
        }
    }
    const lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', G->rows, G->cols, o->dense, G->rows,
                                                o->singular, NULL, 1, NULL, 1, o->work, o->lwork);
    return info == 0 ? o->singular[G->cols - 1] : (double)NAN;
}

double sb_rods_failure(const sb_rods_run *run, double margin, bool *above) {
    const double range = run->start - run->lowest;
    bool unused, *too_large = above != NULL ? above : &unused;
    *too_large = false;
    for (int i = 0; i < run->count; i++) {
        const double energy = run->at[i].energy;
        if (!(energy <= run->start + margin * range) || !(energy >= run->lowest - margin * range)) {
            *too_large = !(energy <= run->start);
            return run->at[i].t;
        }
    }
    return run->failure != NULL ? run->end : (double)INFINITY;
}
