/* Measures symbolic analysis, assembly, factorization and solution of the linear system of a regularized step. */
#include "bench/perf/linear_time.h"

#include <malloc.h>

#include "analysis/timing.h"
#include "bench/runner/experiment_tools.h"

typedef struct job {
    sb_kkt kkt;
    sb_linear *linear;
    const double *matrix;
    sb_solver real, idle; /* idle: does not factor, to measure the assembly */
    const double *q;
    double *Sigma, *b, *x;
} job;

static int no_factor(sb_linear *me, const double *Ax) { return SB_OK; }

static int run_assembly(void *arg) {
    job *j = arg;
    j->linear->type = &j->idle;
    const int status = sb_kkt_factor(&j->kkt, j->q);
    j->linear->type = &j->real;
    return status;
}

static int run_factor(void *arg) {
    job *j = arg;
    return j->real.factor(j->linear, j->matrix);
}

static int run_solve(void *arg) {
    job *j = arg;
    const int n = j->kkt.sys->n;
    return sb_kkt_solve(&j->kkt, j->b, j->b + n, j->x, j->x + n);
}

/* Returns the bytes allocated by malloc; NaN if the C library does not report them. */
static double bytes_held(void) {
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#else
    return (double)NAN;
#endif
}

static int prepare(sb_arena *arena, const sb_linear_setting *what, job *j) {
    const sb_system *sys = j->kkt.sys;
    const int n = sys->n, rows = sb_system_bilateral(sys);
    SB_NEW(arena, j->Sigma, rows);
    SB_TRY(SB_VECTORS(arena, n + rows, &j->b, &j->x));
    for (int i = 0; i < n + rows; i++) {
        j->b[i] = sin((double)i);
    }
    for (int i = 0; i < rows; i++) {
        j->Sigma[i] = 4.0 / (what->h * what->h) * what->eps / (1.0 + 4.0 * what->tau);
    }
    j->linear = sb_kkt_linear(&j->kkt, &j->matrix);
    j->real = j->idle = *j->linear->type;
    j->idle.factor = no_factor;
    sb_kkt_set_sigma(&j->kkt, j->Sigma);
    return sb_holonomic_value(sys, 0.0, j->q, NULL, j->kkt.Cx);
}

static int measure(job *j, double budget, sb_linear_time *out) {
    double seconds[3];
    const sb_job jobs[] = {
        {run_assembly, j}, {run_factor, j}, {run_solve, j}}; /* each uses the result of the one before */
    SB_TRY(sb_time_jobs(budget, 3, jobs, seconds, NULL));
    sb_linear_stats stats;
    j->real.stats(j->linear, &stats);
    out->assembly = seconds[0];
    out->factor = seconds[1];
    out->solve = seconds[2];
    out->fill = (double)stats.nnz_factor;
    return SB_OK;
}

int sb_time_linear(sb_context *ctx, const sb_system *sys, const double *q, const sb_linear_setting *what, double budget,
                   sb_linear_time *out) {
    const sb_solver *solver = sb_solver_choose(ctx, what->solver, what->form, sys->n + sb_system_bilateral(sys));
    if (solver == NULL) {
        return SB_BAD_USAGE;
    }
    SB_SCRATCH(arena, ctx);
    const double held = bytes_held(), begin = sb_processor_time();
    job j = {.q = q};
    SB_TRY(sb_kkt_init(ctx, &arena, sys, NULL, what->form, solver, &j.kkt));
    out->analysis = sb_processor_time() - begin;
    out->memory = bytes_held() - held;
    SB_TRY(prepare(&arena, what, &j));
    const sb_solver *const real = j.linear->type;
    const int status = measure(&j, budget, out);
    j.linear->type = real;
    return status;
}

double sb_linear_time_step(const sb_linear_time *t) { return t->assembly + t->factor + t->solve; }

int sb_linear_time_row(sb_table *table, const char *system, long N, int bodies, const sb_linear_setting *what,
                       const sb_linear_time *t) {
    const double each = 1e9 / bodies;
    return SB_TABLE_ROW(table, sb_text(system), sb_int(N), sb_text(what->form == SB_FORM_SADDLE ? "saddle" : "schur"),
                        sb_text(what->solver), sb_int(bodies), sb_real(t->analysis), sb_real(each * t->assembly),
                        sb_real(each * t->factor), sb_real(each * t->solve), sb_real(1e3 * sb_linear_time_step(t)),
                        sb_real(t->fill / bodies), t->memory > 0.0 ? sb_real(t->memory / bodies) : sb_empty());
}
