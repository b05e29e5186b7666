/* A registry with the faulty steppers beside the built-in entries, for one experiment alone. */
#include "bench/experiments/general/with_faulty.h"

#include "bench/check/faulty.h"
#include "bench/runner/registry.h"

static int register_all(sb_registry *registry, sb_context *ctx) {
    SB_TRY(sb_registry_init(registry, ctx));
    SB_TRY(sb_register_builtins(registry));
    return sb_faulty_register(registry);
}

int sb_bench_with_faulty(sb_bench *bench, int (*study)(sb_context *ctx, sb_arena *arena, sb_sink *out), sb_sink *out) {
    sb_registry registry;
    const sb_registry *before = bench->ctx->registry;
    int status = register_all(&registry, bench->ctx);
    bench->ctx->registry = &registry;
    status = status == SB_OK ? study(bench->ctx, &bench->arena, out) : status;
    bench->ctx->registry = before;
    sb_registry_free(&registry);
    return status;
}
