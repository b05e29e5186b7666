/* What the files that write results/index.html share. */
#ifndef STEPBENCH_BENCH_REPORT_SITE_PARTS_H
#define STEPBENCH_BENCH_REPORT_SITE_PARTS_H

#include "bench/report/results_dir.h"

typedef struct sb_site {
    sb_results results;
    sb_table charts; /* bench/report/assets/charts.csv: which columns a table's chart begins with */
    FILE *to;
} sb_site;

/* Writes the claims of every paper that has a measured one: one line each, folded per paper. */
int sb_site_claims(sb_site *me);
/* Writes the experiments of a paper (NULL: of none of the papers) whose files are there, and their tables to out/site/.
 * Those with a figure come first, each as a thumbnail. */
int sb_site_experiments(sb_site *me, const sb_paper *paper);
/* Writes a link to each of these experiments, as items of a list. */
int sb_site_links(sb_site *me, const sb_paper *paper);

#endif
