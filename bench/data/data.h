/* Finds the files of the data directory: plot scripts, claims, page assets, and the sources that `new` copies. */
#pragma once

#include "core/output/table.h"

/* Sets *path, in the arena, to `file` in the data directory: that of the environment variable STEPBENCH_DATA, otherwise
 * the share directory of an installed binary, otherwise that of the build tree. Fails with SB_IO. */
int sb_data_path(sb_context *ctx, sb_arena *arena, const char *file, const char **path);

/* Sets *path to `file` ("wm96_fig3.gp") in the subdirectory `directory` of the data directory or in one of its
 * subdirectories, or beside a plug-in or in the directory above it. Fails with SB_IO. */
int sb_data_find(sb_context *ctx, sb_arena *arena, const char *directory, const char *file, const char **path);

/* Sets *path to the file beside a plug-in or in the directory above, which has the sources if the plug-in is in a build
 * directory; NULL if there is none. */
int sb_data_beside(sb_arena *arena, const char *plugin, const char *file, const char **path);

/* Reads a CSV file of the data directory, every cell as text. Fails with SB_IO. */
int sb_data_table(sb_context *ctx, sb_arena *arena, const char *file, sb_table *table);

/* Reads the CSV files of one name, every cell as text: in the data directory and in the directory of each paper, then
 * beside plug-ins, of which rows with known keys are left out; with `study`, the file of a study, only the one
 * beside it. Without a file the table is empty. Fails with SB_IO for a file with other columns. */
int sb_data_rows(sb_context *ctx, sb_arena *arena, const char *file, const char *study, int ncolumns,
                 const sb_column *columns, sb_table *out);

/* Reads the claims, the files claims.csv. Columns: id, where (paper and place), kind, claim (in our words), published
 * (the numbers of the paper), comment. */
int sb_claims_read(sb_context *ctx, sb_arena *arena, const char *study, sb_table *claims);

/* Reads the columns of the tables of experiments, the files columns.csv. Columns: table (the name of its file without
 * .csv, or a name that several files share), column, kind (as sb_column_kind), unit, meaning. */
int sb_columns_read(sb_context *ctx, sb_arena *arena, sb_table *out);

/* Reads the experiments in C, the files experiments.csv (bench/runner/registry.h). */
int sb_experiments_read(sb_context *ctx, sb_arena *arena, sb_table *out);

/* Writes the absolute path of the running program, or "stepbench" if it cannot be determined. */
void sb_program_path(char out[4096]);
