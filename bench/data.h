/* Where the bench finds what it reads: plot scripts and the list of claims. */
#ifndef STEPBENCH_BENCH_DATA_H
#define STEPBENCH_BENCH_DATA_H

#include "core/table.h"

/* Path of `file` in the data folder: the environment's STEPBENCH_DATA, or the folder fixed at build. In the arena. */
int sb_data_path(sb_context *ctx, sb_arena *arena, const char *file, const char **path);

/* The project's claims: id, where (paper and place), kind, claim (in our words), published (the paper's numbers), every cell as text. */
int sb_claims_read(sb_context *ctx, sb_arena *arena, sb_table *claims);

#endif
