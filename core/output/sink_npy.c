/* The NPY sink: format 1.0 of numpy's array files, one record per row. Rows are kept until the end, because the header
 * contains their types: columns of integers are '<i8', columns with a text '<U' of the longest, all others '<f8' with
 * NaN for empty cells. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/output/sink.h"

enum { HEADER_MAX = 65535 };

typedef struct npy_sink {
    sb_sink sink;
    sb_outfile file;
    sb_table table;
    char *types;   /* of each column: 'i', 'U' or 'f' */
    size_t *width; /* characters of a 'U' */
    bool begun;
} npy_sink;

static const sb_cell *cell_at(const npy_sink *me, int row, int column) {
    return &me->table.cells[(size_t)row * (size_t)me->table.ncolumns + (size_t)column];
}

/* A number among texts is written as in CSV. */
static const char *cell_text(const sb_cell *cell, char room[32]) {
    room[0] = '\0';
    if (cell->type == SB_CELL_REAL) {
        sb_format_real(cell->real, room);
    } else if (cell->type == SB_CELL_INT) {
        snprintf(room, 32, "%ld", cell->integer);
    }
    return cell->type == SB_CELL_TEXT ? cell->text : room;
}

/* Returns the next character of a UTF-8 text; a byte that is not part of one is a character of its own. */
static uint32_t next_character(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    const int more = at[0] >= 0xF0 ? 3 : at[0] >= 0xE0 ? 2 : at[0] >= 0xC0 ? 1 : 0;
    uint32_t character = more > 0 ? at[0] & (0x3Fu >> more) : at[0];
    for (int i = 1; i <= more; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            (*text)++;
            return at[0];
        }
        character = character << 6 | (at[i] & 0x3Fu);
    }
    *text += more + 1;
    return character;
}

static size_t characters(const char *text) {
    size_t count = 0;
    for (; *text != '\0'; count++) {
        next_character(&text);
    }
    return count;
}

static int find_types(npy_sink *me) {
    const sb_table *table = &me->table;
    char room[32];
    SB_NEW(table->arena, me->types, table->ncolumns + 1);
    SB_NEW(table->arena, me->width, table->ncolumns);
    for (int j = 0; j < table->ncolumns; j++) {
        bool text = false, whole = table->nrows > 0;
        for (int i = 0; i < table->nrows; i++) {
            text = text || cell_at(me, i, j)->type == SB_CELL_TEXT;
            whole = whole && cell_at(me, i, j)->type == SB_CELL_INT;
        }
        me->types[j] = text ? 'U' : whole ? 'i' : 'f';
        me->width[j] = 1;
        for (int i = 0; text && i < table->nrows; i++) {
            const size_t length = characters(cell_text(cell_at(me, i, j), room));
            me->width[j] = length > me->width[j] ? length : me->width[j];
        }
    }
    return SB_OK;
}

/* ---- The header: a magic number, a length, and a dictionary as Python writes it. ---- */

static bool append(char *header, size_t *used, const char *text) {
    const size_t length = strlen(text);
    if (*used + length > HEADER_MAX) {
        return false;
    }
    memcpy(header + *used, text, length);
    *used += length;
    return true;
}

static bool append_name(char *header, size_t *used, const char *name) {
    bool fits = append(header, used, "'");
    for (; *name != '\0' && fits; name++) {
        const char character[] = {*name, '\0'};
        fits = (*name != '\'' && *name != '\\') || append(header, used, "\\");
        fits = fits && append(header, used, character);
    }
    return fits && append(header, used, "'");
}

static bool fill_header(const npy_sink *me, char *header, size_t *used) {
    char text[64];
    bool fits = append(header, used, "{'descr': [");
    for (int j = 0; j < me->table.ncolumns && fits; j++) {
        fits = append(header, used, j > 0 ? ", (" : "(") && append_name(header, used, me->table.columns[j].name);
        if (me->types[j] == 'U') {
            snprintf(text, sizeof text, ", '<U%zu')", me->width[j]);
        } else {
            snprintf(text, sizeof text, ", '<%c8')", me->types[j]);
        }
        fits = fits && append(header, used, text);
    }
    snprintf(text, sizeof text, "], 'fortran_order': False, 'shape': (%d,), }", me->table.nrows);
    return fits && append(header, used, text);
}

/* Spaces bring the data to a multiple of 64 bytes. */
static int write_header(const npy_sink *me) {
    static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    char *header;
    size_t used = 0;
    SB_NEW(me->table.arena, header, HEADER_MAX + 64);
    if (!fill_header(me, header, &used) || used + 64 > HEADER_MAX) {
        return sb_fail(me->file.ctx, SB_BAD_USAGE,
                       "the names of %d columns are too long for an npy file's header; choose fewer by --columns",
                       me->table.ncolumns);
    }
    while ((10 + used + 1) % 64 != 0) {
        header[used++] = ' ';
    }
    header[used++] = '\n';
    fwrite(magic, 1, sizeof magic, me->file.stream);
    fputc((int)(used & 0xFF), me->file.stream);
    fputc((int)(used >> 8), me->file.stream);
    fwrite(header, 1, used, me->file.stream);
    return SB_OK;
}

/* ---- The rows: little-endian, one after the other. ---- */

static void write_number(FILE *stream, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) {
        fputc((int)(bits >> (8 * i) & 0xFF), stream);
    }
}

static void write_cell(const npy_sink *me, const sb_cell *cell, int column) {
    char room[32];
    uint64_t bits;
    if (me->types[column] == 'i') {
        write_number(me->file.stream, (uint64_t)cell->integer, 8);
    } else if (me->types[column] == 'f') {
        const double x = cell->type == SB_CELL_REAL  ? cell->real
                         : cell->type == SB_CELL_INT ? (double)cell->integer
                                                     : (double)NAN;
        memcpy(&bits, &x, sizeof bits);
        write_number(me->file.stream, bits, 8);
    } else {
        const char *text = cell_text(cell, room);
        for (size_t i = 0; i < me->width[column]; i++) {
            write_number(me->file.stream, *text != '\0' ? next_character(&text) : 0, 4);
        }
    }
}

static int write_array(npy_sink *me) {
    if (!me->begun || me->file.stream == NULL) {
        return SB_OK;
    }
    me->begun = false;
    SB_TRY(find_types(me));
    SB_TRY(write_header(me));
    for (int i = 0; i < me->table.nrows; i++) {
        for (int j = 0; j < me->table.ncolumns; j++) {
            write_cell(me, cell_at(me, i, j), j);
        }
    }
    return SB_OK;
}

/* ---- The sink. ---- */

static int npy_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    npy_sink *me = (npy_sink *)sink;
    me->begun = true;
    return me->table.sink.begin(&me->table.sink, ncolumns, columns);
}

static int npy_row(sb_sink *sink, const sb_cell *cells) {
    npy_sink *me = (npy_sink *)sink;
    return me->table.sink.row(&me->table.sink, cells);
}

static int npy_end(sb_sink *sink) {
    npy_sink *me = (npy_sink *)sink;
    const int status = write_array(me);
    if (status != SB_OK) {
        sb_outfile_abandon(&me->file);
        return status;
    }
    return sb_outfile_commit(&me->file);
}

static void npy_abandon(sb_sink *sink) { sb_outfile_abandon(&((npy_sink *)sink)->file); }

int sb_sink_npy(sb_arena *arena, const sb_outfile *file, sb_sink **out) {
    npy_sink *me;
    SB_NEW(arena, me, 1);
    *me = (npy_sink){.sink = {npy_begin, npy_row, npy_end, npy_abandon}, .file = *file};
    sb_table_init(&me->table, arena);
    *out = &me->sink;
    return SB_OK;
}
