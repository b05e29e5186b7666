/* Tables and provenance as scripts: what a page opened from a file may load when asked for. */
#ifndef STEPBENCH_BENCH_REPORT_SITE_DATA_H
#define STEPBENCH_BENCH_REPORT_SITE_DATA_H

#include "bench/report/results_dir.h"

/* Makes out/site. SB_IO names the directory and the reason of the system. */
int sb_site_directory(const sb_results *results);
/* out/FILE, a CSV file, as out/site/FILE.js; numbers with seven digits. *rows and *columns tell its size. */
int sb_site_table(const sb_results *results, const char *file, int *rows, int *columns);
/* out/provenance.json as out/site/provenance.js, if it is there. */
int sb_site_provenance(const sb_results *results);

#endif
