/* Sends rows from a child process to its parent through a file, which the parent reads after the child has ended. */
#ifndef STEPBENCH_BENCH_PROCESS_ROW_PIPE_H
#define STEPBENCH_BENCH_PROCESS_ROW_PIPE_H

#include <stdint.h>
#include <stdio.h>

#include "core/output/table.h"

typedef struct sb_row_pipe {
    sb_sink sink; /* begin and end do nothing: both sides know the columns */
    sb_context *ctx;
    FILE *file;
    int ncolumns;
    uint64_t sum; /* of the record that is being written */
} sb_row_pipe;

/* Opens the pipe in the child. Its rows fail with SB_IO when the file cannot be written. */
void sb_row_pipe_init(sb_row_pipe *pipe, sb_context *ctx, FILE *file, int ncolumns);
/* Sends the final status of the child and the message of the context. Fails with SB_IO. */
int sb_row_pipe_close(sb_row_pipe *pipe, int status);

/* How the file ends. */
typedef enum sb_pipe_end {
    SB_PIPE_OPEN,   /* with a whole row: the child ended without closing the pipe */
    SB_PIPE_CLOSED, /* with the child's status and message */
    SB_PIPE_DAMAGED /* within a row, or with a wrong checksum */
} sb_pipe_end;

/* Reads the file in the parent and adds the rows up to its end, or up to the first that is damaged, to `rows`. *status
 * and `message` are the status and the message of the child if *end is SB_PIPE_CLOSED. Fails with SB_NO_MEMORY. */
int sb_row_pipe_read(FILE *file, sb_table *rows, sb_pipe_end *end, int *status, char message[SB_MESSAGE_MAX]);

#endif
