/* Labels of --label: names of steppers and problems in rows and figures, in place of their specifications. */
#pragma once

#include "bench/cli/cli.h"

/* Reads "LABEL=SPECIFICATION;..." into me->labels. Fails with SB_BAD_USAGE for another text. */
int cli_labels_read(cli *me, const char *text);

/* Fails with SB_BAD_USAGE if the command names steppers and problems and none of them is that of a label. */
int cli_labels_check(const cli *me);

/* Returns the label of a specification, or the specification itself. */
const char *cli_label(const cli *me, const char *spec);

/* Opens a sink that passes rows to `inner` with labels in their texts. */
int cli_label_sink(cli *me, sb_sink *inner, sb_sink **out);

/* Copies a table with labels in its texts. */
int cli_label_table(cli *me, const sb_table *table, sb_table *out);
