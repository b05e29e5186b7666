/* Sinks on a file or on standard output. CSV and JSON are written row by row. The views need all rows before the first
 * is written and are written at `end`.
 *
 * CSV has '#' comments, a header line, RFC 4180 quoting, and numbers in their shortest exact form: results are compared
 * in this format. JSON is an array of one object per row: empty cells are null; NaN and infinities, which JSON lacks,
 * are texts. */
#include <string.h>
#include <unistd.h>

#include "core/base/escape.h"
#include "core/output/json.h"
#include "core/output/sink.h"

typedef struct file_sink {
    sb_sink sink;
    sb_outfile file;
    sb_format format;
    const char *const *comments;
    sb_caption caption;
    bool terminal;  /* CSV that a terminal shows: its control characters are those of texts */
    char *line;     /* room for the numbers of a row of CSV */
    sb_table table; /* the columns, NULL before `begin`; the rows of a view */
    long rows;      /* written */
} file_sink;

static bool is_view(const file_sink *me) { return me->format != SB_FORMAT_CSV && me->format != SB_FORMAT_JSON; }

/* A leading '#' is quoted too: it would start a comment. */
static void write_csv_text(const file_sink *me, const char *text) {
    FILE *stream = me->file.stream;
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL || text[0] == '#';
    fputs(quoted ? "\"" : "", stream);
    for (const char *end; *text != '\0'; text = end) {
        const bool quote = *text == '"';
        end = quote ? text + 1 : text + strcspn(text, "\"");
        fputs(quote ? "\"" : "", stream);
        if (me->terminal) {
            sb_escape_bytes(stream, SB_TERMINAL, text, (size_t)(end - text));
        } else {
            fwrite_unlocked(text, 1, (size_t)(end - text), stream);
        }
    }
    fputs(quoted ? "\"" : "", stream);
}

static void write_csv_row(const file_sink *me, const sb_cell *cells) {
    FILE *stream = me->file.stream;
    char *end = me->line; /* of the numbers that are not written yet: they need no quotes */
    for (int j = 0; j < me->table.ncolumns; j++) {
        if (j > 0) {
            *end++ = ',';
        }
        if (cells[j].type == SB_CELL_TEXT) {
            fwrite_unlocked(me->line, 1, (size_t)(end - me->line), stream);
            write_csv_text(me, cells[j].text);
            end = me->line;
        } else {
            end = sb_cell_write(&cells[j], end);
        }
    }
    *end++ = '\n';
    fwrite_unlocked(me->line, 1, (size_t)(end - me->line), stream);
}

static void write_csv_head(const file_sink *me) {
    FILE *stream = me->file.stream;
    for (const char *const *comment = me->comments; comment != NULL && *comment != NULL; comment++) {
        fputs("# ", stream);
        sb_escape(stream, SB_TERMINAL, *comment);
        fputc('\n', stream);
    }
    for (int j = 0; j < me->table.ncolumns; j++) {
        fputs(j > 0 ? "," : "", stream);
        write_csv_text(me, me->table.columns[j].name);
    }
    fputc('\n', stream);
    fflush(stream); /* a reader sees the columns at once, and a full disk is noticed before the computation */
}

static int write_json_row(const file_sink *me, const sb_cell *cells) {
    FILE *stream = me->file.stream;
    fputs(me->rows > 0 ? ",\n {" : "\n {", stream);
    for (int j = 0; j < me->table.ncolumns; j++) {
        char number[32];
        const char *text = sb_cell_text(&cells[j], number);
        fputs(j > 0 ? ", " : "", stream);
        SB_TRY(sb_json_write_text(me->file.ctx, stream, me->table.columns[j].name));
        fputs(": ", stream);
        if (cells[j].type == SB_CELL_TEXT || (cells[j].type == SB_CELL_REAL && !isfinite(cells[j].real))) {
            SB_TRY(sb_json_write_text(me->file.ctx, stream, text));
        } else {
            fputs(cells[j].type == SB_CELL_EMPTY ? "null" : text, stream);
        }
    }
    fputs("}", stream);
    return SB_OK;
}

static int file_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    file_sink *me = (file_sink *)sink;
    SB_TRY(me->table.sink.begin(&me->table.sink, ncolumns, columns));
    if (me->format == SB_FORMAT_CSV) {
        SB_NEW(me->table.arena, me->line, 32 * ncolumns + 32);
        write_csv_head(me);
    } else if (me->format == SB_FORMAT_JSON) {
        fputs("[", me->file.stream);
    }
    return sb_outfile_check(&me->file);
}

static int file_row(sb_sink *sink, const sb_cell *cells) {
    file_sink *me = (file_sink *)sink;
    if (is_view(me)) {
        return me->table.sink.row(&me->table.sink, cells);
    }
    if (me->format == SB_FORMAT_CSV) {
        write_csv_row(me, cells);
    } else {
        SB_TRY(write_json_row(me, cells));
    }
    me->rows++;
    return sb_outfile_check(&me->file);
}

/* Writes what follows the last row: all of a view. */
static int write_rest(const file_sink *me) {
    const bool begun = me->table.columns != NULL;
    if (me->file.stream != NULL && me->format == SB_FORMAT_JSON) {
        fputs(begun ? "\n]\n" : "[]\n", me->file.stream);
    }
    return me->file.stream != NULL && begun && is_view(me)
               ? sb_write_view(&me->table, me->file.stream, me->format, me->caption.text != NULL ? &me->caption : NULL)
               : SB_OK;
}

static int file_end(sb_sink *sink) {
    file_sink *me = (file_sink *)sink;
    return sb_outfile_close(&me->file, write_rest(me));
}

/* The rows on a stream stay there: an array is closed, and a view on standard output is written with the rows so far.
 */
static void file_abandon(sb_sink *sink) {
    file_sink *me = (file_sink *)sink;
    if (is_view(me) ? me->file.path == NULL && me->table.nrows > 0 : me->table.columns != NULL) {
        (void)write_rest(me);
    }
    sb_outfile_abandon(&me->file);
}

int sb_sink_open(sb_context *ctx, sb_arena *arena, sb_format format, const char *path, const char *const *comments,
                 sb_sink **out) {
    file_sink *me;
    SB_NEW(arena, me, 1);
    *me = (file_sink){.sink = {file_begin, file_row, file_end, file_abandon}, .format = format, .comments = comments};
    sb_table_init(&me->table, arena);
    *out = &me->sink;
    SB_TRY(sb_outfile_open(ctx, arena, path, &me->file));
    me->terminal = isatty(fileno(me->file.stream)) != 0;
    return SB_OK;
}

void sb_sink_caption(sb_sink *sink, const sb_caption *caption) { ((file_sink *)sink)->caption = *caption; }
