/* Writes texts as parts of other languages, so that no text becomes code or markup of them. */
#pragma once

#include <stdio.h>

#include <stepbench/context.h>

typedef enum sb_language {
    SB_HTML,       /* the text of an element, or of an attribute in double quotes */
    SB_JSON,       /* the inside of a string in double quotes, which may be part of a page */
    SB_LATEX,      /* the text of a paragraph */
    SB_MARKDOWN,   /* the text of a paragraph or of a cell; a line break becomes <br> */
    SB_CODE_BLOCK, /* lines that Markdown shows as they are: each begins with four spaces, of which the caller writes
                      the first four */
    SB_GNUPLOT,    /* an expression whose value is the text, on one line and without "--", for a comment of XML */
    SB_SHELL,      /* one word of a command */
    SB_URL,        /* a path, as an address or a part of one */
    SB_TERMINAL    /* a line of a terminal or of a comment */
} sb_language;

/* Writes `bytes` bytes of a text. Control characters, and bytes that are not UTF-8, are shown as \x1b where the
 * language has no other form of them. */
void sb_escape_bytes(FILE *to, sb_language language, const char *text, size_t bytes);
void sb_escape(FILE *to, sb_language language, const char *text);

/* Returns the same in the arena; NULL when out of memory. */
char *sb_escaped(sb_arena *arena, sb_language language, const char *text);

/* Writes a formatted line for a terminal; at most 2000 bytes of it. */
void sb_write_line(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
