/* Reading CSV beyond numbers: the same reader with every cell kept as its text. */
#ifndef STEPBENCH_CORE_CSV_H
#define STEPBENCH_CORE_CSV_H

#include "core/table.h"

/* As sb_table_read_csv, but every cell is text (empty ones too), so that writing it again changes nothing. */
int sb_table_read_csv_text(sb_table *table, sb_context *ctx, const char *path);

#endif
