/* Result rows: typed columns, and sinks that write them as CSV, JSON, Markdown, LaTeX or a terminal table, or keep
 * them. */
#pragma once

#include <stdio.h>

#include <stepbench/context.h>

#include "core/base/format.h"

typedef enum sb_column_kind {
    SB_COL_KEY,   /* identifies the row */
    SB_COL_EXACT, /* a deterministic number, compared digit by digit */
    SB_COL_ERROR, /* a small non-negative number, the smaller the better: shown with three digits in the views */
    SB_COL_SLOPE, /* an exponent: shown with three decimals in the views */
    SB_COL_TIME,  /* a measured time, the smaller the better: never in a file with deterministic numbers */
    SB_COL_INFO   /* everything else */
} sb_column_kind;

typedef struct sb_column {
    const char *name;
    sb_column_kind kind;
    const char *unit; /* "" for pure numbers and text */
    const char *doc;
} sb_column;

typedef enum sb_cell_type { SB_CELL_EMPTY, SB_CELL_REAL, SB_CELL_INT, SB_CELL_TEXT } sb_cell_type;

typedef struct sb_cell {
    sb_cell_type type;
    union {
        double real;
        long integer;
        const char *text; /* copied by the sink */
    };
    int digits; /* for a real number: significant digits written, decimals of 0; 0: as many as read back the same double
                 */
    bool best;  /* the least of its column among the steppers: bold in LaTeX */
} sb_cell;

static inline sb_cell sb_real(double x) { return (sb_cell){SB_CELL_REAL, {.real = x}, 0, false}; }
static inline sb_cell sb_int(long x) { return (sb_cell){SB_CELL_INT, {.integer = x}, 0, false}; }
static inline sb_cell sb_text(const char *x) { return (sb_cell){SB_CELL_TEXT, {.text = x}, 0, false}; }
static inline sb_cell sb_empty(void) { return (sb_cell){SB_CELL_EMPTY, {.integer = 0}, 0, false}; }

/* Returns the number in a cell; NaN for a text and an empty cell. */
static inline double sb_cell_number(const sb_cell *cell) {
    return cell->type == SB_CELL_REAL ? cell->real : cell->type == SB_CELL_INT ? (double)cell->integer : (double)NAN;
}

/* Returns whether nothing is written for the cell. */
static inline bool sb_cell_is_empty(const sb_cell *cell) {
    return cell->type == SB_CELL_EMPTY || (cell->type == SB_CELL_TEXT && cell->text[0] == '\0');
}

/* Numbers written with their trusted digits only. `uncertainty` bounds the error by round-off (or the standard error of
 * a mean): computed from eps, the sizes of the terms and the number of operations, or measured over an ensemble. The
 * last digit written is the first whose unit is at least twice the uncertainty: two computations differ by at most one
 * unit. A number below half a unit is written as 0 by sb_trusted, with the decimals that are certain, and as one unit,
 * which is then an upper bound, by sb_residual: the residuals and defects that vanish in exact arithmetic. NaN as
 * uncertainty: nothing is known, NaN is written. */
sb_cell sb_trusted(double x, double uncertainty);
sb_cell sb_residual(double x, double uncertainty);
/* Returns an estimate of the size of round-off, written with one digit. */
sb_cell sb_estimate(double x);

/* A sink is given the columns once, then rows of that many cells, then `end`. */
typedef struct sb_sink sb_sink;
struct sb_sink {
    int (*begin)(sb_sink *sink, int ncolumns, const sb_column *columns);
    int (*row)(sb_sink *sink, const sb_cell *cells);
    int (*end)(sb_sink *sink);      /* flushes, renames the temporary file to its name */
    void (*abandon)(sb_sink *sink); /* instead of end: removes the temporary file; rows already on a stream stay */
};

/* End and abandonment of a sink for which they do nothing. */
int sb_sink_ignore_end(sb_sink *sink);
void sb_sink_ignore_abandon(sb_sink *sink);

/* Returns a cell as CSV writes it, without quotes: the text of a text cell, a number in `room`, "" for an empty cell.
 */
const char *sb_cell_text(const sb_cell *cell, char room[32]);
/* Writes a cell that is not a text in the same way. Returns the end of what it writes. */
char *sb_cell_write(const sb_cell *cell, char out[32]);
/* Writes a number with its standard error, positive and finite, in units of the last digit: 2.3(6), 4.52(3)e-09. */
enum { SB_WITH_ERROR = 64 };
void sb_text_with_error(double x, double se, char out[SB_WITH_ERROR]);

/* To add a format: extend this enum and SB_FORMAT_CHOICES, the endings in rows.c, and either sink.c, for a format that
 * is written row by row, or sb_write_view (view.c), for one that needs all rows. */
typedef enum sb_format {
    SB_FORMAT_CSV,
    SB_FORMAT_TABLE,
    SB_FORMAT_MD,
    SB_FORMAT_LATEX,
    SB_FORMAT_JSON,
    SB_FORMAT_JUNIT
} sb_format;
/* For parameter tables. */
#define SB_FORMAT_CHOICES "csv|table|md|latex|json|junit"

/* The caption of a table or a figure in LaTeX, which is then a float; its label is KIND:FILE, "tab:orders" of
 * orders.tex. */
typedef struct sb_caption {
    const char *text, *file; /* the file may be NULL: no label */
    bool wide;               /* of a figure: as wide as the page where the text has two columns; a table is measured */
} sb_caption;

/* Write the first and the last lines of a float: kind "tab" or "fig". */
void sb_float_begin(FILE *to, const char *kind, bool wide, const sb_caption *caption);
void sb_float_end(FILE *to, const char *kind, bool wide, const sb_caption *caption);

/* Opens a sink on a file (written under a temporary name beside it, which `end` renames), or on standard output when
 * path is NULL. `comments` (may be NULL) are lines for the head of a CSV, without the leading '# '. CSV and JSON are
 * written row by row; the others keep their rows until `end`. Fails with SB_IO, which names the file and the reason. */
int sb_sink_open(sb_context *ctx, sb_arena *arena, sb_format format, const char *path, const char *const *comments,
                 sb_sink **out);
/* Sets the caption of a sink that sb_sink_open has opened, for SB_FORMAT_LATEX. */
void sb_sink_caption(sb_sink *sink, const sb_caption *caption);

/* Opens a sink that compares rows with those of a file, an earlier output as CSV of which lines and columns may have
 * been removed, and passes them to `inner` with one more column, `expected`, which says what differs. A row is compared
 * with the line that has the same keys. Numbers may differ by a unit of the last digit in the file, or by 1e-9 of their
 * size, or by the number in its column NAME_tolerance; words are the same. `begin` fails with SB_IO or, for a column
 * that the rows do not have, with SB_BAD_USAGE; `end` with SB_NOT_CONVERGED if rows differ or are missing. */
int sb_sink_expect(sb_context *ctx, sb_arena *arena, const char *file, sb_sink *inner, sb_sink **out);

/* The form in which rows are written; all zero: unchanged. */
typedef struct sb_row_form {
    const char *columns; /* names of the columns, in this order, joined by commas; NULL or "": all */
    const char *pivot;   /* the column whose values become columns; NULL or "": none */
    int digits;          /* maximum for every number that is not an integer; 0: the digits of the sink */
    bool people;         /* for a view: a column of a pivot that holds several kinds of numbers has digits for each */
    bool mark;           /* sets sb_cell.best */
} sb_row_form;

/* Opens a sink that passes rows to `inner` in another form. Columns that are named nowhere are left out. With a pivot
 * the rows that agree in the other columns of kind SB_COL_KEY become one; rows without any value are left out; of
 * several columns with values each has its own row, and the column `column` names it. With a pivot and with `mark` the
 * rows are kept until `end`. `begin` fails with SB_BAD_USAGE for the name of a column that does not exist, `end` if two
 * rows of a pivot would have the same place. */
int sb_sink_form(sb_context *ctx, sb_arena *arena, const sb_row_form *form, sb_sink *inner, sb_sink **out);

/* Rows kept in memory. */
typedef struct sb_table {
    sb_sink sink;
    sb_arena *arena;
    int ncolumns, nrows, room;
    const sb_column *columns;
    sb_cell *cells; /* nrows x ncolumns */
} sb_table;

/* Makes a table without columns; the rest follows by `begin` of its sink. */
void sb_table_init(sb_table *table, sb_arena *arena);
/* Makes a table with these columns, which are copied, and without rows. Fails with SB_NO_MEMORY. */
int sb_table_begin(sb_table *table, sb_arena *arena, int ncolumns, const sb_column *columns);
/* Returns the cell in (row, column). */
static inline sb_cell *sb_table_cell(const sb_table *table, int row, int column) {
    return &table->cells[(size_t)row * (size_t)table->ncolumns + (size_t)column];
}
/* Returns the index of a column, or -1. */
int sb_table_column(const sb_table *table, const char *name);
/* Returns the number in (row, column name); NaN for text, empty cells and unknown columns. */
double sb_table_real(const sb_table *table, int row, const char *name);
/* Returns the unit of the last digit of the number in (row, column name) if it is written with its certain digits, else
 * 0. */
double sb_table_unit(const sb_table *table, int row, const char *name);
/* Returns the text in (row, column name), "" if it is none. */
const char *sb_table_text(const sb_table *table, int row, const char *name);
/* Returns whether the text in (row, column name) is `text`. */
bool sb_table_is(const sb_table *table, int row, const char *name, const char *text);
/* Returns the first row from `from` on with this text in the column, -1 if there is none. */
int sb_table_find(const sb_table *table, const char *column, const char *text, int from);
/* Returns the number of rows with this text in the column. */
int sb_table_count(const sb_table *table, const char *column, const char *text);
/* Writes the kept rows to another sink: begin, rows, end. Abandons the sink when one of them fails. */
int sb_table_write(const sb_table *table, sb_sink *to);
/* Writes only the rows; the caller calls begin and end. */
int sb_table_write_rows(const sb_table *table, sb_sink *to);
/* Reads a CSV file with a header (comment lines skipped); every cell is text or, if it reads as one, a number. Fails
 * with SB_IO. */
int sb_table_read_csv(sb_table *table, sb_context *ctx, const char *path);
