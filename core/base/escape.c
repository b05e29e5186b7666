/* Writes texts as parts of other languages. */
#include "core/base/escape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

/* What stands for a character in each language: the characters, in their order, and their replacements. */
static const struct {
    const char *characters, *replacements[12];
} tables[] = {
    [SB_HTML] = {"<>&\"", {"&lt;", "&gt;", "&amp;", "&quot;"}},
    [SB_JSON] = {"\"\\<\n\t", {"\\\"", "\\\\", "\\u003c", "\\n", "\\t"}},
    [SB_LATEX] = {"&%$#_{}\\~^\n",
                  {"\\&", "\\%", "\\$", "\\#", "\\_", "\\{", "\\}", "\\textbackslash{}", "\\textasciitilde{}",
                   "\\textasciicircum{}", " "}},
    [SB_MARKDOWN] = {"\\`*_|<[&~$\n",
                     {"\\\\", "\\`", "\\*", "\\_", "\\|", "&lt;", "\\[", "&amp;", "\\~", "\\$", "<br>"}},
    [SB_CODE_BLOCK] = {"\n", {"\n    "}},
    [SB_GNUPLOT] = {"'", {"''"}},
    [SB_SHELL] = {"'", {"'\\''"}},
    [SB_URL] = {"%#? \"\\&():<>", {"%25", "%23", "%3F", "%20", "%22", "%5C", "%26", "%28", "%29", "%3A", "%3C", "%3E"}},
    [SB_TERMINAL] = {"", {NULL}},
};

/* How a control character or a malformed byte is written: a format of its number. HTML and Markdown show line breaks
 * and tabs as spaces, a shell has them in quotes. */
static const struct {
    const char *format, *kept;
} controls[] = {
    [SB_HTML] = {"\\x%02x", "\n\t"},
    [SB_JSON] = {"\\u%04x", ""},
    [SB_LATEX] = {"\\textbackslash{}x%02x", "\t"},
    [SB_MARKDOWN] = {"\\\\x%02x", "\t"},
    [SB_CODE_BLOCK] = {"\\x%02x", "\t"},
    [SB_GNUPLOT] = {"'.\"\\%03o\".'", ""},
    [SB_SHELL] = {"'\"$(printf '\\%03o')\"'", "\n\t"},
    [SB_URL] = {"%%%02X", ""},
    [SB_TERMINAL] = {"\\x%02x", ""},
};

/* Returns the length of the character at `text`; 0 if it is a control character, also one of the range 0x80 to 0x9f,
 * or no UTF-8. */
static int printable(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    const int length = sb_utf8_length(text);
    return c[0] < 0x20 || c[0] == 0x7F || (c[0] == 0xC2 && c[1] < 0xA0) ? 0 : length;
}

/* Returns whether the character at `text` is U+FFFE or U+FFFF, which XML does not have. */
static bool is_none(const char *text) { return strncmp(text, "\xEF\xBF", 2) == 0 && (unsigned char)text[2] >= 0xBE; }

static void write_text(FILE *to, sb_language language, const char *text, size_t bytes) {
    for (size_t i = 0; i < bytes;) {
        const char *at = strchr(tables[language].characters, text[i]);
        const int length = language == SB_HTML && is_none(text + i) ? 0 : printable(text + i);
        const bool dash = text[i] == '-' && i > 0 && text[i - 1] == '-';
        if (at != NULL) {
            fputs(tables[language].replacements[at - tables[language].characters], to);
        } else if (length == 0 && strchr(controls[language].kept, text[i]) == NULL) {
            fprintf(to, controls[language].format, (unsigned char)text[i]);
        } else if (language == SB_LATEX && dash) {
            fputs("{}-", to); /* no ligature */
        } else if (language == SB_LATEX && strchr("<>|", text[i]) != NULL) {
            fprintf(to, "$%c$", text[i]);
        } else if (language == SB_GNUPLOT && dash) {
            fprintf(to, controls[language].format, '-');
        } else {
            fwrite(text + i, 1, length > 0 ? (size_t)length : 1, to);
        }
        i += length > 0 ? (size_t)length : 1;
    }
}

void sb_escape_bytes(FILE *to, sb_language language, const char *text, size_t bytes) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@";
    const bool quoted = language == SB_GNUPLOT || (language == SB_SHELL && (bytes == 0 || strspn(text, plain) < bytes));
    fputs(quoted ? "'" : "", to);
    write_text(to, language, text, bytes);
    fputs(quoted ? "'" : "", to);
}

void sb_escape(FILE *to, sb_language language, const char *text) { sb_escape_bytes(to, language, text, strlen(text)); }

char *sb_escaped(sb_arena *arena, sb_language language, const char *text) {
    char *buffer = NULL, *copy = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&buffer, &size);
    if (to != NULL) {
        sb_escape(to, language, text);
        copy = fclose(to) == 0 ? sb_strdup(arena, buffer) : NULL;
    }
    free(buffer);
    return copy;
}

void sb_write_line(FILE *to, const char *format, ...) {
    char line[2001];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    sb_escape(to, SB_TERMINAL, line);
    fputc('\n', to);
}
