/* Reads references from docs/references.bib, and the known failures of tests/expected_fail.csv. */
#pragma once

#include "core/output/table.h"

/* Sets *entry to the BibTeX entry of the key with which `ref` begins, or to NULL if the bibliography has no such key.
 * Fails with SB_IO without the bibliography. */
int sb_reference_bibtex(sb_context *ctx, sb_arena *arena, const char *ref, const char **entry);

/* Returns the reference "wm96 (4.8)" as "Authors: Title (1996) [wm96 (4.8)]"; `ref` itself if its key is not in the
 * bibliography; NULL when out of memory. Sets *doi to its DOI, or to NULL. */
const char *sb_reference_text(sb_context *ctx, sb_arena *arena, const char *ref, const char **doi);

/* Reads the table stepper, problem, quantity, expected, reason; without rows if there is no file. */
int sb_known_failures(sb_context *ctx, sb_arena *arena, sb_table *out);

/* Returns the reason of a known failure of the stepper (a name or specification) on the problem, or NULL. */
const char *sb_known_reason(const sb_table *failures, const char *stepper, const char *problem, const char *quantity);
