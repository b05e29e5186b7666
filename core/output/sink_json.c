/* The JSON sink: an array of one object per row. Empty cells are null; NaN and infinities, which JSON lacks, are
 * texts. */
#include <math.h>

#include "core/output/json.h"
#include "core/output/sink.h"

typedef struct json_sink {
    sb_sink sink;
    sb_outfile file;
    sb_arena *arena;
    int ncolumns;
    const char **names;
    bool begun;
    long rows;
} json_sink;

static int write_cell(json_sink *me, const sb_cell *cell) {
    char number[32];
    const char *text = sb_cell_text(cell, number);
    if (cell->type == SB_CELL_TEXT || (cell->type == SB_CELL_REAL && !isfinite(cell->real))) {
        return sb_json_write_text(me->file.ctx, me->file.stream, text);
    }
    fputs(cell->type == SB_CELL_EMPTY ? "null" : text, me->file.stream);
    return SB_OK;
}

static int json_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    json_sink *me = (json_sink *)sink;
    SB_NEW(me->arena, me->names, ncolumns);
    me->ncolumns = ncolumns;
    for (int j = 0; j < ncolumns; j++) {
        me->names[j] = sb_strdup(me->arena, columns[j].name);
        if (me->names[j] == NULL) {
            return SB_NO_MEMORY;
        }
    }
    fputs("[", me->file.stream);
    me->begun = true;
    return sb_outfile_check(&me->file);
}

static int json_row(sb_sink *sink, const sb_cell *cells) {
    json_sink *me = (json_sink *)sink;
    fputs(me->rows++ > 0 ? ",\n {" : "\n {", me->file.stream);
    for (int j = 0; j < me->ncolumns; j++) {
        fputs(j > 0 ? ", " : "", me->file.stream);
        SB_TRY(sb_json_write_text(me->file.ctx, me->file.stream, me->names[j]));
        fputs(": ", me->file.stream);
        SB_TRY(write_cell(me, &cells[j]));
    }
    fputs("}", me->file.stream);
    return sb_outfile_check(&me->file);
}

static int json_end(sb_sink *sink) {
    json_sink *me = (json_sink *)sink;
    if (me->file.stream != NULL) {
        fputs(me->begun ? "\n]\n" : "[]\n", me->file.stream);
    }
    return sb_outfile_commit(&me->file);
}

/* Rows on a stream stay there, so the array is closed to keep them readable. */
static void json_abandon(sb_sink *sink) {
    json_sink *me = (json_sink *)sink;
    if (me->file.stream != NULL && me->begun) {
        fputs("\n]\n", me->file.stream);
    }
    sb_outfile_abandon(&me->file);
}

int sb_sink_json(sb_arena *arena, const sb_outfile *file, sb_sink **out) {
    json_sink *me;
    SB_NEW(arena, me, 1);
    *me = (json_sink){.sink = {json_begin, json_row, json_end, json_abandon}, .file = *file, .arena = arena};
    *out = &me->sink;
    return SB_OK;
}
