/* The view for a terminal: aligned columns, not wider than the terminal. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/escape.h"
#include "core/output/view.h"

enum { GAP = 2, LEAST_TEXT = 12 };

/* Counts characters: UTF-8 continuation bytes have no width. */
static int measure(const char *text, size_t bytes) {
    int width = 0;
    for (size_t i = 0; i < bytes; i++) {
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return width;
}

/* Returns the number of columns of the terminal of the stream, 0 if the stream is not a terminal. */
static int terminal_width(FILE *stream) {
    struct winsize size;
    if (!isatty(fileno(stream))) {
        return 0;
    }
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void pad(FILE *stream, int count) {
    for (int i = 0; i < count; i++) {
        fputc(' ', stream);
    }
}

/* Writes the next line of the cell in column j and returns the rest of its text. */
static const char *write_line(const sb_view *view, int row, int j, bool last) {
    const char *text = view->rest[j];
    const int width = view->width[j];
    const bool right = view->numeric[j];
    const size_t bytes = sb_view_line(text, width, measure);
    size_t shown = bytes;
    while (shown > 0 && (text[shown - 1] == '\n' || (shown < strlen(text) && text[shown - 1] == ' '))) {
        shown--;
    }
    const int room = width - measure(text, shown);
    pad(view->stream, right ? room : 0);
    sb_escape_bytes(view->stream, SB_TERMINAL, text, shown);
    pad(view->stream, right || last ? 0 : room);
    return text + bytes;
}

int sb_view_write_table(sb_view *view) {
    const sb_table *table = &view->table;
    sb_view_block *first;
    for (int j = 0; j < table->ncolumns; j++) {
        int *width = &view->width[j];
        view->least[j] = LEAST_TEXT;
        *width = measure(table->columns[j].name, strlen(table->columns[j].name));
        for (int i = 0; i < table->nrows; i++) {
            const char *text = sb_view_text(view, i, j, view->number[j]);
            const int w = measure(text, strlen(text));
            *width = w > *width ? w : *width;
            const bool number = sb_table_cell(&view->table, i, j)->type != SB_CELL_TEXT; /* in a column of texts */
            view->least[j] = number && w > view->least[j] ? w : view->least[j];
        }
    }
    SB_TRY(sb_view_divide(view, terminal_width(view->stream), GAP, &first));
    for (const sb_view_block *block = first; block != NULL; block = block->next) {
        for (int i = -1; i < table->nrows; i++) {
            if (i < 0 || sb_view_has_row(view, first, block, i)) {
                sb_view_write_row(view, block, i, "  ", "\n", write_line);
            }
        }
        fputs(block->next != NULL ? "\n" : "", view->stream);
    }
    return SB_OK;
}
