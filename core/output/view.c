/* Writes rows to be read: as a terminal table, in Markdown or in LaTeX. Columns without a value are left out. Where the
 * rest is too wide, texts are broken into lines, and then the columns are divided into blocks that repeat the leading
 * keys. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/output/view.h"

typedef struct view {
    const sb_table *table;
    const sb_view_style *style;
    FILE *stream;
    int count, keys; /* columns; how many of them, from the first on, are keys */
    sb_view_column *columns;
    bool floats;           /* in a float of LaTeX */
    int gap, limit;        /* widths between two columns, and of a line; 0: no limit */
    int nblocks, repeated; /* keys that every block has */
    sb_view_block *blocks;
    const char **rest; /* of each cell of a row that is written in several lines */
    char (*number)[32];
} view;

/* ---- Cells. ---- */

/* Six significant digits, fewer for errors, slopes and times (see sb_column_kind): CSV has all of them. */
static void format_number(double x, sb_column_kind kind, char out[32]) {
    switch (kind) {
    case SB_COL_ERROR: snprintf(out, 32, x == 0.0 ? "%.0f" : "%.2e", x); break;
    case SB_COL_SLOPE: snprintf(out, 32, "%.3f", x); break;
    case SB_COL_TIME: snprintf(out, 32, "%.3g", x); break;
    default: snprintf(out, 32, "%.6g", x); break;
    }
}

/* Returns the text of a cell or, with -1 for the row, of a head. */
static const char *text_of(const view *v, int row, const sb_view_column *column, char number[32]) {
    if (row < 0) {
        return column->head->name;
    }
    const sb_cell *cell = sb_table_cell(v->table, row, column->at);
    if (cell->type != SB_CELL_REAL || cell->digits > 0 || !isfinite(cell->real)) {
        return sb_cell_text(cell, number);
    }
    format_number(cell->real, column->head->kind, number);
    return number;
}

static const sb_cell *cell_of(const view *v, int row, const sb_view_column *column) {
    return row < 0 ? NULL : sb_table_cell(v->table, row, column->at);
}

/* Returns whether a text is a number, which may have its error in brackets: 2.0012(4), 1(2)e-12. */
static bool is_number_text(const char *text) {
    static const char digits[] = "0123456789";
    text += *text == '-';
    size_t n = strspn(text, digits);
    text += n;
    text += *text == '.' ? 1 + strspn(text + 1, digits) : 0;
    if (*text == '(' && text[1 + strspn(text + 1, digits)] == ')') {
        text += 2 + strspn(text + 1, digits);
    }
    if (*text == 'e') {
        text += 1 + strspn(text + 1, "+-");
        n = n > 0 ? strspn(text, digits) : 0;
        text += n;
    }
    return n > 0 && *text == '\0';
}

bool sb_cell_is_number(const sb_cell *cell) {
    return cell != NULL && (cell->type == SB_CELL_REAL || cell->type == SB_CELL_INT ||
                            (cell->type == SB_CELL_TEXT && is_number_text(cell->text)));
}

/* ---- Columns. ---- */

static const char break_after[] = " ,;:/=|-"; /* after underscores where a name is wider than a quarter of the page */

/* Returns the width of the widest part of a text that is not broken. */
static int widest_part(const sb_view_style *style, const char *text, const sb_cell *cell) {
    int widest = 0;
    while (*text != '\0') {
        const size_t part = strcspn(text, break_after), length = part + (text[part] != '\0');
        const int width = style->width(text, length, cell);
        widest = width > widest ? width : widest;
        text += length;
    }
    return widest;
}

static void measure(const view *v, sb_view_column *column) {
    const sb_view_style *style = v->style;
    const char *name = column->head->name;
    column->width = style->head != NULL ? style->head(column->head) : style->width(name, strlen(name), NULL);
    column->least = style->head != NULL && column->width > style->least ? column->width : style->least;
    for (int i = 0; i < v->table->nrows; i++) {
        char number[32];
        const sb_cell *cell = cell_of(v, i, column);
        const char *text = text_of(v, i, column, number);
        const int width = style->width(text, strlen(text), cell);
        const bool whole = sb_cell_is_number(cell); /* in a column of texts */
        column->width = width > column->width ? width : column->width;
        const int least = whole ? width : widest_part(style, text, cell);
        column->least = least > column->least && (whole || 4 * least <= v->limit) ? least : column->least;
    }
}

static int choose_columns(view *v) {
    const sb_table *table = v->table;
    SB_NEW(table->arena, v->columns, table->ncolumns);
    SB_NEW(table->arena, v->rest, table->ncolumns);
    SB_NEW(table->arena, v->number, table->ncolumns);
    for (int j = 0; j < table->ncolumns; j++) {
        bool empty = table->nrows > 0, numeric = table->nrows > 0;
        for (int i = 0; i < table->nrows; i++) {
            empty = empty && sb_cell_is_empty(sb_table_cell(table, i, j));
            numeric = numeric && sb_table_cell(table, i, j)->type != SB_CELL_TEXT;
        }
        if (!empty) {
            const int at = table->columns[j].kind == SB_COL_KEY ? v->keys++ : v->count; /* keys come first */
            memmove(v->columns + at + 1, v->columns + at, (size_t)(v->count++ - at) * sizeof *v->columns);
            v->columns[at] = (sb_view_column){.head = &table->columns[j], .at = j, .numeric = numeric};
            measure(v, &v->columns[at]);
        }
    }
    return SB_OK;
}

/* ---- Blocks. ---- */

/* Returns the width of the first columns, with a gap after each. */
static int total(const view *v, int count) {
    int sum = 0;
    for (int k = 0; k < count; k++) {
        sum += v->columns[k].width + v->gap;
    }
    return sum;
}

/* Reduces the first columns of texts, always the widest one, until all of these columns fit into `limit`, as far as
 * possible. Returns the width of them. */
static int squeeze(view *v, int count, int limit) {
    for (int sum = total(v, count);; sum--) {
        sb_view_column *widest = NULL;
        for (int k = 0; k < count; k++) {
            sb_view_column *c = &v->columns[k];
            widest = !c->numeric && c->width > c->least && (widest == NULL || c->width > widest->width) ? c : widest;
        }
        if (sum <= limit || widest == NULL) {
            return sum;
        }
        widest->width--;
    }
}

/* Returns how many blocks the columns behind the keys take in lines of this width. */
static int blocks_in(const view *v, int limit) {
    int blocks = 0, used = 0;
    for (int k = v->repeated; k < v->count; k++) {
        if (blocks == 0 || (used + v->columns[k].width > limit && used > total(v, v->repeated))) {
            blocks++;
            used = total(v, v->repeated);
        }
        used += v->columns[k].width + v->gap;
    }
    return blocks;
}

/* Returns the least width of lines in which there are not more blocks: they are then about as wide as each other. */
static int even(const view *v, int limit) {
    int less = 0;
    for (const int blocks = blocks_in(v, limit); limit - less > 1;) {
        const int middle = (less + limit) / 2;
        *(blocks_in(v, middle) > blocks ? &less : &limit) = middle;
    }
    return limit;
}

static int new_block(view *v) {
    sb_view_block *block = &v->blocks[v->nblocks++];
    SB_NEW(v->table->arena, block->columns, v->count);
    for (; block->count < v->repeated; block->count++) {
        block->columns[block->count] = &v->columns[block->count];
    }
    return SB_OK;
}

/* Divides the columns. The keys leave room for any one other column, and are not repeated if they take more than three
 * quarters of a line; a text takes at most half of a line, or what the keys leave. */
static int divide(view *v) {
    const int gap = v->gap, limit = v->limit;
    int *natural, used = 0, needed = 0, line = limit;
    SB_NEW(v->table->arena, v->blocks, v->count + 1);
    SB_NEW(v->table->arena, natural, v->count);
    for (int k = 0; k < v->count; k++) {
        natural[k] = v->columns[k].width;
    }
    if (limit <= 0 || squeeze(v, v->count, limit + gap) <= limit + gap) {
        v->repeated = v->count;
        return new_block(v);
    }
    for (int k = 0; k < v->count; k++) {
        v->columns[k].width = natural[k];
    }
    for (int k = v->keys; k < v->count; k++) {
        const int width = v->columns[k].numeric ? v->columns[k].width : v->columns[k].least;
        needed = width > needed ? width : needed;
    }
    const int keys = squeeze(v, v->keys, limit - needed), most = keys > limit / 2 ? limit - keys : limit / 2;
    v->repeated = keys > limit / 2 + limit / 4 ? 0 : v->keys;
    for (int k = v->repeated; k < v->count; k++) {
        sb_view_column *c = &v->columns[k];
        if (!c->numeric && c->width > most) {
            c->width = most > c->least ? most : c->least;
        }
    }
    if (v->floats) {
        line = even(v, limit);
    }
    for (int k = v->repeated; k < v->count; k++) {
        sb_view_column *c = &v->columns[k];
        if (v->nblocks == 0 || (used + c->width > line && v->blocks[v->nblocks - 1].count > v->repeated)) {
            SB_TRY(new_block(v));
            used = total(v, v->repeated);
        }
        sb_view_block *block = &v->blocks[v->nblocks - 1];
        block->columns[block->count++] = c;
        used += c->width + gap;
    }
    return SB_OK;
}

static bool has_value(const view *v, const sb_view_block *block, int row) {
    bool any = false;
    for (int k = v->repeated; k < block->count; k++) {
        any = any || !sb_cell_is_empty(cell_of(v, row, block->columns[k]));
    }
    return any;
}

/* Returns whether a row is written in a block. One of several blocks that repeat keys has the rows with a value in its
 * other columns; a row without any value is in the first block. */
static bool has_row(const view *v, const sb_view_block *block, int row) {
    bool elsewhere = block != v->blocks;
    if (row < 0 || v->nblocks == 1 || v->repeated == 0 || has_value(v, block, row)) {
        return true;
    }
    for (int b = 0; b < v->nblocks; b++) {
        elsewhere = elsewhere || has_value(v, &v->blocks[b], row);
    }
    return !elsewhere;
}

/* ---- Rows. ---- */

/* Returns the length in bytes of the next line of a text, at most as wide as its column and at least one character; it
 * ends after a space or punctuation where possible. */
static size_t line_of(const view *v, const sb_view_column *column, const char *text, const sb_cell *cell) {
    size_t bytes = 0, space = 0, mark = 0;
    if (v->style->limit == NULL || (cell != NULL && (cell->type != SB_CELL_TEXT || sb_cell_is_number(cell)))) {
        return strlen(text);
    }
    while (text[bytes] != '\0' && text[bytes] != '\n') {
        size_t next = bytes + 1;
        while (((unsigned char)text[next] & 0xC0) == 0x80) { /* within a character */
            next++;
        }
        if (v->style->width(text, next, cell) > column->width && bytes > 0) {
            return space > 0 ? space : mark > 0 ? mark : bytes;
        }
        bytes = next;
        space = text[bytes - 1] == ' ' ? bytes : space;
        mark = text[bytes - 1] == '_' || strchr(break_after, text[bytes - 1]) != NULL ? bytes : mark;
    }
    return bytes + (text[bytes] == '\n');
}

/* Writes the next line of a cell and returns the rest of its text. */
static const char *write_line(const view *v, int row, const sb_view_column *column, const char *text, bool last) {
    const sb_cell *cell = cell_of(v, row, column);
    const size_t bytes = line_of(v, column, text, cell);
    size_t shown = bytes;
    while (shown > 0 && (text[shown - 1] == '\n' || (text[shown - 1] == ' ' && text[bytes] != '\0'))) {
        shown--;
    }
    v->style->write(v->stream, column, text, shown, cell, last);
    return text + bytes;
}

static void write_row(const view *v, const sb_view_block *block, int row) {
    for (int k = 0; k < block->count; k++) {
        v->rest[k] = text_of(v, row, block->columns[k], v->number[k]);
    }
    for (bool more = true; more;) {
        more = false;
        fputs(v->style->begin, v->stream);
        for (int k = 0; k < block->count; k++) {
            fputs(k > 0 ? v->style->between : "", v->stream);
            v->rest[k] = write_line(v, row, block->columns[k], v->rest[k], k == block->count - 1);
            more = more || v->rest[k][0] != '\0';
        }
        fputs(v->style->end, v->stream);
    }
}

/* Writes the rows from `from` to `to` of a block. */
static void write_block(const view *v, const sb_view_block *block, int from, int to) {
    if (v->style->open != NULL) {
        v->style->open(v->stream, block);
    }
    write_row(v, block, -1);
    if (v->style->rule != NULL) {
        v->style->rule(v->stream, block);
    }
    for (int i = from; i < to; i++) {
        if (has_row(v, block, i)) {
            write_row(v, block, i);
        }
    }
    if (v->style->close != NULL) {
        v->style->close(v->stream, block);
    }
}

/* ---- Floats of LaTeX. ---- */

/* The lines of \footnotesize that a page of article at 10 pt has below a caption, and those that the rules of a block
 * take. */
enum { PAGE_LINES = 48, RULE_LINES = 2 };

static int lines_of(const view *v, const sb_view_block *block, int row) {
    int most = 1;
    for (int k = 0; k < block->count; k++) {
        char number[32];
        const sb_cell *cell = cell_of(v, row, block->columns[k]);
        const char *text = text_of(v, row, block->columns[k], number);
        int lines = 0;
        do {
            text += line_of(v, block->columns[k], text, cell);
            lines++;
        } while (*text != '\0');
        most = lines > most ? lines : most;
    }
    return most;
}

/* Returns the lines of the rows from `from` to `to` of a block, 0 if it has none of them. */
static int height_of(const view *v, const sb_view_block *block, int from, int to) {
    int lines = 0;
    for (int i = from; i < to; i++) {
        lines += has_row(v, block, i) ? lines_of(v, block, i) : 0;
    }
    return lines > 0 || from == v->table->nrows ? lines + lines_of(v, block, -1) + RULE_LINES : 0;
}

/* Returns the end of the rows from `from` on that fit on a page in each block; at least one. */
static int end_of_page(const view *v, int from) {
    int to = v->table->nrows;
    for (int b = 0; b < v->nblocks; b++) {
        const sb_view_block *block = &v->blocks[b];
        int lines = lines_of(v, block, -1) + RULE_LINES, i = from;
        for (; i < to; i++) {
            lines += has_row(v, block, i) ? lines_of(v, block, i) : 0;
            if (lines > PAGE_LINES && i > from) {
                break;
            }
        }
        to = i;
    }
    return to;
}

static int width_of_block(const view *v, const sb_view_block *block) {
    int width = 0;
    for (int k = 0; k < block->count; k++) {
        width += block->columns[k]->width + v->gap;
    }
    return width;
}

/* Writes the blocks into a float, side by side where a page of two columns is wide enough, and what does not fit on the
 * page into further floats of the same number. */
static void write_floats(const view *v, bool wide, const sb_caption *caption, const sb_caption *continued) {
    const int page = (int)(SB_LATEX_PAGE / SB_LATEX_FOOTNOTE), skip = (int)(1600 / SB_LATEX_FOOTNOTE);
    int from = 0, above = 0, tallest = 0, across = 0, floats = 0;
    do {
        const int to = end_of_page(v, from);
        for (int b = 0; b < v->nblocks; b++) {
            const int lines = height_of(v, &v->blocks[b], from, to), width = width_of_block(v, &v->blocks[b]);
            if (lines == 0) {
                continue;
            }
            if (across + width > page) {
                above += tallest;
                tallest = across = 0;
            }
            if (floats == 0 || above + lines > PAGE_LINES) {
                if (floats > 0) {
                    sb_float_end(v->stream, "tab", wide, caption);
                    fputs("\\addtocounter{table}{-1}\n", v->stream);
                }
                sb_float_begin(v->stream, "tab", wide, floats == 0 ? caption : continued);
                fputs("\\footnotesize\\setlength{\\tabcolsep}{4pt}\\setlength{\\lineskip}{\\medskipamount}\n",
                      v->stream);
                above = tallest = across = 0;
                floats++;
            } else {
                fputs("\\hskip2em\n", v->stream);
            }
            write_block(v, &v->blocks[b], from, to);
            across += width + skip;
            tallest = lines > tallest ? lines : tallest;
        }
        from = to;
    } while (from < v->table->nrows);
    sb_float_end(v->stream, "tab", wide, caption);
}

/* ---- A terminal, and Markdown. ---- */

/* Counts characters: UTF-8 continuation bytes have no width. */
static int characters(const char *text, size_t bytes, const sb_cell *cell) {
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

static void write_padded(FILE *stream, const sb_view_column *column, const char *text, size_t bytes,
                         const sb_cell *cell, bool last) {
    const int room = column->width - characters(text, bytes, cell);
    fprintf(stream, "%*s", column->numeric && room > 0 ? room : 0, "");
    sb_escape_bytes(stream, SB_TERMINAL, text, bytes);
    fprintf(stream, "%*s", column->numeric || last || room < 0 ? 0 : room, "");
}

static const sb_view_style terminal = {.first = "",
                                       .begin = "",
                                       .between = "  ",
                                       .end = "\n",
                                       .blocks = "\n",
                                       .gap = 2,
                                       .least = 12,
                                       .limit = terminal_width,
                                       .width = characters,
                                       .write = write_padded};

static void write_markdown(FILE *stream, const sb_view_column *column, const char *text, size_t bytes,
                           const sb_cell *cell, bool last) {
    sb_escape_bytes(stream, SB_MARKDOWN, text, bytes);
}

static void write_markdown_rule(FILE *stream, const sb_view_block *block) {
    for (int k = 0; k < block->count; k++) {
        fputs(block->columns[k]->numeric ? "| ---: " : "| --- ", stream);
    }
    fputs("|\n", stream);
}

static const sb_view_style markdown = {.first = "",
                                       .begin = "| ",
                                       .between = " | ",
                                       .end = " |\n",
                                       .width = characters,
                                       .write = write_markdown,
                                       .rule = write_markdown_rule};

int sb_write_view(const sb_table *table, FILE *stream, sb_format format, const sb_caption *caption) {
    view v = {.table = table,
              .style = format == SB_FORMAT_LATEX ? &sb_view_latex
                       : format == SB_FORMAT_MD  ? &markdown
                                                 : &terminal,
              .stream = stream};
    if (format == SB_FORMAT_JUNIT) {
        sb_write_junit(table, stream);
        return SB_OK;
    }
    /* A float has \footnotesize, whose characters are 0.85 as wide, and 2/3 of the gaps: widths are those at 10 pt. */
    v.floats = format == SB_FORMAT_LATEX && caption != NULL;
    const double scale = v.floats ? SB_LATEX_FOOTNOTE : 1.0;
    v.gap = (int)(v.style->gap * (v.floats ? 2.0 / 3.0 : 1.0) / scale);
    v.limit = v.style->limit != NULL ? (int)(v.style->limit(stream) / scale) : 0;
    SB_TRY(choose_columns(&v));
    SB_TRY(divide(&v));
    const bool wide = v.nblocks > 1 || scale * (total(&v, v.count) - v.gap) > SB_LATEX_COLUMN;
    fputs(v.style->first, stream);
    if (v.floats) {
        const size_t length = strlen(caption->text), dot = length > 0 && caption->text[length - 1] == '.';
        const char *text;
        SB_PRINT(table->arena, text, "%.*s (continued)%s", (int)(length - dot), caption->text, dot ? "." : "");
        write_floats(&v, wide, caption, &(sb_caption){.text = text});
        return SB_OK;
    }
    for (int b = 0; b < v.nblocks; b++) {
        fputs(b == 0 ? "" : v.style->blocks, stream);
        write_block(&v, &v.blocks[b], 0, table->nrows);
    }
    return SB_OK;
}
