/* A registry with the faulty steppers beside the built-in entries, for one experiment alone. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_GENERAL_WITH_FAULTY_H
#define STEPBENCH_BENCH_EXPERIMENTS_GENERAL_WITH_FAULTY_H

#include "bench/runner/bench.h"

/* Runs `study` with the bench's arena and a context whose registry has the faulty steppers. Fails like `study`, or with
 * SB_NO_MEMORY. */
int sb_bench_with_faulty(sb_bench *bench, int (*study)(sb_context *ctx, sb_arena *arena, sb_sink *out), sb_sink *out);

#endif
