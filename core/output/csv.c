/* The CSV reader (RFC 4180 quoting, '#' comment lines, one header line) into a table in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/grow.h"
#include "core/base/text.h"
#include "core/output/csv.h"

typedef struct reader {
    sb_context *ctx;
    sb_arena *arena;
    const char *path;
    bool numbers; /* unquoted cells that read as numbers become numbers */
    char *at;     /* the rest of the file's text */
    long line;
    sb_cell *cells; /* cells of one record */
    int room, count;
} reader;

static int add_cell(reader *me, sb_cell cell) {
    SB_GROW(me->arena, me->cells, me->count, me->room);
    me->cells[me->count++] = cell;
    return SB_OK;
}

/* Removes the quotes in place; leaves me->at behind the closing quote. */
static int read_quoted(reader *me, sb_cell *cell) {
    char *from = me->at + 1, *to = me->at + 1;
    const long line = me->line;
    cell->type = SB_CELL_TEXT;
    cell->text = to;
    for (;; from++) {
        if (*from == '\0') {
            return sb_fail(me->ctx, SB_IO, "%s: a quote opened on line %ld is not closed", me->path, line);
        }
        if (*from == '"') {
            from++;
            if (*from != '"') {
                break;
            }
        }
        me->line += *from == '\n';
        *to++ = *from;
    }
    me->at = from;
    /* `to` is before the closing quote: ending the text here changes nothing that is still to be read. */
    *to = '\0';
    return SB_OK;
}

static sb_cell plain_cell(const reader *me, const char *text) {
    if (!me->numbers) {
        return sb_text(text);
    }
    if (*text == '\0') {
        return sb_empty();
    }
    char *end;
    errno = 0;
    const long integer = strtol(text, &end, 10);
    if (*end == '\0' && errno == 0) {
        return sb_int(integer);
    }
    sb_scalar real;
    if (sb_text_number(text, &end, &real) && *end == '\0') {
        return sb_real((double)real);
    }
    const double special = strtod(text, &end); /* nan and inf, as rows write them */
    return *end == '\0' && !isfinite(special) && strpbrk(text, "0123456789(") == NULL ? sb_real(special)
                                                                                      : sb_text(text);
}

/* Reads one line of cells; *more is false at the end of the file. */
static int read_record(reader *me, bool *more) {
    me->count = 0;
    while (*me->at == '#' || *me->at == '\n' || *me->at == '\r') {
        me->at += strcspn(me->at, "\n");
        me->at += *me->at == '\n';
        me->line++;
    }
    *more = *me->at != '\0';
    if (!*more) {
        return SB_OK;
    }
    for (;;) {
        sb_cell cell;
        const bool quoted = *me->at == '"';
        char *begin = me->at;
        if (quoted) {
            SB_TRY(read_quoted(me, &cell));
        }
        char *end = me->at + strcspn(me->at, ",\r\n");
        if (quoted && end != me->at) {
            return sb_fail(me->ctx, SB_IO, "%s: text after a closing quote on line %ld", me->path, me->line);
        }
        const char stop = *end;
        me->at = end + (stop != '\0') + (stop == '\r' && end[1] == '\n');
        *end = '\0';
        SB_TRY(add_cell(me, quoted ? cell : plain_cell(me, begin)));
        if (stop != ',') {
            me->line++;
            return SB_OK;
        }
    }
}

static int read_header(reader *me, sb_column **columns) {
    bool more;
    const bool numbers = me->numbers;
    me->numbers = false;
    SB_TRY(read_record(me, &more));
    me->numbers = numbers;
    if (!more) {
        return sb_fail(me->ctx, SB_IO, "%s: no header line", me->path);
    }
    SB_NEW(me->arena, *columns, me->count);
    for (int j = 0; j < me->count; j++) {
        const char *name = me->cells[j].text;
        SB_TRY(sb_poll(me->ctx));
        for (int i = 0; i < j; i++) {
            if (name[0] != '\0' && strcmp(me->cells[i].text, name) == 0) {
                return sb_fail(me->ctx, SB_IO, "%s, line %ld: two columns are named %s", me->path, me->line - 1, name);
            }
        }
        (*columns)[j] = (sb_column){name, SB_COL_INFO, "", ""};
    }
    return SB_OK;
}

/* Reads the text, which is overwritten. */
static int read_text(sb_table *table, sb_context *ctx, const char *path, char *text, bool numbers) {
    reader me = {.ctx = ctx, .arena = table->arena, .path = path, .at = text, .numbers = numbers, .line = 1};
    sb_column *columns = NULL;
    SB_TRY(read_header(&me, &columns));
    const int ncolumns = me.count;
    SB_TRY(table->sink.begin(&table->sink, ncolumns, columns));
    for (;;) {
        bool more;
        const long line = me.line;
        SB_TRY(read_record(&me, &more));
        if (!more) {
            return SB_OK;
        }
        if (me.count != ncolumns) {
            return sb_fail(ctx, SB_IO, "%s: the row after line %ld has %d cells, the header has %d", path, line - 1,
                           me.count, ncolumns);
        }
        SB_TRY(table->sink.row(&table->sink, me.cells));
    }
}

static int read_csv(sb_table *table, sb_context *ctx, const char *path, bool numbers) {
    char *text;
    SB_TRY(sb_text_read(ctx, table->arena, path, &text));
    return read_text(table, ctx, path, text, numbers);
}

int sb_table_read_text(sb_table *table, sb_context *ctx, const char *name, const char *text) {
    char *copy = sb_strdup(table->arena, text);
    return copy != NULL ? read_text(table, ctx, name, copy, false) : SB_NO_MEMORY;
}

int sb_table_read_csv(sb_table *table, sb_context *ctx, const char *path) { return read_csv(table, ctx, path, true); }

int sb_table_read_csv_text(sb_table *table, sb_context *ctx, const char *path) {
    return read_csv(table, ctx, path, false);
}

int sb_csv_comment(sb_context *ctx, sb_arena *arena, const char *path, const char *begin, const char **out) {
    char *at;
    SB_TRY(sb_text_read(ctx, arena, path, &at));
    for (*out = ""; *at == '#'; at += at[0] != '\0') {
        char *line = at + 1 + (at[1] == ' ');
        at += strcspn(at, "\r\n");
        const bool found = strncmp(line, begin, strlen(begin)) == 0;
        if (found) {
            *at = '\0';
            *out = line + strlen(begin);
            return SB_OK;
        }
        at += *at == '\r';
    }
    return SB_OK;
}
