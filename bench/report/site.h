/* The web page of a results directory. */
#ifndef STEPBENCH_BENCH_REPORT_SITE_H
#define STEPBENCH_BENCH_REPORT_SITE_H

#include "bench/runner/experiment.h"

/* Writes out/index.html: claims with filters, figures that zoom, tables that draw themselves, the falling ladder,
 * cards, provenance; and out/site/ with a data file for each table, read when asked for. No server, no network. Reads
 * what sb_bench_write_readme reads, and out/provenance.json where it is there. The same results gives the same bytes.
 */
int sb_bench_write_site(sb_context *ctx, const sb_registry *registry, const char *out);

#endif
