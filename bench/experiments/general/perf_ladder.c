/* Time per step of SPOOK on the ladder against its length, by linear solver: spook07 Fig. 7. */
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "bench/perf/bare_ladder.h"
#include "bench/perf/linear_time.h"
#include "bench/perf/step_job.h"
#include "bench/runner/experiment_tools.h"

/* The set-up of the paper. A measurement of whole steps takes STEPS of them, or one from MANY squares on, where a step
 * takes 20 ms and more. */
enum { SETTLING = 10, LARGEST = 100000, LARGEST_DENSE = 10, MAIN = 1000, STEPS = 10, MANY = 30000 };
static const long lengths[] = {10, 30, 100, 300, 1000, 3000, 10000, 30000, LARGEST};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
static const double h = 1.0 / 60.0, eps = 1e-8, tau = 2.0, mass = 10.0, length = 1.0, gravity = 9.81;

/* In s per row of measurements: at least four rounds at N = 10 000 for all solvers but UMFPACK, which takes longer. */
static const double budget = 0.1;

/* ---- The linear system by every solver. ---- */

static const struct {
    const char *solver;
    sb_form form;
    long most;
} candidates[] = {
    {"static_ldl", SB_FORM_SADDLE, LARGEST},  {"static_ldl", SB_FORM_SCHUR, LARGEST},
    {"cholmod", SB_FORM_SCHUR, LARGEST},      {"klu", SB_FORM_SADDLE, LARGEST},
    {"umfpack", SB_FORM_SADDLE, LARGEST},     {"umfpack", SB_FORM_SCHUR, MAIN},
    {"dense", SB_FORM_SADDLE, LARGEST_DENSE},
};

/* Writes the rows of the linear system at q. */
static int linear_rows(sb_bench *bench, const sb_system *sys, const double *q, long N, sb_table *table) {
    for (int i = 0; i < SB_COUNT(candidates); i++) {
        const sb_linear_setting what = {candidates[i].solver, candidates[i].form, h, eps, tau};
        sb_linear_time t;
        if (N <= candidates[i].most) {
            SB_TRY(sb_time_linear(bench->ctx, sys, q, &what, budget, &t));
            SB_TRY(sb_linear_time_row(table, "ladder", N, sys->n / 4, &what, &t));
        }
    }
    return SB_OK;
}

/* ---- Whole steps. ---- */

static const char *const methods[] = {"spook", "spook:form=schur", "spook:solver=umfpack"};
enum { METHODS = sizeof methods / sizeof methods[0], BARE = METHODS };

/* Passes over all lengths. The fastest counts, because other processes slow a machine for seconds at a time. */
enum { PASSES = 3 };

/* Returns whether a method is measured: the step with UMFPACK only up to the main length. */
static bool is_measured(int method, long N) { return N <= MAIN || method < METHODS - 1 || method == BARE; }

typedef struct step_times {
    double seconds[PASSES][METHODS + 1], ratio[PASSES][METHODS + 1];
} step_times;

typedef struct bare_job {
    sb_bare_ladder ladder;
    const sb_state *first;
    double *q, *v;
    int steps;
} bare_job;

static int run_bare(void *arg) {
    bare_job *job = arg;
    const size_t bytes = (size_t)(12 * job->ladder.N + 4) * sizeof(double);
    memcpy(job->q, job->first->q, bytes);
    memcpy(job->v, job->first->v, bytes);
    for (int k = 0; k < job->steps; k++) {
        SB_TRY(sb_bare_ladder_step(&job->ladder, job->q, job->v));
    }
    return SB_OK;
}

/* Prepares a method at the state `from`, or if it is NULL at that after SETTLING steps, where no entry of G vanishes by
 * symmetry. */
static int prepare_steps(sb_bench *bench, sb_arena *arena, const sb_system *sys, const char *spec, const sb_state *from,
                         sb_step_job *job) {
    sb_pair pair;
    SB_TRY(sb_pair_build(bench->ctx, arena, sys, spec, &pair));
    SB_TRY(sb_step_job_init(bench->ctx, arena, &pair, h, SETTLING, job));
    if (from != NULL) {
        sb_state_copy(&job->method, from, &job->first);
        return SB_OK;
    }
    SB_TRY(sb_step_job_run(job));
    sb_state_copy(&job->method, &job->state[SETTLING & 1], &job->first);
    return SB_OK;
}

static int prepare_bare(sb_arena *arena, const sb_system *sys, long N, const sb_state *first, bare_job *job) {
    *job = (bare_job){.ladder = {N, mass, length, gravity, eps, tau, h, NULL}, .first = first};
    SB_TRY(SB_VECTORS(arena, sys->n, &job->q, &job->v));
    return sb_bare_ladder_init(arena, &job->ladder);
}

/* A ladder of one length and all its methods, kept for all passes: preparing them takes longer than timing them. */
typedef struct subject {
    sb_system sys;
    sb_step_job jobs[METHODS];
    bare_job bare;
} subject;

static int prepare(sb_bench *bench, long N, subject *s) {
    sb_arena *arena = &bench->arena;
    const char *problem = sb_bench_format(bench, "ladder:N=%ld,m=%g,l=%g,g=%g", N, mass, length, gravity);
    const int steps = N < MANY ? STEPS : 1;
    SB_TRY(sb_system_build(bench->ctx, arena, problem, 0, NULL, &s->sys));
    for (int i = 0; i < METHODS && is_measured(i, N); i++) {
        SB_TRY(prepare_steps(bench, arena, &s->sys, methods[i], i > 0 ? &s->jobs[0].first : NULL, &s->jobs[i]));
        s->jobs[i].steps = steps;
    }
    SB_TRY(prepare_bare(arena, &s->sys, N, &s->jobs[0].first, &s->bare));
    s->bare.steps = steps;
    return SB_OK;
}

/* Measures whole steps of one length, by each method and the bare step. */
static int time_steps(subject *s, long N, int pass, step_times *out) {
    sb_job timed[SB_TIMING_JOBS];
    double seconds[SB_TIMING_JOBS], ratio[SB_TIMING_JOBS];
    int count = 0;
    for (int i = 0; i < METHODS && is_measured(i, N); i++) {
        timed[count++] = (sb_job){sb_step_job_run, &s->jobs[i]};
    }
    timed[count] = (sb_job){run_bare, &s->bare};
    SB_TRY(sb_time_jobs(N == MAIN ? 5.0 * budget : budget, count + 1, timed, seconds, ratio));
    for (int i = 0; i <= count; i++) {
        const int method = i < count ? i : BARE;
        out->seconds[pass][method] = seconds[i] / s->bare.steps;
        out->ratio[pass][method] = ratio[i];
    }
    return SB_OK;
}

/* Measures the passes of whole steps, then the linear systems. */
static int time_all(sb_bench *bench, sb_table *linear, step_times *times) {
    subject *subjects;
    SB_NEW(&bench->arena, subjects, LENGTHS);
    for (int i = 0; i < LENGTHS; i++) {
        SB_TRY(prepare(bench, lengths[i], &subjects[i]));
    }
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < LENGTHS; i++) {
            SB_TRY(time_steps(&subjects[i], lengths[i], pass, &times[i]));
        }
    }
    for (int i = 0; i < LENGTHS; i++) {
        SB_TRY(linear_rows(bench, &subjects[i].sys, subjects[i].jobs[0].first.q, lengths[i], linear));
    }
    return SB_OK;
}

static int step_rows(sb_table *table, long N, const step_times *times) {
    const double rods = 3.0 * (double)N + 1.0;
    for (int i = 0; i <= METHODS; i++) {
        double seconds[PASSES], ratio[PASSES];
        if (!is_measured(i, N)) {
            continue;
        }
        for (int pass = 0; pass < PASSES; pass++) {
            seconds[pass] = times->seconds[pass][i];
            ratio[pass] = times->ratio[pass][i];
        }
        gsl_sort(seconds, 1, PASSES);
        gsl_sort(ratio, 1, PASSES);
        SB_TRY(SB_TABLE_ROW(table, sb_int(N), sb_text(i == BARE ? "bare" : methods[i]),
                            sb_real(1e9 * seconds[0] / rods), sb_real(1e3 * seconds[0]),
                            sb_real(gsl_stats_median_from_sorted_data(ratio, 1, PASSES))));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(perf_ladder) {
    sb_table linear, whole;
    SB_TRY(sb_bench_table(bench, "linear_times", &linear));
    SB_TRY(sb_bench_table(bench, "spook07_fig7_times", &whole));
    step_times times[LENGTHS];
    SB_TRY(time_all(bench, &linear, times));
    for (int i = 0; i < LENGTHS; i++) {
        SB_TRY(step_rows(&whole, lengths[i], &times[i]));
    }
    SB_TRY(sb_bench_save(bench, &linear, "perf_ladder_times.csv"));
    return sb_bench_save(bench, &whole, "spook07_fig7_times.csv");
}
