/* Sends rows through a file, as records that end with a checksum. The record of a row is the letter r and its cells:
 * two bytes for type and digits, then eight bytes of a number, or a length in eight bytes and a text. The last record
 * is the letter e, the status and the message. */
#include "bench/process/row_pipe.h"

#include <string.h>

/* The checksum is FNV-1a of 64 bits. */
static const uint64_t first_sum = 0xcbf29ce484222325u;

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    }
    return sum;
}

/* ---- In the child. ---- */

static void write_bytes(sb_row_pipe *me, const void *bytes, size_t size) {
    fwrite(bytes, 1, size, me->file);
    me->sum = add_bytes(me->sum, bytes, size);
}

static void begin_record(sb_row_pipe *me, char letter) {
    me->sum = first_sum;
    write_bytes(me, &letter, 1);
}

static int end_record(sb_row_pipe *me) {
    fwrite(&me->sum, sizeof me->sum, 1, me->file);
    return fflush(me->file) == 0 && !ferror(me->file)
               ? SB_OK
               : sb_fail(me->ctx, SB_IO,
                         "the rows of a process cannot be written: the disk of temporary files is full");
}

static int pipe_begin(sb_sink *sink, int ncolumns, const sb_column *columns) { return SB_OK; }

static int pipe_row(sb_sink *sink, const sb_cell *cells) {
    sb_row_pipe *me = (sb_row_pipe *)sink;
    begin_record(me, 'r');
    for (int j = 0; j < me->ncolumns; j++) {
        const bool text = cells[j].type == SB_CELL_TEXT;
        const size_t length = text ? strlen(cells[j].text) : 0;
        write_bytes(me, (const unsigned char[]){(unsigned char)cells[j].type, (unsigned char)cells[j].digits}, 2);
        write_bytes(me, text ? (const void *)&length : (const void *)&cells[j].integer, 8);
        write_bytes(me, text ? cells[j].text : "", length);
    }
    return end_record(me);
}

void sb_row_pipe_init(sb_row_pipe *pipe, sb_context *ctx, FILE *file, int ncolumns) {
    *pipe = (sb_row_pipe){
        {pipe_begin, pipe_row, sb_sink_ignore_end, sb_sink_ignore_abandon}, ctx, file, ncolumns, first_sum};
}

int sb_row_pipe_close(sb_row_pipe *pipe, int status) {
    begin_record(pipe, 'e');
    write_bytes(pipe, &status, sizeof status);
    write_bytes(pipe, pipe->ctx->message, SB_MESSAGE_MAX);
    return end_record(pipe);
}

/* ---- In the parent. ---- */

/* The record that is read. */
typedef struct record {
    FILE *file;
    long left;    /* bytes in the file */
    uint64_t sum; /* of the bytes read */
    bool whole;   /* nothing was missing so far */
} record;

static void read_bytes(record *me, void *bytes, size_t size) {
    me->whole = me->whole && fread(bytes, 1, size, me->file) == size;
    me->left -= (long)size;
    me->sum = me->whole ? add_bytes(me->sum, bytes, size) : me->sum;
}

static char read_letter(record *me) {
    char letter = '\0';
    me->sum = first_sum;
    read_bytes(me, &letter, 1);
    return letter;
}

/* Ends a record: clears `whole` if its checksum is another. */
static void check(record *me) {
    const uint64_t sum = me->sum;
    uint64_t sent = 0;
    read_bytes(me, &sent, sizeof sent);
    me->whole = me->whole && sent == sum;
}

/* A text is allocated only if the file is long enough for it. */
static int read_cell(sb_arena *arena, record *from, sb_cell *cell) {
    unsigned char head[2] = {SB_CELL_EMPTY, 0};
    *cell = sb_empty();
    read_bytes(from, head, sizeof head);
    read_bytes(from, &cell->integer, 8);
    cell->type = (sb_cell_type)head[0];
    cell->digits = head[1];
    if (cell->type == SB_CELL_TEXT && from->whole) {
        from->whole = cell->integer >= 0 && cell->integer <= from->left;
        const size_t length = from->whole ? (size_t)cell->integer : 0;
        char *text = sb_alloc(arena, length + 1, 1);
        if (text == NULL) {
            return SB_NO_MEMORY;
        }
        read_bytes(from, text, length);
        cell->text = text;
    }
    return SB_OK;
}

int sb_row_pipe_read(FILE *file, sb_table *rows, sb_pipe_end *end, int *status, char message[SB_MESSAGE_MAX]) {
    sb_cell *cells;
    SB_SCRATCH(scratch, rows->arena->ctx); /* the table copies the texts */
    SB_NEW(&scratch, cells, rows->ncolumns);
    record in = {.file = file, .left = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1, .whole = true};
    rewind(file);
    char letter = '\0';
    while (in.whole && in.left > 0 && (letter = read_letter(&in)) == 'r') {
        for (int j = 0; j < rows->ncolumns; j++) {
            SB_TRY(read_cell(&scratch, &in, &cells[j]));
        }
        check(&in);
        SB_TRY(in.whole ? rows->sink.row(&rows->sink, cells) : SB_OK);
    }
    if (letter == 'e') {
        read_bytes(&in, status, sizeof *status);
        read_bytes(&in, message, SB_MESSAGE_MAX);
        check(&in);
        *end = in.whole && in.left == 0 ? SB_PIPE_CLOSED : SB_PIPE_DAMAGED;
    } else {
        *end = in.whole && in.left == 0 ? SB_PIPE_OPEN : SB_PIPE_DAMAGED;
    }
    return SB_OK;
}
