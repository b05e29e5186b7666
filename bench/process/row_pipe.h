/* Rows from one process to another through a file: what a child writes and its parent reads once the child has ended,
 * however it ended. */
#ifndef STEPBENCH_BENCH_PROCESS_ROW_PIPE_H
#define STEPBENCH_BENCH_PROCESS_ROW_PIPE_H

#include <stdio.h>

#include "core/output/table.h"

typedef struct sb_parcel {
    sb_sink sink; /* begin and end do nothing: the columns are known on both sides */
    sb_context *ctx;
    FILE *file;
    int ncolumns;
} sb_parcel;

void sb_parcel_init(sb_parcel *parcel, sb_context *ctx, FILE *file, int ncolumns);
/* The child's last word: the status it ended with and the context's sentence. */
int sb_parcel_close(sb_parcel *parcel, int status);

/* Adds the whole rows to `rows`. *closed tells whether the child came to its last word; *status and `message` are that.
 * SB_NO_MEMORY. */
int sb_parcel_read(sb_arena *arena, FILE *file, sb_table *rows, bool *closed, int *status,
                   char message[SB_MESSAGE_MAX]);

#endif
