/* Sends rows from a child process to its parent through a pipe. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/output/table.h"

typedef struct sb_row_pipe {
    sb_sink sink; /* begin and end do nothing: both sides know the columns */
    sb_context *ctx;
    FILE *file;
    int ncolumns;
    uint64_t sum;  /* of the record that is being written */
    pid_t owner;   /* the child; 0: no plug-in can have copied it */
    bool together; /* rows leave the process when many have come; not with plug-ins, which may end it in between */
} sb_row_pipe;

/* Opens the pipe in the child on a file descriptor. A row has left the process when its call returns or, if they leave
 * together, after sb_row_pipe_close at the latest; it fails with SB_IO when it cannot be written. */
int sb_row_pipe_init(sb_row_pipe *pipe, sb_context *ctx, int to, int ncolumns, bool together);
/* Sends the status that ends these rows, and the message of the context. Rows of another work may follow. Fails with
 * SB_IO. */
int sb_row_pipe_close(sb_row_pipe *pipe, int status);

/* How what has been received ends. */
typedef enum sb_pipe_end {
    SB_PIPE_OPEN,   /* with a whole row: the child has not sent its status */
    SB_PIPE_CLOSED, /* with the child's status and message */
    SB_PIPE_DAMAGED /* within a row, with a wrong checksum, or after the status */
} sb_pipe_end;

/* The end of the pipe in the parent. */
typedef struct sb_row_reader {
    sb_arena *arena;
    int ncolumns;
    sb_cell *cells;       /* of a row; NULL before the first */
    unsigned char *bytes; /* those received that are not a whole record yet */
    size_t count, room;
    bool closed, damaged;
    int status; /* the child's, and its message; once closed */
    char message[SB_MESSAGE_MAX];
} sb_row_reader;

/* Passes the rows that these bytes complete to `rows`, up to the status or the first row that is damaged. Fails like
 * `rows`, or with SB_NO_MEMORY. */
int sb_row_reader_take(sb_row_reader *me, const void *bytes, size_t size, sb_sink *rows);
/* Begins the rows after a status. Those that have been received are read by the next call of sb_row_reader_take. */
void sb_row_reader_next(sb_row_reader *me);

sb_pipe_end sb_row_reader_end(const sb_row_reader *me);
