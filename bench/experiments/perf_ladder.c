/* Time a step of SPOOK on the ladder against its length, by linear solver: spook07 Fig. 7, and spook07 4 on the Schur complement (30). */
#include <malloc.h>
#include <string.h>
#include <time.h>

#include <stepbench/kkt.h>

#include "bench/findings.h"
#include "bench/perf/bare_ladder.h"
#include "bench/perf/timing.h"

/* The paper's set-up; beyond LARGEST_SYMMETRIC the analysis by UMFPACK's symmetric strategy takes minutes. */
enum { SETTLING = 10, LARGEST = 100000, LARGEST_UMFPACK = 60000, LARGEST_SYMMETRIC = 10000, LARGEST_DENSE = 10, MAIN = 1000, ARMS = 300 };
static const long lengths[] = {10, 30, 100, 300, 1000, 3000, 10000, 30000, 60000, LARGEST};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
static const double h = 1.0 / 60.0, eps = 1e-8, tau = 2.0, mass = 10.0, length = 1.0, gravity = 9.81;

static const double budget = 0.4; /* s for a row of measurements: nine and more rounds at N = 10 000 for all but UMFPACK */

/* ---- One linear system: assembly, factorization, solution. ---- */

static const sb_column linear_columns[] = {
    {"system", SB_COL_KEY, "", "ladder, or star: rods hinged by their tails to the head of one"},
    {"N", SB_COL_KEY, "", "squares of the ladder, arms of the star"},
    {"form", SB_COL_KEY, "", "saddle matrix spook07 (29) or Schur complement (30)"},
    {"solver", SB_COL_KEY, "", "linear solver"},
    {"rods", SB_COL_INFO, "", "bodies"},
    {"analysis", SB_COL_TIME, "s", "symbolic analysis, once a run"},
    {"assembly", SB_COL_TIME, "ns", "assembly of the matrix, a rod and step"},
    {"factor", SB_COL_TIME, "ns", "factorization, a rod and step"},
    {"solve", SB_COL_TIME, "ns", "solution, a rod and step; with refinement for the LU solvers"},
    {"step", SB_COL_TIME, "ms", "the three together, a step"},
    {"fill", SB_COL_INFO, "", "numbers in the factors, a rod"},
    {"memory", SB_COL_INFO, "B", "memory held by matrix, plan and factors, a rod; where the C library tells"},
};
enum { LINEAR_COLUMNS = sizeof linear_columns / sizeof linear_columns[0] };

typedef struct linear_job {
    sb_kkt kkt;
    sb_linear *linear;
    sb_solver real, idle; /* idle: factors nothing, so that assembly is left */
    const double *q, *matrix;
    double *Cx, *Sigma, *b, *x;
} linear_job;

typedef struct linear_times {
    double analysis, assembly, factor, solve, fill, memory; /* seconds; numbers and bytes */
} linear_times;

static int no_factor(sb_linear *me, const double *Ax) {
    (void)me;
    (void)Ax;
    return SB_OK;
}

static int run_assembly(void *arg) {
    linear_job *job = arg;
    job->linear->type = &job->idle;
    const int status = sb_kkt_factor(&job->kkt, job->q, job->Cx, job->Sigma);
    job->linear->type = &job->real;
    return status;
}

static int run_factor(void *arg) {
    linear_job *job = arg;
    return job->real.factor(job->linear, job->matrix);
}

static int run_solve(void *arg) {
    linear_job *job = arg;
    const int n = job->kkt.sys->n;
    return sb_kkt_solve(&job->kkt, job->b, job->b + n, job->x, job->x + n);
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bytes handed out by malloc; NaN where it doesn't tell. */
static double bytes_held(void) {
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#else
    return (double)NAN;
#endif
}

static int measure_job(linear_job *job, linear_times *out) {
    SB_TRY(sb_kkt_factor(&job->kkt, job->q, job->Cx, job->Sigma));
    double seconds[3];
    const sb_job jobs[] = {{run_assembly, job}, {run_factor, job}, {run_solve, job}};
    SB_TRY(sb_time_jobs_within(budget, 3, jobs, seconds, NULL));
    sb_linear_stats stats;
    job->real.stats(job->linear, &stats);
    out->assembly = seconds[0];
    out->factor = seconds[1];
    out->solve = seconds[2];
    out->fill = (double)stats.nnz_factor;
    return SB_OK;
}

/* Times one solver on the system at q. */
static int measure_linear(sb_context *ctx, const sb_system *sys, const double *q, const char *name, sb_form form, linear_times *out) {
    const int n = sys->n, rows = sb_system_multipliers(sys);
    const sb_solver *solver = sb_solver_choose(ctx, name, form, n + rows);
    if (solver == NULL) {
        return SB_BAD_USAGE;
    }
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const double held = bytes_held(), begin = seconds_now();
    linear_job job = {.real = *solver, .idle = *solver, .q = q};
    job.idle.factor = no_factor;
    int status = sb_kkt_init(ctx, &arena, sys, form, solver, &job.kkt);
    out->analysis = seconds_now() - begin;
    out->memory = bytes_held() - held;
    job.Cx = sb_alloc(&arena, (size_t)sb_pattern_nnz(&job.kkt.C), sizeof(double));
    job.Sigma = sb_alloc(&arena, (size_t)rows, sizeof(double));
    job.b = sb_alloc(&arena, (size_t)(n + rows), sizeof(double));
    job.x = sb_alloc(&arena, (size_t)(n + rows), sizeof(double));
    if (status == SB_OK && (job.Cx == NULL || job.Sigma == NULL || job.b == NULL || job.x == NULL)) {
        status = SB_NO_MEMORY;
    }
    if (status == SB_OK) {
        for (int i = 0; i < n + rows; i++) {
            job.b[i] = sin((double)i);
        }
        for (int i = 0; i < rows; i++) {
            job.Sigma[i] = 4.0 / (h * h) * eps / (1.0 + 4.0 * tau);
        }
        status = sys->holonomic.value(sys->holonomic.self, q, NULL, job.Cx);
    }
    if (status == SB_OK) {
        job.linear = form == SB_FORM_SCHUR ? &job.kkt.schur.linear : &job.kkt.saddle.linear;
        job.matrix = form == SB_FORM_SCHUR ? job.kkt.schur.Sx : job.kkt.saddle.Ax;
        status = measure_job(&job, out);
        job.linear->type = solver;
    }
    sb_kkt_fini(&job.kkt);
    sb_arena_free(&arena);
    return status;
}

static int linear_row(sb_table *table, const char *system, long N, int rods, const char *solver, sb_form form, const linear_times *t) {
    const double each = 1e9 / rods;
    return SB_ROW(&table->sink, sb_text(system), sb_int(N), sb_text(form == SB_FORM_SADDLE ? "saddle" : "schur"), sb_text(solver), sb_int(rods), sb_real(t->analysis),
                  sb_real(each * t->assembly), sb_real(each * t->factor), sb_real(each * t->solve), sb_real(1e3 * (t->assembly + t->factor + t->solve)),
                  sb_real(t->fill / rods), t->memory > 0.0 ? sb_real(t->memory / rods) : sb_empty());
}

static const struct {
    const char *solver;
    sb_form form;
    long most;
} candidates[] = {
    {"plan", SB_FORM_SADDLE, LARGEST},
    {"plan", SB_FORM_SCHUR, LARGEST},
    {"ldl", SB_FORM_SADDLE, LARGEST},
    {"ldl", SB_FORM_SCHUR, LARGEST},
    {"banded", SB_FORM_SCHUR, LARGEST},
    {"cholmod", SB_FORM_SCHUR, LARGEST},
    {"klu", SB_FORM_SADDLE, LARGEST},
    {"umfpack", SB_FORM_SADDLE, LARGEST_UMFPACK},
    {"umfpack", SB_FORM_SCHUR, MAIN},
    {"umfpack_symmetric", SB_FORM_SADDLE, LARGEST_SYMMETRIC},
    {"dense", SB_FORM_SADDLE, LARGEST_DENSE},
};
enum { CANDIDATES = sizeof candidates / sizeof candidates[0] };

static int linear_rows(sb_bench *bench, const sb_system *sys, const double *q, long N, sb_table *table) {
    for (int i = 0; i < CANDIDATES; i++) {
        linear_times t;
        if (N <= candidates[i].most) {
            SB_TRY(measure_linear(bench->ctx, sys, q, candidates[i].solver, candidates[i].form, &t));
            SB_TRY(linear_row(table, "ladder", N, sys->n / 4, candidates[i].solver, candidates[i].form, &t));
        }
    }
    return SB_OK;
}

/* ---- Whole steps. ---- */

static const sb_column step_columns[] = {
    {"N", SB_COL_KEY, "", "squares of the ladder"},
    {"method", SB_COL_KEY, "", "stepper with its parameters; bare: elimination written out by hand for this mechanism"},
    {"time", SB_COL_TIME, "ns", "processor time of a whole step, a rod; median"},
    {"step", SB_COL_TIME, "ms", "processor time of a whole step; median"},
    {"ratio", SB_COL_TIME, "", "over the bare step's, median of interleaved measurements"},
};
enum { STEP_COLUMNS = sizeof step_columns / sizeof step_columns[0] };

static const char *const methods[] = {"spook", "spook:form=schur", "spook:solver=umfpack"};
enum { METHODS = sizeof methods / sizeof methods[0], BARE = METHODS };

typedef struct step_job {
    sb_method method;
    sb_state first, state[2];
    int steps;
} step_job;

static int run_steps(void *arg) {
    step_job *job = arg;
    sb_state_copy(&job->method, &job->first, &job->state[0]);
    for (int k = 0; k < job->steps; k++) {
        SB_TRY(sb_method_step(&job->method, &job->state[k & 1], h, &job->state[(k + 1) & 1]));
    }
    return SB_OK;
}

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

/* Every method from the state that SETTLING steps lead to, where no entry of G vanishes by symmetry any more. */
static int prepare_steps(sb_bench *bench, sb_arena *arena, const sb_system *sys, const char *spec, const sb_state *from, step_job *job) {
    SB_TRY(sb_method_build(bench->ctx, arena, spec, sys, &job->method));
    SB_TRY(sb_state_new(&job->method, arena, &job->first));
    SB_TRY(sb_state_new(&job->method, arena, &job->state[0]));
    SB_TRY(sb_state_new(&job->method, arena, &job->state[1]));
    if (from != NULL) {
        sb_state_copy(&job->method, from, &job->first);
        return SB_OK;
    }
    SB_TRY(sb_method_start(&job->method, 0.0, NULL, NULL, h, &job->first));
    job->steps = SETTLING;
    SB_TRY(run_steps(job));
    sb_state_copy(&job->method, &job->state[SETTLING & 1], &job->first);
    return SB_OK;
}

static int prepare_bare(sb_arena *arena, const sb_system *sys, long N, const sb_state *first, bare_job *job) {
    *job = (bare_job){.ladder = {N, mass, length, gravity, eps, tau, h, NULL}, .first = first};
    SB_NEW(arena, job->q, sys->n);
    SB_NEW(arena, job->v, sys->n);
    return sb_bare_ladder_init(arena, &job->ladder);
}

/* The rows of one length; UMFPACK's whole step up to the main one. times[i] (s) and ratio[i] for each method, the bare step last. */
static int step_rows(sb_bench *bench, sb_arena *arena, const sb_system *sys, long N, step_job *jobs, sb_table *table, double *times, double *ratio) {
    bare_job bare;
    const int count = N <= MAIN ? METHODS : METHODS - 1, steps = N <= MAIN ? 10 : 2, rods = sys->n / 4;
    sb_job timed[SB_TIMING_JOBS];
    for (int i = 0; i < count; i++) {
        SB_TRY(prepare_steps(bench, arena, sys, methods[i], i > 0 ? &jobs[0].first : NULL, &jobs[i]));
        jobs[i].steps = steps;
        timed[i] = (sb_job){run_steps, &jobs[i]};
    }
    SB_TRY(prepare_bare(arena, sys, N, &jobs[0].first, &bare));
    bare.steps = steps;
    timed[count] = (sb_job){run_bare, &bare};
    SB_TRY(sb_time_jobs_within(N == MAIN ? 10.0 * budget : budget, count + 1, timed, times, ratio));
    for (int i = 0; i <= count; i++) {
        const double step = times[i] / steps;
        SB_TRY(SB_ROW(&table->sink, sb_int(N), sb_text(i == count ? "bare" : methods[i]), sb_real(1e9 * step / rods), sb_real(1e3 * step), sb_real(ratio[i])));
        times[i] = step;
    }
    return SB_OK;
}

static int length_rows(sb_bench *bench, long N, sb_table *linear, sb_table *whole, double *times, double *ratio) {
    sb_arena arena;
    sb_system sys;
    step_job jobs[METHODS] = {0};
    sb_arena_init(&arena, bench->ctx);
    int status = sb_system_build(bench->ctx, &arena, sb_bench_format(bench, "ladder:N=%ld,m=%g,l=%g,g=%g", N, mass, length, gravity), 0, NULL, &sys);
    status = status == SB_OK ? step_rows(bench, &arena, &sys, N, jobs, whole, times, ratio) : status;
    status = status == SB_OK ? linear_rows(bench, &sys, jobs[0].first.q, N, linear) : status;
    for (int i = 0; i < METHODS; i++) {
        sb_method_fini(&jobs[i].method);
    }
    sb_arena_free(&arena);
    return status;
}

/* ---- The star: a mechanism whose Schur complement is full. ---- */

/* Rod 0 and ARMS others whose tails sit on its head; q as in the ladder. */
static int star_mass(const void *self, const double *q, double *Mx) {
    (void)self;
    (void)q;
    for (int i = 0; i < 4 * (ARMS + 1); i++) {
        Mx[i] = i % 4 < 2 ? mass : mass * length * length / 12.0;
    }
    return SB_OK;
}

static int star_value(const void *self, const double *q, double *g, double *Gx) {
    (void)self;
    (void)g;
    int end = 0;
    for (int r = 0; r <= ARMS; r++) {
        for (int c = 0; c < 2; c++) {
            if (r > 0) {
                Gx[end++] = -1.0;
                Gx[end++] = -0.5 * length;
            }
            Gx[end++] = 1.0;
            Gx[end++] = -0.5 * length;
        }
        Gx[end++] = q[4 * r + 2];
        Gx[end++] = q[4 * r + 3];
    }
    return SB_OK;
}

static int star_new(sb_bench *bench, sb_system *sys, double **q_out) {
    int *row, *col, count = 0, constraint = 0;
    double *q;
    SB_NEW(&bench->arena, row, 10 * (ARMS + 1));
    SB_NEW(&bench->arena, col, 10 * (ARMS + 1));
    SB_NEW(&bench->arena, q, 4 * (ARMS + 1));
    for (int r = 0; r <= ARMS; r++) {
        for (int c = 0; c < 3; c++) { /* two rows of the joint, then the rod's own */
            const int joint[] = {c, 2 + c, 4 * r + c, 4 * r + 2 + c}, own[] = {4 * r + 2, 4 * r + 3};
            for (int k = c < 2 && r > 0 ? 0 : 2; k < 4; k++) {
                row[count] = c < 2 ? joint[k] : own[k - 2];
                col[count++] = constraint;
            }
            constraint++;
        }
        q[4 * r + 2] = cos((double)r);
        q[4 * r + 3] = sin((double)r);
    }
    *sys = (sb_system){.name = "star", .n = 4 * (ARMS + 1)};
    SB_TRY(sb_pattern_diagonal(&bench->arena, sys->n, &sys->H));
    sys->inertia = (sb_inertia){.M = sys->H, .mass = star_mass};
    sys->holonomic = (sb_holonomic){.m = constraint, .value = star_value};
    *q_out = q;
    return sb_pattern_from_pairs(&bench->arena, sys->n, constraint, count, row, col, &sys->holonomic.G);
}

/* ---- Findings. ---- */

/* Fill and time of UMFPACK on the two forms of the ladder of MAIN squares and of the star. */
typedef struct forms {
    linear_times saddle, schur;
} forms;

static double step_of(const linear_times *t) { return t->assembly + t->factor + t->solve; }

static int settle_schur(sb_bench *bench, const forms *ladder, const forms *star) {
    const bool ladder_denser = ladder->schur.fill > ladder->saddle.fill, star_denser = star->schur.fill > star->saddle.fill;
    const bool ladder_slower = step_of(&ladder->schur) > step_of(&ladder->saddle), star_slower = step_of(&star->schur) > step_of(&star->saddle);
    const sb_finding finding = {
        .claim = "spook07-eq30",
        .verdict = ladder_denser && ladder_slower && star_denser && star_slower ? SB_REPRODUCED : SB_REFUTED,
        .measured = sb_bench_format(bench, "UMFPACK's factors of (30) are %s and %s than those of (29) on the ladder, %s and %s on a hub with %d arms",
                                    ladder_denser ? "fuller" : "sparser", ladder_slower ? "slower" : "faster", star_denser ? "fuller" : "sparser",
                                    star_slower ? "slower" : "faster", ARMS),
        .tolerance = "signs only",
        .reason = "The Schur complement is full where many joints meet in one body, and the advice holds there; on the paper's own ladder it is a band of half-width 11 with "
                  "about half the fill of the saddle matrix, and UMFPACK takes about half the time on it.",
    };
    return sb_bench_find(bench, &finding);
}

/* From the first cache to memory a rod may get up to twice as expensive, which over three decades bends the exponent by log10(2)/3 = 0.1. What is reported are
 * answers, not exponents, whose last digits change from run to run; those are in the table of slopes. */
static int settle_linear(sb_bench *bench, sb_slope umfpack, sb_slope spook) {
    const double bend = 0.1;
    const bool linear = sb_bench_slope_is(umfpack, 1.0, bend), own = sb_bench_slope_is(spook, 1.0, bend);
    const sb_finding finding = {
        .claim = "spook07-f7",
        .verdict = linear ? SB_REPRODUCED : SB_REFUTED,
        .measured = sb_bench_format(bench, "exponent of N %s 0.1 of 1 for UMFPACK on (29) from N = 10 to 10000, %s 0.1 of 1 for the whole step with the default solver from N = 100 to %d",
                                    linear ? "within" : "not within", own ? "within" : "not within", LARGEST),
        .tolerance = "0.1",
        .reason = "From the first cache to memory a rod may get up to twice as expensive, which over three decades bends the exponent by log10(2)/3. Beyond N = 30000 UMFPACK's "
                  "time a rod more than doubles, and the analysis of its symmetric strategy grows with the square of N: the paper's line ends there.",
    };
    return sb_bench_find(bench, &finding);
}

static int star_rows(sb_bench *bench, sb_table *linear, forms *star) {
    sb_system sys;
    double *q;
    SB_TRY(star_new(bench, &sys, &q));
    SB_TRY(measure_linear(bench->ctx, &sys, q, "umfpack", SB_FORM_SADDLE, &star->saddle));
    SB_TRY(measure_linear(bench->ctx, &sys, q, "umfpack", SB_FORM_SCHUR, &star->schur));
    SB_TRY(linear_row(linear, "star", ARMS, ARMS + 1, "umfpack", SB_FORM_SADDLE, &star->saddle));
    return linear_row(linear, "star", ARMS, ARMS + 1, "umfpack", SB_FORM_SCHUR, &star->schur);
}

/* Exponent of a column of times over N, rows lo <= N <= hi whose two keys match. */
static sb_slope slope_of(const sb_table *table, const char *key, const char *value, const char *form, long lo, long hi) {
    double x[LENGTHS], y[LENGTHS];
    int count = 0;
    for (int i = 0; i < table->nrows && count < LENGTHS; i++) {
        const double N = (double)table->cells[i * table->ncolumns + (form != NULL ? 1 : 0)].integer;
        const bool wanted = strcmp(sb_table_text(table, i, key), value) == 0 && (form == NULL || strcmp(sb_table_text(table, i, "form"), form) == 0) &&
                            (form == NULL || strcmp(sb_table_text(table, i, "system"), "ladder") == 0);
        if (wanted && N >= (double)lo && N <= (double)hi) {
            x[count] = N;
            y[count++] = sb_table_real(table, i, "step");
        }
    }
    return sb_bench_slope(count, x, y);
}

static const sb_column slope_columns[] = {
    {"method", SB_COL_KEY, "", "whole step of a stepper, bare, or form and solver of the linear system alone"},
    {"from", SB_COL_INFO, "", "smallest N"},
    {"to", SB_COL_INFO, "", "largest N"},
    {"exponent", SB_COL_TIME, "", "of N in the time a step"},
    {"se", SB_COL_TIME, "", "its standard error"},
};
enum { SLOPE_COLUMNS = sizeof slope_columns / sizeof slope_columns[0] };

static int slope_row(sb_table *table, const char *method, long from, long to, sb_slope slope) {
    return SB_ROW(&table->sink, sb_text(method), sb_int(from), sb_int(to), sb_real(slope.value), sb_real(slope.se));
}

static int slope_rows(sb_bench *bench, const sb_table *linear, const sb_table *whole, sb_table *slopes) {
    SB_TRY(slope_row(slopes, methods[0], 100, LARGEST, slope_of(whole, "method", methods[0], NULL, 100, LARGEST)));
    SB_TRY(slope_row(slopes, methods[1], 100, LARGEST, slope_of(whole, "method", methods[1], NULL, 100, LARGEST)));
    SB_TRY(slope_row(slopes, "bare", 100, LARGEST, slope_of(whole, "method", "bare", NULL, 100, LARGEST)));
    for (int i = 0; i < CANDIDATES; i++) {
        const char *const form = candidates[i].form == SB_FORM_SADDLE ? "saddle" : "schur";
        if (candidates[i].most > MAIN) {
            SB_TRY(slope_row(slopes, sb_bench_format(bench, "%s %s", form, candidates[i].solver), 100, candidates[i].most,
                             slope_of(linear, "solver", candidates[i].solver, form, 100, candidates[i].most)));
        }
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    sb_table linear, whole, slopes;
    forms ladder, star;
    SB_TRY(sb_bench_table(bench, LINEAR_COLUMNS, linear_columns, &linear));
    SB_TRY(sb_bench_table(bench, STEP_COLUMNS, step_columns, &whole));
    SB_TRY(sb_bench_table(bench, SLOPE_COLUMNS, slope_columns, &slopes));
    for (int i = 0; i < LENGTHS; i++) {
        double times[METHODS + 1], ratio[METHODS + 1];
        SB_TRY(length_rows(bench, lengths[i], &linear, &whole, times, ratio));
    }
    SB_TRY(star_rows(bench, &linear, &star));
    for (int i = 0; i < linear.nrows; i++) {
        const sb_cell *cells = &linear.cells[i * linear.ncolumns];
        if (cells[1].integer == MAIN && strcmp(cells[0].text, "ladder") == 0 && strcmp(cells[3].text, "umfpack") == 0) {
            linear_times *t = strcmp(cells[2].text, "saddle") == 0 ? &ladder.saddle : &ladder.schur;
            *t = (linear_times){.assembly = cells[6].real, .factor = cells[7].real, .solve = cells[8].real, .fill = cells[10].real};
        }
    }
    SB_TRY(slope_rows(bench, &linear, &whole, &slopes));
    SB_TRY(sb_bench_save(bench, &linear, "perf_ladder_times.csv"));
    SB_TRY(sb_bench_save(bench, &whole, "spook07_fig7_times.csv"));
    SB_TRY(sb_bench_save(bench, &slopes, "perf_ladder_slopes_times.csv"));
    SB_TRY(settle_linear(bench, slope_of(&linear, "solver", "umfpack", "saddle", 10, 10000), slope_of(&whole, "method", methods[0], NULL, 100, LARGEST)));
    SB_TRY(settle_schur(bench, &ladder, &star));
    SB_TRY(sb_bench_plot(bench, "perf_ladder"));
    return sb_bench_plot(bench, "spook07_fig7");
}

static const char *const claims[] = {"spook07-f7", "spook07-eq30", NULL};
static const char *const files[] = {"perf_ladder_times.csv", "perf_ladder_slopes_times.csv", "spook07_fig7_times.csv", "perf_ladder.svg", "perf_ladder.png", "spook07_fig7.svg",
                                    "spook07_fig7.png", NULL};

extern const sb_experiment sb_experiment_perf_ladder;
const sb_experiment sb_experiment_perf_ladder = {
    .entry = {"perf_ladder", "time a step on the ladder against its length, by linear solver, beside an elimination by hand", "spook07 Fig. 7", NULL, 0},
    .claims = claims,
    .files = files,
    .timed = true,
    .run = run,
};
