/* Sends rows through a pipe, as records that end with a checksum. The record of a row is the letter r and its cells:
 * eight bytes for type and digits, then eight bytes of a number, or the size of a text and its bytes, the last one 0.
 * The last record is the letter e, the status and the message. Several such sequences may follow each other. */
#include "bench/process/row_pipe.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/grow.h"
#include "core/base/registry.h"

/* The checksum is FNV-1a of 64 bits, of eight bytes at a time where there are so many: eight times as fast. A change of
 * one word changes it. */
static const uint64_t first_sum = 0xcbf29ce484222325u, prime = 0x100000001b3u;

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    uint64_t word;
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = (sum ^ word) * prime;
    }
    for (; size > 0; size--) {
        sum = (sum ^ *at++) * prime;
    }
    return sum;
}

/* What is sent of each cell. */
typedef struct head {
    uint32_t type;
    int32_t digits;
    long number; /* the bits of a real one, or the size of a text */
} head;

/* ---- In the child. ---- */

static void write_bytes(sb_row_pipe *me, const void *bytes, size_t size) {
    fwrite_unlocked(bytes, 1, size, me->file);
    me->sum = add_bytes(me->sum, bytes, size);
}

/* A copy of the process, which a plug-in has made, sends nothing. */
static void begin_record(sb_row_pipe *me, char letter) {
    if (me->owner != 0 && getpid() != me->owner) {
        _exit(0);
    }
    me->sum = first_sum;
    write_bytes(me, &letter, 1);
}

static int end_record(sb_row_pipe *me, bool leave) {
    fwrite_unlocked(&me->sum, sizeof me->sum, 1, me->file);
    return (!leave || fflush(me->file) == 0) && !ferror(me->file)
               ? SB_OK
               : sb_fail(me->ctx, SB_IO, "the rows of a process cannot be sent: %s", strerror(errno));
}

static int pipe_begin(sb_sink *sink, int ncolumns, const sb_column *columns) { return SB_OK; }

static int pipe_row(sb_sink *sink, const sb_cell *cells) {
    sb_row_pipe *me = (sb_row_pipe *)sink;
    begin_record(me, 'r');
    for (int j = 0; j < me->ncolumns; j++) {
        const bool text = cells[j].type == SB_CELL_TEXT;
        const size_t size = text ? strlen(cells[j].text) + 1 : 0;
        const head h = {(uint32_t)cells[j].type, cells[j].digits, text ? (long)size : cells[j].integer};
        write_bytes(me, &h, sizeof h);
        if (text) {
            write_bytes(me, cells[j].text, size);
        }
    }
    return end_record(me, !me->together);
}

int sb_row_pipe_init(sb_row_pipe *pipe, sb_context *ctx, int to, int ncolumns, bool together) {
    const bool plugins = ctx->registry != NULL && ctx->registry->nplugins > 0;
    *pipe = (sb_row_pipe){.sink = {pipe_begin, pipe_row, sb_sink_ignore_end, sb_sink_ignore_abandon},
                          .ctx = ctx,
                          .file = fdopen(to, "wb"),
                          .ncolumns = ncolumns,
                          .owner = plugins ? getpid() : 0,
                          .together = together};
    return pipe->file != NULL ? SB_OK : SB_NO_MEMORY;
}

int sb_row_pipe_close(sb_row_pipe *pipe, int status) {
    begin_record(pipe, 'e');
    write_bytes(pipe, &status, sizeof status);
    write_bytes(pipe, pipe->ctx->message, SB_MESSAGE_MAX);
    return end_record(pipe, true);
}

/* ---- In the parent. ---- */

/* The most bytes of a text: a longer one has been written by a plug-in, and is not waited for. */
enum { TEXT_MAX = 1 << 24 };

/* A record that is read. */
typedef struct record {
    const unsigned char *at; /* the next byte */
    size_t left;             /* bytes from there on */
    uint64_t sum;            /* of the bytes read */
    bool whole;              /* nothing was missing so far */
} record;

/* Returns the next bytes, NULL if so many are not there. */
static const void *read_bytes(record *me, size_t size) {
    const void *bytes = me->at;
    me->whole = me->whole && size <= me->left;
    if (!me->whole) {
        return NULL;
    }
    me->sum = add_bytes(me->sum, bytes, size);
    me->at += size;
    me->left -= size;
    return bytes;
}

static void read_to(record *me, void *out, size_t size) {
    const void *bytes = read_bytes(me, size);
    if (bytes != NULL) {
        memcpy(out, bytes, size);
    }
}

/* Reads a cell, whose text stays in the bytes received. Returns false if they cannot be a cell. */
static bool read_cell(record *from, sb_cell *cell) {
    head h = {SB_CELL_EMPTY, 0, 0};
    read_to(from, &h, sizeof h);
    *cell = (sb_cell){(sb_cell_type)h.type, {.integer = h.number}, h.digits, false};
    if (cell->type != SB_CELL_TEXT) {
        return cell->type <= SB_CELL_TEXT;
    }
    const size_t size = (size_t)h.number;
    if (size < 1 || size > TEXT_MAX) {
        return false;
    }
    cell->text = read_bytes(from, size);
    return cell->text == NULL || cell->text[size - 1] == '\0';
}

/* Reads a record from `in`, and passes on its row. Without all its bytes nothing is done. */
static int read_record(sb_row_reader *me, record *in, sb_sink *rows) {
    uint64_t sent = 0;
    int status = SB_OK;
    char letter = '\0', message[SB_MESSAGE_MAX];
    if (me->cells == NULL) {
        SB_NEW(me->arena, me->cells, me->ncolumns);
    }
    in->sum = first_sum;
    read_to(in, &letter, 1);
    me->damaged = in->whole && letter != 'r' && letter != 'e';
    for (int j = 0; j < me->ncolumns && letter == 'r' && !me->damaged; j++) {
        me->damaged = !read_cell(in, &me->cells[j]);
    }
    if (letter == 'e') {
        read_to(in, &status, sizeof status);
        read_to(in, message, sizeof message);
    }
    const uint64_t sum = in->sum;
    read_to(in, &sent, sizeof sent);
    me->damaged = me->damaged || (in->whole && sent != sum);
    if (me->damaged || !in->whole) {
        return SB_OK;
    }
    if (letter == 'r') {
        return rows->row(rows, me->cells); /* the sink copies the texts */
    }
    me->closed = true;
    me->status = status;
    memcpy(me->message, message, sizeof message);
    return SB_OK;
}

/* Adds the bytes to those that are kept. */
static int keep(sb_row_reader *me, const void *bytes, size_t size) {
    if (me->count + size > me->room) {
        const size_t room = 2 * (me->count + size);
        unsigned char *grown = sb_grown(me->arena, me->bytes, me->count, room, 1);
        SB_TRY(grown != NULL ? SB_OK : SB_NO_MEMORY);
        me->bytes = grown;
        me->room = room;
    }
    memcpy(me->bytes + me->count, bytes, size);
    me->count += size;
    return SB_OK;
}

int sb_row_reader_take(sb_row_reader *me, const void *bytes, size_t size, sb_sink *rows) {
    if (me->damaged) {
        return SB_OK;
    }
    SB_TRY(keep(me, bytes, size));
    const unsigned char *from = me->bytes; /* of the first record that is not whole */
    int status = SB_OK;
    for (record in = {.at = from, .left = me->count, .whole = true};
         in.left > 0 && in.whole && !me->closed && status == SB_OK;) {
        status = read_record(me, &in, rows);
        from = in.whole && !me->damaged ? in.at : from;
        in.whole = in.whole && !me->damaged;
    }
    me->count -= (size_t)(from - me->bytes);
    memmove(me->bytes, from, me->count);
    return status;
}

void sb_row_reader_next(sb_row_reader *me) { me->closed = false; }

sb_pipe_end sb_row_reader_end(const sb_row_reader *me) {
    return me->damaged || me->count > 0 ? SB_PIPE_DAMAGED : me->closed ? SB_PIPE_CLOSED : SB_PIPE_OPEN;
}
