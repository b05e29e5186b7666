/* Views for people: terminal table, Markdown, LaTeX. Rows are kept until the end, then aligned. */
#include <math.h>
#include <string.h>

#include "core/output/view.h"

typedef struct view_sink {
    sb_sink sink;
    sb_outfile file;
    sb_format format;
    sb_table table;
    bool begun;
} view_sink;

/* ---- Cells. ---- */

/* Six significant digits, fewer for errors, slopes and times (see sb_column_kind): CSV has all of them. */
static void format_number(double x, sb_column_kind kind, char out[SB_VIEW_NUMBER]) {
    if (!isfinite(x)) {
        sb_format_real(x, out);
        return;
    }
    switch (kind) {
    case SB_COL_ERROR: snprintf(out, SB_VIEW_NUMBER, x == 0.0 ? "%.0f" : "%.2e", x); break;
    case SB_COL_SLOPE: snprintf(out, SB_VIEW_NUMBER, "%.3f", x); break;
    case SB_COL_TIME: snprintf(out, SB_VIEW_NUMBER, "%.3g", x); break;
    default: snprintf(out, SB_VIEW_NUMBER, "%.6g", x); break;
    }
}

const sb_cell *sb_view_cell(const sb_view *view, int row, int column) {
    return &view->table.cells[(size_t)row * (size_t)view->table.ncolumns + (size_t)column];
}

const char *sb_view_text(const sb_view *view, int row, int column, char number[SB_VIEW_NUMBER]) {
    const sb_cell *cell = sb_view_cell(view, row, column);
    switch (cell->type) {
    case SB_CELL_REAL:
        if (cell->digits > 0) {
            sb_format_cell(cell, number);
        } else {
            format_number(cell->real, view->table.columns[column].kind, number);
        }
        return number;
    case SB_CELL_INT: snprintf(number, SB_VIEW_NUMBER, "%ld", cell->integer); return number;
    case SB_CELL_TEXT: return cell->text;
    case SB_CELL_EMPTY: break;
    }
    return "";
}

/* ---- Columns. ---- */

static bool column_is_empty(const sb_table *table, int column) {
    for (int i = 0; i < table->nrows; i++) {
        const sb_cell *cell = &table->cells[(size_t)i * (size_t)table->ncolumns + (size_t)column];
        if (cell->type != SB_CELL_EMPTY && (cell->type != SB_CELL_TEXT || cell->text[0] != '\0')) {
            return false;
        }
    }
    return table->nrows > 0;
}

/* Copies the columns that are not empty. */
static int drop_empty_columns(const sb_table *from, sb_table *to) {
    int *kept, count = 0;
    sb_column *columns;
    sb_cell *row;
    SB_NEW(from->arena, kept, from->ncolumns);
    SB_NEW(from->arena, columns, from->ncolumns);
    SB_NEW(from->arena, row, from->ncolumns);
    for (int j = 0; j < from->ncolumns; j++) {
        if (!column_is_empty(from, j)) {
            columns[count] = from->columns[j];
            kept[count++] = j;
        }
    }
    sb_table_init(to, from->arena);
    SB_TRY(to->sink.begin(&to->sink, count, columns));
    for (int i = 0; i < from->nrows; i++) {
        for (int k = 0; k < count; k++) {
            row[k] = from->cells[(size_t)i * (size_t)from->ncolumns + (size_t)kept[k]];
        }
        SB_TRY(to->sink.row(&to->sink, row));
    }
    return SB_OK;
}

static int prepare(sb_view *view) {
    SB_NEW(view->arena, view->numeric, view->table.ncolumns);
    SB_NEW(view->arena, view->width, view->table.ncolumns);
    SB_NEW(view->arena, view->least, view->table.ncolumns);
    SB_NEW(view->arena, view->rest, view->table.ncolumns);
    SB_NEW(view->arena, view->number, view->table.ncolumns);
    for (int j = 0; j < view->table.ncolumns; j++) {
        view->numeric[j] = view->table.nrows > 0;
        for (int i = 0; i < view->table.nrows; i++) {
            view->numeric[j] = view->numeric[j] && sb_view_cell(view, i, j)->type != SB_CELL_TEXT;
        }
    }
    while (view->keys < view->table.ncolumns && view->table.columns[view->keys].kind == SB_COL_KEY) {
        view->keys++;
    }
    return SB_OK;
}

/* ---- The sink. ---- */

static int view_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    view_sink *me = (view_sink *)sink;
    me->begun = true;
    return me->table.sink.begin(&me->table.sink, ncolumns, columns);
}

static int view_row(sb_sink *sink, const sb_cell *cells) {
    view_sink *me = (view_sink *)sink;
    return me->table.sink.row(&me->table.sink, cells);
}

static int view_write(view_sink *me) {
    sb_view view = {.stream = me->file.stream, .arena = me->table.arena};
    if (!me->begun || me->file.stream == NULL) {
        return SB_OK;
    }
    me->begun = false;
    SB_TRY(drop_empty_columns(&me->table, &view.table));
    SB_TRY(prepare(&view));
    switch (me->format) {
    case SB_FORMAT_MD: return sb_view_write_md(&view);
    case SB_FORMAT_LATEX: return sb_view_write_latex(&view);
    default: return sb_view_write_table(&view);
    }
}

static int view_end(sb_sink *sink) {
    view_sink *me = (view_sink *)sink;
    const int status = view_write(me);
    if (status != SB_OK) {
        sb_outfile_abandon(&me->file);
        return status;
    }
    return sb_outfile_commit(&me->file);
}

/* Nothing has been written yet: the finished rows are shown now if the output is standard output. */
static void view_abandon(sb_sink *sink) {
    view_sink *me = (view_sink *)sink;
    if (me->file.path == NULL && me->table.nrows > 0) {
        (void)view_write(me);
    }
    sb_outfile_abandon(&me->file);
}

int sb_sink_view(sb_arena *arena, const sb_outfile *file, sb_format format, sb_sink **out) {
    view_sink *me;
    SB_NEW(arena, me, 1);
    *me = (view_sink){.sink = {view_begin, view_row, view_end, view_abandon}, .file = *file, .format = format};
    sb_table_init(&me->table, arena);
    *out = &me->sink;
    return SB_OK;
}
