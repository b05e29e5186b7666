/* Classes of problems and the methods that are compared on each: explicit ones without constraints, and methods for
 * constraints of index 3 with a constant and with a variable mass. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_GENERAL_PROBLEM_CLASSES_H
#define STEPBENCH_BENCH_EXPERIMENTS_GENERAL_PROBLEM_CLASSES_H

#include "bench/runner/verdicts.h"

/* Runs `workprec` for every class and adds the rows to `out`, which has been initialized by sb_table_init alone. */
int sb_bench_problem_classes(sb_bench *bench, sb_table *out);

#endif
