/* What the views share: the columns that are shown, their widths, their division into blocks, and rows of several
 * lines. */
#ifndef STEPBENCH_CORE_OUTPUT_VIEW_H
#define STEPBENCH_CORE_OUTPUT_VIEW_H

#include "core/output/sink.h"

/* A number as text has at most 31 characters. */
enum { SB_VIEW_NUMBER = 32 };

typedef struct sb_view {
    FILE *stream;
    sb_arena *arena;
    sb_table table; /* without its empty columns */
    bool *numeric;  /* a column without a single text: right-aligned */
    int keys;       /* number of leading columns of kind SB_COL_KEY */
    /* Per column, for the views to set: its width with its head, the lower limit of the width if it is a text column,
     * and the rest of a cell that is written in several lines, with its buffer. */
    int *width, *least;
    const char **rest;
    char (*number)[SB_VIEW_NUMBER];
} sb_view;

/* Returns the text of a cell; numbers are written to `number`, with the digits of the cell or of the column's kind. */
const char *sb_view_text(const sb_view *view, int row, int column, char number[SB_VIEW_NUMBER]);

/* Returns the width of the first `bytes` bytes of a text. */
typedef int (*sb_view_measure)(const char *text, size_t bytes);

/* A block of columns, which are written side by side; `next` is NULL in the last block. */
typedef struct sb_view_block {
    int count, keys; /* columns; how many of them are keys that every block repeats */
    int *column;
    struct sb_view_block *next;
} sb_view_block;

/* Reduces the widths of text columns, and divides the columns into blocks of at most `limit` (0: no limit), with `gap`
 * between columns. */
int sb_view_divide(sb_view *view, int limit, int gap, sb_view_block **out);

/* Returns whether a row is written in a block. A block that is one of several and repeats keys has only the rows with a
 * value in its other columns; a row without any value is in the first block. Other blocks have all rows. */
bool sb_view_has_row(const sb_view *view, const sb_view_block *first, const sb_view_block *block, int row);

/* Returns the length in bytes of the next line of a text, at most `width` wide and at least one character; breaks it
 * after spaces and punctuation where possible. */
size_t sb_view_line(const char *text, int width, sb_view_measure measure);

/* Writes one row of a block, or the heads if `row` is -1, with as many lines as its longest text has. `write` writes
 * the next line of the cell in (row, column), view->rest[column], and returns the rest of its text; `last`: the column
 * is the last one. `gap` is written between columns, `end` after each line. */
void sb_view_write_row(const sb_view *view, const sb_view_block *block, int row, const char *gap, const char *end,
                       const char *(*write)(const sb_view *view, int row, int column, bool last));

int sb_view_write_table(sb_view *view);
int sb_view_write_md(sb_view *view);
int sb_view_write_latex(sb_view *view);

#endif
