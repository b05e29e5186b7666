/* The CSV sink: '#' comments, a header line, RFC 4180 quoting, numbers in their shortest exact form. Results are
 * compared in this format. */
#include <string.h>

#include "core/base/escape.h"
#include "core/output/sink.h"

typedef struct csv_sink {
    sb_sink sink;
    sb_outfile file;
    const char *const *comments;
    int ncolumns;
} csv_sink;

/* A leading '#' is quoted too: it would start a comment. */
static void write_text(FILE *stream, const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL && text[0] != '#') {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', stream);
        }
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static int csv_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    csv_sink *me = (csv_sink *)sink;
    FILE *stream = me->file.stream;
    me->ncolumns = ncolumns;
    for (const char *const *comment = me->comments; comment != NULL && *comment != NULL; comment++) {
        fputs("# ", stream);
        sb_escape(stream, SB_TERMINAL, *comment);
        fputc('\n', stream);
    }
    for (int j = 0; j < ncolumns; j++) {
        fputs(j > 0 ? "," : "", stream);
        write_text(stream, columns[j].name);
    }
    fputc('\n', stream);
    fflush(stream); /* a reader sees the columns at once, and a full disk is noticed before the computation */
    return sb_outfile_check(&me->file);
}

static int csv_row(sb_sink *sink, const sb_cell *cells) {
    csv_sink *me = (csv_sink *)sink;
    FILE *stream = me->file.stream;
    for (int j = 0; j < me->ncolumns; j++) {
        char number[32];
        fputs(j > 0 ? "," : "", stream);
        if (cells[j].type == SB_CELL_TEXT) {
            write_text(stream, cells[j].text);
        } else { /* a number needs no quotes */
            fputs(sb_cell_text(&cells[j], number), stream);
        }
    }
    fputc('\n', stream);
    return sb_outfile_check(&me->file);
}

static int csv_end(sb_sink *sink) { return sb_outfile_commit(&((csv_sink *)sink)->file); }

static void csv_abandon(sb_sink *sink) { sb_outfile_abandon(&((csv_sink *)sink)->file); }

int sb_sink_csv(sb_arena *arena, const sb_outfile *file, const char *const *comments, sb_sink **out) {
    csv_sink *me;
    SB_NEW(arena, me, 1);
    *me = (csv_sink){.sink = {csv_begin, csv_row, csv_end, csv_abandon}, .file = *file, .comments = comments};
    *out = &me->sink;
    return SB_OK;
}
