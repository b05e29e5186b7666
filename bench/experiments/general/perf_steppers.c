/* Time per step of every stepper on the small problems, of hand-coded loops of the same methods, and of GSL's
 * Runge-Kutta steppers. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "analysis/accuracy/work.h"
#include "bench/perf/bare.h"
#include "bench/perf/step_job.h"
#include "bench/runner/experiment_tools.h"

enum { STEPS = 500 }; /* a job: this many steps from the initial state */

static const double fraction = 0.01; /* h over the time scale of the system, as in a resolved run */

enum { COLUMNS = 10 };

static const struct {
    const char *problem, *formulation;
} subjects[] = {{"oscillator", NULL}, {"kepler", NULL}, {"pendulum", NULL},  {"pendulum", "chart"},
                {"dsp", NULL},        {"dsp", "chart"}, {"rigid_body", NULL}};

/* ---- The three kinds of job. ---- */

typedef struct bare_job {
    const sb_bare *bare;
    double c[SB_BARE_CONSTANTS], first[SB_BARE_STATE], h;
} bare_job;

static int bare_run(void *arg) {
    const bare_job *job = arg;
    double state[SB_BARE_STATE];
    memcpy(state, job->first, sizeof state);
    job->bare->run(job->c, job->h, STEPS, state);
    return state[0] == state[0] ? SB_OK : SB_NOT_FINITE;
}

/* Prepares the bare loop at the first point of the generic stepper. */
static int bare_new(sb_bench *bench, sb_step_job *generic, bare_job *job) {
    double *v1;
    SB_NEW(&bench->arena, v1, generic->method.sys->n);
    job->h = generic->h;
    SB_TRY(sb_bare_constants(bench->ctx, &bench->arena, job->bare, job->c));
    SB_TRY(sb_method_step(&generic->method, &generic->first, job->h, &generic->state[0]));
    SB_TRY(sb_method_report(&generic->method, &generic->state[0], v1, NULL));
    memset(job->first, 0, sizeof job->first);
    job->bare->start(job->bare, job->c, job->h, generic->first.q, &generic->state[0], v1, job->first);
    return SB_OK;
}

typedef struct gsl_job {
    gsl_odeiv2_step *stepper;
    gsl_odeiv2_system equations;
    sb_dynamics dyn;
    double *first, *y, *error, *rate; /* 2n: positions, then velocities */
    double h;
} gsl_job;

static int gsl_rate(double t, const double y[], double rate[], void *arg) {
    sb_dynamics *dyn = arg;
    const int n = dyn->sys->n;
    memcpy(rate, y + n, (size_t)n * sizeof(double));
    return sb_dynamics_acceleration(dyn, t, y, y + n, rate + n, NULL) == SB_OK ? GSL_SUCCESS : GSL_EFAILED;
}

/* The rate at the end of a step is the rate at the beginning of the next, as in GSL's own evolve. */
static int gsl_run(void *arg) {
    gsl_job *job = arg;
    memcpy(job->y, job->first, job->equations.dimension * sizeof(double));
    double t = 0.0;
    if (gsl_rate(t, job->y, job->rate, job->equations.params) != GSL_SUCCESS) {
        return SB_DOMAIN;
    }
    for (int k = 0; k < STEPS; k++, t += job->h) {
        if (gsl_odeiv2_step_apply(job->stepper, t, job->h, job->y, job->error, job->rate, job->rate, &job->equations) !=
            GSL_SUCCESS) {
            return SB_DOMAIN;
        }
    }
    return SB_OK;
}

static void destroy_stepper(void *stepper) { gsl_odeiv2_step_free(stepper); }

static int gsl_new(sb_bench *bench, const gsl_odeiv2_step_type *type, const sb_system *sys, double h, gsl_job *job) {
    const size_t size = 2 * (size_t)sys->n;
    double t;
    *job = (gsl_job){.h = h, .equations = {gsl_rate, NULL, size, &job->dyn}};
    SB_TRY(SB_VECTORS(&bench->arena, size, &job->first, &job->y, &job->error, &job->rate));
    SB_TRY(sb_dynamics_init(bench->ctx, &bench->arena, sys, &job->dyn));
    SB_TRY(sys->initial(sys->self, &t, job->first, job->first + sys->n));
    job->stepper = gsl_odeiv2_step_alloc(type, size);
    return job->stepper != NULL ? sb_arena_own(&bench->arena, job->stepper, destroy_stepper)
                                : sb_fail(bench->ctx, SB_NO_MEMORY, "no memory for GSL's stepper %s", type->name);
}

/* ---- Rows. ---- */

typedef struct timing {
    double seconds, bare, ratio;
    sb_counts counts;
} timing;

/* Rounds to the resolution of the measurement. */
static sb_cell rounded(double x) { return sb_real(nearbyint(100.0 * x) / 100.0); }

static int write_row(sb_table *table, const sb_system *sys, const char *stepper, double h, int status, const timing *t,
                     bool bare) {
    sb_cell cells[COLUMNS] = {sb_text(sys->name), sb_text(stepper), sb_real(h)};
    cells[9] = sb_text(status == SB_OK ? "ok" : sb_status_text(status));
    if (status == SB_OK) {
        cells[3] = rounded(1e9 * t->seconds / STEPS);
        cells[4] = bare ? rounded(1e9 * t->bare / STEPS) : sb_empty();
        cells[5] = bare ? rounded(t->ratio) : sb_empty();
        cells[6] = sb_real((double)t->counts.force / STEPS);
        cells[7] = sb_real((double)t->counts.constraint / STEPS);
        cells[8] = sb_real((double)t->counts.hessian / STEPS);
    }
    return sb_bench_cells(table, SB_COUNT(cells), cells);
}

/* Measures a stepper and, unless bare->bare is NULL, the bare loop. */
static int time_stepper(sb_bench *bench, const sb_pair *pair, double h, bare_job *bare, timing *t) {
    sb_step_job generic;
    sb_work work;
    double seconds[2] = {0.0}, ratio[2];
    const sb_job jobs[] = {{sb_step_job_run, &generic}, {bare_run, bare}};
    SB_TRY(sb_step_job_init(bench->ctx, &bench->arena, pair, h, STEPS, &generic));
    SB_TRY(bare->bare != NULL ? bare_new(bench, &generic, bare) : SB_OK);
    SB_TRY(sb_time_jobs((double)INFINITY, bare->bare != NULL ? 2 : 1, jobs, seconds, ratio));
    SB_TRY(sb_work_measure(bench->ctx, pair, h, STEPS, &work));
    *t = (timing){seconds[0], seconds[1], ratio[0], work.counts};
    return SB_OK;
}

/* Measures a stepper of GSL, and counts its evaluations in a second run. */
static int time_gsl(sb_bench *bench, const gsl_odeiv2_step_type *type, const sb_system *sys, double h, timing *t) {
    sb_system counted;
    gsl_job job, counting;
    SB_TRY(sb_system_counting(bench->ctx, &bench->arena, sys, &t->counts, &counted));
    SB_TRY(gsl_new(bench, type, sys, h, &job));
    SB_TRY(sb_time_jobs((double)INFINITY, 1, &(sb_job){gsl_run, &job}, &t->seconds, NULL));
    SB_TRY(gsl_new(bench, type, &counted, h, &counting));
    t->counts = (sb_counts){0};
    return gsl_run(&counting);
}

/* These write a row. A numerical failure is the status of the row; other failures are returned. */
static int stepper_row(sb_bench *bench, const char *stepper, int subject, const sb_system *sys, sb_table *table) {
    const double h = fraction * sys->time_scale;
    bare_job bare = {.bare = sb_bare_find(stepper, subjects[subject].problem, subjects[subject].formulation)};
    sb_pair pair;
    timing t = {0};
    SB_TRY(sb_pair_build(bench->ctx, &bench->arena, sys, stepper, &pair));
    const int status = time_stepper(bench, &pair, h, &bare, &t);
    return status < 0 ? status : write_row(table, sys, stepper, h, status, &t, bare.bare != NULL);
}

static int gsl_row(sb_bench *bench, const char *name, const gsl_odeiv2_step_type *type, const sb_system *sys,
                   sb_table *table) {
    const double h = fraction * sys->time_scale;
    timing t = {0};
    const int status = time_gsl(bench, type, sys, h, &t);
    return status < 0 ? status : write_row(table, sys, name, h, status, &t, false);
}

static int subject_rows(sb_bench *bench, int subject, sb_table *table) {
    sb_system sys;
    const char *const formulations[] = {subjects[subject].formulation};
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, subjects[subject].problem, formulations[0] != NULL, formulations,
                           &sys));
    const sb_entry *entry;
    for (int i = 0; (entry = sb_registry_match(bench->ctx->registry, SB_KIND_STEPPER, "*", i)) != NULL; i++) {
        const sb_stepper *type = (const sb_stepper *)entry;
        if (type->control.tolerance == NULL && sb_stepper_check(bench->ctx, type, &sys) == SB_OK) {
            SB_TRY(stepper_row(bench, entry->name, subject, &sys, table));
        }
    }
    SB_TRY(gsl_row(bench, "gsl_rk4", gsl_odeiv2_step_rk4, &sys, table));
    return gsl_row(bench, "gsl_rk8pd", gsl_odeiv2_step_rk8pd, &sys, table);
}

SB_DEFINE_EXPERIMENT(perf_steppers) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "perf_steppers_times", &table));
    for (int i = 0; i < SB_COUNT(subjects); i++) {
        SB_TRY(subject_rows(bench, i, &table));
    }
    return sb_bench_save(bench, &table, "perf_steppers_times.csv");
}
