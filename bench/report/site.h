/* The web page of a results directory. */
#ifndef STEPBENCH_BENCH_REPORT_SITE_H
#define STEPBENCH_BENCH_REPORT_SITE_H

#include "bench/runner/bench.h"

/* Writes out/index.html: a list of contents with filters; of claims, experiments as thumbnails, the falling ladder,
 * cards and provenance those whose files are there; and out/site/ with a data file for each table, which the page reads
 * on demand. Of a study (NULL: none), its title, its text and its experiments. No server, no network. Reads what
 * sb_bench_write_readme reads. The same results gives the same bytes. */
int sb_bench_write_site(sb_context *ctx, const sb_registry *registry, const sb_study *study, const char *out);

#endif
