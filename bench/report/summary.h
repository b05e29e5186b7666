/* The values of the page of a study's summary. */
#pragma once

#include "bench/report/page.h"
#include "bench/report/results_dir.h"

/* Adds `summary`, the name of the files, the `headings` of the quantities, and `steppers` and `problems`, each a list
 * of names with their pairs and the cells of these. Fails with SB_IO or SB_NO_MEMORY. */
int sb_summary_add(const sb_results *results, sb_page *page);
