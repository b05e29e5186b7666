/* Where the bench finds what it reads: plot scripts and the list of claims. */
#ifndef STEPBENCH_BENCH_DATA_H
#define STEPBENCH_BENCH_DATA_H

#include "core/table.h"

/* Path of `file` in the data folder: the environment's STEPBENCH_DATA, or the share folder beside an installed binary, or that of the sources. In the
 * arena. SB_IO when it is not there. */
int sb_data_path(sb_context *ctx, sb_arena *arena, const char *file, const char **path);

/* The project's claims: id, where (paper and place), kind, claim (in our words), published (the paper's numbers), every cell as text. */
int sb_claims_read(sb_context *ctx, sb_arena *arena, sb_table *claims);

#endif
