/* Writes rows to be read: as a terminal table, in Markdown or in LaTeX. */
#include <math.h>
#include <string.h>

#include "core/output/view.h"

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

const char *sb_view_text(const sb_view *view, int row, int column, char number[SB_VIEW_NUMBER]) {
    const sb_cell *cell = sb_table_cell(&view->table, row, column);
    if (cell->type != SB_CELL_REAL || cell->digits > 0) {
        return sb_cell_text(cell, number);
    }
    format_number(cell->real, view->table.columns[column].kind, number);
    return number;
}

/* ---- Columns. ---- */

static bool column_is_empty(const sb_table *table, int column) {
    for (int i = 0; i < table->nrows; i++) {
        if (!sb_cell_is_empty(sb_table_cell(table, i, column))) {
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
    SB_TRY(sb_table_begin(to, from->arena, count, columns));
    for (int i = 0; i < from->nrows; i++) {
        for (int k = 0; k < count; k++) {
            row[k] = *sb_table_cell(from, i, kept[k]);
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
            view->numeric[j] = view->numeric[j] && sb_table_cell(&view->table, i, j)->type != SB_CELL_TEXT;
        }
    }
    while (view->keys < view->table.ncolumns && view->table.columns[view->keys].kind == SB_COL_KEY) {
        view->keys++;
    }
    return SB_OK;
}

int sb_write_view(const sb_table *table, FILE *stream, sb_format format) {
    sb_view view = {.stream = stream, .arena = table->arena};
    SB_TRY(drop_empty_columns(table, &view.table));
    SB_TRY(prepare(&view));
    switch (format) {
    case SB_FORMAT_MD: return sb_view_write_md(&view);
    case SB_FORMAT_LATEX: return sb_view_write_latex(&view);
    default: return sb_view_write_table(&view);
    }
}
