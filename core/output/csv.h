/* Reading CSV beyond numbers: the same reader with every cell kept as its text. */
#pragma once

#include "core/output/table.h"

/* What the comment in a file's head that lists the columns of sb_trusted, sb_residual and sb_estimate begins with. */
#define SB_TRUSTED_COMMENT "trusted digits: "
/* The comment with the number of digits to which the numbers of a file are rounded. */
#define SB_DIGITS_COMMENT "digits: "

/* NAME_spread is the column with the spreads of the numbers in the column NAME. */
#define SB_SPREAD_SUFFIX "_spread"

/* Sets *out to the rest of the first comment line "# BEGIN..." in the head of a CSV file, in the arena; "" if there is
 * none. Fails with SB_IO. */
int sb_csv_comment(sb_context *ctx, sb_arena *arena, const char *path, const char *begin, const char **out);

/* Reads like sb_table_read_csv, but every cell is text (empty ones too), so that writing it again changes nothing. */
int sb_table_read_csv_text(sb_table *table, sb_context *ctx, const char *path);

/* Reads a text in CSV likewise; messages name it by `name`. */
int sb_table_read_text(sb_table *table, sb_context *ctx, const char *name, const char *text);
