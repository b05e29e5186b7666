/* Writes pieces of a page: texts with the characters < > & " replaced, and files of the data directory. */
#ifndef STEPBENCH_BENCH_REPORT_HTML_H
#define STEPBENCH_BENCH_REPORT_HTML_H

#include <stdio.h>

#include <stepbench/context.h>

/* Writes HTML with each %s replaced by a text, written as HTML (core/base/escape.h). There are no other conversions. */
void sb_html(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes a file of the data directory, with each comment <!-- NAME --> replaced by what write(arg, "NAME") writes.
 * Fails as `write` does. */
int sb_html_page(sb_context *ctx, sb_arena *arena, const char *file, FILE *to,
                 int (*write)(void *arg, const char *part), void *arg);
/* Writes a file of the data directory unchanged. */
int sb_html_asset(sb_context *ctx, sb_arena *arena, const char *file, FILE *to);

#endif
