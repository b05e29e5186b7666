/* The view in Markdown. */
#include "core/base/escape.h"
#include "core/output/view.h"

int sb_view_write_md(sb_view *view) {
    const sb_table *table = &view->table;
    FILE *stream = view->stream;
    char number[SB_VIEW_NUMBER];
    for (int j = 0; j < table->ncolumns; j++) {
        fputs("| ", stream);
        sb_escape(stream, SB_MARKDOWN, table->columns[j].name);
        fputc(' ', stream);
    }
    fputs("|\n", stream);
    for (int j = 0; j < table->ncolumns; j++) {
        fputs(view->numeric[j] ? "| ---: " : "| --- ", stream);
    }
    fputs("|\n", stream);
    for (int i = 0; i < table->nrows; i++) {
        for (int j = 0; j < table->ncolumns; j++) {
            fputs("| ", stream);
            sb_escape(stream, SB_MARKDOWN, sb_view_text(view, i, j, number));
            fputc(' ', stream);
        }
        fputs("|\n", stream);
    }
    return SB_OK;
}
