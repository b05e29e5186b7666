/* Sends rows through a file: the letter r and the cells, each with its type, its digits and eight bytes, or its length
 * and a text; at the end the letter e, the status and the message. */
#include "bench/process/row_pipe.h"

#include <string.h>

static int flush(sb_row_pipe *me) {
    return fflush(me->file) == 0 && !ferror(me->file)
               ? SB_OK
               : sb_fail(me->ctx, SB_IO,
                         "the rows of a process cannot be written: the disk of temporary files is full");
}

static int pipe_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    (void)sink;
    (void)ncolumns;
    (void)columns;
    return SB_OK;
}

static int pipe_row(sb_sink *sink, const sb_cell *cells) {
    sb_row_pipe *me = (sb_row_pipe *)sink;
    fputc('r', me->file);
    for (int j = 0; j < me->ncolumns; j++) {
        const bool text = cells[j].type == SB_CELL_TEXT;
        const size_t length = text ? strlen(cells[j].text) : 0;
        fputc((int)cells[j].type, me->file);
        fputc(cells[j].digits, me->file);
        fwrite(text ? (const void *)&length : (const void *)&cells[j].integer, 8, 1, me->file);
        fwrite(text ? cells[j].text : "", 1, length, me->file);
    }
    return flush(me);
}

void sb_row_pipe_init(sb_row_pipe *pipe, sb_context *ctx, FILE *file, int ncolumns) {
    *pipe = (sb_row_pipe){{pipe_begin, pipe_row, sb_sink_ignore_end, sb_sink_ignore_abandon}, ctx, file, ncolumns};
}

int sb_row_pipe_close(sb_row_pipe *pipe, int status) {
    fputc('e', pipe->file);
    fwrite(&status, sizeof status, 1, pipe->file);
    fwrite(pipe->ctx->message, 1, SB_MESSAGE_MAX, pipe->file);
    return flush(pipe);
}

/* A cell whose bytes are not all there belongs to a row that the child did not finish. */
static int read_cell(sb_arena *arena, FILE *file, sb_cell *cell, bool *whole) {
    const int type = fgetc(file), digits = fgetc(file);
    *whole = digits != EOF && fread(&cell->integer, 8, 1, file) == 1;
    cell->type = (sb_cell_type)type;
    cell->digits = digits;
    if (!*whole || cell->type != SB_CELL_TEXT) {
        return SB_OK;
    }
    const size_t length = (size_t)cell->integer;
    char *text = sb_alloc(arena, length + 1, 1);
    if (text == NULL) {
        return SB_NO_MEMORY;
    }
    *whole = fread(text, 1, length, file) == length;
    cell->text = text;
    return SB_OK;
}

int sb_row_pipe_read(sb_arena *arena, FILE *file, sb_table *rows, bool *complete, int *status,
                     char message[SB_MESSAGE_MAX]) {
    sb_cell *cells;
    int letter;
    *complete = false;
    SB_NEW(arena, cells, rows->ncolumns);
    rewind(file);
    while ((letter = fgetc(file)) == 'r') {
        bool whole = true;
        for (int j = 0; j < rows->ncolumns && whole; j++) {
            SB_TRY(read_cell(arena, file, &cells[j], &whole));
        }
        SB_TRY(whole ? rows->sink.row(&rows->sink, cells) : SB_OK);
    }
    *complete = letter == 'e' && fread(status, sizeof *status, 1, file) == 1 &&
                fread(message, 1, SB_MESSAGE_MAX, file) == SB_MESSAGE_MAX;
    return SB_OK;
}
