/* The parts of index.html of a results directory. */
#ifndef STEPBENCH_BENCH_REPORT_SITE_H
#define STEPBENCH_BENCH_REPORT_SITE_H

#include "bench/report/results_dir.h"

typedef struct sb_site {
    sb_results results;
    sb_table charts; /* bench/report/assets/charts.csv: the columns that the chart of a table shows first */
    FILE *to;
} sb_site;

/* Writes the claims of every paper that has a measured one: one line each, folded per paper. */
int sb_site_claims(sb_site *me);
/* Writes the experiments of a paper (NULL: of none of the papers) whose files are there, and their tables to out/site/.
 * Those with a figure come first, each as a thumbnail. */
int sb_site_experiments(sb_site *me, const sb_paper *paper);
/* Writes a link to each of these experiments, as items of a list. */
int sb_site_links(sb_site *me, const sb_paper *paper);

/* Creates out/site. Fails with SB_IO. */
int sb_site_directory(const sb_results *results);
/* Writes the CSV file out/FILE as the script out/site/FILE.js, numbers with seven digits. Sets *rows and *columns. */
int sb_site_table(const sb_results *results, const char *file, int *rows, int *columns);
/* Writes out/provenance.json as the script out/site/provenance.js, if it exists. */
int sb_site_provenance(const sb_results *results);

#endif
