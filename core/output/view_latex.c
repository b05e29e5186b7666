/* The view in LaTeX, with booktabs: heads as mathematics, with units; the best numbers in bold; not wider than a page.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/output/view.h"

/* Widths in hundredths of a point. Columns are 2 \tabcolsep = 12 pt apart. */
enum { POINT = 100 };

/* Returns an upper bound of the width of a character in Computer Modern at 10 pt (cmr10.tfm). */
static int character_width(char c) {
    static const struct {
        const char *characters;
        int width;
    } classes[] = {{"W", 1030}, {"M", 920}, {"m%#", 840}, {"w", 730}, {"<>&+", 780}, {"iljI.,:;'!|()[]-/ tfrs_", 400}};
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

/* A number with an exponent is written 1.2 x 10^-3: its e is as wide as the cross with its spaces and the 10, each
 * minus is one of mathematics, and the digits of the exponent, without a leading zero, are those of cmr7. Bold digits
 * are 15 % wider. */
static int width_of(const char *text, size_t bytes, const sb_cell *cell) {
    int width = 0, digit = 5 * POINT;
    for (const char *c = text; c < text + bytes; c++) {
        const bool omitted = *c == '+' || (*c == '0' && digit == 4 * POINT && !isdigit((unsigned char)c[-1]));
        digit = *c == 'e' ? 4 * POINT : digit;
        width += !sb_cell_is_number(cell) ? character_width(*c)
                 : *c == 'e'              ? 22 * POINT
                 : *c == '-'              ? 8 * POINT
                 : *c == '.'              ? 3 * POINT
                 : omitted                ? 0
                                          : digit;
    }
    return sb_cell_is_number(cell) && cell->best ? width + width / 6 : width;
}

static int head_width(const sb_column *column) {
    const int unit = column->unit[0] != '\0' ? width_of(column->unit, strlen(column->unit), NULL) + 12 * POINT : 0;
    return width_of(column->name, strlen(column->name), NULL) + unit;
}

/* The text of a page is 345 pt wide in article at 10 pt, the narrowest of the standard classes. */
static int page_width(FILE *stream) { return 345 * POINT; }

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

/* ---- Floats. ---- */

static const char *environment(const char *kind) { return strcmp(kind, "tab") == 0 ? "table" : "figure"; }

/* A word with an underscore is not hyphenated. */
static void write_caption(FILE *to, const char *kind, const sb_caption *caption) {
    fputs("\\caption{", to);
    for (const char *word = caption->text; *word != '\0';) {
        const size_t blanks = strspn(word, " "), length = strcspn(word + blanks, " ");
        const bool name = memchr(word + blanks, '_', length) != NULL;
        fprintf(to, "%.*s%s", (int)blanks, word, name ? "\\mbox{" : "");
        sb_escape_bytes(to, SB_LATEX, word + blanks, length);
        fputs(name ? "}" : "", to);
        word += blanks + length;
    }
    fputs("}\n", to);
    if (caption->file != NULL) {
        const char *name = sb_file_name(caption->file), *dot = strrchr(name, '.');
        fprintf(to, "\\label{%s:", kind);
        for (const char *c = name; *c != '\0' && c != dot; c++) {
            fputc(isalnum((unsigned char)*c) ? *c : '-', to); /* anything else may be a command */
        }
        fputs("}\n", to);
    }
}

/* The caption of a table is above it, as IEEE and SIAM want it, and that of a figure below. */
void sb_float_begin(FILE *to, const char *kind, bool wide, const sb_caption *caption) {
    fprintf(to, "\\begin{%s%s}\n\\centering\n", environment(kind), wide ? "*" : "");
    if (strcmp(kind, "tab") == 0) {
        write_caption(to, kind, caption);
        fputs("\\smallskip\n", to);
    } else if (!wide) {
        fputs("\\footnotesize\n", to); /* the texts of a narrow figure have little room */
    }
}

void sb_float_end(FILE *to, const char *kind, bool wide, const sb_caption *caption) {
    if (strcmp(kind, "fig") == 0) {
        fputs(wide ? "" : "\\normalsize\n", to);
        write_caption(to, kind, caption);
    }
    fprintf(to, "\\end{%s%s}\n", environment(kind), wide ? "*" : "");
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

/* Writes a text; `space` stands for the underscores. */
static void write_words(FILE *stream, const char *text, size_t bytes, const char *space) {
    for (size_t at = 0; at < bytes; at++) {
        const size_t word = strcspn(text + at, "_"), length = word < bytes - at ? word : bytes - at;
        sb_escape_bytes(stream, SB_LATEX, text + at, length);
        at += length;
        fputs(at < bytes ? space : "", stream);
    }
}

/* Writes the name of a column: h_limit as h with an index, err_q as a word with an index, other names as words. */
static void write_name(FILE *stream, const char *name) {
    const size_t first = strcspn(name, "_"), letters = symbol(name, first);
    const char *last = strrchr(name, '_');
    if (letters > 0) {
        const char *index = name + letters + (letters == first && last != NULL);
        fputc('$', stream);
        write_symbol(stream, name, letters);
        fputs(index[0] != '\0' ? "_{" : "", stream);
        if (strspn(index, "0123456789") == strlen(index)) {
            fputs(index, stream);
        } else if (symbol(index, strlen(index)) == strlen(index)) {
            write_symbol(stream, index, strlen(index));
        } else {
            fputs("\\mathrm{", stream);
            write_words(stream, index, strlen(index), "\\ ");
            fputc('}', stream);
        }
        fputs(index[0] != '\0' ? "}$" : "$", stream);
    } else if (last != NULL && last[1] != '\0' && symbol(last + 1, strlen(last + 1)) == strlen(last + 1)) {
        write_words(stream, name, (size_t)(last - name), " ");
        fputs("$_{", stream);
        write_symbol(stream, last + 1, strlen(last + 1));
        fputs("}$", stream);
    } else {
        write_words(stream, name, strlen(name), " ");
    }
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

/* ---- The table. ---- */

/* A column without a description comes from a pivot, and its head is a text. */
static void write_head(FILE *stream, const sb_column *column) {
    if (column->doc[0] != '\0') {
        write_name(stream, column->name);
    } else {
        sb_escape(stream, SB_LATEX, column->name);
    }
    if (column->unit[0] != '\0') {
        write_unit(stream, column->unit);
    }
}

static void write_cell(FILE *stream, const sb_view_column *column, const char *text, size_t bytes, const sb_cell *cell,
                       bool last) {
    if (cell == NULL) {
        write_head(stream, column->head);
    } else if (!sb_cell_is_number(cell) || bytes < strlen(text)) {
        sb_escape_bytes(stream, SB_LATEX, text, bytes);
    } else if (bytes > 0) {
        write_number(stream, text, cell->best);
    }
}

static void open_table(FILE *stream, const sb_view_block *block) {
    fputs("\\begin{tabular}{@{}", stream);
    for (int k = 0; k < block->count; k++) {
        fputc(block->columns[k]->numeric ? 'r' : 'l', stream);
    }
    fputs("@{}}\n\\toprule\n", stream);
}

static void write_rule(FILE *stream, const sb_view_block *block) { fputs("\\midrule\n", stream); }

static void close_table(FILE *stream, const sb_view_block *block) { fputs("\\bottomrule\n\\end{tabular}\n", stream); }

const sb_view_style sb_view_latex = {.first = "% \\usepackage{booktabs}\n",
                                     .begin = "",
                                     .between = " & ",
                                     .end = " \\\\\n",
                                     .blocks = "\\par\\medskip\\noindent\n",
                                     .gap = 12 * POINT,
                                     .least = 50 * POINT,
                                     .limit = page_width,
                                     .width = width_of,
                                     .head = head_width,
                                     .write = write_cell,
                                     .open = open_table,
                                     .rule = write_rule,
                                     .close = close_table};
