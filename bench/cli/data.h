/* Where the bench finds what it reads: plot scripts and the list of claims. */
#ifndef STEPBENCH_BENCH_CLI_DATA_H
#define STEPBENCH_BENCH_CLI_DATA_H

#include "core/output/table.h"

/* Path of `file` in the data folder: the environment's STEPBENCH_DATA, or the share folder beside an installed binary,
 * or that of the sources. In the arena. SB_IO when it is not there. */
int sb_data_path(sb_context *ctx, sb_arena *arena, const char *file, const char **path);

/* Path of `file` ("wm96_fig3.gp") in the folder of experiments that has it. In the arena. SB_IO when none has. */
int sb_data_experiment_path(sb_context *ctx, sb_arena *arena, const char *file, const char **path);

/* The project's claims: id, where (paper and place), kind, claim (in our words), published (the paper's numbers), every
 * cell as text. */
int sb_claims_read(sb_context *ctx, sb_arena *arena, sb_table *claims);

#endif
