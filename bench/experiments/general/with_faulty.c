/* A registry with the faulty steppers beside the built-in entries, for one experiment alone. */
#include "bench/experiments/general/with_faulty.h"

#include "bench/check/faulty.h"
#include "bench/runner/registry.h"
#include "bench/runner/verdicts.h"

static int register_all(sb_registry *registry, sb_context *ctx) {
    SB_TRY(sb_registry_init(registry, ctx));
    SB_TRY(sb_register_builtins(registry));
    return sb_faulty_register(registry);
}

int sb_bench_with_faulty(sb_bench *bench, int ncolumns, const sb_column *columns,
                         int (*study)(sb_bench *bench, sb_sink *out), const char *name) {
    sb_registry registry;
    sb_table table;
    const sb_registry *before = bench->ctx->registry;
    SB_TRY(sb_bench_table(bench, ncolumns, columns, &table));
    int status = register_all(&registry, bench->ctx);
    bench->ctx->registry = &registry;
    status = status == SB_OK ? study(bench, &table.sink) : status;
    bench->ctx->registry = before;
    sb_registry_free(&registry);
    return status == SB_OK ? sb_bench_save(bench, &table, name) : status;
}
