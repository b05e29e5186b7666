/* Views for people: terminal table, Markdown, LaTeX (booktabs, siunitx). Rows are kept until the end, then aligned. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/output/sink.h"

typedef struct view_sink {
    sb_sink sink;
    sb_outfile file;
    sb_format format;
    sb_table table;
    bool *numeric; /* a column without a single text: right-aligned */
    bool begun;
} view_sink;

/* The number of digits shown: see sb_column_kind. Exact numbers keep all of theirs in formats from which they are
 * copied. */
static void format_number(double x, sb_column_kind kind, sb_format format, char out[32]) {
    if (!isfinite(x)) {
        sb_format_real(x, out);
        return;
    }
    switch (kind) {
    case SB_COL_ERROR: snprintf(out, 32, x == 0.0 ? "%.0f" : "%.2e", x); return;
    case SB_COL_SLOPE: snprintf(out, 32, "%.3f", x); return;
    case SB_COL_TIME: snprintf(out, 32, "%.3g", x); return;
    case SB_COL_EXACT:
        if (format == SB_FORMAT_TABLE) {
            snprintf(out, 32, "%.9g", x);
            return;
        }
        break;
    case SB_COL_INFO: snprintf(out, 32, "%.6g", x); return;
    case SB_COL_KEY: break;
    }
    sb_format_real(x, out);
}

/* Returns the text of a cell; numbers are written by `number`. */
static const char *cell_text(const view_sink *me, const sb_cell *cell, int column, char number[32]) {
    switch (cell->type) {
    case SB_CELL_REAL: format_number(cell->real, me->table.columns[column].kind, me->format, number); return number;
    case SB_CELL_INT: snprintf(number, 32, "%ld", cell->integer); return number;
    case SB_CELL_TEXT: return cell->text;
    case SB_CELL_EMPTY: break;
    }
    return "";
}

static const sb_cell *cell_at(const view_sink *me, int row, int column) {
    return &me->table.cells[(size_t)row * (size_t)me->table.ncolumns + (size_t)column];
}

static int find_numeric(view_sink *me) {
    SB_NEW(me->table.arena, me->numeric, me->table.ncolumns);
    for (int j = 0; j < me->table.ncolumns; j++) {
        me->numeric[j] = me->table.nrows > 0;
        for (int i = 0; i < me->table.nrows; i++) {
            me->numeric[j] = me->numeric[j] && cell_at(me, i, j)->type != SB_CELL_TEXT;
        }
    }
    return SB_OK;
}

/* Counts characters: UTF-8 continuation bytes take no room. */
static int width_of(const char *text) {
    int width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return width;
}

static void pad(FILE *stream, int count) {
    for (int i = 0; i < count; i++) {
        fputc(' ', stream);
    }
}

static void write_padded(FILE *stream, const char *text, int width, bool right, bool last) {
    const int room = width - width_of(text);
    if (right) {
        pad(stream, room);
    }
    fputs(text, stream);
    if (!right && !last) {
        pad(stream, room);
    }
}

static int write_table(view_sink *me) {
    const sb_table *table = &me->table;
    FILE *stream = me->file.stream;
    char number[32];
    int *width;
    SB_NEW(table->arena, width, table->ncolumns);
    for (int j = 0; j < table->ncolumns; j++) {
        width[j] = width_of(table->columns[j].name);
        for (int i = 0; i < table->nrows; i++) {
            const int w = width_of(cell_text(me, cell_at(me, i, j), j, number));
            width[j] = w > width[j] ? w : width[j];
        }
    }
    for (int i = -1; i < table->nrows; i++) {
        for (int j = 0; j < table->ncolumns; j++) {
            const char *text = i < 0 ? table->columns[j].name : cell_text(me, cell_at(me, i, j), j, number);
            fputs(j > 0 ? "  " : "", stream);
            write_padded(stream, text, width[j], me->numeric[j], j == table->ncolumns - 1);
        }
        fputc('\n', stream);
    }
    return SB_OK;
}

/* ---- Markdown. ---- */

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

static int write_md(view_sink *me) {
    const sb_table *table = &me->table;
    FILE *stream = me->file.stream;
    char number[32];
    for (int j = 0; j < table->ncolumns; j++) {
        fputs("| ", stream);
        write_md_text(stream, table->columns[j].name);
        fputc(' ', stream);
    }
    fputs("|\n", stream);
    for (int j = 0; j < table->ncolumns; j++) {
        fputs(me->numeric[j] ? "| ---: " : "| --- ", stream);
    }
    fputs("|\n", stream);
    for (int i = 0; i < table->nrows; i++) {
        for (int j = 0; j < table->ncolumns; j++) {
            fputs("| ", stream);
            write_md_text(stream, cell_text(me, cell_at(me, i, j), j, number));
            fputc(' ', stream);
        }
        fputs("|\n", stream);
    }
    return SB_OK;
}

/* ---- LaTeX. ---- */

static void write_tex_text(FILE *stream, const char *text) {
    for (; *text != '\0'; text++) {
        const char c = *text;
        if (strchr("&%$#_{}", c) != NULL) {
            fprintf(stream, "\\%c", c);
        } else if (c == '\\') {
            fputs("\\textbackslash{}", stream);
        } else if (c == '~') {
            fputs("\\textasciitilde{}", stream);
        } else if (c == '^') {
            fputs("\\textasciicircum{}", stream);
        } else if (strchr("<>|", c) != NULL) {
            fprintf(stream, "$%c$", c);
        } else if (c == '-' && text[1] == '-') {
            fputs("-{}", stream); /* no ligature to a dash */
        } else {
            fputc(c == '\n' ? ' ' : c, stream);
        }
    }
}

/* Cells of an S column that are not numbers are put in braces. */
static void write_tex_cell(const view_sink *me, const sb_cell *cell, int column, bool numeric) {
    FILE *stream = me->file.stream;
    char number[32];
    const char *text = cell_text(me, cell, column, number);
    const bool braces = numeric && cell->type == SB_CELL_REAL && !isfinite(cell->real);
    fputs(braces ? "{" : "", stream);
    if (!numeric && (cell->type == SB_CELL_REAL || cell->type == SB_CELL_INT)) {
        fprintf(stream, "\\num{%s}", text);
    } else {
        write_tex_text(stream, text);
    }
    fputs(braces ? "}" : "", stream);
}

static int write_latex(view_sink *me) {
    const sb_table *table = &me->table;
    FILE *stream = me->file.stream;
    fputs("% \\usepackage{booktabs, siunitx}\n\\begin{tabular}{", stream);
    for (int j = 0; j < table->ncolumns; j++) {
        fputc(me->numeric[j] ? 'S' : 'l', stream);
    }
    fputs("}\n\\toprule\n", stream);
    for (int j = 0; j < table->ncolumns; j++) {
        fputs(j > 0 ? " & {" : "{", stream);
        write_tex_text(stream, table->columns[j].name);
        fputc('}', stream);
    }
    fputs(" \\\\\n\\midrule\n", stream);
    for (int i = 0; i < table->nrows; i++) {
        for (int j = 0; j < table->ncolumns; j++) {
            fputs(j > 0 ? " & " : "", stream);
            write_tex_cell(me, cell_at(me, i, j), j, me->numeric[j]);
        }
        fputs(" \\\\\n", stream);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", stream);
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
    if (!me->begun || me->file.stream == NULL) {
        return SB_OK;
    }
    me->begun = false;
    SB_TRY(find_numeric(me));
    switch (me->format) {
    case SB_FORMAT_MD: return write_md(me);
    case SB_FORMAT_LATEX: return write_latex(me);
    default: return write_table(me);
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
