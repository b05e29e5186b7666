/* Checks a system against itself: derivatives against differences, patterns, the start, symmetries, chart and exact
 * solution. */
#pragma once

#include <stepbench/system.h>

#include "core/output/table.h"

/* One row per check. */
enum { SB_CHECK_COLUMNS = 6 };
extern const sb_column sb_check_columns[SB_CHECK_COLUMNS];

typedef struct sb_check_options {
    long points; /* random points around the start */
    long seed;
    void (*progress)(void *arg, const char *check); /* called before every check; NULL: not */
    void *progress_arg;
} sb_check_options;

/* Checks a system that was built without a check of its start, and writes a row per check; begin and end are the
 * caller's. A check is undecided if its differences are not good enough to tell. Fails if a row cannot be written or
 * there is no memory, with the context's message; what a callback returns is a result. */
int sb_check_system(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_check_options *options,
                    sb_sink *out);
