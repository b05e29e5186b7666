/* Sets up the bench of an experiment: its files in the results directory and its measured quantities. */
#include "bench/runner/bench.h"

#include "bench/runner/claims.h"
#include "core/output/provenance.h"

int sb_bench_begin(sb_context *ctx, const char *command, const char *out, const sb_table *bounds, sb_bench *bench) {
    *bench = (sb_bench){.ctx = ctx, .command = command, .out = out, .bounds = bounds};
    sb_arena_init(&bench->arena, ctx);
    SB_NEW(&bench->arena, bench->measured, bounds != NULL ? bounds->nrows : 0);
    return sb_table_begin(&bench->quantities, &bench->arena, SB_QUANTITY_COLUMNS, sb_quantity_columns);
}

void sb_bench_finish(sb_bench *bench) { sb_arena_free(&bench->arena); }

int sb_bench_csv(sb_bench *bench, const char *name, const char *const *comments, sb_sink **out) {
    const char **all;
    SB_NEW(&bench->arena, all, SB_CSV_COMMENTS + 2);
    const char *path;
    SB_PRINT(&bench->arena, path, "%s/%s", bench->out, name);
    SB_PRINT(&bench->arena, all[0], "stepbench %s: written by `stepbench %s`; provenance.json says where and how",
             sb_version, bench->command);
    for (int i = 0; comments != NULL && comments[i] != NULL; i++) {
        all[i + 1] = comments[i];
    }
    return sb_sink_open(bench->ctx, &bench->arena, SB_FORMAT_CSV, path, all, out);
}

int sb_bench_part(sb_arena *arena, const char *out, const sb_experiment *experiment, const char **path) {
    const char *version = experiment->version;
    SB_PRINT(arena, *path, "%s/.parts/%s%s%s.csv", out, experiment->entry.name, version != NULL ? "." : "",
             version != NULL ? version : "");
    return SB_OK;
}
