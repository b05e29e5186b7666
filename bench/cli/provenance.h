/* What a command leaves about itself: comments at the head of a CSV, and a JSON file beside the result. */
#ifndef STEPBENCH_BENCH_CLI_PROVENANCE_H
#define STEPBENCH_BENCH_CLI_PROVENANCE_H

#include "bench/cli/cli.h"

/* Version and the command with every parameter as resolved; the same command gives the same lines. Ends with NULL. */
int cli_comments(cli *me, const char *const **comments);

/* FILE.provenance.json beside -o FILE; nothing for standard output and devices. */
int cli_write_provenance(cli *me);

#endif
