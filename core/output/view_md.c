/* The view in Markdown. */
#include <string.h>

#include "core/output/view.h"

static void write_md_text(FILE *stream, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            fputs("<br>", stream);
            continue;
        }
        if (strchr("|\\*_<`", *text) != NULL) {
            fputc('\\', stream);
        }
        fputc(*text, stream);
    }
}

int sb_view_write_md(sb_view *view) {
    const sb_table *table = &view->table;
    FILE *stream = view->stream;
    char number[SB_VIEW_NUMBER];
    for (int j = 0; j < table->ncolumns; j++) {
        fputs("| ", stream);
        write_md_text(stream, table->columns[j].name);
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
            write_md_text(stream, sb_view_text(view, i, j, number));
            fputc(' ', stream);
        }
        fputs("|\n", stream);
    }
    return SB_OK;
}
