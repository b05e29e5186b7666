/* Rows from one process to another through a file: a letter and the row's cells, each its type, its digits
 * and eight bytes, or its length and a text. */
#include "bench/process/row_pipe.h"

#include <string.h>

static int flush(sb_parcel *me) {
    return fflush(me->file) == 0 && !ferror(me->file)
               ? SB_OK
               : sb_fail(me->ctx, SB_IO,
                         "the rows of a process cannot be written: the disk of temporary files is full");
}

static int parcel_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    (void)sink;
    (void)ncolumns;
    (void)columns;
    return SB_OK;
}

static int parcel_row(sb_sink *sink, const sb_cell *cells) {
    sb_parcel *me = (sb_parcel *)sink;
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

static int parcel_end(sb_sink *sink) {
    (void)sink;
    return SB_OK;
}

static void parcel_abandon(sb_sink *sink) {
    (void)sink;
}

void sb_parcel_init(sb_parcel *parcel, sb_context *ctx, FILE *file, int ncolumns) {
    *parcel = (sb_parcel){{parcel_begin, parcel_row, parcel_end, parcel_abandon}, ctx, file, ncolumns};
}

int sb_parcel_close(sb_parcel *parcel, int status) {
    fputc('e', parcel->file);
    fwrite(&status, sizeof status, 1, parcel->file);
    fwrite(parcel->ctx->message, 1, SB_MESSAGE_MAX, parcel->file);
    return flush(parcel);
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

int sb_parcel_read(sb_arena *arena, FILE *file, sb_table *rows, bool *closed, int *status,
                   char message[SB_MESSAGE_MAX]) {
    sb_cell *cells;
    int letter;
    *closed = false;
    SB_NEW(arena, cells, rows->ncolumns);
    rewind(file);
    while ((letter = fgetc(file)) == 'r') {
        bool whole = true;
        for (int j = 0; j < rows->ncolumns && whole; j++) {
            SB_TRY(read_cell(arena, file, &cells[j], &whole));
        }
        SB_TRY(whole ? rows->sink.row(&rows->sink, cells) : SB_OK);
    }
    *closed = letter == 'e' && fread(status, sizeof *status, 1, file) == 1 &&
              fread(message, 1, SB_MESSAGE_MAX, file) == SB_MESSAGE_MAX;
    return SB_OK;
}
