/* Sends rows from a child process to its parent through a file, which the parent reads after the child has ended. */
#ifndef STEPBENCH_BENCH_PROCESS_ROW_PIPE_H
#define STEPBENCH_BENCH_PROCESS_ROW_PIPE_H

#include <stdio.h>

#include "core/output/table.h"

typedef struct sb_row_pipe {
    sb_sink sink; /* begin and end do nothing: both sides know the columns */
    sb_context *ctx;
    FILE *file;
    int ncolumns;
} sb_row_pipe;

/* Initialises the child's end. Its rows fail with SB_IO when the file cannot be written. */
void sb_row_pipe_init(sb_row_pipe *pipe, sb_context *ctx, FILE *file, int ncolumns);
/* Sends the final status of the child and the message of the context. Fails with SB_IO. */
int sb_row_pipe_close(sb_row_pipe *pipe, int status);

/* Reads the file in the parent and adds the rows to `rows`; leaves out a row that was not finished. *complete: the
 * child has closed the pipe, and *status and `message` are set. Fails with SB_NO_MEMORY. */
int sb_row_pipe_read(sb_arena *arena, FILE *file, sb_table *rows, bool *complete, int *status,
                     char message[SB_MESSAGE_MAX]);

#endif
