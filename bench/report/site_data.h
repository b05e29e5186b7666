/* Tables and provenance as scripts, which a page opened from a file may load. */
#ifndef STEPBENCH_BENCH_REPORT_SITE_DATA_H
#define STEPBENCH_BENCH_REPORT_SITE_DATA_H

#include "bench/report/results_dir.h"

/* Creates out/site. Fails with SB_IO. */
int sb_site_directory(const sb_results *results);
/* Writes the CSV file out/FILE as out/site/FILE.js, numbers with seven digits. Sets *rows and *columns. */
int sb_site_table(const sb_results *results, const char *file, int *rows, int *columns);
/* Writes out/provenance.json as out/site/provenance.js, if it exists. */
int sb_site_provenance(const sb_results *results);

#endif
