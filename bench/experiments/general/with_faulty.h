/* A registry with the faulty steppers beside the built-in entries, for one experiment alone. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_GENERAL_WITH_FAULTY_H
#define STEPBENCH_BENCH_EXPERIMENTS_GENERAL_WITH_FAULTY_H

#include "bench/runner/bench.h"

/* Runs `study` on a table with these columns and saves it as out/NAME. While it runs, the registry of bench->ctx has
 * the faulty steppers. Fails like `study`, or with SB_NO_MEMORY. */
int sb_bench_with_faulty(sb_bench *bench, int ncolumns, const sb_column *columns,
                         int (*study)(sb_bench *bench, sb_sink *out), const char *name);

#endif
