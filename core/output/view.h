/* Rows to be read: what a format, LaTeX, Markdown or a terminal, says to their layout, which is the same for all. */
#pragma once

#include "core/output/sink.h"

/* A column that is shown. */
typedef struct sb_view_column {
    const sb_column *head;
    int at;           /* its index in the table */
    bool numeric;     /* without a single text: right-aligned */
    int width, least; /* of the head and of all cells; to which it may be reduced, by breaking its texts into lines */
} sb_view_column;

/* Columns side by side. */
typedef struct sb_view_block {
    int count;
    const sb_view_column **columns;
} sb_view_block;

typedef struct sb_view_style {
    const char *begin, *between, *end; /* of a line: before it, between two cells, after it */
    const char *first, *blocks;        /* before all; between two blocks */
    int gap, least; /* widths: between two columns, and of the narrowest column of texts that is broken into lines */
    int (*limit)(FILE *stream); /* the width of a line, 0: no limit; NULL: texts are not broken into lines */
    int (*width)(const char *text, size_t bytes, const sb_cell *cell); /* of a part of a cell; of a head: NULL */
    int (*head)(
        const sb_column *column); /* the width of a head, which is not broken; NULL: that of its name, which is */
    void (*write)(FILE *stream, const sb_view_column *column, const char *text, size_t bytes, const sb_cell *cell,
                  bool last); /* a part of a cell, or of a head: NULL; `last`: of the last column */
    void (*open)(FILE *stream, const sb_view_block *block);  /* before the heads; or NULL */
    void (*rule)(FILE *stream, const sb_view_block *block);  /* after the heads; or NULL */
    void (*close)(FILE *stream, const sb_view_block *block); /* after the rows; or NULL */
} sb_view_style;

extern const sb_view_style sb_view_latex;
/* A column of article at 10 pt with two of them, the narrowest of the usual classes, and the page of both, in the units
 * of sb_view_latex; the size of \footnotesize over that of the text. */
enum { SB_LATEX_COLUMN = 22950, SB_LATEX_PAGE = 2 * SB_LATEX_COLUMN + 1000 };
#define SB_LATEX_FOOTNOTE 0.85

/* Returns whether a cell is a number, or a text that is one, which may have its error in brackets: 2.0012(4). */
bool sb_cell_is_number(const sb_cell *cell);

/* Writes a table as a report of tests, SB_FORMAT_JUNIT. */
void sb_write_junit(const sb_table *table, FILE *to);
