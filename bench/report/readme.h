/* README.md of a results directory: claims with their verdicts, tables and figures. */
#ifndef STEPBENCH_BENCH_REPORT_README_H
#define STEPBENCH_BENCH_REPORT_README_H

#include "bench/runner/bench.h"

/* Writes out/README.md from out/claims.csv, the list of claims, and whichever files of the registered experiments stand
 * in `out`. Of a study (NULL: none), its title, its text and these files. The same results gives the same bytes. */
int sb_bench_write_readme(sb_context *ctx, const sb_registry *registry, const sb_study *study, const char *out);

#endif
