/* The view in LaTeX, with booktabs: heads as mathematics, with units; the best numbers in bold; not wider than a page.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/escape.h"
#include "core/output/view.h"

/* Widths in hundredths of a point. The text of a page is 345 pt wide in article at 10 pt, the narrowest of the standard
 * classes; columns are 2 \tabcolsep = 12 pt apart. */
enum { POINT = 100, PAGE = 345 * POINT, GAP = 12 * POINT, LEAST_TEXT = 50 * POINT };

/* Returns an upper bound of the width of a character in Computer Modern at 10 pt (cmr10.tfm). */
static int character_width(char c) {
    static const struct {
        const char *characters;
        int width;
    } classes[] = {{"W", 1030}, {"M", 920}, {"m%#", 840}, {"w", 730}, {"<>&+", 780}, {"iljI.,:;'!|()[]-/ tfrs", 400}};
    if (((unsigned char)c & 0xC0) == 0x80) {
        return 0;
    }
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strchr(classes[i].characters, c) != NULL && c != '\0') {
            return classes[i].width;
        }
    }
    return isdigit((unsigned char)c) ? 500 : islower((unsigned char)c) ? 560 : 790;
}

static int measure(const char *text, size_t bytes) {
    int width = 0;
    for (size_t i = 0; i < bytes; i++) {
        width += character_width(text[i]);
    }
    return width;
}

/* A number with an exponent is written 1.2 x 10^-3: its e is as wide as the cross with its spaces and the 10, and each
 * minus is one of mathematics. Bold digits are 15 % wider. */
static int number_width(const char *text, bool bold) {
    int width = 0;
    for (const char *c = text; *c != '\0'; c++) {
        width += *c == 'e' ? 22 * POINT : *c == '-' ? 8 * POINT : *c == '+' ? 0 : 5 * POINT;
    }
    return bold ? width + width / 6 : width;
}

/* ---- Numbers. ---- */

static void write_number(FILE *stream, const char *text, bool bold) {
    const char *exponent = strchr(text, 'e');
    fputs(bold ? "{\\boldmath$" : "$", stream);
    if (isalpha((unsigned char)text[text[0] == '-'])) { /* nan, inf */
        fprintf(stream, "\\mathrm{%s}", text);
    } else if (exponent == NULL) {
        fputs(text, stream);
    } else {
        fprintf(stream, "%.*s\\times10^{%ld}", (int)(exponent - text), text, strtol(exponent + 1, NULL, 10));
    }
    fputs(bold ? "$}" : "$", stream);
}

/* ---- Heads. ---- */

static const char *const greek[] = {"alpha", "beta", "gamma", "omega", "lambda", "theta", "mu", "tau", "xi"};

/* Returns the length of the symbol in a word of this length: 1 for a Latin letter, more for a Greek one, each with or
 * without digits after it. Returns 0 if the word is not a symbol. */
static size_t symbol(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++) {
        if (strlen(greek[i]) <= length && strncmp(greek[i], word, strlen(greek[i])) == 0 &&
            strspn(word + strlen(greek[i]), "0123456789") >= length - strlen(greek[i])) {
            return strlen(greek[i]);
        }
    }
    return isalpha((unsigned char)word[0]) && strspn(word + 1, "0123456789") >= length - 1 ? 1 : 0;
}

static void write_symbol(FILE *stream, const char *word, size_t letters) {
    fprintf(stream, letters > 1 ? "\\%.*s" : "%.*s", (int)letters, word);
}

/* Writes the name of a column: h_limit as h with an index, err_q as a word with an index, other names unchanged. */
static void write_name(FILE *stream, const char *name) {
    size_t length = strcspn(name, "_");
    const size_t letters = symbol(name, length);
    if (letters > 0) {
        const char *index = name + letters + (letters == length && name[length] == '_');
        const bool number = strspn(index, "0123456789") == strlen(index);
        fputc('$', stream);
        write_symbol(stream, name, letters);
        if (index[0] != '\0') {
            const size_t inner = symbol(index, strlen(index));
            fputs("_{", stream);
            if (number || inner == strlen(index)) {
                number ? fputs(index, stream) : (write_symbol(stream, index, inner), 0);
            } else {
                fputs("\\mathrm{", stream);
                for (; *index != '\0'; index++) {
                    fputs(*index == '_' ? "\\ " : (char[]){*index, '\0'}, stream);
                }
                fputc('}', stream);
            }
            fputc('}', stream);
        }
        fputc('$', stream);
        return;
    }
    while (name[length] == '_') {
        const char *next = name + length + 1;
        const size_t rest = strcspn(next, "_"), inner = symbol(next, rest);
        sb_escape_bytes(stream, SB_LATEX, name, length);
        if (inner == rest && next[rest] == '\0') {
            fputs("$_{", stream);
            write_symbol(stream, next, inner);
            fputs("}$", stream);
            return;
        }
        fputc(' ', stream);
        name = next;
        length = rest;
    }
    sb_escape_bytes(stream, SB_LATEX, name, length);
}

/* Writes a unit: kg m^2/s with an exponent. */
static void write_unit(FILE *stream, const char *unit) {
    fputs(" (", stream);
    for (; *unit != '\0'; unit++) {
        if (*unit == '^') {
            const int digits = (int)strspn(unit + 1, "-0123456789");
            fprintf(stream, "$^{%.*s}$", digits, unit + 1);
            unit += digits;
        } else {
            sb_escape_bytes(stream, SB_LATEX, unit, 1);
        }
    }
    fputc(')', stream);
}

static int head_width(const sb_column *column) {
    const int unit = column->unit[0] != '\0' ? measure(column->unit, strlen(column->unit)) + 12 * POINT : 0;
    return measure(column->name, strlen(column->name)) + unit;
}

/* ---- Rows. ---- */

static bool is_number(const sb_cell *cell) { return cell->type == SB_CELL_REAL || cell->type == SB_CELL_INT; }

/* Writes the next line of a cell and returns the rest of its text. */
static const char *write_line(const sb_view *view, int row, int j, bool last) {
    const sb_cell *cell = sb_table_cell(&view->table, row, j);
    const char *text = view->rest[j];
    if (is_number(cell)) {
        if (text[0] != '\0') {
            write_number(view->stream, text, cell->best);
        }
        return text + strlen(text);
    }
    const size_t bytes = sb_view_line(text, view->width[j], measure);
    sb_escape_bytes(view->stream, SB_LATEX, text, bytes - (bytes > 0 && text[bytes - 1] == ' '));
    return text + bytes;
}

/* Writes the heads, names and units; a column without a description comes from a pivot, and its head is a text. */
static void write_heads(const sb_view *view, const sb_view_block *block) {
    for (int k = 0; k < block->count; k++) {
        const sb_column *column = &view->table.columns[block->column[k]];
        fputs(k > 0 ? " & " : "", view->stream);
        if (column->doc[0] != '\0') {
            write_name(view->stream, column->name);
        } else {
            sb_escape(view->stream, SB_LATEX, column->name);
        }
        if (column->unit[0] != '\0') {
            write_unit(view->stream, column->unit);
        }
    }
    fputs(" \\\\\n\\midrule\n", view->stream);
}

/* Sets the width of a column and its lower limit: the head and the numbers, which a column of texts may also have, are
 * not broken into lines. */
static void find_width(const sb_view *view, int j) {
    int width = head_width(&view->table.columns[j]), least = width > LEAST_TEXT ? width : LEAST_TEXT;
    for (int i = 0; i < view->table.nrows; i++) {
        char number[SB_VIEW_NUMBER];
        const sb_cell *cell = sb_table_cell(&view->table, i, j);
        const char *text = sb_view_text(view, i, j, number);
        const int w = is_number(cell) ? number_width(text, cell->best) : measure(text, strlen(text));
        width = w > width ? w : width;
        least = is_number(cell) && w > least ? w : least;
    }
    view->width[j] = width;
    view->least[j] = least;
}

int sb_view_write_latex(sb_view *view) {
    const sb_table *table = &view->table;
    sb_view_block *first;
    for (int j = 0; j < table->ncolumns; j++) {
        find_width(view, j);
    }
    SB_TRY(sb_view_divide(view, PAGE, GAP, &first));
    fputs("% \\usepackage{booktabs}\n", view->stream);
    for (const sb_view_block *block = first; block != NULL; block = block->next) {
        fputs("\\begin{tabular}{@{}", view->stream);
        for (int k = 0; k < block->count; k++) {
            fputc(view->numeric[block->column[k]] ? 'r' : 'l', view->stream);
        }
        fputs("@{}}\n\\toprule\n", view->stream);
        write_heads(view, block);
        for (int i = 0; i < table->nrows; i++) {
            if (sb_view_has_row(view, first, block, i)) {
                sb_view_write_row(view, block, i, " & ", " \\\\\n", write_line);
            }
        }
        fputs("\\bottomrule\n\\end{tabular}\n", view->stream);
        fputs(block->next != NULL ? "\\par\\medskip\\noindent\n" : "", view->stream);
    }
    return SB_OK;
}
