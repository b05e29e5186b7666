/* References as a reader wants them, from docs/references.bib; and the known failures of tests/expected_fail.csv. */
#ifndef STEPBENCH_BENCH_CARD_REFERENCES_H
#define STEPBENCH_BENCH_CARD_REFERENCES_H

#include "core/output/table.h"

/* "wm96 (4.8)" as "Authors: Title (1996), (4.8)"; the text itself where its key is in no bibliography. NULL: out of
 * memory. */
const char *sb_reference_text(sb_context *ctx, sb_arena *arena, const char *ref);

/* Columns stepper, problem, quantity, expected, reason; no rows where the file is not there. */
int sb_known_failures(sb_context *ctx, sb_arena *arena, sb_table *out);

/* The reason a known failure of the stepper (a name or specification) on the problem is given, or NULL. */
const char *sb_known_reason(const sb_table *failures, const char *stepper, const char *problem, const char *quantity);

#endif
