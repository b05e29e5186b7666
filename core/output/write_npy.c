/* Writes a table in format 1.0 of numpy's array files, one record per row: columns of integers are '<i8', columns with
 * a text '<U' of the longest, all others '<f8' with NaN for empty cells. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/output/json.h"
#include "core/output/sink.h"

enum { HEADER_MAX = 65535 };

/* A table and the types of its columns. */
typedef struct array {
    const sb_table *table;
    char *types;   /* type of each column: 'i', 'U' or 'f' */
    size_t *width; /* characters of a 'U', bytes of a number */
} array;

/* Returns the next character of a UTF-8 text; a byte that is not part of one is a character of its own. */
static uint32_t next_character(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    const int length = sb_utf8_length(*text);
    uint32_t character = length > 1 ? at[0] & (0x7Fu >> length) : at[0];
    for (int i = 1; i < length; i++) {
        character = character << 6 | (at[i] & 0x3Fu);
    }
    *text += length > 1 ? length : 1;
    return character;
}

static size_t characters(const char *text) {
    size_t count = 0;
    for (; *text != '\0'; count++) {
        next_character(&text);
    }
    return count;
}

static int find_types(array *me) {
    const sb_table *table = me->table;
    char room[32];
    SB_NEW(table->arena, me->types, table->ncolumns + 1);
    SB_NEW(table->arena, me->width, table->ncolumns);
    for (int j = 0; j < table->ncolumns; j++) {
        bool text = false, whole = table->nrows > 0;
        for (int i = 0; i < table->nrows; i++) {
            text = text || sb_table_cell(table, i, j)->type == SB_CELL_TEXT;
            whole = whole && sb_table_cell(table, i, j)->type == SB_CELL_INT;
        }
        me->types[j] = text ? 'U' : whole ? 'i' : 'f';
        me->width[j] = text ? 1 : 8;
        for (int i = 0; text && i < table->nrows; i++) {
            const size_t length = characters(sb_cell_text(sb_table_cell(table, i, j), room));
            me->width[j] = length > me->width[j] ? length : me->width[j];
        }
    }
    return SB_OK;
}

/* ---- The header: a magic number, a length, and a dictionary as Python writes it. ---- */

static void write_dictionary(const array *me, FILE *to) {
    fputs("{'descr': [", to);
    for (int j = 0; j < me->table->ncolumns; j++) {
        fputs(j > 0 ? ", ('" : "('", to);
        for (const char *c = me->table->columns[j].name; *c != '\0'; c++) {
            fprintf(to, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
        }
        fprintf(to, "', '<%c%zu')", me->types[j], me->width[j]);
    }
    fprintf(to, "], 'fortran_order': False, 'shape': (%d,), }", me->table->nrows);
}

/* Writes the header around the dictionary. Spaces bring the data to a multiple of 64 bytes. */
static int frame_dictionary(const char *dictionary, size_t used, int ncolumns, const sb_outfile *file) {
    static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const size_t spaces = 63 - (sizeof magic + 2 + used) % 64, length = used + spaces + 1;
    if (used + 64 > HEADER_MAX) {
        return sb_fail(file->ctx, SB_BAD_USAGE,
                       "the names of %d columns are too long for an npy file's header; choose fewer by --columns",
                       ncolumns);
    }
    fwrite(magic, 1, sizeof magic, file->stream);
    fprintf(file->stream, "%c%c%s%*s\n", (int)(length & 0xFF), (int)(length >> 8), dictionary, (int)spaces, "");
    return SB_OK;
}

static int write_header(const array *me, const sb_outfile *file) {
    char *dictionary = NULL;
    size_t used = 0;
    FILE *to = open_memstream(&dictionary, &used);
    if (to != NULL) {
        write_dictionary(me, to);
    }
    const int status = to != NULL && fclose(to) == 0
                           ? frame_dictionary(dictionary, used, me->table->ncolumns, file)
                           : sb_fail(file->ctx, SB_NO_MEMORY, "out of memory while writing an npy file");
    free(dictionary);
    return status;
}

/* ---- The rows: little-endian, one after the other. ---- */

static void write_number(FILE *stream, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) {
        fputc((int)(bits >> (8 * i) & 0xFF), stream);
    }
}

static void write_cell(const array *me, FILE *stream, const sb_cell *cell, int column) {
    char room[32];
    uint64_t bits;
    if (me->types[column] == 'i') {
        write_number(stream, (uint64_t)cell->integer, 8);
    } else if (me->types[column] == 'f') {
        const double x = sb_cell_number(cell);
        memcpy(&bits, &x, sizeof bits);
        write_number(stream, bits, 8);
    } else {
        const char *text = sb_cell_text(cell, room);
        for (size_t i = 0; i < me->width[column]; i++) {
            write_number(stream, *text != '\0' ? next_character(&text) : 0, 4);
        }
    }
}

int sb_write_npy(const sb_table *table, const sb_outfile *file) {
    array me = {.table = table};
    SB_TRY(find_types(&me));
    SB_TRY(write_header(&me, file));
    for (int i = 0; i < table->nrows; i++) {
        for (int j = 0; j < table->ncolumns; j++) {
            write_cell(&me, file->stream, sb_table_cell(table, i, j), j);
        }
    }
    return SB_OK;
}
