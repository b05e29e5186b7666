/* Chains of hinged bodies from JSON files: time of the start (reading, solve, rank) and of a step of SPOOK against
 * their number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/row.h"
#include "bench/perf/step_job.h"
#include "bench/runner/experiment_tools.h"

static const double h = 1e-4, budget = 0.3 /* s per row */;

static const int bodies[] = {100, 300, 1000, 3000, 10000};

static void write_body(FILE *to, bool spatial, int k) {
    fprintf(to, "%s\"b%d\": {\"mass\": 1, \"inertia\": %s, \"position\": [%d.5, 0%s]}", k > 0 ? ", " : "", k,
            spatial ? "[0.01, 0.08, 0.08]" : "0.08", k, spatial ? ", 0" : "");
}

static void write_joint(FILE *to, bool spatial, int k) {
    const char *const axis = k % 2 == 0 ? "[0, 1, 0]" : "[0, 0, 1]", *const zero = spatial ? ", 0" : "";
    fprintf(to, "%s{\"type\": \"revolute\", \"bodies\": [", k > 0 ? ", " : "");
    if (k > 0) {
        fprintf(to, "\"b%d\", \"b%d\"], \"points\": [[0.5, 0%s], [-0.5, 0%s]]", k - 1, k, zero, zero);
    } else {
        fprintf(to, "\"ground\", \"b0\"], \"points\": [[0, 0%s], [-0.5, 0%s]]", zero, zero);
    }
    if (spatial) {
        fprintf(to, ", \"axes\": [%s, %s]", axis, axis);
    }
    fputc('}', to);
}

/* Writes a horizontal chain to a new file, whose name replaces the X of `path`. */
static int write_chain(sb_context *ctx, bool spatial, int count, char *path) {
    const int descriptor = mkstemp(path);
    FILE *to = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (to == NULL) {
        return sb_fail(ctx, SB_IO, "%s cannot be written: %s", path, strerror(errno));
    }
    fprintf(to, "{\"gravity\": [0, %s-9.81], \"bodies\": {", spatial ? "0, " : "");
    for (int k = 0; k < count; k++) {
        write_body(to, spatial, k);
    }
    fputs("}, \"joints\": [", to);
    for (int k = 0; k < count; k++) {
        write_joint(to, spatial, k);
    }
    fputs("]}\n", to);
    return fclose(to) == 0 ? SB_OK : sb_fail(ctx, SB_IO, "%s cannot be written: %s", path, strerror(errno));
}

typedef struct start_job {
    sb_context *ctx;
    const char *problem;
} start_job;

static int build(void *arg) {
    const start_job *job = arg;
    sb_system sys;
    SB_SCRATCH(arena, job->ctx);
    return sb_system_build(job->ctx, &arena, job->problem, 0, NULL, &sys);
}

/* Measures the chain in the file: rows, start and step. */
static int measure(sb_context *ctx, const char *problem, int *rows, double *start, double *step) {
    start_job job = {ctx, problem};
    sb_system sys;
    sb_pair pair;
    SB_SCRATCH(arena, ctx);
    SB_TRY(sb_time_jobs(budget, 1, &(sb_job){build, &job}, start, NULL));
    SB_TRY(sb_system_build(ctx, &arena, problem, 0, NULL, &sys));
    SB_TRY(sb_pair_build(ctx, &arena, &sys, "spook", &pair));
    *rows = sb_system_bilateral(&sys);
    return sb_step_time(ctx, &pair, h, 3, budget, step);
}

static double exponent(double above, double here, int k) {
    return k > 0 ? log(here / above) / log((double)bodies[k] / bodies[k - 1]) : NAN;
}

SB_DEFINE_EXPERIMENT(perf_mechanism) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "perf_mechanism_times", &table));
    for (int spatial = 0; spatial < 2; spatial++) {
        double start[SB_COUNT(bodies)], step[SB_COUNT(bodies)];
        for (int k = 0; k < SB_COUNT(bodies); k++) {
            int rows;
            char *path = sb_bench_format(bench, "%s/chainXXXXXX", bench->out);
            SB_TRY(path == NULL ? SB_NO_MEMORY : write_chain(bench->ctx, spatial, bodies[k], path));
            const char *problem = sb_bench_format(bench, "mechanism:file=%s", path);
            const int status =
                problem == NULL ? SB_NO_MEMORY : measure(bench->ctx, problem, &rows, &start[k], &step[k]);
            unlink(path);
            SB_TRY(status);
            SB_TRY(SB_TABLE_ROW(&table, sb_text(spatial ? "space" : "plane"), sb_int(bodies[k]), sb_int(rows),
                                sb_real(start[k]), sb_real(step[k]),
                                sb_known(exponent(start[k > 0 ? k - 1 : 0], start[k], k)),
                                sb_known(exponent(step[k > 0 ? k - 1 : 0], step[k], k))));
        }
    }
    return sb_bench_save(bench, &table, "perf_mechanism_times.csv");
}
